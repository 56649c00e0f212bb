//! Digits and operators, laid in matches.
//!
//! ```text
//!   -0-
//!  5   1       7           \ /
//!   -6-      6-+-6       8  X  9      = is two bars that stay
//!  4   2       7           / \
//!   -3-
//! ```
//!
//! A minus is segment 6 alone, a plus 6 and 7; a division is segment 9 alone, a multiplication 8 and 9.

/// Segments that a match can lie on.
pub const N_SEGMENTS: usize = 10;

/// One symbol of an equation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(u8);

const CHARS: [char; 15] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '-', '*', '/', '='];

/// The segments of each symbol, one bit each, the lowest for segment 0. The equals sign has bits of its own.
const SEGMENTS: [u16; 15] = [
    0b011_1111,
    0b000_0110,
    0b101_1011,
    0b100_1111,
    0b110_0110,
    0b110_1101,
    0b111_1101,
    0b000_0111,
    0b111_1111,
    0b110_1111,
    0b00_1100_0000,
    0b00_0100_0000,
    0b11_0000_0000,
    0b10_0000_0000,
    0b1100_0000_0000,
];

impl Symbol {
    /// The equals sign.
    pub const EQUALS: Self = Self(14);

    /// All symbols.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..CHARS.len() as u8).map(Self)
    }

    /// The symbol that a character writes.
    pub fn of(character: char) -> Option<Self> {
        CHARS.iter().position(|known| *known == character).map(|at| Self(at as u8))
    }

    /// The character that writes it.
    pub fn char(self) -> char {
        CHARS[self.0 as usize]
    }

    /// Its value, if it is a digit.
    pub fn digit(self) -> Option<u8> {
        (self.0 < 10).then_some(self.0)
    }

    /// Whether there is a match on a segment.
    pub fn has(self, segment: u8) -> bool {
        SEGMENTS[self.0 as usize] >> segment & 1 == 1
    }

    /// How many matches it is made of.
    pub fn n_matches(self) -> u32 {
        SEGMENTS[self.0 as usize].count_ones()
    }

    /// The symbol with a match more or less on a segment, if that is one.
    pub(super) fn toggled(self, segment: u8) -> Option<Self> {
        let wanted = SEGMENTS[self.0 as usize] ^ 1 << segment;
        SEGMENTS.iter().position(|segments| *segments == wanted).map(|at| Self(at as u8))
    }

    /// Whether moves can turn the one into the other.
    pub(super) fn is_akin(self, other: Self) -> bool {
        const KIN: [u8; 15] = [0, 1, 2, 0, 4, 0, 0, 1, 0, 0, 10, 10, 12, 12, 14];
        KIN[self.0 as usize] == KIN[other.0 as usize]
    }

    /// A number of its own below 16.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_match_more_or_less_makes_these() {
        let told = |symbol: Symbol| {
            let others = (0..N_SEGMENTS as u8).filter_map(|segment| Some((segment, symbol.toggled(segment)?)));
            let others = others.map(|(segment, other)| {
                format!("{}{segment} gives {}", if symbol.has(segment) { '-' } else { '+' }, other.char())
            });
            format!("{} ({}): {}", symbol.char(), symbol.n_matches(), others.collect::<Vec<_>>().join(", "))
        };
        let said = Symbol::all().map(told).collect::<Vec<_>>().join("\n");
        insta::assert_snapshot!(said, @"
        0 (6): +6 gives 8
        1 (2): +0 gives 7
        2 (5): 
        3 (5): +5 gives 9
        4 (4): 
        5 (5): +1 gives 9, +4 gives 6
        6 (6): +1 gives 8, -4 gives 5
        7 (3): -0 gives 1
        8 (7): -1 gives 6, -4 gives 9, -6 gives 0
        9 (6): -1 gives 5, +4 gives 8, -5 gives 3
        + (2): -7 gives -
        - (1): +7 gives +
        * (2): -8 gives /
        / (1): +8 gives *
        = (2):
        ");
    }

    #[test]
    fn symbols_are_akin_when_a_chain_of_single_matches_joins_them() {
        for symbol in Symbol::all() {
            let mut reached = vec![symbol];
            let mut at = 0;
            while at < reached.len() {
                let next: Vec<Symbol> = (0..N_SEGMENTS as u8).filter_map(|s| reached[at].toggled(s)).collect();
                reached.extend(next.into_iter().filter(|next| !reached.contains(next)).collect::<Vec<_>>());
                at += 1;
            }
            for other in Symbol::all() {
                assert_eq!(symbol.is_akin(other), reached.contains(&other), "{} and {}", symbol.char(), other.char());
            }
        }
    }
}
