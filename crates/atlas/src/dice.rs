//! Draws that need no order: whatever is drawn for an entity depends on the world's key, the strand and the entity alone.
//!
//! Sums, products and quotients of `f64` are the same on every machine; whatever is not is taken from `libm`.

use quintain_core::Rng;

use crate::Edition;

/// What tells one world from another: everything drawn derives from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorldKey(u64);

impl WorldKey {
    /// The key of an edition and a seed.
    pub(crate) fn new(edition: Edition, seed: u64) -> Self {
        Self(Rng::for_purpose(seed, &format!("atlas edition {}", edition.0)).next_u64())
    }

    /// The draws of one strand for one entity.
    pub(crate) fn dice(self, strand: Strand, id: u64) -> Dice {
        let strand = (strand as u64 + 1).wrapping_mul(0xd1b5_4a32_d192_ed03);
        Dice(mix(self.0 ^ strand).wrapping_add(id.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// The draws of one strand for an entity in one year, or any other pair.
    pub(crate) fn dice_of_pair(self, strand: Strand, id: u64, other: u64) -> Dice {
        self.dice(strand, mix(id ^ other.wrapping_mul(0xa076_1d64_78bd_642f)))
    }
}

/// What a draw is for. Draws of different strands are unrelated; a new strand changes nothing that was there before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Strand {
    Country = 1,
    Region,
    Place,
    Person,
    PersonName,
    Company,
    CompanyName,
    Officers,
    Revenue,
    SectorCycle,
    Assets,
    Restating,
    Press,
    PressFigure,
    Auditor,
    Licence,
    InterestMargin,
    Institution,
    Rector,
    Employment,
    Paper,
    Citation,
    Retraction,
    Topic,
    Venue,
    Economy,
    Series,
    SeriesBreak,
    Vintage,
    Bloc,
    Government,
    RatePath,
    ClimatePlan,
    Ordinance,
    News,
    Encyclopaedia,
    Energy,
}

/// A short stream of draws.
#[derive(Clone, Debug)]
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A whole number in `0..n`. `n` must not be zero.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// A whole number in `low..=high`.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as usize) as i64
    }

    /// A whole number in `low..=high`, as a year or a number of days.
    pub(crate) fn days(&mut self, low: i32, high: i32) -> i32 {
        self.between(i64::from(low), i64::from(high)) as i32
    }

    /// True so many times in a thousand.
    pub(crate) fn chance(&mut self, per_mille: usize) -> bool {
        self.below(1000) < per_mille
    }

    /// A number in `[0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number in `[low, high)`.
    pub(crate) fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A bell-shaped number with mean 0 and deviation 1, never beyond 3.5.
    pub(crate) fn bell(&mut self) -> f64 {
        let bits = self.next_u64();
        let sum = (bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48);
        (sum as f64 - 131_070.0) / 37_837.0
    }

    /// A positive number whose logarithm is bell-shaped about that of the median.
    pub(crate) fn log_bell(&mut self, median: f64, deviation: f64) -> f64 {
        median * libm::exp(deviation * self.bell())
    }

    /// One of the items. The list must not be empty.
    pub(crate) fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of some small items.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        *self.choose(items)
    }

    /// An index into a list of running totals, each as likely as its share. The last total must not be zero.
    pub(crate) fn weighted(&mut self, totals: &[u64]) -> usize {
        let total = totals.last().copied().unwrap_or(1).max(1);
        let draw = self.below(total as usize) as u64;
        totals.partition_point(|&up_to| up_to <= draw).min(totals.len().saturating_sub(1))
    }
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Running totals of weights, as [`Dice::weighted`] takes them.
pub(crate) fn running_totals(weights: impl IntoIterator<Item = u64>) -> Vec<u64> {
    let add = |sum: &mut u64, weight: u64| {
        *sum += weight;
        Some(*sum)
    };
    weights.into_iter().scan(0, add).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_spread_and_weights_are_heeded() {
        let key = WorldKey::new(Edition(1), 7);
        let mut dice = key.dice(Strand::Country, 3);
        let bells: Vec<f64> = (0..20_000).map(|_| dice.bell()).collect();
        let mean = bells.iter().sum::<f64>() / 20_000.0;
        let variance = bells.iter().map(|bell| bell * bell).sum::<f64>() / 20_000.0;
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        let totals = running_totals([1, 0, 3]);
        let mut counts = [0; 3];
        (0..4000).for_each(|_| counts[dice.weighted(&totals)] += 1);
        assert!(counts[1] == 0 && (900..1100).contains(&counts[0]), "{counts:?}");
        assert_ne!(key.dice(Strand::Country, 3).next_u64(), key.dice(Strand::Country, 4).next_u64());
    }
}
