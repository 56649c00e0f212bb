//! From evidence to verdict: derive, then judge. Judging is pure; deriving may run pinned programs.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

use crate::check::{BrokenJudge, Finding};
use crate::evidence::Evidence;
use crate::files::FileSet;
use crate::instance::Stretch;
use crate::reference::Reference;
use crate::score::Score;
use crate::verdict::MilestoneReached;

/// Judges an ended trial: a pure function of what was handed over and the reference.
pub trait Judge {
    /// The score, the findings and the milestones. The same inputs give the same output, always.
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge>;
}

/// What is judged.
#[derive(Clone, Copy, Debug)]
pub struct EndedTrial<'a> {
    /// The evidence at the end, with what verifiers derived from it.
    pub evidence: &'a Evidence,
    /// The world's documents along the way.
    pub snapshots: &'a [Snapshot],
    /// The stretch of the task that was played.
    pub stretch: Stretch,
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
pub trait VerifierRunner {
    /// What the verifiers make of the evidence, by name; or why one could not run, which is a judge's fault.
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String>;
}

/// What a verifier is given.
#[derive(Clone, Copy)]
pub struct VerifierCase<'a> {
    /// What the world handed over.
    pub evidence: &'a Evidence,
    /// What it should be; its files are handles too.
    pub reference: &'a Reference,
    /// The files that the evidence names, where they are at hand.
    pub files: &'a FileSet,
    /// How long one verifier may take.
    pub within: Duration,
    /// Where it may put files of its own.
    pub scratch: &'a dyn ScratchRoom,
}

/// Makes a scratch directory for a verifier that asks for one.
pub trait ScratchRoom {
    /// The directory: empty when it is first asked for, and gone when the verifier is done.
    fn folder(&self) -> Result<PathBuf, String>;
}

/// Where there is no room for files.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoScratch;

impl ScratchRoom for NoScratch {
    fn folder(&self) -> Result<PathBuf, String> {
        Err("there is no scratch directory here".to_owned())
    }
}

/// No files at all.
static NO_FILES: FileSet = FileSet::new();

impl<'a> VerifierCase<'a> {
    /// A case without files and with no time to lose, to be completed by whoever has them.
    pub fn of(evidence: &'a Evidence, reference: &'a Reference) -> Self {
        Self { evidence, reference, files: &NO_FILES, within: Duration::ZERO, scratch: &NoScratch }
    }
}

/// For tasks without verifiers.
#[derive(Clone, Copy, Debug, Default)]
pub struct NothingToDerive;

impl VerifierRunner for NothingToDerive {
    fn derive(&self, _case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        Ok(Vec::new())
    }
}
