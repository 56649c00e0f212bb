//! A score between nothing and everything.

use serde::{Deserialize, Serialize};

/// How much of a task was achieved. Invariant: within 0.0..=1.0, never NaN.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Score(f64);

impl Score {
    /// Nothing achieved.
    pub const ZERO: Self = Self(0.0);
    /// Everything achieved.
    pub const ONE: Self = Self(1.0);

    /// A score, if the value is one.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The nearest score; not-a-number counts as nothing.
    pub fn clamped(value: f64) -> Self {
        Self(if value.is_nan() { 0.0 } else { value.clamp(0.0, 1.0) })
    }

    /// One for true, zero for false.
    pub fn of(achieved: bool) -> Self {
        if achieved { Self::ONE } else { Self::ZERO }
    }

    /// The number.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Whether everything was achieved.
    pub fn is_full(self) -> bool {
        self.0 >= 1.0
    }
}

/// A number outside 0..=1 where a score was wanted.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not a score: a number from 0 to 1 is wanted")]
pub struct NotAScore(f64);

impl TryFrom<f64> for Score {
    type Error = NotAScore;

    fn try_from(value: f64) -> Result<Self, NotAScore> {
        Self::new(value).ok_or(NotAScore(value))
    }
}

impl From<Score> for f64 {
    fn from(score: Score) -> Self {
        score.0
    }
}
