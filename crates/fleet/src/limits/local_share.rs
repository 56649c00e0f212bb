//! What one worker has of one limit, and who waits for it. Pure: whoever drives it says what time it is.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::NOTHING;
use crate::ask::LimitShare;

/// How long a limit that nobody has set is taken for unlimited before it is asked for again.
const UNSET_FOR: Duration = Duration::from_secs(10);
/// How long a budget that nobody has set is waited for before it is asked for again.
const UNSET_AGAIN: Duration = Duration::from_secs(1);
/// How long it is waited for in all. Whoever holds a slot for it then keeps others from playing.
const UNSET_WITHIN: Duration = Duration::from_secs(10);
/// What a call left of a budget is there for the next one.
const KEPT_FOR: Duration = Duration::from_hours(24);
/// How long a limit that is used up is not asked for again.
const SPENT_FOR: Duration = Duration::from_secs(5);

/// What kind of limit it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitKind {
    /// Shares lapse; without a rule there is no limit.
    Rate,
    /// Shares are kept until they are used or given back; without a rule nothing is given.
    Budget,
}

/// What a worker has of a limit.
#[derive(Debug)]
pub(super) struct LocalShare {
    kind: LimitKind,
    /// What is left of each share, and until when.
    slices: VecDeque<(Instant, f64)>,
    used: f64,
    /// What calls under way are expected to use.
    reserved: f64,
    waiting: VecDeque<(f64, oneshot::Sender<ServeResult>)>,
    not_before: Option<Instant>,
    unset_until: Option<Instant>,
    spent_until: Option<Instant>,
    /// Since when a budget was asked for that nobody has set.
    missed_since: Option<Instant>,
    /// What was taken since the last share came, and the share.
    taken: f64,
    granted: f64,
    last_need: f64,
    is_scarce: bool,
    reported: (f64, f64),
    touched: Instant,
}

/// What somebody who waited is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ServeResult {
    /// It is reserved.
    Yes,
    /// The limit is used up.
    Spent,
}

/// What came of wanting something.
pub(super) enum TakeResult {
    /// It is reserved.
    Now,
    /// It is being waited for.
    Soon(oneshot::Receiver<ServeResult>),
    /// The limit is used up.
    Never,
}

impl LocalShare {
    pub(super) fn new(kind: LimitKind, now: Instant) -> Self {
        Self {
            kind,
            slices: VecDeque::new(),
            used: 0.0,
            reserved: 0.0,
            waiting: VecDeque::new(),
            not_before: None,
            unset_until: None,
            spent_until: None,
            missed_since: None,
            taken: 0.0,
            granted: 0.0,
            last_need: 0.0,
            is_scarce: false,
            reported: (0.0, 0.0),
            touched: now,
        }
    }

    /// Reserves so much, now or when it comes; first come, first served.
    pub(super) fn take(&mut self, need: f64, now: Instant) -> TakeResult {
        self.touched = now;
        self.last_need = need;
        if self.spent_until.is_some_and(|until| now < until) {
            return TakeResult::Never;
        }
        self.lapse(now);
        if self.unset_until.is_some() || (self.waiting.is_empty() && self.left() + NOTHING >= need) {
            self.draw(need);
            return TakeResult::Now;
        }
        let (served, waits) = oneshot::channel();
        self.waiting.push_back((need, served));
        TakeResult::Soon(waits)
    }

    /// What was reserved for a call is used, as far as it was; the rest can be taken by others.
    pub(super) fn settle(&mut self, reserved: f64, used: f64, now: Instant) {
        self.touched = now;
        self.reserved = (self.reserved - reserved).max(0.0);
        self.used += used;
        if used > reserved {
            self.debit(used - reserved);
        } else if self.kind == LimitKind::Budget && reserved - used > NOTHING {
            self.slices.push_front((now + KEPT_FOR, reserved - used));
        }
        self.serve(now);
    }

    /// What to ask for, if anything: how much, and the least that is of use.
    pub(super) fn wish(&mut self, now: Instant) -> Option<(f64, f64)> {
        self.lapse(now);
        self.waiting.retain(|(_need, waits)| !waits.is_closed());
        if self.not_before.is_some_and(|at| now < at) {
            return None;
        }
        if let Some((first, _)) = self.waiting.front() {
            let waiting: f64 = self.waiting.iter().map(|(need, _)| need).sum();
            let ahead = if self.is_scarce { 0.0 } else { self.taken };
            return Some((waiting + ahead - self.left().min(waiting), (first - self.left()).max(NOTHING)));
        }
        let is_low = !self.is_scarce && self.taken > 0.0 && self.left() < self.granted / 2.0;
        let is_due = self.unset_until.is_some_and(|until| now >= until) && self.taken > 0.0;
        (is_low || is_due).then_some((self.taken.max(self.last_need), self.last_need))
    }

    /// When there may be something to ask for that cannot be asked for now.
    pub(super) fn due(&self) -> Option<Instant> {
        self.not_before.filter(|_| !self.waiting.is_empty())
    }

    /// What was used in all, and what is still held, to be told; nothing held for long by somebody idle is kept.
    pub(super) fn report(&mut self, now: Instant, idle: Duration) -> (f64, f64) {
        self.lapse(now);
        if self.waiting.is_empty() && self.reserved <= NOTHING && now.duration_since(self.touched) >= idle {
            self.slices.clear();
        }
        self.reported = (self.used, self.left() + self.reserved);
        self.reported
    }

    /// What calls under way are expected to use.
    pub(super) fn reserved(&self) -> f64 {
        self.reserved
    }

    /// Whether something is to be told that was not told yet.
    pub(super) fn is_news(&self) -> bool {
        let (used, held) = self.reported;
        (used - self.used).abs() > NOTHING || (held - self.left() - self.reserved).abs() > NOTHING || held > NOTHING
    }

    /// The share that was asked for at `sent` came; nothing where the limit is not set.
    pub(super) fn receive(&mut self, share: Option<LimitShare>, least: f64, sent: Instant, now: Instant) {
        match share {
            None if self.kind == LimitKind::Rate => self.unset(now),
            None => self.miss(now),
            Some(LimitShare { amount, for_ms, .. }) if amount > 0.0 => {
                (self.not_before, self.unset_until, self.spent_until, self.missed_since) = (None, None, None, None);
                (self.granted, self.taken) = (amount, 0.0);
                self.slices.push_back((sent + Duration::from_millis(for_ms), amount));
                self.lapse(now);
                self.serve(now);
                if amount + NOTHING < least {
                    self.serve_first();
                }
            }
            Some(LimitShare { again_ms: Some(ms), .. }) => {
                (self.unset_until, self.missed_since) = (None, None);
                self.is_scarce = true;
                if self.kind == LimitKind::Budget {
                    // What is too little for a call here may be what another one lacks.
                    self.slices.clear();
                }
                self.not_before = Some(now + Duration::from_millis(ms));
            }
            Some(_) => self.spend(now),
        }
    }

    /// Nobody has set the budget: it is waited for, but not for ever. Then it is as good as used up.
    fn miss(&mut self, now: Instant) {
        self.not_before = Some(now + UNSET_AGAIN);
        let since = *self.missed_since.get_or_insert(now);
        if now.duration_since(since) >= UNSET_WITHIN {
            self.spend(now);
        }
    }

    /// Nobody has set the limit: everybody may pass.
    fn unset(&mut self, now: Instant) {
        (self.unset_until, self.taken) = (Some(now + UNSET_FOR), 0.0);
        while let Some((need, waits)) = self.waiting.pop_front() {
            self.pass(need, waits);
        }
    }

    fn spend(&mut self, now: Instant) {
        self.spent_until = Some(now + SPENT_FOR);
        self.not_before = None;
        for (_need, waits) in self.waiting.drain(..) {
            let _no_longer_waits = waits.send(ServeResult::Spent).is_err();
        }
    }

    /// Those who can be served are, in the order they came.
    fn serve(&mut self, now: Instant) {
        self.lapse(now);
        while let Some((need, _)) = self.waiting.front()
            && self.left() + NOTHING >= *need
            && let Some((need, waits)) = self.waiting.pop_front()
        {
            self.pass(need, waits);
        }
        self.is_scarce = !self.waiting.is_empty();
    }

    /// There will never be more at once: the first in the queue passes with what there is.
    fn serve_first(&mut self) {
        if let Some((need, waits)) = self.waiting.pop_front() {
            self.pass(need, waits);
        }
    }

    fn pass(&mut self, need: f64, waits: oneshot::Sender<ServeResult>) {
        if waits.send(ServeResult::Yes).is_ok() {
            self.draw(need);
        }
    }

    fn draw(&mut self, need: f64) {
        self.debit(need);
        self.reserved += need;
        self.taken += need;
    }

    fn debit(&mut self, mut amount: f64) {
        while amount > 0.0
            && let Some((_until, left)) = self.slices.front_mut()
        {
            let part = amount.min(*left);
            *left -= part;
            amount -= part;
            if *left <= NOTHING {
                self.slices.pop_front();
            }
        }
    }

    fn left(&self) -> f64 {
        self.slices.iter().map(|(_until, left)| left).sum()
    }

    fn lapse(&mut self, now: Instant) {
        self.slices.retain(|(until, _left)| *until > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn share(amount: f64, for_ms: u64) -> LimitShare {
        LimitShare { amount, for_ms, again_ms: None }
    }

    fn is_served(waits: &mut oneshot::Receiver<ServeResult>) -> bool {
        waits.try_recv() == Ok(ServeResult::Yes)
    }

    fn soon(pot: &mut LocalShare, need: f64, now: Instant) -> oneshot::Receiver<ServeResult> {
        match pot.take(need, now) {
            TakeResult::Soon(waits) => waits,
            TakeResult::Now | TakeResult::Never => panic!("nothing is there yet"),
        }
    }

    #[test]
    fn those_who_wait_are_served_in_turn_and_shares_lapse() {
        let now = Instant::now();
        let mut pot = LocalShare::new(LimitKind::Rate, now);
        let (mut big, mut small) = (soon(&mut pot, 3.0, now), soon(&mut pot, 1.0, now));
        assert_eq!(pot.wish(now), Some((4.0, 3.0)));
        pot.receive(Some(share(2.0, 1000)), 2.0, now, now);
        assert!(!is_served(&mut big) && !is_served(&mut small), "the small one does not pass the big one");
        pot.receive(Some(share(1.0, 1000)), 1.0, now, now);
        assert!(is_served(&mut big) && !is_served(&mut small));
        pot.receive(Some(share(5.0, 1000)), 1.0, now, now);
        assert!(is_served(&mut small));
        assert_eq!(pot.report(now, SECOND), (0.0, 8.0), "four of them for calls under way");
        pot.settle(3.0, 3.0, now);
        pot.settle(1.0, 1.0, now);
        assert_eq!(pot.report(now + SECOND, 9 * SECOND), (4.0, 0.0), "what was not used is void");
    }

    #[test]
    fn less_than_the_least_lets_the_first_pass_with_all_there_is() {
        let now = Instant::now();
        let mut pot = LocalShare::new(LimitKind::Budget, now);
        let (mut first, mut second) = (soon(&mut pot, 0.5, now), soon(&mut pot, 0.5, now));
        pot.receive(Some(share(0.2, 60_000)), 0.5, now, now);
        assert!(is_served(&mut first) && !is_served(&mut second));
        pot.receive(Some(LimitShare { amount: 0.0, for_ms: 0, again_ms: None }), 0.5, now, now);
        assert_eq!(second.try_recv(), Ok(ServeResult::Spent));
        assert!(matches!(pot.take(0.1, now), TakeResult::Never));
    }

    #[test]
    fn a_call_that_used_less_leaves_the_rest_of_a_budget_to_others() {
        let now = Instant::now();
        let mut pot = LocalShare::new(LimitKind::Budget, now);
        let _first = soon(&mut pot, 1.0, now);
        pot.receive(Some(share(1.0, 60_000)), 1.0, now, now);
        pot.settle(1.0, 0.25, now);
        assert!(matches!(pot.take(0.75, now), TakeResult::Now));
        pot.settle(0.75, 0.75, now);
        assert_eq!(pot.report(now, SECOND), (1.0, 0.0));
    }

    #[test]
    fn what_is_too_little_is_given_back() {
        let now = Instant::now();
        let mut pot = LocalShare::new(LimitKind::Budget, now);
        let _first = soon(&mut pot, 1.0, now);
        pot.receive(Some(share(1.0, 60_000)), 1.0, now, now);
        pot.settle(1.0, 0.75, now);
        let _second = soon(&mut pot, 1.0, now);
        assert_eq!(pot.wish(now), Some((1.75, 0.75)), "one like it ahead");
        pot.receive(Some(LimitShare { amount: 0.0, for_ms: 0, again_ms: Some(50) }), 0.75, now, now);
        assert_eq!(pot.report(now, SECOND), (0.75, 0.0));
        assert_eq!(pot.wish(now + SECOND), Some((1.0, 1.0)));
    }

    #[test]
    fn a_budget_that_nobody_sets_is_not_waited_for_for_ever() {
        let start = Instant::now();
        let mut budget = LocalShare::new(LimitKind::Budget, start);
        let mut waits = soon(&mut budget, 1.0, start);
        for secs in 0..10 {
            let now = start + secs * SECOND;
            budget.receive(None, 1.0, now, now);
            assert!(waits.try_recv().is_err(), "it may come yet after {secs} s");
        }
        let late = start + 10 * SECOND;
        budget.receive(None, 1.0, late, late);
        assert_eq!(waits.try_recv(), Ok(ServeResult::Spent), "whoever waits gives its slot to others");
        assert!(matches!(budget.take(1.0, late), TakeResult::Never));
        budget.receive(Some(share(2.0, 60_000)), 1.0, late, late);
        assert!(matches!(budget.take(1.0, late), TakeResult::Now), "once it is set it counts");
    }

    #[test]
    fn rates_that_nobody_set_are_no_limit_and_budgets_are_waited_for() {
        let now = Instant::now();
        let (mut rate, mut budget) = (LocalShare::new(LimitKind::Rate, now), LocalShare::new(LimitKind::Budget, now));
        let (mut passes, mut waits) = (soon(&mut rate, 1.0, now), soon(&mut budget, 1.0, now));
        rate.receive(None, 1.0, now, now);
        budget.receive(None, 1.0, now, now);
        assert!(is_served(&mut passes) && !is_served(&mut waits));
        assert!(matches!(rate.take(1e9, now), TakeResult::Now));
        assert_eq!((rate.wish(now), budget.wish(now)), (None, None));
        assert!(rate.wish(now + UNSET_FOR).is_some() && budget.wish(now + UNSET_AGAIN).is_some());
    }
}
