//! Runs: from a plan to one outcome for each of its trials, whatever breaks on the way.
//!
//! [`plan()`](plan::plan) makes the plan, [`run()`](run::run) carries it out or goes on with it, [`engine`] hands out the
//! work and keeps the outcomes. The runner emits events and prints nothing.

mod allowance;
mod attempt;
pub mod cast;
pub mod certify;
mod clerk;
pub mod demos;
mod desk;
pub mod engine;
pub mod host;
pub mod ledger;
mod panics;
mod parallel;
mod past;
pub mod plan;
mod pool;
mod program;
pub mod reduced;
pub mod rescore;
pub mod run;
pub mod scratch;
pub mod site;
mod tally;
mod worker;

pub use cast::{AgentContext, AgentMaker, Cast, DeriveMaker, JudgeMaker, ReferenceContext, ReferenceMaker};
pub use desk::{DeskRule, HandInDesk};
pub use engine::{Engine, SqliteEngine};
pub use host::{Door, Entrance, Lobby, door, host};
pub use ledger::Ledger;
pub use parallel::in_parallel;
pub use plan::{Grid, PlanError, plan};
pub use rescore::{Rescored, rescore};
pub use run::{Job, RunError, RunOptions, RunSummary, run, run_here};
pub use scratch::WithScratch;
pub use site::{Finish, How, Site};
