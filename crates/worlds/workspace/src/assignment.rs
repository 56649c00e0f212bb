//! What a workspace task works on.

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::check::CheckKind;
use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_machine::PlannedStep;
use serde_json::Value;

use crate::alterations;
use crate::parameters::WorkParameters;

/// The files of an instance by their paths below `input/`.
pub type InputFiles = BTreeMap<String, Vec<u8>>;

/// What a workspace task works on: one for each value of `world.app`.
pub trait Assignment: Send + Sync {
    /// Its name in `task.toml`.
    fn name(&self) -> &'static str;

    /// Counts up whenever its files or its judgement change.
    fn version(&self) -> u32;

    /// Everything of an instance. The canonical instance draws from the seed that its task names.
    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String>;

    /// The files that an agent finds below `input/`, from what was prepared.
    fn inputs(&self, plan: &Value) -> Result<InputFiles, String>;

    /// What an agent does who knows how; or who goes wrong in one of [`Self::wrong_ways`].
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String>;

    /// What somebody does who knows how, where a task has a screen. What is not told is done as without one.
    fn solution_at_screen(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String> {
        Ok(self.solution(plan, wrong_way)?.into_iter().map(PlannedStep::Act).collect())
    }

    /// What the programs of a task with a screen find in their home, by paths in it whose names begin with a dot: settings
    /// without which they would begin with questions.
    fn home(&self) -> InputFiles {
        InputFiles::new()
    }

    /// Ways to work that look right and are not: the certificate plays each, and none may solve an instance.
    fn wrong_ways(&self) -> &'static [&'static str];

    /// What a right solution left, altered: see [`alterations::usual`].
    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        alterations::usual(left)
    }

    /// The checks that its tasks can declare besides the general ones.
    fn checks(&self) -> Vec<Arc<dyn CheckKind>> {
        Vec::new()
    }

    /// The verifiers that its tasks can declare.
    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        Vec::new()
    }

    /// What its tasks need of a machine besides a sandbox.
    fn needs(&self) -> Vec<WorldNeed> {
        Vec::new()
    }

    /// The hash of its code, where its crate tells it.
    fn code(&self) -> Option<Digest> {
        None
    }
}

/// What an assignment makes of a task's parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct PreparedWork {
    /// What the files and the solution follow from.
    pub plan: Value,
    /// What the checks compare with.
    pub expected: Value,
    /// Words for the instruction, besides the parameters.
    pub words: BTreeMap<String, Value>,
}

impl PreparedWork {
    /// What needs no words of its own in the instruction.
    pub fn of(plan: Value, expected: Value) -> Self {
        Self { plan, expected, words: BTreeMap::new() }
    }
}
