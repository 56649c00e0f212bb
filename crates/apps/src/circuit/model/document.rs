//! The document that the Circuit Designer keeps: parts and wires on a grid, and the scopes that watch them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::catalogue::{PartKind, PinSpec};

/// A place on the grid: across, down.
pub type GridPoint = [i32; 2];

/// A circuit as the app keeps it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Circuit {
    /// What it is made of.
    #[serde(default)]
    pub parts: Vec<CircuitPart>,
    /// What joins them.
    #[serde(default)]
    pub wires: Vec<CircuitWire>,
    /// What watches them.
    #[serde(default)]
    pub scopes: Vec<Scope>,
    /// Simulated seconds per second of the app's clock.
    #[serde(default = "default_speed")]
    pub speed: f64,
}

/// One part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CircuitPart {
    /// Its name in the document.
    pub id: String,
    /// What it is.
    pub kind: PartKind,
    /// Where it is.
    pub at: GridPoint,
    /// Quarter turns clockwise.
    #[serde(default)]
    pub turn: u8,
    /// Whether it is mirrored across its own axis, before it is turned.
    #[serde(default)]
    pub flip: bool,
    /// Its settings; what is missing has the catalogue's default.
    #[serde(default)]
    pub settings: Map<String, Value>,
}

/// One straight wire.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CircuitWire {
    /// Its name in the document.
    pub id: String,
    /// One end.
    pub from: GridPoint,
    /// The other end.
    pub to: GridPoint,
}

/// One scope.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scope {
    /// Its name in the document.
    pub id: String,
    /// What it watches.
    pub probe: Probe,
    /// The measures it shows.
    #[serde(default)]
    pub show: Vec<String>,
}

/// A place in a circuit whose voltage is watched.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub enum Probe {
    /// A pin of a part.
    Pin {
        /// The part's id.
        part: String,
        /// The pin's name.
        pin: String,
    },
    /// A wire, by id.
    Wire(String),
}

impl Circuit {
    /// Reads a document; or says what is wrong with it.
    pub fn read(document: &Value) -> Result<Self, String> {
        serde_json::from_value(document.clone()).map_err(|error| format!("this is not a circuit: {error}"))
    }

    /// The part of that id.
    pub fn part(&self, id: &str) -> Option<&CircuitPart> {
        self.parts.iter().find(|part| part.id == id)
    }

    /// The parts with that label.
    pub fn labelled<'a>(&'a self, label: &'a str) -> impl Iterator<Item = &'a CircuitPart> {
        self.parts.iter().filter(move |part| part.label() == label)
    }

    /// The parts of that kind.
    pub fn of_kind(&self, kind: PartKind) -> impl Iterator<Item = &CircuitPart> {
        self.parts.iter().filter(move |part| part.kind == kind)
    }
}

impl CircuitPart {
    /// A part with every setting at its default, neither turned nor flipped.
    pub fn new(id: &str, kind: PartKind, at: GridPoint) -> Self {
        let settings = kind.spec().settings.iter().map(|setting| (setting.key.clone(), setting.default.clone()));
        Self { id: id.to_owned(), kind, at, turn: 0, flip: false, settings: settings.collect() }
    }

    /// The same part with one setting changed.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.settings.insert(key.to_owned(), value.into());
        self
    }

    /// The label, without blanks around it; empty when it has none.
    pub fn label(&self) -> &str {
        self.settings.get("label").and_then(Value::as_str).unwrap_or_default().trim()
    }

    /// What to call it in a sentence: its label, or its kind's name.
    pub fn called(&self) -> &str {
        if self.label().is_empty() { &self.kind.spec().name } else { self.label() }
    }

    /// A number among its settings, kept within the bounds of the catalogue. Zero where the kind has no such setting.
    pub fn number(&self, key: &str) -> f64 {
        let Some(spec) = self.kind.spec().setting(key) else { return 0.0 };
        let value = self.settings.get(key).and_then(number_of).or_else(|| number_of(&spec.default)).unwrap_or_default();
        value.clamp(spec.min.unwrap_or(f64::MIN), spec.max.unwrap_or(f64::MAX))
    }

    /// A choice among its settings; the default where the document has none of the options.
    pub fn choice(&self, key: &str) -> String {
        let Some(spec) = self.kind.spec().setting(key) else { return String::new() };
        let written = self.settings.get(key).map(text_of).filter(|text| spec.options.contains(text));
        written.unwrap_or_else(|| text_of(&spec.default))
    }

    /// Whether a logic input gives a high level.
    pub fn is_high(&self) -> bool {
        self.choice("level") == "high"
    }

    /// Its pins; how many a gate has depends on its settings.
    pub fn pins(&self) -> &'static [PinSpec] {
        let spec = self.kind.spec();
        spec.pins_by.get(&self.choice("inputs")).unwrap_or(&spec.pins)
    }

    /// Where a pin is on the grid.
    pub fn pin_place(&self, pin: &str) -> Option<GridPoint> {
        self.pins().iter().find(|spec| spec.name == pin).map(|spec| self.place(spec.at))
    }

    /// Where a point of its own drawing is on the grid: flipped, turned, moved.
    pub fn place(&self, [across, down]: GridPoint) -> GridPoint {
        let down = if self.flip { down.saturating_neg() } else { down };
        let turned = match self.turn % 4 {
            0 => [across, down],
            1 => [down.saturating_neg(), across],
            2 => [across.saturating_neg(), down.saturating_neg()],
            _ => [down, across.saturating_neg()],
        };
        [self.at[0].saturating_add(turned[0]), self.at[1].saturating_add(turned[1])]
    }
}

impl Probe {
    /// The probe at a pin.
    pub fn pin(part: &str, pin: &str) -> Self {
        Self::Pin { part: part.to_owned(), pin: pin.to_owned() }
    }
}

impl TryFrom<BTreeMap<String, String>> for Probe {
    type Error = String;

    fn try_from(mut fields: BTreeMap<String, String>) -> Result<Self, String> {
        match (fields.remove("wire"), fields.remove("part"), fields.remove("pin")) {
            (Some(wire), ..) => Ok(Self::Wire(wire)),
            (None, Some(part), Some(pin)) => Ok(Self::Pin { part, pin }),
            _ => Err("a probe names a `wire`, or a `part` and its `pin`".to_owned()),
        }
    }
}

impl From<Probe> for BTreeMap<String, String> {
    fn from(probe: Probe) -> Self {
        match probe {
            Probe::Wire(wire) => [("wire".to_owned(), wire)].into(),
            Probe::Pin { part, pin } => [("part".to_owned(), part), ("pin".to_owned(), pin)].into(),
        }
    }
}

fn default_speed() -> f64 {
    0.1
}

fn number_of(value: &Value) -> Option<f64> {
    value.as_f64().or_else(|| value.as_str()?.trim().parse().ok()).filter(|number| number.is_finite())
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use serde_json::json;

    use super::*;

    fn places(part: &CircuitPart) -> String {
        let place = |pin: &PinSpec| format!("{}={:?}", pin.name, part.place(pin.at));
        part.pins().iter().map(place).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pins_turn_clockwise_after_they_are_flipped() {
        let at = |turn, flip| places(&CircuitPart { turn, flip, ..CircuitPart::new("p1", PartKind::Opamp, [10, 20]) });
        let all: Vec<String> = [(0, false), (1, false), (2, false), (3, false), (0, true), (1, true)]
            .map(|(turn, flip)| at(turn, flip))
            .into();
        assert_snapshot!(all.join("\n"), @"
        minus=[10, 19] plus=[10, 21] out=[14, 20]
        minus=[11, 20] plus=[9, 20] out=[10, 24]
        minus=[10, 21] plus=[10, 19] out=[6, 20]
        minus=[9, 20] plus=[11, 20] out=[10, 16]
        minus=[10, 21] plus=[10, 19] out=[14, 20]
        minus=[9, 20] plus=[11, 20] out=[10, 24]
        ");
    }

    #[test]
    fn a_gate_has_as_many_pins_as_its_inputs_say_as_text_or_number() {
        let gate = |inputs: Value| places(&CircuitPart::new("p1", PartKind::Nand, [0, 0]).with("inputs", inputs));
        let all = [json!("2"), json!(3), json!("4"), json!(5), json!(null)].map(gate);
        assert_snapshot!(all.join("\n"), @"
        in1=[0, -1] in2=[0, 1] out=[4, 0]
        in1=[0, -2] in2=[0, 0] in3=[0, 2] out=[4, 0]
        in1=[0, -3] in2=[0, -1] in3=[0, 1] in4=[0, 3] out=[4, 0]
        in1=[0, -1] in2=[0, 1] out=[4, 0]
        in1=[0, -1] in2=[0, 1] out=[4, 0]
        ");
    }

    #[test]
    fn a_document_may_leave_out_what_has_a_default() {
        let document = json!({
            "parts": [{"id": "p1", "kind": "resistor", "at": [0, 0], "settings": {"resistance": 1e99}, "more": 1}],
            "scopes": [{"id": "s1", "probe": {"wire": "w3"}}, {"id": "s2", "probe": {"part": "p1", "pin": "a"}}],
        });
        let circuit = Circuit::read(&document).unwrap();
        let resistor = circuit.part("p1").unwrap();
        assert_eq!((resistor.number("resistance"), resistor.called(), circuit.speed), (1e12, "Resistor", 0.1));
        assert_eq!(circuit.scopes[0].probe, Probe::Wire("w3".to_owned()));
        assert_eq!(circuit.scopes[1].probe, Probe::pin("p1", "a"));
    }

    #[test]
    fn what_is_no_circuit_is_refused_with_a_reason() {
        let reason = |document: Value| Circuit::read(&document).unwrap_err();
        assert_snapshot!(reason(json!({"parts": [{"id": "p1", "kind": "relay", "at": [0, 0]}]})).split(", expected").next().unwrap(), @"this is not a circuit: unknown variant `relay`");
        assert_snapshot!(reason(json!({"scopes": [{"id": "s1", "probe": {"part": "p1"}}]})), @"this is not a circuit: a probe names a `wire`, or a `part` and its `pin`");
    }
}
