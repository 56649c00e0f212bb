//! Acting without looking: at what is not there, past what is, or against what was said.

use quintain_core::action::{Action, Button, Place, Point};
use quintain_core::observation::ObservationPart;
use quintain_core::trajectory::{Effect, Step};

use super::steps::{HABIT, accepted, effect, in_vain, invalid, label, looks, same_deed, same_view, stretches};
use super::{Label, LabelKind};

/// How often an agent may act on what is no longer there before it is held against it.
const ONCE: usize = 1;

/// How far apart two clicks at the same thing may be, in pixels.
const NEAR_PX: f64 = 40.0;

/// How many steps later the click that hits may come.
const SOON: usize = 2;

pub(super) fn labels(steps: &[Step]) -> Vec<Label> {
    let kinds = [
        (LabelKind::IgnoredVisualChange, ignored_change(steps)),
        (LabelKind::IgnoredFeedback, ignored_feedback(steps)),
        (LabelKind::NoVisibleEffect, no_visible_effect(steps)),
        (LabelKind::GroundingMiss, missed(steps)),
    ];
    kinds.into_iter().flat_map(|(kind, found)| found.into_iter().map(move |range| label(kind, range))).collect()
}

fn ignored_change(steps: &[Step]) -> Vec<(usize, usize)> {
    let cannot_see = |step: &Step| looks(step) || matches!(step.action, Some(Action::Scroll { .. }));
    let ignored = |pair: &[Step]| {
        let again = same_deed(&pair[0], &pair[1]) && !same_view(&pair[0], &pair[1]);
        again && in_vain(&pair[1]) && !cannot_see(&pair[1])
    };
    let found: Vec<_> =
        steps.windows(2).enumerate().filter(|(_, pair)| ignored(pair)).map(|(i, _)| (i, i + 1)).collect();
    if found.len() > ONCE { found } else { Vec::new() }
}

fn ignored_feedback(steps: &[Step]) -> Vec<(usize, usize)> {
    let told = |step: &Step| step.shown.texts.contains_key(&ObservationPart::Feedback);
    let ignored = |i: usize| invalid(&steps[i]) && told(&steps[i + 1]) && same_deed(&steps[i], &steps[i + 1]);
    stretches(steps.len().saturating_sub(1), ignored).into_iter().map(|(from, last)| (from, last + 1)).collect()
}

fn no_visible_effect(steps: &[Step]) -> Vec<(usize, usize)> {
    let acts: Vec<usize> = (0..steps.len().saturating_sub(1)).filter(|i| !looks(&steps[*i])).collect();
    let vain = |i: usize| accepted(&steps[acts[i]]) && same_view(&steps[acts[i]], &steps[acts[i] + 1]);
    stretches(acts.len(), vain)
        .into_iter()
        .filter(|(from, to)| to + 1 - from >= HABIT)
        .map(|(from, to)| (acts[from], acts[to]))
        .collect()
}

/// A click at a point: its kind, its button, and where.
fn click(step: &Step) -> Option<(u8, Button, Point)> {
    let (kind, button, at) = match step.action.as_ref()? {
        Action::Click { at, button, .. } => (1, button, at),
        Action::DoubleClick { at, button } => (2, button, at),
        Action::TripleClick { at, button } => (3, button, at),
        _ => return None,
    };
    Some((kind, *button, at.and_then(Place::point)?))
}

/// Whether two steps are clicks of the same kind at nearly the same point.
fn near(one: &Step, other: &Step) -> bool {
    click(one).zip(click(other)).is_some_and(|((kind, button, a), (other_kind, other_button, b))| {
        kind == other_kind && button == other_button && (a.x - b.x).hypot(a.y - b.y) <= NEAR_PX
    })
}

/// Clicks that missed and were mended, then those that were never.
fn missed(steps: &[Step]) -> Vec<(usize, usize)> {
    let missed_at = |i: usize| {
        let same = steps.get(i + 1).is_none_or(|next| same_view(&steps[i], next));
        click(&steps[i]).is_some() && effect(&steps[i]) == Some(Effect::Unchanged) && same
    };
    let hits = |i: usize| effect(&steps[i]) == Some(Effect::Changed);
    let acts: Vec<usize> = (0..steps.len()).filter(|i| !looks(&steps[*i])).collect();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (place, &i) in acts.iter().enumerate().filter(|(_, i)| missed_at(**i)) {
        let later = acts[place + 1..].iter().copied();
        let mended = later.clone().take(SOON).find(|j| hits(*j) && near(&steps[i], &steps[*j]));
        let in_row = later.take_while(|j| missed_at(*j) && near(&steps[i], &steps[*j])).last();
        let range = mended.or_else(|| in_row.filter(|to| is_search(steps, i, *to))).map(|to| (i, to));
        let known = found.last().is_some_and(|(_, end)| i <= *end);
        found.extend(range.filter(|_| !known));
    }
    found
}

/// Whether the clicks between two steps are a habit, and not all at the very same point.
fn is_search(steps: &[Step], from: usize, to: usize) -> bool {
    let points: Vec<Point> = steps[from..=to].iter().filter_map(click).map(|(_, _, point)| point).collect();
    points.len() >= HABIT && points.iter().any(|point| *point != points[0])
}
