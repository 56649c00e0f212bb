//! What has to be on a machine to play in a world: programs, libraries.

use std::sync::Arc;

use crate::task::Task;

/// Looks for something: where or what it is, or why it cannot be used.
pub type NeedProbe = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;

/// Something that has to be on a machine to play in a world.
#[derive(Clone)]
pub struct WorldNeed {
    /// One word for it, which is part of a class's name: lower-case letters, digits and hyphens.
    pub name: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// What it is for: `for browser worlds`.
    pub purpose: &'static str,
    /// Looks for it. Cheap enough to be asked before every run.
    pub look: NeedProbe,
    /// How to get it.
    pub mend: &'static str,
    /// Which tasks need it.
    pub scope: NeedScope,
}

/// Which tasks of a kind of world need something.
#[derive(Clone)]
pub enum NeedScope {
    /// All of them.
    EveryTask,
    /// Those of which this holds.
    Tasks(fn(&Task) -> bool),
    /// Those that name this app.
    App(&'static str),
}

impl WorldNeed {
    /// Whether a task of its kind of world needs it.
    pub fn is_of(&self, task: &Task) -> bool {
        match self.scope {
            NeedScope::EveryTask => true,
            NeedScope::Tasks(is_of) => is_of(task),
            NeedScope::App(app) => task.spec.world.app == app,
        }
    }

    /// Whether there are tasks of its kind of world that do without.
    pub(super) fn is_of_some(&self) -> bool {
        !matches!(self.scope, NeedScope::EveryTask)
    }

    /// What was found of it here, or why it cannot be used and how to get it.
    pub fn found(&self) -> Result<String, String> {
        (self.look)().map_err(|why| format!("{why}; {}", self.mend))
    }
}
