//! Parts that can be bought: values of the E series within a range, and how SPICE writes them.

use serde::{Deserialize, Serialize};

/// The steps of a decade in tenths.
const E12: [u32; 12] = [10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82];
const E24: [u32; 24] = [10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91];
/// How far a value may be written from one of its series.
const NEAR: f64 = 1e-6;
/// What SPICE understands behind a number, the longer ones first.
const SCALES: [(&str, f64); 9] = [
    ("meg", 1e6),
    ("t", 1e12),
    ("g", 1e9),
    ("k", 1e3),
    ("m", 1e-3),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
];

/// A series of preferred values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PartSeries {
    E12,
    E24,
}

/// The parts of one kind that there are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartRange {
    pub(super) series: PartSeries,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) tolerance_percent: f64,
    pub(super) most: usize,
}

impl PartSeries {
    fn steps(self) -> &'static [u32] {
        match self {
            Self::E12 => &E12,
            Self::E24 => &E24,
        }
    }
}

impl PartRange {
    /// All values, from the lowest.
    pub(super) fn values(&self) -> Vec<f64> {
        let decades = libm::floor(libm::log10(self.from)) as i32 - 1..=libm::ceil(libm::log10(self.to)) as i32;
        let value = |decade: i32, step: u32| format!("{step}e{}", decade - 1).parse().unwrap_or(0.0);
        let all = decades.flat_map(|decade| self.series.steps().iter().map(move |step| value(decade, *step)));
        all.filter(|value| self.spans(*value)).collect()
    }

    fn spans(&self, value: f64) -> bool {
        (self.from * (1.0 - NEAR)..=self.to * (1.0 + NEAR)).contains(&value)
    }

    /// What is the matter with a value.
    pub(super) fn admit(&self, value: f64) -> Result<(), String> {
        if !self.spans(value) {
            return Err(format!("it is not from {} to {}", spice_text(self.from), spice_text(self.to)));
        }
        let is_near = |known: &f64| (value / known - 1.0).abs() <= NEAR;
        if self.values().iter().any(is_near) { Ok(()) } else { Err(format!("it is not in {:?}", self.series)) }
    }
}

/// A number as SPICE reads it: `4.7k`, `2.2nF`, `1e4`, `1MEG`. Letters behind the scale are units and do not count.
pub(super) fn spice_number(text: &str) -> Option<f64> {
    let text = text.to_ascii_lowercase();
    let is_mantissa = |c: char| c.is_ascii_digit() || c == '.';
    let mut end = text.find(|c| !is_mantissa(c)).unwrap_or(text.len());
    let exponent = text[end..].strip_prefix('e').map(|rest| rest.trim_start_matches(['+', '-']));
    if let Some(n_digits) = exponent.map(|rest| rest.chars().take_while(char::is_ascii_digit).count())
        && n_digits > 0
    {
        let n_signs = text[end + 1..].len() - exponent.map_or(0, str::len);
        end += 1 + n_signs + n_digits;
    }
    let (digits, letters) = text.split_at(end);
    if !letters.chars().all(|c| c.is_ascii_alphabetic()) || letters.starts_with("mil") {
        return None;
    }
    let scale = SCALES.iter().find(|(name, _)| letters.starts_with(name)).map_or(1.0, |(_, scale)| *scale);
    let value = digits.parse::<f64>().ok()? * scale;
    (value.is_finite() && value > 0.0).then_some(value)
}

/// A value as people write it in SPICE, to four digits.
pub(super) fn spice_text(value: f64) -> String {
    let scales = [("meg", 1e6), ("k", 1e3), ("", 1.0), ("m", 1e-3), ("u", 1e-6), ("n", 1e-9), ("p", 1e-12)];
    let (name, scale) = scales.into_iter().find(|(_, scale)| value >= scale * (1.0 - NEAR)).unwrap_or(("f", 1e-15));
    let digits = value / scale;
    let rounding = if digits < 10.0 { 1e3 } else { 1e2 };
    format!("{}{name}", (digits * rounding).round() / rounding)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_spice_reads_them() {
        let told = |text: &str| spice_number(text).map_or_else(|| "-".to_owned(), |value| format!("{value:.4e}"));
        let all = [
            "4.7k", "2.2nF", "1MEG", "1e4", "3.3E-9", "10kohm", "1M", "100F", "47", "4k7", "1e", "x", "", "-3", "1.2.3",
        ];
        assert_eq!(
            all.map(told).join(" "),
            "4.7000e3 2.2000e-9 1.0000e6 1.0000e4 3.3000e-9 1.0000e4 1.0000e-3 1.0000e-13 4.7000e1 - 1.0000e0 - - - -"
        );
    }

    #[test]
    fn values_are_those_of_the_series_in_the_range() {
        let range = PartRange { series: PartSeries::E24, from: 1e3, to: 1e5, tolerance_percent: 1.0, most: 9 };
        let values = range.values();
        assert_eq!((values.len(), values[0], values[48]), (49, 1e3, 1e5));
        assert!(range.admit(4.7e3).is_ok() && range.admit(4.75e3).is_err());
        assert!(range.admit(910.0).is_err() && range.admit(1.1e5).is_err());
        assert_eq!([4.7e3, 2.2e-9, 1e6, 47.0, 8.2e-12].map(spice_text), ["4.7k", "2.2n", "1meg", "47", "8.2p"]);
    }
}
