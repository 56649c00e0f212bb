//! What rules ask of steps: whether two show or do the same, and over which stretches something holds.

use quintain_core::action::Action;
use quintain_core::observation::{ObservationPart, Shown};
use quintain_core::trajectory::{Effect, Step};

use super::{Label, LabelKind};

/// How often something must happen again to be a habit rather than a try.
pub(super) const HABIT: usize = 3;

/// Whether the agent did the same in two steps.
pub(super) fn same_deed(one: &Step, other: &Step) -> bool {
    match (&one.action, &other.action) {
        (Some(one), Some(other)) => one == other,
        (None, None) => one.reply.raw == other.reply.raw,
        _ => false,
    }
}

/// Whether two steps showed the same. Those that show nothing are never the same.
pub(super) fn same_view(one: &Step, other: &Step) -> bool {
    let pictures = |shown: &Shown| {
        shown.pictures.iter().filter(|(part, _)| **part != ObservationPart::Goal).map(|(_, d)| *d).collect()
    };
    let (before, after): (Vec<_>, Vec<_>) = (pictures(&one.shown), pictures(&other.shown));
    if !before.is_empty() || !after.is_empty() {
        return before == after;
    }
    texts(&one.shown).next().is_some() && texts(&one.shown).eq(texts(&other.shown))
}

/// The texts of a view.
fn texts(shown: &Shown) -> impl Iterator<Item = (&ObservationPart, &String)> {
    shown.texts.iter().filter(|(part, _)| !matches!(part, ObservationPart::Feedback | ObservationPart::Remaining))
}

/// Whether the agent only looked, or let time pass.
pub(super) fn looks(step: &Step) -> bool {
    matches!(step.action, Some(Action::Screenshot | Action::Zoom { .. } | Action::Wait { .. }))
}

/// Whether the deed was refused or not understood.
pub(super) fn invalid(step: &Step) -> bool {
    matches!(effect(step), Some(Effect::Refused | Effect::Misread))
}

/// Whether the world carried the deed out.
pub(super) fn accepted(step: &Step) -> bool {
    matches!(effect(step), Some(Effect::Changed | Effect::Unchanged))
}

/// Whether the deed was refused or changed nothing.
pub(super) fn in_vain(step: &Step) -> bool {
    matches!(effect(step), Some(Effect::Refused | Effect::Unchanged))
}

/// What became of the deed.
pub(super) fn effect(step: &Step) -> Option<Effect> {
    step.feedback.as_ref().map(|feedback| feedback.effect)
}

/// The longest stretches `from..=to` over which `holds(i)` for each step.
pub(super) fn stretches(n: usize, holds: impl Fn(usize) -> bool) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for i in (0..n).filter(|i| holds(*i)) {
        match found.last_mut() {
            Some((_, to)) if *to + 1 == i => *to = i,
            _ => found.push((i, i)),
        }
    }
    found
}

/// A label over a stretch.
pub(super) fn label(kind: LabelKind, (from, to): (usize, usize)) -> Label {
    Label { kind, from: from as u32, to: to as u32 }
}
