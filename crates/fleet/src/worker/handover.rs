//! Handing in what was shipped: many outcomes in one trip.

use std::sync::mpsc::Receiver;
use std::time::Instant;

use futures_util::future::join_all;
use quintain_core::{Event, TrialId};
use quintain_runner::HandInForm;
use quintain_runner::engine::{AttemptEnd, Committed, Engine, EngineError, Lease, Outcome, Release};

use super::context::{WorkerContext, WorkerCounts};
use super::hand_in_queue::FinishedTrial;
use super::retry::until_done;
use super::run_queue::RunQueue;

/// As many as go in one trip.
const MOST: usize = 1024;

/// More of what was shipped, as far as it is there already.
pub(super) fn with_more(mut brought: Vec<FinishedTrial>, shipped: &Receiver<Vec<FinishedTrial>>) -> Vec<FinishedTrial> {
    while brought.len() < MOST
        && let Ok(more) = shipped.try_recv()
    {
        brought.extend(more);
    }
    brought
}

/// Hands in what came of trials whose records are in the archive, however long it takes. The clerk of a run on one machine
/// (`runner`, `clerk.rs`) does the same with an engine that cannot be away, so that it fails where this waits, and without
/// rooms, metrics and many releases at once.
pub(super) fn hand_in(context: &WorkerContext<'_>, room: &RunQueue, brought: Vec<FinishedTrial>) {
    let n_brought = brought.len();
    let (mut results, mut ended, mut released) = (Vec::new(), Vec::new(), Vec::new());
    for FinishedTrial { held, finish, .. } in brought {
        match finish.how {
            HandInForm::Ended(outcome) => {
                results.push((finish.lease, *outcome));
                ended.push((held, finish.trial));
            }
            HandInForm::Released(release) => released.push((held, finish.lease, finish.trial, release)),
        }
    }
    for (_, lease, trial, release) in &released {
        tell_of_release(context, room, trial, lease, release);
    }
    context.block_on(join_all(released.iter().map(|(_, lease, _, release)| context.release(lease, release))));
    for (held, ..) in &released {
        context.holdings.let_go(held);
    }
    let committed = commit(context, &results);
    for (((held, trial), (lease, outcome)), committed) in ended.into_iter().zip(results).zip(committed) {
        context.holdings.let_go(&held);
        tell_of_outcome(context, room, trial, &lease, outcome, &committed);
    }
    room.gone(n_brought);
}

fn commit(context: &WorkerContext<'_>, results: &[(Lease, Outcome)]) -> Vec<Committed> {
    if results.is_empty() {
        return Vec::new();
    }
    let began = Instant::now();
    let failed = |error: &EngineError| context.failed("hand in outcomes", error);
    let committed = context.block_on(until_done(|| context.engine.commit(results), failed));
    context.options.metrics.commit_took(began.elapsed());
    committed
}

fn tell_of_outcome(
    context: &WorkerContext<'_>,
    room: &RunQueue,
    trial: TrialId,
    lease: &Lease,
    outcome: Outcome,
    committed: &Committed,
) {
    if *committed == Committed::Won {
        context.options.metrics.committed();
        WorkerCounts::count(&context.tally.won, 1);
        context.emit(&room.run, Event::trial_ended(trial, lease.attempt, outcome.finished()));
    } else {
        context.options.metrics.late();
        WorkerCounts::count(&context.tally.late, 1);
        context.news.over(&room.run, &trial);
    }
}

/// Told before it is put back: once it is back, someone may begin the next attempt.
fn tell_of_release(context: &WorkerContext<'_>, room: &RunQueue, trial: &TrialId, lease: &Lease, release: &Release) {
    let trial = trial.clone();
    if let AttemptEnd::Faulted { ending, why } = &release.end {
        context.options.metrics.faulted();
        WorkerCounts::count(&context.tally.faulted, 1);
        let (attempt, ending, why) = (lease.attempt, ending.clone(), why.clone());
        context.emit(&room.run, Event::AttemptFaulted { trial, attempt, ending, why });
    } else {
        context.options.metrics.put_down();
        WorkerCounts::count(&context.tally.put_down, 1);
        context.emit(&room.run, Event::TrialInterrupted { trial });
    }
}
