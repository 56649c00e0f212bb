//! The runs that are not played here for now, and why.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use quintain_core::Backoff;
use quintain_core::lock::LockAlways as _;

use crate::hosts::RefusedRun;

/// A refusal is remembered for this long after it was over, so that the next one lasts longer.
const REMEMBERED: Duration = Duration::from_mins(2);

/// The runs that are not played here for now.
#[derive(Debug, Default)]
pub(super) struct RunRefusals {
    by_run: Mutex<BTreeMap<String, LastRefusal>>,
}

#[derive(Debug)]
struct LastRefusal {
    why: String,
    /// How often in a row.
    n: u32,
    until: Instant,
}

impl RunRefusals {
    /// Refuses a run for a while: longer each time in a row, as the rests say.
    pub(super) fn refuse(&self, run: &str, why: &str, rests: Backoff, now: Instant) {
        let mut by_run = self.by_run.lock().always();
        let n = by_run.get(run).map_or(0, |last| if last.until > now { last.n - 1 } else { last.n }) + 1;
        let last = LastRefusal { why: in_one_line(why), n, until: now + rests.after(n) };
        by_run.insert(run.to_owned(), last);
    }

    /// Whether a run is refused.
    pub(super) fn has(&self, run: &str, now: Instant) -> bool {
        let mut by_run = self.by_run.lock().always();
        by_run.retain(|_, last| last.until + REMEMBERED > now);
        by_run.get(run).is_some_and(|last| last.until > now)
    }

    /// The run can be played after all.
    pub(super) fn forgive(&self, run: &str) {
        self.by_run.lock().always().remove(run);
    }

    /// What others are told of them.
    pub(super) fn listed(&self, now: Instant) -> Vec<RefusedRun> {
        let by_run = self.by_run.lock().always();
        let told = by_run.iter().filter(|(_, last)| last.until + REMEMBERED > now);
        told.map(|(run, last)| RefusedRun { run: run.clone(), why: last.why.clone() }).collect()
    }
}

/// A reason with its hint behind it.
fn in_one_line(why: &str) -> String {
    why.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESTS: Backoff = Backoff { first: Duration::from_mins(1), longest: Duration::from_mins(4) };

    #[test]
    fn refusals_in_a_row_last_longer_and_longer() {
        let (refusals, start) = (RunRefusals::default(), Instant::now());
        let at = |minutes: u64| start + Duration::from_mins(minutes);
        refusals.refuse("night", "it is not there\nhint: look elsewhere", RESTS, at(0));
        refusals.refuse("night", "it is not there\nhint: look elsewhere", RESTS, at(0));
        assert!(refusals.has("night", start) && !refusals.has("day", start));
        assert_eq!(refusals.listed(start)[0].why, "it is not there; hint: look elsewhere");
        assert!(!refusals.has("night", at(1)), "told twice at once, it is refused once");
        refusals.refuse("night", "still", RESTS, at(1));
        assert!(refusals.has("night", at(2)) && !refusals.has("night", at(3)));
        refusals.refuse("night", "still", RESTS, at(3));
        refusals.refuse("night", "still", RESTS, at(7));
        assert!(refusals.has("night", at(10)) && !refusals.has("night", at(11)), "there is a longest rest");
        assert!(!refusals.has("night", at(13)) && refusals.listed(at(13)).is_empty(), "what is long ago is forgotten");
    }

    #[test]
    fn a_run_that_can_be_played_after_all_is_refused_no_more() {
        let (refusals, now) = (RunRefusals::default(), Instant::now());
        refusals.refuse("night", "no", RESTS, now);
        refusals.forgive("night");
        assert!(!refusals.has("night", now) && refusals.listed(now).is_empty());
    }
}
