//! From evidence to verdict: derive, then judge. Judging is pure; deriving may run pinned programs.

use serde_json::Value;

use crate::check::{BrokenJudge, Finding};
use crate::evidence::Evidence;
use crate::reference::Reference;
use crate::score::Score;
use crate::verdict::MilestoneReached;

/// Judges an ended trial: a pure function of what was handed over and the reference.
pub trait Judge {
    /// The score, the findings and the milestones. The same inputs give the same output, always.
    fn judge(&self, ended: Ended<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge>;
}

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct Ended<'a> {
    /// The evidence at the end, with what verifiers derived from it.
    pub evidence: &'a Evidence,
    /// The world's documents along the way.
    pub snapshots: &'a [Snapshot],
}

/// The world's documents after so many steps.
#[derive(Clone, Debug, PartialEq)]
pub struct Snapshot {
    /// The number of steps.
    pub after_steps: u32,
    /// The documents.
    pub evidence: Evidence,
}

/// What a judge says.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// How much was achieved.
    pub score: Score,
    /// What each check found.
    pub findings: Vec<Finding>,
    /// When each milestone was reached.
    pub milestones: Vec<MilestoneReached>,
}

/// Runs the verifiers that a task declares, after the agent has stopped and before the checks.
pub trait Derive {
    /// What the verifiers make of the evidence, by name; or why one could not run, which is a judge's fault.
    fn derive(&self, evidence: &Evidence, reference: &Reference) -> Result<Vec<(String, Value)>, String>;
}

/// For tasks without verifiers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingToDerive;

impl Derive for NothingToDerive {
    fn derive(&self, _evidence: &Evidence, _reference: &Reference) -> Result<Vec<(String, Value)>, String> {
        Ok(Vec::new())
    }
}
