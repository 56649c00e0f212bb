//! What went into attempts that came to nothing.

use std::collections::BTreeSet;

use quintain_core::{Spent, TrialEvent};
use quintain_store::{AttemptRecord, LineRange, RunDir, StoreError};

/// What attempts that ended in faults used and the attempt that counts did not take over. Turns that a broken attempt had
/// itself taken over from an earlier one are counted once; of an attempt that the counting one goes on from, only what
/// came after its last turn is lost. What cannot be read back is not counted.
pub(super) fn wasted(run: &RunDir, counting: &LineRange, faulted: &[LineRange]) -> Spent {
    if faulted.is_empty() {
        return Spent::default(); // Nearly always, and then nothing needs to be read.
    }
    let kept: BTreeSet<LineRange> = chain(run, counting).into_iter().collect();
    let broken: BTreeSet<LineRange> = faulted.iter().flat_map(|place| chain(run, place)).collect();
    let lost = |place: &LineRange| {
        let whole = run.trajectory(place)?;
        let from = if kept.contains(place) { whole.n_turns() } else { whole.n_turns() - run.read(place)?.n_turns() };
        Ok::<Spent, StoreError>(less(at_end(&whole), after_turns(&whole, from)))
    };
    let others = broken.iter().filter(|place| *place != counting);
    others.filter_map(|place| lost(place).ok()).fold(Spent::default(), Spent::plus)
}

/// An attempt and those that it goes on from.
fn chain(run: &RunDir, place: &LineRange) -> Vec<LineRange> {
    let mut places = vec![place.clone()];
    while let Some(earlier) = places.last().and_then(|place| taken_over(run, place))
        && !places.contains(&earlier)
    {
        places.push(earlier);
    }
    places
}

/// The attempt whose turns this one took over. One that broke before it could has taken over nothing.
fn taken_over(run: &RunDir, place: &LineRange) -> Option<LineRange> {
    let record = run.read(place).ok()?;
    let went_on = matches!(record.events.first(), Some(TrialEvent::Resumed { .. }));
    record.continues.filter(|_| went_on)
}

fn after_turns(whole: &AttemptRecord, n_turns: usize) -> Spent {
    let turns = whole.events.iter().filter_map(|event| match event {
        TrialEvent::Turn { spent, .. } => Some(*spent),
        _ => None,
    });
    turns.take(n_turns).last().unwrap_or_default()
}

/// What had been used when an attempt ended. One that panicked does not say so itself, but its last turn does.
fn at_end(whole: &AttemptRecord) -> Spent {
    let by_turns = after_turns(whole, usize::MAX);
    let stopped = whole.stopped().map(|stopped| stopped.spent).unwrap_or_default();
    if stopped.steps < by_turns.steps { by_turns } else { stopped }
}

fn less(a: Spent, b: Spent) -> Spent {
    Spent {
        steps: a.steps.saturating_sub(b.steps),
        elapsed_ms: a.elapsed_ms.saturating_sub(b.elapsed_ms),
        tokens: a.tokens.saturating_sub(b.tokens),
        cost_usd: (a.cost_usd - b.cost_usd).max(0.0),
        n_unknown: a.n_unknown.saturating_sub(b.n_unknown),
    }
}
