//! How hard tasks are, on the scale of `VeriGUI`.

use std::collections::BTreeSet;

use super::TaskLevel;
use super::figures::elements;
use crate::row::{PlayedBy, TrialPlace, TrialRow};
use crate::summary::build::PlannedSet;

/// The level of each task, from the trials that begin at its start and go to its end. An agent that knows the solution
/// says nothing of how hard it is.
pub(super) fn levels(trials: &PlannedSet<'_>) -> Vec<TaskLevel> {
    let knowing: BTreeSet<&str> =
        trials.rows.iter().filter(|row| row.plays == PlayedBy::Solution).map(|row| row.trial.agent.as_str()).collect();
    let is_meant = |place: TrialPlace<'_>| {
        place.trial.instance.pick.stretch().is_whole() && !knowing.contains(place.trial.agent.as_str())
    };
    let meant = PlannedSet {
        rows: trials.rows.iter().copied().filter(|row| is_meant(row.place())).collect(),
        unplayed: trials.unplayed.iter().copied().filter(|trial| is_meant(trial.place())).collect(),
    };
    let by_task = meant.split(|place| [place.task().to_owned()]);
    by_task.into_iter().filter_map(|(task, trials)| level_of(task, &trials)).collect()
}

fn level_of(task: String, trials: &PlannedSet<'_>) -> Option<TaskLevel> {
    let success = trials.share(|row| row.verdict.solved);
    let elements = elements(trials)?;
    let agents: BTreeSet<&str> = trials.rows.iter().map(|row: &&TrialRow| row.trial.agent.as_str()).collect();
    let (success_rate, held) = (success.value?, elements.value?);
    Some(TaskLevel {
        task,
        level: level(success_rate, held),
        n_agents: agents.len(),
        n: success.n,
        success: success_rate,
        elements: held,
    })
}

fn level(success: f64, elements: f64) -> u8 {
    match elements {
        _ if success > 0.0 => 1,
        held if held > 0.2 => 2,
        held if held >= 0.05 => 3,
        held if held > 0.0 => 4,
        _ => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::level;

    #[test]
    fn levels_are_those_of_the_paper() {
        let rows = [(0.01, 0.0), (0.0, 0.21), (0.0, 0.2), (0.0, 0.05), (0.0, 0.049), (0.0, 0.0)];
        assert_eq!(rows.map(|(success, elements)| level(success, elements)), [1, 2, 3, 3, 4, 5]);
    }
}
