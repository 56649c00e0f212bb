//! How many different instances seeds give: two that are right at the same end are one problem under two names.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use quintain_core::{Digest, Pick, Task, WorldKind};
use serde::{Deserialize, Serialize};

use super::certificate::{CertificateRefusal, Reason};
use crate::parallel::in_parallel;

/// So many seeds of a hundred have to be different where a task has a canonical instance and twins of it.
const WANTED_OF_100: u32 = 95;

/// How many different instances the seeds of a preset give.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TwinProof {
    /// The preset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<String>,
    /// How many seeds were drawn.
    pub seeds: u32,
    /// How many different instances they gave, by what is right at their end.
    pub distinct: u32,
    /// The share of seeds that only gave what another had given.
    pub repeated: f64,
    /// How many were different with all names left out, where the world tells names from the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub distinct_without_labels: Option<u32>,
}

/// What tells one drawn instance from others.
type TwinIdentity = (Digest, Option<Digest>);

impl TwinProof {
    /// Whether so many seeds repeat others that results over seeds say less than they seem to.
    pub fn is_few(&self) -> bool {
        self.distinct < self.wanted()
    }

    fn wanted(&self) -> u32 {
        self.seeds * WANTED_OF_100 / 100
    }

    /// The figures in words: `988 of 1000 seeds differ (hard)`.
    pub fn words(&self) -> String {
        let preset = self.preset.as_deref().map_or(String::new(), |preset| format!(" ({preset})"));
        let bare = self.distinct_without_labels.filter(|bare| *bare < self.distinct);
        let bare = bare.map_or(String::new(), |bare| format!(", {bare} without their names"));
        format!("{} of {} seeds differ{bare}{preset}", self.distinct, self.seeds)
    }

    fn of(preset: Option<String>, drawn: &[TwinIdentity]) -> Self {
        let seeds = drawn.len() as u32;
        let distinct = drawn.iter().map(|(identity, _)| identity).collect::<BTreeSet<_>>().len() as u32;
        let bare: Option<BTreeSet<Digest>> = drawn.iter().map(|(_, bare)| *bare).collect();
        let repeated = f64::from(seeds - distinct) / f64::from(seeds);
        Self { preset, seeds, distinct, repeated, distinct_without_labels: bare.map(|bare| bare.len() as u32) }
    }

    /// Why the task is refused: it draws twins, and too many of them are the same.
    pub fn refusal(&self) -> Option<CertificateRefusal> {
        let why = format!("too many seeds give the same instance: {}, {} are wanted", self.words(), self.wanted());
        // A single one means that nothing is drawn at all: there are no twins to repeat each other.
        (self.is_few() && self.distinct > 1).then(|| CertificateRefusal::of_task(Reason::TwinsRepeat, why))
    }
}

/// How often it is told how many were drawn.
const TOLD_EVERY: usize = 100;

/// Draws so many instances of every preset, from seed 0 on, and counts the different ones; or tells which instance cannot
/// be drawn. No world is opened for them. Now and then `progress` is told how many were drawn, and how many are to be.
pub fn count_twins(
    task: &Task,
    world: &dyn WorldKind,
    n_seeds: u32,
    n_threads: usize,
    progress: &dyn Fn(usize, usize),
) -> Result<Vec<TwinProof>, CertificateRefusal> {
    let seeds: Vec<u64> = (0..u64::from(n_seeds)).collect();
    let picks = task.picks(&seeds);
    let draw = |idx: usize| catch_unwind(AssertUnwindSafe(|| identity(task, world, &picks[idx]))).map_err(|_panic| ());
    let mut n_done = 0;
    let drawn = in_parallel(picks.len(), n_threads, &draw, &mut |_, _| {
        n_done += 1;
        if n_done % TOLD_EVERY == 0 {
            progress(n_done, picks.len());
        }
    });
    let mut by_preset: BTreeMap<Option<String>, Vec<TwinIdentity>> = BTreeMap::new();
    for (pick, drawn) in picks.iter().zip(drawn) {
        let identity = drawn.unwrap_or_else(|()| Err(undrawn(pick, Reason::Breaks, "something panicked")))?;
        by_preset.entry(pick.preset.clone()).or_default().push(identity);
    }
    Ok(by_preset.into_iter().map(|(preset, drawn)| TwinProof::of(preset, &drawn)).collect())
}

fn identity(task: &Task, world: &dyn WorldKind, pick: &Pick) -> Result<TwinIdentity, CertificateRefusal> {
    let instance =
        world.instantiate(task, pick).map_err(|error| undrawn(pick, Reason::NotPlayable, &error.to_string()))?;
    let goal = world.goal(&instance);
    Ok((goal.identity(task, &instance), goal.identity_without_labels(task, &instance)))
}

fn undrawn(pick: &Pick, reason: Reason, why: &str) -> CertificateRefusal {
    let preset = pick.preset.as_deref().map_or(String::new(), |preset| format!(" of `{preset}`"));
    let seed = pick.seed.unwrap_or_default();
    CertificateRefusal::of_task(reason, format!("seed {seed}{preset} gives no instance: {why}"))
}
