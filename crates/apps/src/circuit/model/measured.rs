//! Everything that can be measured on a simulated circuit at one moment, as verifiers store it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::document::Circuit;
use super::nets::Nets;
use super::wave::{CircuitQuantity, Waves, drop_across};

/// What was measured on a circuit, by part id; or why nothing could be.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredCircuit {
    /// Why the circuit cannot be simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What was measured at each part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parts: BTreeMap<String, MeasuredPart>,
}

/// What was measured at a part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredPart {
    /// What was measured at each pin, by name.
    pub pins: BTreeMap<String, MeasuredPin>,
    /// The voltage across it, where it has two terminals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drop: Option<f64>,
}

/// What was measured at a pin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MeasuredPin {
    /// The voltage against ground.
    pub volts: f64,
    /// The swing of the voltage.
    pub peak_to_peak: f64,
    /// Periods per second, where it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub frequency: Option<f64>,
    /// The share of a period above the middle, where it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duty: Option<f64>,
}

impl MeasuredCircuit {
    /// Measures a circuit at a moment of its waves.
    pub fn of(circuit: &Circuit, waves: &Waves, moment: f64) -> Self {
        let nets = Nets::of(circuit);
        let by_net: Vec<MeasuredPin> = (0..nets.count).map(|net| MeasuredPin::of(waves, net, moment)).collect();
        let part = |(part, pins): (&super::CircuitPart, &Vec<usize>)| {
            let measured = part.pins().iter().zip(pins).map(|(pin, net)| (pin.name.clone(), by_net[*net]));
            let drop = drop_across(part, pins, waves, moment);
            (part.id.clone(), MeasuredPart { pins: measured.collect(), drop })
        };
        Self { problem: None, parts: circuit.parts.iter().zip(&nets.pins).map(part).collect() }
    }

    /// Nothing, for a reason.
    pub fn problem(problem: impl Into<String>) -> Self {
        Self { problem: Some(problem.into()), ..Self::default() }
    }

    /// One quantity at a pin of a part, or for a drop across the part; none where it was not measured.
    pub fn quantity(&self, part: &str, pin: &str, quantity: CircuitQuantity) -> Option<f64> {
        let part = self.parts.get(part)?;
        let pin = || part.pins.get(pin);
        match quantity {
            CircuitQuantity::Drop => part.drop,
            CircuitQuantity::Volts => Some(pin()?.volts),
            CircuitQuantity::PeakToPeak => Some(pin()?.peak_to_peak),
            CircuitQuantity::Frequency => pin()?.frequency,
            CircuitQuantity::Duty => pin()?.duty,
        }
    }
}

impl MeasuredPin {
    fn of(waves: &Waves, net: usize, moment: f64) -> Self {
        let wave = waves.net(net);
        let measures = wave.measures(moment, moment / 2.0);
        let (frequency, duty) = (measures.frequency, measures.duty);
        Self { volts: wave.at(moment), peak_to_peak: measures.peak_to_peak(), frequency, duty }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::circuit::model::sketch;

    #[test]
    fn it_is_stored_by_part_and_read_back() {
        let circuit = sketch("V1 dcSource\nR1 resistor\nG ground\nV1.minus - G.a - R1.b\nV1.plus - R1.a").unwrap();
        let measured = MeasuredCircuit::of(&circuit, &Waves::still(&[0.0, 5.0], 3), 1.0);
        let stored = serde_json::to_string(&measured).unwrap();
        assert_snapshot!(stored, @r#"{"parts":{"p1":{"pins":{"minus":{"volts":0.0,"peak_to_peak":0.0},"plus":{"volts":5.0,"peak_to_peak":0.0}},"drop":5.0},"p2":{"pins":{"a":{"volts":5.0,"peak_to_peak":0.0},"b":{"volts":0.0,"peak_to_peak":0.0}},"drop":5.0},"p3":{"pins":{"a":{"volts":0.0,"peak_to_peak":0.0}}}}}"#);
        assert_eq!(serde_json::from_str::<MeasuredCircuit>(&stored).unwrap(), measured);
        let read = |part, pin, quantity| measured.quantity(part, pin, quantity);
        assert_eq!(read("p2", "a", CircuitQuantity::Drop), Some(5.0));
        assert_eq!(read("p2", "a", CircuitQuantity::Frequency), None);
        assert_eq!(read("p9", "a", CircuitQuantity::Volts), None);
        assert_snapshot!(serde_json::to_string(&MeasuredCircuit::problem("no ground")).unwrap(), @r#"{"problem":"no ground"}"#);
    }
}
