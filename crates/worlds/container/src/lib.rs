//! A kind of world: tasks in Harbor's format. The agent is `root` in a system that was built from the task's Dockerfile, and
//! may change all of it; tests run afterwards in a fresh one that is given what was changed.

mod carried;
mod host_trees;
mod kept_system;
mod kind;
mod played_task;
mod reward_check;
mod steps;
mod test_run;
mod world;

pub use host_trees::host_trees;
pub use kind::HarborPlay;
pub use played_task::tree_name;
