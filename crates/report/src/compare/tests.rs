use insta::assert_snapshot;
use quintain_core::digest::Digest;

use super::*;
use crate::row::TrialRow;
use crate::row::tests::row;

fn rows(lines: &str) -> Vec<TrialRow> {
    lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(row).collect()
}

fn check(a: &str, b: &str) -> String {
    compare(&rows(a), &rows(b)).text("monday", "friday")
}

#[test]
fn a_comparison_reads_as_text() {
    let a = "p/maze#1~old~0 done 1.0 5
        p/maze#2~old~0 done 0.5 5
        p/jigsaw#1~old~0 done 0.0 5
        p/jigsaw#2~old~0 steps 0.0 5
        p/jigsaw#3~old~0 provider 0.0 1
        p/block#1~old~0 done 1.0 5";
    let b = "p/maze#1~new~0 done 1.0 5
        p/maze#2~new~0 done 1.0 5
        p/jigsaw#1~new~0 done 1.0 5
        p/jigsaw#2~new~0 done 0.5 5
        p/jigsaw#3~new~0 done 1.0 1
        p/lock#1~new~0 done 1.0 5";
    assert_snapshot!(check(a, b), @r"
    A          monday: old (our code)
    B          friday: new (our code)
    pairs      5 over 2 tasks
    success    20.0 % -> 80.0 %  +60.0 %
               95 % by task [-48.0, 100.0] (t over 2 tasks)
               95 % by instance [-8.0, 100.0], for these tasks alone
               1 of A and 0 of B ended in a fault and count as not solved
               25.0 % -> 75.0 %  +50.0 % over the 4 pairs without a fault
    score      30.0 % -> 90.0 %  +60.0 %
               95 % by task [-100.0, 100.0] (t over 2 tasks)
    McNemar    only A 0, only B 3, both 1, neither 1; exact p 0.250, mid-p 0.125
    detectable nothing
    so         no difference is shown, and with so few pairs none could have been

    task      pairs       A        B    B - A    score
    p/jigsaw      3   0.0 %   66.7 %  +66.7 %  +83.3 %
    p/maze        2  50.0 %  100.0 %  +50.0 %  +25.0 %

    flipped         A        B
    p/jigsaw#1  0.0 %  100.0 %
    p/jigsaw#3  0.0 %  100.0 %
    p/maze#2    0.0 %  100.0 %

    warning: 1 instance left out: only A played it
    warning: 1 instance left out: only B played it
    warning: only 2 tasks: the interval over tasks is rough
    ");
}

#[test]
fn a_run_does_not_differ_from_itself() {
    let lines: Vec<String> = (0..40)
        .map(|i| format!("p/task-{}#{i}~a~0 done {} 5", i % 8, if i % 3 == 0 { "1.0" } else { "0.25" }))
        .collect();
    let run = rows(&lines.join("\n"));
    let same = compare(&run, &run);
    assert_eq!((same.n_pairs, same.n_tasks, same.success.value, same.flips.len()), (40, 8, Some(0.0), 0));
    assert!(same.finding().lean().is_none() && same.mcnemar.exact_p > 0.999);
    // No flips at all among 40 pairs still leaves room for a difference.
    assert!(same.detectable.unwrap() > 0.1 && same.success.by_task.unwrap().interval.high > 0.05);
}

#[test]
fn changed_instances_are_left_out_and_counted() {
    let a =
        rows("p/maze#1~a~0 done 1.0 5\np/maze#2~a~0 done 1.0 5\np/jigsaw#1~a~0 done 1.0 5\np/block#1~a~0 done 1.0 1");
    let mut b = a.clone();
    b[0].verdict.digests.instance = Digest::of(b"another start");
    b[1].verdict.digests.world = Digest::of(b"another world");
    b[2].verdict.digests.task = Digest::of(b"another folder");
    let compared = compare(&a, &b);
    assert_eq!((compared.n_pairs, compared.left_out.changed), (1, 3));
    assert!(compared.warnings[0].starts_with("3 instances left out"), "{:?}", compared.warnings);
}

#[test]
fn repeats_pair_with_their_own_and_by_mean_where_they_differ() {
    let a = rows("p/maze#1~a~0 done 1.0 5\np/maze#1~a~1 done 0.0 5\np/maze#2~a~0 done 1.0 5\np/maze#2~a~1 done 0.0 5");
    let b = rows("p/maze#1~b~1 done 1.0 5\np/maze#1~b~0 done 0.0 5\np/maze#2~b~0 done 1.0 5");
    let compared = compare(&a, &b);
    assert_eq!((compared.n_pairs, compared.left_out.by_mean), (3, 1));
    assert_eq!((compared.mcnemar.only_a, compared.mcnemar.only_b), (1, 1));
    let flips: Vec<_> = compared.flips.iter().map(|flip| (flip.instance.to_string(), flip.a, flip.b)).collect();
    assert_eq!(flips, [("p/maze#1".to_owned(), 0.5, 0.5), ("p/maze#2".to_owned(), 0.5, 1.0)]);
}

#[test]
fn several_agents_are_compared_by_name() {
    let a = rows("p/maze#1~x~0 done 1.0 5\np/maze#1~y~0 done 0.0 5");
    let b = rows("p/maze#1~x~0 done 0.0 5\np/maze#1~z~0 done 1.0 5");
    let compared = compare(&a, &b);
    assert_eq!((compared.n_pairs, compared.left_out.only_a, compared.left_out.only_b), (1, 1, 1));
    assert_eq!(compared.flips[0].agent.as_deref(), Some("x"));
}

#[test]
fn nothing_in_common_is_said() {
    let empty = compare(&rows("p/maze#1~x~0 done 1.0 5"), &rows("p/maze#2~x~0 done 1.0 5"));
    assert_eq!(empty.success.value, None);
    assert!(empty.warnings.iter().any(|warning| warning.starts_with("nothing to compare")));
    assert!(!serde_json::to_string(&empty).unwrap().contains("NaN"));
}

#[test]
fn a_clear_difference_is_shown() {
    let lines = |agent: &str, solved: &dyn Fn(i32) -> bool| {
        let line = |i: i32| format!("p/t-{}#{i}~{agent}~0 done {} 5", i % 30, if solved(i) { "1.0" } else { "0.0" });
        (0..120).map(line).collect::<Vec<_>>().join("\n")
    };
    let compared = compare(&rows(&lines("a", &|i| i % 4 == 0)), &rows(&lines("b", &|i| i % 4 < 3)));
    assert!(compared.finding().lean().is_some() && compared.mcnemar.exact_p < 1e-6);
    assert_eq!(compared.conclusion(), "B solves more: interval over tasks leaves out zero, exact p is < 0.001");
}

/// The instances of eight tasks, of which each agent solves those that it is told to.
fn played(run: &str, agent: &str, solved: &dyn Fn(usize) -> bool) -> AgentSide {
    let line = |i: usize| format!("p/t-{}#{i}~{agent}~0 done {} 5", i % 8, if solved(i) { "1.0" } else { "0.0" });
    AgentSide { run: run.to_owned(), rows: rows(&(0..24).map(line).collect::<Vec<_>>().join("\n")) }
}

#[test]
fn agents_are_compared_each_with_each_and_p_is_corrected() {
    let sides = [
        played("night", "oracle", &|_| true),
        played("night", "random", &|i| i % 6 == 0),
        played("day", "model", &|i| i % 6 < 5),
    ];
    assert_snapshot!(compare_sides(&sides).text(), @"
    1   night: oracle (our code)
    2   night: random (our code)
    3   day: model (our code)

    each against each, on the instances that both played; Holm's p is corrected for 3 tests

    A, B  pairs        A       B    B - A            95 %  exact p  Holm's p
    1, 2     24  100.0 %  16.7 %  -83.3 %  [-95.8, -66.7]  < 0.001   < 0.001
    1, 3     24  100.0 %  83.3 %  -16.7 %   [-33.3, -4.2]    0.125     0.125
    2, 3     24   16.7 %  83.3 %  +66.7 %    [45.8, 87.5]  < 0.001   < 0.001
      1, 2: 1 solves more on these tasks: interval over instances leaves out zero, Holm's p is < 0.001
      1, 3: not told apart: interval over instances leaves out zero, but Holm's p is 0.125
      2, 3: 3 solves more on these tasks: interval over instances leaves out zero, Holm's p is < 0.001

    warning: 1, 2: only 8 tasks: the interval over tasks is rough
    warning: 1, 3: only 8 tasks: the interval over tasks is rough
    warning: 2, 3: only 8 tasks: the interval over tasks is rough
    ");
}

#[test]
fn more_than_five_sides_are_compared_with_the_first_and_those_without_a_pair_are_not_tested() {
    let mut sides: Vec<AgentSide> = (0..6).map(|n| played("night", &format!("a{n}"), &|i| i % 6 < n)).collect();
    sides[5].rows = rows("q/other#1~a5~0 done 1.0 5");
    let compared = compare_sides(&sides);
    let pairs: Vec<(usize, usize)> = compared.pairs.iter().map(|pair| (pair.a, pair.b)).collect();
    assert_eq!((compared.scheme, compared.n_tests), (PairScheme::AgainstFirst, 4));
    assert_eq!(pairs, [(1, 2), (1, 3), (1, 4), (1, 5), (1, 6)]);
    assert_eq!((compared.pairs[4].holm_p, compared.pairs[4].conclusion.as_str()), (None, "nothing could be compared"));
}

#[test]
fn on_one_task_the_interval_over_instances_decides() {
    let lines = |agent: &str, score: &str| {
        (0..12).map(|i| format!("p/maze#{i}~{agent}~0 done {score} 5")).collect::<Vec<_>>().join("\n")
    };
    let compared = compare(&rows(&lines("idle", "0.0")), &rows(&lines("oracle", "1.0")));
    assert_snapshot!(compared.conclusion(), @"B solves more on these tasks: interval over instances leaves out zero, exact p is < 0.001");
}
