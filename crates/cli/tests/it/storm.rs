//! Runs whose processes are killed while they play.

use std::collections::BTreeSet;
use std::process::Child;
use std::time::{Duration, Instant};

use quintain_testkit::{Descendant, descendants, wait_long_for};

use crate::command::{Place, is_full};

/// How often and how many times somebody is killed.
#[derive(Clone, Copy)]
pub(crate) struct Storm {
    pub(crate) n_kills: u32,
    pub(crate) every: Duration,
}

impl Storm {
    /// Kills whom it is told to among the processes of a run, until the run is over; gives all that there ever were.
    pub(crate) fn rage(
        self,
        child: &mut Child,
        mut victim: impl FnMut(u32, &[Descendant]) -> Option<Descendant>,
    ) -> BTreeSet<Descendant> {
        let (mut n_killed, mut seen, mut last) = (0, BTreeSet::new(), Instant::now());
        wait_long_for("the run to end", Duration::from_hours(2), || {
            let below = descendants(child.id());
            let is_due = n_killed < self.n_kills && last.elapsed() >= self.every;
            if let Some(victim) = is_due.then(|| victim(n_killed, &below)).flatten() {
                n_killed += u32::from(victim.kill());
                last = Instant::now();
            }
            seen.extend(below);
            child.try_wait().expect("a process").is_some()
        });
        let status = child.wait().expect("it ends");
        assert_eq!(n_killed, self.n_kills, "there was enough to kill");
        assert!(status.success(), "{status}");
        seen
    }
}

/// Looks that every trial of the run `storm` was played to its end, and was solved.
pub(crate) fn assert_nothing_lost(place: &Place) {
    let shown = place.json("show storm");
    let trials = shown["trials"].as_array().into_iter().flatten();
    let unsolved: Vec<_> = trials.filter(|trial| trial["verdict"]["solved"] != true).collect();
    let report = place.json("report storm");
    let total = &report["summary"]["total"];
    assert_eq!(total["n"], report["planned"], "no trial is lost: {total}");
    assert_eq!(total["n_faulted"], 0, "every fault was retried: {total}");
    assert_eq!(total["success"]["value"], 1.0, "{total}: {unsolved:?}");
    if is_full() {
        assert!(report["wasted"]["steps"].as_u64() > Some(0), "steps before a fault are told: {}", report["wasted"]);
    }
}
