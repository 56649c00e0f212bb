//! Stopping too early, too late, or never.

use quintain_core::ending::{Ending, Exhausted};
use quintain_core::limits::Limits;
use quintain_core::trajectory::{Effect, Step};
use quintain_core::verdict::Verdict;

use super::steps::{effect, label};
use super::{Label, LabelKind};

pub(super) fn labels(steps: &[Step], verdict: &Verdict, limits: &Limits) -> Vec<Label> {
    let Some(last) = steps.len().checked_sub(1) else { return Vec::new() };
    let early = is_early(steps, verdict, limits).then(|| label(LabelKind::EarlyStop, (last, last)));
    let late = late_from(steps, verdict).map(|from| label(LabelKind::LateStop, (from.min(last), last)));
    let out = matches!(verdict.ending, Ending::Truncated(Exhausted::Time | Exhausted::Tokens | Exhausted::Cost));
    let timeout = out.then(|| label(LabelKind::Timeout, (last, last)));
    [early, late, timeout].into_iter().flatten().collect()
}

fn is_early(steps: &[Step], verdict: &Verdict, limits: &Limits) -> bool {
    let left = (limits.steps as usize).saturating_sub(steps.len());
    verdict.ending.by_the_agent() && !verdict.solved && left * 2 > limits.steps as usize
}

/// The step from which on the agent should have stopped, where it is known that it should have.
fn late_from(steps: &[Step], verdict: &Verdict) -> Option<usize> {
    let reached = all_reached_after(verdict);
    if verdict.score.is_full() {
        let cut = matches!(verdict.ending, Ending::Truncated(_));
        return cut.then(|| reached.unwrap_or(steps.len() - 1));
    }
    let from = reached?;
    let spoilt = steps.iter().skip(from).any(|step| effect(step) == Some(Effect::Changed));
    spoilt.then_some(from)
}

/// After how many steps every milestone that was asked for had been reached; nothing if one never was, or if there are none.
fn all_reached_after(verdict: &Verdict) -> Option<usize> {
    let after: Option<Vec<u32>> = verdict.asked().map(|milestone| milestone.after_steps).collect();
    after?.into_iter().max().map(|steps| steps as usize)
}
