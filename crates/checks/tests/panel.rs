//! The panel: checks and milestones of a whole task.

use quintain_checks::{Palette, Panel};
use quintain_core::check::Case;
use quintain_core::evidence::Evidence;
use quintain_core::instance::Stretch;
use quintain_core::judge::{EndedTrial, Judge, Snapshot};
use quintain_core::reference::Reference;
use quintain_core::task::{Task, TaskFiles};
use serde_json::json;

const HEAD: &str = "
[task]
id = 'test/panel'
title = 'A test'
version = 1
[world]
kind = 'test'
app = 'test'
observe = ['text']
act = ['call']
[limits]
steps = 5
";

fn task(rest: &str, files: &[&str]) -> Task {
    let mut folder: TaskFiles = [
        ("task.toml".to_owned(), format!("{HEAD}{rest}").into_bytes()),
        ("instruction.md".to_owned(), b"Do it.".to_vec()),
        ("reference/canary.txt".to_owned(), b"quintain-canary-00".to_vec()),
    ]
    .into();
    folder.extend(files.iter().map(|file| (format!("reference/{file}"), b"x".to_vec())));
    Task::from_files("test", &folder).expect("the example is sound")
}

fn problems(rest: &str, files: &[&str]) -> String {
    Panel::new(&task(rest, files), &Palette::standard()).expect_err("the example is wrong").join("\n")
}

const COUNTER: &str = "
[[checks]]
name = 'count'
kind = 'numeric'
selector = 'documents/counter'
expect = 5
[[checks]]
name = 'note'
kind = 'exact'
selector = 'documents/note'
expect = 'hello'
weight = 0
[[milestones]]
name = 'half way'
checks = [{ name = 'three', kind = 'numeric', selector = 'documents/counter', options = { min = 3 } }]
[[milestones]]
name = 'all the way'
checks = [{ name = 'five', kind = 'exact', selector = 'documents/counter', expect = 5 }]
[[milestones]]
name = 'too far'
checks = [{ name = 'six', kind = 'exact', selector = 'documents/counter', expect = 6 }]
";

fn at(count: i64) -> Evidence {
    Evidence::document("counter", json!(count))
}

#[test]
fn milestones_are_reached_at_the_first_snapshot_that_holds() {
    let panel = Panel::new(&task(COUNTER, &[]), &Palette::standard()).unwrap();
    let snapshots: Vec<Snapshot> = [(1, 2), (2, 4), (4, 2), (6, 4)]
        .map(|(after_steps, count)| Snapshot { after_steps, evidence: at(count) })
        .into();
    let judgement = panel
        .judge(EndedTrial { evidence: &at(5), snapshots: &snapshots, stretch: Stretch::WHOLE }, &Reference::default())
        .unwrap();
    let milestones: Vec<String> =
        judgement.milestones.iter().map(|m| format!("{}: {:?}", m.name, m.after_steps)).collect();
    insta::assert_snapshot!(milestones.join("\n"), @"
    half way: Some(2)
    all the way: Some(6)
    too far: None
    ");
    let findings: Vec<String> = judgement.findings.iter().map(|f| format!("{}: {}", f.check, f.because)).collect();
    insta::assert_snapshot!(findings.join("\n"), @"
    count: documents/counter: it is 5
    note: there is nothing at `documents/note`
    ");
    assert!(judgement.score.is_full());
}

#[test]
fn a_stretch_is_judged_by_the_milestone_that_it_ends_with() {
    let panel = Panel::new(&task(COUNTER, &[]), &Palette::standard()).unwrap();
    let snapshots: Vec<Snapshot> =
        [(1, 2), (2, 4)].map(|(after_steps, count)| Snapshot { after_steps, evidence: at(count) }).into();
    let judged = |stretch: &str, end: i64| {
        let ended = EndedTrial { evidence: &at(end), snapshots: &snapshots, stretch: stretch.parse().unwrap() };
        let judgement = match panel.judge(ended, &Reference::default()) {
            Ok(judgement) => judgement,
            Err(broken) => return format!("{stretch}: {broken}"),
        };
        let milestones: Vec<String> =
            judgement.milestones.iter().map(|m| format!("{} {}", m.name, m.words())).collect();
        let findings: Vec<&str> = judgement.findings.iter().map(|finding| finding.check.as_str()).collect();
        format!("{stretch} at {end}: {}, {findings:?}, {}", judgement.score.value(), milestones.join(", "))
    };
    let lines = [("1", 5), ("1", 4), ("0..2", 4), ("1..2", 4), ("1..2", 2), ("2..3", 6), ("0..4", 6)]
        .map(|(s, n)| judged(s, n));
    insta::assert_snapshot!(lines.join("\n"), @r#"
    1 at 5: 1, ["count", "note"], half way given, all the way after 2 steps, too far never
    1 at 4: 0, ["count", "note"], half way given, all the way never, too far never
    0..2 at 4: 0, ["five"], half way after 2 steps, all the way never
    1..2 at 4: 0, ["five"], half way given, all the way never
    1..2 at 2: 0, ["five"], half way given, all the way never
    2..3 at 6: 1, ["six"], half way given, all the way given, too far after 2 steps
    0..4: check `milestone 4` cannot judge: the task has 3 milestones
    "#);
}

#[test]
fn twists_come_from_the_checks_that_count_and_decide_the_whole() {
    let panel = Panel::new(&task(COUNTER, &[]), &Palette::standard()).unwrap();
    let (evidence, reference) = (at(5), Reference::default());
    let case = Case { evidence: &evidence, reference: &reference };
    let score = |evidence| {
        panel.judge(EndedTrial { evidence, snapshots: &[], stretch: Stretch::WHOLE }, &reference).unwrap().score
    };
    let near = panel.near_misses(case);
    assert!(near.len() > 8 && near.iter().all(|twist| twist.check == "count"));
    assert!(near.iter().all(|twist| !score(&twist.evidence).is_full()));
    let like = panel.variations(case);
    assert!(!like.is_empty() && like.iter().all(|twist| score(&twist.evidence).is_full()));
    assert_eq!(panel.counted().collect::<Vec<_>>(), ["count"]);
}

#[test]
fn every_problem_is_told() {
    let wrong = "
[[checks]]
name = 'a'
kind = 'exakt'
[[checks]]
name = 'b'
kind = 'exact'
weight = 0
[[milestones]]
name = 'm'
checks = [{ name = 'n', kind = 'numerical', weight = 0 }]
";
    insta::assert_snapshot!(problems(wrong, &[]), @"
    check `a`: there is no kind of check called `exakt`; did you mean `exact`?
    check `b`: `expect` is missing
    milestone `m`: no check counts: it would be reached by anything
    ");
    let unpaired = "
[compose]
how = 'pairwise-files'
[[checks]]
name = 'a'
kind = 'file'
options = { file = 'a.csv' }
[[checks]]
name = 'b'
kind = 'exact'
selector = 'answer'
expect = 1
";
    insta::assert_snapshot!(problems(unpaired, &["a.csv", "b.csv"]), @"
    no check belongs to reference/b.csv
    check `b` belongs to no file of the reference: name one in `options.file`
    ");
}
