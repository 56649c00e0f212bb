//! The certificate: what was proven of a task, or why it was refused.

use std::collections::BTreeSet;

use quintain_core::{Digest, InstanceId, Task, TaskId, WorldKind};
use serde::{Deserialize, Serialize};

use super::cheats::Cheat;
use super::effort::CertificateForm;
use super::twins::TwinProof;

/// The version of the certificate. Counts up whenever more is asked of a task, so that older ones no longer count.
pub const CERTIFICATE_VERSION: u32 = 3;

/// What was proven of a task, or why it was refused. Holds no time and no host: the same task and world give the same
/// bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The version of the certificate.
    pub version: u32,
    /// The task.
    pub task: TaskId,
    /// The hash of the task's folder.
    pub task_digest: Digest,
    /// The kind of world.
    pub world: String,
    /// The hash of the world.
    pub world_digest: Digest,
    /// How thoroughly it was examined.
    pub form: CertificateForm,
    /// Whether trials in this world are costly, so that there were fewer repeats and guesses.
    pub costly: bool,
    /// The seeds it was examined with.
    pub seeds: Vec<u64>,
    /// What was proven of each instance.
    pub picks: Vec<PickProof>,
    /// What blind guesses came to, by preset.
    pub chance: Vec<ChanceProof>,
    /// How many different instances seeds give, by preset.
    #[serde(default)]
    pub twins: Vec<TwinProof>,
    /// Why the task is refused; empty for a sound task.
    pub refusals: Vec<CertificateRefusal>,
}

/// What was proven of one instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PickProof {
    /// The instance.
    pub instance: InstanceId,
    /// The hash of its start state.
    pub instance_digest: Digest,
    /// How many steps the oracle took.
    pub oracle_steps: u32,
    /// The hash of everything the oracle was shown and said, and of its verdict.
    pub oracle_digest: Digest,
    /// How often the oracle played, each time the same.
    pub n_repeats: u32,
    /// How many of these were its recorded actions alone, where it is shown where things are.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_without_geometry: u32,
    /// What the right end state of the canonical instance scores here, where it must not be right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub canonical_end: Option<f64>,
    /// How many end states nearly right were judged.
    pub n_near_misses: u32,
    /// How many end states right in another way were judged.
    pub n_variations: u32,
    /// How many places that must not be shown were searched for.
    pub n_secrets: u32,
    /// How many texts that were shown were searched.
    pub n_texts: u32,
    /// The parts that were hidden one by one.
    pub hidden: Vec<quintain_core::ObservationPart>,
    /// The cheats that were tried.
    pub cheats: Vec<Cheat>,
    /// What was proven of its starts after milestones and of its milestones alone, where it has such.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stretches: Vec<StretchProof>,
}

/// What was proven of one stretch of an instance: its oracle solves it, doing nothing is worth nothing, what is given is
/// not counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StretchProof {
    /// The stretch, as an instance of its own.
    pub instance: InstanceId,
    /// The hash of its start state.
    pub instance_digest: Digest,
    /// How many steps the oracle took.
    pub oracle_steps: u32,
    /// The hash of everything the oracle was shown and said, and of its verdict.
    pub oracle_digest: Digest,
}

/// What blind guesses came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChanceProof {
    /// The preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// The declared chance.
    pub declared: f64,
    /// How many trials a random agent played.
    pub n_guesses: u32,
    /// How many of them it solved.
    pub n_solved: u32,
    /// The lower end of the 95 % Wilson interval of its success rate.
    pub at_least: f64,
}

/// Why a task is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CertificateRefusal {
    /// What kind of reason.
    pub reason: Reason,
    /// The instance; nothing where it is the whole task or a preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<InstanceId>,
    /// The reason, in a sentence.
    pub why: String,
}

/// A kind of reason to refuse a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// An instance could not be made or played.
    NotPlayable,
    /// The reference has no canary.
    NoCanary,
    /// The oracle does not solve it.
    OracleFails,
    /// Doing nothing is worth something.
    IdleScores,
    /// Blind guesses solve it more often than declared.
    ChanceTooLow,
    /// An end state that is nearly right passes.
    NearMissPasses,
    /// A check offers no near misses, so that nothing proves it can fail.
    NoNearMisses,
    /// An end state that is right in another way fails.
    VariationFails,
    /// The same actions do not give the same trial.
    RepeatsDiffer,
    /// Something that must not be shown was shown.
    Leak,
    /// A part that was switched off was shown all the same.
    HiddenPartShown,
    /// An action without effect changed what is shown.
    InvisibleEffect,
    /// A cheat solves it, changes the world, or goes where it may not without a trace.
    CheatSucceeds,
    /// What is right in the canonical instance is right in a twin too.
    CanonicalPasses,
    /// Too many seeds give the same instance.
    TwinsRepeat,
    /// A milestone that was given counts as reached, or one that was not as given.
    GivenCounts,
    /// Something broke.
    Breaks,
}

impl Certificate {
    /// Whether the task was found sound.
    pub fn is_sound(&self) -> bool {
        self.refusals.is_empty()
    }

    /// Whether this is still about this task in this world: neither has changed since, nor what is asked of them.
    pub fn is_valid_for(&self, task: &Task, world: &dyn WorldKind) -> bool {
        self.version == CERTIFICATE_VERSION
            && self.task == task.id
            && self.task_digest == task.digest
            && self.world == world.kind()
            && self.world_digest == world.digest(task)
    }

    /// The instances it is about: those proven and those refused.
    pub fn instances(&self) -> BTreeSet<&InstanceId> {
        let refused = self.refusals.iter().filter_map(|refusal| refusal.instance.as_ref());
        self.picks.iter().map(|proof| &proof.instance).chain(refused).collect()
    }

    /// Whether it is worth more than another of the same task. The full form is worth more than the quick one, whatever
    /// the seeds; of two in the same form the one about more instances is.
    pub fn outweighs(&self, other: &Self) -> bool {
        (self.form, self.instances().len()) > (other.form, other.instances().len())
    }

    /// The certificate as a file's text.
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("a certificate has nothing that JSON lacks") + "\n"
    }

    /// A certificate from a file's text.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl CertificateRefusal {
    /// A refusal of the whole task.
    pub(super) fn of_task(reason: Reason, why: impl Into<String>) -> Self {
        Self { reason, instance: None, why: why.into() }
    }
}

impl std::fmt::Display for CertificateRefusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.instance {
            Some(instance) => write!(f, "{instance}: {}", self.why),
            None => f.write_str(&self.why),
        }
    }
}
