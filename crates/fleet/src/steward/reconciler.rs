//! Brings server and archive together again: what a server has lost comes back from the archive, and what a worker shipped
//! and died before handing in is handed in for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use futures_util::{StreamExt, TryStreamExt, stream};
use quintain_core::TaskId;
use quintain_runner::engine::steered::{RunStanding, RunTerms, SteeredEngine};
use quintain_runner::engine::{Engine, EngineError, Outcome, Unit};
use quintain_store::archive::{Archive, ArchivedRun, OutcomeRow, PackManifest, SLICE, ShippedAttempt};
use quintain_store::{PlannedTrial, StoreError};

use super::bits::UnitBits;
use super::compactor::NotCompacted;
use super::done::DoneUnits;
use super::standing::KeptStanding;
use crate::jetstream::NatsEngine;
use crate::limits::rule::rules_of;
use crate::limits::{KeptLimit, Rules};

/// How many outcomes are handed in at once, and how many manifests are read at once.
const AT_ONCE: usize = 256;

/// What the manifests of a run say.
#[derive(Default)]
struct ShippedRun {
    /// Outcomes, by run and unit.
    outcomes: BTreeMap<(String, u32), OutcomeRow>,
    /// The highest number of an attempt, of each unit that has any.
    n_attempts: BTreeMap<u32, u32>,
}

impl ShippedRun {
    async fn of(run: &ArchivedRun, engine: &NatsEngine) -> Result<Self, NotCompacted> {
        let (mut shipped, mut after) = (Self::default(), None);
        loop {
            let page = run.manifests(after.as_deref(), AT_ONCE).await?;
            for attempt in page.iter().flat_map(|(_, manifest)| &manifest.attempts) {
                if !is_genuine(engine, run.name(), attempt).await? {
                    continue;
                }
                wait(&mut shipped.outcomes, run.name(), attempt);
                let n = shipped.n_attempts.entry(attempt.idx).or_default();
                *n = attempt.attempt.max(*n);
            }
            match page.into_iter().last() {
                Some((name, _)) => after = Some(name),
                None => return Ok(shipped),
            }
        }
    }
}

/// What was looked at, run by run.
#[derive(Default)]
pub(super) struct RestoredRuns {
    /// Runs of which something was lost, and is there again.
    pub(super) runs: Vec<String>,
    /// Runs whose objects in the archive cannot be used, and why.
    pub(super) spoiled: Vec<(String, String)>,
}

impl RestoredRuns {
    /// Notes what came of a run. One that is spoiled keeps nobody from looking at the others.
    fn note(&mut self, run: String, restored: Result<bool, String>) {
        match restored {
            Ok(true) => self.runs.push(run),
            Ok(false) => {}
            Err(why) => self.spoiled.push((run, why)),
        }
    }
}

/// Compares server and archive.
pub(super) struct Reconciler {
    archive: Archive,
    engine: Arc<NatsEngine>,
    rules: Rules,
    /// How many units each archived run has that was looked at.
    sizes: BTreeMap<String, u32>,
    /// Whether it has looked at all runs once.
    has_looked: bool,
    /// Runs that were not whole at an earlier look.
    missing: BTreeSet<String>,
    /// Runs whose keys are in the archive.
    keyed: BTreeSet<String>,
    /// Manifests that were read, by run.
    read: BTreeMap<String, BTreeSet<String>>,
    /// Outcomes that were shipped and had not been handed in when they were last looked at, by run and unit.
    waiting: BTreeMap<(String, u32), OutcomeRow>,
}

impl Reconciler {
    /// One that has looked at nothing yet.
    pub(super) fn new(archive: Archive, engine: Arc<NatsEngine>, rules: Rules) -> Self {
        Self {
            archive,
            engine,
            rules,
            sizes: BTreeMap::new(),
            has_looked: false,
            missing: BTreeSet::new(),
            keyed: BTreeSet::new(),
            read: BTreeMap::new(),
            waiting: BTreeMap::new(),
        }
    }

    /// Registers again what the server has lost of runs in the archive, with their outcomes. Returns which runs.
    ///
    /// Outcomes go first: a unit that was played is never offered again.
    pub(super) async fn bring_back(&mut self) -> Result<RestoredRuns, NotCompacted> {
        let standings = self.engine.runs().await?;
        let known: BTreeMap<String, u32> = standings.into_iter().map(|run| (run.run, run.n_units)).collect();
        let mut restored = RestoredRuns::default();
        for name in self.archive.runs().await? {
            let Ok(run) = self.archive.run(&name) else { continue };
            let brought = self.bring_back_one(&run, known.get(&name).copied().unwrap_or(0)).await;
            restored.note(name, self.of_the_run(brought).await?);
        }
        self.has_looked = true;
        Ok(restored)
    }

    /// Registers again what the server has lost of a run, and returns whether that was anything.
    async fn bring_back_one(&mut self, run: &ArchivedRun, n_known: u32) -> Result<bool, NotCompacted> {
        let name = run.name();
        if n_known > 0 {
            self.keep_key(run).await?;
        }
        if self.sizes.get(name).is_some_and(|size| n_known >= *size) {
            return Ok(false);
        }
        // RunTerms come last: before them the plan may have gaps, and whoever hands it in may have died on the way.
        let Some(terms) = terms(run).await? else { return Ok(false) };
        let is_whole = n_known >= self.size(run).await?;
        if is_whole || !self.is_due(name) || self.engine.is_forgotten(name).await? {
            return Ok(false);
        }
        let (key, standing) = (run.key().await?, KeptStanding::of(run).await?);
        self.engine.begin_again(name, key.as_deref(), &terms, standing.direction).await?;
        self.rules.bring_back(&self.limits(run, standing).await?).await?;
        let shipped = ShippedRun::of(run, &self.engine).await?;
        self.restore(run, &shipped).await?;
        self.register(run, &shipped).await?;
        Ok(true)
    }

    /// What a run may use: as it was kept, or where that was never done, as the run says itself.
    async fn limits(
        &self,
        run: &ArchivedRun,
        standing: KeptStanding,
    ) -> Result<BTreeMap<String, KeptLimit>, NotCompacted> {
        let budget = run.header().await?.budget;
        let planned = rules_of(run.name(), &budget).into_iter();
        let mut limits: BTreeMap<String, KeptLimit> =
            planned.map(|(limit, rule)| (limit, KeptLimit { rule, state: None })).collect();
        limits.extend(standing.limits);
        Ok(limits)
    }

    /// Tells trouble with one run from trouble with the server or the archive, which answer where it is the run's own.
    async fn of_the_run<T>(&self, done: Result<T, NotCompacted>) -> Result<Result<T, String>, NotCompacted> {
        match done {
            Ok(done) => Ok(Ok(done)),
            Err(error) => {
                self.engine.runs().await?;
                self.archive.runs().await?;
                Ok(Err(error.to_string()))
            }
        }
    }

    /// Keeps the key of a run in the archive: with it, what workers shipped can be believed after the server is lost.
    async fn keep_key(&mut self, run: &ArchivedRun) -> Result<(), NotCompacted> {
        if self.keyed.contains(run.name()) {
            return Ok(());
        }
        if let Some(key) = self.engine.key_of(run.name()).await? {
            run.put_key(&key).await?;
            self.keyed.insert(run.name().to_owned());
        }
        Ok(())
    }

    /// Hands in again what the server has lost of outcomes that are in the archive, of runs that it knows: units that
    /// are done there are never offered, so that their run would never be over. Returns which runs. A server that is
    /// known to be the same has lost all of a run, or nothing.
    pub(super) async fn make_good(&self, is_same: bool) -> Result<RestoredRuns, NotCompacted> {
        let mut restored = RestoredRuns::default();
        for RunStanding { run, .. } in self.engine.runs().await? {
            let Ok(archived) = self.archive.run(&run) else { continue };
            if is_same && !self.engine.outcomes(&run, 0, 1).await?.is_empty() {
                continue;
            }
            let n_handed_in = self.restore(&archived, &ShippedRun::default()).await;
            restored.note(run, self.of_the_run(n_handed_in.map(|n| n > 0)).await?);
        }
        Ok(restored)
    }

    /// Whether a run that is not whole is to be brought back: at the first look, or if it was not whole at the last one
    /// either. In between it is left to whoever may be handing it in.
    fn is_due(&mut self, run: &str) -> bool {
        !self.missing.insert(run.to_owned()) || !self.has_looked
    }

    /// Looks for outcomes that were shipped and not handed in. What was already missing at an earlier look, and is not
    /// held by anybody, is handed in now. Returns how many.
    pub(super) async fn sweep(&mut self, runs: &[String], done: &DoneUnits) -> Result<u64, NotCompacted> {
        let mut n_handed_in = 0;
        self.read.retain(|run, _| runs.contains(run));
        self.waiting.retain(|(run, _), _| runs.contains(run));
        for name in runs {
            let Ok(run) = self.archive.run(name) else { continue };
            let swept = self.sweep_one(&run, done).await;
            n_handed_in += self.of_the_run(swept).await?.unwrap_or(0);
        }
        Ok(n_handed_in)
    }

    async fn sweep_one(&mut self, run: &ArchivedRun, done: &DoneUnits) -> Result<u64, NotCompacted> {
        let name = run.name();
        self.keep_key(run).await?;
        self.waiting.retain(|(run, idx), _| !done.has(run, *idx));
        let held = self.engine.held(name).await?;
        let ripe: Vec<OutcomeRow> = self.of_run(name).filter(|row| !held.contains_key(&row.idx)).cloned().collect();
        self.hand_in(name, &ripe).await?;
        for row in &ripe {
            self.waiting.remove(&(name.to_owned(), row.idx));
        }
        self.read_new(run, done).await?;
        Ok(ripe.len() as u64)
    }

    fn of_run<'a>(&'a self, run: &'a str) -> impl Iterator<Item = &'a OutcomeRow> {
        self.waiting.iter().filter(move |((of, _), _)| of == run).map(|(_, row)| row)
    }

    /// Reads manifests that are new.
    async fn read_new(&mut self, run: &ArchivedRun, done: &DoneUnits) -> Result<(), NotCompacted> {
        let read = self.read.entry(run.name().to_owned()).or_default();
        let names: Vec<String> = run.pack_names(None).await?.into_iter().filter(|name| !read.contains(name)).collect();
        for page in names.chunks(AT_ONCE) {
            let manifests = read_all(run, page).await?;
            for attempt in manifests.iter().flat_map(|manifest| &manifest.attempts) {
                if !done.has(run.name(), attempt.idx) && is_genuine(&self.engine, run.name(), attempt).await? {
                    wait(&mut self.waiting, run.name(), attempt);
                }
            }
            read.extend(page.iter().cloned());
        }
        Ok(())
    }

    /// How many units a run in the archive has.
    async fn size(&mut self, run: &ArchivedRun) -> Result<u32, NotCompacted> {
        if let Some(size) = self.sizes.get(run.name()) {
            return Ok(*size);
        }
        let size = match run.n_slices().await? {
            0 => 0,
            n_slices => (n_slices - 1) * SLICE as u32 + run.slice(n_slices - 1).await?.len() as u32,
        };
        self.sizes.insert(run.name().to_owned(), size);
        Ok(size)
    }

    /// Hands in all outcomes of a run that the archive knows and the server does not. Returns how many.
    async fn restore(&self, run: &ArchivedRun, shipped: &ShippedRun) -> Result<usize, NotCompacted> {
        let there = self.engine.settled_units(run.name()).await?;
        let mut rows = run.outcomes().await?;
        let written: UnitBits = rows.iter().map(|row| row.idx).collect();
        rows.extend(shipped.outcomes.values().filter(|row| !written.has(row.idx)).cloned());
        rows.retain(|row| !there.contains(&row.idx));
        self.hand_in(run.name(), &rows).await?;
        Ok(rows.len())
    }

    /// Registers the units of a run. Attempts that are on record are not numbered again.
    async fn register(&self, run: &ArchivedRun, shipped: &ShippedRun) -> Result<(), NotCompacted> {
        let (header, tasks) = (run.header().await?, run.tasks().await?);
        let classes: BTreeMap<&TaskId, &str> = tasks.iter().map(|task| (&task.id, header.class_of(task))).collect();
        let unit = |(idx, planned): (u32, PlannedTrial)| Unit {
            run: run.name().to_owned(),
            id: planned.trial.to_string(),
            class: classes.get(&planned.trial.instance.task).copied().unwrap_or_default().to_owned(),
            n_before: shipped.n_attempts.get(&idx).copied().unwrap_or(0),
        };
        for slice in 0..run.n_slices().await? {
            let planned = (slice * SLICE as u32..).zip(run.slice(slice).await?);
            self.engine.enqueue(&planned.map(unit).collect::<Vec<Unit>>()).await?;
        }
        Ok(())
    }

    async fn hand_in(&self, run: &str, rows: &[OutcomeRow]) -> Result<(), EngineError> {
        for page in rows.chunks(AT_ONCE) {
            let mut results = Vec::with_capacity(page.len());
            for row in page {
                let lease = self.engine.vouch(run, row.idx, row.trial.to_string(), row.attempt).await?;
                let outcome = Outcome::new(row.finished.clone(), row.place.clone());
                results.push((lease, outcome));
            }
            self.engine.commit(&results).await?;
        }
        Ok(())
    }
}

/// Whether who shipped an attempt was given the unit. Nobody else's word is taken for an outcome.
async fn is_genuine(engine: &NatsEngine, run: &str, attempt: &ShippedAttempt) -> Result<bool, EngineError> {
    Ok(engine.ticket(run, attempt.idx).await? == attempt.ticket)
}

/// Keeps the outcome of the earliest attempt.
fn wait(waiting: &mut BTreeMap<(String, u32), OutcomeRow>, run: &str, attempt: &ShippedAttempt) {
    let Some(finished) = &attempt.outcome else { return };
    let key = (run.to_owned(), attempt.idx);
    if waiting.get(&key).is_none_or(|kept| attempt.attempt < kept.attempt) {
        let (trial, place) = (attempt.trial.clone(), attempt.place.clone());
        waiting.insert(key, OutcomeRow::new(0, attempt.idx, trial, attempt.attempt, finished.clone(), place));
    }
}

async fn read_all(run: &ArchivedRun, names: &[String]) -> Result<Vec<PackManifest>, StoreError> {
    let read = |name: String| async move { run.manifest(&name).await };
    stream::iter(names.to_vec()).map(read).buffered(16).try_collect().await
}

/// On which terms a run was handed to a fleet; nothing if it never was.
async fn terms(run: &ArchivedRun) -> Result<Option<RunTerms>, NotCompacted> {
    let Some(text) = run.terms().await? else { return Ok(None) };
    Ok(Some(serde_json::from_slice(&text).unwrap_or_default()))
}
