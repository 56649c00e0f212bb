//! The runs that are not played here for now, or not in part, and why.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;
use quintain_core::{Backoff, TrialId};

use crate::hosts::RefusedRun;

/// A refusal is remembered for this long after it was over, so that the next one lasts longer.
const REMEMBERED: Duration = Duration::from_mins(2);

/// The runs that are not played here for now.
#[derive(Debug, Default)]
pub(super) struct RunRefusals {
    by_part: Mutex<BTreeMap<RefusedPart, LastRefusal>>,
}

/// A run, or one class of its trials.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RefusedPart {
    run: String,
    /// The class and its tasks; nothing where it is the whole run.
    of: Option<(String, Vec<String>)>,
}

#[derive(Debug)]
struct LastRefusal {
    why: String,
    /// How often in a row.
    n: u32,
    until: Instant,
}

impl RefusedPart {
    /// All of a run.
    pub(super) fn whole(run: &str) -> Self {
        Self { run: run.to_owned(), of: None }
    }

    /// The trials of one class, which are those of these tasks.
    pub(super) fn class(run: &str, class: &str, tasks: &[String]) -> Self {
        Self { run: run.to_owned(), of: Some((class.to_owned(), tasks.to_vec())) }
    }

    fn has(&self, run: &str, unit: &str) -> bool {
        self.run == run && self.of.as_ref().is_none_or(|(_, tasks)| is_of(unit, tasks))
    }
}

/// Whether a unit is a trial of one of these tasks.
pub(super) fn is_of(unit: &str, tasks: &[String]) -> bool {
    let trial = unit.parse::<TrialId>();
    trial.is_ok_and(|trial| tasks.iter().any(|task| task == trial.instance.task.as_str()))
}

impl RunRefusals {
    /// Refuses a run, or a part of it, for a while: longer each time in a row, as the rests say.
    pub(super) fn refuse(&self, part: RefusedPart, why: &str, rests: Backoff, now: Instant) {
        let mut by_part = self.by_part.lock().always();
        let n = by_part.get(&part).map_or(0, |last| if last.until > now { last.n - 1 } else { last.n }) + 1;
        let last = LastRefusal { why: in_one_line(why), n, until: now + rests.after(n) };
        by_part.insert(part, last);
    }

    /// Whether a unit of a run is refused.
    pub(super) fn has(&self, run: &str, unit: &str, now: Instant) -> bool {
        let mut by_part = self.by_part.lock().always();
        by_part.retain(|_, last| last.until + REMEMBERED > now);
        by_part.iter().any(|(part, last)| last.until > now && part.has(run, unit))
    }

    /// The run can be played after all, but for classes of it that are refused.
    pub(super) fn forgive(&self, run: &str) {
        self.by_part.lock().always().remove(&RefusedPart::whole(run));
    }

    /// What others are told of them.
    pub(super) fn listed(&self, now: Instant) -> Vec<RefusedRun> {
        let by_part = self.by_part.lock().always();
        let told = by_part.iter().filter(|(_, last)| last.until + REMEMBERED > now);
        let class = |part: &RefusedPart| part.of.as_ref().map(|(class, _)| class.clone());
        told.map(|(part, last)| RefusedRun { run: part.run.clone(), class: class(part), why: last.why.clone() })
            .collect()
    }
}

/// A reason with its hint behind it.
fn in_one_line(why: &str) -> String {
    why.lines().map(str::trim).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: &str = "test/dial@easy#1~lines~0";
    const RESTS: Backoff = Backoff { first: Duration::from_mins(1), longest: Duration::from_mins(4) };

    #[test]
    fn refusals_in_a_row_last_longer_and_longer() {
        let (refusals, start) = (RunRefusals::default(), Instant::now());
        let at = |minutes: u64| start + Duration::from_mins(minutes);
        refusals.refuse(RefusedPart::whole("night"), "it is not there\nhint: look elsewhere", RESTS, at(0));
        refusals.refuse(RefusedPart::whole("night"), "it is not there\nhint: look elsewhere", RESTS, at(0));
        assert!(refusals.has("night", UNIT, start) && !refusals.has("day", UNIT, start));
        assert_eq!(refusals.listed(start)[0].why, "it is not there; hint: look elsewhere");
        assert!(!refusals.has("night", UNIT, at(1)), "told twice at once, it is refused once");
        refusals.refuse(RefusedPart::whole("night"), "still", RESTS, at(1));
        assert!(refusals.has("night", UNIT, at(2)) && !refusals.has("night", UNIT, at(3)));
        refusals.refuse(RefusedPart::whole("night"), "still", RESTS, at(3));
        refusals.refuse(RefusedPart::whole("night"), "still", RESTS, at(7));
        assert!(refusals.has("night", UNIT, at(10)) && !refusals.has("night", UNIT, at(11)), "there is a longest rest");
        assert!(
            !refusals.has("night", UNIT, at(13)) && refusals.listed(at(13)).is_empty(),
            "what is long ago is forgotten"
        );
    }

    #[test]
    fn a_run_that_can_be_played_after_all_is_refused_no_more() {
        let (refusals, now) = (RunRefusals::default(), Instant::now());
        refusals.refuse(RefusedPart::whole("night"), "no", RESTS, now);
        refusals.forgive("night");
        assert!(!refusals.has("night", UNIT, now) && refusals.listed(now).is_empty());
    }

    #[test]
    fn a_class_that_is_refused_keeps_no_other_trials_of_the_run_away() {
        let (refusals, now) = (RunRefusals::default(), Instant::now());
        let part = RefusedPart::class("night", "arm", &["test/dial".to_owned()]);
        refusals.refuse(part, "another arm", RESTS, now);
        refusals.forgive("night");
        assert!(refusals.has("night", UNIT, now) && !refusals.has("day", UNIT, now));
        assert!(!refusals.has("night", "test/dial-two@easy#1~lines~0", now));
        let told = RefusedRun { run: "night".into(), class: Some("arm".into()), why: "another arm".into() };
        assert_eq!(refusals.listed(now), [told]);
    }
}
