//! Sand runs through an hourglass.

use quintain_core::rng::Rng;

use super::Happening;
use super::backdrop::RoomBackdrop;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::noise::noise;
use crate::sources::photos::scenes::sheet::{Rgb, lit, mix, near, ramp, within};

/// Slices that a bulb is measured by, from the neck outwards.
const SLICES: usize = 96;
/// The share of a bulb that all the sand fills.
const FULL: f32 = 0.66;
const NECK: f32 = 0.012;

struct Hourglass {
    room: RoomBackdrop,
    neck: StagePlace,
    half_height: f32,
    half_width: f32,
    sand: Rgb,
    wood: Rgb,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let sands = [[222.0, 178.0, 104.0], [206.0, 96.0, 70.0], [96.0, 140.0, 200.0], [120.0, 150.0, 84.0]];
    let sand = *rng.choose(&sands);
    Box::new(Hourglass {
        room: RoomBackdrop::new(rng),
        neck: (within(rng, 0.40, 0.60), within(rng, 0.47, 0.51)),
        half_height: within(rng, 0.31, 0.34),
        half_width: within(rng, 0.17, 0.21),
        sand: near(rng, sand, 10.0),
        wood: near(rng, [118.0, 70.0, 40.0], 14.0),
    })
}

impl Happening for Hourglass {
    fn about(&self) -> &'static str {
        "sand runs through an hourglass"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        self.room.paint(stage);
        let ((x, y), high, wide) = (self.neck, self.half_height, self.half_width);
        stage.ellipse((x, y + high + 0.06), (wide + 0.10, 0.035), [20.0, 14.0, 10.0], 0.4);
        for side in [-1.0, 1.0] {
            let post = x + side * (wide + 0.035);
            stage.stroke((post, y - high), (post, y + high), (0.026, 0.026), self.wood);
            stage.stroke((post - 0.006, y - high), (post - 0.006, y + high), (0.007, 0.007), lit(self.wood, 1.4));
        }
        self.fill(stage, (-1.0, 1.0), |(px, _), half| {
            mix([204.0, 220.0, 224.0], [240.0, 246.0, 248.0], (px / half).abs() * 0.7)
        });
        for end in [-1.0, 1.0] {
            let plate = y + end * (high + 0.022);
            let corners = [
                (x - wide - 0.08, plate - 0.024),
                (x + wide + 0.08, plate - 0.024),
                (x + wide + 0.08, plate + 0.024),
                (x - wide - 0.08, plate + 0.024),
            ];
            stage.polygon(&corners, |(_, py)| lit(self.wood, 1.15 + (plate - py) * 9.0));
        }
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        let whole = FULL * self.volume(1.0);
        let above = self.reach(whole * (1.0 - time));
        let empty = self.volume(1.0) - whole * time;
        let below = self.reach(empty);
        let grain = |(px, py): StagePlace, half: f32| {
            let rough = noise().near(px * 700.0, py * 700.0) - 0.5;
            lit(self.sand, 1.04 - 0.36 * (px / half).powi(2) + rough * 0.3)
        };
        self.fill(stage, (-above, 0.0), grain);
        let (x, y) = self.neck;
        let heap = y + below * self.half_height;
        if time < 0.995 {
            stage.stroke((x, y - 0.01), (x, heap), (0.014, 0.010), self.sand);
        }
        self.fill(stage, (below, 1.0), grain);
        self.paint_heap(stage, below, time);
        self.paint_shine(stage);
    }
}

impl Hourglass {
    /// Half the width of the glass at a height, from 0 at the neck to 1 at either end.
    fn half(&self, away: f32) -> f32 {
        let belly = 1.0 - 0.22 * ramp(0.7, 1.0, away);
        NECK + (self.half_width - NECK) * ramp(0.0, 0.72, away) * belly
    }

    /// How much a bulb holds from the neck up to a height.
    fn volume(&self, away: f32) -> f32 {
        let slice = |i: usize| self.half((i as f32 + 0.5) / SLICES as f32).powi(2);
        let n_slices = ((away * SLICES as f32) as usize).min(SLICES);
        (0..n_slices).map(slice).sum()
    }

    /// How far from the neck so much reaches.
    fn reach(&self, volume: f32) -> f32 {
        let mut left = volume;
        for i in 0..SLICES {
            let slice = self.half((i as f32 + 0.5) / SLICES as f32).powi(2);
            if left <= slice {
                return (i as f32 + left / slice) / SLICES as f32;
            }
            left -= slice;
        }
        1.0
    }

    /// Fills the glass from one height to another, from -1 at the top to 1 at the bottom.
    fn fill(&self, stage: &mut ClipStage, (from, to): (f32, f32), color: impl Fn(StagePlace, f32) -> Rgb) {
        if to - from < 0.004 {
            return;
        }
        let (x, y) = self.neck;
        let edge = |i: usize| {
            let height = from + (to - from) * i as f32 / 24.0;
            (self.half(height.abs()), y + height * self.half_height)
        };
        let left = (0..=24).map(edge).map(|(half, py)| (x - half, py));
        let right = (0..=24).rev().map(edge).map(|(half, py)| (x + half, py));
        stage.polygon(&left.chain(right).collect::<Vec<_>>(), |(px, py)| {
            let half = self.half(((py - y) / self.half_height).abs().min(1.0));
            color((px - x, py), half)
        });
    }

    /// The tip of the heap, where the sand arrives.
    fn paint_heap(&self, stage: &mut ClipStage, below: f32, time: f32) {
        let (x, y) = self.neck;
        let level = y + below * self.half_height;
        let half = self.half(below) * 0.8;
        let tip = 0.045 * ramp(0.0, 0.12, time) * (1.0 - 0.5 * ramp(0.9, 1.0, time));
        let heap = [(x - half, level + 0.004), (x, level - tip), (x + half, level + 0.004)];
        stage.polygon(&heap, |(px, _)| lit(self.sand, 1.06 - 0.3 * ((px - x) / half).abs()));
    }

    fn paint_shine(&self, stage: &mut ClipStage) {
        let (x, y) = self.neck;
        for side in [-1.0, 1.0] {
            let at = |away: f32| (x - 0.8 * self.half(away), y + side * away * self.half_height);
            let way: Vec<StagePlace> = (6..=14).map(|i| at(i as f32 / 16.0)).collect();
            stage.line(&way, 0.007, [250.0, 252.0, 252.0]);
        }
    }
}
