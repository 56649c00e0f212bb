//! How far each agent comes from each start.

use quintain_core::instance::Stretch;

use super::ChainFigures;
use crate::row::{TrialPlace, TrialRow};
use crate::summary::Average;
use crate::summary::build::{PlannedSet, usual};

/// The figures of every agent from every start, in that order.
pub(super) fn figures(trials: &PlannedSet<'_>) -> Vec<ChainFigures> {
    let key = |place: TrialPlace<'_>| [(place.trial.agent.clone(), place.trial.instance.pick.stretch())];
    trials.split(key).into_iter().map(|((agent, stretch), trials)| figures_of(agent, stretch, &trials)).collect()
}

fn figures_of(agent: String, stretch: Stretch, trials: &PlannedSet<'_>) -> ChainFigures {
    let solved = || trials.rows.iter().filter(|row| row.verdict.solved);
    let handed_in: Vec<&TrialRow> = trials.rows.iter().copied().filter(|row| row.handed_in).collect();
    ChainFigures {
        agent,
        after: stretch.n_given() as u32,
        until: stretch.until.map(std::num::NonZeroU32::get),
        success: trials.share(|row| row.verdict.solved),
        completion: trials.average(TrialRow::completion),
        elements: elements(trials),
        solved_steps: usual(solved().map(|row| f64::from(row.spent.steps))),
        efficiency: usual(solved().filter_map(|row| row.efficiency())),
        answered: trials.share(|row| row.handed_in),
        precision: PlannedSet::played(&handed_in).share(|row| row.verdict.solved),
    }
}

/// CR by elements; nothing unless it is known of every trial that was judged.
pub(super) fn elements(trials: &PlannedSet<'_>) -> Option<Average> {
    let is_known = trials.rows.iter().all(|row| row.elements_held().is_some());
    let is_judged = trials.rows.iter().any(|row| !row.faulted());
    (is_known && is_judged).then(|| trials.average(|row| row.elements_held().unwrap_or(0.0)))
}
