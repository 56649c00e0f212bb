//! Numbers as people type them into a dialog: `2.2k`, `100n`.

const PREFIXES: [(i32, &str); 8] = [(9, "G"), (6, "M"), (3, "k"), (0, ""), (-3, "m"), (-6, "u"), (-9, "n"), (-12, "p")];

/// A number with the prefix that makes it short.
pub(super) fn typed(number: f64, unit: &str) -> String {
    let has_prefix = !matches!(unit, "%" | "°" | "") && number != 0.0;
    let fits = |power: &i32| number.abs() >= 10_f64.powi(*power) * 0.999_999;
    let found = PREFIXES.iter().find(|(power, _)| has_prefix && fits(power));
    let (power, prefix) = found.copied().unwrap_or((0, ""));
    let mantissa = number / 10_f64.powi(power);
    format!("{}{prefix}", (mantissa * 1e9).round() / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let told =
            [(2200.0, "Ω"), (1e-7, "F"), (-3.0, "V"), (0.001, "V"), (0.0, "V"), (50.0, "%"), (1e6, "Ω"), (0.5, "V")]
                .map(|(number, unit)| typed(number, unit));
        assert_eq!(told, ["2.2k", "100n", "-3", "1m", "0", "50", "1M", "500m"]);
    }
}
