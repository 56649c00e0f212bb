//! A drop of ink sinks and spreads in a tank of water.

use quintain_core::rng::Rng;

use super::Happening;
use super::backdrop::RoomBackdrop;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::noise::noise;
use crate::sources::photos::scenes::sheet::{Rgb, lit, mix, near, ramp, within};

struct SpreadingInk {
    room: RoomBackdrop,
    left: f32,
    right: f32,
    surface: f32,
    bottom: f32,
    water: Rgb,
    stain: Rgb,
    wisps: Vec<Wisp>,
    swirl: f32,
}

/// A part of the drop: where it goes, and how large it grows.
struct Wisp {
    from: f32,
    across: f32,
    down: f32,
    size: f32,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let inks = [[24.0, 34.0, 120.0], [150.0, 20.0, 44.0], [16.0, 96.0, 70.0], [70.0, 20.0, 110.0], [20.0, 20.0, 26.0]];
    let ink = *rng.choose(&inks);
    let room = RoomBackdrop::new(rng);
    let middle = within(rng, 0.42, 0.58);
    let wisp = |rng: &mut Rng| Wisp {
        from: middle,
        across: within(rng, -0.26, 0.26),
        down: within(rng, 0.08, 0.56),
        size: within(rng, 0.06, 0.13),
    };
    Box::new(SpreadingInk {
        left: 0.14,
        right: 0.86,
        surface: within(rng, 0.20, 0.26),
        bottom: room.table + 0.12,
        room,
        water: near(rng, [196.0, 220.0, 226.0], 8.0),
        stain: near(rng, ink, 8.0),
        wisps: (0..12).map(|_| wisp(rng)).collect(),
        swirl: within(rng, 0.0, 200.0),
    })
}

impl Happening for SpreadingInk {
    fn about(&self) -> &'static str {
        "a drop of ink spreads in water"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        self.room.paint(stage);
        let middle = f32::midpoint(self.left, self.right);
        stage.ellipse((middle, self.bottom + 0.02), (0.40, 0.035), [20.0, 16.0, 12.0], 0.35);
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        let parts = self.parts(time);
        let tint = 0.22 * ramp(0.25, 1.0, time);
        stage.soft((self.surface, self.bottom), |(x, y), under| {
            if x < self.left || x > self.right {
                return under;
            }
            let thick = self.thickness(&parts, (x, y), time) + tint;
            let edge = ((x - self.left).min(self.right - x) / 0.02).min(1.0);
            lit(mix(mix(self.water, under, 0.25), self.stain, thick / (thick + 0.55)), 0.9 + 0.1 * edge)
        });
        self.paint_glass(stage);
    }
}

/// Where a wisp is, one over the square of its radius, and how thick it is.
type InkWisp = (f32, f32, f32, f32);

impl SpreadingInk {
    fn parts(&self, time: f32) -> Vec<InkWisp> {
        let sunk = 1.0 - (1.0 - time) * (1.0 - time);
        let part = |wisp: &Wisp| {
            let radius = 0.022 + wisp.size * (0.12 + 1.1 * time);
            let at = (wisp.from + wisp.across * sunk * (0.3 + 0.7 * time), self.surface + 0.025 + wisp.down * sunk);
            (at.0, at.1, 1.0 / (radius * radius), 0.0135 / (radius * radius))
        };
        self.wisps.iter().map(part).collect()
    }

    /// How much ink there is to look through at a place.
    fn thickness(&self, parts: &[InkWisp], (x, y): StagePlace, time: f32) -> f32 {
        let curl = 0.16 * time.sqrt();
        let (u, v) = (x * 34.0 + self.swirl, y * 34.0 - time * 9.0);
        let (x, y) = (x + (noise().at(u, v) - 0.5) * curl, y + (noise().at(v, u) - 0.5) * curl);
        let of = |(px, py, per_square, strength): &InkWisp| {
            let (dx, dy) = (x - px, y - py);
            let near = 1.0 / (1.0 + (dx * dx + dy * dy) * per_square);
            strength * near * near * near
        };
        parts.iter().map(of).sum::<f32>() * 0.2
    }

    fn paint_glass(&self, stage: &mut ClipStage) {
        let (left, right, bottom) = (self.left, self.right, self.bottom);
        let rim = [(left, 0.12), (left, bottom), (right, bottom), (right, 0.12)];
        stage.line(&rim, 0.014, [224.0, 236.0, 238.0]);
        stage.line(&[(left + 0.03, 0.15), (left + 0.03, bottom - 0.04)], 0.006, [248.0, 252.0, 252.0]);
        stage.line(&[(left, self.surface), (right, self.surface)], 0.008, [238.0, 246.0, 248.0]);
    }
}
