//! Which pins and wires of a circuit are one electrical point.

use std::collections::BTreeMap;

use super::catalogue::PartKind;
use super::document::{Circuit, GridPoint, Probe};

/// The nets of a circuit, numbered. Net 0 is ground, whether or not anything is joined to it; the others are numbered
/// in the order in which the document first touches them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nets {
    /// The net of each pin, by part and pin, in the order of the document and the catalogue.
    pub pins: Vec<Vec<usize>>,
    /// The net of each wire, in the order of the document.
    pub wires: Vec<usize>,
    /// How many there are.
    pub count: usize,
}

/// The number of the net that voltages are counted from.
pub const GROUND: usize = 0;

impl Nets {
    /// Joins what lies on the same grid point. Wires that merely cross stay apart.
    pub fn of(circuit: &Circuit) -> Self {
        let mut sets = Sets::default();
        let ground = sets.fresh();
        let mut points = BTreeMap::new();
        for part in &circuit.parts {
            for pin in part.pins() {
                let set = sets.at(&mut points, part.place(pin.at));
                if part.kind == PartKind::Ground {
                    sets.join(ground, set);
                }
            }
        }
        for wire in &circuit.wires {
            let from = sets.at(&mut points, wire.from);
            let to = sets.at(&mut points, wire.to);
            sets.join(from, to);
        }
        Self::number(circuit, &points, &mut sets)
    }

    fn number(circuit: &Circuit, points: &BTreeMap<GridPoint, usize>, sets: &mut Sets) -> Self {
        let mut numbers = BTreeMap::from([(sets.root(0), GROUND)]);
        let mut net = |point: GridPoint| {
            let next = numbers.len();
            *numbers.entry(sets.root(points[&point])).or_insert(next)
        };
        let pins = circuit.parts.iter().map(|part| part.pins().iter().map(|pin| net(part.place(pin.at))).collect());
        let pins: Vec<Vec<usize>> = pins.collect();
        let wires = circuit.wires.iter().map(|wire| net(wire.from)).collect();
        Self { pins, wires, count: numbers.len() }
    }

    /// The net of a pin, by the part's id and the pin's name.
    pub fn pin(&self, circuit: &Circuit, part: &str, pin: &str) -> Option<usize> {
        let part_idx = circuit.parts.iter().position(|candidate| candidate.id == part)?;
        self.pin_of(circuit, part_idx, pin)
    }

    /// The net of a pin, by the part's place in the document and the pin's name.
    pub fn pin_of(&self, circuit: &Circuit, part_idx: usize, pin: &str) -> Option<usize> {
        let pin_idx = circuit.parts.get(part_idx)?.pins().iter().position(|spec| spec.name == pin)?;
        self.pins.get(part_idx)?.get(pin_idx).copied()
    }

    /// The net of a wire, by its id.
    pub fn wire(&self, circuit: &Circuit, id: &str) -> Option<usize> {
        let wire_idx = circuit.wires.iter().position(|wire| wire.id == id)?;
        self.wires.get(wire_idx).copied()
    }

    /// The net that a probe touches.
    pub fn probe(&self, circuit: &Circuit, probe: &Probe) -> Option<usize> {
        match probe {
            Probe::Pin { part, pin } => self.pin(circuit, part, pin),
            Probe::Wire(wire) => self.wire(circuit, wire),
        }
    }

    /// The pins on each net, as places in the document and the catalogue.
    pub fn members(&self) -> Vec<Vec<(usize, usize)>> {
        let mut members = vec![Vec::new(); self.count];
        for (part_idx, pins) in self.pins.iter().enumerate() {
            for (pin_idx, net) in pins.iter().enumerate() {
                members[*net].push((part_idx, pin_idx));
            }
        }
        members
    }
}

/// Disjoint sets of numbers.
#[derive(Default)]
pub(super) struct Sets(Vec<usize>);

impl Sets {
    /// So many sets of one.
    pub(super) fn of(count: usize) -> Self {
        Self((0..count).collect())
    }

    fn fresh(&mut self) -> usize {
        self.0.push(self.0.len());
        self.0.len() - 1
    }

    fn at(&mut self, points: &mut BTreeMap<GridPoint, usize>, point: GridPoint) -> usize {
        *points.entry(point).or_insert_with(|| self.fresh())
    }

    /// The number that stands for a set.
    pub(super) fn root(&mut self, mut of: usize) -> usize {
        while self.0[of] != of {
            self.0[of] = self.0[self.0[of]];
            of = self.0[of];
        }
        of
    }

    /// Makes two sets one. False when they were one already.
    pub(super) fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        self.0[one.max(other)] = one.min(other);
        one != other
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn shown(circuit: &Circuit) -> String {
        let nets = Nets::of(circuit);
        let name = |(part_idx, pin_idx): &(usize, usize)| {
            let part = &circuit.parts[*part_idx];
            format!("{}.{}", part.id, part.pins()[*pin_idx].name)
        };
        let line = |(net, pins): (usize, &Vec<(usize, usize)>)| {
            let wires =
                circuit.wires.iter().zip(&nets.wires).filter(|(_, on)| **on == net).map(|(wire, _)| wire.id.clone());
            format!("{net}: {}", pins.iter().map(name).chain(wires).collect::<Vec<_>>().join(" "))
        };
        nets.members().iter().enumerate().map(line).collect::<Vec<_>>().join("\n")
    }

    fn circuit(document: &serde_json::Value) -> Circuit {
        Circuit::read(document).unwrap()
    }

    #[test]
    fn pins_and_wire_ends_on_one_point_are_one_net() {
        let circuit = circuit(&json!({
            "parts": [
                {"id": "p1", "kind": "dcSource", "at": [0, 4], "turn": 3},
                {"id": "p2", "kind": "resistor", "at": [4, 0]},
                {"id": "p3", "kind": "ground", "at": [0, 4]},
                {"id": "p4", "kind": "ground", "at": [12, 4]},
            ],
            "wires": [
                {"id": "w1", "from": [0, 0], "to": [4, 0]},
                {"id": "w2", "from": [8, 0], "to": [12, 0]},
                {"id": "w3", "from": [12, 0], "to": [12, 4]},
            ],
        }));
        assert_snapshot!(shown(&circuit), @"
        0: p1.minus p2.b p3.a p4.a w2 w3
        1: p1.plus p2.a w1
        ");
    }

    #[test]
    fn crossing_wires_stay_apart() {
        let circuit = circuit(&json!({"wires": [
            {"id": "w1", "from": [0, 2], "to": [4, 2]},
            {"id": "w2", "from": [2, 0], "to": [2, 4]},
            {"id": "w3", "from": [4, 2], "to": [4, 6]},
        ]}));
        assert_snapshot!(shown(&circuit), @"
        0: 
        1: w1 w3
        2: w2
        ");
    }

    proptest! {
        #[test]
        fn shared_points_decide_as_a_flood_does(ends in prop::collection::vec(((0..6i32, 0..6i32), (0..6i32, 0..6i32)), 1..20)) {
            let wires: Vec<_> = ends.iter().enumerate()
                .map(|(idx, (from, to))| json!({"id": format!("w{idx}"), "from": [from.0, from.1], "to": [to.0, to.1]}))
                .collect();
            let nets = Nets::of(&circuit(&json!({"wires": wires})));
            let touches = |a: usize, b: usize| {
                [ends[a].0, ends[a].1].iter().any(|end| [ends[b].0, ends[b].1].contains(end))
            };
            let mut reached = vec![false; ends.len()];
            let mut open = vec![0];
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut reached[at], true) {
                    open.extend((0..ends.len()).filter(|next| touches(at, *next)));
                }
            }
            for (idx, reached) in reached.iter().enumerate() {
                prop_assert_eq!(*reached, nets.wires[idx] == nets.wires[0]);
            }
        }
    }
}
