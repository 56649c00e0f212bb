//! How far each agent comes from each start.

use quintain_core::check::Finding;
use quintain_core::instance::Stretch;
use quintain_core::verdict::MilestoneReached;

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
        follow_through: follow_through(trials),
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

/// What a check of a chain measures: 1 where its fields are right by the agent's own earlier answers.
const FOLLOWS: &str = "follows";

/// CR of follow-through; nothing where no check tells it.
fn follow_through(trials: &PlannedSet<'_>) -> Option<Average> {
    let is_told = |row: &&TrialRow| {
        let mut findings = row.verdict.asked().flat_map(|reached| &reached.findings);
        findings.any(|finding| finding.measures.contains_key(FOLLOWS))
    };
    trials.rows.iter().any(is_told).then(|| trials.average(followed))
}

/// The share of milestones of a trial that follow.
fn followed(row: &TrialRow) -> f64 {
    let follows = |reached: &&MilestoneReached| {
        let holds = |finding: &Finding| finding.measures.get(FOLLOWS).is_some_and(|follows| *follows >= 1.0);
        !reached.findings.is_empty() && reached.findings.iter().all(holds)
    };
    let asked: Vec<&MilestoneReached> = row.verdict.asked().collect();
    let n_followed = asked.iter().filter(|reached| follows(reached)).count();
    if row.faulted() || asked.is_empty() { 0.0 } else { n_followed as f64 / asked.len() as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::tests::row;

    #[test]
    fn who_slips_once_and_goes_on_rightly_is_told_so() {
        let reached = |name: &str, score: bool, follows: Option<f64>| MilestoneReached {
            name: name.to_owned(),
            after_steps: score.then_some(3),
            findings: vec![Finding {
                measures: follows.map(|follows| (FOLLOWS.to_owned(), follows)).into_iter().collect(),
                ..Finding::of(name, score, "")
            }],
            ..MilestoneReached::default()
        };
        let milestones = vec![
            reached("first", true, Some(1.0)),
            reached("slip", false, Some(0.0)),
            reached("after", false, Some(1.0)),
            reached("missing", false, None),
        ];
        let mut row = row("chains/one#1~agent~0 done 0.25 9");
        row.verdict.milestones = milestones;
        assert!((followed(&row) - 0.5).abs() < 1e-9);
    }
}
