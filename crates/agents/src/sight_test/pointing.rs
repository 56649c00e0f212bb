//! Where a click lands, and in which units it would have been right.

use quintain_core::action::Place;
use quintain_core::surface::Surface;
use quintain_models::model::{Points, ToolCall};
use quintain_models::tools::{self, Sight};
use serde_json::Value;

use super::eye_chart::{HALF_SIDE_PX, SIZE};

/// What a click came to.
#[derive(Clone, Debug, PartialEq)]
pub enum ClickFinding {
    /// There was none.
    None,
    /// There was a call that cannot be read.
    Unread(String),
    /// It missed, and no units would have made it right.
    Missed {
        /// Where it landed, in pixels of the screen.
        at_px: (f64, f64),
    },
    /// It missed, and in other units its numbers are the target.
    OtherUnits {
        /// The numbers that the model gave.
        said: (f64, f64),
        /// The units they are in.
        units: Points,
    },
    /// It is on the target.
    Hit {
        /// Where it landed, in pixels of the screen.
        at_px: (f64, f64),
    },
}

impl ClickFinding {
    /// The more telling of two.
    pub(super) fn or_rather(self, other: Self) -> Self {
        let rank = |finding: &Self| match finding {
            Self::None => 0,
            Self::Unread(_) => 1,
            Self::Missed { .. } => 2,
            Self::OtherUnits { .. } => 3,
            Self::Hit { .. } => 4,
        };
        if rank(&other) > rank(&self) { other } else { self }
    }
}

/// What a call came to. One that points nowhere, such as a look at the screen, is no click.
pub(super) fn judged(call: &ToolCall, sight: &Sight, surface: &Surface, target_px: (f64, f64)) -> ClickFinding {
    // A point beyond the screen is refused: that is what a wrong scale leads to as well.
    let plainly = match tools::read(call, sight).read(surface) {
        Ok(action) => match action.places().into_iter().find_map(Place::point) {
            Some(at) if is_near((at.x, at.y), target_px) => return ClickFinding::Hit { at_px: (at.x, at.y) },
            Some(at) => ClickFinding::Missed { at_px: (at.x, at.y) },
            None => return ClickFinding::None,
        },
        Err(misread) => ClickFinding::Unread(misread.to_string()),
    };
    let native = call.native.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let said = numbers(native.as_ref().unwrap_or(&call.input));
    let right = |units: &Points| said.is_some_and(|said| is_near(in_pixels(said, *units, sight), target_px));
    let units = [Points::Pixels, Points::Thousandths, Points::Unit].into_iter().find(right);
    said.zip(units).map_or(plainly, |(said, units)| ClickFinding::OtherUnits { said, units })
}

/// As far as the square goes, and a little over its edge.
fn is_near((x, y): (f64, f64), (target_x, target_y): (f64, f64)) -> bool {
    let reach = f64::from(HALF_SIDE_PX) + 4.0;
    (x - target_x).abs() <= reach && (y - target_y).abs() <= reach
}

fn in_pixels((x, y): (f64, f64), units: Points, sight: &Sight) -> (f64, f64) {
    let (across, down) = units.size(sight.shown.unwrap_or(SIZE));
    (x / f64::from(across) * f64::from(SIZE.0), y / f64::from(down) * f64::from(SIZE.1))
}

/// The first two numbers that are a place, wherever the call has them.
fn numbers(value: &Value) -> Option<(f64, f64)> {
    match value {
        Value::Object(fields) => {
            let named = |name: &str| fields.get(name).and_then(Value::as_f64);
            let pair = named("x").zip(named("y"));
            pair.or_else(|| fields.values().find_map(numbers))
        }
        Value::Array(items) => match items.as_slice() {
            [x, y] if x.is_number() && y.is_number() => x.as_f64().zip(y.as_f64()),
            items => items.iter().find_map(numbers),
        },
        _ => None,
    }
}
