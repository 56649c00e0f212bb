//! Reading what became of the units of a run. Messages whose ticket is wrong are nobody's outcome.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, SystemTime};

use quintain_runner::engine::steered::SettledUnit;
use quintain_runner::engine::{
    AttemptEnd, EndedAttempt, EngineError, RecordedOutcome, RunDirection, RunProgress, SystemClock, WallClock as _,
};

use super::NatsEngine;
use super::holdings::ClockMoment;
use super::server::StoredMessage;
use super::wire::{HandedIn, History, PastAttempt, RunEntry};
use crate::hosts::Host;
use crate::names::{text, token};

/// How many outcomes are read at once.
const PAGE: usize = 5_000;

/// How long a list of hosts is good enough.
const LIST_LIVES: Duration = Duration::from_secs(1);

/// Which units of a run are settled, as far as it was read.
#[derive(Default)]
pub(super) struct SettledUnits {
    next_seq: u64,
    done: BTreeSet<u32>,
}

/// What the subject of a message says: run, unit, ticket.
struct SubjectParts {
    run: String,
    idx: u32,
    ticket: String,
}

impl SettledUnits {
    fn count<'a>(&mut self, entry: &RunEntry, subjects: impl Iterator<Item = &'a str>) {
        let genuine =
            subjects.filter_map(SubjectParts::of).filter(|address| entry.ticket(address.idx) == address.ticket);
        self.done.extend(genuine.map(|address| address.idx));
    }
}

impl SubjectParts {
    fn of(subject: &str) -> Option<Self> {
        let mut parts = subject.rsplit('.');
        let ticket = parts.next()?.to_owned();
        let idx = parts.next()?.parse().ok()?;
        Some(Self { run: text(parts.next()?)?, idx, ticket })
    }
}

impl NatsEngine {
    pub(super) async fn outcomes_of(
        &self,
        run: &str,
        from: u64,
        max: usize,
    ) -> Result<Vec<(u32, RecordedOutcome)>, EngineError> {
        let filter = format!("{}.out.{}.*.*", self.names.fleet(), token(run));
        let settled = self.settled_on(&filter, from, max).await?;
        Ok(settled.into_iter().map(|settled| (settled.idx, settled.recorded)).collect())
    }

    /// The outcomes on subjects that count.
    pub(super) async fn settled_on(
        &self,
        filter: &str,
        from: u64,
        max: usize,
    ) -> Result<Vec<SettledUnit>, EngineError> {
        let (stream, mut next, mut settled) = (self.names.stream("out"), from, Vec::new());
        while settled.len() < max {
            let wanted = PAGE.min(max - settled.len());
            let page = self.server.read(&stream, filter, next, wanted).await?;
            for stored in &page {
                settled.extend(self.settled_by(stored).await?);
            }
            match page.last() {
                Some(last) if page.len() == wanted => next = last.seq + 1,
                _ => break,
            }
        }
        Ok(settled)
    }

    async fn settled_by(&self, stored: &StoredMessage) -> Result<Option<SettledUnit>, EngineError> {
        let Some(SubjectParts { run, idx, .. }) = self.genuine(stored).await? else {
            return Ok(None);
        };
        let Ok(HandedIn { unit, attempt, outcome, .. }) = serde_json::from_slice(&stored.body) else {
            return Ok(None);
        };
        Ok(Some(SettledUnit { run, idx, recorded: RecordedOutcome { seq: stored.seq, unit, attempt, outcome } }))
    }

    /// Where a message belongs, if it is by someone who was given the unit.
    async fn genuine(&self, stored: &StoredMessage) -> Result<Option<SubjectParts>, EngineError> {
        let Some(address) = SubjectParts::of(&stored.subject) else { return Ok(None) };
        let entry = self.keyed(&address.run).await?;
        Ok(entry.filter(|entry| entry.ticket(address.idx) == address.ticket).map(|_| address))
    }

    /// The histories of a run's units that have any.
    pub(super) async fn histories(&self, run: &str) -> Result<BTreeMap<u32, History>, EngineError> {
        let filter = format!("{}.att.{}.*.*", self.names.fleet(), token(run));
        let mut histories = BTreeMap::new();
        for stored in self.server.read(&self.names.stream("attempts"), &filter, 0, usize::MAX).await? {
            let Some(address) = self.genuine(&stored).await? else { continue };
            if let Ok(history) = serde_json::from_slice(&stored.body) {
                histories.insert(address.idx, history);
            }
        }
        Ok(histories)
    }

    pub(super) async fn attempts_of(&self, run: &str) -> Result<Vec<EndedAttempt>, EngineError> {
        let mut histories = self.histories(run).await?;
        for (idx, recorded) in self.outcomes_of(run, 0, usize::MAX).await? {
            let history = histories.entry(idx).or_default();
            history.unit = recorded.unit;
            history.attempts.retain(|past| past.attempt != recorded.attempt);
            let place = Some(recorded.outcome.place);
            history.attempts.push(PastAttempt { attempt: recorded.attempt, end: AttemptEnd::Won, place });
            history.attempts.sort_by_key(|past| past.attempt);
        }
        let attempts = histories.into_values().flat_map(|History { unit, attempts }| {
            attempts.into_iter().map(move |PastAttempt { attempt, end, place }| EndedAttempt {
                unit: unit.clone(),
                attempt,
                end,
                place,
            })
        });
        Ok(attempts.collect())
    }

    pub(super) async fn progress_of(&self, run: &str) -> Result<RunProgress, EngineError> {
        let Some(entry) = self.entry(run).await? else {
            return Ok(RunProgress::default());
        };
        let held = match entry.direction {
            RunDirection::Cancel => BTreeMap::new(),
            RunDirection::Go | RunDirection::Pause => self.held_by_all(run).await?,
        };
        let count = |done: &BTreeSet<u32>| {
            let n_leased = held.keys().filter(|idx| !done.contains(idx)).count();
            (done.len() as u64, n_leased as u64)
        };
        let (n_done, n_leased) = self.tally(&entry, count).await?;
        let n_units = u64::from(entry.n_units);
        let n_open = n_units.saturating_sub(n_done + n_leased);
        let (n_waiting, n_held) = if entry.direction == RunDirection::Go { (n_open, 0) } else { (0, n_open) };
        Ok(RunProgress { n_units, n_done, n_leased, n_waiting, n_held })
    }

    /// How many outcomes of a run came within a while, and since when, in milliseconds before now.
    pub async fn settled_lately(&self, run: &str, within: Duration) -> Result<(u64, u64), EngineError> {
        let filter = format!("{}.out.{}.*.*", self.names.fleet(), token(run));
        let since = SystemTime::now() - within;
        let (n, first_ms) = self.server.count_since(&self.names.stream("out"), &filter, since).await?;
        let elapsed_ms = SystemClock.now_ms().saturating_sub(first_ms);
        Ok((n, u64::try_from(elapsed_ms).unwrap_or_default()))
    }

    /// The units of a run that are settled, by their places in the plan.
    pub async fn settled_units(&self, run: &str) -> Result<BTreeSet<u32>, EngineError> {
        match self.entry(run).await? {
            Some(entry) => self.tally(&entry, BTreeSet::clone).await,
            None => Ok(BTreeSet::new()),
        }
    }

    /// Looks at which units of a run are settled. At first the run is counted by its subjects alone: they say all that is
    /// needed, and are far shorter than the outcomes.
    pub(super) async fn tally<T>(
        &self,
        entry: &RunEntry,
        look: impl FnOnce(&BTreeSet<u32>) -> T,
    ) -> Result<T, EngineError> {
        let mut tallies = self.tallies.lock().await;
        let tally = tallies.entry(entry.run.clone()).or_default();
        let (stream, filter) =
            (self.names.stream("out"), format!("{}.out.{}.*.*", self.names.fleet(), token(&entry.run)));
        if tally.next_seq == 0 {
            let count = |subject: &str| tally.count(entry, std::iter::once(subject));
            tally.next_seq = self.server.walk(&stream, &filter, count).await?;
        }
        loop {
            let page = self.server.read(&stream, &filter, tally.next_seq, PAGE).await?;
            tally.count(entry, page.iter().map(|stored| stored.subject.as_str()));
            let Some(last) = page.last() else { break };
            tally.next_seq = last.seq + 1;
            if page.len() < PAGE {
                break;
            }
        }
        Ok(look(&tally.done))
    }

    /// The units of a run that are held here, and by living hosts as they say.
    pub(super) async fn held_by_all(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        let mut held: BTreeMap<u32, u32> = BTreeMap::new();
        for unit in self.living_hosts().await?.iter().flat_map(|host| &host.held) {
            if unit.run == run {
                let attempt = held.entry(unit.idx).or_default();
                *attempt = unit.attempt.max(*attempt);
            }
        }
        held.extend(self.holdings().held(run, ClockMoment::now(), self.options.lease_for));
        Ok(held)
    }

    async fn living_hosts(&self) -> Result<Vec<Host>, EngineError> {
        let mut listed = self.listed.lock().await;
        if let Some((at, hosts)) = &*listed
            && at.age(ClockMoment::now()) < LIST_LIVES
        {
            return Ok(hosts.clone());
        }
        let hosts = self.hosts.list().await?;
        *listed = Some((ClockMoment::now(), hosts.clone()));
        Ok(hosts)
    }
}
