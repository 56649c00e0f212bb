//! Who plays: agents that need no model, a program on the other end of a pipe, a person at a terminal, models in loops.
//!
//! An agent is named by a text ([`AgentSpec`]) and made for one trial by [`cast`]. Every agent answers within the time
//! it is given; one that has a memory continues a half-done trial exactly as if nothing had happened.

pub mod casting;
pub mod idle;
mod lines;
pub mod loops;
mod placed;
pub mod random;
pub mod recorder;
pub mod replay;
pub mod script;
pub mod sight_test;
pub mod spec;
pub mod subprocess;
pub mod terminal;

pub use casting::{AgentOccasion, cast};
pub use idle::Idle;
pub use random::Random;
pub use recorder::{RecordedLines, SolutionRecorder};
pub use replay::{Divergence, Replay, ReplayReport};
pub use script::Script;
pub use spec::{AgentSpec, NotAnAgent};
pub use subprocess::Subprocess;
pub use terminal::{PersonPace, Terminal};
