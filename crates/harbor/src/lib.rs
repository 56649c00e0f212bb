//! Tasks in Harbor's format: read, judged fit to run here or not, made into tasks of ours, and made of tasks of ours.
//!
//! Nothing here reads a disk or starts a program: folders come in as handles of files, and go out so.

mod config;
mod export;
mod fitness;
mod import;
mod network;
mod problem;
mod reward;
mod script;
mod solution;
mod table_reader;
mod task;
mod variables;

pub use config::{
    AgentSection, CollectHook, EnvironmentSection, HarborArtifact, HarborConfig, HarborMcpServer, HarborOs,
    HarborPackage, HealthcheckSection, MAIN_SERVICE, RewardStrategy, StepSection, Thresholds, TpuSlice, VerifierMode,
    VerifierSection,
};
pub use export::{HarborOutline, out_of_task, solve_script};
pub use fitness::{Fitness, fitness};
pub use import::{ImportError, executable_files, harbor_files, into_suite, plain_name};
pub use network::{NetworkMode, NetworkPolicy};
pub use problem::{HarborProblem, HarborProblems};
pub use reward::{REWARD, REWARD_JSON, REWARD_TEXT, RewardError, Rewards, combine_rewards, read_reward, stop_after};
pub use script::{OfflineScript, offline_test_script};
pub use task::{HarborRound, HarborTask};
pub use variables::{MissingVariable, resolve_variables};
