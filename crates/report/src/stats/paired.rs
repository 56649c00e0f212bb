//! Two agents on the same instances: `McNemar`'s test, and what the data could have shown.

use serde::{Deserialize, Serialize};

use super::Clusters;
use super::special::{binomial_cdf, binomial_pmf, t_quantile};

/// `McNemar`'s test on pairs of solved or not. Pairs that agree say nothing; the question is whether those that disagree
/// lean to one side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct McNemar {
    /// Pairs that both sides solved.
    pub both: u64,
    /// Pairs that only the first solved.
    pub only_a: u64,
    /// Pairs that only the second solved.
    pub only_b: u64,
    /// Pairs that neither solved.
    pub neither: u64,
    /// The exact two-sided p value.
    pub exact_p: f64,
    /// The mid-p value: less cautious than the exact one, and nearly always below its nominal error rate.
    pub mid_p: f64,
}

impl McNemar {
    /// How many pairs it was made on.
    pub fn n_pairs(&self) -> u64 {
        self.both + self.only_a + self.only_b + self.neither
    }
}

/// `McNemar`'s exact test on pairs of solved or not.
pub fn mcnemar(pairs: impl IntoIterator<Item = (bool, bool)>) -> McNemar {
    let (mut both, mut only_a, mut only_b, mut neither) = (0, 0, 0, 0);
    for pair in pairs {
        match pair {
            (true, true) => both += 1,
            (true, false) => only_a += 1,
            (false, true) => only_b += 1,
            (false, false) => neither += 1,
        }
    }
    let (exact_p, mid_p) = lean(only_a, only_b);
    McNemar { both, only_a, only_b, neither, exact_p, mid_p }
}

/// The exact and the mid-p value of so many disagreements on each side.
fn lean(only_a: u64, only_b: u64) -> (f64, f64) {
    let (n, fewer) = (only_a + only_b, only_a.min(only_b));
    if n == 0 {
        return (1.0, 1.0);
    }
    let exact = (2.0 * binomial_cdf(fewer, n, 0.5)).min(1.0);
    let at = binomial_pmf(fewer, n, 0.5);
    let mid = if only_a == only_b { 1.0 - 0.5 * at } else { exact - at };
    (exact, mid.clamp(0.0, 1.0))
}

/// Holm's correction of several p values: those among them that stay at or below 5 % are all right with a chance of 95 %.
pub fn holm(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let (mut corrected, mut largest) = (vec![1.0; values.len()], 0.0_f64);
    for (rank, idx) in order.into_iter().enumerate() {
        largest = largest.max(values[idx] * (values.len() - rank) as f64).min(1.0);
        corrected[idx] = largest;
    }
    corrected
}

/// The smallest true difference that pairs like these would have shown (two-sided 5 %) four times out of five.
///
/// From the cluster-robust standard error of the paired differences, but never below what one-sided flips need to be
/// significant in an exact test: six of them. Nothing if no difference could have been shown at all.
pub fn detectable(differences: &Clusters, n_pairs: u64) -> Option<f64> {
    let error = differences.standard_error()?;
    let degrees = differences.degrees();
    let from_spread = (t_quantile(0.975, degrees) + t_quantile(0.8, degrees)) * error;
    Some(from_spread.max(flips_floor(n_pairs)?)).filter(|difference| *difference <= 1.0)
}

/// The rate of one-sided flips at which at least six of `n` happen four times out of five.
fn flips_floor(n: u64) -> Option<f64> {
    const NEEDED: u64 = 6; // 2 / 2^6 is below 0.05, 2 / 2^5 is not.
    if n < NEEDED {
        return None;
    }
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if 1.0 - binomial_cdf(NEEDED - 1, n, middle) < 0.8 {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(high)
}

#[cfg(test)]
mod tests {
    use quintain_core::rng::Rng;

    use super::*;
    use crate::stats::Range;

    fn close(got: f64, want: f64, within: f64) {
        assert!((got - want).abs() <= within, "{got} is not {want}");
    }

    /// Fagerland, Lydersen and Laake, BMC Medical Research Methodology 13:91 (2013), the airway example of table 1:
    /// 1 and 7 discordant pairs give 0.0703 exact and 0.0391 mid-p.
    #[test]
    fn mcnemar_agrees_with_the_airway_example() {
        let (exact, mid) = lean(1, 7);
        close(exact, 0.070_312_5, 1e-10);
        close(mid, 0.039_062_5, 1e-10);
    }

    /// By hand: 3 against 3 is 1 and 1 - 20/128; none at all is 1; 0 against 6 is 2/64.
    #[test]
    fn mcnemar_agrees_with_counting_by_hand() {
        close(lean(3, 3).0, 1.0, 1e-12);
        close(lean(3, 3).1, 1.0 - 20.0 / 128.0, 1e-12);
        close(lean(0, 0).1, 1.0, 0.0);
        close(lean(0, 6).0, 2.0 / 64.0, 1e-12);
        let counted = mcnemar([(true, true), (true, false), (false, true), (false, true), (false, false)]);
        assert_eq!((counted.both, counted.only_a, counted.only_b, counted.neither), (1, 1, 2, 1));
    }

    /// By hand: 4 x 0.01, 3 x 0.02, 2 x 0.03, and 0.04, which may not be less than the one before it.
    #[test]
    fn holm_agrees_with_counting_by_hand() {
        let corrected = holm(&[0.04, 0.01, 0.03, 0.02]);
        for (got, want) in corrected.into_iter().zip([0.06, 0.04, 0.06, 0.06]) {
            close(got, want, 1e-12);
        }
        assert_eq!((holm(&[]), holm(&[0.7, 0.9])), (Vec::new(), vec![1.0, 1.0]));
    }

    #[test]
    fn mcnemar_keeps_its_error_rate() {
        let mut rng = Rng::new(11);
        let mut rejected = (0, 0);
        for _ in 0..4000 {
            let test = mcnemar((0..80).map(|_| (rng.chance(0.6), rng.chance(0.6))));
            rejected.0 += u32::from(test.exact_p < 0.05);
            rejected.1 += u32::from(test.mid_p < 0.05);
        }
        assert!(rejected.0 <= 200, "exact: {} of 4000", rejected.0);
        assert!((120..=230).contains(&rejected.1), "mid-p: {} of 4000", rejected.1);
    }

    /// Forty tasks of five pairs; a flip to b with probability `up`, to a with probability 0.1.
    fn pairs(rng: &mut Rng, up: f64) -> Clusters {
        let flip = |rng: &mut Rng| match rng.unit() {
            u if u < up => 1.0,
            u if u < up + 0.1 => -1.0,
            _ => 0.0,
        };
        Clusters::gather((0..200).map(|i| (i % 40, flip(rng))).collect::<Vec<_>>())
    }

    fn shown(clusters: &Clusters) -> bool {
        !clusters.interval(Range::Difference).unwrap().interval.covers(0.0)
    }

    #[test]
    fn the_paired_interval_finds_nothing_where_there_is_nothing() {
        let mut rng = Rng::new(12);
        let found = (0..1000).filter(|_| shown(&pairs(&mut rng, 0.1))).count();
        assert!((30..=70).contains(&found), "{found} of 1000 (3 to 7 % wanted)");
    }

    /// At the smallest detectable difference (0.111 for this design, by the formula and by hand) the power is 80 %.
    #[test]
    fn the_smallest_detectable_difference_is_detected_four_times_in_five() {
        let mut rng = Rng::new(13);
        let experiments: Vec<Clusters> = (0..1000).map(|_| pairs(&mut rng, 0.211)).collect();
        let claimed: f64 = experiments.iter().map(|e| detectable(e, 200).unwrap()).sum::<f64>() / 1000.0;
        close(claimed, 0.111, 0.002);
        let power = experiments.iter().filter(|e| shown(e)).count() as f64 / 1000.0;
        close(power, 0.8, 0.035);
    }

    #[test]
    fn too_few_pairs_could_have_shown_nothing() {
        let same = |n: u64| Clusters::gather((0..n).map(|i| (i, 0.0)));
        assert_eq!(detectable(&same(5), 5), None);
        // By hand: with six pairs all must flip, and 0.8^(1/6) of them do so often enough.
        close(detectable(&same(6), 6).unwrap(), 0.8_f64.powf(1.0 / 6.0), 1e-9);
    }
}
