//! What one trial's calls through the proxy use, and whether more may be used.

use std::sync::{Mutex, MutexGuard};

use quintain_core::limits::Remaining;
use quintain_core::lock::LockAlways as _;
use quintain_core::{Exhausted, TrialId, Usage};
use quintain_models::meter::CallOwner;

/// The account of one trial.
pub struct ProxyMeter {
    pub(crate) who: CallOwner,
    pub(crate) trial: TrialId,
    account: Mutex<ProxyAccount>,
    on_stop: Box<dyn Fn() + Send + Sync>,
}

#[derive(Default)]
struct ProxyAccount {
    step_idx: u32,
    left: Option<Remaining>,
    used: Option<Usage>,
    stopped: Option<ProxyStop>,
    trouble: Option<String>,
}

/// Why a trial may ask no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProxyStop {
    /// It has used what it may.
    Trial(Exhausted),
    /// The run has used what it may.
    Run,
    /// It is over.
    Over,
}

impl ProxyMeter {
    /// An account for an attempt at a trial. `on_stop` is called when nothing more may be used.
    pub fn new(trial: TrialId, attempt: u32, on_stop: impl Fn() + Send + Sync + 'static) -> Self {
        let who = CallOwner { trial: Some(trial.clone()), attempt };
        Self { who, trial, account: Mutex::default(), on_stop: Box::new(on_stop) }
    }

    /// A turn begins: from now on so much may be used.
    pub fn turn(&self, step_idx: u32, left: Remaining) {
        let mut account = self.account();
        account.step_idx = step_idx;
        account.left = Some(left);
    }

    /// What was used since this was last asked; nothing where no model was.
    pub fn take(&self) -> Option<Usage> {
        self.account().used.take()
    }

    /// Why no more may be used, where that is so.
    pub fn stopped(&self) -> Option<ProxyStop> {
        self.account().stopped
    }

    /// What the provider did wrong last, unless it has answered since.
    pub fn trouble(&self) -> Option<String> {
        self.account().trouble.clone()
    }

    /// How the provider failed at the last call, where that was no fault of the request: whoever gives up then is not to
    /// blame. Requests that are wrong by themselves are, or a wrong one would buy another attempt.
    pub fn let_down(&self) -> Option<String> {
        let is_wrong = |trouble: &str| trouble.parse::<u16>().is_ok_and(|status| status < 500 && status != 429);
        self.trouble().filter(|trouble| !is_wrong(trouble))
    }

    /// Whether the trial may use only so much money, so that a price must be known.
    pub(crate) fn is_limited_in_money(&self) -> bool {
        self.account().left.is_some_and(|left| left.cost_usd.is_some())
    }

    pub(crate) fn step_idx(&self) -> u32 {
        self.account().step_idx
    }

    /// Takes down what a call used, and what the provider did wrong. Calls in flight together may use more than is left.
    pub(crate) fn charge(&self, used: Usage, trouble: Option<String>) {
        let is_spent = {
            let mut account = self.account();
            account.used = Some(account.used.take().map_or(used, |before| before.plus(used)));
            account.trouble = trouble;
            let spent = account.spent();
            account.stopped = account.stopped.or(spent);
            spent.is_some()
        };
        if is_spent {
            (self.on_stop)();
        }
    }

    /// No model can be reached, and why.
    pub(crate) fn is_cut_off(&self, why: String) {
        self.account().trouble = Some(why);
    }

    /// The run has nothing left.
    pub(crate) fn stop_run(&self) {
        self.account().stopped.get_or_insert(ProxyStop::Run);
        (self.on_stop)();
    }

    /// The trial is over: nothing more is paid for.
    pub fn close(&self) {
        self.account().stopped.get_or_insert(ProxyStop::Over);
    }

    fn account(&self) -> MutexGuard<'_, ProxyAccount> {
        self.account.lock().always()
    }
}

impl ProxyAccount {
    fn spent(&self) -> Option<ProxyStop> {
        let (left, used) = (self.left?, self.used?);
        let tokens = used.tokens();
        if left.tokens.is_some_and(|left| tokens >= left) {
            return Some(ProxyStop::Trial(Exhausted::Tokens));
        }
        let cost = used.cost_usd.unwrap_or(0.0);
        left.cost_usd.is_some_and(|left| cost >= left).then_some(ProxyStop::Trial(Exhausted::Cost))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use quintain_core::{Limits, Spent};

    use super::*;

    #[test]
    fn an_account_stops_at_its_limit_and_says_so_once_to_whoever_asks() {
        let n_stops = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&n_stops);
        let toll = ProxyMeter::new("puzzles/maze-2d@easy#0~outside~0".parse().unwrap(), 1, move || {
            counted.fetch_add(1, Ordering::SeqCst);
        });
        let limits = Limits { tokens: Some(1000), cost_usd: Some(1.0), ..Limits::steps(9) };
        toll.turn(3, limits.left(&Spent::default()));
        let call = |tokens, cost_usd| Usage { input_tokens: tokens, cost_usd, ..Usage::default() };
        toll.charge(call(400, Some(0.1)), None);
        assert_eq!((toll.stopped(), toll.step_idx()), (None, 3));
        toll.charge(call(400, None), Some("503".to_owned()));
        assert_eq!((toll.stopped(), toll.trouble().as_deref()), (None, Some("503")));
        toll.charge(call(200, Some(0.1)), None);
        assert_eq!(toll.stopped(), Some(ProxyStop::Trial(Exhausted::Tokens)));
        assert_eq!((n_stops.load(Ordering::SeqCst), toll.trouble()), (1, None));
        assert_eq!(toll.take(), Some(Usage { input_tokens: 1000, cost_usd: None, ..Usage::default() }));
        assert_eq!(toll.take(), None);
    }
}
