//! Circuits, measures and answers in, findings out.

use quintain_core::check::{Case, CheckKind};
use quintain_core::task::CheckSpec;
use quintain_core::{Check, Evidence, Reference};
use serde_json::{Value, json};

use super::CircuitReading;
use super::pairing::Pairing;
use crate::circuit::model::{Circuit, sketch};

const BRIDGE: &str = "
    V1 dcSource voltage=10
    R1 resistor resistance=1000
    R2 resistor resistance=2200
    R3 resistor resistance=3300
    R4 resistor resistance=4700
    G ground
    V1.plus - R1.a - R2.a
    R1.b - R3.a
    R2.b - R4.a
    V1.minus - R3.b - R4.b - G.a
";

fn bridge() -> Circuit {
    sketch(BRIDGE).expect("a well-formed sketch")
}

fn sketched(from: &str, to: &str) -> Circuit {
    assert!(BRIDGE.contains(from), "{from}");
    sketch(&BRIDGE.replace(from, to)).expect("a well-formed sketch")
}

fn reference() -> Reference {
    let expected = json!({
        "circuit": bridge(),
        "readings": {"drop": {"quantity": "drop", "part": "R4"}},
    });
    Reference { start: json!({"expected": expected}), ..Reference::default() }
}

fn check() -> Box<dyn Check> {
    let spec = json!({"name": "r4", "kind": "circuit-reading", "selector": "documents/circuit-designer",
                      "options": {"field": "drop"}});
    let spec: CheckSpec = serde_json::from_value(spec).expect("a well-formed declaration");
    CircuitReading.make(&spec).expect("a sound declaration")
}

/// The drop over every resistor, as the verifier would find it in this bridge: by label, so that ids do not matter.
fn measures(circuit: &Circuit) -> Value {
    let drops = [("V1", 10.0), ("R1", 2.326), ("R2", 3.188), ("R3", 7.674), ("R4", 6.812)];
    let parts = circuit.parts.iter().filter_map(|part| {
        let drop = drops.iter().find(|(label, _)| *label == part.label())?.1;
        Some((part.id.clone(), json!({"pins": {}, "drop": drop})))
    });
    json!({"parts": parts.collect::<serde_json::Map<_, _>>()})
}

fn evidence(circuit: &Circuit, actual: &Value, answer: &str) -> Evidence {
    let mut evidence = Evidence::document("circuit-designer", json!(circuit));
    evidence.answer = Some(json!({"drop": answer}));
    let derived = json!({"expected": measures(&bridge()), "actual": actual});
    evidence.derived.insert("simulation".to_owned(), derived);
    evidence
}

fn found(circuit: &Circuit, answer: &str) -> String {
    let evidence = evidence(circuit, &measures(circuit), answer);
    let finding = check().judge(Case { evidence: &evidence, reference: &reference() }).expect("a sound judge");
    format!("{} {}", finding.score.value(), finding.because)
}

#[test]
fn the_answer_is_read_and_compared() {
    let answers = ["6.812 V", "6812 mV", "6.6", "6.4 V", "-6.812 V", "6.812 mV", "6.812 A", "", "value"];
    insta::assert_snapshot!(answers.map(|answer| found(&bridge(), answer)).join("\n"), @"
    1 6.8120 V is near 6.8120 V
    1 6.8120 V is near 6.8120 V
    1 6.6000 V is near 6.8120 V
    0 6.4000 V is not 6.8120 V
    0 -6.8120 V is not 6.8120 V
    0 0.0068 V is not 6.8120 V
    0 `6.812 A` has another unit; a number and V is wanted
    0 `` does not begin with a number; a number and V is wanted
    0 `value` does not begin with a number; a number and V is wanted
    ");
}

#[test]
fn the_circuit_has_to_be_there() {
    let all = [
        found(&Circuit::default(), "6.812 V"),
        found(&sketched("resistance=4700", "resistance=4800"), "6.812 V"),
        found(&sketched("R2.b - R4.a", "R1.b - R4.a"), "6.812 V"),
        found(&sketched("G ground", "G ground\nD diode"), "6.812 V"),
        found(&sketched("R3 resistor", "R3 capacitor"), "6.812 V"),
        found(&sketched("G ground", "G ground\nR5 resistor resistance=1000"), "6.812 V"),
        found(&sketched("resistance=4700", "resistance=4701"), "6.812 V"),
        found(&sketched("resistance=4700", "resistance=4.7e3"), "6.812 V"),
        found(&sketched("V1.minus - R3.b - R4.b - G.a", "V1.minus - R3.b - R4.b"), "6.812 V"),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    0 the circuit is not the one asked for: 0 of DC Source (2-terminal) (Voltage 10 V) where 1 is asked for
    0 the circuit is not the one asked for: Resistor (Resistance 4800 Ω) was not asked for
    0 the circuit is not the one asked for: its parts are the right ones, but they are not joined as asked
    0 the circuit is not the one asked for: Diode was not asked for
    0 the circuit is not the one asked for: Capacitor (Capacitance 0.00001 F, Initial Voltage 0 V) was not asked for
    0 the circuit is not the one asked for: 2 of Resistor (Resistance 1000 Ω) where 1 is asked for
    0 the circuit is not the one asked for: Resistor (Resistance 4701 Ω) was not asked for
    1 6.8120 V is near 6.8120 V
    0 the circuit is not the one asked for: its parts are the right ones, but they are not joined as asked
    ");
}

#[test]
fn the_circuit_has_to_simulate_to_the_value() {
    let judged = |actual: Value| {
        let evidence = evidence(&bridge(), &actual, "6.812 V");
        check().judge(Case { evidence: &evidence, reference: &reference() }).expect("a sound judge").because
    };
    let mut off = measures(&bridge());
    off["parts"]["p5"]["drop"] = json!(5.0);
    let all = [judged(off), judged(json!({"problem": "there is no ground"})), judged(json!({"parts": {}}))];
    insta::assert_snapshot!(all.join("\n"), @"
    the circuit simulates to 5.0000 V, not 6.8120 V
    the circuit cannot be simulated: there is no ground
    the circuit has no such value where it is to be read
    ");
    let mut without = evidence(&bridge(), &Value::Null, "6.812 V");
    without.derived.clear();
    let finding = check().judge(Case { evidence: &without, reference: &reference() }).expect("a sound judge");
    assert_eq!(finding.because, "nothing was simulated");
}

#[test]
fn a_part_may_be_drawn_the_other_way_round() {
    let text = BRIDGE.replace("R2.b - R4.a", "R2.b - R4.b").replace("R3.b - R4.b - G.a", "R3.b - R4.a - G.a");
    let circuit = sketch(&text).expect("a well-formed sketch");
    let judged = |answer: &str| {
        let mut actual = measures(&circuit);
        actual["parts"]["p5"]["drop"] = json!(-6.812);
        let evidence = evidence(&circuit, &actual, answer);
        check().judge(Case { evidence: &evidence, reference: &reference() }).expect("a sound judge").score.is_full()
    };
    assert!(judged("6.812 V") && !judged("-6.812 V") && !judged("6 V"));
}

#[test]
fn several_grounds_and_rails_are_one() {
    let rails = "V1 dcRail voltage=5\nR1 resistor\nR2 resistor\nG ground\nV1.out - R1.a - R2.a\nR1.b - R2.b - G.a";
    let apart = "V1 dcRail voltage=5\nV2 dcRail voltage=5\nR1 resistor\nR2 resistor\nG ground\nH ground\n\
                 V1.out - R1.a\nV2.out - R2.b\nR1.b - G.a\nR2.a - H.a";
    let other = apart.replace("V2 dcRail voltage=5", "V2 dcRail voltage=6");
    let pair = |text: &str| {
        let expected = sketch(rails).expect("a well-formed sketch");
        let actual = sketch(text).expect("a well-formed sketch");
        Pairing::of(&expected, &actual).map_or_else(|why| why, |_| "the same".to_owned())
    };
    insta::assert_snapshot!([pair(rails), pair(apart), pair(&other)].join("\n"), @"
    the same
    the same
    DC Source (1-terminal) (Voltage 6 V) was not asked for
    ");
}

#[test]
fn a_ground_that_is_asked_for_is_there_even_if_nothing_is_joined_to_it() {
    let counter = "C clock\nF jkFlipFlop\nO logicInput level=high\nQ logicOutput\nG ground
        C.out - F.clk\nO.out - F.j - F.k\nF.q - Q.in";
    let pair = |text: &str| {
        let expected = sketch(counter).expect("a well-formed sketch");
        let actual = sketch(text).expect("a well-formed sketch");
        Pairing::of(&expected, &actual).map_or_else(|why| why, |_| "the same".to_owned())
    };
    let all = [
        pair(counter),
        pair(&counter.replace("G ground", "G ground\nH ground")),
        pair(&counter.replace("C.out - F.clk", "G.a - H.a\nC.out - F.clk").replace("G ground", "G ground\nH ground")),
        pair(&counter.replace("C clock", "G ground\nC clock").replace("Q logicOutput\nG ground", "Q logicOutput")),
        pair(&counter.replace("\nG ground", "")),
        pair(&format!("{counter}\nG.a - C.out")),
        pair(&format!("{counter}\nG.a - F.notQ")),
        pair(&counter.replace("G ground", "G dcRail voltage=0")),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    the same
    the same
    the same
    the same
    0 of Ground where 1 is asked for
    its parts are the right ones, but they are not joined as asked
    its parts are the right ones, but they are not joined as asked
    DC Source (1-terminal) (Voltage 0 V) was not asked for
    ");
}

#[test]
fn near_misses_fail_and_variations_pass() {
    let right = evidence(&bridge(), &measures(&bridge()), "6.812 V");
    let (check, reference) = (check(), reference());
    // Judged with the measures of the right circuit throughout: the check has to see the difference by itself.
    let judge = |evidence: &Evidence| {
        let mut evidence = evidence.clone();
        let circuit = Circuit::read(&evidence.documents["circuit-designer"]).expect("a circuit");
        let actual = json!({"parts": circuit.parts.iter().map(|part| {
            let drop = if part.number("resistance") > 4000.0 { 6.812 } else { 1.0 };
            (part.id.clone(), json!({"pins": {}, "drop": drop}))
        }).collect::<serde_json::Map<_, _>>()});
        evidence.derived.insert("simulation".to_owned(), json!({"expected": measures(&bridge()), "actual": actual}));
        let finding = check.judge(Case { evidence: &evidence, reference: &reference }).expect("a sound judge");
        (finding.score.is_full(), finding.because)
    };
    let case = Case { evidence: &right, reference: &reference };
    let (near, like) = (check.near_misses(case), check.variations(case));
    assert!(near.len() >= 10 && like.len() >= 5, "{} near misses, {} variations", near.len(), like.len());
    for altered in near {
        assert!(!judge(&altered.evidence).0, "{} passes", altered.how);
    }
    for altered in like {
        let (holds, because) = judge(&altered.evidence);
        assert!(holds, "{} fails: {because}", altered.how);
    }
}
