//! Where slots leave what came of their trials, to be shipped.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use quintain_runner::{Finish, How};
use quintain_store::Place;

use super::holdings::Held;
use super::lock;

/// As many as make a pack at once.
const ENOUGH: usize = 256;

/// The most that go into one pack.
const MOST: usize = 512;

/// As many bytes of lines as make a pack at once.
const HEAVY: u64 = 8 << 20;

/// How long the oldest waits for company.
const LINGER: Duration = Duration::from_millis(60);

/// As many as may pile up before slots have to wait.
const FULL: usize = 4096;

/// What a slot brings.
pub(super) struct Brought {
    /// The lease that it was given.
    pub(super) held: Arc<Held>,
    /// What came of it.
    pub(super) finish: Finish,
    /// Where lines stand that were recorded elsewhere and that its record goes on from.
    pub(super) recalled: Vec<Place>,
}

/// Where slots leave what they bring.
#[derive(Default)]
pub(super) struct Desk {
    pile: Mutex<Pile>,
    bell: Condvar,
    room: Condvar,
}

#[derive(Default)]
struct Pile {
    brought: Vec<Brought>,
    n_bytes: u64,
    oldest: Option<Instant>,
    closed: bool,
}

impl Brought {
    /// Where its record stands, if it has one.
    pub(super) fn place(&self) -> Option<&str> {
        match &self.finish.how {
            How::Ended(outcome) => Some(&outcome.place),
            How::Released(release) => release.place.as_deref(),
        }
    }

    /// The same, if it is put back to be gone on with.
    pub(super) fn put_back_at(&self) -> Option<Place> {
        match &self.finish.how {
            How::Ended(_) => None,
            How::Released(release) => release.place.as_deref()?.parse().ok(),
        }
    }

    fn n_bytes(&self) -> u64 {
        let place = self.place().and_then(|place| place.parse::<Place>().ok());
        place.map_or(0, |place| place.len())
    }
}

impl Pile {
    fn is_enough(&self) -> bool {
        self.closed || self.brought.len() >= ENOUGH || self.n_bytes >= HEAVY
    }
}

impl Desk {
    /// Leaves something to be shipped. Waits while the desk is full.
    pub(super) fn leave(&self, brought: Brought) {
        let n_bytes = brought.n_bytes();
        let full = |pile: &mut Pile| pile.brought.len() >= FULL && !pile.closed;
        let mut pile = self.room.wait_while(lock(&self.pile), full).unwrap_or_else(PoisonError::into_inner);
        pile.brought.push(brought);
        pile.n_bytes += n_bytes;
        let is_first = pile.oldest.is_none();
        pile.oldest.get_or_insert_with(Instant::now);
        if is_first || pile.is_enough() {
            self.bell.notify_one();
        }
    }

    /// Nothing more will be left.
    pub(super) fn close(&self) {
        lock(&self.pile).closed = true;
        self.bell.notify_all();
        self.room.notify_all();
    }

    /// What was left, as soon as it is enough for a pack or the oldest has waited; nothing once the desk is closed and
    /// empty.
    pub(super) fn take(&self) -> Vec<Brought> {
        let into_inner = PoisonError::into_inner;
        let empty = |pile: &mut Pile| pile.brought.is_empty() && !pile.closed;
        let pile = self.bell.wait_while(lock(&self.pile), empty).unwrap_or_else(into_inner);
        let waited = pile.oldest.map_or(Duration::ZERO, |oldest| oldest.elapsed());
        let few = |pile: &mut Pile| !pile.is_enough();
        let left = LINGER.saturating_sub(waited);
        let (mut pile, _) = self.bell.wait_timeout_while(pile, left, few).unwrap_or_else(PoisonError::into_inner);
        let n_taken = pile.brought.len().min(MOST);
        let taken: Vec<Brought> = pile.brought.drain(..n_taken).collect();
        pile.n_bytes -= taken.iter().map(Brought::n_bytes).sum::<u64>();
        pile.oldest = (!pile.brought.is_empty()).then(Instant::now);
        self.room.notify_all();
        taken
    }
}

#[cfg(test)]
mod tests {
    use quintain_runner::engine::{AttemptEnd, Release};

    use super::super::holdings::{Holdings, lease};
    use super::*;

    fn brought(key: u64, place: Option<&str>) -> Brought {
        let release = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: place.map(str::to_owned) };
        let trial = "test/dial~guest~0".parse().expect("a trial");
        let finish = Finish { trial, lease: lease(key), how: How::Released(release) };
        Brought { held: Holdings::default().add(lease(key)), finish, recalled: Vec::new() }
    }

    fn keys(taken: &[Brought]) -> Vec<u64> {
        taken.iter().map(|brought| brought.held.lease.key).collect()
    }

    #[test]
    fn what_is_left_is_taken_in_order_and_no_more_than_a_pack_holds() {
        let desk = Desk::default();
        for key in 0..=MOST as u64 {
            desk.leave(brought(key, None));
        }
        desk.close();
        assert_eq!(keys(&desk.take()), (0..MOST as u64).collect::<Vec<_>>());
        assert_eq!(keys(&desk.take()), [MOST as u64]);
        assert!(desk.take().is_empty(), "nothing comes after the last");
    }

    #[test]
    fn a_dear_trial_does_not_wait_for_company() {
        let desk = Desk::default();
        desk.leave(brought(1, Some(&format!("a-1-0000:0-{HEAVY}"))));
        let began = Instant::now();
        assert_eq!(keys(&desk.take()), [1]);
        assert!(began.elapsed() < LINGER);
        desk.leave(brought(2, Some("a-1-0000:0-10")));
        assert_eq!(keys(&desk.take()), [2]);
        assert!(began.elapsed() >= LINGER / 2, "a cheap one does");
    }
}
