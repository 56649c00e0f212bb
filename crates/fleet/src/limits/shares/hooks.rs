//! Where calls of models ask: for a share of the provider's rate, and of the run's budget.

use std::time::{Duration, Instant};

use quintain_core::ending::Exhausted;
use quintain_models::ration::{BudgetShare, CallAmount, Permit, Ration, Refused, ShareWait};

use super::Shares;
use crate::limits::rule::{budget, requests, tokens};

/// Even a call that costs nothing is counted as something: otherwise nothing could stop it.
const LEAST_USD: f64 = 1e-6;

/// The share of a run's budget that a worker has.
#[derive(Debug)]
pub(super) struct RunPurse {
    pub(super) shares: Shares,
    pub(super) run: String,
    pub(super) parts: Vec<Exhausted>,
}

impl Ration for Shares {
    fn take<'a>(&'a self, model: &'a str, expected: CallAmount, within: Duration) -> ShareWait<'a> {
        Box::pin(async move {
            let needs = vec![(tokens(model), expected.tokens.max(1) as f64), (requests(model), 1.0)];
            let reserved = reserve(self, needs, within).await?;
            Ok(reserved.permit(|limit, used| if limit.ends_with("/tokens") { used.tokens as f64 } else { 1.0 }))
        })
    }
}

impl BudgetShare for RunPurse {
    fn take(&self, expected: CallAmount, within: Duration) -> ShareWait<'_> {
        Box::pin(async move {
            let need = |part: &Exhausted| match part {
                Exhausted::Tokens => expected.tokens.max(1) as f64,
                _ => expected.cost_usd.max(LEAST_USD),
            };
            let needs = self.parts.iter().map(|part| (budget(&self.run, *part), need(part))).collect();
            let reserved = reserve(&self.shares, needs, within).await?;
            Ok(reserved
                .permit(|limit, used| if limit.ends_with("/tokens") { used.tokens as f64 } else { used.cost_usd }))
        })
    }
}

/// What is reserved for one call. What is dropped before it becomes a permit is given back.
struct ReservedCall {
    shares: Shares,
    needs: Vec<(String, f64)>,
}

/// Reserves all of it, one after the other.
async fn reserve(shares: &Shares, needs: Vec<(String, f64)>, within: Duration) -> Result<ReservedCall, Refused> {
    let deadline = Instant::now() + within;
    let mut reserved = ReservedCall { shares: shares.clone(), needs: Vec::with_capacity(needs.len()) };
    for (limit, need) in needs {
        shares.take(&limit, need, deadline.saturating_duration_since(Instant::now())).await?;
        reserved.needs.push((limit, need));
    }
    Ok(reserved)
}

impl ReservedCall {
    /// A permit that settles each limit with its part of what was used.
    fn permit(mut self, part: fn(&str, CallAmount) -> f64) -> Permit {
        let (shares, needs) = (self.shares.clone(), std::mem::take(&mut self.needs));
        Permit::new(move |used| {
            for (limit, need) in &needs {
                shares.settle(limit, *need, used.map_or(*need, |used| part(limit, used)));
            }
        })
    }
}

impl Drop for ReservedCall {
    fn drop(&mut self) {
        for (limit, need) in &self.needs {
            self.shares.settle(limit, *need, 0.0);
        }
    }
}
