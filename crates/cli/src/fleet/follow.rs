//! A run of a fleet as it goes: what workers tell is shown at once, what the server holds is the truth.

use std::future::Future;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use quintain_core::Event;
use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::steered::SteeredEngine;
use quintain_runner::engine::{EngineError, RecordedOutcome, RunDirection, RunProgress};
use tokio::time::{MissedTickBehavior, interval};

use crate::audience::RunAudience;

/// How often a request to stop is looked for.
const TICK: Duration = Duration::from_millis(250);

/// Every so many ticks the server is asked.
const LOOK_EVERY: u32 = 4;

/// Every so many looks it is asked what may be missing.
const PATIENCE: u32 = 5;

/// The most outcomes that are asked for at once.
const PAGE: usize = 2_000;

const GONE: &str = "the server does not know the run any more; a steward brings it back, unless it was forgotten";

const PAUSED: &str = "the run is paused; `quintain fleet resume` lets it go on, Ctrl-C leaves it";

/// Why following ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FollowEnd {
    /// Every trial has an outcome.
    Complete,
    /// It was cancelled, and nobody plays any of it.
    Cancelled,
    /// The person left.
    Left,
}

/// Someone who follows a run.
pub(crate) struct Follower<'a, E> {
    pub(crate) engine: &'a E,
    pub(crate) run: &'a str,
    pub(crate) audience: &'a Mutex<RunAudience>,
    pub(crate) stop: &'a AtomicBool,
    seen: FollowState,
}

/// What was seen so far.
#[derive(Default)]
struct FollowState {
    /// The outcome after the last one that was told.
    next: u64,
    n_done: u64,
    n_units: u64,
    n_looks: u32,
    /// What was missing when it was asked last.
    missing: Option<String>,
    is_silent: bool,
    is_paused: bool,
}

impl<'a, E: SteeredEngine> Follower<'a, E> {
    pub(crate) fn new(engine: &'a E, run: &'a str, audience: &'a Mutex<RunAudience>, stop: &'a AtomicBool) -> Self {
        Self { engine, run, audience, stop, seen: FollowState::default() }
    }

    /// Shows a run until it is complete or cancelled, or the person leaves. What is missing is asked of `missing` now and
    /// then, and told when it is something else than before.
    pub(crate) async fn follow<M: Future<Output = Option<String>>>(
        mut self,
        events: impl Stream<Item = Vec<Event>>,
        missing: impl Fn() -> M,
    ) -> Result<FollowEnd, EngineError> {
        self.begin().await?;
        let mut events = std::pin::pin!(events);
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut n_ticks = 0;
        loop {
            tokio::select! {
                Some(batch) = events.next() => self.hear(&batch),
                _ = ticks.tick() => {
                    if self.stop.load(Ordering::SeqCst) {
                        return Ok(FollowEnd::Left);
                    }
                    n_ticks += 1;
                    if n_ticks % LOOK_EVERY == 1 && let Some(end) = self.look(&missing).await? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// What was done before is not told again.
    async fn begin(&mut self) -> Result<(), EngineError> {
        let progress = self.engine.progress(self.run).await?;
        while !self.page().await?.is_empty() {}
        let (run, n_trials) = (self.run.to_owned(), progress.n_units);
        self.seen.n_units = n_trials;
        self.tell(&Event::RunBegan { run, n_trials, n_done: self.seen.n_done });
        Ok(())
    }

    /// Outcomes are told from the server's list: workers may tell of one that does not count, or not at all.
    fn hear(&self, batch: &[Event]) {
        let ours = |event: &&Event| {
            !matches!(event, Event::RunBegan { .. } | Event::RunEnded { .. } | Event::TrialEnded { .. })
        };
        for event in batch.iter().filter(ours) {
            self.tell(event);
        }
    }

    /// Asks the server how far the run is. A server that does not answer is asked again.
    async fn look<M: Future<Output = Option<String>>>(
        &mut self,
        missing: &impl Fn() -> M,
    ) -> Result<Option<FollowEnd>, EngineError> {
        match self.catch_up().await {
            Ok(progress) if progress.n_units < self.seen.n_units => {
                if !std::mem::replace(&mut self.seen.is_silent, true) {
                    self.say(GONE);
                }
                Ok(None)
            }
            Ok(progress) => {
                if std::mem::take(&mut self.seen.is_silent) {
                    self.say("the server answers again");
                }
                let end = self.over(&progress).await?;
                if end.is_some() {
                    self.end(&progress);
                } else if !self.seen.is_paused {
                    self.wonder(missing).await;
                }
                Ok(end)
            }
            Err(EngineError::Server { why, .. }) => {
                if !std::mem::replace(&mut self.seen.is_silent, true) {
                    self.say(&format!("the server does not answer, workers go on meanwhile: {why}"));
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    async fn catch_up(&mut self) -> Result<RunProgress, EngineError> {
        let progress = self.engine.progress(self.run).await?;
        loop {
            let page = self.page().await?;
            if page.is_empty() {
                break;
            }
            for recorded in page {
                self.tell_outcome(recorded);
            }
        }
        Ok(progress)
    }

    /// The next outcomes that were not seen yet.
    async fn page(&mut self) -> Result<Vec<RecordedOutcome>, EngineError> {
        let page = self.engine.outcomes(self.run, self.seen.next, PAGE).await?;
        self.seen.n_done += page.len() as u64;
        self.seen.next = page.last().map_or(self.seen.next, |last| last.seq + 1);
        Ok(page)
    }

    fn tell_outcome(&self, recorded: RecordedOutcome) {
        let RecordedOutcome { unit, attempt, outcome, .. } = recorded;
        let Ok(trial) = unit.parse() else { return };
        self.tell(&Event::trial_ended(trial, attempt, outcome.finished()));
    }

    /// Whether the run is over, and how. Being paused is no end: somebody will let it go on.
    async fn over(&mut self, progress: &RunProgress) -> Result<Option<FollowEnd>, EngineError> {
        let n_left = progress.n_units - progress.n_done.min(progress.n_units);
        if n_left == 0 {
            return Ok(Some(FollowEnd::Complete));
        }
        let direction = if progress.n_held == 0 { RunDirection::Go } else { self.direction().await? };
        let is_paused = direction == RunDirection::Pause;
        if std::mem::replace(&mut self.seen.is_paused, is_paused) != is_paused {
            self.say(if is_paused { PAUSED } else { "the run goes on" });
        }
        Ok((direction == RunDirection::Cancel && progress.n_leased == 0).then_some(FollowEnd::Cancelled))
    }

    async fn direction(&self) -> Result<RunDirection, EngineError> {
        let runs = self.engine.runs().await?;
        Ok(runs
            .iter()
            .find(|standing| standing.run == self.run)
            .map_or(RunDirection::Go, |standing| standing.direction))
    }

    /// Says what is missing, once for each thing: some trials may wait for a host while others are played.
    async fn wonder<M: Future<Output = Option<String>>>(&mut self, missing: &impl Fn() -> M) {
        self.seen.n_looks += 1;
        if !self.seen.n_looks.is_multiple_of(PATIENCE) {
            return;
        }
        let now = missing().await;
        if let Some(words) = now.as_ref().filter(|_| now != self.seen.missing) {
            self.say(words);
        }
        self.seen.missing = now;
    }

    fn end(&self, progress: &RunProgress) {
        self.tell(&Event::RunEnded { n_done: progress.n_done, n_left: progress.n_units - progress.n_done });
    }

    fn tell(&self, event: &Event) {
        self.audience.lock().always().on(event);
    }

    fn say(&self, words: &str) {
        self.audience.lock().always().say(words);
    }
}
