//! Shares of what many processes may use together: a provider's rate, a run's budget.
//!
//! On one machine nothing is rationed: the provider says when there are too many calls, and the meter counts the budget
//! alone. On a fleet whoever connects models hands in where shares come from.

use std::fmt::Debug;
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::Usage;
use quintain_core::books::Bill;
use quintain_core::ending::Exhausted;

/// What a call is expected to use, or has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CallAmount {
    /// Tokens, in and out.
    pub tokens: u64,
    /// US dollars.
    pub cost_usd: f64,
}

impl CallAmount {
    /// What a bill comes to; nothing where nobody knows.
    pub fn of(bill: &Bill) -> Option<Self> {
        (*bill != Bill::Unknown).then(|| bill.usage().into())
    }
}

impl From<Usage> for CallAmount {
    /// What has no price is counted in tokens alone.
    fn from(usage: Usage) -> Self {
        Self { tokens: usage.tokens(), cost_usd: usage.cost_usd.unwrap_or_default() }
    }
}

/// A share that is waited for.
pub type ShareWait<'a> = Pin<Box<dyn Future<Output = Result<Permit, Refused>> + Send + 'a>>;

/// Asked before every call of a provider: may it be made now?
pub trait Ration: Debug + Send + Sync {
    /// Waits until a call of this model may be made, no longer than that.
    fn take<'a>(&'a self, model: &'a str, expected: CallAmount, within: Duration) -> ShareWait<'a>;
}

/// The share of a run's budget that this process may use.
pub trait BudgetShare: Debug + Send + Sync {
    /// Waits until there is enough for a call, no longer than that.
    fn take(&self, expected: CallAmount, within: Duration) -> ShareWait<'_>;
}

/// Why a call may not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There was no share in time.
    #[error("no share of `{limit}` within {within:?}")]
    Late {
        /// Of which limit.
        limit: String,
        /// How long it was waited for.
        within: Duration,
    },
    /// There will never be one: it is used up.
    #[error("nothing is left of the run's budget")]
    Spent(Exhausted),
}

/// A call that may be made. One that is dropped before it is settled counts as expected.
#[must_use = "a call that is not settled counts as expected"]
#[derive(Default)]
pub struct Permit(Option<Box<dyn FnOnce(Option<CallAmount>) + Send>>);

impl Permit {
    /// A permit that nobody wants to hear of again.
    pub fn free() -> Self {
        Self::default()
    }

    /// A permit that tells what the call used; nothing where it is not known.
    pub fn new(settle: impl FnOnce(Option<CallAmount>) + Send + 'static) -> Self {
        Self(Some(Box::new(settle)))
    }

    /// The call used so much; nothing where it is not known.
    pub fn settle(mut self, used: Option<CallAmount>) {
        self.tell(used);
    }

    fn tell(&mut self, used: Option<CallAmount>) {
        if let Some(settle) = self.0.take() {
            settle(used);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.tell(None);
    }
}

impl Debug for Permit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Permit").finish_non_exhaustive()
    }
}

/// Every call may be made at once.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Unlimited {
    /// For whoever wants it shared.
    pub fn shared() -> Arc<dyn Ration> {
        Arc::new(Self)
    }
}

impl Ration for Unlimited {
    fn take<'a>(&'a self, _model: &'a str, _expected: CallAmount, _within: Duration) -> ShareWait<'a> {
        Box::pin(ready(Ok(Permit::free())))
    }
}
