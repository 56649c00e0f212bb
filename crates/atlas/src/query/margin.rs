//! By how much an answer is what it is.

use crate::value::{MeasureUnit, Number};

/// Which two numbers a margin lies between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarginKind {
    /// The best and the runner-up.
    RunnerUp,
    /// The last that belongs to the first few and the first that does not.
    Cut,
    /// A bound and the candidate that is nearest to it.
    Threshold,
    /// Two candidates that stand next to each other in a ranking.
    Neighbours,
}

/// How far two numbers are apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin {
    /// Which two.
    pub kind: MarginKind,
    /// How far, in units of the last digit shown; days for dates.
    pub units: f64,
    /// How far, in percent of the larger one; a hundred for dates and ranks, of which a day or a place is enough.
    pub percent: f64,
}

/// How far apart numbers have to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// In units of the last digit shown.
    pub units: f64,
    /// In percent.
    pub percent: f64,
}

impl Clearance {
    /// What instances are drawn with: two units of the last digit, and two percent.
    pub const USUAL: Self = Self { units: 2.0, percent: 2.0 };
}

impl Margin {
    pub(super) fn between(kind: MarginKind, one: Number, other: Number) -> Self {
        Self::of_values(kind, one, other.value())
    }

    pub(super) fn of_values(kind: MarginKind, number: Number, bound: f64) -> Self {
        let apart = (number.value() - bound).abs();
        let largest = number.value().abs().max(bound.abs());
        let is_plain = matches!(number.unit, MeasureUnit::Day | MeasureUnit::Year | MeasureUnit::Rank);
        let percent = if is_plain && apart > 0.0 || largest == 0.0 { 100.0 } else { apart / largest * 100.0 };
        Self { kind, units: apart * 10_i64.pow(number.digits) as f64, percent }
    }

    /// Whether the margin is wide enough. Neighbours in a ranking and bounds need to differ as shown; days and places by one.
    pub fn is_clear(&self, clearance: Clearance) -> bool {
        match self.kind {
            MarginKind::Threshold | MarginKind::Neighbours => self.units >= clearance.units.min(1.0),
            // A whole percentage stands only for numbers that are told apart by one unit.
            _ if self.percent >= 100.0 => self.units >= 1.0,
            _ => self.units >= clearance.units && self.percent >= clearance.percent,
        }
    }
}
