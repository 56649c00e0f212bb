//! Which seeds demonstrations are made of.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

/// Seeds that are set apart from those that agents are tested with. All others are for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeedSpace {
    /// To train with.
    Train,
    /// To watch a training with.
    Validation,
}

/// Each space has so many seeds. They are small enough for every reader of JSON to keep them exactly.
const N_SEEDS: u64 = 1 << 48;

impl SeedSpace {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Train, Self::Validation];

    /// Its seeds: 2^48 to 2^49 - 1 to train with, 2^49 to 2^49 + 2^48 - 1 to watch with.
    pub fn seeds(self) -> RangeInclusive<u64> {
        let first = match self {
            Self::Train => N_SEEDS,
            Self::Validation => 2 * N_SEEDS,
        };
        first..=first + N_SEEDS - 1
    }

    /// The space of a seed; nothing for those that agents are tested with.
    pub fn of(seed: u64) -> Option<Self> {
        Self::ALL.into_iter().find(|space| space.seeds().contains(&seed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_do_not_overlap_and_fit_a_double() {
        let [train, validation] = SeedSpace::ALL.map(SeedSpace::seeds);
        assert!(train.end() < validation.start());
        assert!(*validation.end() < 1 << 53);
        assert_eq!(SeedSpace::of(0), None);
        assert_eq!(SeedSpace::of(u64::from(u32::MAX)), None);
        assert_eq!(SeedSpace::of(*train.start()), Some(SeedSpace::Train));
        assert_eq!(SeedSpace::of(train.start() - 1), None);
        assert_eq!(SeedSpace::of(validation.end() + 1), None);
    }
}
