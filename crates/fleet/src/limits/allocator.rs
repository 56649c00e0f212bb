//! Shares out what a fleet may use. Pure: whoever drives it says what time it is and keeps its state.

use std::collections::BTreeMap;

use super::budget::{self, BudgetLimit, GrantTiming};
use super::rate::{self, LimitWish, RateLimit};
use super::rule::{Rule, run_of};
use crate::ask::{Grant, LimitShare, ShareRequest};

/// A session that was not heard for so long is forgotten: its requests are numbered from 1 again.
const FORGET_MS: u64 = 3_600_000;

/// Grants shares of every limit, never more in all than its rule allows.
#[derive(Debug)]
pub struct Allocator {
    fence_ms: Option<u64>,
    books: BTreeMap<String, LimitBook>,
    numbers: BTreeMap<String, (u64, u64)>,
    /// Before this nothing is granted: shares of an allocator before this one may still be in use.
    begins_ms: u64,
    /// When the state was last kept; nothing before that was ever done.
    kept_ms: Option<u64>,
}

#[derive(Debug)]
enum LimitBook {
    Rate(RateLimit),
    Sum(BudgetLimit),
}

/// The state of one limit as it is to be kept.
#[derive(Debug)]
pub struct LimitDraft {
    /// The limit.
    pub limit: String,
    /// Its state, in JSON.
    pub text: String,
    sum: Option<budget::KeptBudget>,
}

/// What is known of one limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitStanding {
    /// The rule.
    pub rule: Rule,
    /// What was used of a budget, as far as workers have told. Nothing for rates.
    pub used: Option<f64>,
    /// What of a budget is used, held by workers, or may be. Nothing for rates.
    pub committed: Option<f64>,
}

impl Allocator {
    /// An allocator of which nothing is kept.
    pub fn in_memory(now_ms: u64) -> Self {
        Self { fence_ms: None, books: BTreeMap::new(), numbers: BTreeMap::new(), begins_ms: now_ms, kept_ms: None }
    }

    /// An allocator whose state is kept at least every `fence_ms`. It grants nothing that its successor could not know of:
    /// rates stop when the state was not kept for so long, budgets wait for it.
    pub fn kept(now_ms: u64, fence_ms: u64) -> Self {
        Self { fence_ms: Some(fence_ms), ..Self::in_memory(now_ms) }
    }

    /// Sets a limit, or changes it: what was used under it counts on.
    pub fn set(&mut self, limit: &str, rule: Rule, now_ms: u64) {
        match (self.books.get_mut(limit), rule) {
            // A limit that changes keeps its history: starting anew would let everybody use the whole of it again at once.
            (Some(LimitBook::Rate(rate)), Rule::Rate { amount, window_ms }) => {
                (rate.amount, rate.window_ms) = (amount, window_ms.max(1));
            }
            (Some(LimitBook::Sum(sum)), Rule::Budget { amount }) => sum.amount = amount,
            _ => {
                self.books.insert(limit.to_owned(), self.book(rule, now_ms));
            }
        }
    }

    /// Sets a limit with the state that was kept of it. Nothing is granted for as long as shares of the allocator that kept
    /// it may be in use, so that a limit can only be used too little.
    pub fn restore(&mut self, limit: &str, rule: Rule, text: &str, now_ms: u64) -> Result<(), serde_json::Error> {
        let book = match self.book(rule, now_ms) {
            LimitBook::Rate(rate) => {
                // What a predecessor granted after it last wrote its state is seen nowhere. It stops granting `fence_ms` after that,
                // so one waits for so long, and for the shares that may still be in use then.
                let slice_ms = rate.longest_slice_ms();
                let unseen_ms = self.fence_ms.unwrap_or_default();
                self.begins_ms = self.begins_ms.max(now_ms + unseen_ms.max(rate.slice_ms(0)));
                let kept: rate::KeptRate = serde_json::from_str(text)?;
                LimitBook::Rate(rate.restored(&kept, now_ms, unseen_ms, now_ms + unseen_ms + slice_ms))
            }
            LimitBook::Sum(sum) => {
                self.begins_ms = self.begins_ms.max(now_ms + self.fence_ms.unwrap_or_default());
                LimitBook::Sum(sum.restored(&serde_json::from_str(text)?, now_ms, self.begins_ms))
            }
        };
        self.books.insert(limit.to_owned(), book);
        Ok(())
    }

    /// Forgets a limit.
    pub fn remove(&mut self, limit: &str) {
        self.books.remove(limit);
    }

    /// The limits that are set.
    pub fn limits(&self) -> impl Iterator<Item = &str> {
        self.books.keys().map(String::as_str)
    }

    /// Takes down what a worker tells, and grants what it asks for as far as there is any.
    pub fn grant(&mut self, worker: &str, request: &ShareRequest, now_ms: u64) -> Grant {
        let session = format!("{worker}/{}", request.session);
        // A request that overtook this one has told more recent figures: these would make what is used shrink.
        if !self.is_next(&session, request.n, now_ms) {
            return Grant::default();
        }
        self.hear(&session, request, now_ms);
        let wishes = request.want.iter().map(|(limit, want)| (limit, *want, told(&request.least, limit)));
        let shares = wishes.filter_map(|(limit, want, least)| {
            let wish = LimitWish { session: &session, want: sound(want), least };
            Some((limit.clone(), self.share(limit, wish, now_ms)?))
        });
        Grant { shares: shares.collect() }
    }

    /// The state of every limit, to be kept and then confirmed.
    pub fn propose(&mut self, now_ms: u64) -> Vec<LimitDraft> {
        self.numbers.retain(|_session, (_n, heard_ms)| *heard_ms + FORGET_MS > now_ms);
        self.books.iter_mut().map(|(limit, book)| draft(limit, book, now_ms)).collect()
    }

    /// All of the drafts that were proposed at this moment are kept.
    pub fn confirm(&mut self, drafts: &[LimitDraft], proposed_ms: u64) {
        self.kept_ms = self.kept_ms.max(Some(proposed_ms));
        for draft in drafts {
            match (self.books.get_mut(&draft.limit), &draft.sum) {
                (Some(LimitBook::Sum(sum)), Some(kept)) => sum.confirm(kept),
                (Some(LimitBook::Rate(rate)), None) => rate.confirm(),
                _ => {} // It was forgotten, or set anew, in the meantime.
            }
        }
    }

    /// Whether somebody waits for the state to be kept.
    pub fn is_short(&self) -> bool {
        self.fence_ms.is_some() && self.books.values().any(|book| matches!(book, LimitBook::Sum(sum) if sum.is_short()))
    }

    /// How a limit stands.
    pub fn standing(&self, limit: &str) -> Option<LimitStanding> {
        Some(match self.books.get(limit)? {
            LimitBook::Rate(rate) => {
                let rule = Rule::Rate { amount: rate.amount, window_ms: rate.window_ms };
                LimitStanding { rule, used: None, committed: None }
            }
            LimitBook::Sum(sum) => LimitStanding {
                rule: Rule::Budget { amount: sum.amount },
                used: Some(sum.used()),
                committed: Some(sum.committed()),
            },
        })
    }

    /// The runs that have nothing left of a budget.
    pub fn spent_runs(&self, now_ms: u64) -> Vec<String> {
        let is_spent = |book: &LimitBook| matches!(book, LimitBook::Sum(sum) if sum.is_spent(now_ms));
        let spent = self.books.iter().filter(|(_limit, book)| is_spent(book));
        let mut runs: Vec<String> = spent.filter_map(|(limit, _book)| run_of(limit).map(str::to_owned)).collect();
        runs.dedup();
        runs
    }

    fn book(&self, rule: Rule, now_ms: u64) -> LimitBook {
        let keeping = if self.fence_ms.is_some() { GrantTiming::First } else { GrantTiming::Nothing };
        match rule {
            Rule::Rate { amount, window_ms } => LimitBook::Rate(RateLimit::new(amount, window_ms, keeping, now_ms)),
            Rule::Budget { amount } => LimitBook::Sum(BudgetLimit::new(amount, keeping, now_ms)),
        }
    }

    /// Whether a request is no older than those that were heard before.
    fn is_next(&mut self, session: &str, n: u64, now_ms: u64) -> bool {
        let last = self.numbers.entry(session.to_owned()).or_default();
        let is_next = n > last.0;
        if is_next {
            *last = (n, now_ms);
        }
        is_next
    }

    /// Takes down what a session has used and holds, of everything it tells of or wants.
    fn hear(&mut self, session: &str, request: &ShareRequest, now_ms: u64) {
        let told_of =
            |limit: &String| [&request.want, &request.used, &request.held].iter().any(|map| map.contains_key(limit));
        for (limit, book) in self.books.iter_mut().filter(|(limit, _book)| told_of(limit)) {
            let (used, held) = (told(&request.used, limit), told(&request.held, limit));
            match book {
                LimitBook::Rate(rate) => rate.report(session, used, held, now_ms),
                LimitBook::Sum(sum) => sum.report(session, used, held, now_ms),
            }
            match book {
                LimitBook::Rate(rate) if request.over => rate.leave(session),
                LimitBook::Sum(sum) if request.over => sum.leave(session),
                _ => {}
            }
        }
    }

    fn share(&mut self, limit: &str, wish: LimitWish<'_>, now_ms: u64) -> Option<LimitShare> {
        let is_late = |fence_ms| self.kept_ms.is_none_or(|kept_ms| now_ms > kept_ms + fence_ms);
        let fenced_ms = self.fence_ms.filter(|fence_ms| is_late(*fence_ms));
        let book = self.books.get_mut(limit)?;
        // Refusing for a while is always safe: a limit may be used too little, never too much.
        if now_ms < self.begins_ms {
            return Some(not_yet(self.begins_ms - now_ms));
        }
        if let Some(fence_ms) = fenced_ms {
            return Some(not_yet(fence_ms / 2));
        }
        Some(match book {
            LimitBook::Rate(rate) => rate.grant(wish, now_ms),
            LimitBook::Sum(sum) => sum.grant(wish, now_ms),
        })
    }
}

fn not_yet(again_ms: u64) -> LimitShare {
    LimitShare { amount: 0.0, for_ms: 0, again_ms: Some(again_ms.max(1)) }
}

fn draft(limit: &str, book: &mut LimitBook, now_ms: u64) -> LimitDraft {
    let written = "numbers and texts can be written as JSON";
    match book {
        LimitBook::Rate(rate) => {
            let text = serde_json::to_string(&rate.kept(now_ms)).expect(written);
            LimitDraft { limit: limit.to_owned(), text, sum: None }
        }
        LimitBook::Sum(sum) => {
            let kept = sum.propose(now_ms);
            let text = serde_json::to_string(&kept).expect(written);
            LimitDraft { limit: limit.to_owned(), text, sum: Some(kept) }
        }
    }
}

fn told(map: &BTreeMap<String, f64>, limit: &str) -> f64 {
    map.get(limit).copied().map_or(0.0, sound)
}

/// What a worker tells is a number, and not below nothing.
fn sound(told: f64) -> f64 {
    if told.is_finite() { told.max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests;
