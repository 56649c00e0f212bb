//! The proof that nothing in the demonstrations is in the evaluation too, and that nothing is there twice.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};

use quintain_core::instance::StartChoice;
use quintain_core::{Digest, TaskId};
use quintain_store::DemoDir;
use serde::{Deserialize, Serialize};

use super::{DemoError, DemoRecipe, DisjointProof};
use crate::parallel::in_parallel;

/// The start states of the evaluation seeds of a task in one of its presets.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Evaluation {
    task: TaskId,
    preset: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stretch: Option<StartChoice>,
    seeds: String,
    starts: Vec<Digest>,
}

/// The start states that are left out: as written down, else found now and written down.
pub(super) fn evaluation(
    recipe: &DemoRecipe<'_>,
    dir: &DemoDir,
    n_threads: usize,
    interrupted: &AtomicBool,
) -> Result<HashSet<Digest>, DemoError> {
    let lines: Vec<Evaluation> = if let Some(lines) = dir.evaluation()? {
        lines
    } else {
        let lines = found(recipe, n_threads, interrupted);
        if interrupted.load(Ordering::Relaxed) {
            return Err(DemoError::Interrupted);
        }
        dir.write_evaluation(&lines)?;
        lines
    };
    Ok(lines.into_iter().flat_map(|line| line.starts).collect())
}

fn found(recipe: &DemoRecipe<'_>, n_threads: usize, interrupted: &AtomicBool) -> Vec<Evaluation> {
    let n_seeds = recipe.n_evaluation as usize;
    // The canonical instance, where there is one, stands before the seeds.
    let n_each = n_seeds + 1;
    let start = |idx: usize| {
        let stratum = &recipe.strata[idx / n_each];
        let (task, world) = (stratum.subject.task, stratum.subject.world);
        let seed = (idx % n_each).checked_sub(1).map(|seed| seed as u64);
        let pick = stratum.pick(seed);
        // Whoever interrupts does not want the rest; what is found by then is thrown away.
        let wanted = (seed.is_some() || task.has_canonical()) && !interrupted.load(Ordering::Relaxed);
        wanted.then(|| world.instantiate(task, &pick).ok()).flatten().map(|instance| instance.digest())
    };
    let starts = in_parallel(recipe.strata.len() * n_each, n_threads, &start, &mut |_, _| {});
    let line = |(stratum, starts): (&super::Stratum<'_>, &[Option<Digest>])| Evaluation {
        task: stratum.subject.task.id.clone(),
        preset: stratum.preset.clone(),
        stretch: stratum.told_stretch(),
        seeds: format!("0..{n_seeds}"),
        starts: starts.iter().flatten().copied().collect(),
    };
    recipe.strata.iter().zip(starts.chunks(n_each)).map(line).collect()
}

/// Reads everything again that was written and holds it against the evaluation.
pub(super) fn disjoint(
    recipe: &DemoRecipe<'_>,
    dir: &DemoDir,
    n_shards: usize,
    evaluation: &HashSet<Digest>,
) -> Result<DisjointProof, DemoError> {
    let seeds = recipe.space.seeds();
    let (mut starts, mut problems, mut n, mut n_in_evaluation) = (HashSet::new(), HashSet::new(), 0, 0);
    let mut found: Vec<u64> = Vec::new();
    for shard_idx in 0..n_shards {
        for facts in dir.facts(shard_idx)? {
            if facts.n != n {
                return Err(DemoError::Unsound(format!("number {n} is missing")));
            }
            n += 1;
            starts.insert(facts.start);
            problems.insert(facts.problem);
            n_in_evaluation += u64::from(evaluation.contains(&facts.start));
            found.extend(facts.instance.pick.seed);
        }
    }
    let disjoint = DisjointProof {
        first_seed: *seeds.start(),
        last_seed: *seeds.end(),
        least_seed: found.iter().min().copied(),
        greatest_seed: found.iter().max().copied(),
        n_compared: evaluation.len() as u64,
        n_starts: starts.len() as u64,
        n_problems: problems.len() as u64,
        n_in_evaluation,
    };
    let in_range = found.len() as u64 == n && found.iter().all(|seed| seeds.contains(seed));
    match disjoint {
        _ if !in_range => Err(DemoError::Unsound("a seed is not of their seed space".to_owned())),
        DisjointProof { n_problems, .. } if n_problems != n => {
            Err(DemoError::Unsound("two begin alike and ask for the same".to_owned()))
        }
        DisjointProof { n_in_evaluation: 1.., .. } => {
            Err(DemoError::Unsound("one begins like an instance of the evaluation".to_owned()))
        }
        sound => Ok(sound),
    }
}
