//! From rows to a summary.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::ending::{Boundary, Ending};
use quintain_core::instance::InstanceId;
use quintain_core::trial::TrialId;

use super::chains::chain_summary;
use super::matrix::{MatrixRow, TaskMatrix};
use super::starts::start_rates;
use super::subjects::subjects;
use super::{
    Average, Cost, EndedBy, EndingCount, FaultCount, LabelCount, OpinionCount, RateEstimate, Repeats, Summary,
    SummaryCell, ToolMix, TrialGroup, Usual,
};
use crate::doubles::{DoubledSeeds, wilson_of};
use crate::failure_class::FailureClasses;
use crate::isolation;
use crate::label::LabelKind;
use crate::opinion::Opinion;
use crate::pointer_trail::TrailSummary;
use crate::row::{TrialPlace, TrialRow, UnplayedTrial, ending_of};
use crate::stats::{self, Clusters, Range};
use crate::tool_mix::ToolCounts;

/// Condenses a run into numbers with intervals: the rows of the trials that have an outcome, and the trials that have
/// none. Their order does not matter.
pub fn summary(rows: &[TrialRow], unplayed: &[UnplayedTrial]) -> Summary {
    let mut all: Vec<&TrialRow> = rows.iter().collect();
    all.sort_by(|one, other| one.trial.cmp(&other.trial)); // Sums of fractions depend on the order.
    let trials = PlannedSet { rows: all, unplayed: unplayed.iter().collect() };
    let rows = trials.rows.as_slice();
    let capabilities = |place: TrialPlace<'_>| place.capabilities.iter().cloned().collect::<BTreeSet<_>>();
    Summary {
        total: group("all trials", &trials),
        by_agent: grouped(&trials, |place| [place.trial.agent.clone()]),
        isolation: isolation::by_agent(trials.places()),
        matrix: matrix(&trials),
        by_task: grouped(&trials, |place| [place.task().to_owned()]),
        by_difficulty: grouped(&trials, |place| place.difficulty),
        by_capability: grouped(&trials, capabilities),
        cells: cells(&trials),
        endings: endings(rows),
        faults: faults(rows),
        labels: label_counts(rows),
        opinions: opinion_counts(rows),
        failures: FailureClasses::of(rows),
        trails: TrailSummary::of(rows),
        tool_mix: tool_mix(rows),
        repeats: repeats(rows),
        doubled: DoubledSeeds::of(trials.places()),
        starts: start_rates(rows),
        chains: chain_summary(&trials),
        subjects: subjects(&trials),
    }
}

/// Trials that were planned: those with an outcome and those without.
#[derive(Default)]
pub(super) struct PlannedSet<'a> {
    pub(super) rows: Vec<&'a TrialRow>,
    pub(super) unplayed: Vec<&'a UnplayedTrial>,
}

impl<'a> PlannedSet<'a> {
    /// Trials that all have an outcome.
    pub(super) fn played(rows: &[&'a TrialRow]) -> Self {
        Self { rows: rows.to_vec(), unplayed: Vec::new() }
    }

    /// The trials by one or more keys each, in the order of the keys.
    pub(super) fn split<K: Ord, I: IntoIterator<Item = K>>(
        &self,
        keys: impl Fn(TrialPlace<'_>) -> I,
    ) -> BTreeMap<K, PlannedSet<'a>> {
        let mut parts: BTreeMap<K, PlannedSet<'a>> = BTreeMap::new();
        for &row in &self.rows {
            for key in keys(row.place()) {
                parts.entry(key).or_default().rows.push(row);
            }
        }
        for &trial in &self.unplayed {
            for key in keys(trial.place()) {
                parts.entry(key).or_default().unplayed.push(trial);
            }
        }
        parts
    }

    fn places(&self) -> impl Iterator<Item = TrialPlace<'a>> {
        self.rows.iter().map(|row| row.place()).chain(self.unplayed.iter().map(|trial| trial.place()))
    }

    /// The values of the trials by their tasks, nothing for those that were not played.
    fn clusters(&self, value: impl Fn(&TrialRow) -> f64) -> Clusters {
        let played = self.rows.iter().map(|row| (row.task(), value(row)));
        Clusters::gather(played.chain(self.unplayed.iter().map(|trial| (trial.place().task(), 0.0))))
    }

    pub(super) fn average(&self, value: impl Fn(&TrialRow) -> f64) -> Average {
        let clusters = self.clusters(value);
        let n = self.rows.len() + self.unplayed.len();
        Average { n, value: clusters.mean(), by_task: clusters.interval(Range::Share) }
    }

    fn rate(&self) -> RateEstimate {
        self.share(|row| row.verdict.solved)
    }

    /// The share of the trials of which something is so; of those that were not played it is not.
    pub(super) fn share(&self, is_so: impl Fn(&TrialRow) -> bool) -> RateEstimate {
        let hits = self.rows.iter().filter(|row| is_so(row)).count();
        let n = self.rows.len() + self.unplayed.len();
        let clusters = self.clusters(|row| f64::from(u8::from(is_so(row))));
        RateEstimate {
            hits,
            n,
            value: clusters.mean(),
            wilson: wilson_of(hits, self.places()),
            by_task: clusters.interval(Range::Share),
        }
    }
}

/// Rows by one or more keys each, in the order of the keys.
pub(super) fn split<'a, K: Ord, I: IntoIterator<Item = K>>(
    rows: &[&'a TrialRow],
    keys: impl Fn(&TrialRow) -> I,
) -> BTreeMap<K, Vec<&'a TrialRow>> {
    let mut parts: BTreeMap<K, Vec<&TrialRow>> = BTreeMap::new();
    for &row in rows {
        for key in keys(row) {
            parts.entry(key).or_default().push(row);
        }
    }
    parts
}

fn grouped<K: Ord + ToString, I: IntoIterator<Item = K>>(
    trials: &PlannedSet<'_>,
    keys: impl Fn(TrialPlace<'_>) -> I,
) -> Vec<TrialGroup> {
    trials.split(keys).into_iter().map(|(key, trials)| group(&key.to_string(), &trials)).collect()
}

fn group(name: &str, trials: &PlannedSet<'_>) -> TrialGroup {
    let rows = trials.rows.as_slice();
    let fair: Vec<&TrialRow> = rows.iter().copied().filter(|row| !row.faulted()).collect();
    let usual = |value: &dyn Fn(&TrialRow) -> Option<f64>| usual(fair.iter().filter_map(|row| value(row)));
    TrialGroup {
        name: name.to_owned(),
        n: rows.len() + trials.unplayed.len(),
        n_faulted: rows.len() - fair.len(),
        n_unplayed: trials.unplayed.len(),
        n_tasks: trials.places().map(TrialPlace::task).collect::<BTreeSet<_>>().len(),
        success: trials.rate(),
        judged: rate(&fair),
        score: trials.average(TrialRow::score),
        completion: trials.average(TrialRow::completion),
        efficiency: usual(&TrialRow::efficiency),
        steps: usual(&|row| Some(f64::from(row.spent.steps))),
        tokens: usual(&|row| row.had_model.then_some(row.spent.tokens as f64)),
        cached: cached(rows),
        elapsed_ms: usual(&|row| Some(row.spent.elapsed_ms as f64)),
        cost: cost(rows, &fair),
    }
}

/// The share solved of these rows.
pub(super) fn rate(rows: &[&TrialRow]) -> RateEstimate {
    PlannedSet::played(rows).rate()
}

/// The share that some rows are of others, which they are among.
pub(super) fn rate_of(hits: &[&TrialRow], among: &[&TrialRow]) -> RateEstimate {
    let hit: BTreeSet<&TrialId> = hits.iter().map(|row| &row.trial).collect();
    PlannedSet::played(among).share(|row| hit.contains(&row.trial))
}

pub(super) fn usual(values: impl Iterator<Item = f64>) -> Usual {
    let values: Vec<f64> = values.collect();
    Usual { n: values.len(), mean: stats::mean(&values), median: stats::median(&values) }
}

fn cost(all: &[&TrialRow], fair: &[&TrialRow]) -> Cost {
    Cost {
        known: usual(fair.iter().filter_map(|row| row.cost())),
        n_unknown: all.iter().filter(|row| row.had_model && !row.cost_known).count(),
        n_unknown_calls: all.iter().map(|row| u64::from(row.spent.n_unknown) + u64::from(row.wasted.n_unknown)).sum(),
        n_without_model: all.iter().filter(|row| !row.had_model).count(),
        total_usd: all.iter().filter_map(|row| row.known_cost()).reduce(|total, cost| total + cost),
        lost_usd: all.iter().map(|row| row.wasted.cost_usd).fold(0.0, |total, cost| total + cost),
    }
}

fn cached(rows: &[&TrialRow]) -> Option<f64> {
    let read: u64 = rows.iter().map(|row| row.input_tokens).sum();
    let cached: u64 = rows.iter().map(|row| row.cached_tokens).sum();
    (read > 0).then(|| cached as f64 / read as f64)
}

fn cells(trials: &PlannedSet<'_>) -> Vec<SummaryCell> {
    trials
        .split(|place| [(place.trial.agent.clone(), place.task().to_owned(), place.difficulty)])
        .into_iter()
        .map(|((agent, task, difficulty), trials)| SummaryCell { agent, task, difficulty, success: trials.rate() })
        .collect()
}

/// What each agent solved of each task; nothing where there is only one.
fn matrix(trials: &PlannedSet<'_>) -> Option<TaskMatrix> {
    let agents: BTreeSet<String> = trials.places().map(|place| place.trial.agent.clone()).collect();
    if agents.len() < 2 {
        return None;
    }
    let row = |(task, trials): (String, PlannedSet<'_>)| {
        let by_agent = trials.split(|place| [place.trial.agent.clone()]);
        MatrixRow { task, success: agents.iter().map(|agent| by_agent.get(agent).map(PlannedSet::rate)).collect() }
    };
    let tasks = trials.split(|place| [place.task().to_owned()]).into_iter().map(row).collect();
    Some(TaskMatrix { tasks, agents: agents.into_iter().collect() })
}

fn ended_by(ending: &Ending) -> EndedBy {
    match ending {
        Ending::Done | Ending::Answered | Ending::GaveUp => EndedBy::Agent,
        Ending::Truncated(_) => EndedBy::Limit,
        Ending::Broke(_) => EndedBy::Breaking,
        Ending::Cheated(_) => EndedBy::Cheating,
        Ending::Fault(_) => EndedBy::Fault,
    }
}

fn endings(rows: &[&TrialRow]) -> Vec<EndingCount> {
    let key = |row: &TrialRow| [(ended_by(&row.verdict.ending), ending_of(&row.verdict))];
    split(rows, key)
        .into_iter()
        .map(|((by, ending), rows)| {
            let solved = rows.iter().filter(|row| row.verdict.solved).count();
            EndingCount { ending, by, n: rows.len(), solved }
        })
        .collect()
}

fn boundary(ending: &Ending) -> Option<Boundary> {
    if let Ending::Fault(boundary) = ending { Some(*boundary) } else { None }
}

fn faults(rows: &[&TrialRow]) -> Vec<FaultCount> {
    let mut counts: BTreeMap<Boundary, (usize, usize)> = BTreeMap::new();
    for row in rows {
        for whose in row.faulted_attempts.iter().filter_map(boundary) {
            counts.entry(whose).or_default().0 += 1;
        }
        if let Some(whose) = boundary(&row.verdict.ending) {
            counts.entry(whose).or_default().1 += 1;
        }
    }
    counts.into_iter().map(|(boundary, (retried, ended))| FaultCount { boundary, retried, ended }).collect()
}

fn label_counts(rows: &[&TrialRow]) -> Vec<LabelCount> {
    let kinds = |row: &TrialRow| row.labels.iter().map(|label| label.kind).collect::<BTreeSet<LabelKind>>();
    split(rows, kinds)
        .into_iter()
        .map(|(kind, rows)| {
            let unsolved = rows.iter().filter(|row| !row.verdict.solved).count();
            LabelCount { kind, trials: rows.len(), unsolved }
        })
        .collect()
}

fn opinion_counts(rows: &[&TrialRow]) -> Vec<OpinionCount> {
    let given = |row: &TrialRow| {
        let of = |(model, opinions): (&String, &Vec<Opinion>)| {
            opinions.iter().map(|opinion| (model.clone(), opinion.kind)).collect::<Vec<_>>()
        };
        row.opinions.iter().flat_map(of).collect::<BTreeSet<_>>()
    };
    split(rows, given)
        .into_iter()
        .map(|((model, kind), rows)| OpinionCount { model, kind, trials: rows.len() })
        .collect()
}

fn tool_mix(rows: &[&TrialRow]) -> Vec<ToolMix> {
    let mix = |(agent, rows): (String, Vec<&TrialRow>)| {
        let mut counts = ToolCounts::new();
        for (class, n) in rows.iter().flat_map(|row| &row.tools) {
            *counts.entry(*class).or_default() += n;
        }
        let n: u64 = counts.values().sum();
        let shares = counts.into_iter().map(|(class, uses)| (class, uses as f64 / n as f64)).collect();
        ToolMix { agent, n, shares }
    };
    let by_agent = split(rows, |row| [row.trial.agent.clone()]);
    by_agent.into_iter().map(mix).filter(|mix| mix.n > 0).collect()
}

/// The numbers of repeats that are reported, as far as there are that many.
const KS: [u64; 10] = [1, 2, 3, 4, 5, 8, 10, 16, 32, 64];

fn repeats(rows: &[&TrialRow]) -> Vec<Repeats> {
    let by_agent = split(rows, |row| [row.trial.agent.clone()]);
    by_agent.iter().flat_map(|(agent, rows)| repeats_by(agent, rows)).collect()
}

fn repeats_by(agent: &str, rows: &[&TrialRow]) -> Vec<Repeats> {
    let mut played: BTreeMap<&InstanceId, (u64, u64)> = BTreeMap::new();
    for row in rows.iter().copied() {
        let (n, solved) = played.entry(&row.trial.instance).or_default();
        *n += 1;
        *solved += u64::from(row.verdict.solved);
    }
    let most = played.values().map(|(n, _)| *n).max().unwrap_or(0);
    if most < 2 {
        return Vec::new();
    }
    KS.into_iter().filter(|k| *k <= most).filter_map(|k| repeats_of(agent, k, played.values())).collect()
}

fn repeats_of<'a>(agent: &str, k: u64, played: impl Iterator<Item = &'a (u64, u64)>) -> Option<Repeats> {
    let (any, all): (Vec<f64>, Vec<f64>) =
        played.filter_map(|(n, solved)| stats::pass_any(*n, *solved, k).zip(stats::pass_all(*n, *solved, k))).unzip();
    Some(Repeats { agent: agent.to_owned(), k, n: any.len(), any: stats::mean(&any)?, all: stats::mean(&all)? })
}
