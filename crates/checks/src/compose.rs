//! From what the checks found to one score.

use std::collections::BTreeMap;

use quintain_core::check::Finding;
use quintain_core::score::Score;
use quintain_core::task::{CheckSpec, ComposeHow};

use crate::options::FILE;

/// The greatest score that is not full.
const NEARLY_FULL: f64 = 1.0 - f64::EPSILON / 2.0;

/// Whether a check counts at all. A check of weight 0 that is no gate is there for its measures only.
pub fn counts(spec: &CheckSpec) -> bool {
    spec.counts()
}

/// Makes one score of what the checks found. Findings stand in the order of the checks that found them.
///
/// In every composition:
/// - a gate that does not hold in full makes the score 0,
/// - a check of weight 0 that is no gate does not count,
/// - the score is 1 only if every check that counts holds in full,
/// - a better finding never makes a worse score,
/// - where no check counts, the score is 0: nothing was asked, so nothing was shown.
///
/// Beyond that:
/// - `all`: 1 if every check that counts holds in full, else 0;
/// - `gate-and-score`: the weighted mean of the checks that are no gates; 1 if there are only gates;
/// - `weighted`: the weighted mean of all checks, gates included;
/// - `checklist`: the weighted share of the checks, gates included, that hold in full;
/// - `pairwise-files`: every check belongs to the file that its option `file` names; a file counts as the worst of its
///   checks, and the score is the plain mean over the files;
/// - `chain`: of the checks alone, as `checklist`; [`chain`] adds the milestones.
pub fn compose(how: ComposeHow, specs: &[CheckSpec], findings: &[Finding]) -> Score {
    let counted: Vec<(&CheckSpec, Score)> = specs
        .iter()
        .zip(findings)
        .map(|(spec, finding)| (spec, finding.score))
        .filter(|(spec, _)| counts(spec))
        .collect();
    if counted.is_empty()
        || specs.len() != findings.len()
        || counted.iter().any(|(spec, score)| spec.gate && !score.is_full())
    {
        return Score::ZERO;
    }
    if counted.iter().all(|(_, score)| score.is_full()) {
        return Score::ONE;
    }
    let value = match how {
        ComposeHow::All => 0.0,
        ComposeHow::GateAndScore => mean(counted.iter().filter(|(spec, _)| !spec.gate).map(weighed)),
        ComposeHow::Weighted => mean(counted.iter().map(weighed)),
        ComposeHow::Checklist | ComposeHow::Chain => {
            mean(counted.iter().map(|(spec, score)| (spec.weight, Score::of(score.is_full()).value())))
        }
        ComposeHow::PairwiseFiles => mean(worst_by_file(&counted).into_values().map(|worst| (1.0, worst))),
    };
    Score::clamped(value.min(NEARLY_FULL))
}

/// What a milestone that was asked for is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainLink {
    /// How much it counts.
    pub weight: f64,
    /// Whether everything fails without it.
    pub gate: bool,
    /// Whether it counts as reached.
    pub holds: bool,
}

/// Makes one score of milestones and checks: the weighted share of those that hold in full, nothing if one that is a gate
/// does not, and 1 only if all hold that count.
pub fn chain(links: &[ChainLink], specs: &[CheckSpec], findings: &[Finding]) -> Score {
    let checks = specs.iter().zip(findings).filter(|(spec, _)| counts(spec));
    let checks = checks.map(|(CheckSpec { weight, gate, .. }, finding)| ChainLink {
        weight: *weight,
        gate: *gate,
        holds: finding.score.is_full(),
    });
    let all: Vec<ChainLink> =
        links.iter().copied().filter(|link| link.gate || link.weight > 0.0).chain(checks).collect();
    if all.is_empty() || all.iter().any(|link| link.gate && !link.holds) {
        return Score::ZERO;
    }
    if all.iter().all(|link| link.holds) {
        return Score::ONE;
    }
    let share = mean(all.iter().map(|link| (link.weight, f64::from(u8::from(link.holds)))));
    Score::clamped(share.min(NEARLY_FULL))
}

fn weighed((spec, score): &(&CheckSpec, Score)) -> (f64, f64) {
    (spec.weight, score.value())
}

/// The weighted mean. Weights are taken in proportion to the greatest, so that no sum of them overflows.
fn mean(values: impl Iterator<Item = (f64, f64)>) -> f64 {
    let values: Vec<(f64, f64)> = values.collect();
    let greatest = values.iter().map(|(weight, _)| *weight).fold(0.0, f64::max);
    if greatest <= 0.0 {
        return 0.0;
    }
    let sum: f64 = values.iter().map(|(weight, value)| weight / greatest * value).sum();
    let total: f64 = values.iter().map(|(weight, _)| weight / greatest).sum();
    sum / total
}

fn worst_by_file<'a>(counted: &[(&'a CheckSpec, Score)]) -> BTreeMap<Option<&'a str>, f64> {
    let mut worst = BTreeMap::new();
    for (spec, score) in counted {
        let entry = worst.entry(file_of(spec)).or_insert(1.0);
        *entry = f64::min(*entry, score.value());
    }
    worst
}

/// The file a check belongs to, for `pairwise-files`.
pub fn file_of(spec: &CheckSpec) -> Option<&str> {
    spec.options.get(FILE)?.as_str()
}
