//! Changes to a drawn circuit: some that make it another circuit, some that do not.

use serde_json::Value;

use crate::circuit::model::{Circuit, CircuitPart, CircuitWire, GridPoint, Nets, PartKind};

/// Far from anything an agent draws, so that nothing is joined by accident.
const FAR: i32 = 4000;
/// From one thing that is added to the next.
const SPACING: i32 = 16;

/// A circuit on the bench, with room far away for what is added.
pub(crate) struct CircuitBench {
    pub(crate) circuit: Circuit,
    n_added: i32,
}

impl CircuitBench {
    /// A copy of a circuit to work on. What was added to it before stays apart from what is added now.
    pub(crate) fn of(circuit: &Circuit) -> Self {
        Self { circuit: circuit.clone(), n_added: n_added_before(circuit) }
    }

    /// A grid point that nothing else touches. No three such points lie in line, so that no wire between two runs over a third.
    pub(crate) fn spot(&mut self) -> GridPoint {
        self.n_added += 1;
        [FAR + SPACING * self.n_added, FAR + 3 * self.n_added * self.n_added]
    }

    /// Draws a wire that is joined to nothing.
    pub(crate) fn loose_wire(&mut self) {
        let (from, to) = (self.spot(), self.spot());
        self.wire(from, to);
    }

    /// Draws a wire.
    pub(crate) fn wire(&mut self, from: GridPoint, to: GridPoint) {
        self.n_added += 1;
        let id = format!("x{}", self.n_added);
        self.circuit.wires.push(CircuitWire { id, from, to });
    }

    /// Adds a part far away and returns its place in the document.
    pub(crate) fn add(&mut self, kind: PartKind, label: &str) -> usize {
        let at = self.spot();
        self.circuit.parts.push(CircuitPart::new(&format!("x{}", self.n_added), kind, at).with("label", label));
        self.circuit.parts.len() - 1
    }

    /// Where a pin is.
    pub(crate) fn pin(&self, part_idx: usize, pin: &str) -> Option<GridPoint> {
        self.circuit.parts[part_idx].pin_place(pin)
    }

    /// Takes a part to another place, turned and flipped, and wires its pins to where they were. `names` says which pin
    /// of the part is wired to the old place of which.
    pub(crate) fn relocate(&mut self, part_idx: usize, turn: u8, names: impl Fn(&str) -> String) -> Option<()> {
        let old = self.circuit.parts[part_idx].clone();
        let at = self.spot();
        let part = &mut self.circuit.parts[part_idx];
        (part.at, part.turn, part.flip) = (at, turn, !old.flip);
        for pin in old.pins() {
            let from = self.pin(part_idx, &names(&pin.name))?;
            self.wire(from, old.place(pin.at));
        }
        Some(())
    }

    /// Replaces a gate by another kind whose inputs are inverted first.
    pub(crate) fn with_inverted_inputs(&mut self, part_idx: usize, kind: PartKind) -> Option<()> {
        let old = self.circuit.parts[part_idx].clone();
        let at = self.spot();
        let part = &mut self.circuit.parts[part_idx];
        (part.kind, part.at, part.turn, part.flip) = (kind, at, 0, false);
        for pin in old.pins() {
            let (outer, inner) = (old.place(pin.at), self.pin(part_idx, &pin.name)?);
            if pin.name == "out" {
                self.wire(inner, outer);
                continue;
            }
            let gate = self.add(PartKind::Not, "");
            let (input, output) = (self.pin(gate, "in")?, self.pin(gate, "out")?);
            self.wire(outer, input);
            self.wire(output, inner);
        }
        Some(())
    }

    /// Gives a gate more inputs, at another place: the old ones stay joined as they were, the new ones are joined to a point
    /// or left open.
    pub(crate) fn widen(&mut self, part_idx: usize, n_inputs: usize, to: Option<GridPoint>) -> Option<()> {
        let old = self.circuit.parts[part_idx].clone();
        let at = self.spot();
        self.circuit.parts[part_idx] = CircuitPart { at, ..old.clone() }.with("inputs", n_inputs.to_string());
        for pin in self.circuit.parts[part_idx].pins() {
            let inner = self.pin(part_idx, &pin.name)?;
            if let Some(outer) = old.pin_place(&pin.name).or(to) {
                self.wire(inner, outer);
            }
        }
        Some(())
    }

    /// Adds a gate whose inputs are all joined to one point, and returns where its output is.
    pub(crate) fn add_gate(&mut self, kind: PartKind, from: GridPoint) -> Option<GridPoint> {
        let gate = self.add(kind, "");
        for pin in kind.spec().pins.iter().filter(|pin| pin.name != "out") {
            let place = self.pin(gate, &pin.name)?;
            self.wire(from, place);
        }
        self.pin(gate, "out")
    }

    /// Adds a second gate like one that is there, with the same inputs, and returns its place in the document.
    pub(crate) fn copy_gate(&mut self, gate: usize) -> Option<usize> {
        let original = self.circuit.parts[gate].clone();
        let copy = self.add(original.kind, "");
        self.circuit.parts[copy].settings.clone_from(&original.settings);
        for pin in original.pins().iter().filter(|pin| pin.name != "out") {
            let (from, to) = (self.pin(gate, &pin.name)?, self.pin(copy, &pin.name)?);
            self.wire(from, to);
        }
        Some(copy)
    }

    /// Puts gates before a logic output: they are made at the point that drove it, and tell where it is driven now.
    pub(crate) fn put_before(
        &mut self,
        output_idx: usize,
        gates: impl FnOnce(&mut Self, GridPoint) -> Option<GridPoint>,
    ) -> Option<()> {
        let before = self.take_away(output_idx)?;
        let after = gates(self, before)?;
        self.wire(after, self.pin(output_idx, "in")?);
        Some(())
    }

    /// Adds a gate with two inputs, and returns where its output is.
    pub(crate) fn add_joined(&mut self, kind: PartKind, [one, other]: [GridPoint; 2]) -> Option<GridPoint> {
        let gate = self.add(kind, "");
        self.wire(one, self.pin(gate, "in1")?);
        self.wire(other, self.pin(gate, "in2")?);
        self.pin(gate, "out")
    }

    /// Takes a logic output to another place and returns where its pin was.
    pub(crate) fn take_away(&mut self, output_idx: usize) -> Option<GridPoint> {
        let old = self.pin(output_idx, "in")?;
        self.circuit.parts[output_idx].at = self.spot();
        Some(old)
    }

    /// Puts two inverters before a logic output.
    pub(crate) fn with_double_negation(&mut self, output_idx: usize) -> Option<()> {
        self.put_before(output_idx, |bench, old| {
            let inverted = bench.add_gate(PartKind::Not, old)?;
            bench.add_gate(PartKind::Not, inverted)
        })
    }
}

/// How many things were added to a circuit on a bench before, by their places and by their ids.
fn n_added_before(circuit: &Circuit) -> i32 {
    let ends = circuit.wires.iter().flat_map(|wire| [wire.from, wire.to]);
    let places = circuit.parts.iter().map(|part| part.at).chain(ends);
    let by_place = places.map(|[x, _]| (x - FAR) / SPACING + 2).max();
    let ids = circuit.parts.iter().map(|part| &part.id).chain(circuit.wires.iter().map(|wire| &wire.id));
    let by_id = ids.filter_map(|id| id.strip_prefix('x')?.parse().ok()).max();
    by_place.max(by_id).unwrap_or(0).max(0)
}

/// The circuit somewhere else on the grid.
pub(crate) fn shifted(circuit: &Circuit, [dx, dy]: GridPoint) -> Circuit {
    let moved = |[x, y]: GridPoint| [x + dx, y + dy];
    let mut circuit = circuit.clone();
    circuit.parts.iter_mut().for_each(|part| part.at = moved(part.at));
    circuit.wires.iter_mut().for_each(|wire| (wire.from, wire.to) = (moved(wire.from), moved(wire.to)));
    circuit
}

/// The circuit with other ids, everything in the opposite order, wires drawn the other way.
pub(crate) fn renumbered(circuit: &Circuit) -> Circuit {
    let mut circuit = circuit.clone();
    circuit.parts.reverse();
    circuit.wires.reverse();
    circuit.parts.iter_mut().enumerate().for_each(|(idx, part)| part.id = format!("p{}", 100 + idx));
    for (idx, wire) in circuit.wires.iter_mut().enumerate() {
        wire.id = format!("w{}", 100 + idx);
        std::mem::swap(&mut wire.from, &mut wire.to);
    }
    circuit.scopes.clear();
    circuit
}

/// The circuit with one wire led around a corner.
pub(crate) fn cornered(circuit: &Circuit, wire_idx: usize) -> Option<Circuit> {
    let mut bench = CircuitBench::of(circuit);
    let wire = circuit.wires.get(wire_idx)?;
    let corner = bench.spot();
    bench.circuit.wires[wire_idx].to = corner;
    bench.wire(corner, wire.to);
    Some(bench.circuit)
}

/// The circuit without one wire.
pub(crate) fn cut(circuit: &Circuit, wire_idx: usize) -> Circuit {
    let mut circuit = circuit.clone();
    circuit.wires.remove(wire_idx);
    circuit
}

/// The circuit without one part.
pub(crate) fn without(circuit: &Circuit, part_idx: usize) -> Circuit {
    let mut circuit = circuit.clone();
    circuit.parts.remove(part_idx);
    circuit
}

/// The circuit with one part changed.
pub(crate) fn changed(circuit: &Circuit, part_idx: usize, change: impl FnOnce(&mut CircuitPart)) -> Circuit {
    let mut circuit = circuit.clone();
    change(&mut circuit.parts[part_idx]);
    circuit
}

/// The circuit with the labels of two parts exchanged.
pub(crate) fn relabelled(circuit: &Circuit, one_idx: usize, other_idx: usize) -> Circuit {
    let label = |idx: usize| Value::from(circuit.parts[idx].label());
    let with_one = changed(circuit, one_idx, |part| drop(part.settings.insert("label".to_owned(), label(other_idx))));
    changed(&with_one, other_idx, |part| drop(part.settings.insert("label".to_owned(), label(one_idx))))
}

/// The wires without which some pins would no longer be joined.
pub(crate) fn needed_wires(circuit: &Circuit) -> Vec<usize> {
    let joined = |circuit: &Circuit| Nets::of(circuit).pins;
    let before = joined(circuit);
    (0..circuit.wires.len()).filter(|idx| joined(&cut(circuit, *idx)) != before).collect()
}

/// Pins of two different nets that a wire could short, if there are any.
pub(crate) fn strangers(circuit: &Circuit) -> Option<(GridPoint, GridPoint)> {
    let nets = Nets::of(circuit);
    let places = circuit
        .parts
        .iter()
        .zip(&nets.pins)
        .flat_map(|(part, nets)| part.pins().iter().zip(nets).map(|(pin, net)| (*net, part.place(pin.at))));
    let joined: Vec<(usize, GridPoint)> = places.filter(|(_, point)| is_wired(circuit, *point)).collect();
    let (net, first) = *joined.first()?;
    joined.iter().find(|(other, _)| *other != net).map(|(_, second)| (first, *second))
}

fn is_wired(circuit: &Circuit, point: GridPoint) -> bool {
    circuit.wires.iter().any(|wire| wire.from == point || wire.to == point)
}
