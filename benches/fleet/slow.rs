//! What slow trials suffer: how soon they begin, and what is lost between them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quintain_fleet::FleetLink;
use quintain_testkit::servers::Nats;

use crate::platform::{Fleet, Think};

const SLOTS: usize = 8;

pub(crate) fn measure() {
    let nats = Nats::start(1);
    start_at_half_load(&nats);
    overhead_of_five_seconds(&nats);
}

/// Trials of 100 ms come one by one, half as many as could be played: how soon does each begin?
fn start_at_half_load(nats: &Nats) {
    const N_TRIALS: u32 = 600;
    let each = Duration::from_millis(100);
    let begun: Arc<Mutex<HashMap<String, Instant>>> = Arc::default();
    let noted = Arc::clone(&begun);
    let think: Think = Arc::new(move |trial| {
        noted.lock().unwrap().insert(trial.to_string(), Instant::now());
        thread::sleep(each);
    });
    let folder = tempfile::tempdir().unwrap();
    let link = FleetLink { fleet: "half".to_owned(), ..FleetLink::to(nats.urls(), "bench") };
    let fleet = Fleet { link, folder: folder.path(), slots: SLOTS, chunk: 1, think };
    let mut waits = Vec::new();
    fleet.open(N_TRIALS, |submitter| {
        let mut offered = Vec::new();
        let gap = each / SLOTS as u32 * 2;
        let mut next = Instant::now();
        for trial in 0..N_TRIALS {
            thread::sleep(next.saturating_duration_since(Instant::now()));
            next += gap;
            offered.push(Instant::now());
            submitter.hand_in(trial..trial + 1);
        }
        submitter.wait_until_done(N_TRIALS);
        let begun = begun.lock().unwrap();
        let name = |idx: usize| submitter.plan[idx].trial.to_string();
        waits = offered.iter().enumerate().map(|(idx, at)| begun[&name(idx)] - *at).collect();
    });
    waits.sort_unstable();
    // The first trial of a run waits for what the run needs: that is measured as well.
    let at = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!(
        "half load, {N_TRIALS} trials of 100 ms on {SLOTS} slots: from being handed in to the first turn p50 {:.0} ms, p99 {:.0} ms, at most {:.0} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// Trials of 5 s, four after each other on each slot: how much longer than 20 s does it take?
fn overhead_of_five_seconds(nats: &Nats) {
    const ROUNDS: u32 = 4;
    let n_trials = SLOTS as u32 * ROUNDS;
    let first: Arc<Mutex<Option<Instant>>> = Arc::default();
    let noted = Arc::clone(&first);
    let think: Think = Arc::new(move |_trial| {
        noted.lock().unwrap().get_or_insert_with(Instant::now);
        thread::sleep(Duration::from_secs(5));
    });
    let folder = tempfile::tempdir().unwrap();
    let link = FleetLink { fleet: "five".to_owned(), ..FleetLink::to(nats.urls(), "bench") };
    let fleet = Fleet { link, folder: folder.path(), slots: SLOTS, chunk: 1, think };
    fleet.open(n_trials, |submitter| {
        submitter.hand_in(0..n_trials);
        submitter.wait_until_done(n_trials);
        let took = first.lock().unwrap().unwrap().elapsed().as_secs_f64();
        let ideal = f64::from(5 * ROUNDS);
        println!(
            "{n_trials} trials of 5 s on {SLOTS} slots: {took:.2} s from the first turn to the last outcome, {:.2} % over {ideal:.0} s",
            (took / ideal - 1.0) * 100.0
        );
    });
}
