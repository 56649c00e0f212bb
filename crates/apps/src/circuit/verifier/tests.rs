use insta::assert_snapshot;
use quintain_core::{Evidence, Reference};

use super::*;
use crate::circuit::model::sketch;

const DIVIDER: &str = "V1 dcSource voltage=10\nR1 resistor resistance=1000\nR2 resistor resistance=3000\nG ground
    V1.minus - G.a - R2.b\nV1.plus - R1.a\nR1.b - R2.a";

fn verifier(settle: Value) -> CircuitVerifier {
    let options = [("settle".to_owned(), settle)].into();
    CircuitVerifier::new(&DeriveSpec { name: "values".to_owned(), kind: CIRCUIT_VERIFIER.to_owned(), options })
}

fn derive(verifier: &CircuitVerifier, actual: &str) -> Result<Vec<(String, Value)>, String> {
    let document = serde_json::to_value(sketch(actual).unwrap()).unwrap();
    let start = json!({"expected": {"circuit": sketch(DIVIDER).unwrap()}});
    let parameters = [("settle".to_owned(), json!(0.05))].into();
    let reference = Reference { start, parameters, ..Reference::default() };
    verifier.derive(VerifierCase::of(&Evidence::document("circuit-designer", document), &reference))
}

#[test]
fn both_circuits_are_measured_part_by_part() {
    let other = DIVIDER.replace("resistance=3000", "resistance=4000");
    let derived = derive(&verifier(json!("{{ settle }}")), &other).unwrap();
    let (name, value) = &derived[0];
    let drop = |which: &str| format!("{:.4}", value[which]["parts"]["p3"]["drop"].as_f64().unwrap());
    assert_snapshot!(format!("{name}: {} for {}", drop("actual"), drop("expected")), @"values: 8.0000 for 7.5000");
}

#[test]
fn what_cannot_be_simulated_is_a_problem_and_no_error() {
    let derived = derive(&verifier(json!(0.05)), "R1 resistor").unwrap();
    assert_snapshot!(derived[0].1["actual"], @r#"{"problem":"there is no ground: add one, so that voltages have a zero"}"#);
    let reference = Reference { start: json!({"expected": {"circuit": {}}}), ..Reference::default() };
    let none = verifier(json!(0.05)).derive(VerifierCase::of(&Evidence::default(), &reference));
    assert_snapshot!(none.unwrap()[0].1, @r#"{"actual":{"problem":"there is no circuit"},"expected":{}}"#);
}

#[test]
fn a_broken_reference_or_option_is_the_judges_fault() {
    assert_snapshot!(derive(&verifier(json!("soon")), DIVIDER).unwrap_err(), @r#"`values` has no time to settle at: "soon""#);
    let broken = verifier(json!(0.05)).derive(VerifierCase::of(&Evidence::default(), &Reference::default()));
    assert_snapshot!(broken.unwrap_err(), @"the reference of `values` is broken: this is not a circuit: invalid type: null, expected struct Circuit");
}
