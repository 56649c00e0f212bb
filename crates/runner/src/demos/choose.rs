//! Which candidates become demonstrations: those that set what no other sets, and begin like no instance of the evaluation.

use std::collections::HashSet;

use quintain_core::{Digest, Instance};
use serde::{Deserialize, Serialize};

use super::{DemoRecipe, Stratum};
use crate::panics::caught;
use crate::parallel::in_parallel;

/// So many candidates in a row that could not be chosen, and there are taken to be no more different starts; so many in a
/// row that were not solved, and no more are tried.
const N_DRY: u32 = 500;
/// So many candidates are looked at together at least.
const N_TOGETHER: usize = 64;

/// Where the choice stands: all that whoever goes on has to know, besides the starts that are taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Choice {
    /// Whose turn it is.
    turn: usize,
    strata: Vec<DrawnStarts>,
}

/// What was drawn of a task in one of its presets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct DrawnStarts {
    /// The number of the next seed.
    next: u64,
    /// How many in a row begin like another, or could not be made.
    n_stale: u32,
    /// How many in a row were played and not solved. Apart from the others: they are played long after they were chosen.
    n_failed: u32,
    count: CandidateCount,
}

/// What came of candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CandidateCount {
    /// So many became demonstrations.
    pub n: u64,
    /// So many set what an earlier one does: the same start and the same goal.
    pub n_duplicate: u64,
    /// So many begin like an instance of the evaluation.
    pub n_in_evaluation: u64,
    /// So many were not solved, or could not be made or played.
    pub n_unsolved: u64,
    /// Whether there seem to be no more different starts.
    pub exhausted: bool,
    /// Whether so many in a row were not solved that no more were tried.
    pub given_up: bool,
}

/// A candidate that is to be played.
pub(super) struct DemoCandidate {
    pub(super) stratum: usize,
    pub(super) instance: Instance,
    pub(super) start: Digest,
    pub(super) problem: Digest,
}

/// What is not to be taken.
#[derive(Default)]
pub(super) struct TakenStarts {
    /// What the demonstrations set: the start and the goal, so that presets that differ in their goal alone do not count
    /// as one.
    pub(super) demos: HashSet<Digest>,
    /// How the evaluation begins, whatever its goal is.
    pub(super) evaluation: HashSet<Digest>,
}

impl Choice {
    pub(super) fn new(n_strata: usize) -> Self {
        Self { turn: 0, strata: vec![DrawnStarts::default(); n_strata] }
    }

    /// What came of the candidates, by stratum.
    pub(super) fn counts(&self) -> impl Iterator<Item = &CandidateCount> {
        self.strata.iter().map(|drawn| &drawn.count)
    }

    /// The next candidates: as many as are missing, fewer where there are no more. Their starts are taken.
    pub(super) fn next(
        &mut self,
        n_missing: usize,
        recipe: &DemoRecipe<'_>,
        taken: &mut TakenStarts,
        n_threads: usize,
    ) -> Vec<DemoCandidate> {
        let mut chosen: Vec<DemoCandidate> = Vec::new();
        let mut room: Vec<u64> = self.strata.iter().zip(&recipe.strata).map(|(drawn, of)| drawn.room(of)).collect();
        while chosen.len() < n_missing {
            let drawn = self.draw((n_missing - chosen.len()).max(N_TOGETHER), &room);
            if drawn.is_empty() {
                break;
            }
            let make = |idx: usize| instantiate(&recipe.strata[drawn[idx].0], recipe, drawn[idx].1);
            let instances = in_parallel(drawn.len(), n_threads, &make, &mut |_, _| {});
            for ((stratum, _), made) in drawn.into_iter().zip(instances) {
                if chosen.len() < n_missing && self.strata[stratum].is_alive() && room[stratum] > 0 {
                    let taken = self.consider(stratum, made, &recipe.strata[stratum], taken);
                    room[stratum] -= u64::from(taken.is_some());
                    chosen.extend(taken);
                }
            }
        }
        chosen
    }

    /// The next so many candidates, stratum by stratum in turn, each with the number of its seed. Nothing is changed.
    fn draw(&self, n: usize, room: &[u64]) -> Vec<(usize, u64)> {
        let alive: Vec<usize> = (0..self.strata.len())
            .map(|offset| (self.turn + offset) % self.strata.len())
            .filter(|stratum| self.strata[*stratum].is_alive() && room[*stratum] > 0)
            .collect();
        let round = |k: u64| alive.iter().map(move |stratum| (*stratum, self.strata[*stratum].next + k));
        if alive.is_empty() { Vec::new() } else { (0..).flat_map(round).take(n).collect() }
    }

    fn consider(
        &mut self,
        stratum: usize,
        made: Option<Instance>,
        of: &Stratum<'_>,
        taken: &mut TakenStarts,
    ) -> Option<DemoCandidate> {
        self.turn = (stratum + 1) % self.strata.len();
        let drawn = &mut self.strata[stratum];
        drawn.next += 1;
        let Some(instance) = made else {
            drawn.stale(|count| &mut count.n_unsolved);
            return None;
        };
        let (start, problem) = (instance.digest(), instance.problem(of.subject.task));
        if taken.evaluation.contains(&start) {
            drawn.stale(|count| &mut count.n_in_evaluation);
            return None;
        }
        if !taken.demos.insert(problem) {
            drawn.stale(|count| &mut count.n_duplicate);
            return None;
        }
        drawn.n_stale = 0;
        Some(DemoCandidate { stratum, instance, start, problem })
    }

    /// A candidate was solved.
    pub(super) fn solved(&mut self, stratum: usize) {
        let drawn = &mut self.strata[stratum];
        drawn.count.n += 1;
        drawn.count.given_up = false;
        drawn.n_failed = 0;
    }

    /// A candidate was not solved: its start is free again.
    pub(super) fn unsolved(&mut self, candidate: &DemoCandidate, taken: &mut TakenStarts) {
        taken.demos.remove(&candidate.problem);
        let drawn = &mut self.strata[candidate.stratum];
        drawn.count.n_unsolved += 1;
        drawn.n_failed += 1;
        drawn.count.given_up = drawn.n_failed >= N_DRY;
    }
}

impl DrawnStarts {
    /// How many more there may be.
    fn room(&self, of: &Stratum<'_>) -> u64 {
        of.quota.map_or(u64::MAX, |quota| quota.saturating_sub(self.count.n))
    }

    fn is_alive(&self) -> bool {
        !self.count.exhausted && !self.count.given_up
    }

    /// A candidate could not be chosen.
    fn stale(&mut self, why: fn(&mut CandidateCount) -> &mut u64) {
        *why(&mut self.count) += 1;
        self.n_stale += 1;
        self.count.exhausted |= self.n_stale >= N_DRY;
    }
}

fn instantiate(stratum: &Stratum<'_>, recipe: &DemoRecipe<'_>, k: u64) -> Option<Instance> {
    let seeds = recipe.space.seeds();
    let seed = Some(seeds.start() + k).filter(|seed| seeds.contains(seed))?;
    let pick = stratum.pick(Some(seed));
    caught(|| stratum.subject.world.instantiate(stratum.subject.task, &pick)).ok()?.ok()
}
