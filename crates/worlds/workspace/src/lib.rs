//! A kind of world: work in files. The agent has a shell and files in a sandbox; what it leaves in `output/` is judged.
//!
//! What a task works on is an [`Assignment`]: it makes the files of an instance, knows how it is solved with the tools that
//! an agent has, and brings the verifiers and checks that its deliverables are read with. `exam` is a crate of such.
//! A task may ask for a screen too: then programs stand open on it, and the agent has mouse and keyboard beside the shell.

pub mod alterations;
mod assignment;
mod calls;
pub mod complaints;
mod deliverables;
mod freeze;
mod installed_packages;
mod json_reading;
mod kept_work;
mod kind;
mod open_room;
mod parameters;
mod repeated_start;
mod room_plan;
mod screen_start;
mod screen_wish;
mod screened_room;
mod shown;
mod software;
mod solution;
mod verifier_room;
mod work_room;
mod world;

pub use assignment::{Assignment, InputFiles, PreparedWork};
pub use freeze::FrozenFiles;
pub use kind::{Assignments, Workspace};
pub use parameters::WorkParameters;
pub use quintain_machine::PlannedStep;
pub use repeated_start::started_again;
pub use screened_room::ScreenedRoom;
pub use software::{PythonDistribution, Software, version_facts};
pub use verifier_room::{RoomReport, VerifierRoom};
pub use work_room::{WorkRoom, fault_of};
pub use world::PUT_BACK;

/// Where an agent works.
pub const WORK: &str = "/work";
/// Where the files are that it is given.
pub const INPUT: &str = "/work/input";
/// Where it leaves what is judged.
pub const OUTPUT: &str = "/work/output";
