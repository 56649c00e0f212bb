//! Taking leases: about as many as the slots will be done with in a moment.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::Scope;
use std::time::{Duration, Instant};

use quintain_core::Backoff;
use quintain_runner::engine::{Engine, Lease, LeaseOrder};

use super::context::{WorkerContext, WorkerCounts};
use super::holdings::TrackedLease;
use super::prepare::live_in;
use super::retry::WORKER_BACKOFF;
use super::slots::n_to_lease;

/// How long the server is asked to wait for work.
const WAIT: Duration = Duration::from_millis(500);

/// By when what is on its way will have been handed in.
const SOON: Duration = Duration::from_secs(5);

/// How often one looks whether leases are needed.
const LOOK: Duration = Duration::from_millis(20);

/// How long a lease rests that this host cannot play: long enough for others to be quicker next time.
pub(super) const PASSED_ON: Duration = Duration::from_secs(2);

/// How long to wait while nothing is found but what cannot be played here.
const BETWEEN_REFUSED: Backoff = Backoff { first: Duration::from_millis(200), longest: Duration::from_secs(15) };

/// A lease that has waited this long for a slot goes to someone who has one.
const TOO_LONG: Duration = Duration::from_secs(2);

/// How often one looks for such leases.
const LOOK_FOR_STALE: Duration = Duration::from_millis(500);

/// Takes leases and opens rooms until the worker is to drain.
pub(super) fn lease<'scope, 'env>(context: &'env WorkerContext<'env>, scope: &'scope Scope<'scope, 'env>) {
    let (mut waits, mut refusing) = (WORKER_BACKOFF.begin(), BETWEEN_REFUSED.begin());
    let mut looked = Instant::now();
    while !context.is_draining() {
        if looked.elapsed() >= LOOK_FOR_STALE {
            give_away_stale(context);
            looked = Instant::now();
        }
        let max = n_to_lease(&context.slots, context.n_waiting(), context.slowest());
        context.options.metrics.slots(context.slots.n_all() - context.slots.n_free(), context.slots.n_all());
        if max == 0 {
            context.wait(LOOK);
            continue;
        }
        let order = LeaseOrder { classes: context.options.classes.clone(), max, wait: WAIT };
        match context.block_on(context.engine.lease(&order)) {
            Ok(leases) => {
                waits.reset();
                match bring(context, scope, leases) {
                    LeaseFind::Nothing => {}
                    LeaseFind::Something => refusing.reset(),
                    LeaseFind::OnlyRefused => context.rest(refusing.next_wait()),
                }
            }
            Err(error) => {
                context.failed("take leases", &error);
                context.wait(waits.next_wait());
            }
        }
    }
}

/// What there was among leases.
enum LeaseFind {
    /// Nothing at all.
    Nothing,
    /// Something to play.
    Something,
    /// Nothing that may be played here.
    OnlyRefused,
}

/// Brings leases to the rooms of their runs.
fn bring<'scope, 'env>(
    context: &'env WorkerContext<'env>,
    scope: &'scope Scope<'scope, 'env>,
    leases: Vec<Lease>,
) -> LeaseFind {
    context.options.metrics.leased(leases.len());
    let n_leased = leases.len();
    let (mut refused, mut finished) = (Vec::new(), Vec::new());
    for lease in leases {
        let (is_refused, is_finished) = (context.is_refused(&lease), context.holdings.is_finished(&lease));
        let held = context.holdings.add(lease);
        if is_finished {
            finished.push(held);
        } else if is_refused {
            refused.push(held);
        } else if let Some(room) = context.rooms.bring(held) {
            scope.spawn(move || live_in(context, &room));
        }
    }
    WorkerCounts::count(&context.tally.refused, refused.len());
    pass_on(context, &refused);
    context.put_back(None, &finished, SOON);
    match n_leased {
        0 => LeaseFind::Nothing,
        n if n == refused.len() => LeaseFind::OnlyRefused,
        _ => LeaseFind::Something,
    }
}

/// Gives back leases that cannot be played here, with what came with them and was not opened.
fn pass_on(context: &WorkerContext<'_>, refused: &[Arc<TrackedLease>]) {
    let runs: BTreeSet<&String> = refused.iter().map(|held| &held.lease.run).collect();
    for run in runs {
        context.put_back_unopened(run);
    }
    context.put_back(None, refused, PASSED_ON);
}

/// Gives away what waits although no slot will be free soon.
fn give_away_stale(context: &WorkerContext<'_>) {
    if context.slots.n_free() > 0 {
        return;
    }
    for room in context.rooms.all() {
        let stale = room.take_waiting(TOO_LONG);
        context.put_back(Some(&room), &stale, Duration::ZERO);
    }
}

/// Puts back what nobody began to play, gives trials under way their time, then has them put down, and waits until all
/// they left is handed in.
pub(super) fn drain(context: &WorkerContext<'_>) {
    context.log("draining: nothing new is taken");
    context.options.metrics.unready();
    let put_back = context.block_on(context.engine.put_back_unopened());
    if let Err(error) = put_back {
        context.log(&format!("what was not opened could not be put back and will be given to others later: {error}"));
    }
    for room in context.rooms.all() {
        let waiting: Vec<Arc<_>> = room.take_waiting(Duration::ZERO);
        context.put_back(Some(&room), &waiting, Duration::ZERO);
    }
    if context.rooms.wait_until_left(context.options.grace) {
        return;
    }
    for room in context.rooms.all() {
        room.stop.store(true, Ordering::SeqCst);
    }
    context.log("the time for trials under way is over: they are put down");
    while !context.rooms.wait_until_left(WAIT) {}
}
