//! One limit on a rate: how much is granted in any stretch of time, and to whom.
//!
//! What was granted counts from the grant until a whole window after its last use may have been made, so that no window
//! ever sees more than the rule allows, whatever workers do with their shares within the time they hold for. A bucket that
//! fills at the pace of the rule spreads grants over the window.

use std::collections::{BTreeMap, VecDeque};

use serde::{Deserialize, Serialize};

use super::NOTHING;
use super::budget::GrantTiming;
use super::turns::WaitingOrder;
use crate::ask::LimitShare;

/// The part of a window that calls may take on their way to the provider.
const ON_THE_WAY: u64 = 50;

/// A limit on a rate.
#[derive(Debug)]
pub(super) struct RateLimit {
    pub(super) amount: f64,
    pub(super) window_ms: u64,
    /// What may be used until a moment, by that moment.
    log: BTreeMap<u64, f64>,
    level: f64,
    filled_ms: u64,
    holders: BTreeMap<String, Holder>,
    swept_ms: u64,
    turns: WaitingOrder,
    refunds: Refunds,
}

/// What was given back. It is granted again once what is kept says so: otherwise whoever comes after us would not know of
/// the later use.
#[derive(Debug)]
struct Refunds {
    keeping: GrantTiming,
    is_kept: bool,
    fresh: f64,
    proposed: f64,
}

/// What one session was granted and has not told of yet, the oldest first.
#[derive(Debug, Default)]
struct Holder {
    slices: VecDeque<(u64, f64)>,
    used: f64,
    heard_ms: u64,
}

/// What somebody wants of a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitWish<'a> {
    pub(super) session: &'a str,
    pub(super) want: f64,
    pub(super) least: f64,
}

/// What is kept of a limit: times are counted from the moment it was written.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct KeptRate {
    log: Vec<(i64, f64)>,
    level: f64,
}

impl RateLimit {
    pub(super) fn new(amount: f64, window_ms: u64, keeping: GrantTiming, now_ms: u64) -> Self {
        Self {
            amount,
            window_ms: window_ms.max(1),
            log: BTreeMap::new(),
            level: 0.0,
            filled_ms: now_ms,
            holders: BTreeMap::new(),
            swept_ms: now_ms,
            turns: WaitingOrder::default(),
            refunds: Refunds { keeping, is_kept: false, fresh: 0.0, proposed: 0.0 },
        }
    }

    /// The limit as it was kept. Whatever may have been granted after it was written, for `unseen_ms` at most, counts as
    /// granted until `until_ms`.
    pub(super) fn restored(mut self, kept: &KeptRate, now_ms: u64, unseen_ms: u64, until_ms: u64) -> Self {
        for (after_ms, amount) in &kept.log {
            self.count(now_ms.saturating_add_signed(*after_ms), *amount);
        }
        // The most that can have been granted unseen: all that was in the bucket, and all that flowed in since.
        let unseen = kept.level.max(0.0) + self.pace() * unseen_ms as f64;
        self.count(until_ms, unseen);
        self
    }

    pub(super) fn kept(&mut self, now_ms: u64) -> KeptRate {
        self.pass(now_ms, 0.0);
        let after = |until_ms: u64| i64::try_from(until_ms).unwrap_or(i64::MAX) - i64::try_from(now_ms).unwrap_or(0);
        let log = self.log.iter().map(|(until_ms, amount)| (after(*until_ms), *amount)).collect();
        self.refunds.proposed += std::mem::take(&mut self.refunds.fresh);
        KeptRate { log, level: self.level + self.refunds.proposed }
    }

    /// What was to be kept last is kept.
    pub(super) fn confirm(&mut self) {
        self.level += std::mem::take(&mut self.refunds.proposed);
        self.refunds.is_kept = true;
    }

    /// How long a share holds: a sixtieth of the window, longer when there are many who ask, a twelfth at most.
    pub(super) fn slice_ms(&self, n_sessions: usize) -> u64 {
        // Short shares let what is unused go to others soon; but every share is a request to the steward, so with thousands of
        // workers they hold longer.
        let base = (self.window_ms / 60).max(1);
        (base * n_sessions as u64 / 2000).clamp(base, self.longest_slice_ms())
    }

    pub(super) fn longest_slice_ms(&self) -> u64 {
        (self.window_ms / 12).max(1)
    }

    /// Takes down what became of a session's shares. What it neither used nor holds is free again; what it used beyond
    /// them counts from now on.
    pub(super) fn report(&mut self, session: &str, used: f64, held: f64, now_ms: u64) {
        let Some(mut holder) = self.holders.remove(session) else {
            // Whatever it holds was granted before we began, and is in the log already.
            let slices = VecDeque::from([(0, held)]);
            self.holders.insert(session.to_owned(), Holder { slices, used, heard_ms: now_ms });
            return;
        };
        let used_since = (used - holder.used).max(0.0);
        let total: f64 = holder.slices.iter().map(|(_until_ms, amount)| amount).sum();
        let unused = total - used_since - held;
        if unused > NOTHING {
            self.give_back(&mut holder.slices, unused);
        } else if unused < -NOTHING {
            self.count(now_ms, -unused);
            self.level += unused;
        }
        keep_newest(&mut holder.slices, held);
        self.holders.insert(
            session.to_owned(),
            Holder { slices: holder.slices, used: holder.used.max(used), heard_ms: now_ms },
        );
    }

    /// A session is over and holds nothing.
    pub(super) fn leave(&mut self, session: &str) {
        self.holders.remove(session);
        self.turns.leave(session);
    }

    /// Grants a share, or says when to ask again.
    pub(super) fn grant(&mut self, wish: LimitWish<'_>, now_ms: u64) -> LimitShare {
        let least = wish.least.clamp(0.0, self.amount);
        self.pass(now_ms, least);
        let slice_ms = self.slice_ms(self.holders.len());
        if self.refunds.keeping == GrantTiming::First && !self.refunds.is_kept {
            return LimitShare { amount: 0.0, for_ms: 0, again_ms: Some(slice_ms) };
        }
        let ahead = self.turns.ahead(wish.session, now_ms);
        let room = self.level.min(self.amount - self.counted()) - ahead;
        if room + NOTHING < least || room < NOTHING {
            let again_ms = self.wait_ms(ahead + least.max(NOTHING), now_ms).clamp(slice_ms / 10 + 1, slice_ms.max(2));
            self.turns.wait(wish.session, least, now_ms + again_ms + slice_ms);
            return LimitShare { amount: 0.0, for_ms: 0, again_ms: Some(again_ms) };
        }
        self.turns.leave(wish.session);
        let amount = whole(self.fair(room).clamp(least, wish.want.max(least)).min(room), wish);
        self.hand_out(wish.session, amount, now_ms + slice_ms, now_ms);
        LimitShare { amount, for_ms: slice_ms, again_ms: None }
    }

    /// A part of what there is for each that asks.
    fn fair(&self, room: f64) -> f64 {
        room / self.holders.len().max(1) as f64
    }

    fn hand_out(&mut self, session: &str, amount: f64, until_ms: u64, now_ms: u64) {
        let until_ms = self.count(until_ms, amount);
        self.level -= amount;
        let holder = self.holders.entry(session.to_owned()).or_default();
        holder.slices.push_back((until_ms, amount));
        holder.heard_ms = now_ms;
    }

    /// Counts an amount that may be used until a moment. Moments that are close together are kept as one.
    fn count(&mut self, until_ms: u64, amount: f64) -> u64 {
        let until_ms = until_ms.next_multiple_of((self.window_ms / 240).max(1));
        if amount > NOTHING {
            *self.log.entry(until_ms).or_default() += amount;
        }
        until_ms
    }

    fn counted(&self) -> f64 {
        self.log.values().sum()
    }

    /// The oldest of a session's slices were the unused ones: what is left then counts longer than it must.
    fn give_back(&mut self, slices: &mut VecDeque<(u64, f64)>, mut unused: f64) {
        while unused > NOTHING
            && let Some((until_ms, amount)) = slices.front_mut()
        {
            let back = unused.min(*amount);
            *amount -= back;
            unused -= back;
            if let Some(counted) = self.log.get_mut(until_ms) {
                let freed = back.min(*counted);
                *counted -= freed;
                self.refunds.fresh += freed;
            }
            if *amount <= NOTHING {
                slices.pop_front();
            }
        }
    }

    /// Time passes: the bucket fills, and what is out of every window counts no more.
    fn pass(&mut self, now_ms: u64, least: f64) {
        if self.refunds.keeping == GrantTiming::Nothing {
            self.level += std::mem::take(&mut self.refunds.fresh);
        }
        // A bucket that held a whole window would let all of it go in one burst, which providers refuse although the minute
        // as a whole is within the rule. It holds a tenth, or as much as one call needs.
        let most = (self.amount / 10.0).max(least).max(1.0_f64.min(self.amount));
        let passed_ms = now_ms.saturating_sub(self.filled_ms);
        self.level = (self.level + self.pace() * passed_ms as f64).min(most.max(self.turns.most()));
        self.filled_ms = self.filled_ms.max(now_ms);
        let counts_ms = self.counts_ms();
        self.log.retain(|until_ms, amount| until_ms + counts_ms > now_ms && *amount > NOTHING);
        if now_ms >= self.swept_ms + self.window_ms / 60 {
            // After two windows nothing of what a silent session used can be in any window that is still counted.
            let silent_ms = 2 * self.window_ms;
            self.holders.retain(|_session, holder| holder.heard_ms + silent_ms > now_ms);
            self.swept_ms = now_ms;
        }
    }

    /// For how long a use counts: the window, and what the call takes on its way.
    fn counts_ms(&self) -> u64 {
        self.window_ms + self.window_ms / ON_THE_WAY
    }

    /// What the rule allows in a millisecond.
    fn pace(&self) -> f64 {
        self.amount / self.window_ms as f64
    }

    /// After how long so much will be free.
    fn wait_ms(&self, needed: f64, now_ms: u64) -> u64 {
        let filled_ms = ((needed - self.level).max(0.0) / self.pace()).ceil() as u64;
        let mut missing = needed - (self.amount - self.counted());
        let mut aged_ms = 0;
        for (until_ms, amount) in &self.log {
            if missing <= NOTHING {
                break;
            }
            missing -= amount;
            aged_ms = (until_ms + self.counts_ms()).saturating_sub(now_ms);
        }
        filled_ms.max(aged_ms)
    }
}

/// Drops the oldest slices, or parts of them, until so much is left.
fn keep_newest(slices: &mut VecDeque<(u64, f64)>, held: f64) {
    let mut excess = slices.iter().map(|(_until_ms, amount)| amount).sum::<f64>() - held;
    while excess > NOTHING
        && let Some((_until_ms, amount)) = slices.front_mut()
    {
        let used = excess.min(*amount);
        *amount -= used;
        excess -= used;
        if *amount <= NOTHING {
            slices.pop_front();
        }
    }
}

/// Whole numbers are granted to those who count in whole numbers: half a request is of no use.
fn whole(amount: f64, wish: LimitWish<'_>) -> f64 {
    let counts_whole = wish.want.fract() == 0.0 && wish.least.fract() == 0.0;
    if counts_whole && amount >= 1.0 { (amount + NOTHING).floor() } else { amount }
}
