//! A set of small numbers: one bit each.

/// A set of units by their place in the plan. It grows as needed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UnitBits {
    words: Vec<u64>,
}

impl UnitBits {
    /// Whether the number is in the set.
    pub(super) fn has(&self, number: u32) -> bool {
        let (word, bit) = place(number);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Puts the number in; says whether it was not there.
    pub(super) fn put(&mut self, number: u32) -> bool {
        let (word, bit) = place(number);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let was_out = self.words[word] & bit == 0;
        self.words[word] |= bit;
        was_out
    }

    /// Takes the number out; says whether it was there.
    pub(super) fn take(&mut self, number: u32) -> bool {
        let (word, bit) = place(number);
        let Some(word) = self.words.get_mut(word) else { return false };
        let was_in = *word & bit != 0;
        *word &= !bit;
        was_in
    }

    /// The smallest number in the set from this one on.
    pub(super) fn next(&self, from: u32) -> Option<u32> {
        let (first, bit) = place(from);
        let rest = self.words.get(first)? & !(bit - 1);
        let later = self.words.iter().copied().enumerate().skip(first + 1);
        let (word, bits) = std::iter::once((first, rest)).chain(later).find(|(_, bits)| *bits != 0)?;
        Some(word as u32 * 64 + bits.trailing_zeros())
    }

    /// The numbers in the set, in order.
    pub(super) fn all(&self) -> impl Iterator<Item = u32> {
        std::iter::successors(self.next(0), |last| self.next(last + 1))
    }

    /// How many numbers are in the set.
    pub(super) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// The numbers of this set that are in none of the others.
    pub(super) fn without(&self, others: [&Self; 2]) -> Self {
        let word = |others: &Self, at: usize| others.words.get(at).copied().unwrap_or(0);
        let rest = |(at, mine): (usize, &u64)| mine & !word(others[0], at) & !word(others[1], at);
        Self { words: self.words.iter().enumerate().map(rest).collect() }
    }

    /// The numbers that are in both sets.
    pub(super) fn both(&self, other: &Self) -> Self {
        Self { words: self.words.iter().zip(&other.words).map(|(mine, other)| mine & other).collect() }
    }
}

fn place(number: u32) -> (usize, u64) {
    (number as usize / 64, 1 << (number % 64))
}

impl FromIterator<u32> for UnitBits {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut bits = Self::default();
        for number in numbers {
            bits.put(number);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn some() -> impl Strategy<Value = BTreeSet<u32>> {
        proptest::collection::btree_set(0..300_u32, 0..80)
    }

    proptest! {
        #[test]
        fn it_is_a_set(a in some(), b in some(), c in some(), gone in some()) {
            let [mut bits, b_bits, c_bits] = [&a, &b, &c].map(|set| set.iter().copied().collect::<UnitBits>());
            let listed = |bits: &UnitBits| bits.all().collect::<BTreeSet<_>>();
            prop_assert_eq!(listed(&bits.without([&b_bits, &c_bits])), &(&a - &b) - &c);
            prop_assert_eq!(listed(&bits.both(&b_bits)), &a & &b);
            for number in &gone {
                prop_assert_eq!(bits.take(*number), a.contains(number));
            }
            prop_assert_eq!(listed(&bits), &a - &gone);
            prop_assert_eq!(bits.count() as usize, (&a - &gone).len());
            prop_assert!(gone.iter().all(|number| !bits.has(*number)));
        }
    }
}
