//! One steward's time as the leader: from taking over to stepping down.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_nats::jetstream;
use async_nats::jetstream::kv::Operation;
use futures_util::StreamExt;
use quintain_core::lock::LockAlways as _;
use quintain_core::{Backoff, BackoffWaits};
use quintain_runner::engine::steered::{RunStanding, SteeredEngine};
use quintain_runner::engine::{Engine, EngineError, RunDirection, SystemClock, WallClock};

use super::Steward;
use super::compactor::{CompactionMark, Compactor, NotCompacted, SEGMENT};
use super::done::DoneUnits;
use super::election::Tenure;
use super::outcome_shelf::OutcomeShelf;
use super::overseer::{Overseer, OverseerRound};
use super::reconciler::{Reconciler, RestoredRuns};
use super::standing::StandingKeeper;
use super::troubles::RunTroubles;
use crate::hosts::Host;
use crate::jetstream::{DirectionNotice, NatsEngine};
use crate::limits::Rules;

/// The key under which it stands how far outcomes have been written down.
const MARK: &str = "compacted";

/// How soon the next round follows when something happens, and when nothing does.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(200)];

/// How often hosts are counted and budgets looked at.
const COUNT_EVERY: Duration = Duration::from_secs(2);

/// How long to wait after the first failure, and at most after many.
const BACKOFF: Backoff = Backoff { first: Duration::from_millis(200), longest: Duration::from_secs(5) };

/// What the parts of a leading steward share.
pub(super) struct LeaderTerm {
    pub(super) steward: Arc<Steward>,
    pub(super) tenure: Tenure,
    shelf: OutcomeShelf,
    done: DoneUnits,
    /// The runs as they were last seen.
    runs: Mutex<SeenRuns>,
    /// What is wrong with single runs, and what was told of it last.
    troubles: Mutex<RunTroubles>,
    told: Mutex<Option<RunTroubles>>,
}

/// The runs as they were last seen.
#[derive(Default)]
struct SeenRuns {
    /// Those that are not over.
    open: Vec<String>,
    /// How many units each has.
    sizes: BTreeMap<String, u32>,
}

impl LeaderTerm {
    /// A term that begins.
    pub(super) fn new(steward: Arc<Steward>, tenure: Tenure) -> Self {
        Self {
            steward,
            tenure,
            shelf: OutcomeShelf::new(2 * SEGMENT),
            done: DoneUnits::default(),
            runs: Mutex::default(),
            troubles: Mutex::default(),
            told: Mutex::default(),
        }
    }

    /// Takes over, then keeps offers and archive as they should be until the tenure is over.
    pub(super) async fn tend(&self) {
        let mut backoff = BACKOFF.begin();
        while self.tenure.holds() {
            let Err(error) = Box::pin(self.try_to_tend(&mut backoff)).await else { return };
            self.trouble(&error, &mut backoff).await;
        }
    }

    async fn try_to_tend(&self, backoff: &mut BackoffWaits) -> Result<(), NotCompacted> {
        let steward = &self.steward;
        // The order matters: runs that the server lost must be there before their outcomes can be handed in again, and what is
        // settled must be known before anything is offered, or finished work would be played again.
        steward.engine.begin_anew().await?;
        let rules = Rules::open(steward.client.clone(), steward.names.clone()).await?;
        let mut reconciler = Reconciler::new(steward.archive.clone(), Arc::clone(&steward.engine), rules.clone());
        *self.troubles() = RunTroubles::of(&steward.client, &steward.names).await?;
        self.troubles().unrestored.clear();
        let brought = reconciler.bring_back().await?;
        for run in &brought.runs {
            steward.say(&format!("run `{run}` was lost on the server and is registered again"));
        }
        self.tell_of_spoiled(&brought);
        let mut compactor = Compactor::resume(steward.archive.clone(), &*steward.engine, self.mark().await?).await?;
        let overseer = self.take_over(&mut compactor).await?;
        let is_same = compactor.mark().last.is_some();
        let made_good = reconciler.make_good(is_same).await?;
        for run in &made_good.runs {
            steward.say(&format!("outcomes of run `{run}` were lost on the server and are handed in again"));
        }
        self.tell_of_spoiled(&made_good);
        let standings = StandingKeeper::new(steward.archive.clone(), rules);
        let oversee = self.oversee(overseer, standings, backoff);
        tokio::select! {
            () = oversee => Ok(()),
            () = self.compact(compactor) => Ok(()),
            () = self.reconcile(reconciler) => Ok(()),
        }
    }

    fn tell_of_spoiled(&self, restored: &RestoredRuns) {
        for (run, why) in &restored.spoiled {
            if self.troubles().unrestored.insert(run.clone(), why.clone()).as_ref() != Some(why) {
                self.steward.say(&format!("run `{run}` is left as it is on the server: {why}"));
            }
        }
    }

    /// An overseer that knows what the archive knows, and goes on from there.
    async fn take_over(&self, compactor: &mut Compactor) -> Result<Overseer<NatsEngine>, NotCompacted> {
        let engine = &self.steward.engine;
        let mut overseer = Overseer::new(Arc::clone(engine), self.steward.options.overseer);
        let mut known = Vec::new();
        for RunStanding { run, n_units, .. } in engine.runs().await? {
            if compactor.mark().over.get(&run) == Some(&n_units) {
                // Which units are done is clear, and need not be read.
                known.push((run, (0..n_units).collect()));
            } else if self.steward.archive.run(&run).is_ok() {
                let units = self.settled(compactor, &run).await?;
                self.done.put(units.iter().map(|idx| (run.as_str(), *idx)));
                known.push((run, units));
            }
        }
        overseer.recall(known, compactor.mark().from);
        Ok(overseer)
    }

    /// The units of a run that are settled: those that the archive knows, or where it is spoiled, those that the server
    /// knows.
    async fn settled(&self, compactor: &mut Compactor, run: &str) -> Result<Vec<u32>, NotCompacted> {
        match compactor.written(run).await.map_err(NotCompacted::from) {
            Ok(written) => Ok(written.all().collect()),
            Err(error) if error.is_of_the_run() => {
                self.steward.say(&format!("run `{run}` goes by what the server knows: {error}"));
                Ok(self.steward.engine.settled_units(run).await?.into_iter().collect())
            }
            Err(error) => Err(error),
        }
    }

    /// Keeps offers as they should be.
    async fn oversee(
        &self,
        mut overseer: Overseer<NatsEngine>,
        mut standings: StandingKeeper,
        backoff: &mut BackoffWaits,
    ) {
        let steward = &self.steward;
        let Ok(mut turns) = steward.client.subscribe(steward.names.control()).await else { return };
        let (mut slots, mut counted) = (BTreeMap::new(), None::<Instant>);
        while self.tenure.holds() {
            if counted.is_none_or(|counted| counted.elapsed() > COUNT_EVERY) {
                slots = self.count().await.unwrap_or(slots);
                self.stop_spent(&overseer).await;
                self.keep_standings(&overseer, &mut standings).await;
                self.tell_troubles(&overseer).await;
                counted = Some(Instant::now());
            }
            match overseer.round(SystemClock.now_ms(), &slots).await {
                Ok(round) => {
                    backoff.reset();
                    let pause = self.note(round, &overseer);
                    let turned = tokio::time::timeout(pause, turns.next()).await;
                    if let Ok(Some(turned)) = turned
                        && let Ok(turned) = serde_json::from_slice::<DirectionNotice>(&turned.payload)
                    {
                        overseer.suspect(&turned.run);
                        self.take_back(&turned).await;
                        // What was changed is in the archive soon after.
                        counted = None;
                    }
                }
                Err(error) => self.trouble(&error.into(), backoff).await,
            }
        }
    }

    /// What the last round offered may have come after whoever stopped the run took its offers back.
    async fn take_back(&self, turned: &DirectionNotice) {
        let stopped = turned.direction != RunDirection::Go;
        if stopped && self.steward.engine.take_back(&turned.run).await.is_err() {
            self.steward.options.metrics.engine_error();
        }
    }

    /// Passes on what a round brought. Returns how long to wait for the next one.
    fn note(&self, round: OverseerRound, overseer: &Overseer<NatsEngine>) -> Duration {
        let steward = &self.steward;
        steward.options.metrics.offered(round.n_offered);
        if round.n_reoffered > 0 {
            steward.say(&format!("{} units were neither on offer nor held, and are offered again", round.n_reoffered));
        }
        let has_news = !round.settled.is_empty() || round.n_offered > 0;
        self.troubles().count_cut(&round.settled);
        self.done.put(round.settled.iter().map(|settled| (settled.run.as_str(), settled.idx)));
        self.shelf.put(round.settled);
        if has_news || round.is_caught_up {
            self.note_open(overseer);
        }
        match (round.is_caught_up, has_news) {
            (false, _) => Duration::ZERO,
            (true, true) => PAUSES[0],
            (true, false) => PAUSES[1],
        }
    }

    /// Notes which runs are not over. When one ends, its outcomes are written down at once.
    fn note_open(&self, overseer: &Overseer<NatsEngine>) {
        let left = overseer.outstanding();
        let now: Vec<String> = left.iter().filter(|(_, n)| **n > 0).map(|(run, _)| run.clone()).collect();
        self.steward.options.metrics.outstanding(left);
        let mut runs = self.runs();
        if runs.open.iter().any(|run| !now.contains(run)) {
            self.shelf.hurry();
        }
        runs.open = now;
        runs.sizes = overseer.runs().map(|run| (run.run.clone(), run.n_units)).collect();
    }

    fn runs(&self) -> MutexGuard<'_, SeenRuns> {
        self.runs.lock().always()
    }

    /// The slots of living workers that take work, by class.
    async fn count(&self) -> Option<BTreeMap<String, u64>> {
        let hosts = self.steward.hosts.list().await.ok()?;
        self.steward.options.metrics.mustered(&hosts, SystemClock.now_ms());
        let mut slots = BTreeMap::new();
        for Host { classes, slots: n, .. } in hosts.into_iter().filter(|host| !host.draining) {
            for class in classes {
                *slots.entry(class).or_default() += n as u64;
            }
        }
        Some(slots)
    }

    /// Pauses runs that have nothing left of their budget.
    async fn stop_spent(&self, overseer: &Overseer<NatsEngine>) {
        let spent = self.steward.grants.spent_runs();
        let goes = |run: &&RunStanding| run.direction == RunDirection::Go && spent.contains(&run.run);
        for run in overseer.runs().filter(goes) {
            if self.steward.engine.direct(&run.run, RunDirection::Pause).await.is_ok() {
                self.steward.say(&format!("run `{}` has used up its budget and is paused", run.run));
            }
        }
    }

    /// Keeps in the archive how runs stand: the server may lose it.
    async fn keep_standings(&self, overseer: &Overseer<NatsEngine>, standings: &mut StandingKeeper) {
        let runs: Vec<RunStanding> = overseer.runs().cloned().collect();
        if let Err(error) = standings.keep(runs, self.steward.options.compact_every).await {
            self.steward.options.metrics.engine_error();
            self.steward.say(&format!("how runs stand could not be kept, and will be: {error}"));
        }
    }

    /// Tells what is wrong with single runs, where that has changed.
    async fn tell_troubles(&self, overseer: &Overseer<NatsEngine>) {
        let now = {
            let mut troubles = self.troubles();
            troubles.unoffered.clone_from(overseer.troubles());
            troubles.n_cut.retain(|run, _| overseer.runs().any(|standing| standing.run == *run));
            troubles.clone()
        };
        self.steward.options.metrics.troubled(now.n_runs());
        if self.told.lock().always().as_ref().is_some_and(|told| told.is_like(&now)) {
            return;
        }
        match now.put(&self.steward.client, &self.steward.names).await {
            Ok(()) => *self.told.lock().always() = Some(now),
            Err(_) => self.steward.options.metrics.engine_error(),
        }
    }

    fn troubles(&self) -> MutexGuard<'_, RunTroubles> {
        self.troubles.lock().always()
    }

    /// Writes outcomes down, whenever enough of them have come or enough time has passed.
    async fn compact(&self, mut compactor: Compactor) {
        let steward = &self.steward;
        let mut backoff = BACKOFF.begin();
        while self.tenure.holds() {
            let began = Instant::now();
            while began.elapsed() < steward.options.compact_every && !self.shelf.is_pressing(SEGMENT) {
                tokio::time::sleep(PAUSES[1].min(steward.options.compact_every)).await;
            }
            // What was taken off the shelf is only here now. It is tried until it is written: giving up would lose outcomes for
            // the archive until somebody reads the server from the beginning.
            let stock = self.shelf.take();
            let mut rows = compactor.write(&stock.rows).await;
            while let Err(error) = &rows {
                self.trouble(error, &mut backoff).await;
                rows = compactor.write(&stock.rows).await;
            }
            let mut n_written = rows.unwrap_or(0);
            if let Some(from) = stock.missing_from {
                n_written += self.catch_up(&mut compactor, from, &mut backoff).await;
            }
            steward.options.metrics.compacted(n_written);
            compactor.close(&self.runs().sizes);
            // The mark comes last. A steward that dies before it leaves an older mark, and its successor reads some outcomes
            // twice, which changes nothing; a mark that came first could skip outcomes for ever.
            if n_written > 0 && self.put_mark(compactor.mark()).await.is_err() {
                steward.options.metrics.engine_error();
            }
        }
    }

    async fn catch_up(&self, compactor: &mut Compactor, from: u64, backoff: &mut BackoffWaits) -> u64 {
        loop {
            // A try that fails halfway leaves out nothing: what it wrote is known to be written.
            match compactor.catch_up(&*self.steward.engine, from).await {
                Ok(n_written) => return n_written,
                Err(error) => self.trouble(&error, backoff).await,
            }
        }
    }

    /// Compares server and archive, again and again.
    async fn reconcile(&self, mut reconciler: Reconciler) {
        let (steward, mut before) = (&self.steward, Vec::<String>::new());
        while self.tenure.holds() {
            let open = self.runs().open.clone();
            for run in before.iter().filter(|run| !open.contains(run)) {
                if steward.engine.drop_halves(run).await.is_err() {
                    steward.options.metrics.engine_error();
                }
            }
            match reconciler.sweep(&open, &self.done).await {
                Ok(0) => {}
                Ok(n) => steward.say(&format!("{n} outcomes were shipped and not handed in; they are now")),
                Err(_) => steward.options.metrics.engine_error(),
            }
            before = open;
            // Listing an archive costs money and time at every store of objects, and nothing waits for it.
            tokio::time::sleep(steward.options.sweep_every).await;
            match reconciler.bring_back().await {
                Ok(brought) => self.note_brought(&brought),
                Err(_) => steward.options.metrics.engine_error(),
            }
        }
    }

    /// Notes which runs are there again, and which are not.
    fn note_brought(&self, brought: &RestoredRuns) {
        for run in &brought.runs {
            self.steward.say(&format!("run `{run}` was lost on the server and is registered again"));
        }
        self.tell_of_spoiled(brought);
        self.troubles().unrestored.retain(|run, _| brought.spoiled.iter().any(|(spoiled, _)| spoiled == run));
    }

    async fn trouble(&self, error: &NotCompacted, backoff: &mut BackoffWaits) {
        self.steward.options.metrics.engine_error();
        self.steward.say(&error.to_string());
        tokio::time::sleep(backoff.next_wait()).await;
    }

    async fn mark(&self) -> Result<Option<CompactionMark>, EngineError> {
        let failed = |why: String| EngineError::Server { doing: "see how far outcomes have been written down", why };
        let store = jetstream::new(self.steward.client.clone()).get_key_value(self.steward.names.bucket("ctl")).await;
        let entry = store.map_err(|error| failed(error.to_string()))?.entry(MARK).await;
        let entry = entry.map_err(|error| failed(error.to_string()))?;
        let put = entry.filter(|entry| entry.operation == Operation::Put);
        Ok(put.and_then(|entry| serde_json::from_slice(&entry.value).ok()))
    }

    async fn put_mark(&self, mark: &CompactionMark) -> Result<(), EngineError> {
        let failed = |why: String| EngineError::Server { doing: "note how far outcomes have been written down", why };
        let body = serde_json::to_vec(mark).map_err(|error| failed(error.to_string()))?;
        let subject = format!("$KV.{}.{MARK}", self.steward.names.bucket("ctl"));
        let sent = jetstream::new(self.steward.client.clone()).publish(subject, body.into()).await;
        let acknowledged = sent.map_err(|error| failed(error.to_string()))?.await;
        acknowledged.map(drop).map_err(|error| failed(error.to_string()))
    }
}
