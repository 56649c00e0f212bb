//! Dividing a whole number among unequal parts.

/// Divides `total` by weights, each part at least `least`. The parts add up to the total exactly.
///
/// `total` must be at least `least` for each part.
pub(crate) fn shares(total: usize, weights: &[f64], least: usize) -> Vec<usize> {
    let free = total - least * weights.len();
    let sum: f64 = weights.iter().sum();
    let exact: Vec<f64> = weights.iter().map(|weight| weight / sum * free as f64).collect();
    let mut parts: Vec<usize> = exact.iter().map(|&part| least + part as usize).collect();
    let mut by_rest: Vec<usize> = (0..weights.len()).collect();
    by_rest.sort_by(|&a, &b| (exact[b] - exact[b].trunc()).total_cmp(&(exact[a] - exact[a].trunc())).then(a.cmp(&b)));
    let missing = total - parts.iter().sum::<usize>();
    by_rest.into_iter().cycle().take(missing).for_each(|part| parts[part] += 1);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        assert_eq!(shares(10, &[1.0, 1.0, 1.0], 1), [4, 3, 3]);
        assert_eq!(shares(9, &[5.0, 1.0, 0.0], 2), [5, 2, 2]);
        assert_eq!(shares(100, &[1.0, 2.0, 4.0, 8.0], 0).iter().sum::<usize>(), 100);
    }
}
