//! What a steward sees of an engine, and moves: which runs there are, what is registered, on offer, held and settled.
//!
//! Units of a fleet's run are registered in the order of its plan and named by their place in it. What is registered is
//! not yet handed out: a steward puts it on offer bit by bit, in parcels, so that runs share the fleet and none is stuck
//! behind another.

use std::collections::BTreeMap;
use std::future::Future;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{Engine, EngineError, RecordedOutcome, RunDirection};

/// An engine whose offers are made by a steward.
pub trait SteeredEngine: Engine {
    /// Sets on which terms a run is played. A run that is not known yet begins with no units.
    fn set_terms(&self, run: &str, terms: &RunTerms) -> impl Future<Output = Result<(), EngineError>> + Send;

    /// The runs there are.
    fn runs(&self) -> impl Future<Output = Result<Vec<RunStanding>, EngineError>> + Send;

    /// The units of a run, in the order of its plan, from one on, at most so many.
    fn registered(
        &self,
        run: &str,
        from: u32,
        max: usize,
    ) -> impl Future<Output = Result<Vec<RegisteredUnit>, EngineError>> + Send;

    /// The units of a run that are on offer or leased: those that need not be offered.
    fn on_offer(&self, run: &str) -> impl Future<Output = Result<Vec<Range<u32>>, EngineError>> + Send;

    /// The units of a run that living holders say they hold, with the number of the attempt.
    fn held(&self, run: &str) -> impl Future<Output = Result<BTreeMap<u32, u32>, EngineError>> + Send;

    /// The highest number of an attempt that was noted, for each unit of a run that has any besides its outcome.
    fn n_attempts(&self, run: &str) -> impl Future<Output = Result<BTreeMap<u32, u32>, EngineError>> + Send;

    /// Puts parcels on offer, and returns how many were not there yet: offering again what is on offer changes nothing.
    fn offer(&self, parcels: &[Parcel]) -> impl Future<Output = Result<u64, EngineError>> + Send;

    /// The outcomes of all runs in the order they came, from a sequence number on, at most so many.
    fn settled(&self, from: u64, max: usize) -> impl Future<Output = Result<Vec<SettledUnit>, EngineError>> + Send;
}

/// On which terms a run is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTerms {
    /// How it stands to others.
    pub priority: Priority,
    /// How many units travel together at most.
    pub chunk: u32,
}

impl Default for RunTerms {
    fn default() -> Self {
        Self { priority: Priority::Normal, chunk: 1 }
    }
}

/// How a run stands to others that need the same workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// It gets what others leave, and a little more.
    Low,
    /// As usual.
    #[default]
    Normal,
    /// It gets most of the workers.
    High,
}

/// A run as a steward sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStanding {
    /// Its name.
    pub run: String,
    /// Whether it is handed out.
    pub direction: RunDirection,
    /// On which terms.
    pub terms: RunTerms,
    /// How many units it has.
    pub n_units: u32,
}

/// A unit with its place in the plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RegisteredUnit {
    /// Its place in the plan, from 0: the lease's key.
    pub idx: u32,
    /// Its name: the trial's.
    pub id: String,
    /// What a worker must be able to do.
    pub class: String,
    /// How many attempts were on record when it was registered.
    pub n_before: u32,
}

/// Units that follow each other in the plan of a run, are of one class, and travel together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parcel {
    /// The run.
    pub run: String,
    /// The units, in order and without gaps. Their `n_before` says after which attempt the next one is numbered.
    pub units: Vec<RegisteredUnit>,
}

/// An outcome with the run and the unit's place in its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct SettledUnit {
    /// The run.
    pub run: String,
    /// The unit's place in the plan.
    pub idx: u32,
    /// The outcome.
    pub recorded: RecordedOutcome,
}
