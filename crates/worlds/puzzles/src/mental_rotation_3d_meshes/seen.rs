//! How much of an object can be seen, and whether it can be told from itself turned.

use super::spread::SurfaceSpread;
use crate::canvas::Color;
use crate::mental_rotation_3d::{Orientation, camera, light};
use crate::solid::vector::sub;
use crate::solid::{Pose, SampleStage, Samples, SolidTurn};
use crate::sources::meshes::Body;

/// Pixels along a side of the pictures that are looked at.
const SIZE: u32 = 40;
/// A view must show at least this share of what the largest of some views shows.
const LEAST_SHARE: f64 = 0.45;
/// Two views are alike if they differ by less than this share of the most they could.
const ALIKE: f64 = 0.025;
/// The object's own axes.
const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// Turns about the object's own axes by these degrees are tried.
const TURNS: [f64; 5] = [60.0, 90.0, 180.0, 270.0, 300.0];
/// Turns of what has three or five sides alike. They are tried only about axes that it is spread evenly around.
const ODD_TURNS: [f64; 6] = [72.0, 120.0, 144.0, 216.0, 240.0, 288.0];

/// An object to be looked at.
pub(super) struct SeenObject {
    body: Body,
    stage: SampleStage,
    /// How many pixels the largest of some views covers.
    most_px: usize,
}

impl SeenObject {
    pub(super) fn new(body: Body) -> Self {
        let mut seen = Self { body, stage: SampleStage::new(SIZE, SIZE, Samples::One), most_px: 0 };
        let sides = [
            SolidTurn::NONE,
            SolidTurn::about_y(90.0),
            SolidTurn::about_x(90.0),
            SolidTurn::about_y(45.0).then(SolidTurn::about_x(35.0)),
        ];
        seen.most_px = sides.map(|side| seen.n_shown(Orientation::of(side))).into_iter().max().unwrap_or(0);
        seen
    }

    /// Whether a view shows a good part of the object, not its thin side.
    pub(super) fn shows_enough(&mut self, orientation: Orientation) -> bool {
        self.n_shown(orientation) as f64 >= LEAST_SHARE * self.most_px as f64
    }

    /// How many pixels a view covers.
    fn n_shown(&mut self, orientation: Orientation) -> usize {
        self.look(&orientation.pose()).iter().flatten().count()
    }

    /// Whether the object looks different in this view from how it would look if it were turned about its own axes.
    pub(super) fn can_be_told(&mut self, orientation: Orientation) -> bool {
        let odd = self.turned_oddly(orientation);
        !self.is_alike(orientation, turned(orientation).chain(odd))
    }

    /// Whether the object looks alike in this view and in any of some poses.
    pub(super) fn is_alike(&mut self, orientation: Orientation, poses: impl IntoIterator<Item = Pose>) -> bool {
        let view = self.look(&orientation.pose());
        poses.into_iter().any(|pose| difference(&view, &self.look(&pose), SIZE as usize) < ALIKE)
    }

    /// The poses of the object by the odd turns. What has an odd number of sides alike does not lie in the middle of the
    /// box around it, so it is turned about the middle of its surface.
    pub(super) fn turned_oddly(&self, orientation: Orientation) -> Vec<Pose> {
        let spread = SurfaceSpread::of(&self.body);
        let still = orientation.pose().of(spread.middle);
        let axes = (0..3).filter(|axis| spread.is_even_around(*axis));
        let turns = axes.flat_map(|axis| ODD_TURNS.map(|degrees| SolidTurn::about(AXES[axis], degrees)));
        let poses = turns.map(|turn| {
            let pose = Orientation::of(turn.then(orientation.turn())).pose();
            Pose { shift: sub(still, pose.of(spread.middle)), ..pose }
        });
        poses.collect()
    }

    fn look(&mut self, pose: &Pose) -> Vec<Option<Color>> {
        self.stage.clear([255, 255, 255]);
        for mesh in self.body.iter() {
            self.stage.draw(mesh, pose, &camera(), &light());
        }
        self.stage.covered().collect()
    }
}

/// The poses of an object turned about its own axes.
fn turned(orientation: Orientation) -> impl Iterator<Item = Pose> {
    let turns = AXES.into_iter().flat_map(|axis| TURNS.map(|degrees| SolidTurn::about(axis, degrees)));
    turns.map(move |turn| Orientation::of(turn.then(orientation.turn())).pose())
}

/// How much two views of so many pixels a row differ, as a share of the most they could. A pixel is compared with the
/// most alike of those around its place in the other view, so that a shift by a pixel is no difference.
pub(super) fn difference(one: &[Option<Color>], other: &[Option<Color>], width: usize) -> f64 {
    let ways = [(one, other), (other, one)];
    let costs = ways.iter().flat_map(|(from, to)| {
        let shown = from.iter().enumerate().filter_map(|(i, color)| color.map(|color| (i, color)));
        shown.map(|(i, color)| least_difference(color, to, (i % width, i / width), width))
    });
    let (sum, n_px) = costs.fold((0.0, 0), |(sum, n_px), cost| (sum + cost, n_px + 1));
    sum / f64::from(n_px.max(1))
}

/// How much a colour differs from the most alike around a place, from 0 to 1; wholly where nothing is shown.
fn least_difference(color: Color, view: &[Option<Color>], (x, y): (usize, usize), width: usize) -> f64 {
    let height = view.len() / width;
    let rows = y.saturating_sub(1)..(y + 2).min(height);
    let around = rows.flat_map(|row| &view[row * width + x.saturating_sub(1)..row * width + (x + 2).min(width)]);
    let difference = |other: &Color| (0..3).map(|i| u32::from(color[i].abs_diff(other[i]))).sum::<u32>();
    let least = around.flatten().map(difference).min();
    least.map_or(1.0, |least| f64::from(least) / (3.0 * 255.0))
}
