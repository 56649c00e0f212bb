//! The day on which a model goes.

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;

/// The day from which on a provider no longer offers a model: `2026-11-30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct Retirement {
    year: u16,
    month: u8,
    day: u8,
}

impl Retirement {
    /// Whether the model is gone on this day, which is written in the same way.
    pub fn is_past(self, today: &str) -> bool {
        *self.to_string() <= *today
    }
}

impl fmt::Display for Retirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Retirement {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let mut parts = text.splitn(3, '-');
            let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
            Some(Self { year: year.parse().ok()?, month: month.parse().ok()?, day: day.parse().ok()? })
        };
        let is_day = |day: &Self| (1..=12).contains(&day.month) && (1..=31).contains(&day.day);
        let wrong = || format!("`{text}` is no day: write it as 2026-11-30");
        read().filter(is_day).filter(|day| day.to_string() == text).ok_or_else(wrong)
    }
}

impl TryFrom<String> for Retirement {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_is_read_and_compared() {
        let day: Retirement = "2026-11-30".parse().unwrap();
        assert_eq!(day.to_string(), "2026-11-30");
        assert_eq!(["2026-11-29", "2026-11-30", "2027-01-01"].map(|today| day.is_past(today)), [false, true, true]);
        for wrong in ["2026-13-01", "2026-1-1", "soon", "2026-11-30T00"] {
            assert!(wrong.parse::<Retirement>().is_err(), "{wrong}");
        }
    }
}
