//! Shard after shard.

use std::sync::atomic::{AtomicBool, Ordering};

use quintain_store::demos::{ShardMark, ShardWriter};
use quintain_store::{DemoDir, Demonstration, StoreError};

use super::choose::{Choice, DemoCandidate, TakenStarts};
use super::order::in_order;
use super::perform::perform;
use super::proof::{disjoint, evaluation};
use super::{DemoError, DemoRecipe, MadeDemos, OfStratum};

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DemoProgress {
    /// How many demonstrations there are.
    pub n: u64,
    /// Of those, how many were there when this process began.
    pub n_before: u64,
}

/// Makes what a recipe says in a folder, or goes on with it. Shards that are whole are not touched.
pub fn make(
    recipe: &DemoRecipe<'_>,
    dir: DemoDir,
    n_threads: usize,
    interrupted: &AtomicBool,
    progress: &mut dyn FnMut(DemoProgress),
) -> Result<MadeDemos, DemoError> {
    let mut workshop = DemoWorkshop::open(recipe, &dir, n_threads, interrupted)?;
    workshop.progress(progress);
    while workshop.n < recipe.n && !workshop.is_exhausted {
        workshop.make_shard(progress)?;
    }
    let made = workshop.conclude()?;
    dir.finish(&serde_json::json!(made))?;
    Ok(made)
}

struct DemoWorkshop<'a> {
    recipe: &'a DemoRecipe<'a>,
    dir: &'a DemoDir,
    n_threads: usize,
    interrupted: &'a AtomicBool,
    choice: Choice,
    taken: TakenStarts,
    n: u64,
    n_before: u64,
    n_shards: usize,
    is_exhausted: bool,
    /// Why a candidate was not solved, the last time.
    why_not: Option<String>,
}

impl<'a> DemoWorkshop<'a> {
    fn open(
        recipe: &'a DemoRecipe<'a>,
        dir: &'a DemoDir,
        n_threads: usize,
        interrupted: &'a AtomicBool,
    ) -> Result<Self, DemoError> {
        let marks: Vec<ShardMark<Choice>> = dir.marks()?;
        let mut taken =
            TakenStarts { evaluation: evaluation(recipe, dir, n_threads, interrupted)?, ..TakenStarts::default() };
        for shard_idx in 0..marks.len() {
            taken.demos.extend(dir.facts(shard_idx)?.into_iter().map(|facts| facts.problem));
        }
        let n = marks.iter().map(|mark| mark.n).sum();
        let n_shards = marks.len();
        // A shard that is not full is the last one there can be.
        let is_exhausted = n < recipe.n.min(n_shards as u64 * recipe.n_a_shard);
        let choice = marks.into_iter().last().map_or_else(|| Choice::new(recipe.strata.len()), |mark| mark.state);
        Ok(Self {
            recipe,
            dir,
            n_threads,
            interrupted,
            choice,
            taken,
            n,
            n_before: n,
            n_shards,
            is_exhausted,
            why_not: None,
        })
    }

    fn progress(&self, progress: &mut dyn FnMut(DemoProgress)) {
        progress(DemoProgress { n: self.n, n_before: self.n_before });
    }

    /// Makes the next shard. Where nothing comes of it there is none, so that whoever comes again finds the same.
    fn make_shard(&mut self, progress: &mut dyn FnMut(DemoProgress)) -> Result<(), DemoError> {
        let first = self.n;
        let until = self.recipe.n.min(first + self.recipe.n_a_shard);
        let mut shard = self.dir.shard(self.n_shards, &self.recipe.version)?;
        while self.n < until {
            let n_missing = (until - self.n) as usize;
            let candidates = self.choice.next(n_missing, self.recipe, &mut self.taken, self.n_threads);
            self.is_exhausted = candidates.is_empty();
            if self.is_exhausted {
                break;
            }
            self.play(&candidates, &mut shard, progress)?;
        }
        if self.n == first {
            shard.discard()?;
        } else {
            shard.finish(&self.choice)?;
            self.n_shards += 1;
        }
        Ok(())
    }

    fn play(
        &mut self,
        candidates: &[DemoCandidate],
        shard: &mut ShardWriter<'_>,
        progress: &mut dyn FnMut(DemoProgress),
    ) -> Result<(), DemoError> {
        let (recipe, dir) = (self.recipe, self.dir);
        let work = |idx: usize| kept(perform(&candidates[idx], recipe), dir);
        in_order(candidates.len(), self.n_threads, &work, &mut |idx, made| {
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(DemoError::Interrupted);
            }
            self.take(&candidates[idx], made?, shard)?;
            self.progress(progress);
            Ok(())
        })
    }

    fn take(
        &mut self,
        candidate: &DemoCandidate,
        made: Result<Demonstration, String>,
        shard: &mut ShardWriter<'_>,
    ) -> Result<(), DemoError> {
        match made {
            Ok(mut demo) => {
                demo.facts.n = self.n;
                shard.add(&demo)?;
                self.n += 1;
                self.choice.solved(candidate.stratum);
            }
            Err(why) => {
                self.choice.unsolved(candidate, &mut self.taken);
                self.why_not = Some(why);
            }
        }
        Ok(())
    }

    fn conclude(self) -> Result<MadeDemos, DemoError> {
        if let (0, Some(why)) = (self.n, self.why_not) {
            return Err(DemoError::Nothing(why));
        }
        let disjoint = disjoint(self.recipe, self.dir, self.n_shards, &self.taken.evaluation)?;
        let mut n_turns = 0;
        for shard_idx in 0..self.n_shards {
            n_turns += self.dir.facts(shard_idx)?.iter().map(|facts| u64::from(facts.turns)).sum::<u64>();
        }
        let strata = self.recipe.strata.iter().zip(self.choice.counts()).map(|(stratum, count)| OfStratum {
            task: stratum.subject.task.id.clone(),
            preset: stratum.preset.clone(),
            stretch: stratum.told_stretch(),
            count: count.clone(),
        });
        let complete = self.n == self.recipe.n;
        let strata = strata.collect();
        Ok(MadeDemos { n: self.n, complete, n_shards: self.n_shards, n_turns, strata, disjoint })
    }
}

/// Stores the pictures of a demonstration, and lets go of them where they are not needed again.
fn kept(made: Result<Demonstration, String>, dir: &DemoDir) -> Result<Result<Demonstration, String>, StoreError> {
    let mut made = made;
    if let Ok(demo) = &mut made {
        dir.keep_pictures(demo)?;
        if !dir.embeds() {
            demo.pictures.clear();
        }
    }
    Ok(made)
}
