//! Seeds that nobody can foresee without a key: the instances of a task that are kept back.

use std::fmt;
use std::str::FromStr;

use crate::task::TaskId;

/// What a key's file begins with. The number counts up when seeds are derived in another way.
const MARK: &str = "quintain-seeds-1";

/// What the key is used for. A hash for one purpose tells nothing of a hash for another.
const FOR_SEEDS: &str = "quintain 2026-11-16 private seeds of a task";
const FOR_ID: &str = "quintain 2026-11-16 id of a key of private seeds";

/// Private seeds are 2^62 to 2^63 - 1: apart from those that are trained or watched with, no negative numbers in any
/// column, and far too many to find the one of a trial by trying from the seed of its own that an agent is told.
const FIRST: u64 = 1 << 62;

/// Whether a seed is one that keys derive.
pub fn is_private(seed: u64) -> bool {
    (FIRST..FIRST << 1).contains(&seed)
}

/// A secret from which seeds of tasks are derived: the same for who holds it, and without it not to be told from chance.
#[derive(Clone, PartialEq, Eq)]
pub struct SeedKey([u8; 32]);

/// A text that is no key. It is not repeated, for it may be one with a slip in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no key of private seeds: `{MARK}` and 64 hexadecimal digits are wanted")]
pub struct NotASeedKey;

impl SeedKey {
    /// The key of a secret that was drawn at random.
    pub fn of(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// What may be told of the key: twelve hexadecimal digits, by which two keys are told apart and nothing is derived.
    pub fn id(&self) -> String {
        blake3::Hash::from_bytes(blake3::derive_key(FOR_ID, &self.0)).to_hex()[..12].to_owned()
    }

    /// The seed of a task with this number.
    pub fn seed(&self, task: &TaskId, number: u64) -> u64 {
        let mut hasher = blake3::Hasher::new_keyed(&blake3::derive_key(FOR_SEEDS, &self.0));
        hasher.update(&number.to_le_bytes()).update(task.as_str().as_bytes());
        let hash = hasher.finalize();
        let head = hash.as_bytes()[..8].try_into().expect("a hash has more than eight bytes");
        FIRST + (u64::from_le_bytes(head) >> 2)
    }

    /// The key as the text of a file, which is to be kept secret.
    pub fn secret_text(&self) -> String {
        format!("{MARK} {}\n", blake3::Hash::from_bytes(self.0).to_hex())
    }
}

/// Tells the key by its id, so that no message and no log holds the key itself.
impl fmt::Debug for SeedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SeedKey({})", self.id())
    }
}

impl FromStr for SeedKey {
    type Err = NotASeedKey;

    fn from_str(text: &str) -> Result<Self, NotASeedKey> {
        let (mark, digits) = text.trim().split_once(' ').ok_or(NotASeedKey)?;
        let secret = blake3::Hash::from_hex(digits).map_err(|_cause| NotASeedKey)?;
        if mark == MARK { Ok(Self(*secret.as_bytes())) } else { Err(NotASeedKey) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// Seeds are part of what runs are compared by, so they are the same for ever.
    #[test]
    fn seeds_are_the_same_for_who_holds_the_key() {
        let key = SeedKey::of([7; 32]);
        let (maze, jigsaw): (TaskId, TaskId) = ("puzzles/maze-2d".parse().unwrap(), "puzzles/jigsaw".parse().unwrap());
        let seeds: BTreeSet<u64> =
            (0..500).flat_map(|number| [key.seed(&maze, number), key.seed(&jigsaw, number)]).collect();
        assert_eq!(seeds.len(), 1000);
        assert!(seeds.iter().all(|seed| (1 << 62..1 << 63).contains(seed) && is_private(*seed)));
        assert!(![0, (1 << 62) - 1, 1 << 63].into_iter().any(is_private));
        assert_ne!(key.seed(&maze, 0), SeedKey::of([8; 32]).seed(&maze, 0));
        insta::assert_snapshot!(format!("{} {}", key.id(), key.seed(&maze, 0)), @"7271490dcbd7 6465836041502527012");
    }

    #[test]
    fn a_key_is_read_as_it_is_written_and_never_told() {
        let key = SeedKey::of([171; 32]);
        let text = key.secret_text();
        assert_eq!(text.parse(), Ok(key.clone()));
        let told = format!("{key:?} {}", key.id());
        assert!(!told.contains("abab"), "{told}");
        for wrong in
            ["", "quintain-seeds-1", "quintain-seeds-2 00", &text[..60], &text.replace("ab", "xy"), &text[17..]]
        {
            assert_eq!(wrong.parse::<SeedKey>(), Err(NotASeedKey), "{wrong}");
        }
    }
}
