//! The few special functions that intervals and tests need, to about ten digits.

/// The share of a standard normal distribution below `z`.
///
/// A power series around zero; beyond eight deviations the answer is 0 or 1 to all digits that matter here.
pub fn normal_cdf(z: f64) -> f64 {
    if z.abs() > 8.0 {
        return if z > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (z, z, 1.0);
    loop {
        odd += 2.0;
        term *= z * z / odd;
        sum += term;
        if term.abs() <= 1e-17 * sum.abs() {
            break;
        }
    }
    let density = (-0.5 * z * z).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

/// The point below which a share of a standard normal distribution lies.
pub fn normal_quantile(share: f64) -> f64 {
    invert(normal_cdf, share, 8.0)
}

/// The share of Student's distribution below `t`.
pub fn t_cdf(t: f64, degrees: f64) -> f64 {
    let tail = 0.5 * beta_share(degrees / (degrees + t * t), 0.5 * degrees, 0.5);
    if t > 0.0 { 1.0 - tail } else { tail }
}

/// The point below which a share of Student's distribution lies.
pub fn t_quantile(share: f64, degrees: f64) -> f64 {
    invert(|t| t_cdf(t, degrees), share, 1e6)
}

/// The probability of at most `hits` out of `n` when each has probability `p`.
pub fn binomial_cdf(hits: u64, n: u64, p: f64) -> f64 {
    if hits >= n {
        return 1.0;
    }
    beta_share(1.0 - p, (n - hits) as f64, hits as f64 + 1.0)
}

/// The probability of exactly `hits` out of `n` when each has probability `p`, which is neither 0 nor 1.
pub fn binomial_pmf(hits: u64, n: u64, p: f64) -> f64 {
    let (k, m) = (hits as f64, n as f64);
    let ln_choose = ln_gamma(m + 1.0) - ln_gamma(k + 1.0) - ln_gamma(m - k + 1.0);
    (ln_choose + k * p.ln() + (m - k) * (1.0 - p).ln()).exp()
}

/// The regularised incomplete beta function: the share of a beta distribution below `x`.
pub fn beta_share(x: f64, a: f64, b: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    // The fraction converges fast only on the near side of the mean.
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - beta_share(1.0 - x, b, a);
    }
    let ln_front = a * x.ln() + b * (1.0 - x).ln() + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b);
    ln_front.exp() * beta_fraction(x, a, b) / a
}

/// The continued fraction of the incomplete beta function, evaluated from the front (Lentz's method).
fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    let away_from_zero = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut upper = 1.0;
    let mut lower = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut value = lower;
    for i in 1..10_000 {
        let i = f64::from(i);
        let even = i * (b - i) * x / ((a + 2.0 * i - 1.0) * (a + 2.0 * i));
        let odd = -(a + i) * (a + b + i) * x / ((a + 2.0 * i) * (a + 2.0 * i + 1.0));
        let before = value;
        for coefficient in [even, odd] {
            lower = 1.0 / away_from_zero(1.0 + coefficient * lower);
            upper = away_from_zero(1.0 + coefficient / upper);
            value *= upper * lower;
        }
        if (value - before).abs() <= 1e-15 * value.abs() {
            break;
        }
    }
    value
}

/// The logarithm of the gamma function for positive numbers: Stirling's series, after shifting small ones up.
pub fn ln_gamma(x: f64) -> f64 {
    let (mut x, mut shift) = (x, 0.0);
    while x < 12.0 {
        shift += x.ln();
        x += 1.0;
    }
    let inverse_square = 1.0 / (x * x);
    let series = [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0];
    let correction = series.iter().rev().fold(0.0, |sum, term| sum * inverse_square + term) / x;
    (x - 0.5) * x.ln() - x + 0.5 * (2.0 * std::f64::consts::PI).ln() + correction - shift
}

/// Where a rising function reaches a value, by halving the stretch from `-bound` to `bound`.
fn invert(rising: impl Fn(f64) -> f64, value: f64, bound: f64) -> f64 {
    let (mut low, mut high) = (-bound, bound);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if rising(middle) < value {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, want: f64, within: f64) {
        assert!((got - want).abs() <= within, "{got} is not {want}");
    }

    /// Abramowitz and Stegun, Handbook of Mathematical Functions, table 26.1.
    #[test]
    fn normal_values_agree_with_the_handbook() {
        close(normal_cdf(1.0), 0.841_344_746_068_543, 1e-12);
        close(normal_cdf(-2.0), 0.022_750_131_948_179, 1e-12);
        close(normal_quantile(0.975), 1.959_963_984_540_054, 1e-10);
        close(normal_quantile(0.8), 0.841_621_233_572_914, 1e-10);
    }

    /// The usual printed tables of Student's distribution (for example NIST/SEMATECH e-Handbook, section 1.3.6.7.2).
    #[test]
    fn student_values_agree_with_the_tables() {
        for (degrees, want) in [(1.0, 12.706), (5.0, 2.571), (10.0, 2.228), (29.0, 2.045), (100.0, 1.984)] {
            close(t_quantile(0.975, degrees), want, 5e-4);
        }
    }

    /// By hand: sums of binomial coefficients over powers of two; logarithms of factorials.
    #[test]
    fn binomial_and_gamma_values_agree_with_sums_by_hand() {
        close(binomial_cdf(1, 8, 0.5), 9.0 / 256.0, 1e-12);
        close(binomial_cdf(4, 10, 0.5), 386.0 / 1024.0, 1e-12);
        close(binomial_pmf(3, 10, 0.5), 120.0 / 1024.0, 1e-12);
        close(binomial_cdf(2, 4, 0.1), 0.6561 + 0.2916 + 0.0486, 1e-12);
        close(ln_gamma(1.0), 0.0, 1e-12);
        close(ln_gamma(0.5), std::f64::consts::PI.sqrt().ln(), 1e-12);
        close(ln_gamma(11.0), 3_628_800_f64.ln(), 1e-11);
    }

    #[test]
    fn tails_of_large_samples_add_up() {
        let (n, p) = (500, 0.3);
        let summed: f64 = (0..=140).map(|hits| binomial_pmf(hits, n, p)).sum();
        close(binomial_cdf(140, n, p), summed, 1e-10);
    }
}
