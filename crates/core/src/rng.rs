//! Seeded randomness that gives the same numbers on every machine and in every version.
//!
//! Instances are made from seeds and re-made years later, so the generator is fixed here (xoshiro256++ seeded by
//! `SplitMix64`, both public domain algorithms) rather than borrowed from a crate whose streams may change.

/// A seeded stream of numbers.
#[derive(Clone, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut state = seed;
        Self(std::array::from_fn(|_| split_mix(&mut state)))
    }

    /// The stream of a seed for one purpose: streams of different purposes are unrelated.
    pub fn for_purpose(seed: u64, purpose: &str) -> Self {
        let hash = blake3::hash(purpose.as_bytes());
        let mut low = [0; 8];
        low.copy_from_slice(&hash.as_bytes()[..8]);
        Self::new(seed ^ u64::from_le_bytes(low))
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.0;
        let result = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        result
    }

    /// A whole number in `0..n`, every one equally likely. `n` must not be zero.
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "there is no number below zero to draw");
        let n = n as u64;
        let limit = u64::MAX - u64::MAX % n;
        loop {
            let draw = self.next_u64();
            if draw < limit {
                return (draw % n) as usize;
            }
        }
    }

    /// A whole number in `low..=high`.
    pub fn between(&mut self, low: i64, high: i64) -> i64 {
        match high.wrapping_sub(low).cast_unsigned().checked_add(1) {
            Some(span) => low.wrapping_add(self.below(span as usize) as i64),
            None => self.next_u64().cast_signed(),
        }
    }

    /// A number in `[0, 1)` with 53 random bits.
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A number in `[low, high)`.
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with the given probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// One of the items. The list must not be empty.
    pub fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Puts the items in a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut rng = Rng::new(42);
        let draws: Vec<u64> = (0..3).map(|_| rng.next_u64()).collect();
        assert_eq!(draws, [15_021_278_609_987_233_951, 5_881_210_131_331_364_753, 18_149_643_915_985_481_100]);
    }

    #[test]
    fn draws_stay_in_range_and_spread() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 6];
        for _ in 0..6000 {
            counts[rng.below(6)] += 1;
        }
        assert!(counts.iter().all(|&n| (850..1150).contains(&n)), "{counts:?}");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&rng.unit())));
        assert!((0..1000).all(|_| (-3..=3).contains(&rng.between(-3, 3))));
    }
}
