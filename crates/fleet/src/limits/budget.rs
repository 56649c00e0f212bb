//! One limit on a sum: what sessions have used and what they hold never exceed it together.
//!
//! A session that dies keeps what it holds: it may have used it. An allocator that dies has made a promise before, in what
//! is kept of it, how much may be out at most; whoever comes after it counts all of that as held until everybody who may
//! hold something has told.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::NOTHING;
use super::rate::LimitWish;
use crate::ask::LimitShare;

/// A session that was not heard for so long is taken for dead: nobody waits for what it holds.
const SILENT_MS: u64 = 60_000;
/// When to ask again where somebody else may give something back.
const AGAIN_MS: u64 = 500;
/// When to ask again where only the keeping of the state is in the way.
const SOON_MS: u64 = 50;
/// The part of what is left that is granted at once, at most: one in so many.
const SLICES: f64 = 20.0;
/// Shares of a sum do not lapse: they count until their holder tells what became of them.
const FOR_MS: u64 = 86_400_000;

/// A limit on a sum.
#[derive(Debug)]
pub(super) struct BudgetLimit {
    pub(super) amount: f64,
    /// What sessions used that are over.
    settled: f64,
    accounts: BTreeMap<String, BudgetAccount>,
    /// What the accounts have used and hold together.
    total: (f64, f64),
    /// What may have been granted by an allocator before this one that nobody has told of yet.
    unaccounted: f64,
    /// The sessions that may hold it.
    awaited: BTreeSet<String>,
    since_ms: u64,
    /// What is told before is not the last word: the allocator before this one may still grant.
    settles_ms: u64,
    promise: BudgetPromise,
}

#[derive(Clone, Copy, Debug, Default)]
struct BudgetAccount {
    used: f64,
    held: f64,
    heard_ms: u64,
    /// Whether it is in what was kept last, as one that may be granted something.
    is_kept: bool,
}

/// How much may be out until the state is kept again.
#[derive(Debug)]
struct BudgetPromise {
    kept: f64,
    /// The least of those that were proposed since: any of them may be kept by now.
    proposed: f64,
    is_short: bool,
    /// The most that somebody needed and that was not promised.
    lacking: f64,
    granted_since: f64,
}

/// What is kept of a limit.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptBudget {
    settled: f64,
    /// What may be out at most until this is written again, what is settled and used included.
    promised: f64,
    /// By session: used, held, and 1 for those that were silent for long.
    accounts: BTreeMap<String, (f64, f64, u8)>,
}

/// Whether grants wait until the state that promises them is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GrantTiming {
    /// Nothing is kept, and nothing survives.
    Nothing,
    /// They wait.
    First,
}

impl BudgetLimit {
    pub(super) fn new(amount: f64, keeping: GrantTiming, now_ms: u64) -> Self {
        // Where the state is kept, nothing is promised before it was: whoever comes after us must know of every cent.
        let most = if keeping == GrantTiming::Nothing { f64::INFINITY } else { 0.0 };
        Self {
            amount,
            settled: 0.0,
            accounts: BTreeMap::new(),
            total: (0.0, 0.0),
            unaccounted: 0.0,
            awaited: BTreeSet::new(),
            since_ms: now_ms,
            settles_ms: now_ms,
            promise: BudgetPromise {
                kept: most,
                proposed: f64::INFINITY,
                is_short: true,
                lacking: 0.0,
                granted_since: 0.0,
            },
        }
    }

    /// The limit as it was kept, by an allocator that grants no more after `settles_ms`.
    pub(super) fn restored(mut self, kept: &KeptBudget, now_ms: u64, settles_ms: u64) -> Self {
        let account = |(used, held): (f64, f64)| BudgetAccount { used, held, heard_ms: now_ms, is_kept: false };
        self.settled = kept.settled;
        self.accounts =
            kept.accounts.iter().map(|(name, (used, held, _))| (name.clone(), account((*used, *held)))).collect();
        self.add_up();
        let may_hold = kept.accounts.iter().filter(|(_name, (_, _, silent))| *silent == 0);
        self.awaited = may_hold.map(|(name, _)| name.clone()).collect();
        // Between its last writing and its end the allocator before us may have granted all that it had promised.
        self.unaccounted = (kept.promised - self.committed()).max(0.0);
        (self.since_ms, self.settles_ms) = (now_ms, settles_ms);
        self.release_unaccounted();
        self
    }

    /// What is to be kept. Until it is, no more is granted than both this and what was kept before promise.
    pub(super) fn propose(&mut self, now_ms: u64) -> KeptBudget {
        self.add_up();
        let ahead = (2.0 * self.left() / SLICES).max(2.0 * self.promise.granted_since).max(self.promise.lacking);
        let promised = (self.committed() + ahead).min(self.amount.max(self.committed()));
        self.promise.proposed = self.promise.proposed.min(promised);
        (self.promise.granted_since, self.promise.lacking) = (0.0, 0.0);
        self.promise.is_short = false;
        let entry = |(name, account): (&String, &mut BudgetAccount)| {
            let silent = account.is_silent(now_ms);
            account.is_kept &= !silent;
            (name.clone(), (account.used, account.held, u8::from(silent)))
        };
        let accounts = self.accounts.iter_mut().map(entry).collect();
        KeptBudget { settled: self.settled, promised, accounts }
    }

    /// What was proposed is kept.
    pub(super) fn confirm(&mut self, kept: &KeptBudget) {
        (self.promise.kept, self.promise.proposed) = (kept.promised, f64::INFINITY);
        for (name, (_, _, silent)) in &kept.accounts {
            if let Some(account) = self.accounts.get_mut(name) {
                account.is_kept = *silent == 0;
            }
        }
    }

    /// Whether somebody waits for the state to be kept.
    pub(super) fn is_short(&self) -> bool {
        self.promise.is_short
    }

    /// Takes down what a session has used and what it holds.
    pub(super) fn report(&mut self, session: &str, used: f64, held: f64, now_ms: u64) {
        let account = self.accounts.entry(session.to_owned()).or_default();
        let before = *account;
        account.used = account.used.max(used);
        account.held = held.max(0.0);
        account.heard_ms = now_ms;
        let more = (account.used - before.used, account.held - before.held);
        self.total = (self.total.0 + more.0, self.total.1 + more.1);
        if self.awaited.contains(session) {
            self.unaccounted = (self.unaccounted - (more.0 + more.1).max(0.0)).max(0.0);
        }
        if now_ms >= self.settles_ms {
            self.awaited.remove(session);
            self.release_unaccounted();
        }
    }

    /// A session is over: what it used is all there is to it.
    pub(super) fn leave(&mut self, session: &str) {
        self.settled += self.accounts.remove(session).map_or(0.0, |account| account.used);
        self.add_up();
        self.awaited.remove(session);
        self.release_unaccounted();
    }

    /// Grants a share, says when to ask again, or that it is no use.
    pub(super) fn grant(&mut self, wish: LimitWish<'_>, now_ms: u64) -> LimitShare {
        let left = self.left();
        let others_hold = self.others_hold(wish.session, now_ms);
        let least = wish.least.max(NOTHING);
        if left < least && others_hold {
            return again(AGAIN_MS);
        }
        if left <= NOTHING {
            return LimitShare { amount: 0.0, for_ms: 0, again_ms: None };
        }
        let slice = (left / SLICES).min(left / (2.0 * self.accounts.len() as f64));
        let goal = slice.clamp(least, wish.want.max(least)).min(left);
        let amount = goal.min(self.promised_left());
        if !self.may_hold(wish.session) || amount + NOTHING < least.min(left) {
            self.promise.is_short = true;
            self.promise.lacking = self.promise.lacking.max(least.min(left));
            return again(SOON_MS);
        }
        self.promise.granted_since += amount;
        self.accounts.entry(wish.session.to_owned()).or_default().held += amount;
        self.total.1 += amount;
        LimitShare { amount, for_ms: FOR_MS, again_ms: None }
    }

    /// What was used, what is held, and what may be.
    pub(super) fn committed(&self) -> f64 {
        self.used() + self.total.1 + self.unaccounted
    }

    /// What was used, as far as it was told.
    pub(super) fn used(&self) -> f64 {
        self.settled + self.total.0
    }

    /// Adds up all accounts: what is added and taken bit by bit drifts.
    fn add_up(&mut self) {
        let both = |sum: (f64, f64), account: &BudgetAccount| (sum.0 + account.used, sum.1 + account.held);
        self.total = self.accounts.values().fold((0.0, 0.0), both);
    }

    /// Whether nothing is left, and nobody who lives holds anything that might come back.
    pub(super) fn is_spent(&self, now_ms: u64) -> bool {
        self.left() <= NOTHING && !self.others_hold("", now_ms)
    }

    fn left(&self) -> f64 {
        self.amount - self.committed()
    }

    fn promised_left(&self) -> f64 {
        self.promise.kept.min(self.promise.proposed) - self.committed()
    }

    /// Whoever holds something must be known to those who come after us.
    fn may_hold(&self, session: &str) -> bool {
        self.promise.kept.is_infinite() || self.accounts.get(session).is_some_and(|account| account.is_kept)
    }

    fn others_hold(&self, session: &str, now_ms: u64) -> bool {
        let holds = |account: &BudgetAccount| account.held > NOTHING && !account.is_silent(now_ms);
        let is_new = now_ms < self.since_ms + SILENT_MS;
        self.accounts.iter().any(|(name, account)| name != session && holds(account))
            || (is_new && self.unaccounted > NOTHING)
    }

    fn release_unaccounted(&mut self) {
        if self.awaited.is_empty() {
            self.unaccounted = 0.0;
        }
    }
}

impl BudgetAccount {
    fn is_silent(&self, now_ms: u64) -> bool {
        self.heard_ms + SILENT_MS <= now_ms
    }
}

fn again(ms: u64) -> LimitShare {
    LimitShare { amount: 0.0, for_ms: 0, again_ms: Some(ms) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wish(session: &str, want: f64, least: f64) -> LimitWish<'_> {
        LimitWish { session, want, least }
    }

    fn granted(sum: &mut BudgetLimit, wish: LimitWish<'_>, now_ms: u64) -> String {
        format!("{:.2}", sum.grant(wish, now_ms).amount)
    }

    #[test]
    fn slices_get_smaller_towards_the_end_and_the_rest_goes_to_one() {
        let mut sum = BudgetLimit::new(5.0, GrantTiming::Nothing, 0);
        let (mut used, mut slices) = (0.0, Vec::new());
        loop {
            sum.report("a", used, 0.0, 0);
            let share = sum.grant(wish("a", 9.0, 0.1), 0);
            if share.amount == 0.0 {
                assert_eq!(share.again_ms, None, "never");
                break;
            }
            slices.push(format!("{:.2}", share.amount));
            used += share.amount;
        }
        assert!((used - 5.0).abs() < 1e-6, "{used}");
        assert_eq!((slices[0].as_str(), slices.last().unwrap().as_str()), ("0.25", "0.09"), "{slices:?}");
        assert!(sum.is_spent(0));
    }

    #[test]
    fn the_last_of_a_kept_budget_can_be_used_up() {
        let mut sum = BudgetLimit::new(10.0, GrantTiming::First, 0);
        let mut used = 0.0;
        for _ in 0..100 {
            sum.report("a", used, 0.0, 0);
            used += sum.grant(wish("a", 1.0, 1.0), 0).amount;
            let kept = sum.propose(0);
            sum.confirm(&kept);
        }
        assert!((used - 10.0).abs() < 1e-9, "{used}");
    }

    #[test]
    fn whoever_comes_late_waits_for_what_others_may_give_back() {
        let mut sum = BudgetLimit::new(1.0, GrantTiming::Nothing, 0);
        for session in ["a", "b"] {
            sum.report(session, 0.0, 0.0, 0);
        }
        assert_eq!(granted(&mut sum, wish("a", 1.0, 1.0), 0), "1.00");
        assert_eq!(sum.grant(wish("b", 1.0, 0.5), 0).again_ms, Some(AGAIN_MS));
        sum.report("a", 0.2, 0.0, 0);
        assert_eq!(granted(&mut sum, wish("b", 0.5, 0.5), 0), "0.50");
        assert_eq!(granted(&mut sum, wish("a", 0.5, 0.5), SILENT_MS), "0.30", "b is taken for dead, its share spent");
        assert!((sum.committed() - 1.0).abs() < 1e-9);
    }
}
