//! The pulse of a worker: leases are kept alive, the host stays listed, and wishes to drain are heard.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use futures_util::StreamExt;
use quintain_runner::engine::{Engine, Lease};

use super::holdings::{Held, note_beat, note_silence};
use super::shop::Shop;
use crate::hosts::{Host, LIVES};

/// How often events are told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Keeps leases alive and the host listed until the work is over.
pub(super) fn keep_alive(shop: &Shop<'_>, since_ms: i64, over: &AtomicBool) {
    let every = shop.options.lease_for / 4;
    let list_every = every.min(LIVES / 4);
    let (mut beaten, mut listed) = (Instant::now(), None::<Instant>);
    let called = listen(shop);
    while !over.load(Ordering::SeqCst) {
        let is_called = called.swap(false, Ordering::SeqCst);
        if is_called || listed.is_none_or(|listed| listed.elapsed() >= list_every) {
            list(shop, since_ms);
            listed = Some(Instant::now());
        }
        if is_called || beaten.elapsed() >= every {
            beaten = Instant::now();
            beat(shop);
        }
        thread::park_timeout(every.min(list_every) / 4);
    }
    if let Err(error) = shop.block_on(shop.hosts.withdraw(&shop.options.name)) {
        shop.log(&format!("the host is listed for a while longer: {error}"));
    }
}

fn beat(shop: &Shop<'_>) {
    let held: Vec<Arc<Held>> = shop.holdings.all();
    let leases: Vec<Lease> = held.iter().map(|held| held.lease.clone()).collect();
    let sent = (Instant::now(), SystemTime::now());
    let n_lost = match shop.block_on(shop.engine.beat(&leases)) {
        Ok(holds) => note_beat(&held, &holds, sent),
        Err(error) => {
            shop.failed("keep leases alive", &error);
            note_silence(&held, shop.options.lease_for)
        }
    };
    (0..n_lost).for_each(|_| shop.options.metrics.lease_lost());
}

/// Lists the host, and looks whether it is wished to drain.
fn list(shop: &Shop<'_>, since_ms: i64) {
    match shop.block_on(shop.hosts.should_drain(&shop.options.name)) {
        Ok(false) => {}
        Ok(true) => {
            shop.draining.store(true, Ordering::SeqCst);
            shop.ring();
        }
        Err(error) => shop.failed("look for a wish to drain", &error),
    }
    let host = Host {
        name: shop.options.name.clone(),
        classes: shop.options.classes.clone(),
        slots: shop.slots.n_all(),
        fingerprint: shop.options.fingerprint.clone(),
        held: shop.holdings.listed(),
        draining: shop.is_draining(),
        since: since_ms,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    if let Err(error) = shop.block_on(shop.hosts.put(&host)) {
        shop.failed("list this host", &error);
    }
}

/// Listens where everyone is told of changes. Whoever cannot hears of them a little later.
fn listen(shop: &Shop<'_>) -> Arc<AtomicBool> {
    let called = Arc::new(AtomicBool::new(false));
    let (hosts, heard, here) = (shop.hosts.clone(), Arc::clone(&called), thread::current());
    shop.runtime.spawn(async move {
        let Ok(mut changes) = hosts.changes().await else { return };
        while changes.next().await.is_some() {
            heard.store(true, Ordering::SeqCst);
            here.unpark();
        }
    });
    called
}

/// Tells what happens until the work is over.
pub(super) fn tell(shop: &Shop<'_>, over: &AtomicBool) {
    loop {
        let is_last = over.load(Ordering::SeqCst);
        for (run, events) in shop.news.take() {
            // Whoever is not heard is not heard: events are never the record.
            drop(shop.block_on(shop.hosts.tell(&run, events)));
        }
        if is_last {
            return;
        }
        thread::park_timeout(TELL_EVERY);
    }
}
