//! Numbers that everybody rounds alike.

/// How far from the middle between two displayed numbers a result has to be.
const CLEARANCE: f64 = 0.02;

/// Whether a number shown with so many decimals is far from where it would be shown as the next one.
pub(super) fn is_clear(number: f64, decimals: i32) -> bool {
    let scaled = (number * 10_f64.powi(decimals)).abs().fract();
    (scaled - 0.5).abs() > CLEARANCE
}

/// A number with 15 digits at most, as GRASS prints it.
pub(super) fn printed(number: f64) -> String {
    let n_before = if number.abs() < 1.0 { 1 } else { number.abs().log10().floor() as usize + 1 };
    let whole = format!("{number:.*}", 15_usize.saturating_sub(n_before));
    if whole.contains('.') { whole.trim_end_matches('0').trim_end_matches('.').to_owned() } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rounded_up_by_some_is_not_clear() {
        assert!(is_clear(2.344, 2) && is_clear(-2.346, 2));
        assert!(!is_clear(2.345_1, 2) && !is_clear(-2.344_9, 2));
    }

    #[test]
    fn numbers_have_the_digits_that_grass_gives_them() {
        assert_eq!(
            [771.0 / 29.0, 76.0, 9.184_008_746_013_31, 442.25, 0.5].map(printed),
            ["26.5862068965517", "76", "9.18400874601331", "442.25", "0.5"]
        );
    }
}
