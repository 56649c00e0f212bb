//! Readings and circuits that are nearly right, and others that are right in another way.

use quintain_core::check::{AlteredState, Case};
use serde_json::{Value, json};

use super::{ExpectedReading, ReadingCheck};
use crate::circuit::checks::goal::alter::{self, CircuitBench};
use crate::circuit::model::quantity::{self, ValueUnit};
use crate::circuit::model::{Circuit, CircuitPart, GROUND, Nets, PartKind};

/// At most so many alterations of one sort, unless all are wanted.
pub(super) const MOST: usize = 3;

/// The right case, taken apart.
struct RightCase<'a> {
    check: &'a ReadingCheck,
    case: Case<'a>,
    circuit: Circuit,
    expected: ExpectedReading,
    /// What was answered, in the base unit.
    value: f64,
    unit: ValueUnit,
}

impl<'a> RightCase<'a> {
    fn of(check: &'a ReadingCheck, case: Case<'a>) -> Option<Self> {
        let expected = check.expected(case).ok()?;
        let circuit = Circuit::read(&case.evidence.select(&check.selector)?).ok()?;
        let quantity = expected.reading.quantity;
        let value = check.answer(case, quantity).ok()?;
        Some(Self { check, case, circuit, expected, value, unit: ValueUnit::of(quantity) })
    }

    /// The case with another answer.
    fn answering(&self, how: &str, answer: impl Into<Value>) -> Option<AlteredState> {
        let evidence = self.case.evidence.with(&format!("answer/{}", self.check.field), answer.into())?;
        Some(AlteredState { how: how.to_owned(), evidence })
    }

    /// The case with another circuit.
    fn drawn(&self, how: impl Into<String>, circuit: Circuit) -> Option<AlteredState> {
        let evidence = self.case.evidence.with(&self.check.selector, serde_json::to_value(circuit).ok()?)?;
        Some(AlteredState { how: how.into(), evidence })
    }

    /// A value as the app would write it, without prefix.
    fn told(&self, value: f64) -> String {
        let value = if self.unit == ValueUnit::Share { value * 100.0 } else { value };
        format!("{value:.9} {}", self.unit.symbol())
    }

    /// A part that has a value and is not a source that others like it could stand for.
    fn valued(&self) -> impl Iterator<Item = (usize, &'static str)> {
        let key = |part: &CircuitPart| match part.kind {
            PartKind::Resistor => Some("resistance"),
            PartKind::Capacitor => Some("capacitance"),
            PartKind::Inductor => Some("inductance"),
            PartKind::DcSource | PartKind::DcRail => Some("voltage"),
            PartKind::AcRail | PartKind::AcSource => Some("amplitude"),
            PartKind::Clock => Some("frequency"),
            _ => None,
        };
        self.circuit.parts.iter().enumerate().filter_map(move |(idx, part)| Some((idx, key(part)?)))
    }
}

/// End states that look nearly right and must fail, at most so many of one sort.
pub(super) fn near_misses(check: &ReadingCheck, case: Case<'_>, most: usize) -> Vec<AlteredState> {
    let Some(right) = RightCase::of(check, case) else { return Vec::new() };
    let mut near = wrong_answers(&right);
    near.extend(wrong_circuits(&right, most));
    near.into_iter().flatten().collect()
}

fn wrong_answers(right: &RightCase<'_>) -> Vec<Option<AlteredState>> {
    // Readings of right cases lie within a few per cent themselves: off means off from the middle of what is right.
    let wanted = right.check.wanted(right.case, &right.expected).ok().flatten().unwrap_or(right.value);
    let other_unit = match right.unit {
        ValueUnit::Volt => "A",
        ValueUnit::Hertz => "s",
        ValueUnit::Ampere | ValueUnit::Share => "V",
    };
    let number = right.told(wanted);
    let number = number.split(' ').next().unwrap_or_default().to_owned();
    vec![
        right.answering("read 6 % too high", right.told(wanted * 1.06)),
        right.answering("read 6 % too low", right.told(wanted * 0.94)),
        right.answering("with the other sign", right.told(-right.value)),
        right.answering("a thousand times too much", right.told(wanted * 1e3)),
        right.answering("a thousandth of it", right.told(wanted * 1e-3)),
        right.answering("in another unit", format!("{number} {other_unit}")),
        right.answering("with the unit misspelt", format!("{number} {}s", right.unit.symbol())),
        right.answering("with a prefix apart from the unit", format!("{number} m {}", right.unit.symbol())),
        right.answering("no number", "value"),
        right.answering("nothing", ""),
        right.answering("nothing at all", Value::Null),
        right.answering("zero", right.told(0.0)),
    ]
}

fn wrong_circuits(right: &RightCase<'_>, most: usize) -> Vec<Option<AlteredState>> {
    let circuit = &right.circuit;
    let mut near = vec![
        right.drawn("the right reading without the circuit", Circuit::default()),
        right.drawn("no wires", Circuit { wires: Vec::new(), ..circuit.clone() }),
    ];
    for (idx, key) in right.valued().take(most) {
        let altered = alter::changed(circuit, idx, |part| *part = part.clone().with(key, part.number(key) * 1.001));
        near.push(right.drawn(format!("`{key}` of {} 0.1 % off", circuit.parts[idx].called()), altered));
    }
    for idx in alter::needed_wires(circuit).into_iter().take(most) {
        near.push(right.drawn(format!("wire {} cut", idx + 1), alter::cut(circuit, idx)));
    }
    if let Some((from, to)) = alter::strangers(circuit) {
        let mut shorted = CircuitBench::of(circuit);
        shorted.wire(from, to);
        near.push(right.drawn("two nets shorted", shorted.circuit));
    }
    let wired = (0..circuit.parts.len()).filter(|idx| circuit.parts[*idx].kind != PartKind::Ground);
    for idx in wired.take(most) {
        near.push(right.drawn(format!("{} missing", circuit.parts[idx].called()), alter::without(circuit, idx)));
    }
    near.extend(stands_alone(circuit).then(|| right.drawn("no ground", without_grounds(circuit))));
    let mut with_more = CircuitBench::of(circuit);
    with_more.add(PartKind::Diode, "");
    near.push(right.drawn("a diode beside it", with_more.circuit));
    near.push(turned_around(right));
    near
}

/// A part whose direction matters, the wrong way round.
fn turned_around(right: &RightCase<'_>) -> Option<AlteredState> {
    let exchanged = |kind: PartKind| match kind {
        PartKind::Diode => Some(("anode", "cathode")),
        PartKind::Opamp | PartKind::DcSource => Some(("plus", "minus")),
        PartKind::Npn => Some(("collector", "emitter")),
        PartKind::JkFlipFlop => Some(("q", "notQ")),
        PartKind::Timer555 => Some(("threshold", "discharge")),
        _ => None,
    };
    let found = right.circuit.parts.iter().position(|part| exchanged(part.kind).is_some())?;
    let (one, other) = exchanged(right.circuit.parts[found].kind)?;
    let mut bench = CircuitBench::of(&right.circuit);
    bench.relocate(found, 0, |pin| match pin {
        pin if pin == one => other.to_owned(),
        pin if pin == other => one.to_owned(),
        pin => pin.to_owned(),
    })?;
    let how = format!("{one} and {other} of {} exchanged", right.circuit.parts[found].called());
    right.drawn(how, bench.circuit)
}

/// End states that look different and must pass.
pub(super) fn variations(check: &ReadingCheck, case: Case<'_>) -> Vec<AlteredState> {
    let Some(right) = RightCase::of(check, case) else { return Vec::new() };
    let wanted = check.wanted(case, &right.expected).ok().flatten().unwrap_or(right.value);
    let mut like = other_forms(&right, wanted);
    like.extend(other_drawings(&right));
    like.into_iter().flatten().collect()
}

/// The case given, right or wrong, with its circuit drawn in another way.
pub(super) fn disguises(check: &ReadingCheck, case: Case<'_>) -> Vec<AlteredState> {
    let right = RightCase::of(check, case);
    right.map(|right| other_drawings(&right).into_iter().flatten().collect()).unwrap_or_default()
}

fn other_forms(right: &RightCase<'_>, wanted: f64) -> Vec<Option<AlteredState>> {
    let mut like = vec![
        right.answering("read 3 % too high", right.told(wanted * 1.03)),
        right.answering("read 3 % too low", right.told(wanted * 0.97)),
        right.answering("without a blank", right.told(wanted).replace(' ', "")),
        right.answering("with blanks around it", format!("  {}  ", right.told(wanted))),
        right.answering("a bare number", right.told(wanted).trim_end_matches(right.unit.symbol()).trim()),
    ];
    if right.unit != ValueUnit::Share {
        let milli = format!("{:.6} m{}", wanted * 1e3, right.unit.symbol());
        like.push(right.answering("in thousandths", milli));
        like.push(right.answering("in thousands", format!("{:.9} k{}", wanted / 1e3, right.unit.symbol())));
    }
    debug_assert!(quantity::read(&right.told(wanted), right.unit).is_ok(), "what is told can be read");
    like
}

fn other_drawings(right: &RightCase<'_>) -> Vec<Option<AlteredState>> {
    let circuit = &right.circuit;
    let mut loose = CircuitBench::of(circuit);
    loose.loose_wire();
    let mut like = vec![
        right.drawn("drawn elsewhere", alter::shifted(circuit, [7, -5])),
        right.drawn("other ids and order", alter::renumbered(circuit)),
        right.drawn("a loose wire", loose.circuit),
        right.drawn("without labels", without_labels(circuit)),
        alter::cornered(circuit, 0).and_then(|circuit| right.drawn("a wire around a corner", circuit)),
    ];
    if let Some(ground) = circuit.parts.iter().position(|part| part.kind == PartKind::Ground) {
        let mut bench = CircuitBench::of(circuit);
        let second = bench.add(PartKind::Ground, "");
        if let (Some(from), Some(to)) = (bench.pin(ground, "a"), bench.pin(second, "a")) {
            bench.wire(from, to);
        }
        like.push(right.drawn("a second ground", bench.circuit));
    }
    if let Some((idx, key)) = right.valued().next() {
        let rounded = |part: &mut CircuitPart| *part = part.clone().with(key, part.number(key) * (1.0 + 1e-12));
        like.push(right.drawn("a value with its last digits rounded", alter::changed(circuit, idx, rounded)));
    }
    if let Some(idx) = circuit.parts.iter().position(|part| part.kind == PartKind::Resistor) {
        let mut bench = CircuitBench::of(circuit);
        let turned = bench.relocate(idx, 1, |pin| if pin == "a" { "b".to_owned() } else { "a".to_owned() });
        like.extend(turned.map(|()| right.drawn("a resistor turned around", bench.circuit)));
    }
    like
}

/// Whether there is a ground that nothing is joined to. One that is joined to something is missed by cutting its wires.
fn stands_alone(circuit: &Circuit) -> bool {
    let nets = Nets::of(circuit).pins;
    let on_ground = circuit.parts.iter().zip(&nets).filter(|(_, pins)| pins.contains(&GROUND));
    let kinds: Vec<PartKind> = on_ground.map(|(part, _)| part.kind).collect();
    !kinds.is_empty() && kinds.iter().all(|kind| *kind == PartKind::Ground)
}

fn without_grounds(circuit: &Circuit) -> Circuit {
    let parts = circuit.parts.iter().filter(|part| part.kind != PartKind::Ground).cloned().collect();
    Circuit { parts, ..circuit.clone() }
}

fn without_labels(circuit: &Circuit) -> Circuit {
    let mut circuit = circuit.clone();
    circuit.parts.iter_mut().for_each(|part| drop(part.settings.insert("label".to_owned(), json!(""))));
    circuit
}
