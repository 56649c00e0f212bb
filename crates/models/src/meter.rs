//! The meter of a run: every call of a model is written in the books before it is sent and after it ended, and none is
//! admitted once the budget is spent.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quintain_core::books::{Bill, CallLine, Journal, NoBooks, Purpose, Totals};
use quintain_core::ending::Exhausted;
use quintain_core::event::RecordError;
use quintain_core::limits::Budget;
use quintain_core::lock::LockAlways as _;
use quintain_core::trial::TrialId;

use crate::ration::{BudgetShare, CallAmount, Permit, Ration, Refused};

/// Counts what the calls of a run use and stops them when the budget is spent. Shared by all trials.
pub struct Meter {
    journal: Arc<dyn Journal>,
    budget: Budget,
    totals: Mutex<Totals>,
    /// Where shares of the budget come from, if others use it too.
    purse: Option<Arc<dyn BudgetShare>>,
}

/// For whom a model is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallOwner {
    /// The trial; nothing for calls that belong to none, such as a labeller's.
    pub trial: Option<TrialId>,
    /// The attempt, from 1.
    pub attempt: u32,
}

/// What is written in the books when a call begins.
#[derive(Clone, Copy, Debug)]
pub struct CallOpening<'a> {
    /// For whom.
    pub who: &'a CallOwner,
    /// In which turn.
    pub step_idx: u32,
    /// What for.
    pub purpose: Purpose,
    /// Who is asked: `anthropic/claude-opus-4-6`.
    pub model: &'a str,
}

/// A call that was admitted. One that is dropped before it is ended has an unknown bill.
#[must_use = "a call that is not ended has an unknown bill"]
pub struct OpenCall {
    meter: Arc<Meter>,
    id: String,
    began: Instant,
    ended: bool,
    /// Who shares with it and is told what it used.
    permits: Vec<Permit>,
}

/// Why a call was not admitted.
#[derive(Debug, thiserror::Error)]
pub enum NotAdmitted {
    /// The budget is spent.
    #[error("the budget of the run is spent")]
    OverBudget(Exhausted),
    /// The books cannot be written, and an unwritten call is not made.
    #[error(transparent)]
    Books(#[from] RecordError),
    /// Others use the budget too, and there was no share of it in time.
    #[error("{0}")]
    Late(String),
}

impl Meter {
    /// A meter that goes on counting from what was used so far.
    pub fn new(journal: Arc<dyn Journal>, budget: Budget, so_far: Totals) -> Arc<Self> {
        Arc::new(Self { journal, budget, totals: Mutex::new(so_far), purse: None })
    }

    /// A meter of one process among several that use the budget together: it admits a call only with a share for it.
    pub fn sharing(
        journal: Arc<dyn Journal>,
        budget: Budget,
        so_far: Totals,
        purse: Arc<dyn BudgetShare>,
    ) -> Arc<Self> {
        Arc::new(Self { journal, budget, totals: Mutex::new(so_far), purse: Some(purse) })
    }

    /// A meter that counts, limits nothing and keeps no books: for calls that belong to no run.
    pub fn unbound() -> Arc<Self> {
        Self::new(Arc::new(NoBooks), Budget::default(), Totals::default())
    }

    /// What was used so far.
    pub fn totals(&self) -> Totals {
        *self.counted()
    }

    /// What the run may use.
    pub fn budget(&self) -> Budget {
        self.budget
    }

    /// What is spent, of money and tokens; steps and minutes are not the meter's concern.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.totals().exhausted(&self.budget)
    }

    /// Writes the beginning of a call, if there is anything left to make it with.
    pub fn begin(self: &Arc<Self>, opening: &CallOpening<'_>) -> Result<OpenCall, NotAdmitted> {
        if let Some(what) = self.exhausted() {
            return Err(NotAdmitted::OverBudget(what));
        }
        let id = call_id();
        self.journal.write(&CallLine::Began {
            id: id.clone(),
            trial: opening.who.trial.clone(),
            attempt: opening.who.attempt,
            step_idx: opening.step_idx,
            purpose: opening.purpose,
            model: opening.model.to_owned(),
        })?;
        Ok(OpenCall { meter: Arc::clone(self), id, began: Instant::now(), ended: false, permits: Vec::new() })
    }

    /// The same for a call that is expected to use so much. Where the budget is shared, waits for a share.
    pub async fn admit(
        self: &Arc<Self>,
        opening: &CallOpening<'_>,
        expected: CallAmount,
        within: Duration,
    ) -> Result<OpenCall, NotAdmitted> {
        let Some(purse) = &self.purse else { return self.begin(opening) };
        let dearest = self.totals().dearest_usd;
        let expected = CallAmount { cost_usd: expected.cost_usd.max(dearest), ..expected };
        let permit = purse.take(expected, within).await.map_err(|refused| match refused {
            Refused::Spent(what) => NotAdmitted::OverBudget(what),
            Refused::Late { .. } => NotAdmitted::Late(refused.to_string()),
        })?;
        with_permit(self.begin(opening), permit)
    }

    /// The same where the rate of the provider is shared, too: waits for a share of that first.
    pub async fn admit_rationed(
        self: &Arc<Self>,
        ration: &dyn Ration,
        opening: &CallOpening<'_>,
        expected: CallAmount,
        deadline: tokio::time::Instant,
    ) -> Result<OpenCall, NotAdmitted> {
        let left = || deadline.saturating_duration_since(tokio::time::Instant::now());
        let permit = ration.take(opening.model, expected, left()).await;
        let permit = permit.map_err(|refused| NotAdmitted::Late(refused.to_string()))?;
        with_permit(self.admit(opening, expected, left()).await, permit)
    }

    fn counted(&self) -> MutexGuard<'_, Totals> {
        self.totals.lock().always()
    }
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Meter").field("budget", &self.budget).field("totals", &self.totals()).finish_non_exhaustive()
    }
}

impl OpenCall {
    /// Its name in the books, to be sent along as `x-client-request-id`.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Writes how it ended. `failed` says in few words why there is no answer; it must hold no secret.
    pub fn end(mut self, bill: Bill, failed: Option<String>) -> Result<(), RecordError> {
        self.close(bill, failed)
    }

    fn close(&mut self, bill: Bill, failed: Option<String>) -> Result<(), RecordError> {
        self.ended = true;
        self.meter.counted().add(&bill);
        let used = CallAmount::of(&bill);
        self.permits.drain(..).for_each(|permit| permit.settle(used));
        let ms = self.began.elapsed().as_millis() as u64;
        self.meter.journal.write(&CallLine::Ended { id: self.id.clone(), bill, failed, ms })
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        if !self.ended {
            // A call without an end counts as unknown anyway, so books that cannot be written lose nothing here.
            drop(self.close(Bill::Unknown, Some("abandoned".to_owned())));
        }
    }
}

/// The call holds the permit until it ends. Where it was not admitted, nothing of the permit was used.
fn with_permit(call: Result<OpenCall, NotAdmitted>, permit: Permit) -> Result<OpenCall, NotAdmitted> {
    match call {
        Ok(mut admitted) => {
            admitted.permits.push(permit);
            Ok(admitted)
        }
        Err(error) => {
            permit.settle(Some(CallAmount::default()));
            Err(error)
        }
    }
}

/// A name that no other call has, in this run or another: the moment this process made its first call, the process,
/// and a count.
fn call_id() -> String {
    static FIRST: OnceLock<u128> = OnceLock::new();
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let first = FIRST.get_or_init(|| SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_micros()));
    format!("{first:x}-{:x}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

#[cfg(test)]
mod tests {
    use quintain_core::Usage;

    use super::*;

    /// Books in memory, one line of text each.
    #[derive(Default)]
    struct Lines(Mutex<Vec<String>>);

    impl Journal for Lines {
        fn write(&self, line: &CallLine) -> Result<(), RecordError> {
            let text = match line {
                CallLine::Began { step_idx, model, .. } => format!("began {step_idx} {model}"),
                CallLine::Ended { bill, failed, .. } => format!("ended {} {failed:?}", short(bill)),
            };
            self.0.lock().unwrap().push(text);
            Ok(())
        }
    }

    fn short(bill: &Bill) -> String {
        match bill {
            Bill::Told(usage) => format!("{:?}", usage.cost_usd),
            Bill::Free => "free".to_owned(),
            Bill::Unknown => "unknown".to_owned(),
        }
    }

    fn opening(who: &CallOwner) -> CallOpening<'_> {
        CallOpening { who, step_idx: 3, purpose: Purpose::Act, model: "chat/sim" }
    }

    fn told(cost_usd: f64) -> Bill {
        Bill::Told(Usage { input_tokens: 100, output_tokens: 10, cost_usd: Some(cost_usd), ..Usage::default() })
    }

    fn budget(cost_usd: f64) -> Budget {
        Budget { cost_usd: Some(cost_usd), ..Budget::default() }
    }

    #[test]
    fn calls_are_admitted_until_the_money_is_spent() {
        let meter = Meter::new(Arc::new(NoBooks), budget(0.5), Totals::default());
        let who = CallOwner::default();
        let mut n_admitted = 0;
        while let Ok(call) = meter.begin(&opening(&who)) {
            call.end(told(0.2), None).unwrap();
            n_admitted += 1;
        }
        assert_eq!(n_admitted, 3, "0.2 and 0.4 are under 0.5, 0.6 is not");
        assert!(matches!(meter.begin(&opening(&who)), Err(NotAdmitted::OverBudget(Exhausted::Cost))));
        assert!((meter.totals().cost_usd - 0.6).abs() < 1e-9);
    }

    #[test]
    fn tokens_are_a_budget_too_and_what_was_used_before_counts() {
        let so_far = Totals { tokens: 900, ..Totals::default() };
        let limit = Budget { tokens: Some(1000), ..Budget::default() };
        let meter = Meter::new(Arc::new(NoBooks), limit, so_far);
        meter.begin(&opening(&CallOwner::default())).unwrap().end(told(0.1), None).unwrap();
        assert_eq!(meter.exhausted(), Some(Exhausted::Tokens));
    }

    #[test]
    fn unknown_calls_are_feared_to_be_as_dear_as_the_dearest() {
        let meter = Meter::new(Arc::new(NoBooks), budget(0.5), Totals::default());
        let who = CallOwner::default();
        meter.begin(&opening(&who)).unwrap().end(told(0.3), None).unwrap();
        meter.begin(&opening(&who)).unwrap().end(Bill::Unknown, Some("timed out".to_owned())).unwrap();
        assert_eq!(meter.exhausted(), Some(Exhausted::Cost));
        assert!((meter.totals().cost_usd - 0.3).abs() < 1e-9, "what is not known is not counted as spent");
    }

    #[test]
    fn the_books_know_every_call_even_an_abandoned_one() {
        let lines = Arc::new(Lines::default());
        let journal: Arc<dyn Journal> = lines.clone();
        let meter = Meter::new(journal, Budget::default(), Totals::default());
        let who = CallOwner::default();
        meter.begin(&opening(&who)).unwrap().end(told(0.25), None).unwrap();
        meter.begin(&opening(&who)).unwrap().end(Bill::Free, Some("429".to_owned())).unwrap();
        drop(meter.begin(&opening(&who)).unwrap());
        insta::assert_snapshot!(lines.0.lock().unwrap().join("\n"), @r#"
        began 3 chat/sim
        ended Some(0.25) None
        began 3 chat/sim
        ended free Some("429")
        began 3 chat/sim
        ended unknown Some("abandoned")
        "#);
        let totals = meter.totals();
        assert_eq!((totals.n_calls, totals.n_free, totals.n_unknown), (3, 1, 1));
    }

    /// A purse of so many dollars that remembers what it was told.
    #[derive(Debug)]
    struct Dollars(Arc<Mutex<(f64, Vec<String>)>>);

    impl BudgetShare for Dollars {
        fn take(&self, expected: CallAmount, _within: Duration) -> crate::ration::ShareWait<'_> {
            let mut state = self.0.lock().unwrap();
            if state.0 < expected.cost_usd {
                return Box::pin(std::future::ready(Err(Refused::Spent(Exhausted::Cost))));
            }
            state.0 -= expected.cost_usd;
            let told = Arc::clone(&self.0);
            Box::pin(std::future::ready(Ok(Permit::new(move |used| {
                let mut state = told.lock().unwrap();
                let used = used.map_or(expected.cost_usd, |used| used.cost_usd);
                state.0 += expected.cost_usd - used;
                state.1.push(format!("expected {}, used {used}", expected.cost_usd));
            }))))
        }
    }

    #[test]
    fn a_shared_budget_is_asked_before_every_call_and_told_after_it() {
        let purse = Arc::new(Mutex::new((0.65, Vec::new())));
        let shared = Arc::new(Dollars(Arc::clone(&purse)));
        let meter = Meter::sharing(Arc::new(NoBooks), budget(9.0), Totals::default(), shared);
        let who = CallOwner::default();
        let admit = || {
            let expected = CallAmount { tokens: 10, cost_usd: 0.1 };
            crate::providers::runtime().block_on(meter.admit(&opening(&who), expected, Duration::from_secs(1)))
        };
        admit().unwrap().end(told(0.2), None).unwrap();
        drop(admit().unwrap());
        admit().unwrap().end(Bill::Free, None).unwrap();
        admit().unwrap().end(told(0.2), None).unwrap();
        assert!(matches!(admit(), Err(NotAdmitted::OverBudget(Exhausted::Cost))), "0.05 is left");
        insta::assert_snapshot!(purse.lock().unwrap().1.join("\n"), @"
        expected 0.1, used 0.2
        expected 0.2, used 0.2
        expected 0.2, used 0
        expected 0.2, used 0.2
        ");
    }

    #[test]
    fn no_two_calls_have_the_same_name() {
        let meter = Meter::unbound();
        let who = CallOwner::default();
        let ids: std::collections::BTreeSet<String> =
            (0..100).map(|_| meter.begin(&opening(&who)).unwrap().id().to_owned()).collect();
        assert_eq!(ids.len(), 100);
    }
}
