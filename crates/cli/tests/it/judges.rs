//! Judges under attack: forgotten clauses, and the end states of the red team.

use std::fs;

use serde_json::Value;

use crate::command::{Place, is_full, root};

/// Tasks whose clauses are forgotten for every change: all kinds of checks that need no program to verify an end state.
const A_FEW: &str = "puzzles/maze-2d@easy#1 puzzles/jigsaw@easy#1 gauntlet/circuit-parity gauntlet/circuit-shared-terms \
                     gauntlet/circuit-two-bit-function gauntlet/workflow-newsletter gauntlet/workflow-insert-filter";

#[test]
fn no_clause_of_a_check_is_untested() {
    let place = Place::new();
    let told = place.json(&format!("check {A_FEW} --mutate"));
    let proofs = told.as_array().expect("a list of proofs");
    let clauses: Vec<&Value> = proofs.iter().flat_map(|proof| proof["clauses"].as_array().expect("a list")).collect();
    assert!(proofs.len() == 7 && clauses.len() > 40, "{told}");
    for clause in clauses {
        assert!(clause["found_by"].is_string() || clause["spare"].is_string(), "untested: {clause}");
    }
}

#[test]
fn the_states_of_the_red_team_are_judged_as_people_judged_them() {
    let place = Place::new();
    // Where a program verifies each state, a few tasks stand for all.
    let tasks = if is_full() {
        ""
    } else {
        "gauntlet/workflow gauntlet/circuit-wheatstone gauntlet/circuit-parity \
         gauntlet/circuit-full gauntlet/circuit-two gauntlet/circuit-shared gauntlet/circuit-priority \
         exam/reconcile-close exam/primary-endpoint exam/preregistered-model exam/capture exam/ccd exam/dirty \
         exam/hydrant exam/impulse exam/mail"
    };
    let states = root().join("redteam");
    let judged = place.quintain(&format!("check --states {} {tasks}", states.display()));
    assert_eq!(judged.code, 0, "{}", judged.text());
    eprintln!("{}", judged.stdout);
}

#[test]
fn a_judge_that_disagrees_is_told() {
    let place = Place::new();
    let empty = r#"{"parts": [], "wires": [], "scopes": [], "speed": 0.1}"#;
    let state = |name: &str, is: &str| {
        format!(r#"{{"name": "{name}", "is": "{is}", "why": "nothing is built", "document": {empty}}}"#)
    };
    let judged = |kind: &str, lines: &[String]| {
        let folder = place.path().join("states/gauntlet").join(kind);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("circuit-parity.jsonl"), lines.join("\n")).expect("it can be written");
        place.quintain("check --states states")
    };
    let misplaced = judged("parity", &[state("empty", "wrong")]);
    assert!(misplaced.code == 1 && misplaced.stderr.contains("no check of kind `parity`"), "{}", misplaced.text());
    fs::remove_dir_all(place.path().join("states/gauntlet/parity")).expect("it can be removed");
    let disputed = judged("circuit-logic", &[state("empty", "wrong"), state("bare", "right")]);
    assert_eq!(disputed.code, 3, "{}", disputed.text());
    insta::assert_snapshot!(disputed.stdout, @"
    check          wrong  accepted  right  refused
    circuit-logic  1      0         1      1
    right and refused: gauntlet/circuit-parity, `bare`: nothing is built
    ");
    let twice = judged("circuit-logic", &[state("empty", "wrong"), state("empty", "wrong")]);
    assert!(twice.code == 1 && twice.stderr.contains("`empty` is there twice"), "{}", twice.text());
    let torn = judged("circuit-logic", &["{".to_owned()]);
    assert!(torn.code == 1 && torn.stderr.contains("circuit-parity.jsonl:1"), "{}", torn.text());
    let none = place.quintain("check --states states gauntlet/workflow");
    assert!(none.code == 1 && none.stderr.contains("there are no states"), "{}", none.text());
}
