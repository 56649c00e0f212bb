use insta::assert_snapshot;
use quintain_core::ending::{Boundary, Ending, Exhausted};

use super::*;
use crate::row::tests::row;
use crate::row::{TaskSubject, TrialRow, UnplayedTrial};

/// Two tasks, two repeats, a fault that was retried, one that was not, and a model whose price is sometimes unknown.
fn rows() -> Vec<TrialRow> {
    let mut rows = vec![
        row("puzzles/maze@easy#1~model~0 done 1.0 10"),
        row("puzzles/maze@easy#1~model~1 done 1.0 5"),
        row("puzzles/maze@hard#1~model~0 done 0.5 8"),
        row("puzzles/maze@hard#1~model~1 steps 0.0 40"),
        row("puzzles/jigsaw@easy#1~model~0 done 1.0 6"),
        row("puzzles/jigsaw@easy#1~model~1 done 0.0 2"),
        row("puzzles/jigsaw@hard#1~model~0 provider 0.0 3"),
        row("puzzles/jigsaw@hard#1~model~1 done 0.25 12"),
    ];
    rows[1].faulted_attempts = vec![Ending::Fault(Boundary::Provider), Ending::Fault(Boundary::World)];
    rows[1].attempts = 3;
    for (i, row) in rows.iter_mut().enumerate() {
        row.had_model = true;
        row.cost_known = i != 2;
        row.optimal_steps = Some(5);
        row.spent.cost_usd = 0.1;
        row.spent.tokens = 1000;
    }
    rows[5].labels = vec![crate::Label { kind: LabelKind::EarlyStop, from: 1, to: 1 }];
    rows
}

#[test]
fn a_summary_reads_as_text() {
    assert_snapshot!(summary(&rows(), &[]).text(), @"
    trials     8 over 2 tasks, 1 fault
    success    37.5 %  3 of 8
               95 % Wilson [13.7, 69.4]
               95 % by task [0.0, 100.0] (t over 2 tasks)
               42.9 %  3 of 7 without 1 fault, Wilson [15.8, 75.0]
    score      46.9 %  [0.0, 100.0] (t over 2 tasks)
    completion 46.9 %  [0.0, 100.0] (t over 2 tasks)
    efficiency 77.8 % of the shortest known way, over 3 solved trials
    steps      mean 11.9, median 8
    tokens     mean 1000, median 1000
    cost       at least $0.8000 in all, mean $0.1000, median $0.1000; not all known for 1 trial
    time       mean 1.2 s, median 800 ms
    isolation  our code: nothing of the agent's ran here

    task            trials  faults  success   95 % Wilson   score  effic.  steps    time
    puzzles/jigsaw       4       1   25.0 %   [4.6, 69.9]  31.2 %  83.3 %      6  600 ms
    puzzles/maze         4       0   50.0 %  [15.0, 85.0]  62.5 %  75.0 %      9  900 ms

    difficulty  trials  faults  success   95 % Wilson   score  effic.  steps    time
    easy             4       0   75.0 %  [30.1, 95.4]  75.0 %  77.8 %   5.50  550 ms
    hard             4       1    0.0 %   [0.0, 49.0]  18.8 %       -     12   1.2 s

    ending          trials  solved
    done                 6       3
    out of steps         1       0
    provider fault       1       0

    cost of  mean tokens  cached        known cost  lost to faults  unknown calls
    model           1000       -  at least $0.8000           $0.00              0

    faults          attempts retried  trials lost
    provider fault                 1            1
    world fault                    1            0

    label       trials  unsolved
    early stop       1         1

    repeats  instances  pass@k  pass^k
    k = 1            4  37.5 %  37.5 %
    k = 2            4  50.0 %  25.0 %
    ");
}

fn unplayed(trial: &str) -> UnplayedTrial {
    UnplayedTrial {
        trial: trial.parse().unwrap(),
        isolation: None,
        identity: None,
        difficulty: None,
        capabilities: Vec::new(),
        subject: None,
    }
}

#[test]
fn what_broke_or_was_not_played_counts_as_not_solved() {
    let total = summary(&rows(), &[]).total;
    assert_eq!((total.n, total.n_faulted), (8, 1));
    assert_eq!((total.success.hits, total.success.n), (3, 8));
    assert_eq!((total.judged.hits, total.judged.n), (3, 7));
    // Solved in 10, 5 and 6 steps where 5 are enough: (0.5 + 1 + 5/6) / 3.
    assert!((total.efficiency.mean.unwrap() - 7.0 / 9.0).abs() < 1e-12);
    let left = [unplayed("puzzles/maze@easy#2~model~0"), unplayed("puzzles/zoom@easy#2~model~0")];
    let summary = summary(&rows(), &left);
    let total = &summary.total;
    assert_eq!((total.n, total.n_unplayed, total.n_tasks, total.success.n, total.score.n), (10, 2, 3, 10, 10));
    assert_eq!((total.success.value, total.judged.n), (Some(0.3), 7));
    assert_eq!(summary.by_task.iter().map(|task| task.n).collect::<Vec<_>>(), [4, 5, 1]);
    let line = summary.text().lines().nth(4).unwrap().trim().to_owned();
    assert_snapshot!(line, @"42.9 %  3 of 7 without 1 fault and 2 not played, Wilson [15.8, 75.0]");
}

#[test]
fn unknown_cost_is_not_zero() {
    let cost = summary(&rows(), &[]).total.cost;
    assert_eq!((cost.known.n, cost.n_unknown, cost.n_without_model), (6, 1, 0));
    assert!((cost.known.mean.unwrap() - 0.1).abs() < 1e-12);
    assert!((cost.total_usd.unwrap() - 0.8).abs() < 1e-12, "what is known of the unknown one counts");
    let free = summary(&[row("p/t~oracle~0 done 1.0 3")], &[]).total;
    assert_eq!((free.cost.known.mean, free.cost.n_without_model, free.tokens.n), (None, 1, 0));
}

/// By hand: maze@easy 2 of 2, maze@hard 0 of 2, jigsaw@easy 1 of 2, jigsaw@hard 0 of 2, one of them a fault.
#[test]
fn repeats_are_counted_with_faults() {
    let repeats = summary(&rows(), &[]).repeats;
    let shown: Vec<_> = repeats.iter().map(|r| (r.k, r.n, r.any, r.all)).collect();
    assert_eq!(shown, [(1, 4, 0.375, 0.375), (2, 4, 0.5, 0.25)]);
}

#[test]
fn the_order_of_rows_does_not_matter() {
    let mut backwards = rows();
    backwards.reverse();
    assert_eq!(summary(&backwards, &[]), summary(&rows(), &[]));
}

#[test]
fn nothing_is_a_summary_too() {
    let empty = summary(&[], &[]);
    assert_eq!(empty.total.success.value, None);
    assert_snapshot!(empty.text(), @r"
    trials     0 over 0 tasks, 0 faults
    success    -  0 of 0
               95 % Wilson -
               95 % by task needs at least two tasks
    score      -  needs at least two tasks
    completion -  needs at least two tasks
    steps      mean -, median -
    cost       no model was asked
    time       mean -, median -

    task  trials  faults  success  95 % Wilson  score  effic.  steps  time

    ending  trials  solved
    ");
    assert!(!serde_json::to_string(&empty).unwrap().contains("NaN"));
}

/// Three instances from three starts each, and one task that was played whole alone.
#[test]
fn success_is_told_by_what_was_given() {
    let mut rows: Vec<TrialRow> = vec![row("p/other#1~model~0 done 0.0 3"), row("p/t#9~idle~0 done 0.0 3")];
    for (seed, scores) in [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [0.0, 1.0, 1.0]].iter().enumerate() {
        for (start, score) in ["", "+1", "+2"].iter().zip(scores) {
            rows.push(row(&format!("p/t#{seed}{start}~model~0 done {score:.1} 3")));
        }
    }
    rows.push(row("p/t#0+0..1~model~0 done 1.0 3"));
    let summary = summary(&rows, &[]);
    let text = summary.text();
    let table: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("SR@k of")).collect();
    assert_snapshot!(table.join("\n"), @"
    SR@k of  start  trials  success    95 % Wilson                gain             95 %
    model    k = 0       3    0.0 %    [0.0, 56.1]                   -                -
    model     0..1       1  100.0 %  [20.7, 100.0]                   -                -
    model    k = 1       3   66.7 %   [20.8, 93.9]  +66.7 % over k = 0   [-76.8, 100.0]
    model    k = 2       3  100.0 %  [43.9, 100.0]  +33.3 % over k = 1  [-100.0, 100.0]
    ");
    assert!(summary.repeats.is_empty(), "another start is another instance");
    let bare = serde_json::to_value(super::summary(&rows[..2], &[])).unwrap();
    assert!(bare.get("starts").is_none());
}

#[test]
fn the_table_of_starts_is_bounded() {
    let rows: Vec<TrialRow> = (0..100).map(|k| row(&format!("p/t#1+{}~model~0 done 1.0 3", k + 1))).collect();
    let text = summary(&rows, &[]).text();
    assert_eq!(text.lines().skip_while(|line| !line.starts_with("SR@k of")).count(), 42, "{text}");
    assert!(text.ends_with("and 60 more starts\n"), "{text}");
}

#[test]
fn a_trial_counts_under_each_of_its_capabilities() {
    let mut one = row("p/t~a~0 done 1.0 3");
    one.capabilities = vec!["vision".to_owned(), "planning".to_owned(), "vision".to_owned()];
    let names: Vec<(String, usize)> =
        summary(&[one], &[]).by_capability.into_iter().map(|group| (group.name, group.n)).collect();
    assert_eq!(names, [("planning".to_owned(), 1), ("vision".to_owned(), 1)]);
}

/// Two tasks of one subfield count as much as the one of another; a trial that was not played scores nothing.
#[test]
fn fields_of_work_are_means_of_means() {
    let of = |line: &str, field: &str, tier: u8| {
        let mut one = row(line);
        one.subject = Some(TaskSubject { field: field.to_owned(), tier: Some(tier) });
        one
    };
    let rows = [
        of("e/mail~a~0 done 1.0 3", "7.1 Litigation Support & Discovery", 1),
        of("e/mail~a~1 done 0.5 3", "7.1 Litigation Support & Discovery", 1),
        of("e/more~a~0 done 0.0 3", "7.1 Litigation Support & Discovery", 2),
        of("e/law~a~0 done 1.0 3", "7.2 Doctrinal Legal Research", 2),
        of("e/books~a~0 done 0.4 3", "6.1 Accounting & Finance", 2),
        row("p/maze~a~0 done 1.0 3"),
    ];
    let mut left = unplayed("e/books~a~1");
    left.subject.clone_from(&rows[4].subject);
    insta::assert_snapshot!(summary(&rows, &[left]).subjects[0].text());
}

#[test]
fn endings_say_who_ended_the_trial() {
    let mut cheat = row("p/t~a~1 done 1.0 3");
    cheat.verdict.ending = Ending::Cheated("read the reference".to_owned());
    cheat.verdict.solved = false;
    let mut late = row("p/t~a~2 done 0.0 3");
    late.verdict.ending = Ending::Truncated(Exhausted::Time);
    let endings = summary(&[row("p/t~a~0 done 1.0 3"), cheat, late], &[]).endings;
    let shown: Vec<String> = endings.iter().map(|e| format!("{} {:?} {}/{}", e.ending, e.by, e.solved, e.n)).collect();
    assert_eq!(shown, ["done Agent 1/1", "out of time Limit 0/1", "cheated Cheating 0/1"]);
}
