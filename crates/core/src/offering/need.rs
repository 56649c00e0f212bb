//! What has to be on a machine to play in a world: programs, libraries.

use std::sync::Arc;

use super::HostFact;
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
    /// Those that name this app and of which this holds.
    TasksOfApp(&'static str, fn(&Task) -> bool),
}

impl NeedScope {
    /// The app whose tasks alone it is about, where it is about those of one.
    pub(super) fn app(&self) -> Option<&'static str> {
        match *self {
            Self::App(app) | Self::TasksOfApp(app, _) => Some(app),
            Self::EveryTask | Self::Tasks(_) => None,
        }
    }

    /// Whether of the tasks that it is about each needs it.
    pub(super) fn is_certain(&self) -> bool {
        matches!(self, Self::EveryTask | Self::App(_))
    }
}

impl WorldNeed {
    /// Whether a task of its kind of world needs it.
    pub fn is_of(&self, task: &Task) -> bool {
        match self.scope {
            NeedScope::EveryTask => true,
            NeedScope::Tasks(is_of) => is_of(task),
            NeedScope::App(app) => task.spec.world.app == app,
            NeedScope::TasksOfApp(app, is_of) => task.spec.world.app == app && is_of(task),
        }
    }

    /// Whether there are tasks of its kind of world that do without.
    pub(super) fn is_of_some(&self) -> bool {
        !matches!(self.scope, NeedScope::EveryTask)
    }

    /// The same, of no tasks but those that name this app: what an app brings is no business of the others.
    #[must_use]
    pub fn within_app(self, app: &'static str) -> Self {
        let scope = match self.scope {
            NeedScope::EveryTask => NeedScope::App(app),
            NeedScope::Tasks(is_of) => NeedScope::TasksOfApp(app, is_of),
            of_one_app => of_one_app,
        };
        Self { scope, ..self }
    }

    /// What of it has to be the same on every host that plays tasks that need it: what is told of what was found.
    pub fn fact(&self, told: fn(&str) -> Option<String>) -> HostFact {
        let look = Arc::clone(&self.look);
        HostFact { name: self.name, value: Arc::new(move || told(&look().ok()?)) }
    }

    /// What was found of it here, or why it cannot be used and how to get it.
    pub fn found(&self) -> Result<String, String> {
        (self.look)().map_err(|why| format!("{why}; {}", self.mend))
    }
}
