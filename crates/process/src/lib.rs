//! The one room for programs that we start: how they are started and limited, waited for, listened to and ended.
//!
//! A program gets a process group of its own. Whoever drops the [`ProcessGroup`] ends everything in it, so nothing that a
//! trial started outlives the trial. Nothing here can make us wait for ever.

mod ask;
mod end;
mod folder_walk;
mod group;
mod lasting_thread;
mod layered_root;
mod oom_watch;
mod options;
pub mod sandbox;
mod search_path;
mod swept_folder;
mod tail;
#[cfg(test)]
mod tests;

pub use ask::ProgramAnswer;
pub use end::ProcessEnd;
pub use folder_walk::{FolderVisitor, WalkStep, WalkedEntry, walk_folder};
pub use group::{ProcessGroup, ProcessPipes, end_all};
pub use oom_watch::OomWatch;
pub use options::SpawnOptions;
pub use search_path::on_search_path;
pub use swept_folder::{NOBODY, SweptFolder};
pub use tail::OutputTail;
