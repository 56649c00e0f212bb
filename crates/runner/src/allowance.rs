//! What a run may use up of steps and minutes. Money and tokens are the meter's, who sees every call.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, Thread};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use quintain_core::ending::Exhausted;
use quintain_core::limits::Budget;
use quintain_store::{RunDir, StoreError};

use crate::earlier_attempts::EarlierAttempts;

/// What a run may use up of steps and minutes, and what it has used, in earlier sessions too.
pub(crate) struct Allowance {
    budget: Budget,
    steps: AtomicU64,
    before: Duration,
    since: Instant,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { budget: Budget::default(), steps: AtomicU64::new(0), before: Duration::ZERO, since: Instant::now() }
    }
}

impl Allowance {
    /// What is allowed to a run, and what its record says that it has used.
    pub(crate) fn of(run: &RunDir, past: &EarlierAttempts<'_>) -> Result<Self, StoreError> {
        Ok(Self {
            budget: run.header().budget,
            steps: AtomicU64::new(past.n_turns()),
            before: run.lasted()?,
            since: Instant::now(),
        })
    }

    /// A step was taken.
    pub(crate) fn step(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// What has run out.
    pub(crate) fn exhausted(&self) -> Option<Exhausted> {
        let steps = self.budget.steps.is_some_and(|limit| self.steps.load(Ordering::Relaxed) >= limit);
        let time = self.time_left().is_some_and(|left| left.is_zero());
        if steps { Some(Exhausted::Steps) } else { time.then_some(Exhausted::Time) }
    }

    fn time_left(&self) -> Option<Duration> {
        let limit = Duration::try_from_secs_f64(self.budget.minutes? * 60.0).unwrap_or(Duration::MAX);
        Some(limit.saturating_sub(self.before).saturating_sub(self.since.elapsed()))
    }

    /// How long the keeper of the time may rest.
    fn rest(&self, note_every: Duration) -> Duration {
        self.time_left().filter(|left| !left.is_zero()).map_or(note_every, |left| left.min(note_every))
    }

    /// Does the work of a session, tells it to stop when the time is up, and keeps down how long it has lasted: a process
    /// that is killed loses no more than the time since it was last noted.
    pub(crate) fn during<T>(
        &self,
        run: &RunDir,
        note_every: Duration,
        stop: &AtomicBool,
        work: impl FnOnce() -> T,
    ) -> Result<T, StoreError> {
        if self.exhausted().is_some() {
            stop.store(true, Ordering::SeqCst);
        }
        let over = AtomicBool::new(false);
        thread::scope(|scope| {
            let keeper = scope.spawn(|| self.keep_time(run, note_every, stop, &over));
            let end = WorkEnd { over: &over, keeper: keeper.thread().clone() };
            let done = work();
            drop(end);
            keeper.join().expect("keeping the time does not panic").map(|()| done)
        })
    }

    /// Notes how long the session has lasted, again and again until it is over.
    fn keep_time(
        &self,
        run: &RunDir,
        note_every: Duration,
        stop: &AtomicBool,
        over: &AtomicBool,
    ) -> Result<(), StoreError> {
        let session = session_name();
        while !over.load(Ordering::SeqCst) {
            thread::park_timeout(self.rest(note_every));
            if self.exhausted() == Some(Exhausted::Time) {
                stop.store(true, Ordering::SeqCst);
            }
            run.note_session(&session, self.since.elapsed())?;
        }
        run.note_session(&session, self.since.elapsed())
    }
}

/// Lets the keeper of the time go when the work is over, even if it panics.
struct WorkEnd<'a> {
    over: &'a AtomicBool,
    keeper: Thread,
}

impl Drop for WorkEnd<'_> {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        self.keeper.unpark();
    }
}

/// A name that no other session of a run has.
fn session_name() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}", now.as_millis(), std::process::id())
}
