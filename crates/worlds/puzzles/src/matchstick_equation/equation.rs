//! The equation: a row of symbols that reads as two sides, whether they are equal, and the moves of single matches.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::symbol::{N_SEGMENTS, Symbol};

/// The most symbols an equation may have: values then never overflow.
const MOST_SYMBOLS: usize = 16;

/// A row of symbols that reads as `number operator number ... = number ...`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Equation {
    symbols: Vec<Symbol>,
}

/// A match that is taken from one symbol and added to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "[u8; 4]", into = "[u8; 4]")]
pub struct MatchMove {
    /// The symbol it is taken from, counted from 0.
    pub src_idx: u8,
    /// The segment it is taken from.
    pub src_seg: u8,
    /// The symbol it is added to.
    pub dst_idx: u8,
    /// The segment it is put on.
    pub dst_seg: u8,
}

/// Why a match cannot be moved. The text is what the agent is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Against {
    /// There is no such symbol.
    #[error("There is no symbol {0}.")]
    NoSymbol(u8),
    /// From and to the same symbol.
    #[error("A match must go to another symbol than it came from.")]
    SameSymbol,
    /// The equals sign is not to be touched.
    #[error("The equals sign must stay as it is.")]
    Equals,
    /// Nothing to take.
    #[error("Symbol {0} has no match on segment {1}.")]
    NoMatch(u8, u8),
    /// No room.
    #[error("Symbol {0} has a match on segment {1} already.")]
    Taken(u8, u8),
    /// What is left is nothing.
    #[error("Without its match on segment {1}, symbol {0} would be no symbol.")]
    LeavesNone(u8, u8),
    /// What comes of it is nothing.
    #[error("With a match on segment {1}, symbol {0} would be no symbol.")]
    MakesNone(u8, u8),
}

/// A text that is no equation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an equation of at most {MOST_SYMBOLS} symbols")]
pub struct NotAnEquation(String);

/// A symbol, counted from 0, and one of its segments.
type SegmentPlace = (u8, u8);

/// A fraction. The lower part is never zero and never below it.
#[derive(Clone, Copy)]
struct Fraction {
    over: i128,
    under: i128,
}

impl MatchMove {
    /// The same match on its way back.
    #[must_use]
    pub fn back(self) -> Self {
        Self { src_idx: self.dst_idx, src_seg: self.dst_seg, dst_idx: self.src_idx, dst_seg: self.src_seg }
    }
}

impl Equation {
    /// Its symbols, from the left.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// How many matches it is made of.
    pub fn n_matches(&self) -> u32 {
        self.symbols.iter().map(|symbol| symbol.n_matches()).sum()
    }

    /// The equation after a move, or why the move is against the rules.
    pub fn moved(&self, moving: MatchMove) -> Result<Self, Against> {
        let MatchMove { src_idx, src_seg, dst_idx, dst_seg } = moving;
        let symbol = |idx: u8| self.symbols.get(idx as usize).copied().ok_or(Against::NoSymbol(idx));
        let (src, dst) = (symbol(src_idx)?, symbol(dst_idx)?);
        if src_idx == dst_idx {
            return Err(Against::SameSymbol);
        }
        if src == Symbol::EQUALS || dst == Symbol::EQUALS {
            return Err(Against::Equals);
        }
        if src_seg >= N_SEGMENTS as u8 || !src.has(src_seg) {
            return Err(Against::NoMatch(src_idx, src_seg));
        }
        if dst_seg < N_SEGMENTS as u8 && dst.has(dst_seg) {
            return Err(Against::Taken(dst_idx, dst_seg));
        }
        let left = src.toggled(src_seg).ok_or(Against::LeavesNone(src_idx, src_seg))?;
        let made = Some(dst).filter(|_| dst_seg < N_SEGMENTS as u8).and_then(|dst| dst.toggled(dst_seg));
        let made = made.ok_or(Against::MakesNone(dst_idx, dst_seg))?;
        let mut equation = self.clone();
        equation.symbols[src_idx as usize] = left;
        equation.symbols[dst_idx as usize] = made;
        Ok(equation)
    }

    /// All moves, and the equations they lead to.
    pub fn moves(&self) -> Vec<(MatchMove, Self)> {
        let (losses, gains) = self.changes();
        let pairs = losses.iter().flat_map(|loss| gains.iter().map(move |gain| (*loss, *gain)));
        let moves =
            pairs.map(|((src_idx, src_seg), (dst_idx, dst_seg))| MatchMove { src_idx, src_seg, dst_idx, dst_seg });
        moves.filter_map(|moving| Some((moving, self.moved(moving).ok()?))).collect()
    }

    /// The symbols and segments where a single match can be taken, and those where one can be added.
    fn changes(&self) -> (Vec<SegmentPlace>, Vec<SegmentPlace>) {
        let places = (0..self.symbols.len() as u8).flat_map(|idx| (0..N_SEGMENTS as u8).map(move |seg| (idx, seg)));
        let symbol = |idx: u8| self.symbols[idx as usize];
        places.filter(|(idx, seg)| symbol(*idx).toggled(*seg).is_some()).partition(|(idx, seg)| symbol(*idx).has(*seg))
    }

    /// Whether both sides have the same value. A side that divides by zero has none.
    pub fn is_true(&self) -> bool {
        self.sides().is_some_and(|(left, right)| left.minus(right).over == 0)
    }

    /// How far the values of the sides are apart, if both have one.
    pub fn difference(&self) -> Option<f64> {
        let (left, right) = self.sides()?;
        let Fraction { over, under } = left.minus(right);
        Some(over.unsigned_abs() as f64 / under as f64)
    }

    /// Whether a number of several digits begins with a zero.
    pub(super) fn has_zeros_in_front(&self) -> bool {
        let mut numbers = self.symbols.split(|symbol| symbol.digit().is_none());
        numbers.any(|digits| digits.len() > 1 && digits[0].digit() == Some(0))
    }

    /// How many symbols could not have come from those of another equation by moves.
    pub fn n_unlike(&self, other: &Self) -> usize {
        let unlike = self.symbols.iter().zip(&other.symbols).filter(|(a, b)| !a.is_akin(**b)).count();
        unlike + self.symbols.len().abs_diff(other.symbols.len())
    }

    /// The value of a side that is written out, if it is a whole number.
    pub(super) fn value_of(side: &str) -> Option<i128> {
        let symbols: Vec<Symbol> = side.chars().map(Symbol::of).collect::<Option<_>>()?;
        let Fraction { over, under } = value(&symbols)?;
        (over % under == 0).then(|| over / under)
    }

    /// The equation with another symbol in one place, if that still is one.
    pub(super) fn with(&self, idx: usize, symbol: Symbol) -> Option<Self> {
        let mut symbols = self.symbols.clone();
        *symbols.get_mut(idx)? = symbol;
        Self::read(symbols)
    }

    fn sides(&self) -> Option<(Fraction, Fraction)> {
        let mut sides = self.symbols.split(|symbol| *symbol == Symbol::EQUALS);
        Some((value(sides.next()?)?, value(sides.next()?)?))
    }

    /// Takes a row of symbols if it reads as an equation.
    fn read(symbols: Vec<Symbol>) -> Option<Self> {
        let n_equals = symbols.iter().filter(|symbol| **symbol == Symbol::EQUALS).count();
        let numbers = symbols.split(|symbol| symbol.digit().is_none());
        let sound =
            n_equals == 1 && symbols.len() <= MOST_SYMBOLS && numbers.into_iter().all(|digits| !digits.is_empty());
        sound.then_some(Self { symbols })
    }
}

/// The value of a side: multiplication and division first, then addition and subtraction, each from the left.
fn value(side: &[Symbol]) -> Option<Fraction> {
    let mut numbers = side.split(|symbol| symbol.digit().is_none()).map(number);
    let operators = side.iter().filter(|symbol| symbol.digit().is_none()).map(|symbol| symbol.char());
    let mut sum = Fraction { over: 0, under: 1 };
    let mut term = numbers.next()?;
    for (operator, number) in operators.zip(numbers) {
        match operator {
            '*' => term = term.times(number),
            '/' => term = term.divided_by(number)?,
            '+' => sum = sum.plus(std::mem::replace(&mut term, number)),
            _ => sum = sum.plus(std::mem::replace(&mut term, number.negative())),
        }
    }
    Some(sum.plus(term))
}

/// Digits as a number; zeros in front count for nothing.
fn number(digits: &[Symbol]) -> Fraction {
    let over = digits.iter().filter_map(|symbol| symbol.digit()).fold(0, |value, digit| value * 10 + i128::from(digit));
    Fraction { over, under: 1 }
}

impl Fraction {
    fn plus(self, other: Self) -> Self {
        Self { over: self.over * other.under + other.over * self.under, under: self.under * other.under }
    }

    fn minus(self, other: Self) -> Self {
        self.plus(other.negative())
    }

    fn negative(self) -> Self {
        Self { over: -self.over, ..self }
    }

    fn times(self, other: Self) -> Self {
        Self { over: self.over * other.over, under: self.under * other.under }
    }

    /// Only ever by a number as it is written: not negative, and over one.
    fn divided_by(self, other: Self) -> Option<Self> {
        (other.over != 0).then(|| Self { over: self.over * other.under, under: self.under * other.over })
    }
}

impl TryFrom<String> for Equation {
    type Error = NotAnEquation;

    fn try_from(text: String) -> Result<Self, NotAnEquation> {
        let symbols: Option<Vec<Symbol>> = text.chars().map(Symbol::of).collect();
        symbols.and_then(Self::read).ok_or(NotAnEquation(text))
    }
}

impl From<Equation> for String {
    fn from(equation: Equation) -> Self {
        equation.to_string()
    }
}

impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.symbols.iter().try_for_each(|symbol| write!(f, "{}", symbol.char()))
    }
}

impl From<[u8; 4]> for MatchMove {
    fn from([src_idx, src_seg, dst_idx, dst_seg]: [u8; 4]) -> Self {
        Self { src_idx, src_seg, dst_idx, dst_seg }
    }
}

impl From<MatchMove> for [u8; 4] {
    fn from(moving: MatchMove) -> Self {
        [moving.src_idx, moving.src_seg, moving.dst_idx, moving.dst_seg]
    }
}
