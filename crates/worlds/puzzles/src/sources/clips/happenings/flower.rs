//! A flower grows in a pot and opens.

use std::f32::consts::TAU;

use libm::{cosf, sinf};
use quintain_core::rng::Rng;

use super::Happening;
use super::backdrop::RoomBackdrop;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::sheet::{Rgb, lit, near, ramp, within};

/// Where leaves grow, as shares of the full height, and to which side.
const LEAVES: [(f32, f32); 5] = [(0.16, -1.0), (0.30, 1.0), (0.46, -1.0), (0.60, 1.0), (0.74, -1.0)];

struct Flower {
    room: RoomBackdrop,
    foot: StagePlace,
    height: f32,
    lean: f32,
    green: Rgb,
    petal: Rgb,
    pot: Rgb,
    n_petals: usize,
    petal_length: f32,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let petals = [[226.0, 70.0, 92.0], [244.0, 196.0, 60.0], [236.0, 226.0, 240.0], [150.0, 96.0, 200.0]];
    let petal = *rng.choose(&petals);
    let room = RoomBackdrop::new(rng);
    Box::new(Flower {
        foot: (within(rng, 0.38, 0.62), room.table - 0.06),
        room,
        height: within(rng, 0.38, 0.42),
        lean: within(rng, -0.10, 0.10),
        green: near(rng, [84.0, 146.0, 62.0], 14.0),
        petal: near(rng, petal, 12.0),
        pot: near(rng, [184.0, 96.0, 62.0], 20.0),
        n_petals: 6 + rng.below(4),
        petal_length: within(rng, 0.11, 0.14),
    })
}

impl Happening for Flower {
    fn about(&self) -> &'static str {
        "a flower grows and opens"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        self.room.paint(stage);
        let (x, y) = self.foot;
        stage.ellipse((x, y + 0.27), (0.17, 0.03), [20.0, 14.0, 10.0], 0.4);
        let shade = |px: f32| 1.1 - 0.5 * ((px - x + 0.06) / 0.16).powi(2);
        let body = [(x - 0.13, y + 0.03), (x + 0.13, y + 0.03), (x + 0.095, y + 0.27), (x - 0.095, y + 0.27)];
        stage.polygon(&body, |(px, _)| lit(self.pot, shade(px)));
        let rim = [(x - 0.15, y), (x + 0.15, y), (x + 0.145, y + 0.055), (x - 0.145, y + 0.055)];
        stage.polygon(&rim, |(px, _)| lit(self.pot, shade(px) * 1.12));
        stage.ellipse((x, y), (0.15, 0.026), lit(self.pot, 0.7), 1.0);
        stage.ellipse((x, y + 0.004), (0.136, 0.021), [70.0, 50.0, 38.0], 1.0);
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        let grown = 0.06 + 0.94 * ramp(-0.15, 0.85, time);
        let way: Vec<StagePlace> = (0..=16).map(|i| self.stem(grown * i as f32 / 16.0)).collect();
        for pair in way.windows(2) {
            stage.stroke(pair[0], pair[1], (0.016, 0.015), lit(self.green, 0.86));
        }
        for (at, to) in LEAVES {
            let size = ramp(0.0, 0.34, grown - at);
            if size > 0.05 {
                self.paint_leaf(stage, self.stem(at), to, size);
            }
        }
        self.paint_head(stage, self.stem(grown), time);
    }
}

impl Flower {
    /// The place on the stem at a share of the full height.
    fn stem(&self, share: f32) -> StagePlace {
        let (x, y) = self.foot;
        (x + self.lean * share * share + 0.012 * sinf(share * 7.0), y - self.height * share)
    }

    fn paint_leaf(&self, stage: &mut ClipStage, (x, y): StagePlace, to: f32, size: f32) {
        let tip = (x + to * 0.17 * size, y - 0.07 * size);
        let belly = |up: f32| (x + to * 0.09 * size, y - (0.035 + up) * size);
        let leaf = [(x, y), belly(0.045), tip, belly(-0.025)];
        stage.polygon(&leaf, |(_, py)| lit(self.green, 1.0 + (y - 0.03 - py) * 2.4));
        stage.stroke((x, y), tip, (0.006, 0.003), lit(self.green, 0.74));
    }

    fn paint_head(&self, stage: &mut ClipStage, (x, y): StagePlace, time: f32) {
        let bud = ramp(0.2, 0.62, time);
        let open = ramp(0.52, 1.0, time);
        stage.ellipse((x, y), (0.014 + 0.022 * bud, 0.018 + 0.034 * bud), self.green, 1.0);
        if open < 0.02 {
            return;
        }
        let length = self.petal_length * (0.3 + 0.7 * open);
        for i in 0..self.n_petals {
            // A closed flower's petals stand up; they come down to all sides.
            let turn = i as f32 / self.n_petals as f32 - 0.5;
            let angle = turn * TAU * (0.12 + 0.88 * open);
            let (sin, cos) = (sinf(angle), cosf(angle));
            let (ox, oy) = (x + sin * length, y - cos * length);
            let (wx, wy) = (cos * length * 0.34, sin * length * 0.34);
            let (mx, my) = (x + sin * length * 0.62, y - cos * length * 0.62);
            let petal = [
                (x, y),
                (mx - wx, my - wy),
                (ox - wx * 0.5, oy - wy * 0.5),
                (ox + wx * 0.5, oy + wy * 0.5),
                (mx + wx, my + wy),
            ];
            stage.polygon(&petal, |(px, py)| {
                let (dx, dy) = (px - x, py - y);
                lit(self.petal, 0.72 + 0.34 * ((dx * dx + dy * dy).sqrt() / length).min(1.0) + 0.05 * (i % 2) as f32)
            });
        }
        stage.ball((x, y), 0.012 + 0.026 * open, [214.0, 150.0, 44.0]);
    }
}
