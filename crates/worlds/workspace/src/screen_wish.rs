//! The screen that a task asks for.

use quintain_core::Task;
use quintain_core::surface::ActionGroup;
use serde::{Deserialize, Serialize};

/// The screen that a task asks for, as its instances tell it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScreenWish {
    /// Pixels across and down.
    pub(crate) size: (u32, u32),
    /// The programs that stand open when an agent comes: a command line each.
    pub(crate) open: Vec<String>,
    /// Whether the task lets agents use the shell.
    pub(crate) shell: bool,
}

impl ScreenWish {
    /// That of a task: its `viewport` and the lines of its `start`. Nothing where it names no size.
    pub(crate) fn of(task: &Task) -> Option<Self> {
        let world = &task.spec.world;
        let lines = world.start.as_deref().unwrap_or_default().lines();
        let open = lines.map(str::trim).filter(|line| !line.is_empty()).map(str::to_owned).collect();
        let shell = world.act.contains(&ActionGroup::Shell);
        world.viewport.map(|size| Self { size, open, shell })
    }
}
