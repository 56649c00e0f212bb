//! From the pixels of the recorded screen to the units in which a mind points.

use quintain_core::action::{Place, Point};
use serde_json::{Value, json};

use crate::asked::{ReadRequest, Units};

/// From 0 to 1000 across and down.
const THOUSANDTHS: (f64, f64) = (1000.0, 1000.0);

/// How a point of the recorded screen is said.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PointScale {
    across: f64,
    down: f64,
    /// Into how many steps one is divided; nothing where numbers are said as they are.
    steps: Option<f64>,
    /// The greatest numbers across and down, where there are such.
    most: Option<(f64, f64)>,
}

impl PointScale {
    /// As it is.
    pub(super) const NONE: Self = Self { across: 1.0, down: 1.0, steps: None, most: None };

    /// Of the provider's own computer tool that counts pixels: those of the size that the tool declares, else of the last
    /// picture. It points at whole pixels.
    pub(super) fn of_pixels(asked: &ReadRequest, screen: Option<(u32, u32)>) -> Self {
        let declared = asked.computer.as_ref().and_then(|computer| computer.size);
        let size = declared.or_else(|| asked.last_picture()).map(sides);
        let most = size.map(|(across, down)| (across - 1.0, down - 1.0));
        Self { steps: Some(1.0), most, ..Self::onto(size, screen) }
    }

    /// Of Google's own computer tool: whole numbers from 0 to 999, whatever the size of the screen.
    pub(super) fn of_google(screen: Option<(u32, u32)>) -> Self {
        Self { steps: Some(1.0), most: Some((999.0, 999.0)), ..Self::onto(Some(THOUSANDTHS), screen) }
    }

    /// Of functions and words, in the units that the base URL names. They are fine enough for every pixel to be told from
    /// the next.
    pub(super) fn of_units(asked: &ReadRequest, screen: Option<(u32, u32)>) -> Self {
        let (size, steps) = match asked.units {
            Units::Pixels => (asked.last_picture().map(sides), 10.0),
            Units::Thousandths => (Some(THOUSANDTHS), 10.0),
            Units::Unit => (Some((1.0, 1.0)), 10_000.0),
            Units::Resized => (asked.last_picture().map(sides).map(resized), 1.0),
        };
        let scale = Self::onto(size, screen);
        if scale == Self::NONE { scale } else { Self { steps: Some(steps), ..scale } }
    }

    fn onto(size: Option<(f64, f64)>, screen: Option<(u32, u32)>) -> Self {
        match (size, screen.map(sides)) {
            (Some(size), Some(screen)) if screen.0 > 0.0 && screen.1 > 0.0 => {
                Self { across: size.0 / screen.0, down: size.1 / screen.1, ..Self::NONE }
            }
            _ => Self::NONE,
        }
    }

    /// The two numbers of a point.
    pub(super) fn point(self, Point { x, y }: Point) -> (Value, Value) {
        let (across, down) = self.most.unwrap_or((f64::INFINITY, f64::INFINITY));
        (number(self.stepped(x * self.across).min(across)), number(self.stepped(y * self.down).min(down)))
    }

    /// A point as a list; nothing where an element is named by its mark instead.
    pub(super) fn pair(self, place: Place) -> Option<Value> {
        let (x, y) = self.point(place.point()?);
        Some(json!([x, y]))
    }

    /// Distances across and down.
    pub(super) fn distance(self, dx: f64, dy: f64) -> (Value, Value) {
        (number(self.stepped(dx * self.across)), number(self.stepped(dy * self.down)))
    }

    fn stepped(self, value: f64) -> f64 {
        self.steps.map_or(value, |steps| (value * steps).round() / steps)
    }
}

/// Sides that are multiples of 28, as near as can be: `smart_resize` of `bytedance/UI-TARS` for screens of usual sizes.
fn resized((across, down): (f64, f64)) -> (f64, f64) {
    let nearest = |side: f64| (side / 28.0).round_ties_even().max(1.0) * 28.0;
    (nearest(across), nearest(down))
}

/// A number, without a decimal point where it is whole.
pub(super) fn number(value: f64) -> Value {
    let is_whole = value.fract() == 0.0 && value.abs() < 9e15;
    if is_whole { json!(value as i64) } else { json!(value) }
}

fn sides((across, down): (u32, u32)) -> (f64, f64) {
    (f64::from(across), f64::from(down))
}
