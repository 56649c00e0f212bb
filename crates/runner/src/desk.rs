//! A desk where many leave things one by one, and where one takes them together.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use quintain_core::lock::LockAlways as _;

/// What is worth a trip, and how much may lie about.
#[derive(Clone, Copy, Debug)]
pub struct DeskRule {
    /// As many as are worth a trip of their own.
    pub enough: usize,
    /// As much weight as is worth a trip of its own.
    pub heavy: u64,
    /// The most that are taken in one trip.
    pub most: usize,
    /// How long the oldest waits for company.
    pub linger: Duration,
    /// As many as may pile up before whoever brings more has to wait.
    pub full: usize,
}

/// A desk with such a rule.
pub struct HandInDesk<T> {
    rule: DeskRule,
    pile: Mutex<DeskPile<T>>,
    bell: Condvar,
    room: Condvar,
}

struct DeskPile<T> {
    /// What was left, each with its weight.
    left: VecDeque<(T, u64)>,
    weight: u64,
    oldest: Option<Instant>,
    closed: bool,
}

impl<T> HandInDesk<T> {
    /// An empty desk.
    pub fn new(rule: DeskRule) -> Self {
        let pile = DeskPile { left: VecDeque::new(), weight: 0, oldest: None, closed: false };
        Self { rule, pile: Mutex::new(pile), bell: Condvar::new(), room: Condvar::new() }
    }

    /// Leaves something of such a weight. Waits while the desk is full.
    pub fn leave(&self, thing: T, weight: u64) {
        let full = |pile: &mut DeskPile<T>| pile.left.len() >= self.rule.full && !pile.closed;
        let mut pile = self.room.wait_while(self.pile.lock().always(), full).always();
        pile.left.push_back((thing, weight));
        pile.weight += weight;
        let is_first = pile.oldest.is_none();
        pile.oldest.get_or_insert_with(Instant::now);
        if is_first || self.is_enough(&pile) {
            self.bell.notify_one();
        }
    }

    /// Nothing more will be left.
    pub fn close(&self) {
        self.pile.lock().always().closed = true;
        self.bell.notify_all();
        self.room.notify_all();
    }

    /// What was left, as soon as it is worth a trip or the oldest has waited; nothing once the desk is closed and empty.
    pub fn take(&self) -> Vec<T> {
        let empty = |pile: &mut DeskPile<T>| pile.left.is_empty() && !pile.closed;
        let pile = self.bell.wait_while(self.pile.lock().always(), empty).always();
        let waited = pile.oldest.map_or(Duration::ZERO, |oldest| oldest.elapsed());
        let few = |pile: &mut DeskPile<T>| !self.is_enough(pile);
        let left = self.rule.linger.saturating_sub(waited);
        let (mut pile, _) = self.bell.wait_timeout_while(pile, left, few).always();
        let taken = pile.take(self.rule.most);
        self.room.notify_all();
        taken
    }

    fn is_enough(&self, pile: &DeskPile<T>) -> bool {
        pile.closed || pile.left.len() >= self.rule.enough || pile.weight >= self.rule.heavy
    }
}

impl<T> DeskPile<T> {
    fn take(&mut self, most: usize) -> Vec<T> {
        let n_taken = self.left.len().min(most);
        let (taken, weights): (Vec<T>, Vec<u64>) = self.left.drain(..n_taken).unzip();
        self.weight -= weights.into_iter().sum::<u64>();
        self.oldest = (!self.left.is_empty()).then(Instant::now);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: DeskRule =
        DeskRule { enough: 4, heavy: 100, most: 5, linger: Duration::from_millis(20), full: usize::MAX };

    #[test]
    fn what_is_left_is_taken_in_order_and_no_more_than_a_trip_holds() {
        let desk = HandInDesk::new(RULE);
        (0..=5).for_each(|n| desk.leave(n, 1));
        desk.close();
        assert_eq!([desk.take(), desk.take()], [vec![0, 1, 2, 3, 4], vec![5]]);
        assert!(desk.take().is_empty(), "nothing comes after the last");
    }

    #[test]
    fn what_is_heavy_does_not_wait_for_company() {
        let patient = HandInDesk::new(DeskRule { linger: Duration::from_hours(1), ..RULE });
        patient.leave('a', RULE.heavy);
        assert_eq!(patient.take(), ['a']);
        let (desk, began) = (HandInDesk::new(RULE), Instant::now());
        desk.leave('b', 1);
        assert_eq!(desk.take(), ['b']);
        assert!(began.elapsed() >= RULE.linger, "what is light does");
    }

    #[test]
    fn whoever_finds_it_full_waits_until_there_is_room() {
        let desk = HandInDesk::new(DeskRule { full: 2, enough: 2, ..RULE });
        std::thread::scope(|scope| {
            scope.spawn(|| (0..9).for_each(|n| desk.leave(n, 1)));
            let mut taken = Vec::new();
            while taken.len() < 9 {
                let more = desk.take();
                assert!(more.len() <= 2, "{more:?}");
                taken.extend(more);
            }
            assert_eq!(taken, (0..9).collect::<Vec<_>>());
        });
    }
}
