//! From the rows of two runs to a comparison.

use std::collections::{BTreeMap, BTreeSet};

use quintain_core::instance::InstanceId;
use quintain_core::words::count;

use super::{FaultedPairs, Flip, LeftOut, MeanDifference, RunComparison, TaskDifference};
use crate::doubles::DoubledSeeds;
use crate::isolation::{self, IsolationByAgent};
use crate::row::{ProblemKey, TrialRow};
use crate::stats::{self, Clusters, Range};

/// What is compared: an instance, and the agent where several are compared by name.
type ComparisonKey = (InstanceId, Option<String>);

/// The trials of one side by what is compared.
type ComparedSide<'a> = BTreeMap<ComparisonKey, Vec<&'a TrialRow>>;

/// Two outcomes that belong together.
#[derive(Clone, Debug)]
struct OutcomePair {
    task: String,
    instance: InstanceId,
    problem: ProblemKey,
    solved: (f64, f64),
    score: (f64, f64),
    /// How many trials of each side ended in a fault.
    n_faulted: (usize, usize),
    single: bool,
}

/// Compares two runs pair by pair: the same instance and the same repeat on both sides. Where the repeats of an instance
/// are not the same on both sides, its means are paired. With one agent on each side their names do not matter; with more,
/// each is compared with its namesake. Instances that have changed between the sides are left out and counted. A fault counts
/// as not solved, or breaking would be a way to leave the count.
pub fn compare(a: &[TrialRow], b: &[TrialRow]) -> RunComparison {
    let (agents_a, agents_b) = (agents(a), agents(b));
    let by_name = agents_a.len() > 1 || agents_b.len() > 1;
    let (side_a, side_b) = (side(a, by_name), side(b, by_name));
    let mut left_out = LeftOut {
        only_a: side_a.keys().filter(|key| !side_b.contains_key(*key)).count(),
        only_b: side_b.keys().filter(|key| !side_a.contains_key(*key)).count(),
        ..LeftOut::default()
    };
    let (mut pairs, mut flips) = (Vec::new(), Vec::new());
    for (key, rows_a, rows_b) in side_a.iter().filter_map(|(key, rows)| Some((key, rows, side_b.get(key)?))) {
        if changed(rows_a, rows_b) {
            left_out.changed += 1;
            continue;
        }
        let found = pair_up(rows_a, rows_b);
        left_out.by_mean += usize::from(found.iter().any(|pair| !pair.single));
        flips.extend(flip(key, &found));
        pairs.extend(found);
    }
    let isolation =
        (isolation::by_agent(a.iter().map(TrialRow::place)), isolation::by_agent(b.iter().map(TrialRow::place)));
    RunComparison {
        isolation_a: isolation.0,
        isolation_b: isolation.1,
        ..conclude(agents_a, agents_b, &pairs, flips, left_out)
    }
}

fn agents(rows: &[TrialRow]) -> Vec<String> {
    rows.iter().map(|row| row.trial.agent.clone()).collect::<BTreeSet<_>>().into_iter().collect()
}

/// The trials by what is compared, in the order of their repeats.
fn side(rows: &[TrialRow], by_name: bool) -> ComparedSide<'_> {
    let mut side = ComparedSide::new();
    for row in rows {
        let agent = by_name.then(|| row.trial.agent.clone());
        side.entry((row.trial.instance.clone(), agent)).or_default().push(row);
    }
    for rows in side.values_mut() {
        rows.sort_by_key(|row| row.trial.repeat);
    }
    side
}

/// Whether the two sides did not play the same thing.
fn changed(a: &[&TrialRow], b: &[&TrialRow]) -> bool {
    let first = a[0].verdict.digests;
    a.iter().chain(b).any(|row| row.verdict.digests != first)
}

fn solved(row: &TrialRow) -> f64 {
    f64::from(u8::from(row.verdict.solved))
}

fn n_faulted(rows: &[&TrialRow]) -> usize {
    rows.iter().filter(|row| row.faulted()).count()
}

fn pair_up(a: &[&TrialRow], b: &[&TrialRow]) -> Vec<OutcomePair> {
    let (task, instance, problem) = (a[0].task().to_owned(), a[0].trial.instance.clone(), a[0].place().problem());
    if a.iter().map(|row| row.trial.repeat).eq(b.iter().map(|row| row.trial.repeat)) {
        let pair = |(a, b): (&&TrialRow, &&TrialRow)| OutcomePair {
            task: task.clone(),
            instance: instance.clone(),
            problem: problem.clone(),
            solved: (solved(a), solved(b)),
            score: (a.score(), b.score()),
            n_faulted: (n_faulted(&[a]), n_faulted(&[b])),
            single: true,
        };
        return a.iter().zip(b).map(pair).collect();
    }
    let mean = |rows: &[&TrialRow], value: fn(&TrialRow) -> f64| {
        rows.iter().map(|row| value(row)).sum::<f64>() / rows.len() as f64
    };
    vec![OutcomePair {
        task,
        instance,
        problem,
        solved: (mean(a, solved), mean(b, solved)),
        score: (mean(a, TrialRow::score), mean(b, TrialRow::score)),
        n_faulted: (n_faulted(a), n_faulted(b)),
        single: false,
    }]
}

fn means(pairs: &[OutcomePair], value: impl Fn(&OutcomePair) -> (f64, f64)) -> (f64, f64) {
    let n = pairs.len() as f64;
    let (a, b) = pairs.iter().map(value).fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0, sum.1 + pair.1));
    (a / n, b / n)
}

fn flip((instance, agent): &ComparisonKey, pairs: &[OutcomePair]) -> Option<Flip> {
    let (a, b) = means(pairs, |pair| pair.solved);
    let differs = pairs.iter().any(|pair| (pair.solved.0 - pair.solved.1).abs() > 1e-9);
    differs.then(|| Flip { instance: instance.clone(), agent: agent.clone(), a, b })
}

/// The differences of pairs, those of a task together or those of a problem, whatever its seeds.
fn gathered<K: Ord>(
    pairs: &[OutcomePair],
    value: impl Fn(&OutcomePair) -> (f64, f64),
    unit: impl for<'a> Fn(&'a OutcomePair) -> &'a K,
) -> Clusters {
    Clusters::gather(pairs.iter().map(|pair| (unit(pair), value(pair).1 - value(pair).0)))
}

fn difference(pairs: &[OutcomePair], value: impl Fn(&OutcomePair) -> (f64, f64)) -> (MeanDifference, Clusters) {
    let clusters = gathered(pairs, &value, |pair| &pair.task);
    let by_instance = gathered(pairs, &value, |pair| &pair.problem).interval(Range::Difference);
    let sides = (!pairs.is_empty()).then(|| means(pairs, value));
    let difference = MeanDifference {
        a: sides.map(|(a, _)| a),
        b: sides.map(|(_, b)| b),
        value: clusters.mean(),
        by_task: clusters.interval(Range::Difference),
        by_instance,
    };
    (difference, clusters)
}

fn conclude(
    agents_a: Vec<String>,
    agents_b: Vec<String>,
    pairs: &[OutcomePair],
    flips: Vec<Flip>,
    left_out: LeftOut,
) -> RunComparison {
    let (success, clusters) = difference(pairs, |pair| pair.solved);
    let (score, _) = difference(pairs, |pair| pair.score);
    let single = pairs.iter().filter(|pair| pair.single).map(|pair| (pair.solved.0 > 0.5, pair.solved.1 > 0.5));
    RunComparison {
        n_pairs: pairs.len(),
        n_tasks: clusters.len(),
        success,
        score,
        mcnemar: stats::mcnemar(single),
        detectable: stats::detectable(&clusters, pairs.len() as u64),
        detectable_here: stats::detectable(
            &gathered(pairs, |pair| pair.solved, |pair| &pair.problem),
            pairs.len() as u64,
        ),
        flips,
        by_task: by_task(pairs),
        warnings: warnings(&agents_a, &agents_b, pairs, clusters.len(), &left_out),
        faulted: faulted(pairs),
        agents_a,
        agents_b,
        isolation_a: IsolationByAgent::new(),
        isolation_b: IsolationByAgent::new(),
        left_out,
    }
}

/// What the pairs say in which nothing broke, where something broke in others.
fn faulted(pairs: &[OutcomePair]) -> Option<FaultedPairs> {
    let (n_a, n_b) = pairs.iter().fold((0, 0), |(a, b), pair| (a + pair.n_faulted.0, b + pair.n_faulted.1));
    let without: Vec<OutcomePair> = pairs.iter().filter(|pair| pair.n_faulted == (0, 0)).cloned().collect();
    let (difference, _) = difference(&without, |pair| pair.solved);
    (n_a + n_b > 0).then_some(FaultedPairs { n_a, n_b, n_without: without.len(), without: difference })
}

fn by_task(pairs: &[OutcomePair]) -> Vec<TaskDifference> {
    let mut tasks: BTreeMap<&str, Vec<OutcomePair>> = BTreeMap::new();
    for pair in pairs {
        tasks.entry(&pair.task).or_default().push(pair.clone());
    }
    let line = |(task, pairs): (&str, Vec<OutcomePair>)| {
        let ((a, b), (score_a, score_b)) = (means(&pairs, |pair| pair.solved), means(&pairs, |pair| pair.score));
        TaskDifference { task: task.to_owned(), n_pairs: pairs.len(), a, b, score_a, score_b }
    };
    tasks.into_iter().map(line).collect()
}

fn warnings(
    agents_a: &[String],
    agents_b: &[String],
    pairs: &[OutcomePair],
    n_tasks: usize,
    left_out: &LeftOut,
) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut warn = |n: usize, noun: &str, rest: &str| {
        if n > 0 {
            warnings.push(format!("{} {rest}", count(n, noun)));
        }
    };
    warn(left_out.changed, "instance", "left out: task, world or start state differs between the sides");
    warn(left_out.only_a, "instance", "left out: only A played it");
    warn(left_out.only_b, "instance", "left out: only B played it");
    warn(left_out.by_mean, "instance", "paired by mean and not in McNemar's test: the repeats differ");
    warnings.extend(doubled(pairs));
    if pairs.is_empty() {
        warnings.push("nothing to compare: no instance was played by both sides".to_owned());
    } else if n_tasks < stats::FEW {
        warnings.push(format!("only {}: the interval over tasks is rough", count(n_tasks, "task")));
    }
    if (agents_a.len() > 1 || agents_b.len() > 1) && agents_a != agents_b {
        warnings.push("the sides have several agents, not all of them on both: only namesakes are compared".to_owned());
    }
    warnings
}

/// How many instances pose a problem that another does too.
fn doubled(pairs: &[OutcomePair]) -> Option<String> {
    let n_instances = pairs.iter().map(|pair| &pair.instance).collect::<BTreeSet<_>>().len();
    let n_problems = pairs.iter().map(|pair| &pair.problem).collect::<BTreeSet<_>>().len();
    let doubled = DoubledSeeds { n_instances, n_problems };
    (n_problems < n_instances)
        .then(|| format!("{}; intervals take them together, McNemar's test does not", doubled.words()))
}
