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

const CHAIN: &str = "
[result]
kind = 'fields'
fields = { firm = 'text', chair = 'text', year = 'number' }
[[checks]]
name = 'all'
kind = 'json-fields'
selector = 'answer'
expect = { firm = '{{ expected.firm }}', chair = '{{ expected.chair }}', year = 2024 }
[compose]
how = 'chain'
[[milestones]]
name = 'firm'
weight = 2
checks = [{ name = 'firm', kind = 'exact', selector = 'answer/firm', expect = '{{ expected.firm }}' }]
[[milestones]]
name = 'chair'
needs = ['firm']
checks = [{ name = 'chair', kind = 'exact', selector = 'answer/chair', expect = '{{ expected.chair }}' }]
[[milestones]]
name = 'year'
checks = [{ name = 'year', kind = 'exact', selector = 'answer/year', expect = 2024 }]
";

/// What becomes of an agent that notes these things one after the other.
fn chained(toml: &str, stretch: &str, sheets: &[serde_json::Value]) -> String {
    let panel = Panel::new(&task(toml, &[]), &Palette::standard()).expect("the example is sound");
    let noted = |sheet: &serde_json::Value| Evidence { answer: Some(sheet.clone()), ..Evidence::default() };
    let snapshots: Vec<Snapshot> =
        (1..).zip(sheets).map(|(after_steps, sheet)| Snapshot { after_steps, evidence: noted(sheet) }).collect();
    let evidence = sheets.last().map_or_else(Evidence::default, noted);
    let start = json!({"expected": {"firm": "Ano", "chair": "Bel"}});
    let reference = Reference { start, ..Reference::default() };
    let stretch = stretch.parse().expect("a stretch");
    let judgement = panel
        .judge(EndedTrial { evidence: &evidence, snapshots: &snapshots, stretch }, &reference)
        .expect("the judge is sound");
    let line = |m: &quintain_core::verdict::MilestoneReached| {
        format!("{} {}{}", m.name, m.words(), if m.broke { " (broke)" } else { "" })
    };
    let milestones: Vec<String> = judgement.milestones.iter().map(line).collect();
    format!("{:.3}: {}", judgement.score.value(), milestones.join(", "))
}

#[test]
fn what_is_noted_counts_as_it_is_at_the_end_and_since_when_it_has_been_so() {
    let right = json!({"firm": "Ano", "chair": "Bel", "year": 2024});
    let rows = [
        ("all right", vec![json!({"firm": "Ano"}), json!({"firm": "Ano", "chair": "Bel"}), right.clone()]),
        ("right, then wrong", vec![right.clone(), json!({"firm": "Bel", "chair": "Bel", "year": 2024})]),
        ("wrong, then right", vec![json!({"firm": "Bel"}), right.clone(), right]),
        ("lucky", vec![json!({"firm": "Bel", "chair": "Bel"})]),
        ("nothing", vec![]),
    ];
    let lines: Vec<String> =
        rows.iter().map(|(how, sheets)| format!("{how:<18} {}", chained(CHAIN, "0", sheets))).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    all right          1.000: firm after 1 steps, chair after 2 steps, year after 3 steps
    right, then wrong  0.200: firm never (broke), chair after 1 steps, year after 1 steps
    wrong, then right  1.000: firm after 2 steps, chair after 2 steps, year after 2 steps
    lucky              0.000: firm never (broke), chair after 1 steps, year never
    nothing            0.000: firm never (broke), chair never, year never
    ");
}

#[test]
fn what_is_given_is_left_out_of_a_chains_score() {
    let sheet = [json!({"firm": "Ano", "chair": "Bel"})];
    insta::assert_snapshot!(["1", "2", "1..2", "2..3"].map(|stretch| format!("{stretch} {}", chained(CHAIN, stretch, &sheet))).join("\n"), @"
    1 0.333: firm given, chair after 1 steps, year never (broke)
    2 0.000: firm given, chair given, year never (broke)
    1..2 1.000: firm given, chair after 1 steps
    2..3 0.000: firm given, chair given, year never (broke)
    ");
}

#[test]
fn a_gate_that_is_missed_takes_everything() {
    let gated = CHAIN.replace("needs = ['firm']", "gate = true");
    let sheet = [json!({"firm": "Ano", "chair": "Zed", "year": 2024})];
    insta::assert_snapshot!(chained(&gated, "0", &sheet), @"
    0.000: firm after 1 steps, chair never (broke), year after 1 steps
    ");
    insta::assert_snapshot!(chained(CHAIN, "0", &sheet), @"
    0.600: firm after 1 steps, chair never (broke), year after 1 steps
    ");
}

#[test]
fn checks_of_milestones_know_near_misses_and_variations_of_their_own() {
    let panel = Panel::new(&task(CHAIN, &[]), &Palette::standard()).unwrap();
    let answer = Some(json!({"firm": "Ano", "chair": "Bel", "year": 2024}));
    let evidence = Evidence { answer, ..Evidence::default() };
    let start = json!({"expected": {"firm": "Ano", "chair": "Bel"}});
    let reference = Reference { start, ..Reference::default() };
    let case = Case { evidence: &evidence, reference: &reference };
    let holds = |name: &str, evidence: &Evidence| panel.milestone_holds(name, Case { evidence, ..case }).unwrap();
    let near = panel.milestone_near_misses(case);
    for name in ["firm", "chair", "year"] {
        assert!(holds(name, &evidence));
        assert!(near.iter().any(|near| near.milestone == name));
    }
    assert!(near.iter().all(|near| !holds(&near.milestone, &near.twist.evidence)));
    let like = panel.milestone_variations(case);
    assert!(!like.is_empty() && like.iter().all(|like| holds(&like.milestone, &like.twist.evidence)));
}
