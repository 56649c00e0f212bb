//! Agents whose calls are in the books.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::Usage;
use quintain_core::books::{Bill, CallLine, Journal as _, Purpose, Totals};
use quintain_fleet::worker::{ArchiveAccess, WorkSummary};
use quintain_runner::Cast;
use quintain_store::{Books, RunDir};

use crate::fleet::{Fleet, Worker, cast, connected, worker};
use crate::gate::Gate;

/// Books that are opened with each room, and what was written in them by everybody.
#[derive(Default)]
struct Written {
    open: Mutex<Option<Arc<Books>>>,
    totals: Mutex<(u64, Totals)>,
}

impl Written {
    fn open(&self, run: &RunDir) {
        *self.open.lock().unwrap() = Some(Arc::new(run.books().unwrap()));
    }

    /// Lets a worker work whose agents write in these books.
    fn work(&self, fleet: &Fleet, worker: &Worker<'_>, meanwhile: impl FnOnce()) -> WorkSummary {
        let connected = connected(&fleet.runtime, &fleet.nats.urls(), &worker.options.name, fleet.lease_for);
        let access = ArchiveAccess::Direct(fleet.archive.clone());
        Fleet::with_rooms(worker, connected, access, &|run| self.open(run), meanwhile)
    }

    /// Writes a call: one in five never ends.
    fn call(&self, step_idx: u32) {
        let books = self.open.lock().unwrap().clone().unwrap();
        let (n, totals) = &mut *self.totals.lock().unwrap();
        *n += 1;
        let (id, model) = (format!("call-{n:06}"), "chat/sim".to_owned());
        let (trial, purpose) = (None, Purpose::Act);
        books.write(&CallLine::Began { id: id.clone(), trial, attempt: 1, step_idx, purpose, model }).unwrap();
        if n.is_multiple_of(5) {
            return totals.add(&Bill::Unknown);
        }
        let bill = Bill::Told(Usage { input_tokens: *n, cost_usd: Some(0.25), ..Usage::default() });
        totals.add(&bill);
        books.write(&CallLine::Ended { id, bill, failed: None, ms: 1 }).unwrap();
    }
}

/// A cast whose agent makes a call in every turn, and passes the gate in the fourth.
fn calling(written: &Arc<Written>, gate: &Arc<Gate>) -> Cast {
    let (written, gate) = (Arc::clone(written), Arc::clone(gate));
    cast(move |step_idx| {
        written.call(step_idx);
        if step_idx == 3 {
            gate.pass();
        }
    })
}

#[test]
fn the_books_of_two_sessions_are_in_the_pulled_run() {
    let fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("books", 12, 3, 5, "1");
    let (gate, written) = (Arc::new(Gate::default()), Arc::new(Written::default()));
    let mut worker = worker(&fleet, "one", calling(&written, &gate), &|_| {});
    worker.options.grace = Duration::ZERO;
    let summary = written.work(&fleet, &worker, || {
        gate.wait_for(4);
        fleet.drain(&worker);
        gate.open();
    });
    assert_eq!((summary.n_won, summary.n_put_down), (0, 4));
    let n_before = written.totals.lock().unwrap().0;
    assert_eq!(n_before, 16, "four trials were put down in their fourth turn");
    let hosts = connected(&fleet.runtime, &fleet.nats.urls(), "operator", fleet.lease_for).1;
    fleet.runtime.block_on(hosts.undo_drain("one")).unwrap();
    written.work(&fleet, &worker, || {
        fleet.wait_until_done("books", 12);
        // By now all records are shipped, and no other will take this along.
        written.call(6);
    });
    let totals = written.totals.lock().unwrap().1;
    assert!(totals.n_calls > n_before && totals.n_unknown > 0);
    for _ in 0..2 {
        assert_eq!(fleet.check_records("books", 12).calls().unwrap().totals, totals);
    }
}
