//! A candle burns down.

use quintain_core::rng::Rng;

use super::Happening;
use super::backdrop::RoomBackdrop;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::noise::noise;
use crate::sources::photos::scenes::sheet::{Rgb, lit, near, within};

struct Candle {
    room: RoomBackdrop,
    foot: StagePlace,
    half_width: f32,
    height: f32,
    wax: Rgb,
    plate: Rgb,
    /// Where each drop of wax runs down, from -1 to 1 across, and when it begins.
    drops: Vec<(f32, f32)>,
    flicker: f32,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let waxes = [[236.0, 226.0, 200.0], [204.0, 66.0, 58.0], [96.0, 130.0, 190.0], [222.0, 180.0, 80.0]];
    let wax = *rng.choose(&waxes);
    let room = RoomBackdrop::new(rng).dimmed(0.5);
    let foot = (within(rng, 0.34, 0.66), room.table + 0.13);
    Box::new(Candle {
        foot,
        room,
        half_width: within(rng, 0.055, 0.085),
        height: within(rng, 0.50, 0.60),
        wax: near(rng, wax, 10.0),
        plate: near(rng, [142.0, 126.0, 96.0], 22.0),
        drops: (0..7).map(|_| (within(rng, -0.85, 0.85), within(rng, 0.02, 0.9))).collect(),
        flicker: within(rng, 0.0, 200.0),
    })
}

impl Happening for Candle {
    fn about(&self) -> &'static str {
        "a candle burns down"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        self.room.paint(stage);
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        let (x, base) = self.foot;
        let top = base - self.height * (1.0 - 0.84 * time);
        let flame = (x, top - 0.03);
        stage.glow((x, top - 0.07), 0.62, [210.0, 140.0, 66.0], 0.85);
        stage.ellipse((x, base + 0.035), (0.20, 0.04), [20.0, 14.0, 10.0], 0.45);
        stage.ellipse((x, base + 0.014), (0.185, 0.036), lit(self.plate, 0.7), 1.0);
        stage.ellipse((x, base + 0.004), (0.17, 0.030), self.plate, 1.0);
        let pool = self.half_width + 0.006 + 0.07 * time;
        stage.ellipse((x, base), (pool, 0.010 + 0.018 * time), lit(self.wax, 0.92), 1.0);
        self.paint_body(stage, top, time);
        paint_flame(stage, flame, noise().at(self.flicker + time * 91.0, 7.0) - 0.5);
    }
}

impl Candle {
    fn paint_body(&self, stage: &mut ClipStage, top: f32, time: f32) {
        let ((x, base), half) = (self.foot, self.half_width);
        let shade = |px: f32| 0.98 - 0.42 * ((px - x + 0.3 * half) / half).powi(2).min(1.2);
        let near_flame = |py: f32| 1.0 + 0.34 * (1.0 - (py - top) / 0.16).clamp(0.0, 1.0);
        stage.ellipse((x, base), (half, half * 0.24), lit(self.wax, 0.72), 1.0);
        let corners = [(x - half, top), (x + half, top), (x + half, base), (x - half, base)];
        stage.polygon(&corners, |(px, py)| lit(self.wax, shade(px) * near_flame(py)));
        for (across, begins) in &self.drops {
            let runs = ((time - begins) * 0.9).clamp(0.0, base - top);
            let at = x + across * half;
            if runs > 0.01 {
                stage.stroke((at, top), (at, top + runs), (0.018, 0.026), lit(self.wax, 1.02 * shade(at) + 0.06));
            }
        }
        stage.ellipse((x, top), (half, half * 0.24), lit(self.wax, 1.18), 1.0);
        stage.ellipse((x, top), (half * 0.6, half * 0.13), lit(self.wax, 1.32), 0.8);
        stage.stroke((x, top), (x + 0.004, top - 0.03), (0.009, 0.008), [38.0, 28.0, 24.0]);
    }
}

fn paint_flame(stage: &mut ClipStage, (x, y): StagePlace, sway: f32) {
    for (size, color) in [(1.0, [255.0, 150.0, 40.0]), (0.74, [255.0, 208.0, 90.0]), (0.42, [255.0, 246.0, 206.0])] {
        let edge = |i: usize| {
            let along = i as f32 / 10.0;
            // Full near the foot, pointed at the tip.
            let half = 0.034 * size * (along * (1.0 - along) * (1.0 - along) * 6.75).sqrt();
            (half, y + 0.008 - 0.135 * size * along, sway * 0.05 * along * along)
        };
        let left = (0..=10).map(edge).map(|(half, y, lean)| (x + lean - half, y));
        let right = (0..=10).rev().map(edge).map(|(half, y, lean)| (x + lean + half, y));
        stage.polygon(&left.chain(right).collect::<Vec<_>>(), |_| color);
    }
}
