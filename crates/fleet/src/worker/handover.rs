//! Handing in what was shipped: many outcomes in one trip.

use std::sync::mpsc::Receiver;
use std::time::Instant;

use futures_util::future::join_all;
use quintain_core::{Event, TrialId};
use quintain_runner::How;
use quintain_runner::engine::{AttemptEnd, Committed, Engine, EngineError, Lease, Outcome, Release};

use super::desk::Brought;
use super::retry::until_done;
use super::room::Room;
use super::shop::{Shop, Tally};

/// As many as go in one trip.
const MOST: usize = 1024;

/// More of what was shipped, as far as it is there already.
pub(super) fn with_more(mut brought: Vec<Brought>, shipped: &Receiver<Vec<Brought>>) -> Vec<Brought> {
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
pub(super) fn hand_in(shop: &Shop<'_>, room: &Room, brought: Vec<Brought>) {
    let n_brought = brought.len();
    let (mut results, mut ended, mut released) = (Vec::new(), Vec::new(), Vec::new());
    for Brought { held, finish, .. } in brought {
        match finish.how {
            How::Ended(outcome) => {
                results.push((finish.lease, *outcome));
                ended.push((held, finish.trial));
            }
            How::Released(release) => released.push((held, finish.lease, finish.trial, release)),
        }
    }
    for (_, lease, trial, release) in &released {
        tell_of_release(shop, room, trial, lease, release);
    }
    shop.block_on(join_all(released.iter().map(|(_, lease, _, release)| shop.release(lease, release))));
    for (held, ..) in &released {
        shop.holdings.let_go(held);
    }
    let committed = commit(shop, &results);
    for (((held, trial), (lease, outcome)), committed) in ended.into_iter().zip(results).zip(committed) {
        shop.holdings.let_go(&held);
        tell_of_outcome(shop, room, trial, &lease, outcome, &committed);
    }
    room.gone(n_brought);
}

fn commit(shop: &Shop<'_>, results: &[(Lease, Outcome)]) -> Vec<Committed> {
    if results.is_empty() {
        return Vec::new();
    }
    let began = Instant::now();
    let failed = |error: &EngineError| shop.failed("hand in outcomes", error);
    let committed = shop.block_on(until_done(|| shop.engine.commit(results), failed));
    shop.options.metrics.commit_took(began.elapsed());
    committed
}

fn tell_of_outcome(
    shop: &Shop<'_>,
    room: &Room,
    trial: TrialId,
    lease: &Lease,
    outcome: Outcome,
    committed: &Committed,
) {
    if *committed == Committed::Won {
        shop.options.metrics.committed();
        Tally::count(&shop.tally.won, 1);
        shop.emit(&room.run, Event::trial_ended(trial, lease.attempt, outcome.finished()));
    } else {
        shop.options.metrics.late();
        Tally::count(&shop.tally.late, 1);
        shop.news.over(&room.run, &trial);
    }
}

/// Told before it is put back: once it is back, someone may begin the next attempt.
fn tell_of_release(shop: &Shop<'_>, room: &Room, trial: &TrialId, lease: &Lease, release: &Release) {
    let trial = trial.clone();
    if let AttemptEnd::Faulted { ending, why } = &release.end {
        shop.options.metrics.faulted();
        Tally::count(&shop.tally.faulted, 1);
        let (attempt, ending, why) = (lease.attempt, ending.clone(), why.clone());
        shop.emit(&room.run, Event::AttemptFaulted { trial, attempt, ending, why });
    } else {
        shop.options.metrics.put_down();
        Tally::count(&shop.tally.put_down, 1);
        shop.emit(&room.run, Event::TrialInterrupted { trial });
    }
}
