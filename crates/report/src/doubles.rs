//! Seeds that give the same instance: how many there are, and what trials of them are worth.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::instance::InstanceId;
use quintain_core::words::count;
use serde::Serialize;

use crate::row::{ProblemKey, TrialPlace};
use crate::stats::{Interval, wilson, wilson_at};

/// How many instances were played, and how many different problems they pose: two seeds may give the same one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DoubledSeeds {
    /// How many instances.
    pub n_instances: usize,
    /// How many different problems.
    pub n_problems: usize,
}

impl DoubledSeeds {
    /// Of some trials; nothing where every instance is a problem of its own.
    pub(crate) fn of<'a>(places: impl Iterator<Item = TrialPlace<'a>>) -> Option<Self> {
        let (mut instances, mut problems) = (BTreeSet::new(), BTreeSet::new());
        for place in places {
            if instances.insert(&place.trial.instance) {
                problems.insert(place.problem());
            }
        }
        let counted = Self { n_instances: instances.len(), n_problems: problems.len() };
        (counted.n_problems < counted.n_instances).then_some(counted)
    }

    /// In a sentence.
    pub fn words(&self) -> String {
        let Self { n_instances, n_problems } = self;
        let repeated = count(n_instances - n_problems, "seed");
        format!("{repeated} gave an instance that another had given: {n_instances} instances, {n_problems} problems")
    }
}

/// Wilson's interval for a share of trials. Instances that pose the same problem count as one: an agent that solves one
/// of them is taken to solve all. So many trials are worth as many independent ones as Kish's effective sample size says;
/// where no seed repeats another, that is all of them.
pub(crate) fn wilson_of<'a>(hits: usize, places: impl Iterator<Item = TrialPlace<'a>>) -> Option<Interval> {
    let mut problems: BTreeMap<(&str, ProblemKey), BTreeSet<&InstanceId>> = BTreeMap::new();
    let mut n: u64 = 0;
    for place in places {
        n += 1;
        problems.entry((&place.trial.agent, place.problem())).or_default().insert(&place.trial.instance);
    }
    let sizes = problems.values().map(BTreeSet::len);
    let (sum, squares) = sizes.fold((0, 0), |(sum, squares), size| (sum + size, squares + size * size));
    if sum == squares {
        return wilson(hits as u64, n);
    }
    Some(wilson_at(hits as f64 / n as f64, n as f64 * sum as f64 / squares as f64))
}

#[cfg(test)]
mod tests {
    use quintain_core::digest::Digest;

    use super::*;
    use crate::row::TrialRow;
    use crate::row::tests::row;
    use crate::{compare, summary};

    /// Forty trials of a task, of which so many seeds follow each other in posing the same problem.
    fn rows(n_alike: usize) -> Vec<TrialRow> {
        let posed = |seed: usize| {
            let score = f64::from(u8::from((seed / n_alike).is_multiple_of(2)));
            let mut row = row(&format!("p/maze@easy#{seed}~a~0 done {score} 5"));
            row.identity = Some(Digest::of(&(seed / n_alike).to_le_bytes()));
            row
        };
        (0..40).map(posed).collect()
    }

    fn width(interval: Option<Interval>) -> f64 {
        interval.map_or(0.0, |interval| interval.high - interval.low)
    }

    #[test]
    fn seeds_that_repeat_each_other_are_worth_one() {
        let (all, pairs) = (summary(&rows(1), &[]), summary(&rows(2), &[]));
        assert_eq!((all.doubled, all.total.success.wilson), (None, wilson(20, 40)));
        assert_eq!(pairs.total.success.wilson, wilson(10, 20));
        assert_eq!(pairs.total.success.value, Some(0.5), "the share itself counts every trial");
        insta::assert_snapshot!(pairs.doubled.unwrap().words(), @"20 seeds gave an instance that another had given: 40 instances, 20 problems");
        assert!(pairs.text().contains("20 seeds gave"), "{}", pairs.text());
        let same = summary(&rows(40), &[]);
        assert_eq!(same.total.success.wilson, wilson(1, 1));
    }

    #[test]
    fn differences_are_taken_over_problems() {
        let against = |n_alike: usize| {
            let (a, mut b) = (rows(n_alike), rows(n_alike));
            b.iter_mut().filter(|row| row.trial.instance.pick.seed < Some(8)).for_each(|row| row.verdict.solved = true);
            compare(&a, &b)
        };
        let (all, fours) = (against(1), against(4));
        assert!(all.warnings.iter().all(|warning| !warning.contains("seeds gave")), "{:?}", all.warnings);
        assert!(fours.warnings.iter().any(|warning| warning.starts_with("30 seeds gave")), "{:?}", fours.warnings);
        let clusters = |comparison: &crate::RunComparison| comparison.success.by_instance.unwrap();
        assert_eq!((clusters(&all).n_clusters, clusters(&fours).n_clusters), (40, 10));
        assert!(width(Some(clusters(&fours).interval)) > width(Some(clusters(&all).interval)));
    }

    #[test]
    fn old_runs_tell_instances_apart_by_their_start() {
        let mut old = rows(2);
        for row in &mut old {
            row.identity = None;
        }
        assert_eq!(summary(&old, &[]).doubled, None);
        let start = old[0].verdict.digests.instance;
        old[7].verdict.digests.instance = start;
        assert_eq!(summary(&old, &[]).doubled, Some(DoubledSeeds { n_instances: 40, n_problems: 39 }));
    }
}
