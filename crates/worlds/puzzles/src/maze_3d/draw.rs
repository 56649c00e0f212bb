//! Drawing the view: floor and ceiling row by row, walls column by column, then the ball.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::strip::Strips;
use super::view::{MazeView, Wall};
use super::{Start, State, ball, ground};

/// How far the dark of an inner edge reaches, in cells.
pub(super) const EDGE_REACH: f32 = 0.34;
/// How much of the light an inner edge takes.
pub(super) const EDGE_DARK: f32 = 0.42;
/// One cell as a place in 32 bits of fraction.
pub(super) const ONE_CELL: f64 = 4_294_967_296.0;

/// The picture and the state it shows.
pub struct Drawing {
    picture: Arc<Picture>,
    state: State,
    walls: Vec<Wall>,
    strips: Strips,
}

impl Drawing {
    pub(super) fn new(start: &Start, state: State) -> Self {
        let (width, height) = start.picture;
        let picture = Arc::new(Picture::filled(width, height, [0; 3]));
        let mut drawing = Self { picture, state, walls: Vec::with_capacity(width as usize), strips: Strips::new() };
        drawing.paint(start);
        drawing
    }

    pub(super) fn show(&mut self, start: &Start, state: State) -> Arc<Picture> {
        if state != self.state {
            self.state = state;
            self.paint(start);
        }
        Arc::clone(&self.picture)
    }

    /// Every pixel changes with every step, so everything is painted anew.
    fn paint(&mut self, start: &Start) {
        let (width, height) = start.picture;
        if Arc::get_mut(&mut self.picture).is_none() {
            self.picture = Arc::new(Picture::filled(width, height, [0; 3]));
        }
        let view = MazeView::new(&start.map, self.state, start.picture);
        self.walls.clear();
        self.walls.extend((0..width).map(|column| view.wall(column)));
        let picture = Arc::make_mut(&mut self.picture);
        ground::paint(picture, &view, &self.walls);
        self.strips.paint(picture, &view, &self.walls);
        ball::paint(picture, &view, &self.walls);
    }
}

/// How much light falls on something at a depth, from 0 to 1.
pub(super) fn light(depth: f32) -> f32 {
    0.22 + 0.78 / (1.0 + 0.085 * depth * depth)
}

/// The share of light at a squared distance from an inner edge.
#[inline]
pub(super) fn dimmed(squared: f32) -> f32 {
    let rest = (1.0 - squared * (1.0 / (EDGE_REACH * EDGE_REACH))).max(0.0);
    1.0 - EDGE_DARK * rest * rest
}
