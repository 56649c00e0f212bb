//! Workers on a real server and a directory as the archive.
#![expect(clippy::unwrap_used, reason = "a test that panics fails, which is what it should do")]

mod books;
mod files;
mod fleet;
mod gate;
mod large;
mod process;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::Event;
use quintain_fleet::jetstream::ProcessRole;
use quintain_fleet::worker::{ArchiveAccess, work};
use quintain_runner::Engine;
use quintain_store::RunDir;
use quintain_store::archive::Archive;
use quintain_testkit::servers::Weed;
use quintain_testkit::{PATIENCE, wait_for};

use fleet::{Fleet, Served, cast, connected, connected_as, worker};
use gate::Gate;
use process::{Process, is_worker};

#[test]
fn two_thousand_trials_are_played_shipped_and_handed_in_once() {
    let fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("many", 2000, 16, 0, "1");
    std::fs::create_dir_all(fleet.folder.path().join("scratch/one-5p5/0000")).unwrap();
    let n_ended = AtomicUsize::new(0);
    let tell = |event: &Event| {
        n_ended.fetch_add(usize::from(matches!(event, Event::TrialEnded { .. })), Ordering::SeqCst);
    };
    let began = Instant::now();
    let summary = fleet.with_worker(&worker(&fleet, "one", cast(|_| {}), &tell), || {
        fleet.wait_until_done("many", 2000);
        println!("2000 trials in {:?}", began.elapsed());
    });
    println!("{summary:?}");
    assert_eq!((summary.n_won, summary.n_late, summary.n_refused), (2000, 0, 0));
    assert!(summary.n_packs < 400, "cheap trials share packs: {}", summary.n_packs);
    assert_eq!(n_ended.into_inner(), 2000);
    fleet.check_records("many", 2000);
    let left = std::fs::read_dir(fleet.folder.path().join("scratch")).unwrap().count();
    assert_eq!(left, 0, "nothing is left on disk, of earlier sessions neither");
    let hosts = fleet.runtime.block_on(connected(&fleet.runtime, &fleet.nats.urls(), "x", fleet.lease_for).1.list());
    assert_eq!(hosts.unwrap(), [], "the worker took itself off the list");
}

#[test]
fn two_runs_share_the_slots_and_one_that_does_not_fit_is_left_to_others() {
    let fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("left", 300, 8, 1, "1");
    fleet.hand_in("right", 300, 1, 2, "1");
    fleet.hand_in("other", 3, 1, 3, "2");
    let under_way = Arc::new((AtomicUsize::new(0), AtomicUsize::new(0)));
    let seen = Arc::clone(&under_way);
    let tell = move |event: &Event| {
        if let Event::TrialBegan { .. } = event {
            let n = under_way.0.fetch_add(1, Ordering::SeqCst) + 1;
            under_way.1.fetch_max(n, Ordering::SeqCst);
        }
    };
    let ends = Arc::clone(&seen);
    let slow = cast(move |step_idx| {
        // The first turn of a trial: by then it is under way; by its end it will have been.
        if step_idx == 0 {
            thread::sleep(Duration::from_millis(2));
            ends.0.fetch_sub(1, Ordering::SeqCst);
        }
    });
    let worker = worker(&fleet, "one", slow, &tell);
    let summary = fleet.with_worker(&worker, || {
        fleet.wait_until_done("left", 300);
        fleet.wait_until_done("right", 300);
    });
    assert_eq!(summary.n_won, 600);
    assert!(seen.1.load(Ordering::SeqCst) <= 4, "{} trials were under way", seen.1.load(Ordering::SeqCst));
    assert!(summary.n_refused > 0 && fleet.n_done("other") == 0);
    let log = worker.log.lock().unwrap();
    assert!(
        log.contains("run `other` cannot be played here: it was planned with quintain 2, and this host has 1"),
        "{log}"
    );
    fleet.check_records("left", 300);
    fleet.check_records("right", 300);
}

#[test]
fn a_worker_that_cannot_read_a_run_gives_it_back_at_once_and_says_why() {
    // Leases last longer than anybody waits: what others play was given back.
    let fleet = Fleet::start(PATIENCE * 3);
    fleet.hand_in("night", 40, 16, 1, "1");
    let elsewhere = fleet.folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let wrong = ArchiveAccess::Direct(Archive::open(elsewhere.to_str().unwrap()).unwrap());
    let lost = worker(&fleet, "lost", cast(|_| {}), &|_| {});
    let (_, operator) = connected(&fleet.runtime, &fleet.nats.urls(), "operator", fleet.lease_for);
    let listed = || fleet.runtime.block_on(operator.list()).unwrap().into_iter().find(|host| host.name == "lost");
    let as_lost = connected(&fleet.runtime, &fleet.nats.urls(), "lost", fleet.lease_for);
    let summary = Fleet::with_connected(&lost, as_lost, wrong, || {
        let is_told = || listed().is_some_and(|host| !host.refuses.is_empty() && host.held.is_empty());
        wait_for("the worker says what it cannot read", is_told);
        let refused = listed().unwrap().refuses.remove(0);
        assert_eq!(refused.run, "night");
        assert!(refused.why.contains("is not in the archive; hint: is `"), "{}", refused.why);
        let able = worker(&fleet, "able", cast(|_| {}), &|_| {});
        let played = fleet.with_worker(&able, || fleet.wait_until_done("night", 40));
        assert_eq!(played.n_won, 40);
    });
    assert_eq!(summary.n_won, 0);
    assert!(summary.n_refused > 0);
    fleet.check_records("night", 40);
}

#[test]
fn a_drained_worker_puts_trials_down_and_another_goes_on_where_they_were() {
    // Leases last longer than anybody waits: what comes again was put back.
    let fleet = Fleet::start(PATIENCE * 3);
    fleet.hand_in("drained", 12, 3, 5, "1");
    let gate = Arc::new(Gate::default());
    let mut first = worker(&fleet, "first", gate.before_turn(3), &|_| {});
    first.options.grace = Duration::ZERO;
    let summary = fleet.with_worker(&first, || {
        gate.wait_for(4);
        fleet.drain(&first);
        gate.open();
    });
    assert_eq!((summary.n_won, summary.n_put_down), (0, 4), "only what was under way was put down");
    let recovered = AtomicUsize::new(0);
    let tell = |event: &Event| {
        if let Event::TrialBegan { recovered_turns, .. } = event {
            recovered.fetch_add(*recovered_turns as usize, Ordering::SeqCst);
        }
    };
    let second = worker(&fleet, "second", cast(|_| {}), &tell);
    let began = Instant::now();
    fleet.with_worker(&second, || fleet.wait_until_done("drained", 12));
    assert!(began.elapsed() < PATIENCE, "what was put back was there at once");
    assert_eq!(recovered.into_inner(), 16, "the turns that were taken are not taken again");
    fleet.check_records("drained", 12);
}

#[test]
fn what_was_finished_while_the_server_was_away_is_handed_in_when_it_is_back() {
    let mut fleet = Fleet::start(Duration::from_mins(1));
    fleet.hand_in("cut", 4, 1, 5, "1");
    let gate = Arc::new(Gate::default());
    let worker = worker(&fleet, "one", gate.before_turn(2), &|_| {});
    let stop = AtomicBool::new(false);
    let (engine, hosts) = connected(&fleet.runtime, &fleet.nats.urls(), "one", fleet.lease_for);
    let access = ArchiveAccess::Direct(fleet.archive.clone());
    let casting = |_: &RunDir, _| Ok(worker.cast.clone());
    let summary = thread::scope(|scope| {
        let working = scope.spawn(|| work(&worker.options, engine, hosts, access, &casting, &stop, &|_| {}));
        gate.wait_for(4);
        fleet.nats.kill(0);
        gate.open();
        let packs = fleet.folder.path().join("archive/runs/cut/packs");
        let began = Instant::now();
        while std::fs::read_dir(&packs).map_or(0, Iterator::count) < 2 {
            assert!(began.elapsed() < PATIENCE, "the records are shipped without the server");
            thread::sleep(Duration::from_millis(10));
        }
        fleet.nats.restart(0);
        fleet.wait_until_done("cut", 4);
        stop.store(true, Ordering::SeqCst);
        working.join().unwrap().unwrap()
    });
    // A server that was killed may have forgotten what it gave out, and give it out once more: that comes too late.
    assert_eq!(summary.n_won, 4);
    let outcomes = fleet.outcomes("cut");
    assert!(outcomes.iter().all(|recorded| recorded.attempt == 1), "{outcomes:?}");
    fleet.check_records("cut", 4);
}

#[test]
fn a_worker_without_a_store_reads_and_ships_through_addresses_that_it_is_given() {
    let weed = Weed::start();
    let archive = Archive::open_with(&format!("s3://{}/fleet", weed.bucket), weed.environment()).unwrap();
    let fleet = Fleet::over(archive, tempfile::tempdir().unwrap(), Duration::from_mins(1));
    let _steward = Served::by_steward(&fleet);
    fleet.hand_in("signed", 60, 4, 5, "1");
    let (gate, urls) = (Arc::new(Gate::default()), fleet.nats.urls());
    let mut first = worker(&fleet, "first", gate.before_turn(3), &|_| {});
    first.options.grace = Duration::ZERO;
    let as_worker = |name: &str| {
        connected_as(ProcessRole::Worker { name: name.to_owned() }, &fleet.runtime, &urls, name, fleet.lease_for)
    };
    let summary = Fleet::with_connected(&first, as_worker("first"), ArchiveAccess::Signed, || {
        gate.wait_for(4);
        fleet.drain(&first);
        gate.open();
    });
    assert_eq!((summary.n_won, summary.n_put_down), (0, 4));
    let recovered = AtomicUsize::new(0);
    let tell = |event: &Event| {
        if let Event::TrialBegan { recovered_turns, .. } = event {
            recovered.fetch_add(*recovered_turns as usize, Ordering::SeqCst);
        }
    };
    let second = worker(&fleet, "second", cast(|_| {}), &tell);
    let summary = Fleet::with_connected(&second, as_worker("second"), ArchiveAccess::Signed, || {
        fleet.wait_until_done("signed", 60);
    });
    println!("{summary:?}");
    assert_eq!((summary.n_won, recovered.into_inner()), (60, 16));
    fleet.check_records("signed", 60);
}

#[test]
fn a_worker_that_is_killed_loses_nothing() {
    if is_worker() {
        return;
    }
    let fleet = Fleet::start(Duration::from_secs(2));
    fleet.hand_in("killed", 1000, 8, 3, "1");
    for (n_kill, wanted) in [100, 250, 400, 600].into_iter().enumerate() {
        let process = Process::start(&fleet, &format!("worker-{}", n_kill % 2));
        fleet.wait_until_done("killed", wanted);
        drop(process);
    }
    let _last = [Process::start(&fleet, "worker-0"), Process::start(&fleet, "worker-1")];
    fleet.wait_until_done("killed", 1000);
    fleet.check_records("killed", 1000);
    let attempts = fleet.runtime.block_on(fleet.engine.attempts("killed")).unwrap();
    let numbers: BTreeSet<(&String, u32)> = attempts.iter().map(|attempt| (&attempt.unit, attempt.attempt)).collect();
    assert_eq!(numbers.len(), attempts.len(), "every attempt is listed once");
    println!("{} attempts at 1000 trials", attempts.len());
}
