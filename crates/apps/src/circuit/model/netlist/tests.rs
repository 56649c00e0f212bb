use insta::assert_snapshot;

use super::*;
use crate::circuit::model::sketch;

fn deck(text: &str) -> String {
    Deck::of(&sketch(text).unwrap(), 0.05).map_or_else(|problem| problem.to_string(), |deck| deck.text)
}

#[test]
fn passive_parts_and_sources_become_elements() {
    assert_snapshot!(deck("
        V1 dcSource voltage=24
        V2 acRail amplitude=0.01 frequency=10000 phase=90
        R1 resistor resistance=2200
        C1 capacitor capacitance=1e-5 initial_voltage=0.1
        L1 inductor inductance=0.1
        D1 diode
        Q1 npn beta=120
        G ground
        V1.minus - G.a - C1.b - D1.cathode
        V1.plus - R1.a
        R1.b - C1.a - L1.a
        L1.b - D1.anode - Q1.collector
        V2.out - Q1.base
        Q1.emitter - G.a
    "), @"
    * circuit
    v0 n1 0 2.4e1
    v1 n2 0 sin(0e0 1e-2 1e4 0 0 9e1)
    r2 n1 n3 2.2e3
    c3 n3 m3 1e-5 ic=1e-1
    vm3 m3 0 0
    l4 n3 n4 1e-1 ic=0e0
    d5 n4 m5 diode
    vm5 m5 0 0
    q6 n4 n2 0 q6
    .model q6 npn(is=1e-13 bf=1.2e2 br=1)
    .model diode d(is=1.7143528192808883e-7 n=2)
    .options rshunt=1e12
    .save v(n1) v(n2) v(n3) v(n4) i(v0) i(vm3) i(l4) i(vm5)
    .tran 1.5625e-6 5e-2 0 1.5625e-6 uic
    .end
    ");
}

#[test]
fn gates_flip_flops_and_timers_are_digital_inside() {
    assert_snapshot!(deck("
        CLK clock frequency=1000
        H logicInput level=high
        F jkFlipFlop
        G nand
        R1 resistor
        Z ground
        CLK.out - F.clk - G.in1
        H.out - F.j - F.k - G.in2
        G.out - R1.a
        R1.b - Z.a
    ").lines().filter(|line| !line.starts_with(".model")).collect::<Vec<_>>().join("\n"), @"
    * circuit
    v0 n1 0 pulse(5e0 0e0 5e-4 1e-8 1e-8 4.9999e-4 1e-3)
    v1 n2 0 5
    af2 dn1 fc2 not
    aj2 dn2 dn2 fc2 null null fq2 fn2 jk
    ad2 [fq2 fn2] [n3 n4] drive
    ag3 [dn1 dn2] gq3 nand
    ad3 [gq3] [n5] drive
    r4 n5 0 1e3
    ab1 [n1] [dn1] level
    ab2 [n2] [dn2] level
    .options rshunt=1e12
    .save v(n1) v(n2) v(n3) v(n4) v(n5)
    .tran 2.5e-5 5e-2 0 2.5e-5 uic
    .end
    ");
}

#[test]
fn an_amplifier_is_clipped_and_equal_rails_are_one() {
    assert_snapshot!(deck("
        U1 opamp max=12
        V1 dcRail voltage=5
        V2 dcRail voltage=5
        V1.out - V2.out - U1.plus
        U1.out - U1.minus
    "), @"
    * circuit
    b0 n1 0 v=max(-1.5e1,min(1.2e1,1e5*(v(n2)-v(n1))))
    v1 n2 0 5e0
    .model diode d(is=1.7143528192808883e-7 n=2)
    .options rshunt=1e12
    .save v(n1) v(n2)
    .tran 2.5e-5 5e-2 0 2.5e-5 uic
    .end
    ");
}

#[test]
fn nets_that_only_wires_and_outputs_touch_are_nodes_too() {
    let mut loose = sketch("V1 dcRail\nY logicOutput").unwrap();
    loose.wires.push(crate::circuit::model::CircuitWire { id: "w1".to_owned(), from: [0, 9], to: [4, 9] });
    assert_snapshot!(Deck::of(&loose, 0.05).unwrap().text, @"
    * circuit
    v0 n1 0 5e0
    rn2 n2 0 1e12
    rn3 n3 0 1e12
    .model diode d(is=1.7143528192808883e-7 n=2)
    .options rshunt=1e12
    .save v(n1) v(n2) v(n3)
    .tran 2.5e-5 5e-2 0 2.5e-5 uic
    .end
    ");
}

#[test]
fn what_cannot_be_simulated_is_said_in_a_sentence() {
    assert_snapshot!(deck("R1 resistor"), @"there is no ground: add one, so that voltages have a zero");
    assert_snapshot!(deck("V1 dcSource\nG ground\nV1.plus - V1.minus - G.a"), @"V1 is short-circuited");
    assert_snapshot!(deck("V1 dcRail\nV2 dcRail voltage=3\nV1.out - V2.out"), @"V1 and V2 are joined without any resistance between them");
    assert_snapshot!(deck("V1 dcRail\nG ground\nV1.out - G.a"), @"V1 is short-circuited");
    assert_snapshot!(deck("U1 opamp\nU2 opamp\nR1 resistor\nU1.out - U2.out - R1.a"), @"U1 and U2 are joined without any resistance between them");
    assert_snapshot!(deck("V1 dcSource\nV2 acSource\nG ground\nV1.plus - V2.plus\nV1.minus - V2.minus - G.a"), @"V1 and V2 are joined without any resistance between them");
}

#[test]
fn the_pace_follows_the_fastest_thing_in_the_document() {
    let pace = |text: &str| {
        let pace = SimulationPace::of(&sketch(text).unwrap());
        let finest = pace.finest.map_or("none".to_owned(), |finest| format!("{finest:.2e}"));
        format!(
            "finest {finest} furthest {:.2} then {:?}",
            pace.furthest,
            [0.0, 0.06, 0.3, 1e3].map(|at| pace.until(at))
        )
    };
    assert_snapshot!(pace("V dcRail\nR resistor"), @"finest none furthest 20.00 then [0.025, 0.1, 0.4, 20.0]");
    assert_snapshot!(pace("V acRail frequency=10000"), @"finest 1.56e-6 furthest 0.40 then [0.025, 0.1, 0.4, 0.4]");
    assert_snapshot!(pace("U timer555\nR resistor resistance=10000\nC capacitor capacitance=1e-7"), @"finest 5.00e-6 furthest 1.28 then [0.025, 0.1, 0.4, 1.28]");
    assert_snapshot!(pace("U opamp\nR resistor resistance=10000\nC capacitor capacitance=1e-8"), @"finest 5.00e-6 furthest 1.28 then [0.025, 0.1, 0.4, 1.28]");
    assert_snapshot!(pace("C clock frequency=1000\nF jkFlipFlop"), @"finest 5.00e-5 furthest 3.20 then [0.025, 0.1, 0.4, 3.2]");
    assert_snapshot!(pace("C clock frequency=1e9"), @"finest 5.00e-11 furthest 0.00 then [3.2000000000000003e-6, 3.2000000000000003e-6, 3.2000000000000003e-6, 3.2000000000000003e-6]");
}
