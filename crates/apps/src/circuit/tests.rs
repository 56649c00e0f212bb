//! All tasks of the app: that their solutions are drawn and judged right, and that every seed gives a sound twin.

mod letter;

use std::collections::{BTreeMap, BTreeSet};

use quintain_browser::PreparedApp;
use quintain_checks::{Palette, Panel};
use quintain_core::check::Case;
use quintain_core::judge::{EndedTrial, Judge};
use quintain_core::task::Difficulty;
use quintain_core::{Evidence, Reference, Stretch, Task, VerifierCase, VerifierRunner};
use serde_json::{Value, json};

use super::CircuitDesigner;
use super::app::{CircuitPlan, settled};
use crate::circuit::CircuitVerifier;
use crate::circuit::checks::{CircuitLogic, CircuitReading};
use crate::circuit::model::quantity::{self, ValueUnit};
use crate::circuit::model::{Circuit, MeasuredCircuit};
use crate::tests;

/// The tasks of the app.
pub(super) fn tasks() -> Vec<Task> {
    tests::tasks("circuit-")
}

/// An instance of a task: what the app made of it, and what the judge is told.
fn prepared(task: &Task, seed: Option<u64>) -> (PreparedApp, Reference) {
    let (prepared, parameters, instruction) = tests::prepared(&CircuitDesigner, task, seed);
    assert!(!instruction.contains("{{") && instruction.len() > 500, "{}", task.id);
    let reference = Reference { start: json!({"expected": prepared.expected}), parameters, ..Reference::default() };
    (prepared, reference)
}

fn panel(task: &Task) -> Panel {
    let palette = Palette::standard().with(std::sync::Arc::new(CircuitLogic)).with(std::sync::Arc::new(CircuitReading));
    Panel::new(task, &palette).unwrap_or_else(|problems| panic!("{}: {problems:?}", task.id))
}

/// The end state of an oracle: the circuit as it is planned, and the values that it gives as the answer.
fn solved(task: &Task, prepared: &PreparedApp, reference: &Reference) -> Evidence {
    let plan: CircuitPlan = serde_json::from_value(prepared.plan.clone()).expect("a plan");
    let mut evidence = Evidence::document("circuit-designer", json!(plan.circuit));
    if task.spec.derive.is_empty() {
        return evidence;
    }
    derive(task, &mut evidence, reference);
    let measured: MeasuredCircuit =
        serde_json::from_value(evidence.derived["simulation"]["expected"].clone()).expect("measures");
    assert_eq!(measured.problem, None, "{}", task.id);
    let answer = plan.readings.iter().map(|reading| {
        let part = plan.circuit.labelled(&reading.part).next().expect("the part is there");
        let value = measured.quantity(&part.id, reading.pin.as_deref().unwrap_or_default(), reading.quantity);
        let value = value.unwrap_or_else(|| panic!("{}: `{}` has no value", task.id, reading.field));
        let unit = ValueUnit::of(reading.quantity);
        let shown = if unit == ValueUnit::Share { value * 100.0 } else { value };
        (reading.field.clone(), Value::from(format!("{shown:.6} {}", unit.symbol())))
    });
    evidence.answer = Some(Value::Object(answer.collect()));
    evidence
}

fn derive(task: &Task, evidence: &mut Evidence, reference: &Reference) {
    for spec in &task.spec.derive {
        let derived = CircuitVerifier::new(spec).derive(VerifierCase::of(evidence, reference));
        evidence.derived.extend(derived.expect("ngspice is there"));
    }
}

fn judged(task: &Task, evidence: &Evidence, reference: &Reference) -> (bool, String) {
    let judgement = panel(task)
        .judge(EndedTrial { evidence, snapshots: &[], stretch: Stretch::WHOLE }, reference)
        .expect("a sound judge");
    let because: Vec<String> = judgement.findings.into_iter().map(|finding| finding.because).collect();
    (judgement.score.is_full(), because.join("; "))
}

#[test]
fn there_are_twenty_two_easy_nine_medium_nine_hard() {
    let tasks = tasks();
    let count = |difficulty| tasks.iter().filter(|task| task.spec.task.difficulty == Some(difficulty)).count();
    assert_eq!([Difficulty::Easy, Difficulty::Medium, Difficulty::Hard].map(count), [2, 9, 9]);
    let canaries: BTreeSet<String> = tasks.iter().map(Task::canary).collect();
    assert_eq!(canaries.len(), 20);
    assert!(tasks.iter().all(|task| task.spec.metadata.contains_key("difficulty_reason")));
}

#[test]
fn every_solution_is_small_and_judged_right() {
    for task in tasks() {
        for seed in [None].into_iter().chain((0..21).map(Some)) {
            let (prepared, reference) = prepared(&task, seed);
            let plan: CircuitPlan = serde_json::from_value(prepared.plan.clone()).expect("a plan");
            assert!(fits(&plan.circuit), "{} with seed {seed:?} is too large", task.id);
            if task.spec.derive.is_empty() {
                let (holds, because) = judged(&task, &solved(&task, &prepared, &reference), &reference);
                assert!(holds, "{} with seed {seed:?}: {because}", task.id);
            }
        }
    }
}

fn fits(circuit: &Circuit) -> bool {
    let ends = circuit.parts.iter().flat_map(|part| part.pins().iter().map(|pin| part.place(pin.at)));
    ends.into_iter().all(|[x, y]| (1..=70).contains(&x) && (1..=36).contains(&y))
}

#[test]
fn the_canonical_solution_solves_no_twin() {
    for task in tasks() {
        let (canonical, reference) = prepared(&task, None);
        let evidence = solved(&task, &canonical, &reference);
        for seed in 0..21 {
            let (_, twin) = prepared(&task, Some(seed));
            let (holds, because) = judged(&task, &evidence, &twin);
            assert!(!holds, "{} with seed {seed}: {because}", task.id);
        }
    }
}

/// Near misses are judged with the measures of the right circuit: the checks have to see the difference by themselves.
#[test]
fn the_oracle_reads_when_the_verifier_measures() {
    let mut task = tasks().into_iter().find(|task| !task.spec.derive.is_empty()).expect("some are simulated");
    let parameters = BTreeMap::from([("late".to_owned(), json!(3.5))]);
    let mut at = |written: Value| {
        task.spec.derive[0].options.insert("settle".to_owned(), written);
        settled(&task, &parameters).map_or_else(|why| why, |seconds| seconds.to_string())
    };
    assert_eq!(at(json!(0.5)), "0.5");
    assert_eq!(at(json!("{{ late }}")), "3.5");
    assert_eq!(at(json!("{{ early }}")), r#"`simulation` has no time to settle at: "{{ early }}""#);
}

#[test]
fn near_misses_fail_and_variations_pass() {
    let n_twins = if std::env::var_os(quintain_core::variables::FULL).is_some() { 21 } else { 6 };
    for task in tasks() {
        twist(&task, None);
        // Twins differ in what is prescribed; where nothing has to be simulated they cost little.
        for seed in (0..n_twins).filter(|_| task.spec.derive.is_empty()) {
            twist(&task, Some(seed));
        }
    }
}

fn twist(task: &Task, seed: Option<u64>) {
    let (prepared, reference) = prepared(task, seed);
    let evidence = solved(task, &prepared, &reference);
    let case = Case { evidence: &evidence, reference: &reference };
    let (near, like) = (panel(task).near_misses(case), panel(task).variations(case));
    assert!(near.len() >= 10 && like.len() >= 5, "{}: {} and {}", task.id, near.len(), like.len());
    for twist in near {
        let (holds, because) = judged(task, &twist.evidence, &reference);
        assert!(!holds, "{} with seed {seed:?}, {}: {because}", task.id, twist.how);
    }
    if seed.is_none() && task.spec.derive.is_empty() {
        stay_what_they_are(task, case);
    }
    // Simulating is dear: the circuits that settle soonest stand for all.
    let is_dear = task.spec.derive.iter().any(|spec| spec.options["settle"].as_f64() > Some(0.02));
    for mut twist in like.into_iter().filter(|_| !is_dear) {
        derive(task, &mut twist.evidence, &reference);
        let (holds, because) = judged(task, &twist.evidence, &reference);
        assert!(holds, "{} with seed {seed:?}, {}: {because}", task.id, twist.how);
    }
}

/// What is wrong stays wrong in disguise, and what is right stays right.
fn stay_what_they_are(task: &Task, case: Case<'_>) {
    let (near, like) = (panel(task).all_near_misses(case), panel(task).variations(case));
    let wrong = near.iter().step_by(25).map(|twist| (twist, false));
    for (twist, is_right) in wrong.chain(like.iter().step_by(4).map(|twist| (twist, true))) {
        for disguise in panel(task).disguises(Case { evidence: &twist.evidence, ..case }) {
            let (holds, because) = judged(task, &disguise.evidence, case.reference);
            assert_eq!(holds, is_right, "{}, {}, then {}: {because}", task.id, twist.how, disguise.how);
        }
    }
}

/// The values of an instance's readings, by field.
fn values(task: &Task, seed: Option<u64>) -> BTreeMap<String, f64> {
    let (prepared, reference) = prepared(task, seed);
    let evidence = solved(task, &prepared, &reference);
    let plan: CircuitPlan = serde_json::from_value(prepared.plan).expect("a plan");
    let answer = evidence.answer.expect("readings have an answer");
    let value = |field: &str, unit| quantity::read(answer[field].as_str().expect("a text"), unit).expect("a value");
    plan.readings.iter().map(|one| (one.field.clone(), value(&one.field, ValueUnit::of(one.quantity)))).collect()
}

#[test]
fn simulated_values_are_those_of_the_paper() {
    let mut told = Vec::new();
    for task in tasks().iter().filter(|task| !task.spec.derive.is_empty()) {
        let values = values(task, None);
        let paper = task.spec.metadata["paper_values"].as_object().expect("the paper's values");
        assert_eq!(values.len(), paper.len());
        for (field, published) in paper {
            let text = published.as_str().expect("a text");
            let unit = if text.ends_with("Hz") {
                ValueUnit::Hertz
            } else if text.ends_with('%') {
                ValueUnit::Share
            } else {
                ValueUnit::Volt
            };
            let published = quantity::read(text, unit).expect("a value");
            let off = (values[field] / published - 1.0) * 100.0;
            told.push(format!("{} {field}: {:.5} for {text}, {off:+.2} %", task.id.name(), values[field]));
            assert!(off.abs() < 5.0, "{}", told.join("\n"));
        }
    }
    assert_eq!(told.len(), 10, "{}", told.join("\n"));
}

#[test]
fn values_of_twins_can_be_read_and_are_not_cut_off() {
    for task in tasks().iter().filter(|task| !task.spec.derive.is_empty()) {
        let (canonical, _) = prepared(task, None);
        for seed in 0..6 {
            let (twin, _) = prepared(task, Some(seed));
            assert_ne!(twin.expected, canonical.expected, "{} with seed {seed}", task.id);
            let twin = values(task, Some(seed));
            assert!(twin.values().all(|value| value.abs() > 1e-3), "{} with seed {seed}: {twin:?}", task.id);
            let swing = twin.get("peak_to_peak").copied().unwrap_or_default();
            assert!(swing < 8.0, "{} with seed {seed}: {twin:?} is cut off by the supplies", task.id);
        }
    }
}

#[test]
fn nearly_every_seed_gives_a_twin_of_its_own() {
    for task in tasks() {
        let twins: BTreeSet<String> = (0..100).map(|seed| prepared(&task, Some(seed)).0.expected.to_string()).collect();
        assert!(twins.len() >= 95, "{} has {} twins for a hundred seeds", task.id, twins.len());
    }
}
