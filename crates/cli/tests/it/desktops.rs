//! Desktops as a whole: no trial is lost when X servers, programs and sandboxes die, and nothing is left behind.
//!
//! `QUINTAIN_FULL=1` asks for the long form (`just desktop-storm`).

use std::fs;
use std::time::{Duration, Instant};

use quintain_core::Rng;
use quintain_testkit::{Descendant, wait_for};

use crate::command::{Place, is_full};
use crate::storm::{Storm, assert_nothing_lost};

/// What is killed, in turns: X servers, programs, and sandboxes as the run started them.
const VICTIMS: [&str; 3] = ["Xvfb", "kalgebra", "bwrap"];
/// Tasks without a command line: where there is one, the agent could have killed.
const ALL_TASKS: &str = "science/kalgebra-answer-sum science/kalgebra-define-function science/kalgebra-define-value \
                         science/kalgebra-evaluate science/kalgebra-plot-circle science/kalgebra-plot-two \
                         science/kalgebra-plot-variable science/kalgebra-recurrence science/kalgebra-slope \
                         science/kalgebra-surface";

/// What is played, and how it storms.
struct DesktopStorm {
    tasks: &'static str,
    seeds: &'static str,
    n_workers: u32,
    storm: Storm,
}

impl DesktopStorm {
    fn of_this_run() -> Self {
        if is_full() {
            let storm = Storm { n_kills: 66, every: Duration::from_secs(18) };
            return Self { tasks: ALL_TASKS, seeds: "0..40", n_workers: 16, storm };
        }
        let storm = Storm { n_kills: 3, every: Duration::from_secs(1) };
        Self { tasks: "science/kalgebra-define-value", seeds: "0..4", n_workers: 2, storm }
    }
}

/// Megabytes of memory that are free or can be made free.
fn free_memory() -> u64 {
    let told = fs::read_to_string("/proc/meminfo").expect("memory");
    let line = told.lines().find_map(|line| line.strip_prefix("MemAvailable:")).expect("what is free");
    line.trim().trim_end_matches(" kB").parse::<u64>().expect("a number") / 1024
}

#[test]
fn no_trial_is_lost_and_nothing_is_left_when_desktops_die() {
    let DesktopStorm { tasks, seeds, n_workers, storm } = DesktopStorm::of_this_run();
    let (place, before, began) = (Place::new(), free_memory(), Instant::now());
    // Lightning may strike the same trial more often than faults usually do.
    let how = format!("--workers {n_workers} --attempts 9 --name storm");
    let args = format!("--quiet run {tasks} --agent oracle --seeds {seeds} {how}");
    let mut child = place.start(&args.split(' ').collect::<Vec<_>>());
    let (parent, mut rng) = (child.id(), Rng::for_purpose(1, "storm"));
    let seen = storm.rage(&mut child, |n_killed, below| {
        let wanted = VICTIMS[n_killed as usize % VICTIMS.len()];
        let is_meant =
            |process: &&Descendant| process.name == wanted && (wanted != "bwrap" || process.parent == parent);
        let victims: Vec<&Descendant> = below.iter().filter(is_meant).collect();
        (!victims.is_empty()).then(|| (*rng.choose(&victims)).clone())
    });
    let lasted = began.elapsed();
    wait_for("the processes of all desktops are gone", || !seen.iter().any(Descendant::is_there));
    let after = free_memory();
    eprintln!("{lasted:?}, {} processes, free memory {before} MB, then {after} MB", seen.len());
    assert_nothing_lost(&place);
    // In the short form other tests run beside it.
    assert!(!is_full() || after + 500 > before, "memory is not back: {before} MB before, {after} MB after");
}
