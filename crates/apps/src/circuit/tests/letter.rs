//! The tasks' judges hold to the letter of their instructions: end states drawn by hand, right ones and wrong ones.

use quintain_core::{Evidence, Pick, Reference, Task};
use serde_json::Value;

use super::{judged, prepared, tasks};
use crate::circuit::model::sketch;

fn task(name: &str) -> Task {
    tasks().into_iter().find(|task| task.id.name() == name).expect("there is such a task")
}

/// What the judge says of a drawing.
fn said(task: &Task, reference: &Reference, drawing: &str) -> (bool, String) {
    let circuit = sketch(drawing).unwrap_or_else(|why| panic!("{why}:\n{drawing}"));
    let evidence = Evidence::document("circuit-designer", serde_json::to_value(circuit).expect("a document"));
    judged(task, &evidence, reference)
}

/// Holds drawings against an instance: the right ones pass, the wrong ones fail for the reason told.
fn hold(name: &str, seed: Option<u64>, right: &[String], wrong: &[(String, &str)]) {
    let task = task(name);
    let (_, reference) = prepared(&task, seed);
    for drawing in right {
        let (holds, because) = said(&task, &reference, drawing);
        assert!(holds, "{name}: {because}:\n{drawing}");
    }
    for (drawing, why) in wrong {
        let (holds, because) = said(&task, &reference, drawing);
        assert!(!holds && because.contains(why), "{name}: `{because}`, not `{why}`:\n{drawing}");
    }
}

/// The drawing with some lines in place of others.
fn with(drawing: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(drawing.to_owned(), |drawing, (from, to)| {
        assert!(drawing.contains(from), "{from} is not in\n{drawing}");
        drawing.replace(from, to)
    })
}

const TERMS: &str = "
    A logicInput\nB logicInput\nC logicInput\nMAJ logicOutput\nMIN logicOutput
    T1 and\nT2 and\nT3 and
    A.out - T1.in1 - T2.in1
    B.out - T1.in2 - T3.in1
    C.out - T2.in2 - T3.in2
";
const MAJORITY: &str = "P or inputs=3\nT1.out - P.in1\nT2.out - P.in2\nT3.out - P.in3\n";
const MINORITY: &str = "N nor inputs=3\nT1.out - N.in1\nT2.out - N.in2\nT3.out - N.in3\n";

#[test]
fn shared_terms_go_to_each_output_in_its_own_way() {
    let both = format!("{TERMS}{MAJORITY}{MINORITY}");
    let ends = "P.out - MAJ.in\nN.out - MIN.in";
    let inverters = "I1 not\nI2 not\nI3 not\nT1.out - I1.in\nT2.out - I2.in\nT3.out - I3.in\n";
    let from_inverters = |gate: &str| format!("{gate}\nI1.out - Q.in1\nI2.out - Q.in2\nI3.out - Q.in3\n");
    let right = [
        format!("{both}{ends}"),
        format!("{TERMS}{MAJORITY}{inverters}{}P.out - MAJ.in\nQ.out - MIN.in", from_inverters("Q and inputs=3")),
        format!("{TERMS}{MINORITY}{inverters}{}Q.out - MAJ.in\nN.out - MIN.in", from_inverters("Q nand inputs=3")),
        format!("{both}K not\nL not\nP.out - K.in\nK.out - L.in\nL.out - MAJ.in\nN.out - MIN.in"),
        // Inverting is not all that makes the output: every term leads to it in its own way, too.
        format!("{both}K not\nL and\nP.out - K.in - MAJ.in\nK.out - L.in1\nN.out - L.in2\nL.out - MIN.in"),
    ];
    let dangling = "from I1 no way leads to an output";
    let own_way = "goes to no gate of its own from which a way leads to";
    let covert = "X1 xor\nX2 xor\nX3 xor\nO1 or inputs=4\nK not
        T1.out - X1.in1 - X1.in2\nT2.out - X2.in1 - X2.in2\nT3.out - X3.in1 - X3.in2
        X1.out - O1.in2\nX2.out - O1.in3\nX3.out - O1.in4\n";
    let wrong = [
        (format!("{TERMS}{MAJORITY}{inverters}K not\nP.out - MAJ.in - K.in\nK.out - MIN.in"), dangling),
        (format!("{TERMS}{MINORITY}{inverters}K not\nN.out - MIN.in - K.in\nK.out - MAJ.in"), dangling),
        (format!("{TERMS}{MAJORITY}{covert}P.out - O1.in1\nO1.out - MAJ.in - K.in\nK.out - MIN.in"), own_way),
        (format!("{TERMS}{MINORITY}{covert}N.out - O1.in1\nO1.out - MIN.in - K.in\nK.out - MAJ.in"), own_way),
        // The first term alone has its own way to the second output.
        (
            format!(
                "{TERMS}{MAJORITY}{covert}J not\nM and\nT1.out - J.in\nJ.out - M.in2\nP.out - O1.in1
                O1.out - MAJ.in - K.in\nK.out - M.in1\nM.out - MIN.in"
            ),
            own_way,
        ),
        (format!("{TERMS}{MAJORITY}K not\nP.out - MAJ.in - K.in\nK.out - MIN.in"), "goes to 1 gates"),
        (
            format!("{}{ends}", with(&both, &[("T1 and", "T1 and inputs=3"), ("T1.in2 -", "T1.in2 - T1.in3 -")])),
            "worked out by a gate of 3 inputs, not 2",
        ),
    ];
    hold("circuit-shared-terms", None, &right, &wrong);
}

#[test]
fn levels_that_never_change_come_from_gates_unless_the_task_says_so() {
    let square = "
        A1 logicInput\nA0 logicInput\nP3 logicOutput\nP2 logicOutput\nP1 logicOutput\nP0 logicOutput
        N not\nG3 and\nG2 and
        A1.out - G3.in1 - G2.in1
        A0.out - G3.in2 - N.in - P0.in
        N.out - G2.in2
        G3.out - P3.in
        G2.out - P2.in
    ";
    let right = [
        format!("{square}Z ground\nZ.a - P1.in"),
        format!("{square}Z ground\nY ground\nZ.a - P1.in - Y.a"),
        format!("{square}X xor\nA1.out - X.in1 - X.in2\nX.out - P1.in"),
        format!("{square}X and\nA0.out - X.in1\nN.out - X.in2\nX.out - P1.in"),
        format!("{square}X nor\nA0.out - X.in1\nN.out - X.in2\nX.out - P1.in"),
    ];
    let held = with(
        square,
        &[("G3 and", "G3 and inputs=3\nV dcRail voltage=5\nZ ground"), ("G3.out", "V.out - G3.in3\nG3.out")],
    );
    let low =
        with(square, &[("G3 and", "G3 and\nO or\nZ ground"), ("G3.out - P3.in", "G3.out - O.in1\nO.out - P3.in")]);
    let wrong = [
        (format!("{square}Z dcRail voltage=-5\nZ.out - P1.in"), "gives -5 V, not the 5 V"),
        (format!("{square}Z dcRail voltage=1\nZ.out - P1.in"), "gives 1 V, not the 5 V"),
        (format!("{square}Z dcRail voltage=0\nZ.out - P1.in"), "gives 0 V, not the 5 V"),
        (format!("{square}Z dcRail voltage=5\nZ.out - P1.in"), "should be low"),
        (format!("{square}Z ground\nY ground\nZ.a - P1.in"), "Y drives no output"),
        (format!("{square}Z ground\nV dcRail voltage=5\nZ.a - P1.in"), "V drives no output"),
        (format!("{held}Z.a - P1.in"), "V drives no output"),
        (format!("{low}Z.a - P1.in - O.in2"), "Z goes to an input of O"),
        (format!("{square}Z ground\nR resistor\nZ.a - P1.in"), "R is not a part of logic circuits"),
    ];
    hold("circuit-two-bit-function", None, &right, &wrong);
}

#[test]
fn no_other_logic_task_knows_grounds_and_sources() {
    let parity = "
        A logicInput\nB logicInput\nC logicInput\nY logicOutput\nX1 xor\nX2 xor
        A.out - X1.in1\nB.out - X1.in2\nX1.out - X2.in1\nC.out - X2.in2\nX2.out - Y.in\n";
    let neither = "is neither a gate nor a logic input or output";
    let held = with(parity, &[("X1 xor", "Z ground\nX1 xor inputs=3"), ("X1.out -", "Z.a - X1.in3\nX1.out -")]);
    let wrong = [
        (format!("{parity}Z ground"), neither),
        (format!("{parity}V dcRail voltage=5"), neither),
        (format!("{parity}V dcRail voltage=-5"), neither),
        (format!("{parity}V dcSource voltage=5"), "not a part of logic circuits"),
        (format!("{parity}Z ground\nL logicOutput\nZ.a - L.in"), "too many"),
        (held, neither),
    ];
    hold("circuit-parity", None, &[parity.to_owned()], &wrong);
}

#[test]
fn parity_is_built_as_its_steps_say() {
    let parity = "
        A logicInput\nB logicInput\nC logicInput\nY logicOutput\nX1 xor\nX2 xor
        A.out - X1.in1\nB.out - X1.in2\nX1.out - X2.in1\nC.out - X2.in2\nX2.out - Y.in\n";
    let right = [
        parity.to_owned(),
        with(parity, &[("A.out - X1.in1", "A.out - X1.in2"), ("B.out - X1.in2", "B.out - X1.in1")]),
        with(parity, &[("X1.out - X2.in1", "X1.out - X2.in2"), ("C.out - X2.in2", "C.out - X2.in1")]),
        with(parity, &[("A logicInput\nB logicInput", "B logicInput\nA logicInput level=high")]),
        with(parity, &[("X1 xor\nX2 xor", "X2 xor\nX1 xor")]),
    ];
    let wide = with(
        parity,
        &[
            ("X1 xor", "X1 xor inputs=3"),
            ("X1.out - X2.in1\nC.out - X2.in2\nX2.out - Y.in", "C.out - X1.in3\nX1.out - Y.in"),
        ],
    );
    let wrong = [
        (with(parity, &[("A.out - X1", "C.out - X1"), ("C.out - X2", "A.out - X2")]), "0 gates are XOR of A and B"),
        (with(parity, &[("B.out - X1", "C.out - X1"), ("C.out - X2", "B.out - X2")]), "0 gates are XOR of A and B"),
        (format!("{wide}A.out - X2.in1\nB.out - X2.in2"), "X1 has 3 inputs, not 2"),
        (wide, "X2: input in1 is not connected"),
        (
            with(
                parity,
                &[("X2 xor", "X2 xor inputs=4"), ("C.out - X2.in2", "C.out - X2.in2\nA.out - X2.in3 - X2.in4")],
            ),
            "X2 has 4 inputs, not 2",
        ),
        (with(parity, &[("X2 xor", "X2 xor inputs=3")]), "X2: input in3 is not connected"),
    ];
    hold("circuit-parity", None, &right, &wrong);
}

const COMPARATOR: &str = "
    A logicInput\nB logicInput\nA_GT_B logicOutput\nA_EQ_B logicOutput\nA_LT_B logicOutput
    N1 not\nN2 not\nG1 and\nG2 and\nX xnor
    A.out - N1.in - G1.in1 - X.in1
    B.out - N2.in - G2.in1 - X.in2
    N2.out - G1.in2
    N1.out - G2.in2
    G1.out - A_GT_B.in
    G2.out - A_LT_B.in
    X.out - A_EQ_B.in
";

#[test]
fn a_comparator_is_built_as_its_steps_say() {
    let comparator = |changes: &[(&str, &str)]| with(COMPARATOR, changes);
    let right = [
        comparator(&[]),
        comparator(&[("G1.in1 -", "G1.in2 -"), ("N2.out - G1.in2", "N2.out - G1.in1")]),
        comparator(&[("X.in1", "X.in9"), ("X.in2", "X.in1"), ("X.in9", "X.in2")]),
        comparator(&[("N1.", "N9."), ("N2.", "N1."), ("N9.", "N2.")]),
        comparator(&[("G1.", "G9."), ("G2.", "G1."), ("G9.", "G2.")]),
    ];
    let wrong = [
        // Both pairs from the inverted middle output; an inverter leads nowhere.
        (
            comparator(&[
                ("B.out - N2.in -", "B.out -"),
                ("X.out -", "X.out - N2.in -"),
                ("N1.out - G2.in2", "N2.out - G2.in2"),
            ]),
            "from N1 no way leads to an output",
        ),
        // The inverted middle output instead of the inverted first input, and every gate is used.
        (comparator(&[("A.out - N1.in -", "A.out -"), ("X.out -", "X.out - N1.in -")]), "0 gates are NOT of A"),
        // The middle output from both inverted inputs.
        (
            comparator(&[
                ("G1.in1 - X.in1", "G1.in1"),
                ("G2.in1 - X.in2", "G2.in1"),
                ("N2.out - G1.in2", "N2.out - G1.in2 - X.in1"),
                ("N1.out - G2.in2", "N1.out - G2.in2 - X.in2"),
            ]),
            "0 gates are XNOR of A and B",
        ),
        (
            comparator(&[("G1 and", "G1 and inputs=3"), ("N2.out - G1.in2", "N2.out - G1.in2 - G1.in3")]),
            "G1 has 3 inputs, not 2",
        ),
        (comparator(&[("N1 not", "N1 not\nN3 not"), ("A.out -", "A.out - N3.in -")]), "there are 3 NOT gates, not 2"),
        (
            comparator(&[("A_GT_B.in", "A_ZZ_B.in"), ("A_LT_B.in", "A_GT_B.in"), ("A_ZZ_B.in", "A_LT_B.in")]),
            "rows are right",
        ),
    ];
    hold("circuit-comparator", None, &right, &wrong);
}

/// A seed whose instance has that rule.
fn seed_of(name: &str, fits: impl Fn(&Value) -> bool) -> (u64, Value) {
    let task = task(name);
    let drawn = (0..5000).map(|seed| (seed, task.parameters(&Pick { seed: Some(seed), ..Pick::default() })));
    let found = drawn.map(|(seed, parameters)| (seed, Value::Object(parameters.into_iter().collect())));
    found.into_iter().find(|(_, parameters)| fits(parameters)).expect("a seed draws this rule")
}

#[test]
fn gates_one_after_the_other_are_a_chain() {
    let (seed, parameters) = seed_of("circuit-not-from-nand", |all| {
        let stages = ["one", "two", "three"].map(|stage| &all["rule"][stage]);
        all["rule"]["n"] == 3 && stages.iter().all(|stage| **stage == serde_json::json!(["nand", 2]))
    });
    let label = |name: &str| parameters["names"][name].as_str().expect("a label").to_owned();
    let (a, y) = (label("a"), label("y"));
    let gates = format!("{a} logicInput\n{y} logicOutput\nG1 nand\nG2 nand\nG3 nand\n");
    let first = format!("{a}.out - G1.in1 - G1.in2\n");
    let chain = format!("{gates}{first}G1.out - G2.in1 - G2.in2\n");
    let right = [format!("{chain}G2.out - G3.in1 - G3.in2\nG3.out - {y}.in")];
    let (nowhere, other_step) = ("no way leads to an output", "gates are NAND of");
    let wrong = [
        (format!("{chain}G2.out - G3.in1\n{a}.out - G3.in2\nG3.out - {y}.in"), other_step),
        (format!("{chain}{a}.out - G3.in1\nG2.out - G3.in2\nG3.out - {y}.in"), other_step),
        (
            format!("{gates}{first}G1.out - G2.in1\n{a}.out - G2.in2 - G3.in1\nG2.out - G3.in2\nG3.out - {y}.in"),
            other_step,
        ),
        (
            format!(
                "{}G2.out - G3.in1 - G3.in2 - G3.in3\nG3.out - {y}.in",
                with(&chain, &[("G3 nand", "G3 nand inputs=3")])
            ),
            other_step,
        ),
        (format!("{gates}{first}{a}.out - G2.in1 - G2.in2 - G3.in1 - G3.in2\nG1.out - {y}.in"), nowhere),
        (format!("{chain}G2.out - G3.in1 - G3.in2\nG1.out - {y}.in"), nowhere),
        (format!("{chain}{a}.out - G3.in1 - G3.in2\nG3.out - {y}.in"), nowhere),
        (
            format!("{gates}{first}{a}.out - G2.in1 - G2.in2\nG1.out - G3.in1\nG2.out - G3.in2\nG3.out - {y}.in"),
            "2 gates stand one after the other, not 3",
        ),
        (format!("{chain}G2.out - G3.in1\nG3.out - {y}.in"), "G3: input in2 is not connected"),
        (
            format!("{chain}G4 nand\nG2.out - G3.in1 - G3.in2 - G4.in1 - G4.in2\nG3.out - {y}.in"),
            "there are 4 NAND gates, not 3",
        ),
    ];
    hold("circuit-not-from-nand", Some(seed), &right, &wrong);
}
