//! Saying it in another form than was agreed.

use quintain_core::action::{Action, Misread};
use quintain_core::ending::Ending;
use quintain_core::surface::Surface;
use quintain_core::trajectory::{Effect, Step};
use quintain_core::verdict::Verdict;

use super::steps::{effect, label, stretches};
use super::{Label, LabelKind};

pub(super) fn labels(steps: &[Step], verdict: &Verdict, surface: &Surface) -> Vec<Label> {
    let is_format = |i: usize| is_format_error(&steps[i], surface, &verdict.ending);
    let is_protocol =
        |i: usize| !steps[i].reply.slips.is_empty() || (effect(&steps[i]) == Some(Effect::Misread) && !is_format(i));
    let all = |kind, ranges: Vec<_>| ranges.into_iter().map(move |range| label(kind, range));
    all(LabelKind::ProtocolViolation, stretches(steps.len(), is_protocol))
        .chain(all(LabelKind::FormatError, stretches(steps.len(), is_format)))
        .collect()
}

/// Whether a reply was an answer or an ending whose form was refused. What was shown to the agent as an answer's fault
/// reads as an answer all the same: only its shape is wrong.
fn is_format_error(step: &Step, surface: &Surface, ending: &Ending) -> bool {
    if effect(step) != Some(Effect::Misread) {
        return false;
    }
    match step.reply.read(surface) {
        Ok(Action::Answer { .. }) | Err(Misread::Answer(_)) => true,
        Err(Misread::NotAlone) => !ending.by_the_agent(),
        _ => false,
    }
}
