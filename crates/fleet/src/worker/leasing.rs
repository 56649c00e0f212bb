//! Taking leases: about as many as the slots will be done with in a moment.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::Scope;
use std::time::{Duration, Instant};

use quintain_runner::engine::{Engine, Lease, Order};

use super::prepare::live_in;
use super::retry::WORKER_BACKOFF;
use super::shop::{Shop, Tally};
use super::slots::n_to_lease;
use super::troupe::REST;

/// How long the server is asked to wait for work.
const WAIT: Duration = Duration::from_millis(500);

/// By when what is on its way will have been handed in.
const SOON: Duration = Duration::from_secs(5);

/// How often one looks whether leases are needed.
const LOOK: Duration = Duration::from_millis(20);

/// A lease that has waited this long for a slot goes to someone who has one.
const TOO_LONG: Duration = Duration::from_secs(2);

/// How often one looks for such leases.
const LOOK_FOR_STALE: Duration = Duration::from_millis(500);

/// Takes leases and opens rooms until the worker is to drain.
pub(super) fn lease<'scope, 'env>(shop: &'env Shop<'env>, scope: &'scope Scope<'scope, 'env>) {
    let mut waits = WORKER_BACKOFF.begin();
    let mut looked = Instant::now();
    while !shop.is_draining() {
        if looked.elapsed() >= LOOK_FOR_STALE {
            give_away_stale(shop);
            looked = Instant::now();
        }
        let max = n_to_lease(&shop.slots, shop.n_waiting(), shop.slowest());
        shop.options.metrics.slots(shop.slots.n_all() - shop.slots.n_free(), shop.slots.n_all());
        if max == 0 {
            shop.wait(LOOK);
            continue;
        }
        let order = Order { classes: shop.options.classes.clone(), max, wait: WAIT };
        match shop.block_on(shop.engine.lease(&order)) {
            Ok(leases) => match bring(shop, scope, leases) {
                Brought::Something => waits.reset(),
                Brought::OnlyRefused => shop.wait(waits.next_wait()),
            },
            Err(error) => {
                shop.failed("take leases", &error);
                shop.wait(waits.next_wait());
            }
        }
    }
}

/// What there was among leases.
enum Brought {
    /// Something to play, or nothing at all.
    Something,
    /// Nothing that may be played here.
    OnlyRefused,
}

/// Brings leases to the rooms of their runs.
fn bring<'scope, 'env>(shop: &'env Shop<'env>, scope: &'scope Scope<'scope, 'env>, leases: Vec<Lease>) -> Brought {
    shop.options.metrics.leased(leases.len());
    let n_leased = leases.len();
    let (mut refused, mut finished) = (Vec::new(), Vec::new());
    for lease in leases {
        let (is_refused, is_finished) = (shop.is_refused(&lease.run), shop.holdings.is_finished(&lease));
        let held = shop.holdings.add(lease);
        if is_finished {
            finished.push(held);
        } else if is_refused {
            refused.push(held);
        } else if let Some(room) = shop.rooms.bring(held) {
            scope.spawn(move || live_in(shop, &room));
        }
    }
    Tally::count(&shop.tally.refused, refused.len());
    shop.put_back(None, &refused, REST);
    shop.put_back(None, &finished, SOON);
    if n_leased > 0 && refused.len() == n_leased { Brought::OnlyRefused } else { Brought::Something }
}

/// Gives away what waits although no slot will be free soon.
fn give_away_stale(shop: &Shop<'_>) {
    if shop.slots.n_free() > 0 {
        return;
    }
    for room in shop.rooms.all() {
        let stale = room.take_waiting(TOO_LONG);
        shop.put_back(Some(&room), &stale, Duration::ZERO);
    }
}

/// Puts back what nobody began to play, gives trials under way their time, then has them put down, and waits until all
/// they left is handed in.
pub(super) fn drain(shop: &Shop<'_>) {
    shop.log("draining: nothing new is taken");
    shop.options.metrics.unready();
    let put_back = shop.block_on(shop.engine.put_back_unopened());
    if let Err(error) = put_back {
        shop.log(&format!("what was not opened could not be put back and will be given to others later: {error}"));
    }
    for room in shop.rooms.all() {
        let waiting: Vec<Arc<_>> = room.take_waiting(Duration::ZERO);
        shop.put_back(Some(&room), &waiting, Duration::ZERO);
    }
    if shop.rooms.wait_until_left(shop.options.grace) {
        return;
    }
    for room in shop.rooms.all() {
        room.stop.store(true, Ordering::SeqCst);
    }
    shop.log("the time for trials under way is over: they are put down");
    while !shop.rooms.wait_until_left(WAIT) {}
}
