//! The pulse of a worker: leases are kept alive, the host stays listed, and wishes to drain are heard.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use futures_util::StreamExt;
use quintain_runner::engine::{Engine, Lease};

use super::context::WorkerContext;
use super::holdings::{TrackedLease, note_beat, note_silence};
use crate::hosts::{Host, list_every};

/// How often events are told.
const TELL_EVERY: Duration = Duration::from_millis(100);

/// Keeps leases alive and the host listed until the work is over.
pub(super) fn keep_alive(context: &WorkerContext<'_>, since_ms: i64, over: &AtomicBool) {
    let every = context.options.lease_for / 4;
    let list_every = list_every(context.options.lease_for);
    let (mut beaten, mut listed) = (Instant::now(), None::<Instant>);
    let called = listen(context);
    while !over.load(Ordering::SeqCst) {
        let is_called = called.swap(false, Ordering::SeqCst);
        if is_called || listed.is_none_or(|listed| listed.elapsed() >= list_every) {
            list(context, since_ms);
            listed = Some(Instant::now());
        }
        if is_called || beaten.elapsed() >= every {
            beaten = Instant::now();
            beat(context);
        }
        thread::park_timeout(every.min(list_every) / 4);
    }
    if let Err(error) = context.block_on(context.hosts.withdraw(&context.options.name)) {
        context.log(&format!("the host is listed for a while longer: {error}"));
    }
}

fn beat(context: &WorkerContext<'_>) {
    let held: Vec<Arc<TrackedLease>> = context.holdings.all();
    let leases: Vec<Lease> = held.iter().map(|held| held.lease.clone()).collect();
    let sent = (Instant::now(), SystemTime::now());
    let n_lost = match context.block_on(context.engine.beat(&leases)) {
        Ok(holds) => note_beat(&held, &holds, sent),
        Err(error) => {
            context.failed("keep leases alive", &error);
            note_silence(&held, context.options.lease_for)
        }
    };
    (0..n_lost).for_each(|_| context.options.metrics.lease_lost());
}

/// Lists the host, and looks whether it is wished to drain.
fn list(context: &WorkerContext<'_>, since_ms: i64) {
    match context.block_on(context.hosts.should_drain(&context.options.name)) {
        Ok(false) => {}
        Ok(true) => {
            context.draining.store(true, Ordering::SeqCst);
            context.ring();
        }
        Err(error) => context.failed("look for a wish to drain", &error),
    }
    let host = Host {
        name: context.options.name.clone(),
        classes: context.options.classes.clone(),
        slots: context.slots.n_all(),
        fingerprint: context.options.fingerprint.clone(),
        held: context.holdings.listed(),
        draining: context.is_draining(),
        since: since_ms,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        refuses: context.refusals.listed(Instant::now()),
        session: context.session.clone(),
        heard_ms: 0,
    };
    if let Err(error) = context.block_on(context.hosts.put(&host)) {
        context.failed("list this host", &error);
    }
}

/// Listens where everyone is told of changes. Whoever cannot hears of them a little later.
fn listen(context: &WorkerContext<'_>) -> Arc<AtomicBool> {
    let called = Arc::new(AtomicBool::new(false));
    let (hosts, heard, here) = (context.hosts.clone(), Arc::clone(&called), thread::current());
    context.runtime.spawn(async move {
        let Ok(mut changes) = hosts.changes().await else { return };
        while changes.next().await.is_some() {
            heard.store(true, Ordering::SeqCst);
            here.unpark();
        }
    });
    called
}

/// Tells what happens until the work is over.
pub(super) fn tell(context: &WorkerContext<'_>, over: &AtomicBool) {
    loop {
        let is_last = over.load(Ordering::SeqCst);
        for (run, events) in context.news.take() {
            // Whoever is not heard is not heard: events are never the record.
            drop(context.block_on(context.hosts.tell(&run, events)));
        }
        if is_last {
            return;
        }
        thread::park_timeout(TELL_EVERY);
    }
}
