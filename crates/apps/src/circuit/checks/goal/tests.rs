//! Circuits in, findings out.

use std::collections::BTreeMap;

use quintain_core::check::{Case, CheckKind};
use quintain_core::task::CheckSpec;
use quintain_core::{Evidence, Reference};
use serde_json::{Value, json};

use super::CircuitLogic;
use crate::circuit::model::recipe::{CircuitRecipe, lay_out};

const DOCUMENT: &str = "documents/circuit-designer";

fn check(options: &Value) -> Box<dyn quintain_core::Check> {
    let spec = json!({"name": "truth", "kind": "circuit-logic", "selector": DOCUMENT, "options": options});
    let spec: CheckSpec = serde_json::from_value(spec).expect("a well-formed declaration");
    CircuitLogic.make(&spec).expect("a sound declaration")
}

fn evidence(recipe: &str) -> Evidence {
    let recipe = CircuitRecipe::read(recipe).expect("a well-formed recipe");
    let circuit = lay_out(&recipe).expect("it can be drawn");
    Evidence::document("circuit-designer", serde_json::to_value(circuit).expect("a document"))
}

fn terminals() -> &'static str {
    r#"
    inputs = [{ net = "a", label = "A" }, { net = "b", label = "b " }, { net = "c", label = "C" }]
    outputs = [{ net = "y", label = "Y" }]
    "#
}

fn majority() -> Value {
    json!({
        "inputs": {"a": "A", "b": "B", "c": "C"},
        "outputs": {"y": {"label": "Y", "is": "(a and b) or (a and c) or (b and c)"}},
    })
}

fn with(mut options: Value, more: &Value) -> Value {
    let more = more.as_object().expect("options are an object").clone();
    options.as_object_mut().expect("options are an object").extend(more);
    options
}

/// What is found of gates, given as `net = expression` lines.
fn found(options: &Value, gates: &[(&str, &str)]) -> String {
    let gates: Vec<String> = gates.iter().map(|(net, is)| format!("{{ net = \"{net}\", is = \"{is}\" }}")).collect();
    let evidence = evidence(&format!("{}\ngates = [{}]", terminals(), gates.join(", ")));
    let case = Case { evidence: &evidence, reference: &Reference::default() };
    let finding = check(options).judge(case).expect("a sound judge");
    format!("{:.3} {}", finding.score.value(), finding.because)
}

#[test]
fn the_share_of_right_rows_counts() {
    let all = [
        found(&majority(), &[("y", "(a and b) or (a and c) or (b and c)")]),
        found(&majority(), &[("y", "(a and (b or c)) or (b and c)")]),
        found(&majority(), &[("y", "(a and b) xor (a and c) xor (b and c)")]),
        found(&majority(), &[("y", "(a and b) or (a and c)")]),
        found(&majority(), &[("y", "a or b or c")]),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    1.000 all 8 rows are right
    1.000 all 8 rows are right
    1.000 all 8 rows are right
    0.875 7 of 8 rows are right; with A low, B high, C high `Y` should be high
    0.625 5 of 8 rows are right; with A low, B low, C high `Y` should be low
    ");
}

#[test]
fn rows_that_are_free_are_not_compared() {
    let mut options = majority();
    options["outputs"]["y"]["free"] = json!("b and c");
    assert_eq!(found(&options, &[("y", "(a and b) or (a and c)")]), "1.000 all 8 rows are right");
}

#[test]
fn restrictions_are_kept_or_nothing_holds() {
    let nands = [("p", "a nand b"), ("q", "a nand c"), ("r", "b nand c"), ("y", "p nand q nand r")];
    let ands = [("p", "a and b"), ("q", "a and c"), ("r", "b and c"), ("y", "p or q or r")];
    let shared = json!({"shared": [{"gate": "and", "is": "a and b", "feeds": 2, "reaches": ["y"]}]});
    let all = [
        found(&with(majority(), &json!({"only": ["nand"]})), &nands),
        found(&with(majority(), &json!({"only": ["nand"]})), &ands),
        found(&with(majority(), &json!({"exactly": {"nand": 4}})), &nands),
        found(&with(majority(), &json!({"exactly": {"nand": 3}})), &nands),
        found(&with(majority(), &json!({"at_most": {"and": 2}})), &ands),
        found(&with(majority(), &shared), &ands),
        found(&with(majority(), &shared), &nands),
        found(&with(majority(), &shared), &[("p", "a and b"), ("y", "(p or (a and c) or (b and c)) or (p and c)")]),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    1.000 all 8 rows are right
    0.000 there is a gate of kind AND, which is not allowed
    1.000 all 8 rows are right
    0.000 there are 4 NAND gates, not 3
    0.000 there are 3 AND gates, at most 2 are allowed
    0.000 A AND B goes to 1 gates, at least 2 are wanted
    0.000 0 gates work out A AND B, not one
    1.000 all 8 rows are right
    ");
}

#[test]
fn what_counts_is_told_from_what_is_judged() {
    let told = |options: &Value| super::CircuitGoal::of(options, &BTreeMap::new()).expect("a sound goal").told();
    let plain = told(&majority());
    assert!(!plain.contains("ground") && !plain.contains("exactly 2") && !plain.contains("anything"), "{plain}");
    let mut all = with(majority(), &json!({"constants": ["z"], "gate_inputs": 2, "all_used": true}));
    all["outputs"]["z"] = json!({"label": "Z", "is": "0", "free": "a"});
    insta::assert_snapshot!(told(&all), @"
    - The canvas holds exactly the logic inputs and logic outputs named above, each with its name in the field *Label* of its
      edit dialog. Capital and small letters are the same, and blanks around a name do not count; a name that is missing, twice or
      too many counts as wrong.
    - Besides them there are only logic gates and wires and, to drive Z and nothing else, grounds (low) or
      one-terminal DC sources of exactly 5 V (high).
    - Every gate but NOT has exactly 2 inputs.
    - From every gate a way leads to a logic output: no gate is there for nothing.
    - Each output shows the right level for every combination of input levels, except where they may be anything.
      How the switches stand when you stop does not matter, nor where the parts are.
    - Pins on one point are joined. Wires join where an end meets a pin or the end of another wire, or is dropped on the middle of
      a wire, which then gets a joint there, shown as a dot. Crossing wires do not join. No input of a gate may be left open; what a
      gate or a logic input drives may be driven by nothing else; and no gate may feed itself, not even through others.
    ");
}

#[test]
fn declarations_that_make_no_sense_are_the_judges_fault() {
    let evidence = evidence(&format!("{}\ngates = [{{ net = \"y\", is = \"a and b and c\" }}]", terminals()));
    let broken = |change: &Value| {
        let case = Case { evidence: &evidence, reference: &Reference::default() };
        check(&with(majority(), change)).judge(case).expect_err("it makes no sense").to_string()
    };
    let all = [
        broken(&json!({"inputs": {"a": "A"}})),
        broken(&json!({"inputs": {"a": "A", "b": "a ", "c": "C"}})),
        broken(&json!({"inputs": {"a": "{{ names.a }}"}})),
        broken(&json!({"only": ["nan"]})),
        broken(&json!({"constants": ["z"]})),
        broken(&json!({"steps": [{"step": "s", "gate": "resistor", "of": ["a"]}]})),
        broken(
            &json!({"steps": [{"step": "s", "gate": "not", "of": ["t"]}, {"step": "t", "gate": "not", "of": ["a"]}]}),
        ),
        broken(&json!({"steps": [{"step": "a", "gate": "not", "of": ["b"]}]})),
        broken(&json!({"steps": [{"step": "s", "gate": "not", "of": ["b"], "drives": "y"}]})),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    check `truth` cannot judge: `b` is not one of the inputs
    check `truth` cannot judge: two terminals are labelled `a`
    check `truth` cannot judge: `{{ names.a }}`: there is no `names`; there is none
    check `truth` cannot judge: unknown variant `nan`, expected one of `ground`, `dcSource`, `acSource`, `dcRail`, `acRail`, `resistor`, `capacitor`, `inductor`, `diode`, `npn`, `pnp`, `opamp`, `timer555`, `jkFlipFlop`, `and`, `or`, `nand`, `nor`, `xor`, `xnor`, `not`, `logicInput`, `logicOutput`, `clock`
    check `truth` cannot judge: `z` is not one of the outputs
    check `truth` cannot judge: step `s` names no kind of gate
    check `truth` cannot judge: step `s` rests on `t`, which is neither an input nor an earlier step
    check `truth` cannot judge: step `a` has a name that is taken
    check `truth` cannot judge: unknown field `drives`, expected one of `step`, `gate`, `of`
    ");
}

#[test]
fn near_misses_fail_and_variations_pass() {
    let gates = "gates = [{ net = \"y\", is = \"(a and b) or (a and c) or (b and c)\" }]";
    let evidence = evidence(&format!("{}\n{gates}", terminals()));
    let shared = json!({"shared": [{"gate": "and", "is": "a and b", "feeds": 1, "reaches": ["y"]}]});
    let counted = json!({"only": ["and", "or"], "exactly": {"and": 3}, "at_most": {"or": 1}});
    for options in [majority(), with(majority(), &counted), with(majority(), &shared)] {
        let check = check(&options);
        let reference = Reference::default();
        let score = |evidence: &Evidence| {
            let finding = check.judge(Case { evidence, reference: &reference }).expect("a sound judge");
            (finding.score.is_full(), finding.because)
        };
        let case = Case { evidence: &evidence, reference: &reference };
        assert!(score(&evidence).0, "{}", score(&evidence).1);
        let (near, like) = (check.near_misses(case), check.variations(case));
        assert!(near.len() >= 10 && like.len() >= 5, "{} near misses, {} variations", near.len(), like.len());
        for altered in near {
            assert!(!score(&altered.evidence).0, "{} passes", altered.how);
        }
        for altered in like {
            let (holds, because) = score(&altered.evidence);
            assert!(holds, "{} fails: {because}", altered.how);
        }
    }
}
