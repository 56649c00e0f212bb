//! Circuits from a few lines of text, laid out without regard for beauty: for tests, near misses and variations.

use serde_json::Value;

use super::catalogue::PartKind;
use super::document::{Circuit, CircuitPart, CircuitWire};

/// Reads a sketch. A line `R1 resistor resistance=1000` makes a part with a label; a line `R1.a - V1.plus - C1.b` joins
/// pins of parts above it, by label. Parts get the ids p1, p2 and so on, wires w1, w2 and so on.
pub fn sketch(text: &str) -> Result<Circuit, String> {
    let mut circuit = Circuit { speed: 0.1, ..Circuit::default() };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.contains(" - ") { join(&mut circuit, line)? } else { add(&mut circuit, line)? }
    }
    Ok(circuit)
}

fn add(circuit: &mut Circuit, line: &str) -> Result<(), String> {
    let mut words = line.split_whitespace();
    let label = words.next().unwrap_or_default();
    let kind = words.next().ok_or_else(|| format!("`{line}` names no kind"))?;
    let kind: PartKind = serde_json::from_value(Value::from(kind)).map_err(|error| error.to_string())?;
    let number = circuit.parts.len() + 1;
    // Far enough apart that no pin of one part lies on a pin of another.
    let mut part = CircuitPart::new(&format!("p{number}"), kind, [16 * number as i32, 0]).with("label", label);
    for word in words {
        let (key, value) = word.split_once('=').ok_or_else(|| format!("`{word}` is not key=value"))?;
        part = part.with(key, serde_json::from_str(value).unwrap_or_else(|_| Value::from(value)));
    }
    circuit.parts.push(part);
    Ok(())
}

fn join(circuit: &mut Circuit, line: &str) -> Result<(), String> {
    let place = |word: &str| {
        let (label, pin) = word.trim().split_once('.')?;
        circuit.labelled(label).next()?.pin_place(pin)
    };
    let places: Option<Vec<_>> = line.split(" - ").map(place).collect();
    let places = places.ok_or_else(|| format!("`{line}` names a pin that is not there"))?;
    for pair in places.windows(2) {
        let id = format!("w{}", circuit.wires.len() + 1);
        circuit.wires.push(CircuitWire { id, from: pair[0], to: pair[1] });
    }
    Ok(())
}
