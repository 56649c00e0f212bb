//! The books of a run: every call of a model, as it begins and as it ends, so that money is accounted for whatever dies.

use serde::{Deserialize, Serialize};

use crate::agent::Usage;
use crate::ending::Exhausted;
use crate::event::RecordError;
use crate::limits::Budget;
use crate::trial::TrialId;

/// One line of the books.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "call", rename_all = "snake_case")]
pub enum CallLine {
    /// A call is about to be made. One that never ends was in flight when the process died: nothing is known of it.
    Began {
        /// Its name, unique in the run; it is sent along, so that the provider's books can be held against ours.
        id: String,
        /// For which trial; nothing for calls that belong to none, such as a labeller's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        trial: Option<TrialId>,
        /// In which attempt.
        attempt: u32,
        /// In which turn.
        step_idx: u32,
        /// What for.
        purpose: Purpose,
        /// Who is asked: `anthropic/claude-opus-4-6`.
        model: String,
    },
    /// A call is over.
    Ended {
        /// Which.
        id: String,
        /// What is known of what it used.
        bill: Bill,
        /// What the provider said where it gave no answer: `429`, `timed out`, `stream cut`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failed: Option<String>,
        /// How long it took.
        ms: u64,
    },
}

/// What a model is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// To act.
    Act,
    /// To say again in the agreed form what it said in another.
    Correct,
    /// To sum up what no longer fits into its context.
    Summarise,
    /// To find on the screen what another model wants.
    Ground,
    /// To act on the screen for a model that cannot see.
    Delegate,
    /// To label how trials went wrong.
    Label,
    /// Whatever an outside agent wants: the call passed through our proxy.
    Outside,
}

/// What is known of what a call used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "bill", rename_all = "snake_case")]
pub enum Bill {
    /// The provider said so.
    Told(Usage),
    /// It was refused before anything was done: nothing is billed.
    Free,
    /// No answer arrived in full: it may have been billed.
    Unknown,
}

impl Bill {
    /// What the call adds to what a reply used.
    pub fn usage(&self) -> Usage {
        match self {
            Self::Told(usage) => *usage,
            Self::Free => Usage::nothing(),
            Self::Unknown => Usage { n_unknown: 1, ..Usage::nothing() },
        }
    }
}

/// Keeps the books. What was written survives the death of the process.
pub trait Journal: Send + Sync {
    /// Writes a line.
    fn write(&self, line: &CallLine) -> Result<(), RecordError>;
}

/// Books that keep nothing: for calls that belong to no run.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoBooks;

impl Journal for NoBooks {
    fn write(&self, _line: &CallLine) -> Result<(), RecordError> {
        Ok(())
    }
}

/// How many calls a budget bears of which nothing is known, before any is known at all. More than are ever in flight when
/// a run begins, so that one that was killed at once, and once more, can still go on.
const MOST_UNSEEN: u64 = 100;

/// What all calls of a run came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Totals {
    /// US dollars, as far as they are known.
    pub cost_usd: f64,
    /// Tokens, in and out, as far as they are known.
    pub tokens: u64,
    /// Calls that were made, the refused ones included.
    pub n_calls: u64,
    /// Of these, calls that were refused before anything was done, or answered without asking the provider.
    pub n_free: u64,
    /// Of these, calls of which nothing is known: the provider may have billed them.
    pub n_unknown: u64,
    /// Of these, calls whose tokens are known and whose price is not.
    pub n_unpriced: u64,
    /// The dearest call, in US dollars. A budget counts every call of which nothing is known as one like it.
    pub dearest_usd: f64,
}

impl Totals {
    /// One more call.
    pub fn add(&mut self, bill: &Bill) {
        self.n_calls += 1;
        match bill {
            Bill::Free => self.n_free += 1,
            Bill::Unknown => self.n_unknown += 1,
            Bill::Told(usage) => {
                let cost_usd = usage.cost_usd.unwrap_or_default();
                self.n_unpriced += u64::from(usage.cost_usd.is_none());
                self.tokens = self.tokens.saturating_add(usage.tokens());
                self.cost_usd += cost_usd;
                self.dearest_usd = self.dearest_usd.max(cost_usd);
            }
        }
    }

    /// What of a budget is spent, of money and tokens; steps and minutes are not counted here. Calls of which nothing is
    /// known count as much as the dearest of the others; where there are no others, nothing could hold it, and so nothing
    /// is left after a hundred of them.
    pub fn exhausted(&self, budget: &Budget) -> Option<Exhausted> {
        let is_unseen = self.n_unknown >= MOST_UNSEEN && self.n_calls == self.n_unknown + self.n_free;
        if budget.cost_usd.is_some_and(|limit| is_unseen || self.feared_usd() >= limit) {
            return Some(Exhausted::Cost);
        }
        let tokens = budget.tokens.is_some_and(|limit| is_unseen || self.tokens >= limit);
        tokens.then_some(Exhausted::Tokens)
    }

    /// US dollars that the provider may have billed at most, if no call of which nothing is known was dearer than the
    /// dearest of the others.
    pub fn feared_usd(&self) -> f64 {
        self.cost_usd + self.n_unknown as f64 * self.dearest_usd
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_that_never_tells_what_it_bills_is_not_asked_for_ever() {
        let budget = Budget { cost_usd: Some(5.0), ..Budget::default() };
        let mut totals = Totals::default();
        totals.add(&Bill::Free);
        let n_admitted = std::iter::from_fn(|| {
            let admitted = totals.exhausted(&budget).is_none();
            totals.add(&Bill::Unknown);
            admitted.then_some(())
        });
        assert_eq!(n_admitted.count(), MOST_UNSEEN as usize);
        assert_eq!(totals.exhausted(&Budget { tokens: Some(9), ..Budget::default() }), Some(Exhausted::Tokens));
        assert_eq!(totals.exhausted(&Budget::default()), None);
        totals.add(&Bill::Told(Usage { cost_usd: Some(0.01), ..Usage::default() }));
        assert_eq!(totals.exhausted(&budget), None, "one that is known tells what the others are to be feared for");
    }
}
