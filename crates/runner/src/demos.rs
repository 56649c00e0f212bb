//! Demonstrations by the thousand: instances from seeds of their own, solved by the world's own solver, told as the
//! conversation that the turns loop would have had, judged like any trial.
//!
//! What the n-th demonstration is follows from the [`DemoRecipe`] alone: candidates are looked at in a fixed order, and
//! whether one is taken depends only on those before it. So a folder that was left at any moment and gone on with is the
//! same, byte for byte, as one that was made at once, on however many cores.

mod choose;
mod make;
mod order;
mod perform;
mod proof;
mod seeds;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use quintain_core::instance::{StartChoice, Stretch};
use quintain_core::{Pick, Settings, TaskId};
use quintain_store::demos::PicturePacking;
use quintain_store::{DemoFormat, PictureForm, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::certify::CertificateSubject;

pub use choose::CandidateCount;
pub use make::{DemoProgress, make};
pub use seeds::SeedSpace;

/// What to make.
pub struct DemoRecipe<'a> {
    /// What is drawn from, in turn.
    pub strata: Vec<Stratum<'a>>,
    /// How many demonstrations.
    pub n: u64,
    /// How many a shard.
    pub n_a_shard: u64,
    /// How many actions each has at least, drawn for each; nothing means as many as it takes.
    pub lengths: Option<RangeInclusive<u32>>,
    /// What is shown.
    pub settings: Settings,
    /// Steps a trial may take, instead of the task's own limit.
    pub steps: Option<u32>,
    /// Where the seeds are from.
    pub space: SeedSpace,
    /// How many evaluation seeds of each task and preset are compared with.
    pub n_evaluation: u64,
    /// How pictures are packed.
    pub packing: PicturePacking,
    /// Whether the solver says why it does what it does.
    pub reasons: Reasons,
    /// The version of the program.
    pub version: String,
}

/// Whether the solver says why it does what it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reasons {
    /// It does not.
    #[default]
    Untold,
    /// It does, beside the conversation.
    Told,
}

/// A task in one of its presets.
#[derive(Clone)]
pub struct Stratum<'a> {
    /// The task, its world and its judges.
    pub subject: CertificateSubject<'a>,
    /// The preset.
    pub preset: Option<String>,
    /// The stretch of the task that its instances cover.
    pub stretch: Stretch,
    /// The solver's strategies, one of which is drawn for each; none means the usual one.
    pub strategies: Vec<String>,
    /// So many demonstrations and no more; nothing for as many as there is room for.
    pub quota: Option<u64>,
}

/// What was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeDemos {
    /// How many demonstrations there are.
    pub n: u64,
    /// Whether those are as many as were asked for. If not, there are no more different starts, or no more were solved.
    pub complete: bool,
    /// How many shards.
    pub n_shards: usize,
    /// How many turns all demonstrations have together.
    pub n_turns: u64,
    /// What came of the candidates, for each task and preset.
    pub strata: Vec<OfStratum>,
    /// Why nothing in it is in the evaluation too.
    pub disjoint: DisjointProof,
}

/// What came of the candidates of a task in one of its presets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StratumFields", into = "StratumFields")]
pub struct OfStratum {
    /// The task.
    pub task: TaskId,
    /// The preset.
    pub preset: Option<String>,
    /// The stretch of the task; nothing means all of it.
    pub stretch: Option<StartChoice>,
    /// What came of them.
    pub count: CandidateCount,
}

/// The same as it is stored: counts stand beside the task.
#[derive(Serialize, Deserialize)]
struct StratumFields {
    task: TaskId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stretch: Option<StartChoice>,
    n: u64,
    n_duplicate: u64,
    n_in_evaluation: u64,
    n_unsolved: u64,
    exhausted: bool,
    given_up: bool,
}

impl From<StratumFields> for OfStratum {
    fn from(fields: StratumFields) -> Self {
        let StratumFields { task, preset, stretch, n, n_duplicate, n_in_evaluation, n_unsolved, exhausted, given_up } =
            fields;
        let count = CandidateCount { n, n_duplicate, n_in_evaluation, n_unsolved, exhausted, given_up };
        Self { task, preset, stretch, count }
    }
}

impl From<OfStratum> for StratumFields {
    fn from(of: OfStratum) -> Self {
        let OfStratum { task, preset, stretch, count } = of;
        let CandidateCount { n, n_duplicate, n_in_evaluation, n_unsolved, exhausted, given_up } = count;
        Self { task, preset, stretch, n, n_duplicate, n_in_evaluation, n_unsolved, exhausted, given_up }
    }
}

/// Why no demonstration is an instance of the evaluation: found by reading everything again that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisjointProof {
    /// The seeds of demonstrations are from this one on.
    pub first_seed: u64,
    /// Up to this one. No other command makes instances with these seeds unless it is told to.
    pub last_seed: u64,
    /// The least seed there is in the demonstrations.
    pub least_seed: Option<u64>,
    /// The greatest.
    pub greatest_seed: Option<u64>,
    /// How many start states of evaluation seeds were compared with.
    pub n_compared: u64,
    /// How many different start states the demonstrations have.
    pub n_starts: u64,
    /// How many differ in their start or in what is right at the end: as many as there are.
    pub n_problems: u64,
    /// How many of those are start states of evaluation seeds. It is 0, or there would be an error.
    pub n_in_evaluation: u64,
}

/// Why demonstrations could not be made.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// Files.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// It was interrupted. What is whole stays.
    #[error("interrupted")]
    Interrupted,
    /// What was written is not what should have been.
    #[error("the demonstrations in the folder are not sound: {0}\nhint: remove the folder and make them again")]
    Unsound(String),
    /// Nothing came of any candidate.
    #[error("no demonstration could be made: {0}")]
    Nothing(String),
}

impl DemoRecipe<'_> {
    /// Everything that determines what is made, as it stands in the manifest.
    pub fn plan(&self, formats: &[DemoFormat], pictures: PictureForm) -> Value {
        let strata: Vec<Value> = self.strata.iter().map(Stratum::plan).collect();
        let seeds = self.space.seeds();
        let mut plan: BTreeMap<&str, Value> = BTreeMap::from([
            ("quintain", json!(self.version)),
            ("strata", json!(strata)),
            ("n", json!(self.n)),
            ("n_a_shard", json!(self.n_a_shard)),
            ("told_apart_by", json!(["start", "goal"])),
            ("settings", json!(self.settings)),
            ("seed_space", json!({"name": self.space, "first": seeds.start(), "last": seeds.end()})),
            ("evaluation_seeds", json!(format!("0..{}", self.n_evaluation))),
            ("formats", json!(formats)),
            ("inline_pictures", json!(pictures == PictureForm::Inline)),
        ]);
        plan.extend(self.lengths.as_ref().map(|lengths| ("length", json!([lengths.start(), lengths.end()]))));
        plan.extend((self.packing != PicturePacking::Png).then(|| ("pictures", json!(self.packing.to_string()))));
        plan.extend((self.reasons == Reasons::Told).then(|| ("reasons", json!("solver"))));
        plan.extend(self.steps.map(|steps| ("steps", json!(steps))));
        json!(plan)
    }
}

impl Stratum<'_> {
    fn plan(&self) -> Value {
        let CertificateSubject { task, world, .. } = self.subject;
        let mut plan = json!({
            "task": task.id,
            "preset": self.preset,
            "strategies": self.strategies,
            "task_digest": task.digest,
            "world_digest": world.digest(task),
        });
        if let Some(quota) = self.quota {
            plan["quota"] = json!(quota);
        }
        if let Some(stretch) = self.told_stretch() {
            plan["stretch"] = json!(stretch);
        }
        plan
    }

    /// Its instance of a seed.
    pub fn pick(&self, seed: Option<u64>) -> Pick {
        Pick { preset: self.preset.clone(), seed, ..Pick::default() }.over(self.stretch)
    }

    /// Its stretch as it is written down; nothing where it is the whole.
    fn told_stretch(&self) -> Option<StartChoice> {
        (!self.stretch.is_whole()).then_some(StartChoice::Of(self.stretch))
    }
}

#[cfg(test)]
mod tests;
