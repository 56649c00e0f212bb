use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::circuit::model::sketch;

const ADDER: &str = "
    A logicInput
    B logicInput
    CIN logicInput
    X1 xor
    X2 xor
    N1 nand
    N2 nand
    N3 nand
    SUM logicOutput
    COUT logicOutput
    A.out - X1.in1 - N1.in1
    B.out - X1.in2 - N1.in2
    X1.out - X2.in1 - N2.in1
    CIN.out - X2.in2 - N2.in2
    N1.out - N3.in1
    N2.out - N3.in2
    X2.out - SUM.in
    N3.out - COUT.in
";

fn logic(text: &str) -> Logic {
    Logic::of(&sketch(text).unwrap()).unwrap()
}

fn problem(text: &str) -> String {
    Logic::of(&sketch(text).unwrap()).unwrap_err().to_string()
}

fn rows(table: &TruthTable) -> String {
    let bits = |row| (0..table.outputs.len()).map(|idx| if table.is_high(idx, row) { '1' } else { '0' }).collect();
    (0..table.n_rows()).map(bits).collect::<Vec<String>>().join(" ")
}

#[test]
fn a_full_adder_adds() {
    let table = logic(ADDER).table(&["A", "B", "CIN"], &["COUT", "SUM"]).unwrap();
    assert_snapshot!(rows(&table), @"00 01 01 10 01 10 10 11");
}

#[test]
fn inputs_that_are_not_named_keep_their_level() {
    let high = ADDER.replace("CIN logicInput", "CIN logicInput level=high");
    assert_snapshot!(rows(&logic(ADDER).table(&["A", "B"], &["SUM"]).unwrap()), @"0 1 1 0");
    assert_snapshot!(rows(&logic(&high).table(&["A", "B"], &["SUM"]).unwrap()), @"1 0 0 1");
}

#[test]
fn every_gate_computes_what_its_name_says() {
    let table = |kind: &str| {
        let text = format!("A logicInput\nB logicInput\nC logicInput\nG {kind} inputs=3\nY logicOutput\n");
        let joins = "A.out - G.in1\nB.out - G.in2\nC.out - G.in3\nG.out - Y.in";
        format!("{kind}: {}", rows(&logic(&(text + joins)).table(&["A", "B", "C"], &["Y"]).unwrap()))
    };
    assert_snapshot!(["and", "or", "nand", "nor", "xor", "xnor"].map(table).join("\n"), @"
    and: 0 0 0 0 0 0 0 1
    or: 0 1 1 1 1 1 1 1
    nand: 1 1 1 1 1 1 1 0
    nor: 1 0 0 0 0 0 0 0
    xor: 0 1 1 0 1 0 0 1
    xnor: 1 0 0 1 0 1 1 0
    ");
    assert_snapshot!(rows(&logic("A logicInput\nG not\nY logicOutput\nA.out - G.in\nG.out - Y.in").table(&["A"], &["Y"]).unwrap()), @"1 0");
}

#[test]
fn constants_are_levels() {
    let text = "A logicInput\nV dcRail voltage=5\nZ ground\nG1 xor\nG2 or\nY logicOutput\nW logicOutput
        A.out - G1.in1 - G2.in1\nV.out - G1.in2\nZ.a - G2.in2\nG1.out - Y.in\nG2.out - W.in";
    assert_snapshot!(rows(&logic(text).table(&["A"], &["Y", "W"]).unwrap()), @"10 01");
}

#[test]
fn what_is_wrong_is_named() {
    let two = "A logicInput\nG1 not\nG2 not\nY logicOutput\n";
    assert_snapshot!(problem(&format!("{two}A.out - G1.in\nG1.out - Y.in")), @"G2: input in is not connected to anything that drives it");
    assert_snapshot!(problem(&format!("{two}A.out - G1.in - G2.in")), @"Y: input in is not connected to anything that drives it");
    assert_snapshot!(problem(&format!("{two}A.out - G1.in - G2.in\nG1.out - G2.out - Y.in")), @"the outputs of G1 and G2 are joined");
    assert_snapshot!(problem(&format!("{two}G1.out - G2.in - Y.in\nG2.out - G1.in")), @"G1 feeds itself");
    assert_snapshot!(problem(&format!("{two}R1 resistor\nA.out - G1.in - G2.in\nG1.out - Y.in")), @"R1 is not a part of logic circuits");
    let twice = logic(&format!(
        "{}X logicInput\nX.out - G2.in\nA.out - G1.in\nG1.out - Y.in",
        two.replace("G1 not", "A logicInput\nG1 not")
    ));
    assert_snapshot!(twice.table(&["A"], &["Y"]).unwrap_err(), @"2 inputs are labelled `A`, not one");
    assert_snapshot!(twice.table(&["X"], &["Z"]).unwrap_err(), @"0 outputs are labelled `Z`, not one");
}

#[test]
fn a_latch_rests_and_a_ring_does_not() {
    let latch = |set, reset| {
        let text = format!(
            "S logicInput level={set}\nR logicInput level={reset}\nG1 nand\nG2 nand\nQ logicOutput
            S.out - G1.in1\nR.out - G2.in2\nG1.out - G2.in1 - Q.in\nG2.out - G1.in2"
        );
        let logic = Logic::lenient(&sketch(&text).unwrap()).0;
        logic.levels().unwrap()[logic.outputs[0].net]
    };
    assert_eq!([latch("low", "high"), latch("high", "low")], [true, false]);
    let ring = sketch("G1 not\nG2 not\nG3 not\nG1.out - G2.in\nG2.out - G3.in\nG3.out - G1.in").unwrap();
    assert_eq!(Logic::lenient(&ring).0.levels(), Err(Problem::Restless));
}

#[test]
fn half_built_circuits_have_levels_too() {
    let half = sketch("A logicInput level=high\nG1 and\nG2 not\nA.out - G1.in1\nG1.out - G2.in").unwrap();
    let (logic, problem) = Logic::lenient(&half);
    assert_snapshot!(problem.unwrap(), @"G1: input in2 is not connected to anything that drives it");
    let levels = logic.levels().unwrap();
    assert_eq!(logic.gates.iter().map(|gate| levels[gate.output]).collect::<Vec<_>>(), [false, true]);
}

/// The parity of so many inputs, computed by a chain of gates.
fn parity(n_inputs: usize) -> String {
    let inputs = (0..n_inputs).map(|idx| format!("I{idx} logicInput"));
    let gates = (1..n_inputs).map(|idx| format!("G{idx} xor"));
    let chain =
        (2..n_inputs).flat_map(|idx| [format!("G{}.out - G{idx}.in1", idx - 1), format!("I{idx}.out - G{idx}.in2")]);
    let ends = ["Y logicOutput".to_owned(), "I0.out - G1.in1".to_owned(), "I1.out - G1.in2".to_owned()];
    let last = [format!("G{}.out - Y.in", n_inputs - 1)];
    inputs.chain(gates).chain(ends).chain(chain).chain(last).collect::<Vec<_>>().join("\n")
}

#[test]
fn sixteen_inputs_are_evaluated_and_seventeen_refused() {
    let names: Vec<String> = (0..17).map(|idx| format!("I{idx}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let table = logic(&parity(16)).table(&names[..16], &["Y"]).unwrap();
    assert!((0..table.n_rows()).all(|row| table.is_high(0, row) == (row.count_ones() % 2 == 1)));
    assert_snapshot!(logic(&parity(17)).table(&names, &["Y"]).unwrap_err(), @"a truth table of 17 inputs is too large: the most is 16");
}

proptest! {
    #[test]
    fn a_row_of_the_table_is_what_the_app_shows_at_those_levels(row in 0_usize..128) {
        let names = ["I0", "I1", "I2", "I3", "I4", "I5", "I6"];
        let table = logic(&parity(7)).table(&names, &["Y"]).unwrap();
        let mut circuit = sketch(&parity(7)).unwrap();
        for (idx, part) in circuit.parts.iter_mut().take(7).enumerate() {
            *part = part.clone().with("level", if row >> (6 - idx) & 1 == 1 { "high" } else { "low" });
        }
        let live = Logic::of(&circuit).unwrap();
        prop_assert_eq!(live.levels().unwrap()[live.outputs[0].net], table.is_high(0, row));
    }
}
