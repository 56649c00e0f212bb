//! What the oracle is shown: where everything is, and the picture.

use quintain_core::action::{Action, Button, Place};
use quintain_core::observation::Screen as Picture;

use crate::circuit::model::{Circuit, GridPoint};
use crate::oracle::{PlaceTable, Rectangle};

/// The table of places of one turn, and the picture beside it.
pub(super) struct CircuitScreen<'a> {
    pub(super) table: &'a PlaceTable,
    /// The picture, where it was shown.
    pub(super) picture: Option<&'a Picture>,
}

impl CircuitScreen<'_> {
    /// Where a thing is, if it can be seen.
    pub(super) fn place(&self, name: &str) -> Option<Rectangle> {
        self.table.place(name)
    }

    /// Whether a thing can be seen.
    pub(super) fn shows(&self, name: &str) -> bool {
        self.table.shows(name)
    }

    /// The middle of a thing.
    pub(super) fn middle(&self, name: &str) -> Option<Place> {
        self.table.middle(name)
    }

    /// The pixel of a point of the grid, if it lies well within the canvas.
    pub(super) fn pixel(&self, [x, y]: GridPoint, origin: Origin) -> Option<Place> {
        let ([left, top, ..], [.., unit, _]) = (self.place("canvas/origin")?, self.place("canvas/unit")?);
        let (x, y) = (left + f64::from(x + origin.0[0]) * unit, top + f64::from(y + origin.0[1]) * unit);
        let canvas = self.place("canvas")?;
        let is_within = |at: f64, from: f64, length: f64| at >= from + MARGIN && at <= from + length - MARGIN;
        let inside = is_within(x, canvas[0], canvas[2]) && is_within(y, canvas[1], canvas[3]);
        inside.then(|| Place::from((x.round(), y.round())))
    }
}

/// The room that is left at the edges of the canvas, in pixels.
const MARGIN: f64 = 4.0;

/// How far the plan's grid is moved against the app's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin(GridPoint);

impl Origin {
    /// The place for a circuit on the canvas as it is shown; nothing where it does not fit.
    pub(super) fn fitting(circuit: &Circuit, screen: &CircuitScreen<'_>) -> Option<Self> {
        let ([left, top, ..], [.., unit, _]) = (screen.place("canvas/origin")?, screen.place("canvas/unit")?);
        let canvas = screen.place("canvas")?;
        // A plan leaves room at its left and top, so its grid may begin where the canvas does.
        let first = |from: f64, origin: f64| ((from - origin) / unit).ceil() as i32;
        let origin = Self([first(canvas[0], left), first(canvas[1], top)]);
        screen.pixel(far_corner(circuit)?, origin).map(|_| origin)
    }
}

/// The corner to the right and below all pins.
fn far_corner(circuit: &Circuit) -> Option<GridPoint> {
    let pins = || circuit.parts.iter().flat_map(|part| part.pins().iter().map(|pin| part.place(pin.at)));
    Some([pins().map(|[x, _]| x).max()? + 2, pins().map(|[_, y]| y).max()? + 2])
}

/// A click with the left button.
pub(super) fn click(at: Place) -> Action {
    Action::Click { at: Some(at), button: Button::Left, held: Vec::new() }
}
