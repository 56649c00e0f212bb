//! What counts about a reading, in the words of an instruction: made of the numbers and units that the check judges by.

use quintain_core::task::CheckSpec;

use super::ReadingCheck;
use crate::circuit::checks::JOINING;
use crate::circuit::model::quantity::{PREFIXES, SIGNS, ValueUnit};
use crate::circuit::model::recipe::FieldReading;

const CIRCUIT: &str = "- The circuit on the canvas is the one described: these parts with these values, joined in this way, and no other parts. All
  that is listed has to be there, the ground too. Several ground symbols are as good as one, and so are several one-terminal DC
  sources of the same voltage. Labels, places and turns do not matter; settings that are not mentioned keep their defaults.";

/// One value in the ways of writing it, and its neighbour.
const ALIKE: [&str; 3] = ["4700", "4.7k", "4.7 kΩ"];
const OTHER: &str = "4701 Ω";
/// A number with an exponent.
const EXPONENT: &str = "1.6e3";

/// What counts in a task with these checks and readings, as the items of a list.
pub fn told(checks: &[&CheckSpec], readings: &[FieldReading]) -> Result<String, String> {
    let mut fields = Vec::new();
    for spec in checks {
        let check = ReadingCheck::of(spec)?;
        let reading = readings.iter().find(|reading| reading.field == check.field);
        let reading = reading.ok_or_else(|| format!("nothing is read for `{}`", check.field))?;
        fields.push(ToldField { tolerance: check.tolerance, unit: ValueUnit::of(reading.quantity), name: check.field });
    }
    Ok([CIRCUIT.to_owned(), values(), JOINING.to_owned(), agreement(&fields), units(&fields)].join("\n"))
}

/// What is told of one field of the answer.
struct ToldField {
    name: String,
    unit: ValueUnit,
    tolerance: f64,
}

fn values() -> String {
    let [first, second, third] = ALIKE;
    format!(
        "- A value is the number given, however it is written: `{first}`, `{second}` and `{third}` are the same, `{OTHER}` is not."
    )
}

fn agreement(fields: &[ToldField]) -> String {
    let field = |field: &ToldField| format!("`{}` within {} %", field.name, (field.tolerance * 1e9).round() / 1e7);
    let fields: Vec<String> = fields.iter().map(field).collect();
    format!("- The circuit, simulated again, gives what you answer: {} of its value.", fields.join(", "))
}

fn units(fields: &[ToldField]) -> String {
    let each = fields.iter().map(|field| format!("`{}` for `{}`", field.unit.symbol(), field.name));
    format!(
        "- An answer is a number and its unit, {}; a number alone counts in that unit.\n  The unit is written in these \
         letters only.{}\n  Blanks around the answer, and between number and unit, do not count. The number is \
         written with a decimal point; a sign\n  ({}) and an exponent (`{EXPONENT}`) are allowed.",
        each.collect::<Vec<_>>().join(", "),
        prefixed(fields),
        listed(SIGNS.iter().map(ToString::to_string)),
    )
}

/// Which units may have a prefix, and which; nothing where none may.
fn prefixed(fields: &[ToldField]) -> String {
    let units = fields.iter().map(|field| field.unit).filter(|unit| unit.has_prefix());
    let mut units: Vec<&str> = units.map(ValueUnit::symbol).collect();
    units.dedup();
    if units.is_empty() {
        return String::new();
    }
    format!(" One of the prefixes\n  {} may stand before {}.", listed(prefixes()), units.join(" and "))
}

/// The prefixes, those that look alike once.
fn prefixes() -> impl Iterator<Item = String> {
    PREFIXES.iter().filter(|(prefix, _)| *prefix != '\u{3bc}').map(|(prefix, _)| prefix.to_string())
}

fn listed(words: impl Iterator<Item = String>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::circuit::checks::reading::pairing::is_same_value;
    use crate::circuit::model::CircuitQuantity;
    use crate::circuit::model::quantity::{component, read};

    fn instruction() -> String {
        let spec = |field: &str, tolerance: f64| -> CheckSpec {
            let spec = json!({"name": field, "kind": "circuit-reading", "selector": "documents/circuit-designer",
                              "tolerance": tolerance, "options": {"field": field}});
            serde_json::from_value(spec).unwrap()
        };
        let reading = |field: &str, quantity| FieldReading {
            field: field.to_owned(),
            quantity,
            part: "U1".to_owned(),
            pin: None,
        };
        let specs = [spec("rate", 0.05), spec("duty", 0.025), spec("swing", 0.05)];
        let readings = [
            reading("rate", CircuitQuantity::Frequency),
            reading("duty", CircuitQuantity::Duty),
            reading("swing", CircuitQuantity::PeakToPeak),
        ];
        told(&specs.iter().collect::<Vec<_>>(), &readings).unwrap()
    }

    /// The words in backquotes between two pieces of the text.
    fn quoted(text: &str, after: &str, before: &str) -> Vec<String> {
        let (_, rest) = text.split_once(after).unwrap_or_else(|| panic!("{after}"));
        let (words, _) = rest.split_once(before).unwrap_or_else(|| panic!("{before}"));
        words.split('`').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn it_reads_like_an_instruction() {
        let text = instruction();
        let answers = text.split_once("- The circuit, simulated ").unwrap().1;
        insta::assert_snapshot!(answers, @"
        again, gives what you answer: `rate` within 5 %, `duty` within 2.5 %, `swing` within 5 % of its value.
        - An answer is a number and its unit, `Hz` for `rate`, `%` for `duty`, `V` for `swing`; a number alone counts in that unit.
          The unit is written in these letters only. One of the prefixes
          `p`, `n`, `u`, `µ`, `m`, `k`, `M`, `G` may stand before Hz and V.
          Blanks around the answer, and between number and unit, do not count. The number is written with a decimal point; a sign
          (`+`, `-`, `−`) and an exponent (`1.6e3`) are allowed.
        ");
    }

    #[test]
    fn what_is_told_of_values_is_what_is_judged() {
        let text = instruction();
        let alike = quoted(&text, "however it is written: ", " are the same");
        let values: Vec<f64> = alike.iter().map(|text| component(text).unwrap()).collect();
        assert!(values.len() == 3 && values.iter().all(|value| is_same_value(*value, values[0])));
        let [other] = &quoted(&text, "are the same, ", " is not")[..] else { panic!("one other value is told") };
        assert!(!is_same_value(component(other).unwrap(), values[0]));
    }

    #[test]
    fn what_is_told_of_answers_is_what_is_read() {
        let text = instruction();
        let prefixes = quoted(&text, "One of the prefixes\n", " may stand");
        let signs = quoted(&text, "a sign\n  (", ")");
        assert!(prefixes.len() == PREFIXES.len() - 1 && signs.len() == SIGNS.len());
        // Every letter and sign is either told and read, or neither.
        for letter in ('a'..='z').chain('A'..='Z').chain(['µ', 'ß']) {
            let is_told = prefixes.contains(&letter.to_string());
            assert_eq!(read(&format!("3 {letter}V"), ValueUnit::Volt).is_ok(), is_told, "{letter}");
            assert!(read(&format!("3 {letter}%"), ValueUnit::Share).is_err(), "{letter}");
        }
        for sign in ["+", "-", "\u{2212}", "~", "--", "\u{2013}", "="] {
            let is_told = signs.iter().any(|told| told == sign);
            assert_eq!(read(&format!("{sign}3 V"), ValueUnit::Volt).is_ok(), is_told, "{sign}");
        }
        for right in ["3 Hz", "3Hz", " 3  Hz ", "3", "1.6e3", ".5 kHz", "3. Hz"] {
            assert!(read(right, ValueUnit::Hertz).is_ok(), "{right}");
        }
        for wrong in ["3 hz", "3 HZ", "3 hertz", "3 k Hz", "3 kkHz", "3 Hz.", "3,5 Hz", "3 Hz 4", "three Hz", "3 k"] {
            assert!(read(wrong, ValueUnit::Hertz).is_err(), "{wrong}");
        }
    }
}
