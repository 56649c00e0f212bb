//! Losing track of what was already seen and done.

use quintain_core::trajectory::{Effect, Step};

use super::steps::{effect, in_vain, label, looks, same_deed, same_view, stretches};
use super::{Label, LabelKind};

/// How long ago a view must have been left for the way back to it to be a loss of memory rather than a second try.
const LONG_AGO: usize = 3;

/// How many views must alternate for it to be to and fro rather than one step taken back.
const TO_AND_FRO: usize = 4;

/// Stretches in which the agent repeats itself without knowing it, those that are loops left out.
pub(super) fn mismanaged(steps: &[Step], loops: &[Label]) -> Vec<Label> {
    let is_loop = |from: usize, to: usize| loops.iter().any(|l| l.from as usize <= to && from <= l.to as usize);
    let mut found = to_and_fro(steps);
    found.retain(|(from, to)| !is_loop(*from, *to));
    for (from, to) in revisits(steps) {
        let known = found.iter().any(|(start, end)| *start <= to && from <= *end);
        if !known && !is_loop(from, to) {
            found.push((from, to));
        }
    }
    found.into_iter().map(|range| label(LabelKind::StateMismanagement, range)).collect()
}

/// Each stretch of steps that do again what was done at the same view long before, from that earlier step on.
fn revisits(steps: &[Step]) -> Vec<(usize, usize)> {
    let earlier: Vec<Option<usize>> = (0..steps.len()).map(|i| before(steps, i)).collect();
    stretches(steps.len(), |i| earlier[i].is_some())
        .into_iter()
        .filter_map(|(first, last)| Some((earlier[first]?, last)))
        .collect()
}

/// The last step long before this one in which the same was done at the same view and the same came of it, another view
/// having been seen between. Where something else came of it, it only looked like the same place.
fn before(steps: &[Step], now: usize) -> Option<usize> {
    if looks(&steps[now]) {
        return None;
    }
    let same = |i: &usize| same_deed(&steps[*i], &steps[now]) && same_view(&steps[*i], &steps[now]);
    let left = |i: &usize| steps[i + 1..now].iter().any(|between| !same_view(between, &steps[now]));
    (0..(now + 1).saturating_sub(LONG_AGO)).rev().find(|i| same(i) && left(i) && same_outcome(steps, *i, now))
}

/// Whether the same came of two steps: both were in vain, or both led to the same view.
fn same_outcome(steps: &[Step], one: usize, other: usize) -> bool {
    let led_to_same = steps.get(one + 1).zip(steps.get(other + 1)).is_some_and(|(a, b)| same_view(a, b));
    led_to_same || (in_vain(&steps[one]) && in_vain(&steps[other]))
}

/// Each stretch in which the agent's own changes lead from one view to another and back, twice over.
fn to_and_fro(steps: &[Step]) -> Vec<(usize, usize)> {
    let changed = |i: usize| effect(&steps[i]) == Some(Effect::Changed) && !same_view(&steps[i], &steps[i + 1]);
    let back = |i: usize| changed(i) && changed(i + 1) && same_view(&steps[i], &steps[i + 2]);
    stretches(steps.len().saturating_sub(2), back)
        .into_iter()
        .map(|(from, last)| (from, last + 2))
        .filter(|(from, to)| to + 1 - from >= TO_AND_FRO)
        .collect()
}
