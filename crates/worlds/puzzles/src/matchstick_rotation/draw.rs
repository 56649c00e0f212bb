//! The two sticks on the paper.

use std::sync::Arc;

use quintain_core::picture::Picture;

use super::generate::stick_px;
use super::{Start, StickPose};
use crate::canvas::{Area, Color, circle, copy, fill, line};

const PAPER: Color = [250, 249, 245];
const RULE: Color = [236, 235, 229];
const EDGE: Color = [196, 194, 186];
const TARGET: Color = [214, 40, 40];
const TARGET_INSIDE: Color = [255, 190, 184];
const STICK: Color = [29, 78, 196];
const STICK_MIDDLE: Color = [255, 255, 255];

/// The picture, and where the stick is in it.
pub struct Drawing {
    /// The paper with the target.
    ground: Picture,
    picture: Arc<Picture>,
    shown: StickPose,
    size: u32,
}

impl Drawing {
    pub(super) fn new(start: &Start, stick: StickPose) -> Self {
        let ground = ground(start);
        let mut picture = ground.clone();
        lay_stick(&mut picture, start.size, stick);
        Self { ground, picture: Arc::new(picture), shown: stick, size: start.size }
    }

    /// Clears the place where the stick was and draws it where it is.
    pub(super) fn show(&mut self, stick: StickPose) -> Arc<Picture> {
        if stick != self.shown {
            let picture = Arc::make_mut(&mut self.picture);
            let area = around(self.size, self.shown).clipped(picture);
            copy(&self.ground, area, picture, (area.x, area.y));
            lay_stick(picture, self.size, stick);
            self.shown = stick;
        }
        Arc::clone(&self.picture)
    }
}

/// Faintly ruled paper with the target on it.
fn ground(start: &Start) -> Picture {
    let size = start.size as i32;
    let mut picture = Picture::filled(start.size, start.size, PAPER);
    for i in 1..8 {
        fill(&mut picture, Area::new(size * i / 8, 0, 1, size), RULE);
        fill(&mut picture, Area::new(0, size * i / 8, size, 1), RULE);
    }
    for edge in [(0, 0, size, 1), (0, size - 1, size, 1), (0, 0, 1, size), (size - 1, 0, 1, size)] {
        fill(&mut picture, Area::new(edge.0, edge.1, edge.2, edge.3), EDGE);
    }
    let unit = unit(start.size);
    let (from, to) = ends(start.size, start.target);
    line(&mut picture, from, to, 4.0 * unit, TARGET);
    line(&mut picture, from, to, 2.8 * unit, TARGET_INSIDE);
    circle(&mut picture, (start.target.x as f32, start.target.y as f32), 1.0 * unit, TARGET);
    picture
}

/// The stick is narrower than the target, so that both can be seen when one lies on the other.
fn lay_stick(picture: &mut Picture, size: u32, stick: StickPose) {
    let unit = unit(size);
    let (from, to) = ends(size, stick);
    line(picture, from, to, 2.0 * unit, STICK);
    circle(picture, (stick.x as f32, stick.y as f32), 0.6 * unit, STICK_MIDDLE);
}

/// A hundredth of the picture's side: the measure of all widths.
fn unit(size: u32) -> f32 {
    size as f32 / 100.0
}

/// The ends of a stick. A stick turned by half a circle is drawn the same.
fn ends(size: u32, pose: StickPose) -> ((f32, f32), (f32, f32)) {
    let radians = pose.angle.rem_euclid(180.0).to_radians();
    let reach = stick_px(size) / 2.0;
    let (dx, dy) = (libm::cos(radians) * reach, libm::sin(radians) * reach);
    (((pose.x - dx) as f32, (pose.y - dy) as f32), ((pose.x + dx) as f32, (pose.y + dy) as f32))
}

/// All pixels that a stick can touch.
fn around(size: u32, pose: StickPose) -> Area {
    let (from, to) = ends(size, pose);
    let reach = 2.0 * unit(size) + 2.0;
    let (left, right) = (from.0.min(to.0) - reach, from.0.max(to.0) + reach);
    let (top, bottom) = (from.1.min(to.1) - reach, from.1.max(to.1) + reach);
    Area::new(left as i32, top as i32, (right - left) as i32 + 2, (bottom - top) as i32 + 2)
}
