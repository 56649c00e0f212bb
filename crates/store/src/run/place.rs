//! Where an attempt's lines stand.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where an attempt's lines stand: a range of bytes in one segment. As text `segment:start-end`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LineRange {
    /// The name of the segment: its file without folder and ending.
    pub segment: String,
    /// The first byte.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
}

impl LineRange {
    /// How many bytes it takes.
    pub fn len(&self) -> u64 {
        self.end - self.start
    }

    /// Whether nothing stands there yet.
    pub fn is_empty(&self) -> bool {
        self.end == self.start
    }
}

impl fmt::Display for LineRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}-{}", self.segment, self.start, self.end)
    }
}

/// A text that is no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a place in a run: `segment:start-end` is wanted")]
pub struct NotAPlace(String);

impl FromStr for LineRange {
    type Err = NotAPlace;

    fn from_str(text: &str) -> Result<Self, NotAPlace> {
        parse(text).ok_or_else(|| NotAPlace(text.to_owned()))
    }
}

/// The segment becomes part of a path, so only harmless letters will do.
fn parse(text: &str) -> Option<LineRange> {
    let (segment, range) = text.split_once(':')?;
    let (start, end) = range.split_once('-')?;
    let harmless = !segment.is_empty() && segment.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let (start, end) = (start.parse().ok()?, end.parse().ok()?);
    (harmless && start <= end).then(|| LineRange { segment: segment.to_owned(), start, end })
}

impl TryFrom<String> for LineRange {
    type Error = NotAPlace;

    fn try_from(text: String) -> Result<Self, NotAPlace> {
        text.parse()
    }
}

impl From<LineRange> for String {
    fn from(place: LineRange) -> Self {
        place.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_survives_the_trip_through_text() {
        let place = LineRange { segment: "0001-0002".to_owned(), start: 7, end: 99 };
        assert_eq!(place.to_string().parse(), Ok(place));
    }

    #[test]
    fn a_place_cannot_leave_the_run() {
        for wrong in ["../x:0-1", "a/b:0-1", ":0-1", "a:5-1", "a:0", "a:-1-2", "a:0-x", ""] {
            assert!(wrong.parse::<LineRange>().is_err(), "{wrong}");
        }
    }
}
