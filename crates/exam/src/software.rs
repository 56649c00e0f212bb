//! Software that several assignments work with.

use quintain_core::Task;
use quintain_core::offering::{NeedScope, WorldNeed};
use quintain_workspace::Software;

/// Python without anything.
pub(crate) const PYTHON: Software = Software { program: "python3", package: "python3", mend: "apt install python3" };

/// Python's arrays. The package of the module brings this program.
pub(crate) const NUMPY: Software =
    Software { program: "f2py", package: "python3-numpy", mend: "apt install python3-numpy" };

/// Whether a task of an assignment is worked on at a screen.
pub(crate) fn is_at_screen(task: &Task, assignment: &str) -> bool {
    task.spec.world.app == assignment && task.spec.world.viewport.is_some()
}

/// What only those tasks need of which this holds.
pub(crate) fn needed_at_screen(need: WorldNeed, is_of: fn(&Task) -> bool) -> WorldNeed {
    WorldNeed { scope: NeedScope::Tasks(is_of), ..need }
}
