//! Which milestones of its task an instance covers (ADR 0020).

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The stretch of a task that an instance covers: it begins after one of the task's milestones and ends after another.
/// By default it is the whole task.
///
/// Written behind an instance's name as `+2` (after the first two, to the end), `+2..3` (the third alone) or `+0..3`
/// (until the third); the whole is written as nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stretch {
    /// So many milestones are given: it begins where the last of them has just been reached. Nothing means at the start.
    pub after: Option<NonZeroU32>,
    /// It ends with this milestone, counted from 1, whose checks judge it. Nothing means at the end of the task.
    pub until: Option<NonZeroU32>,
}

impl Stretch {
    /// The whole task.
    pub const WHOLE: Self = Self { after: None, until: None };

    /// From after so many milestones to the end of the task. Zero gives the whole.
    pub fn after(n_given: u32) -> Self {
        Self { after: NonZeroU32::new(n_given), until: None }
    }

    /// One milestone alone, counted from 1.
    pub fn only(milestone: NonZeroU32) -> Self {
        Self { after: NonZeroU32::new(milestone.get() - 1), until: Some(milestone) }
    }

    /// Whether it is the whole task.
    pub fn is_whole(self) -> bool {
        self == Self::WHOLE
    }

    /// How many milestones are given.
    pub fn n_given(self) -> usize {
        self.after.map_or(0, |after| after.get() as usize)
    }

    /// How many of a task's milestones are given or asked for: those behind its end are neither.
    pub fn n_covered(self, n_milestones: usize) -> usize {
        self.until.map_or(n_milestones, |until| until.get() as usize)
    }
}

impl fmt::Display for Stretch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.n_given(), self.until) {
            (0, None) => Ok(()),
            (given, None) => write!(f, "+{given}"),
            (given, Some(until)) => write!(f, "+{given}..{until}"),
        }
    }
}

/// A text that is no stretch.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`+{0}` is no stretch of milestones: `+2` (after the first two), `+2..3` (the third alone) or `+0..3` (until the \
     third) is wanted"
)]
pub struct NotAStretch(String);

/// Reads what stands behind the `+`.
impl FromStr for Stretch {
    type Err = NotAStretch;

    fn from_str(text: &str) -> Result<Self, NotAStretch> {
        let (after, until) = match text.split_once("..") {
            Some((after, until)) => (after, Some(until)),
            None => (text, None),
        };
        let read = || {
            let given = number(after)?;
            let until =
                until.map(|until| number(until).filter(|until| *until > given)).map_or(Some(None), |n| n.map(Some));
            Some(Self { after: NonZeroU32::new(given), until: until?.and_then(NonZeroU32::new) })
        };
        read().ok_or_else(|| NotAStretch(text.to_owned()))
    }
}

/// A whole number in digits alone: a sign would be read twice in `#7++2`.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Where the instances of a run are to begin, one of several: `2`, `1..2`, or `all` for every start that a task has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum StartChoice {
    /// Every start that the task has.
    All,
    /// This stretch.
    Of(Stretch),
}

impl FromStr for StartChoice {
    type Err = NotAStretch;

    fn from_str(text: &str) -> Result<Self, NotAStretch> {
        if text == "all" { Ok(Self::All) } else { text.parse().map(Self::Of) }
    }
}

impl fmt::Display for StartChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Of(Stretch::WHOLE) => f.write_str("0"),
            Self::Of(stretch) => f.write_str(stretch.to_string().trim_start_matches('+')),
        }
    }
}

impl TryFrom<String> for StartChoice {
    type Error = NotAStretch;

    fn try_from(text: String) -> Result<Self, NotAStretch> {
        text.parse()
    }
}

impl From<StartChoice> for String {
    fn from(choice: StartChoice) -> Self {
        choice.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_read_as_they_are_written() {
        let rows = [
            "0",
            "2",
            "2..3",
            "0..3",
            "007",
            "",
            "..",
            "2..",
            "..3",
            "3..2",
            "2..2",
            "+2",
            "-1",
            "2..3..4",
            "4294967296",
        ];
        let lines = rows.map(|text| match text.parse::<Stretch>() {
            Ok(stretch) => format!("{text:<10} {:?} to {:?} `{stretch}`", stretch.n_given(), stretch.until),
            Err(_cause) => format!("{text:<10} refused"),
        });
        insta::assert_snapshot!(lines.join("\n"), @r"
        0          0 to None ``
        2          2 to None `+2`
        2..3       2 to Some(3) `+2..3`
        0..3       0 to Some(3) `+0..3`
        007        7 to None `+7`
                   refused
        ..         refused
        2..        refused
        ..3        refused
        3..2       refused
        2..2       refused
        +2         refused
        -1         refused
        2..3..4    refused
        4294967296 refused
        ");
    }

    #[test]
    fn choices_of_starts_read_as_they_are_written() {
        for text in ["0", "all", "2", "2..3", "0..1"] {
            assert_eq!(text.parse::<StartChoice>().unwrap().to_string(), text);
        }
    }
}
