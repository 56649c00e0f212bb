use insta::assert_snapshot;
use quintain_core::limits::Budget;

use super::*;
use crate::row::TrialRow;
use crate::row::tests::row;

/// Four pilot trials of one kind and two of another, by a model that costs a cent a step.
fn pilot() -> Vec<TrialRow> {
    let mut rows: Vec<TrialRow> = [
        "p/maze@easy#1~model~0 done 1.0 8",
        "p/maze@easy#2~model~0 done 1.0 12",
        "p/maze@easy#3~model~0 steps 0.0 10",
        "p/maze@easy#4~model~0 done 1.0 10",
        "p/maze@hard#1~model~0 done 0.0 30",
        "p/maze@hard#2~model~0 done 0.0 30",
        "p/maze@hard#3~model~0 provider 0.0 3",
    ]
    .map(row)
    .into();
    for row in &mut rows {
        row.had_model = true;
        row.spent.tokens = u64::from(row.spent.steps) * 1000;
        row.spent.cost_usd = f64::from(row.spent.steps) * 0.01;
        row.spent.elapsed_ms = u64::from(row.spent.steps) * 6000;
    }
    rows
}

fn trials(kind: &str, n: usize) -> Vec<TrialId> {
    (0..n).map(|seed| kind.replace('#', &format!("#{seed}")).parse().unwrap()).collect()
}

#[test]
fn a_plan_is_measured_by_its_pilot() {
    let trials = [trials("p/maze@easy#~model~0", 20), trials("p/maze@hard#~model~0", 10), trials("p/new#~model~0", 2)];
    let budget = Budget { steps: Some(1000), minutes: Some(5.0), tokens: Some(500_000), cost_usd: Some(5.2) };
    let planned = PlannedTrials { trials: &trials.concat(), n_workers: 4, budget };
    let estimate = estimate(&planned, &pilot());
    assert_snapshot!(estimate.text(), @"
    estimate for 30 of 32 planned trials, from 6 pilot trials

    a trial by model  trials  pilot     steps  minutes       tokens              cost
    p/maze@easy           20      4  10 ±2.60  1 ±0.26  10.0k ±2598  $0.1000 ±$0.0260
    p/maze@hard           10      2     30 ±0     3 ±0     30.0k ±0    $0.3000 ±$0.00

    in all              expected              95 %  budget  will it do
    steps                    500        [443, 557]    1000     perhaps
    minutes of trials         50      [44.3, 55.7]
    tokens                500.0k  [443.1k, 556.9k]  500.0k     perhaps
    dollars                $5.00    [$4.43, $5.57]   $5.20     perhaps
    minutes of the run      12.5      [11.1, 13.9]       5          no

    not in the pilot, not in the estimate  trials
    p/new model                                 2
    ");
}

/// By hand: four trials of 8, 12, 10 and 10 steps have the mean 10 and the variance 8/3. Of 20 new ones 200 are expected,
/// with the variance 400/4 * 8/3 + 20 * 8/3 = 320, and t at 3 degrees is 3.1824.
#[test]
fn the_interval_takes_in_the_means_and_the_trials() {
    let planned =
        PlannedTrials { trials: &trials("p/maze@easy#~model~0", 20), n_workers: 1, budget: Budget::default() };
    let total = estimate(&planned, &pilot()).total[&UsedQuantity::Steps];
    let interval = total.interval.unwrap();
    assert!((total.mean - 200.0).abs() < 1e-9);
    assert!((interval.high - 200.0 - 3.182_446 * 320.0_f64.sqrt()).abs() < 1e-3, "{interval:?}");
}

#[test]
fn what_is_not_known_is_not_estimated() {
    let mut rows = pilot();
    rows[0].cost_known = false;
    let trials = trials("p/maze@easy#~model~0", 3);
    let budget = Budget { cost_usd: Some(100.0), ..Budget::default() };
    let unpriced = estimate(&PlannedTrials { trials: &trials, n_workers: 1, budget }, &rows);
    assert!(!unpriced.total.contains_key(&UsedQuantity::Dollars) && unpriced.total.contains_key(&UsedQuantity::Steps));
    assert_eq!(unpriced.budgets[0].answer, WillDo::Unsure);
    let single = estimate(&PlannedTrials { trials: &trials, n_workers: 1, budget }, &rows[1..2]);
    assert_eq!(single.total[&UsedQuantity::Dollars].interval, None);
    assert_eq!(single.budgets[0].answer, WillDo::Unsure);
    let nothing = estimate(&PlannedTrials { trials: &trials, n_workers: 1, budget }, &[]);
    assert_eq!((nothing.n_covered, nothing.missing[0].n_trials), (0, 3));
}
