//! Desktops as a whole: no trial is lost when X servers, programs and sandboxes die, and nothing is left behind.
//!
//! `QUINTAIN_FULL=1` asks for the long form (`just desktop-storm`).

use std::collections::BTreeSet;
use std::fs;
use std::process::Child;
use std::time::{Duration, Instant};

use quintain_core::Rng;
use quintain_testkit::{Descendant, descendants, wait_for};

use crate::command::{Place, is_full};

/// What is killed, in turns: X servers, programs, and sandboxes as the run started them.
const VICTIMS: [&str; 3] = ["Xvfb", "kalgebra", "bwrap"];
/// Tasks without a command line: where there is one, the agent could have killed.
const ALL_TASKS: &str = "science/kalgebra-answer-sum science/kalgebra-define-function science/kalgebra-define-value \
                         science/kalgebra-evaluate science/kalgebra-plot-circle science/kalgebra-plot-two \
                         science/kalgebra-plot-variable science/kalgebra-recurrence science/kalgebra-slope \
                         science/kalgebra-surface";

/// How long and how badly it storms.
struct Storm {
    tasks: &'static str,
    seeds: &'static str,
    n_workers: u32,
    n_kills: u32,
    every: Duration,
}

impl Storm {
    fn of_this_run() -> Self {
        if is_full() {
            return Self {
                tasks: ALL_TASKS,
                seeds: "0..40",
                n_workers: 16,
                n_kills: 66,
                every: Duration::from_secs(18),
            };
        }
        let tasks = "science/kalgebra-define-value";
        Self { tasks, seeds: "0..4", n_workers: 2, n_kills: 3, every: Duration::from_secs(1) }
    }
}

/// Kills at random until the run is over; says how many were killed, and all processes that there ever were.
fn rage(child: &mut Child, storm: &Storm) -> (u32, BTreeSet<Descendant>) {
    let mut rng = Rng::for_purpose(1, "storm");
    let (mut n_killed, mut seen) = (0, BTreeSet::new());
    let (began, mut last) = (Instant::now(), Instant::now());
    while child.try_wait().expect("a process").is_none() {
        let below = descendants(child.id());
        seen.extend(below.iter().cloned());
        let wanted = VICTIMS[n_killed as usize % VICTIMS.len()];
        let is_meant =
            |process: &&Descendant| process.name == wanted && (wanted != "bwrap" || process.parent == child.id());
        let victims: Vec<&Descendant> = below.iter().filter(is_meant).collect();
        if n_killed < storm.n_kills && last.elapsed() >= storm.every && !victims.is_empty() {
            n_killed += u32::from(rng.choose(&victims).kill());
            last = Instant::now();
        }
        assert!(began.elapsed() < Duration::from_hours(2), "the run ends");
        std::thread::sleep(Duration::from_millis(50));
    }
    (n_killed, seen)
}

/// Megabytes of memory that are free or can be made free.
fn free_memory() -> u64 {
    let told = fs::read_to_string("/proc/meminfo").expect("memory");
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:")).expect("what is free");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}

#[test]
fn no_trial_is_lost_and_nothing_is_left_when_desktops_die() {
    let (place, storm) = (Place::new(), Storm::of_this_run());
    let before = free_memory();
    let Storm { tasks, seeds, n_workers, .. } = storm;
    // Lightning may strike the same trial more often than faults usually do.
    let how = format!("--workers {n_workers} --attempts 9 --name storm");
    let args = format!("--quiet run {tasks} --agent oracle --seeds {seeds} {how}");
    let began = Instant::now();
    let mut child = place.start(&args.split(' ').collect::<Vec<_>>());
    let (n_killed, seen) = rage(&mut child, &storm);
    let status = child.wait().expect("it ends");
    let lasted = began.elapsed();
    wait_for("the processes of all desktops are gone", || !seen.iter().any(Descendant::is_there));
    let after = free_memory();
    let report = place.json("report storm");
    let total = &report["summary"]["total"];
    eprintln!(
        "{n_killed} kills in {lasted:?}, {} processes, free memory {before} MB, then {after} MB: {total}",
        seen.len()
    );
    for trial in place.json("show storm")["trials"].as_array().into_iter().flatten() {
        if trial["verdict"]["solved"] != true {
            eprintln!("not solved: {} {}", trial["trial"], trial["verdict"]);
        }
    }
    assert_eq!(n_killed, storm.n_kills, "there was enough to kill");
    assert!(status.success(), "{status}");
    assert_eq!(total["n"], report["planned"], "no trial is lost: {total}");
    assert_eq!(total["n_faulted"], 0, "every fault was retried: {total}");
    assert_eq!(total["success"]["value"], 1.0, "{total}");
    if is_full() {
        assert!(report["wasted"]["steps"].as_u64() > Some(0), "steps before a fault are told: {}", report["wasted"]);
        // In the short form other tests run beside it.
        assert!(after + 500 > before, "memory is not back: {before} MB before, {after} MB after");
    }
}
