//! Whole numbers cut into portions, for solvers that go a way in several steps.

use quintain_core::rng::Rng;

/// Cuts a whole number into so many random portions of its own sign, none of them nothing. There are fewer where the
/// number has not so many units; nothing has no portions.
pub(crate) fn portions(total: i64, n: usize, rng: &mut Rng) -> Vec<i64> {
    let n = n.min(total.unsigned_abs() as usize);
    (1..=n)
        .rev()
        .scan(total, |left, n_left| {
            let portion = portion(left.abs(), n_left as i64, rng) * left.signum();
            *left -= portion;
            Some(portion)
        })
        .collect()
}

/// About an even share of what is left, so that at least one unit stays for each of the others.
fn portion(left: i64, n_left: i64, rng: &mut Rng) -> i64 {
    if n_left == 1 {
        return left;
    }
    let share = left as f64 / n_left as f64 * rng.uniform(0.5, 1.5);
    (share.round() as i64).clamp(1, left - (n_left - 1))
}

/// The way from one whole degree to another round a circle of 360, the shorter way: from -179 to 180.
pub(crate) fn shorter_way(from: i64, to: i64) -> i64 {
    let way = (to - from).rem_euclid(360);
    if way > 180 { way - 360 } else { way }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Rng, portions, shorter_way};

    #[test]
    fn the_shorter_way_round_is_taken() {
        let ways = [(0, 180), (0, 181), (350, 10), (10, 350), (90, 90)].map(|(from, to)| shorter_way(from, to));
        assert_eq!(ways, [180, -179, 20, -20, 0]);
    }

    proptest! {
        #[test]
        fn portions_add_up_and_none_is_nothing(total in -400_i64..400, n in 0_usize..500, seed in any::<u64>()) {
            let cut = portions(total, n, &mut Rng::new(seed));
            prop_assert_eq!(cut.len(), n.min(total.unsigned_abs() as usize));
            prop_assert!(cut.iter().all(|portion| portion.signum() == total.signum()));
            prop_assert!(cut.is_empty() || cut.iter().sum::<i64>() == total);
        }
    }
}
