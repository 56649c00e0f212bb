//! What a desktop task asks for.

use std::collections::BTreeMap;

use quintain_core::world::AlteredFiles;
use quintain_core::{FileSet, Rng, Stretch};
use quintain_machine::PlannedStep;
use serde_json::Value;

/// What a desktop task asks for: one for each value of `world.start` that tasks of an app have.
pub trait DesktopScenario: Send + Sync {
    /// Its name in `task.toml`.
    fn name(&self) -> &'static str;

    /// Everything of an instance, from the parameters of its task.
    fn prepare(&self, parameters: &BTreeMap<String, Value>, rng: &mut Rng) -> Result<PreparedScenario, String>;

    /// The plan of an instance that begins or ends after milestones, from that of the whole. Refused, unless a scenario knows
    /// how to prepare that.
    fn stretched(&self, _plan: Value, stretch: Stretch) -> Result<Value, String> {
        Err(format!("`{}` cannot begin or end after a milestone; leave out `{stretch}`", self.name()))
    }

    /// What somebody does who knows how; or who goes wrong in one of [`Self::wrong_ways`].
    fn solution(&self, plan: &Value, wrong_way: Option<&str>) -> Result<Vec<PlannedStep>, String>;

    /// Ways to work that look right and are not: the certificate plays each, and none may solve an instance.
    fn wrong_ways(&self) -> &'static [&'static str] {
        &[]
    }

    /// What a right solution left, altered: files that are nearly right and must fail, and others that are right in another
    /// way.
    fn altered(&self, _plan: &Value, _left: &FileSet) -> AlteredFiles {
        AlteredFiles::default()
    }
}

/// What a scenario makes of a task's parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PreparedScenario {
    /// What the program begins with and the solution follow from.
    pub plan: Value,
    /// What the checks compare with.
    pub expected: Value,
    /// Words for the instruction, besides the parameters.
    pub words: BTreeMap<String, Value>,
}
