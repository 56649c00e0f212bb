//! Draws of sites: which wording, which look. They depend on the world's seed and on what they are for alone.

use quintain_core::Rng;

/// A short stream of draws.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw(u64);

impl Draw {
    /// The stream of a world for one purpose.
    pub(crate) fn of_world(seed: u64, purpose: &str) -> Self {
        Self(Rng::for_purpose(seed, purpose).next_u64())
    }

    /// A stream of this one's own for a number; those of different numbers are unrelated.
    pub(crate) fn fork(self, number: u64) -> Self {
        Self(mix(self.0 ^ mix(number.wrapping_add(0x9e37_79b9_7f4a_7c15))))
    }

    /// A stream of this one's own for a text.
    pub(crate) fn fork_text(self, text: &str) -> Self {
        text.bytes().fold(self, |draw, byte| Self(mix(draw.0.wrapping_add(u64::from(byte) + 1))))
    }

    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A whole number in `0..n`; 0 where `n` is 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// True so many times in a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the items. The list must not be empty.
    pub(crate) fn choose<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// Turns every bit of a number over with every other.
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
