//! Shared test helpers: a small world that counts and one of files, agents that play them, judges, a verifier, real servers,
//! how to wait for them, the processes that came of them, and what a test's own work took.

mod agents;
mod counter;
mod descendants;
mod facts;
mod files_judge;
mod judge;
pub mod servers;
mod thread_time;
mod waiting;
mod workspace;

pub use agents::{Counting, Fixed};
pub use counter::{Counter, Mishap, counter_task, mute_task};
pub use descendants::{Descendant, descendants};
pub use facts::FileFacts;
pub use files_judge::FilesJudge;
pub use judge::TargetJudge;
pub use thread_time::thread_time;
pub use waiting::{PATIENCE, wait_for, wait_long_for, wait_until};
pub use workspace::{Workspace, workspace_files, workspace_task};
