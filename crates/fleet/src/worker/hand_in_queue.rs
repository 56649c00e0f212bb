//! Where slots leave what came of their trials, to be shipped.

use std::sync::Arc;
use std::time::Duration;

use quintain_runner::{DeskRule, Finish, HandInDesk, HandInForm};
use quintain_store::LineRange;

use super::holdings::TrackedLease;

/// Where slots leave what they bring.
pub(super) type HandInQueue = HandInDesk<FinishedTrial>;

/// A pack is made of what is brought, so its weight is in bytes of lines.
pub(super) const DESK: DeskRule =
    DeskRule { enough: 256, heavy: 8 << 20, most: 512, linger: Duration::from_millis(60), full: 4096 };

/// What a slot brings.
pub(super) struct FinishedTrial {
    /// The lease that it was given.
    pub(super) held: Arc<TrackedLease>,
    /// What came of it.
    pub(super) finish: Finish,
    /// Where lines stand that were recorded elsewhere and that its record goes on from.
    pub(super) recalled: Vec<LineRange>,
}

impl FinishedTrial {
    /// Where its record stands, if it has one.
    pub(super) fn place(&self) -> Option<&str> {
        match &self.finish.how {
            HandInForm::Ended(outcome) => Some(&outcome.place),
            HandInForm::Released(release) => release.place.as_deref(),
        }
    }

    /// The same, if it is put back to be gone on with.
    pub(super) fn put_back_at(&self) -> Option<LineRange> {
        match &self.finish.how {
            HandInForm::Ended(_) => None,
            HandInForm::Released(release) => release.place.as_deref()?.parse().ok(),
        }
    }

    /// How long its record is.
    pub(super) fn n_bytes(&self) -> u64 {
        let place = self.place().and_then(|place| place.parse::<LineRange>().ok());
        place.map_or(0, |place| place.len())
    }
}

#[cfg(test)]
mod tests {
    use quintain_runner::engine::{AttemptEnd, Release};

    use super::super::holdings::{WorkerHoldings, lease};
    use super::*;

    fn brought(key: u64, place: Option<&str>) -> FinishedTrial {
        let release = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: place.map(str::to_owned) };
        let trial = "test/dial~guest~0".parse().expect("a trial");
        let finish = Finish { trial, lease: lease(key), how: HandInForm::Released(release) };
        FinishedTrial { held: WorkerHoldings::default().add(lease(key)), finish, recalled: Vec::new() }
    }

    #[test]
    fn a_record_weighs_as_much_as_its_lines() {
        let weights = [None, Some("a-1-0000:0-10"), Some("no place")].map(|place| brought(1, place).n_bytes());
        assert_eq!(weights, [0, 10, 0]);
    }
}
