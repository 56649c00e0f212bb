//! Wilson's score interval for a share.

use super::Interval;

/// The point of the normal distribution that leaves 2.5 % above.
const Z: f64 = 1.959_963_984_540_054;

/// Wilson's score interval for `hits` out of `n`, as if the trials had nothing to do with each other; nothing if there
/// are none.
pub fn wilson(hits: u64, n: u64) -> Option<Interval> {
    (n > 0).then(|| wilson_at(hits as f64 / n as f64, n as f64))
}

/// Wilson's score interval around an observed share. `n`, which is above zero, may be an effective sample size.
pub fn wilson_at(share: f64, n: f64) -> Interval {
    let widening = 1.0 + Z * Z / n;
    let centre = (share + Z * Z / (2.0 * n)) / widening;
    let half = Z / widening * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    // At the ends the formula gives exactly 0 and 1, up to rounding.
    let low = if share <= 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if share >= 1.0 { 1.0 } else { (centre + half).min(1.0) };
    Interval { low, high }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, Statistics in Medicine 17 (1998), table I, the score method without continuity correction.
    #[test]
    fn intervals_agree_with_newcombe() {
        for (hits, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let got = wilson(hits, n).unwrap();
            assert!((got.low - low).abs() < 5e-5 && (got.high - high).abs() < 5e-5, "{hits}/{n}: {got:?}");
        }
        assert_eq!(wilson(0, 0), None);
        assert_eq!(wilson(5, 5).map(|interval| interval.high.to_bits()), Some(1.0_f64.to_bits()));
    }
}
