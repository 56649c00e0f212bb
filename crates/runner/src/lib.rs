//! Runs: from a plan to one outcome for each of its trials, whatever breaks on the way.
//!
//! [`plan()`](plan::plan) makes the plan, [`run()`](run::run) carries it out or goes on with it, [`engine`] hands out the
//! work and keeps the outcomes. The runner emits events and prints nothing.

mod allowance;
mod attempt;
pub mod cast;
pub mod certify;
mod committer;
pub mod demos;
mod desk;
mod earlier_attempts;
pub mod engine;
pub mod host;
mod lease_pool;
pub mod ledger;
mod panics;
mod parallel;
pub mod plan;
mod prepared_plan;
pub mod reduced;
pub mod rescore;
pub mod run;
pub mod scratch;
mod tally;
pub mod trial_player;
mod worker;

pub use cast::{AgentContext, AgentMaker, Cast, DeriveMaker, JudgeMaker, ReferenceContext, ReferenceMaker};
pub use desk::{DeskRule, HandInDesk};
pub use engine::{Engine, SqliteEngine};
pub use host::{DoorKeeper, GuestDoor, GuestSeats, door, host};
pub use ledger::Ledger;
pub use parallel::{in_parallel, map_parallel, n_cores};
pub use plan::{Grid, PlanError, plan};
pub use rescore::{RescoredTrial, rescore};
pub use run::{Job, RunError, RunOptions, RunSummary, run, run_here};
pub use scratch::WithScratch;
pub use trial_player::{Finish, HandInForm, TrialPlayer};
