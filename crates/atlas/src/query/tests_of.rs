//! What entities of a pool must pass.

use serde::{Deserialize, Serialize};

use super::{Link, Measure};
use crate::companies::LicenceKind;
use crate::entity::Entity;

/// How a number is to stand to a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Comparison {
    /// Greater than it.
    Above,
    /// Greater or equal.
    AtLeast,
    /// Less than it.
    Below,
    /// Less or equal.
    AtMost,
}

impl Comparison {
    /// Whether a number stands so.
    pub fn holds(self, number: f64, bound: f64) -> bool {
        match self {
            Self::Above => number > bound,
            Self::AtLeast => number >= bound,
            Self::Below => number < bound,
            Self::AtMost => number <= bound,
        }
    }

    /// The same comparison with its bound counted in where it was not, and the other way round.
    pub(super) fn with_other_bound(self) -> Self {
        match self {
            Self::Above => Self::AtLeast,
            Self::AtLeast => Self::Above,
            Self::Below => Self::AtMost,
            Self::AtMost => Self::Below,
        }
    }
}

/// A condition on an entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// It is related to another one.
    Is(Link, Entity),
    /// A number of it stands to a bound as told. The bound is in units, not in last digits.
    Compare(Measure, Comparison, f64),
    /// It appeared, was issued or was founded in these years, both counted in.
    Years(i32, i32),
    /// It is a paper that was not retracted.
    NotRetracted,
    /// It is a bank that held a licence on every day of a year.
    HeldLicence(LicenceKind, i32),
}
