//! Whether tasks offer what settings ask of them.

use std::collections::BTreeSet;

use anyhow::bail;
use quintain_core::surface::ActionGroup;
use quintain_core::{Settings, Task};
use quintain_store::Selection;

/// Refuses settings that one of the tasks does not offer. What is shown unless somebody says otherwise is asked of no
/// task: it is shown where there is such a thing.
pub fn check_tasks_of(settings: &Settings, selections: &[Selection]) -> anyhow::Result<()> {
    if settings.show != Settings::default().show {
        check_parts(settings, selections)?;
    }
    without(selections, |task| !left(task, settings).is_empty(), "has actions of the groups that are named")
}

fn check_parts(settings: &Settings, selections: &[Selection]) -> anyhow::Result<()> {
    for part in &settings.show {
        without(selections, |task| task.spec.world.observe.contains(part), &format!("offers `{part}`"))?;
    }
    Ok(())
}

/// Refuses tasks of which something does not hold.
fn without(selections: &[Selection], holds: impl Fn(&Task) -> bool, what: &str) -> anyhow::Result<()> {
    let ids = selections.iter().filter(|selection| !holds(&selection.task)).map(|selection| &selection.task.id);
    let ids: BTreeSet<_> = ids.collect();
    let Some(first) = ids.first() else { return Ok(()) };
    let more = match ids.len() - 1 {
        0 => String::new(),
        1 => " (nor does 1 more)".to_owned(),
        n => format!(" (nor do {n} more)"),
    };
    let verb = what.replacen("offers", "does not offer", 1).replacen("has ", "has no ", 1);
    bail!("task `{first}` {verb}{more}\nhint: name only tasks that do, or see `quintain show {first}`")
}

/// The groups of actions that settings leave an agent in a task, besides notes.
pub fn left(task: &Task, settings: &Settings) -> BTreeSet<ActionGroup> {
    let acts = task.spec.world.act.iter().copied().filter(|group| *group != ActionGroup::Note);
    acts.filter(|group| settings.allows(*group)).collect()
}
