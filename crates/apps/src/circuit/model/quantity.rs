//! A measured value as people write it: `191.6 mV`, `0.1916 V`, `1.589 kHz`, `58 %`.

use crate::circuit::model::wave::CircuitQuantity;

/// What kind of value is measured, and so which unit it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueUnit {
    /// Volts.
    Volt,
    /// Amperes.
    Ampere,
    /// Hertz.
    Hertz,
    /// A share, written in per cent.
    Share,
}

impl ValueUnit {
    /// The unit of a quantity.
    pub fn of(quantity: CircuitQuantity) -> Self {
        match quantity {
            CircuitQuantity::Volts | CircuitQuantity::Drop | CircuitQuantity::PeakToPeak => Self::Volt,
            CircuitQuantity::Frequency => Self::Hertz,
            CircuitQuantity::Duty => Self::Share,
        }
    }

    /// Whether a prefix may stand before it.
    pub fn has_prefix(self) -> bool {
        self != Self::Share
    }

    /// The unit as the app writes it, and as it is written after a number.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Volt => "V",
            Self::Ampere => "A",
            Self::Hertz => "Hz",
            Self::Share => "%",
        }
    }
}

/// The prefixes of units with their powers of ten; the two signs for a millionth look alike.
pub const PREFIXES: [(char, i32); 9] =
    [('p', -12), ('n', -9), ('u', -6), ('\u{b5}', -6), ('\u{3bc}', -6), ('m', -3), ('k', 3), ('M', 6), ('G', 9)];

/// The signs of numbers: the ASCII ones, and the minus of typesetters.
pub const SIGNS: [char; 3] = ['+', '-', '\u{2212}'];

/// Reads a value in a unit. A bare number counts in the unit itself; another unit or an unknown prefix is an error that
/// says so. A share comes back as a part of one.
pub fn read(text: &str, unit: ValueUnit) -> Result<f64, String> {
    let text = text.trim();
    let symbol = unit.symbol();
    let wrong = |why: &str| format!("`{text}` {why}; a number and {symbol} is wanted");
    let (number, suffix) = split(text).ok_or_else(|| wrong("does not begin with a number"))?;
    let number: f64 = number.parse().map_err(|_cause| wrong("does not begin with a number"))?;
    if !number.is_finite() {
        return Err(wrong("is no finite number"));
    }
    let power = power(suffix.trim(), unit).ok_or_else(|| wrong("has another unit"))?;
    scaled(number, power).ok_or_else(|| wrong("is no finite number"))
}

/// Reads a component's value, such as `2.2 k`, `100 nF` or `4.7 kΩ`; the unit is not looked at.
pub(crate) fn component(text: &str) -> Option<f64> {
    let (number, suffix) = split(text.trim())?;
    let number: f64 = number.parse().ok()?;
    let units = ["Ω", "Hz", "V", "F", "H", "A", "%", "°"];
    let suffix = suffix.trim();
    let prefix = units.iter().find_map(|unit| suffix.strip_suffix(unit)).unwrap_or(suffix).trim();
    let mut letters = prefix.chars();
    let power = match (letters.next(), letters.next()) {
        (None, _) => 0,
        (Some(letter), None) => power_of(letter)?,
        _ => return None,
    };
    scaled(number, power)
}

/// A number times a power of ten, as exact as if it had been written out.
fn scaled(number: f64, power: i32) -> Option<f64> {
    format!("{number}e{power}").parse().ok().filter(|value: &f64| value.is_finite())
}

/// The number at the beginning, in plain or exponent form, and the rest.
fn split(text: &str) -> Option<(String, &str)> {
    let bytes = text.as_bytes();
    let mut end = sign_len(text);
    let sign = if end > 0 && !text.starts_with('+') { "-" } else { "" };
    let start = end;
    while bytes.get(end).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
        end += 1;
    }
    if !text[start..end].contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    end += exponent_len(&text[end..]);
    Some((format!("{sign}{}", &text[start..end]), &text[end..]))
}

/// The length of a sign.
fn sign_len(text: &str) -> usize {
    text.chars().next().filter(|first| SIGNS.contains(first)).map_or(0, char::len_utf8)
}

/// The length of `e-3`, `E6` and the like; nothing where it is no exponent.
fn exponent_len(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return 0 };
    let unsigned = rest.trim_start_matches(['+', '-']);
    let signs = rest.len() - unsigned.len();
    let digits = unsigned.len() - unsigned.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if signs <= 1 && digits > 0 { 1 + signs + digits } else { 0 }
}

/// The power of ten that a suffix stands for; nothing where it is another unit.
fn power(suffix: &str, unit: ValueUnit) -> Option<i32> {
    if suffix.is_empty() || suffix == unit.symbol() {
        return Some(if unit == ValueUnit::Share { -2 } else { 0 });
    }
    let prefix = suffix.chars().next().filter(|_| unit.has_prefix())?;
    let is_unit = suffix[prefix.len_utf8()..] == *unit.symbol();
    power_of(prefix).filter(|_| is_unit)
}

fn power_of(prefix: char) -> Option<i32> {
    PREFIXES.iter().find(|(known, _)| *known == prefix).map(|(_, power)| *power)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn say(text: &str, unit: ValueUnit) -> String {
        match read(text, unit) {
            Ok(value) => format!("{text} = {value:.6}"),
            Err(why) => format!("? {why}"),
        }
    }

    #[test]
    fn values_are_read_with_prefix_and_unit() {
        let volts = ["191.6 mV", "0.1916 V", "-1.5V", "2605 mV", "1.5", "+3 V", "12 µV", "12 uV", "\u{2212}1.5 V"];
        let volts = volts.map(|text| say(text, ValueUnit::Volt));
        let hertz = ["1.589 kHz", "62.5Hz", "1.589e3 Hz", "2 MHz"].map(|text| say(text, ValueUnit::Hertz));
        let shares = ["58%", "58 %", "58"].map(|text| say(text, ValueUnit::Share));
        insta::assert_snapshot!([&volts[..], &hertz[..], &shares[..]].concat().join("\n"), @"
        191.6 mV = 0.191600
        0.1916 V = 0.191600
        -1.5V = -1.500000
        2605 mV = 2.605000
        1.5 = 1.500000
        +3 V = 3.000000
        12 µV = 0.000012
        12 uV = 0.000012
        −1.5 V = -1.500000
        1.589 kHz = 1589.000000
        62.5Hz = 62.500000
        1.589e3 Hz = 1589.000000
        2 MHz = 2000000.000000
        58% = 0.580000
        58 % = 0.580000
        58 = 0.580000
        ");
    }

    #[test]
    fn components_are_read_with_and_without_unit() {
        let texts = ["2 kΩ", "100 nF", "1.5 V", "-3 V", "10u", "4.7k", "100 mH", "10 kHz", "50 %", "2 kk", "k"];
        insta::assert_snapshot!(texts.map(|text| format!("{text}: {:?}", component(text))).join("\n"), @"
        2 kΩ: Some(2000.0)
        100 nF: Some(1e-7)
        1.5 V: Some(1.5)
        -3 V: Some(-3.0)
        10u: Some(1e-5)
        4.7k: Some(4700.0)
        100 mH: Some(0.1)
        10 kHz: Some(10000.0)
        50 %: Some(50.0)
        2 kk: None
        k: None
        ");
    }

    #[test]
    fn other_units_and_no_numbers_are_told() {
        let texts = [
            "",
            "V",
            "about 3 V",
            "3 A",
            "3 kHz",
            "3 xV",
            "1.2.3 V",
            "1,5 V",
            "1 V 2",
            "e3 V",
            "-",
            "3 %",
            "3 volts",
            "3 v",
            "3 m V",
            "3 MEGV",
            "3 KV",
        ];
        insta::assert_snapshot!(texts.map(|text| say(text, ValueUnit::Volt)).join("\n"), @"
        ? `` does not begin with a number; a number and V is wanted
        ? `V` does not begin with a number; a number and V is wanted
        ? `about 3 V` does not begin with a number; a number and V is wanted
        ? `3 A` has another unit; a number and V is wanted
        ? `3 kHz` has another unit; a number and V is wanted
        ? `3 xV` has another unit; a number and V is wanted
        ? `1.2.3 V` does not begin with a number; a number and V is wanted
        ? `1,5 V` has another unit; a number and V is wanted
        ? `1 V 2` has another unit; a number and V is wanted
        ? `e3 V` does not begin with a number; a number and V is wanted
        ? `-` does not begin with a number; a number and V is wanted
        ? `3 %` has another unit; a number and V is wanted
        ? `3 volts` has another unit; a number and V is wanted
        ? `3 v` has another unit; a number and V is wanted
        ? `3 m V` has another unit; a number and V is wanted
        ? `3 MEGV` has another unit; a number and V is wanted
        ? `3 KV` has another unit; a number and V is wanted
        ");
    }

    proptest! {
        #[test]
        fn nothing_panics(text in "\\PC{0,12}") {
            for unit in [ValueUnit::Volt, ValueUnit::Hertz, ValueUnit::Share, ValueUnit::Ampere] {
                prop_assert!(read(&text, unit).is_ok_and(f64::is_finite) || read(&text, unit).is_err());
            }
        }
    }
}
