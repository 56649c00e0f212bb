//! What repeats of the same instance say: once in k, and k in a row.

/// The chance that at least one of `k` repeats is solved, when `solved` of `n` were: the unbiased estimate
/// 1 - C(n - solved, k) / C(n, k). Nothing if there are fewer than `k` repeats.
pub fn pass_any(n: u64, solved: u64, k: u64) -> Option<f64> {
    share_of_draws(n, n.checked_sub(solved)?, k).map(|none| 1.0 - none)
}

/// The chance that all of `k` repeats are solved, when `solved` of `n` were: the unbiased estimate C(solved, k) / C(n, k).
/// Nothing if there are fewer than `k` repeats.
pub fn pass_all(n: u64, solved: u64, k: u64) -> Option<f64> {
    share_of_draws(n, solved, k)
}

/// Of all ways to draw `k` of `n` things, the share that draws only from a given `part` of them.
fn share_of_draws(n: u64, part: u64, k: u64) -> Option<f64> {
    if k > n || part > n {
        return None;
    }
    if k > part {
        return Some(0.0);
    }
    Some((0..k).map(|i| (part - i) as f64 / (n - i) as f64).product())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand, from the formulas of Chen et al. 2021 (pass@k) and Yao et al. 2024 (pass^k).
    #[test]
    fn estimates_agree_with_counting_by_hand() {
        let near = |got: Option<f64>, want: f64| assert!((got.unwrap() - want).abs() < 1e-12, "{got:?} is not {want}");
        near(pass_any(5, 2, 1), 0.4);
        near(pass_any(5, 2, 2), 0.7); // 1 - 3/10
        near(pass_any(5, 2, 4), 1.0);
        near(pass_all(5, 2, 2), 0.1); // 1/10
        near(pass_all(5, 4, 3), 0.4); // 4/10
        near(pass_all(5, 2, 3), 0.0);
        assert_eq!(pass_any(3, 1, 4), None);
    }

    /// With k = 1 both are the share solved; more draws help the one and hurt the other.
    #[test]
    fn both_start_at_the_share_and_part_ways() {
        for solved in 0..=6 {
            for k in 1..6 {
                assert!(pass_any(6, solved, k) <= pass_any(6, solved, k + 1));
                assert!(pass_all(6, solved, k) >= pass_all(6, solved, k + 1));
            }
            assert_eq!(pass_all(6, solved, 1), Some(solved as f64 / 6.0));
        }
    }
}
