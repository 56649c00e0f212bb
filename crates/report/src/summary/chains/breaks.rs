//! Where agents break.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::verdict::{MilestoneReached, MilestoneState};

use super::{BreakHistogram, HopBreak};
use crate::row::TrialRow;
use crate::summary::build::{rate_of, split};

/// The histograms of each agent: over all tasks where there are several, then task by task.
pub(super) fn histograms(rows: &[&TrialRow]) -> Vec<BreakHistogram> {
    let judged: Vec<&TrialRow> =
        rows.iter().copied().filter(|row| !row.faulted() && !row.verdict.milestones.is_empty()).collect();
    let mut found = Vec::new();
    for (agent, rows) in split(&judged, |row| [row.trial.agent.clone()]) {
        let by_task = split(&rows, |row| [row.task().to_owned()]);
        if by_task.len() > 1 {
            found.push(histogram(&agent, None, &rows));
        }
        found.extend(by_task.into_iter().map(|(task, rows)| histogram(&agent, Some(task), &rows)));
    }
    found
}

fn histogram(agent: &str, task: Option<String>, rows: &[&TrialRow]) -> BreakHistogram {
    let mut hops: BTreeMap<usize, Vec<(&TrialRow, HopOutcome)>> = BTreeMap::new();
    let mut names: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for &row in rows {
        let broke = broke_at(&row.verdict.milestones);
        for (idx, milestone) in row.verdict.milestones.iter().enumerate().filter(|(_, milestone)| !milestone.given) {
            hops.entry(idx).or_default().push((row, HopOutcome::of(milestone, broke == Some(idx))));
            names.entry(idx).or_default().insert(&milestone.name);
        }
    }
    let is_one = task.is_some();
    let all_names = |idx: usize| names[&idx].iter().copied().collect::<Vec<_>>().join(" or ");
    let hop = |(idx, trials): (usize, Vec<_>)| HopBreak {
        hop: idx as u32 + 1,
        milestone: is_one.then(|| all_names(idx)),
        ..hop_break(&trials)
    };
    BreakHistogram {
        agent: agent.to_owned(),
        task,
        n: rows.len(),
        n_unbroken: rows.iter().filter(|row| broke_at(&row.verdict.milestones).is_none()).count(),
        hops: hops.into_iter().map(hop).collect(),
    }
}

/// What became of one milestone in one trial that asked for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HopOutcome {
    Reached,
    Broke,
    /// The agent had broken before, or it builds on what was missed.
    NotCome,
}

impl HopOutcome {
    fn of(milestone: &MilestoneReached, is_break: bool) -> Self {
        match milestone.state() {
            MilestoneState::Reached => Self::Reached,
            _ if is_break => Self::Broke,
            _ => Self::NotCome,
        }
    }
}

fn hop_break(trials: &[(&TrialRow, HopOutcome)]) -> HopBreak {
    let of = |outcomes: &[HopOutcome]| -> Vec<&TrialRow> {
        trials.iter().filter(|(_, outcome)| outcomes.contains(outcome)).map(|(row, _)| *row).collect()
    };
    let (broke, came) = (of(&[HopOutcome::Broke]), of(&[HopOutcome::Reached, HopOutcome::Broke]));
    let asked: Vec<&TrialRow> = trials.iter().map(|(row, _)| *row).collect();
    HopBreak {
        hop: 0,
        milestone: None,
        n_reached: came.len() - broke.len(),
        broke: rate_of(&broke, &asked),
        broke_of_came: rate_of(&broke, &came),
    }
}

/// The place of the milestone at which the agent went wrong. Verdicts of before did not mark it: none of their milestones
/// builds on a chosen one, so that it is the first that was missed.
fn broke_at(milestones: &[MilestoneReached]) -> Option<usize> {
    let is_missed = |milestone: &MilestoneReached| milestone.state() == MilestoneState::Missed;
    milestones.iter().position(|milestone| milestone.broke).or_else(|| milestones.iter().position(is_missed))
}
