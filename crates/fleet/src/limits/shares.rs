//! A worker's side of the fleet's limits: takes shares for all of its trials and tells what became of them.

mod asker;
mod hooks;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_nats::Client;
use quintain_core::ending::Exhausted;
use quintain_core::limits::Budget;
use quintain_core::lock::LockAlways as _;
use quintain_models::providers::runtime;
use quintain_models::ration::{BudgetShare, Ration, Refused};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use super::local_share::{LimitKind, LocalShare, ServeResult, TakeResult};
use super::rule::{budget, run_of};
use crate::ask::{Grant, ShareRequest};
use crate::names::FleetNames;
use asker::ShareAsker;
use hooks::RunPurse;

/// How often a worker tells what it has used, when it has nothing to ask for.
const TELL_EVERY: Duration = Duration::from_secs(5);

/// The shares of one worker process, for all of its trials. Clones are the same shares.
#[derive(Clone, Debug)]
pub struct Shares {
    desk: Arc<ShareDesk>,
    /// Tells for the last time when the last clone is gone, and ends.
    asker: Arc<Mutex<Option<JoinHandle<()>>>>,
    _open: Arc<DeskCloser>,
}

/// All that a worker has, and who asks for more.
#[derive(Debug)]
struct ShareDesk {
    state: Mutex<DeskState>,
    wake: Notify,
    tell_every: Duration,
}

#[derive(Debug)]
struct DeskState {
    session: String,
    n: u64,
    pots: BTreeMap<String, LocalShare>,
    told: Instant,
    is_closed: bool,
}

/// Closes the desk when the last of the shares is dropped.
#[derive(Debug)]
struct DeskCloser(Arc<ShareDesk>);

impl Drop for DeskCloser {
    fn drop(&mut self) {
        self.0.state().is_closed = true;
        self.0.wake.notify_one();
    }
}

impl Shares {
    /// The shares of a worker, asked of whoever leads the fleet. `session` names this start of it.
    pub fn new(client: Client, names: &FleetNames, worker: &str, session: &str) -> Self {
        Self::telling(client, names, worker, session, TELL_EVERY)
    }

    /// The same, for a worker that tells as often as this what it has used.
    pub fn telling(client: Client, names: &FleetNames, worker: &str, session: &str, tell_every: Duration) -> Self {
        let state = DeskState {
            session: session.to_owned(),
            n: 0,
            pots: BTreeMap::new(),
            told: Instant::now(),
            is_closed: false,
        };
        let desk = Arc::new(ShareDesk { state: Mutex::new(state), wake: Notify::new(), tell_every });
        let asker = ShareAsker { client, subject: names.ask(worker), desk: Arc::clone(&desk) };
        let asker = Arc::new(Mutex::new(Some(runtime().spawn(asker.work()))));
        Self { _open: Arc::new(DeskCloser(Arc::clone(&desk))), desk, asker }
    }

    /// What calls of models ask before they are made.
    pub fn ration(&self) -> Arc<dyn Ration> {
        Arc::new(self.clone())
    }

    /// What the meter of a run asks before it admits a call; nothing where the run's budget has no limit on calls.
    pub fn purse(&self, run: &str, of: &Budget) -> Option<Arc<dyn BudgetShare>> {
        let parts: Vec<Exhausted> =
            [(Exhausted::Cost, of.cost_usd.is_some()), (Exhausted::Tokens, of.tokens.is_some())]
                .into_iter()
                .filter_map(|(part, is_limited)| is_limited.then_some(part))
                .collect();
        let purse = RunPurse { shares: self.clone(), run: run.to_owned(), parts };
        (!purse.parts.is_empty()).then(|| Arc::new(purse) as Arc<dyn BudgetShare>)
    }

    /// Takes one step of a run's budget, waiting no longer than that.
    pub fn step(&self, run: &str, within: Duration) -> Result<(), Refused> {
        let limit = budget(run, Exhausted::Steps);
        runtime().block_on(self.take(&limit, 1.0, within))?;
        self.settle(&limit, 1.0, 1.0);
        Ok(())
    }

    /// Tells for the last time, and waits until that is done, no longer than so long. Shares are granted no more.
    pub async fn close(&self, within: Duration) {
        self.desk.state().is_closed = true;
        self.desk.wake.notify_one();
        let asker = self.asker.lock().always().take();
        if let Some(asker) = asker {
            drop(tokio::time::timeout(within, asker).await); // What could not be told counts as used.
        }
    }

    /// Reserves so much of a limit, waiting no longer than that.
    async fn take(&self, limit: &str, need: f64, within: Duration) -> Result<(), Refused> {
        let taken = self.desk.with(limit, |pot, now| pot.take(need, now));
        let waits = match taken {
            TakeResult::Now => return Ok(()),
            TakeResult::Never => return Err(spent(limit)),
            TakeResult::Soon(waits) => waits,
        };
        match tokio::time::timeout(within, waits).await {
            Ok(Ok(ServeResult::Yes)) => Ok(()),
            Ok(Ok(ServeResult::Spent)) => Err(spent(limit)),
            Ok(Err(_)) | Err(_) => Err(Refused::Late { limit: limit.to_owned(), within }),
        }
    }

    fn settle(&self, limit: &str, reserved: f64, used: f64) {
        self.desk.with(limit, |pot, now| pot.settle(reserved, used, now));
    }
}

impl ShareDesk {
    fn state(&self) -> MutexGuard<'_, DeskState> {
        self.state.lock().always()
    }

    /// Does something with the pot of a limit, and wakes the asker if there is something to ask for then.
    fn with<T>(&self, limit: &str, act: impl FnOnce(&mut LocalShare, Instant) -> T) -> T {
        let now = Instant::now();
        let mut state = self.state();
        if !state.pots.contains_key(limit) {
            let kind = if run_of(limit).is_some() { LimitKind::Budget } else { LimitKind::Rate };
            state.pots.insert(limit.to_owned(), LocalShare::new(kind, now));
        }
        let pot = state.pots.get_mut(limit).expect("it was put there just now");
        let done = act(pot, now);
        if pot.wish(now).is_some() {
            self.wake.notify_one();
        }
        done
    }

    /// The next request: what is wanted, and what became of all that was granted. Nothing if there is nothing to say.
    fn request(&self, now: Instant) -> Option<ShareRequest> {
        let mut state = self.state();
        let DeskState { session, n, pots, told, is_closed } = &mut *state;
        let mut request = ShareRequest { session: session.clone(), over: *is_closed, ..ShareRequest::default() };
        for (limit, pot) in pots.iter_mut() {
            if let Some((want, least)) = pot.wish(now).filter(|_| !*is_closed) {
                request.want.insert(limit.clone(), want);
                request.least.insert(limit.clone(), least);
            }
        }
        let is_time = now.duration_since(*told) >= self.tell_every;
        if is_time {
            *told = now;
        }
        let is_due = is_time && pots.values().any(LocalShare::is_news);
        if request.want.is_empty() && !is_due && !*is_closed {
            return None;
        }
        for (limit, pot) in pots.iter_mut() {
            let (used, held) = pot.report(now, self.tell_every);
            // Whoever is gone may have used what its calls were expected to.
            let (used, held) = if *is_closed { (used + pot.reserved(), 0.0) } else { (used, held) };
            request.used.insert(limit.clone(), used);
            request.held.insert(limit.clone(), held);
        }
        *n += 1;
        *told = now;
        Some(ShareRequest { n: *n, ..request })
    }

    /// What was asked for at `sent` came.
    fn receive(&self, request: &ShareRequest, grant: &Grant, sent: Instant) {
        let now = Instant::now();
        let mut state = self.state();
        for (limit, least) in &request.least {
            if let Some(pot) = state.pots.get_mut(limit) {
                pot.receive(grant.shares.get(limit).copied(), *least, sent, now);
            }
        }
    }

    /// When there may be something to say, if nobody wakes the asker before.
    fn due(&self) -> Instant {
        let state = self.state();
        let asks = state.pots.values().filter_map(LocalShare::due);
        asks.fold(state.told + self.tell_every, Instant::min)
    }
}

fn spent(limit: &str) -> Refused {
    let part = match limit.rsplit('/').next() {
        Some("tokens") => Exhausted::Tokens,
        Some("steps") => Exhausted::Steps,
        _ => Exhausted::Cost,
    };
    Refused::Spent(part)
}
