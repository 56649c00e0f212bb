//! The engine: who plays what, and what came of it.
//!
//! An engine hands out units of work under leases and takes outcomes back. Whatever dies and whenever, each unit ends in
//! exactly one outcome: a lease that is not kept alive is handed to someone else, and the first outcome that arrives for
//! a unit is the one that counts. The module
//! `conformance` says precisely what is promised; every engine passes it.

pub mod conformance;
pub mod memory;
mod owner;
pub mod sqlite;
pub mod steered;

use std::future::Future;
use std::time::Duration;

use quintain_core::trial::TrialResult;
use quintain_core::{Ending, Spent, Verdict};
use serde::{Deserialize, Serialize};

pub use memory::MemoryEngine;
pub use sqlite::SqliteEngine;

/// Hands out units of work and takes outcomes back.
///
/// Calls that take several things at once treat each on its own; they are taken together because one trip is cheaper.
pub trait Engine: Send + Sync {
    /// Adds units that are not there yet, and returns how many those were.
    fn enqueue(&self, units: &[Unit]) -> impl Future<Output = Result<u64, EngineError>> + Send;

    /// Leases units that are due, in the order they were added. Waits for work no longer than the order says.
    fn lease(&self, order: &LeaseOrder) -> impl Future<Output = Result<Vec<Lease>, EngineError>> + Send;

    /// Keeps leases alive. A lease that has run out but that nobody else has taken is still held.
    fn beat(&self, leases: &[Lease]) -> impl Future<Output = Result<Vec<Hold>, EngineError>> + Send;

    /// Hands in outcomes. The first one for a unit wins, whether or not its lease is still held.
    fn commit(&self, results: &[(Lease, Outcome)]) -> impl Future<Output = Result<Vec<Committed>, EngineError>> + Send;

    /// Puts a unit back unfinished, to be leased again after the delay.
    fn release(&self, lease: &Lease, release: &Release) -> impl Future<Output = Result<Hold, EngineError>> + Send;

    /// The outcomes of a run in the order they came, from a sequence number on, at most so many.
    fn outcomes(
        &self,
        run: &str,
        from: u64,
        max: usize,
    ) -> impl Future<Output = Result<Vec<RecordedOutcome>, EngineError>> + Send;

    /// Every attempt of a run that is over, by unit in the order they were added, and by number.
    fn attempts(&self, run: &str) -> impl Future<Output = Result<Vec<EndedAttempt>, EngineError>> + Send;

    /// Stops or lets go on the handing out of a run's units. Outcomes of what is already leased are still taken.
    fn direct(&self, run: &str, direction: RunDirection) -> impl Future<Output = Result<(), EngineError>> + Send;

    /// How far a run is.
    fn progress(&self, run: &str) -> impl Future<Output = Result<RunProgress, EngineError>> + Send;
}

/// One unit of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// The run it belongs to: several runs may share an engine.
    pub run: String,
    /// Its name within the run: the trial's.
    pub id: String,
    /// What a worker must be able to do: the kind of world.
    pub class: String,
    /// How many attempts are already on record. New attempts are numbered after them.
    pub n_before: u32,
}

/// What a worker asks for.
#[derive(Clone, Debug)]
pub struct LeaseOrder {
    /// What it can do, the scarcest first.
    pub classes: Vec<String>,
    /// How many units at most.
    pub max: usize,
    /// How long to wait when nothing is due.
    pub wait: Duration,
}

/// The right to play a unit until the deadline.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Lease {
    /// The run.
    pub run: String,
    /// The unit's name.
    pub unit: String,
    /// The engine's own key for the unit.
    pub key: u64,
    /// The number of this attempt, from 1.
    pub attempt: u32,
    /// How many attempts before it ended in a fault.
    pub n_faults: u32,
    /// How many leases before it were lost, because their holder died or fell silent.
    pub n_lost: u32,
    /// When it runs out, in milliseconds since 1970.
    pub deadline_ms: i64,
    /// What the engine needs besides to find it again. It means nothing to others.
    pub handle: String,
}

/// Whether a lease is still held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// It is.
    Still,
    /// It was given to someone else, or the unit needs no more work.
    Lost,
}

/// What came of a unit: small enough for a message, in which verdict, cost and place lie side by side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The verdict.
    pub verdict: Verdict,
    /// What was used up.
    pub spent: Spent,
    /// Where the record lies; opaque to the engine.
    pub place: String,
}

impl Outcome {
    /// What a unit came to, and where its record lies.
    pub fn new(finished: TrialResult, place: String) -> Self {
        let TrialResult { verdict, spent } = finished;
        Self { verdict, spent, place }
    }

    /// What the unit came to.
    pub fn finished(self) -> TrialResult {
        TrialResult { verdict: self.verdict, spent: self.spent }
    }
}

/// Whether an outcome counts.
#[derive(Clone, Debug, PartialEq)]
pub enum Committed {
    /// It is the one that counts.
    Won,
    /// Another one came first.
    Already(Box<RecordedOutcome>),
}

/// An outcome that counts.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedOutcome {
    /// Its place in the order of outcomes.
    pub seq: u64,
    /// The unit.
    pub unit: String,
    /// The attempt that brought it.
    pub attempt: u32,
    /// The outcome.
    pub outcome: Outcome,
}

/// How a unit is put back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    /// How long it rests.
    pub delay: Duration,
    /// Why it is put back.
    pub end: AttemptEnd,
    /// Where the record of the attempt lies, if it began.
    pub place: Option<String>,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "end", rename_all = "snake_case")]
pub enum AttemptEnd {
    /// Its outcome counts.
    Won,
    /// Another attempt's outcome came first.
    Late,
    /// It broke, and not by the agent's doing.
    Faulted {
        /// How.
        ending: Ending,
        /// What broke.
        why: String,
    },
    /// It was put down, to be continued.
    PutDown,
    /// Its holder died or fell silent.
    Lost,
}

/// An attempt that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedAttempt {
    /// The unit.
    pub unit: String,
    /// The number, from 1.
    pub attempt: u32,
    /// How it ended.
    pub end: AttemptEnd,
    /// Where its record lies, as far as the engine was told.
    pub place: Option<String>,
}

/// What should become of a run's units that are not leased.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunDirection {
    /// They are handed out.
    Go,
    /// They wait.
    Pause,
    /// They are never handed out again, unless the run is told to go.
    Cancel,
}

/// How far a run is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunProgress {
    /// Units in all.
    pub n_units: u64,
    /// Units with an outcome.
    pub n_done: u64,
    /// Units under a lease.
    pub n_leased: u64,
    /// Units that are due or resting.
    pub n_waiting: u64,
    /// Units of a paused or cancelled run.
    pub n_held: u64,
}

impl RunProgress {
    /// Units that will still be played as things stand.
    pub fn n_open(&self) -> u64 {
        self.n_leased + self.n_waiting
    }
}

/// Tells the time by which leases run out.
pub trait WallClock: Send + Sync {
    /// Milliseconds since 1970.
    fn now_ms(&self) -> i64;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl WallClock for SystemClock {
    fn now_ms(&self) -> i64 {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        since.map_or(0, |since| since.as_millis() as i64)
    }
}

/// The engine could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The database refused.
    #[error("the engine's database failed: {0}")]
    Database(#[from] rusqlite::Error),
    /// The database was written by a newer version.
    #[error("the engine's file has version {found}, this program knows up to {known}")]
    Newer {
        /// The version found.
        found: i64,
        /// The newest one known.
        known: i64,
    },
    /// A server did not do what it was asked, or could not be reached. It may help to try again.
    #[error("the engine could not {doing}: {why}")]
    Server {
        /// What it was asked.
        doing: &'static str,
        /// Why not.
        why: String,
    },
    /// The database is damaged and could not be moved out of the way.
    #[error("the engine's file is damaged and cannot be moved aside: {why}")]
    Aside {
        /// Why not.
        why: String,
    },
    /// A stored row makes no sense.
    #[error("the engine holds something unreadable for `{unit}`: {why}")]
    Unreadable {
        /// The unit.
        unit: String,
        /// Why.
        why: String,
    },
}
