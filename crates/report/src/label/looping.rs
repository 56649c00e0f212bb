//! Doing the same over and over: in circles, or against the same wall.

use quintain_core::trajectory::Step;

use super::steps::{HABIT, invalid, label, same_deed, same_view, stretches};
use super::{Label, LabelKind};

/// The longest cycle that counts as going in circles.
const LONGEST_CYCLE: usize = 4;

pub(super) fn looping(steps: &[Step]) -> Vec<Label> {
    let mut loops: Vec<(usize, usize)> = Vec::new();
    for period in 1..=LONGEST_CYCLE {
        let again = |i: usize| {
            let (now, later) = (&steps[i], &steps[i + period]);
            same_deed(now, later) && same_view(now, later) && (period > 1 || !invalid(now))
        };
        for (from, last) in stretches(steps.len().saturating_sub(period), again) {
            let (from, to) = (from, last + period);
            let known = loops.iter().any(|(start, end)| *start <= to && from <= *end);
            let only_invalid =
                steps[from..=to].windows(2).all(|pair| same_deed(&pair[0], &pair[1]) && invalid(&pair[0]));
            if to + 1 - from >= HABIT * period && !known && !only_invalid {
                loops.push((from, to));
            }
        }
    }
    loops.into_iter().map(|range| label(LabelKind::Looping, range)).collect()
}

pub(super) fn repeated_invalid(steps: &[Step]) -> Vec<Label> {
    let again = |i: usize| invalid(&steps[i]) && invalid(&steps[i + 1]) && same_deed(&steps[i], &steps[i + 1]);
    stretches(steps.len().saturating_sub(1), again)
        .into_iter()
        .filter(|(from, last)| last + 2 - from >= HABIT)
        .map(|(from, last)| label(LabelKind::RepeatedInvalidAction, (from, last + 1)))
        .collect()
}
