//! Chains by hand, and players whose error rate is set.

use insta::assert_snapshot;
use quintain_core::check::Finding;
use quintain_core::rng::Rng;
use quintain_core::verdict::MilestoneReached;

use crate::elements::ElementCount;
use crate::row::TrialRow;
use crate::row::tests::row;
use crate::summary::{Summary, summary};

/// A milestone in a letter: given, reached, missed, broke.
fn milestone((idx, state): (usize, char)) -> MilestoneReached {
    let holds = state == 'r';
    MilestoneReached {
        name: format!("m{}", idx + 1),
        after_steps: holds.then_some(idx as u32 + 1),
        given: state == 'g',
        broke: state == 'b',
        findings: vec![Finding::of("c", holds, "because")],
    }
}

/// A row, and the states of its milestones as letters.
fn chain(text: &str, states: &str) -> TrialRow {
    let mut row = row(text);
    row.verdict.milestones = states.chars().enumerate().map(milestone).collect();
    let asked = row.verdict.asked().count() as u32;
    let held = row.verdict.asked().filter(|milestone| milestone.after_steps.is_some()).count();
    row.elements = Some(ElementCount { held: held as f64, n: asked });
    row
}

fn tables(summary: &Summary) -> String {
    summary.chains.as_ref().unwrap().text()
}

#[test]
fn figures_agree_with_counting_by_hand() {
    let mut rows = vec![
        chain("p/a#1~model~0 done 1.0 10", "rrr"),
        chain("p/a#2~model~0 done 0.0 8", "rbm"),
        chain("p/a#3~model~0 steps 0.0 9", "rrb"),
        chain("p/a#1+1~model~0 done 1.0 6", "grr"),
        chain("p/a#2+1~model~0 done 0.0 6", "gbm"),
        chain("p/b#1~model~0 done 0.0 2", "bm"),
        row("p/b#2~model~0 provider 0.0 2"),
        row("p/other#1~model~0 done 1.0 2"),
    ];
    rows[0].optimal_steps = Some(5);
    let summary = summary(&rows, &[]);
    assert_snapshot!(tables(&summary), @"
    chains of  after  trials      SR  CR steps  CR elem.  AE  effic.  answered  precision
    model          0       5  20.0 %    40.0 %    40.0 %  10  50.0 %    60.0 %     33.3 %
    model          1       2  50.0 %    50.0 %    50.0 %   6       -   100.0 %     50.0 %

    broke at     asked  reached  broke    share    95 % Wilson  of those there
    all tasks 1      4        3      1   25.0 %    [4.6, 69.9]          25.0 %  #######
    all tasks 2      6        3      2   33.3 %    [9.7, 70.0]          40.0 %  ##############
    all tasks 3      5        2      1   20.0 %    [3.6, 62.4]          33.3 %  #######
    p/a 1 m1         3        3      0    0.0 %    [0.0, 56.1]           0.0 %
    p/a 2 m2         5        3      2   40.0 %   [11.8, 76.9]          40.0 %  ##############
    p/a 3 m3         5        2      1   20.0 %    [3.6, 62.4]          33.3 %  #######
    p/b 1 m1         1        0      1  100.0 %  [20.7, 100.0]         100.0 %  #######
    p/b 2 m2         1        0      0    0.0 %    [0.0, 79.3]               -

    level of  level  agents  trials      SR  CR elem.
    p/a           1       1       3  33.3 %    66.7 %
    p/b           5       1       2   0.0 %     0.0 %
    ");
    let chains = summary.chains.unwrap();
    let whole = &chains.figures[0];
    // 3/3, 1/3, 2/3, 0/2 and a fault, which reached nothing.
    assert!((whole.completion.value.unwrap() - 2.0 / 5.0).abs() < 1e-12, "{whole:?}");
    assert_eq!((whole.answered.hits, whole.precision.hits, whole.precision.n), (3, 1, 3));
    assert_eq!((whole.solved_steps.mean, whole.efficiency.mean), (Some(10.0), Some(0.5)));
}

#[test]
fn runs_without_milestones_say_nothing_of_chains() {
    let summary = summary(&[row("p/a#1~model~0 done 1.0 10")], &[]);
    assert!(summary.chains.is_none() && serde_json::to_value(&summary).unwrap().get("chains").is_none());
}

#[test]
fn unknown_elements_are_left_out_and_verdicts_of_before_broke_at_the_first_missed() {
    let mut rows = vec![chain("p/a#1~model~0 done 0.0 10", "rmm"), chain("p/a#2~model~0 done 0.0 10", "rbm")];
    rows[0].elements = None;
    let chains = summary(&rows, &[]).chains.unwrap();
    assert!(chains.figures[0].elements.is_none() && chains.levels.is_empty());
    assert_eq!(chains.breaks[0].hops.iter().map(|hop| hop.broke.hits).collect::<Vec<_>>(), [0, 2, 0]);
}

#[test]
fn who_knows_the_solution_says_nothing_of_levels() {
    let mut rows = vec![chain("p/a#1~oracle~0 done 1.0 10", "rrr"), chain("p/a#1~model~0 done 0.0 10", "bmm")];
    rows[0].plays = crate::row::PlayedBy::Solution;
    let levels = summary(&rows, &[]).chains.unwrap().levels;
    assert_eq!((levels.len(), levels[0].level, levels[0].n_agents), (1, 5, 1));
}

/// Error rates of the hops of a chain.
const ERRORS: [f64; 4] = [0.1, 0.3, 0.2, 0.4];

/// A player who errs at each hop by its rate, and never recovers. What it throws is fixed by instance, start and hop, so
/// that starts are independent of each other.
fn played(seed: u64, after: usize, rng: &mut Rng) -> TrialRow {
    let broke = (after..ERRORS.len()).find(|hop| rng.chance(ERRORS[*hop]));
    let state = |hop: usize| match broke {
        _ if hop < after => 'g',
        Some(at) if hop == at => 'b',
        Some(at) if hop > at => 'm',
        _ => 'r',
    };
    let states: String = (0..ERRORS.len()).map(state).collect();
    let score = f64::from(u8::from(broke.is_none()));
    let start = if after == 0 { String::new() } else { format!("+{after}") };
    chain(&format!("p/chain#{seed}{start}~model~0 done {score:.1} 9"), &states)
}

fn simulated(seed: u64, n: u64) -> Summary {
    let mut rng = Rng::new(seed);
    let starts = (0..n).flat_map(|seed| (0..ERRORS.len()).map(move |after| (seed, after)));
    let rows: Vec<TrialRow> = starts.map(|(seed, after)| played(seed, after, &mut rng)).collect();
    summary(&rows, &[])
}

/// The chance to go right from a start on.
fn predicted(after: usize) -> f64 {
    ERRORS[after..].iter().map(|error| 1.0 - error).product()
}

/// By arithmetic: SR@k is the product of what goes right from hop k+1 on, a hop's gain is the difference of two, and of the
/// trials that come to a hop as many break there as err.
#[test]
fn the_curve_and_the_breaks_of_players_with_set_error_rates_are_as_predicted() {
    let summary = simulated(17, 600);
    for (k, start) in summary.starts.iter().enumerate() {
        assert!(start.success.wilson.unwrap().covers(predicted(k)), "k = {k}: {start:?}");
        let Some(gain) = start.gain else { continue };
        let (found, expected) = (gain.by_instance.unwrap().interval, predicted(k) - predicted(k - 1));
        assert!(found.covers(expected), "gain of hop {k}: {found:?} and {expected}");
        assert!(!found.covers(0.0) || expected < 0.05, "600 instances show a gain of {expected}: {found:?}");
    }
    assert_eq!(summary.starts.len(), ERRORS.len());
    let chains = summary.chains.unwrap();
    for (hop, error) in chains.breaks[0].hops.iter().zip(ERRORS) {
        assert!(hop.broke_of_came.wilson.unwrap().covers(error), "{hop:?} and {error}");
    }
}

/// Whether the share of each hop of a run from the start covers what goes right up to it times what errs there.
fn covered(seed: u64) -> Vec<bool> {
    let mut rng = Rng::new(seed);
    let rows: Vec<TrialRow> = (0..200).map(|seed| played(seed, 0, &mut rng)).collect();
    let chains = summary(&rows, &[]).chains.unwrap();
    let histogram = &chains.breaks[0];
    let n_broke: usize = histogram.hops.iter().map(|hop| hop.broke.hits).sum();
    assert_eq!(n_broke + histogram.n_unbroken, 200, "every trial breaks once or never");
    let right = |hop: usize| ERRORS[..hop].iter().map(|error| 1.0 - error).product::<f64>();
    // CR by steps is the mean number of hops before the break, over four.
    let reached: f64 = (1..=ERRORS.len()).map(right).sum::<f64>() / ERRORS.len() as f64;
    assert!((chains.figures[0].completion.value.unwrap() - reached).abs() < 0.15, "{:?}", chains.figures[0]);
    let expected = (0..ERRORS.len()).map(|hop| right(hop) * ERRORS[hop]);
    histogram.hops.iter().zip(expected).map(|(hop, share)| hop.broke.wilson.unwrap().covers(share)).collect()
}

/// From the start alone the histogram is as arithmetic predicts, as often as 95 % intervals promise: over 60 runs.
#[test]
fn the_histogram_from_the_start_is_as_predicted() {
    let all: Vec<bool> = (0..60).flat_map(covered).collect();
    let n = all.iter().filter(|covers| **covers).count();
    assert!(all.len() == 240 && (218..=238).contains(&n), "{n} of {}", all.len());
}

/// The intervals of gains cover as often as they promise: 200 runs of 40 instances.
#[test]
fn the_intervals_of_gains_cover() {
    let covers = |seed: &u64| {
        let starts = simulated(*seed, 40).starts;
        let found = starts[2].gain.unwrap().by_instance.unwrap().interval;
        found.covers(predicted(2) - predicted(1))
    };
    let n = (100..300).filter(covers).count();
    assert!((181..=199).contains(&n), "{n} of 200");
}

#[test]
fn what_grows_is_bounded() {
    let long: String = "r".repeat(200) + "b" + &"m".repeat(99);
    let rows: Vec<TrialRow> =
        (0..60).map(|task| chain(&format!("p/task-{task}#1~model~0 done 0.0 3"), &long)).collect();
    let summary = summary(&rows, &[]);
    let text = tables(&summary);
    assert!(text.lines().count() <= 3 * 43, "{} lines", text.lines().count());
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert!(text.contains("and 18260 more; --json has all") && text.contains("and 20 more; --json has all"), "{text}");
}
