//! How much of an object can be seen, and whether it can be told from itself turned.

use crate::canvas::Color;
use crate::mental_rotation_3d::{Orientation, camera, light};
use crate::solid::{Samples, Stage, Turn};
use crate::sources::meshes::Body;

/// Pixels along a side of the pictures that are looked at.
const SIZE: u32 = 40;
/// A view must show at least this share of what the largest of some views shows.
const LEAST_SHARE: f64 = 0.45;
/// Two views are alike if they differ by less than this share of the most they could.
const ALIKE: f64 = 0.12;
/// Turns about the object's own axes by these degrees are tried.
const TURNS: [f64; 5] = [60.0, 90.0, 180.0, 270.0, 300.0];

/// An object to be looked at.
pub(super) struct Seen {
    body: Body,
    stage: Stage,
    /// How many pixels the largest of some views covers.
    most_px: usize,
}

impl Seen {
    pub(super) fn new(body: Body) -> Self {
        let mut seen = Self { body, stage: Stage::new(SIZE, SIZE, Samples::One), most_px: 0 };
        let sides =
            [Turn::NONE, Turn::about_y(90.0), Turn::about_x(90.0), Turn::about_y(45.0).then(Turn::about_x(35.0))];
        seen.most_px =
            sides.map(|side| seen.look(Orientation::of(side)).iter().flatten().count()).into_iter().max().unwrap_or(0);
        seen
    }

    /// Whether a view shows a good part of the object, not its thin side.
    pub(super) fn shows_enough(&mut self, orientation: Orientation) -> bool {
        let n_px = self.look(orientation).iter().flatten().count();
        n_px as f64 >= LEAST_SHARE * self.most_px as f64
    }

    /// Whether the object looks different in this view from how it would look if it were turned about its own axes.
    pub(super) fn can_be_told(&mut self, orientation: Orientation) -> bool {
        let view = self.look(orientation);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let turns = axes.into_iter().flat_map(|axis| TURNS.map(|degrees| Turn::about(axis, degrees)));
        turns.into_iter().all(|turn| {
            let turned = Orientation::of(turn.then(orientation.turn()));
            difference(&view, &self.look(turned)) >= ALIKE
        })
    }

    fn look(&mut self, orientation: Orientation) -> Vec<Option<Color>> {
        self.stage.clear([255, 255, 255]);
        for mesh in self.body.iter() {
            self.stage.draw(mesh, &orientation.pose(), &camera(), &light());
        }
        self.stage.covered().collect()
    }
}

/// How much two views differ, as a share of the most they could: where only one shows something, wholly; where both
/// do, by their colours.
pub(super) fn difference(one: &[Option<Color>], other: &[Option<Color>]) -> f64 {
    let (mut sum, mut n_px) = (0.0, 0);
    for pair in one.iter().zip(other) {
        sum += match pair {
            (None, None) => continue,
            (Some(one), Some(other)) => {
                f64::from((0..3).map(|i| u32::from(one[i].abs_diff(other[i]))).sum::<u32>()) / (3.0 * 255.0)
            }
            _ => 1.0,
        };
        n_px += 1;
    }
    sum / f64::from(n_px.max(1))
}
