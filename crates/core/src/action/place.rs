//! Where on the screen an action happens.

use serde::{Deserialize, Serialize};

/// A point in the pixels of the screen the agent was shown.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Pixels from the left.
    pub x: f64,
    /// Pixels from the top.
    pub y: f64,
}

/// Where on the screen an action happens: `{"x": 640, "y": 360}` or `{"mark": 12}`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WrittenPlace", into = "WrittenPlace")]
pub enum Place {
    /// At a point.
    Point(Point),
    /// In the middle of the element with this number in the tree or the marks that were shown last.
    Mark(u32),
}

impl Place {
    /// The point, unless an element is named.
    pub fn point(self) -> Option<Point> {
        match self {
            Self::Point(point) => Some(point),
            Self::Mark(_) => None,
        }
    }
}

impl From<Point> for Place {
    fn from(point: Point) -> Self {
        Self::Point(point)
    }
}

/// Pixels from the left and from the top.
impl From<(f64, f64)> for Place {
    fn from((x, y): (f64, f64)) -> Self {
        Self::Point(Point { x, y })
    }
}

/// The written form of a place.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenPlace {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    x: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    y: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mark: Option<u32>,
}

impl From<Place> for WrittenPlace {
    fn from(place: Place) -> Self {
        match place {
            Place::Point(Point { x, y }) => Self { x: Some(x), y: Some(y), mark: None },
            Place::Mark(mark) => Self { x: None, y: None, mark: Some(mark) },
        }
    }
}

impl TryFrom<WrittenPlace> for Place {
    type Error = &'static str;

    fn try_from(written: WrittenPlace) -> Result<Self, Self::Error> {
        match written {
            WrittenPlace { x: Some(x), y: Some(y), mark: None } => Ok(Self::Point(Point { x, y })),
            WrittenPlace { x: None, y: None, mark: Some(mark) } => Ok(Self::Mark(mark)),
            _ => Err("a place is either `x` and `y` or `mark`"),
        }
    }
}
