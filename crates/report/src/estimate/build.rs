//! From pilot trials to what a plan will use up.

use std::collections::BTreeMap;

use quintain_core::trial::TrialId;

use super::{BudgetCheck, Estimate, ExpectedAmount, PlannedTrials, TrialKind, UnknownTrials, UsedQuantity, WillDo};
use crate::row::TrialRow;
use crate::stats::special::t_quantile;
use crate::stats::{self, Interval};

/// The upper end of a two-sided interval at 95 %.
const UPPER: f64 = 0.975;

const ALL: [UsedQuantity; 4] =
    [UsedQuantity::Steps, UsedQuantity::Minutes, UsedQuantity::Tokens, UsedQuantity::Dollars];

/// What a plan will use up, by pilot trials. Those that ended in a fault are left out; what was lost to faults on the way
/// to an end is not.
pub fn estimate(planned: &PlannedTrials<'_>, pilot: &[TrialRow]) -> Estimate {
    let mut counts: BTreeMap<(String, String), usize> = BTreeMap::new();
    for trial in planned.trials {
        *counts.entry(kind_of(trial)).or_default() += 1;
    }
    let (mut measured, mut missing) = (Vec::new(), Vec::new());
    for ((task, agent), n_trials) in counts {
        let rows: Vec<&TrialRow> =
            pilot.iter().filter(|row| !row.faulted() && kind_of(&row.trial) == (task.clone(), agent.clone())).collect();
        if rows.is_empty() {
            missing.push(UnknownTrials { task, agent, n_trials });
        } else {
            measured.push(MeasuredKind { task, agent, n_trials, rows });
        }
    }
    let total = ALL.into_iter().filter_map(|what| Some((what, in_all(&measured, what)?))).collect();
    let mut estimate = Estimate {
        n_trials: planned.trials.len(),
        n_covered: measured.iter().map(|kind| kind.n_trials).sum(),
        kinds: measured.iter().map(MeasuredKind::kind).collect(),
        missing,
        total,
        run_minutes: None,
        budgets: Vec::new(),
    };
    let at_once = planned.n_workers.min(planned.trials.len()).max(1) as f64;
    estimate.run_minutes = estimate.total.get(&UsedQuantity::Minutes).map(|amount| amount.times(1.0 / at_once));
    estimate.budgets = budgets(&estimate, planned);
    estimate
}

/// Task and preset, and agent.
fn kind_of(trial: &TrialId) -> (String, String) {
    let task = trial.instance.task.as_str();
    let preset = trial.instance.pick.preset.as_ref().map(|preset| format!("@{preset}")).unwrap_or_default();
    (format!("{task}{preset}"), trial.agent.clone())
}

/// Planned trials of one kind, and the pilot's.
struct MeasuredKind<'a> {
    task: String,
    agent: String,
    n_trials: usize,
    rows: Vec<&'a TrialRow>,
}

impl MeasuredKind<'_> {
    fn kind(&self) -> TrialKind {
        let each = |what: UsedQuantity| {
            let sample = self.sample(what)?;
            let reach =
                sample.variance.map(|variance| t_quantile(UPPER, sample.degrees()) * (variance / sample.n).sqrt());
            Some((what, ExpectedAmount::within(sample.mean, reach)))
        };
        TrialKind {
            task: self.task.clone(),
            agent: self.agent.clone(),
            n_trials: self.n_trials,
            n_pilot: self.rows.len(),
            each: ALL.into_iter().filter_map(each).collect(),
        }
    }

    /// What the pilot trials used of something; nothing if that is not known of each.
    fn sample(&self, what: UsedQuantity) -> Option<Sample> {
        let values: Option<Vec<f64>> = self.rows.iter().map(|row| used(row, what)).collect();
        let values = values?;
        let mean = stats::mean(&values)?;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let n = values.len() as f64;
        Some(Sample { n, mean, variance: (values.len() > 1).then(|| squares / (n - 1.0)) })
    }
}

struct Sample {
    n: f64,
    mean: f64,
    variance: Option<f64>,
}

impl Sample {
    fn degrees(&self) -> f64 {
        self.n - 1.0
    }
}

fn used(row: &TrialRow, what: UsedQuantity) -> Option<f64> {
    let spent = row.spent.plus(row.wasted);
    match what {
        UsedQuantity::Steps => Some(f64::from(spent.steps)),
        UsedQuantity::Minutes => Some(spent.elapsed_ms as f64 / 60_000.0),
        UsedQuantity::Tokens => Some(spent.tokens as f64),
        UsedQuantity::Dollars if !row.had_model => Some(0.0),
        UsedQuantity::Dollars => (row.cost_known && row.wasted.n_unknown == 0).then_some(spent.cost_usd),
    }
}

/// What all trials use together. Its variance has two parts: of the means, which are the same for all trials of a kind,
/// and of the trials themselves. Degrees of freedom are Welch's and Satterthwaite's.
fn in_all(measured: &[MeasuredKind<'_>], what: UsedQuantity) -> Option<ExpectedAmount> {
    let samples: Option<Vec<(f64, Sample)>> =
        measured.iter().map(|kind| Some((kind.n_trials as f64, kind.sample(what)?))).collect();
    let samples = samples.filter(|samples| !samples.is_empty())?;
    let mean = samples.iter().map(|(n, sample)| n * sample.mean).sum();
    let part = |(n, sample): &(f64, Sample)| {
        sample.variance.map(|variance| (n * n * variance / sample.n + n * variance, sample.degrees()))
    };
    let parts: Option<Vec<(f64, f64)>> = samples.iter().map(part).collect();
    Some(ExpectedAmount::within(mean, parts.map(|parts| reach(&parts))))
}

fn reach(parts: &[(f64, f64)]) -> f64 {
    let variance: f64 = parts.iter().map(|(variance, _)| variance).sum();
    if variance <= 0.0 {
        return 0.0;
    }
    let degrees = variance.powi(2) / parts.iter().map(|(part, degrees)| part.powi(2) / degrees).sum::<f64>();
    t_quantile(UPPER, degrees) * variance.sqrt()
}

impl ExpectedAmount {
    fn within(mean: f64, reach: Option<f64>) -> Self {
        let interval = reach.map(|reach| Interval { low: (mean - reach).max(0.0), high: mean + reach });
        Self { mean, interval }
    }

    fn times(self, factor: f64) -> Self {
        let scaled = |Interval { low, high }| Interval { low: low * factor, high: high * factor };
        Self { mean: self.mean * factor, interval: self.interval.map(scaled) }
    }
}

fn budgets(estimate: &Estimate, planned: &PlannedTrials<'_>) -> Vec<BudgetCheck> {
    let budget = &planned.budget;
    let total = |what: UsedQuantity| estimate.total.get(&what).copied();
    [
        (UsedQuantity::Steps, budget.steps.map(|steps| steps as f64), total(UsedQuantity::Steps)),
        (UsedQuantity::Minutes, budget.minutes, estimate.run_minutes),
        (UsedQuantity::Tokens, budget.tokens.map(|tokens| tokens as f64), total(UsedQuantity::Tokens)),
        (UsedQuantity::Dollars, budget.cost_usd, total(UsedQuantity::Dollars)),
    ]
    .into_iter()
    .filter_map(|(what, budget, expected)| {
        let budget = budget?;
        Some(BudgetCheck { what, budget, answer: will_do(budget, expected, estimate.missing.is_empty()) })
    })
    .collect()
}

/// Trials that nothing is known about can only use more.
fn will_do(budget: f64, expected: Option<ExpectedAmount>, all_known: bool) -> WillDo {
    let Some(Interval { low, high }) = expected.and_then(|amount| amount.interval) else { return WillDo::Unsure };
    match () {
        () if low > budget => WillDo::No,
        () if high <= budget && all_known => WillDo::Yes,
        () => WillDo::Unsure,
    }
}
