//! A snowman melts in the sun.

use libm::{cosf, sinf};
use quintain_core::rng::Rng;

use super::Happening;
use super::backdrop::FieldBackdrop;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::sheet::{Rgb, lit, near, ramp, within};

const COAL: Rgb = [34.0, 32.0, 36.0];
const SNOW: Rgb = [238.0, 243.0, 250.0];

struct Snowman {
    field: FieldBackdrop,
    foot: StagePlace,
    /// The radii of the three balls, from below.
    radii: [f32; 3],
    hat: Rgb,
    scarf: Rgb,
    sun: StagePlace,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let hats = [[40.0, 42.0, 50.0], [120.0, 36.0, 40.0], [40.0, 70.0, 120.0]];
    let scarves = [[200.0, 50.0, 50.0], [50.0, 120.0, 190.0], [230.0, 160.0, 40.0], [80.0, 150.0, 80.0]];
    let (hat, scarf) = (*rng.choose(&hats), *rng.choose(&scarves));
    let large = within(rng, 0.16, 0.19);
    Box::new(Snowman {
        field: FieldBackdrop::new(rng),
        foot: (within(rng, 0.40, 0.60), within(rng, 0.84, 0.89)),
        radii: [large, large * within(rng, 0.72, 0.8), large * within(rng, 0.5, 0.58)],
        hat: near(rng, hat, 8.0),
        scarf: near(rng, scarf, 10.0),
        sun: (*rng.choose(&[0.14, 0.86]), within(rng, 0.10, 0.16)),
    })
}

impl Happening for Snowman {
    fn about(&self) -> &'static str {
        "a snowman melts in the sun"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        self.field.paint(stage);
        stage.glow(self.sun, 0.30, [120.0, 96.0, 40.0], 0.9);
        stage.ellipse(self.sun, (0.055, 0.055), [255.0, 246.0, 204.0], 1.0);
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        let (x, base) = self.foot;
        let puddle = 0.12 + 0.30 * time;
        stage.ellipse((x, base), (puddle + 0.012, 0.028 + 0.048 * time), [92.0, 116.0, 92.0], 0.8);
        stage.ellipse((x, base), (puddle, 0.022 + 0.045 * time), [150.0, 186.0, 206.0], 0.9);
        stage.ellipse(
            (x - puddle * 0.3, base - 0.008),
            (puddle * 0.4, 0.006 + 0.012 * time),
            [206.0, 226.0, 236.0],
            0.7,
        );
        let mut y = base + 0.02;
        let mut tops = [y; 3];
        for (i, radius) in self.radii.iter().enumerate() {
            let (wide, high) = melted(*radius, i, time);
            y -= high * 0.86;
            paint_snow(stage, (x, y), (wide, high));
            if i == 1 {
                self.paint_arms(stage, (x, y), wide, time);
            }
            y -= high * 0.86;
            tops[i] = y;
        }
        self.paint_head(stage, tops, time);
    }
}

/// The half width and half height of a ball of snow: it shrinks, and sags while it does.
fn melted(radius: f32, from_below: usize, time: f32) -> (f32, f32) {
    let gone = (time * (1.0 + 0.08 * from_below as f32)).min(1.0);
    (radius * (1.0 - 0.52 * gone), radius * (1.0 - 0.82 * gone))
}

fn paint_snow(stage: &mut ClipStage, (x, y): StagePlace, (wide, high): (f32, f32)) {
    for step in 0..6 {
        // From the shaded rim to the lit side, ever smaller.
        let inner = step as f32 / 6.0;
        let (dx, dy) = (-0.22 * inner * wide, -0.26 * inner * high);
        let size = 1.0 - 0.72 * inner;
        let share = if step == 0 { 1.0 } else { 0.5 };
        stage.ellipse((x + dx, y + dy), (wide * size, high * size), lit(SNOW, 0.76 + 0.29 * inner), share);
    }
}

impl Snowman {
    fn paint_arms(&self, stage: &mut ClipStage, (x, y): StagePlace, wide: f32, time: f32) {
        let angle = 0.65 - 1.75 * ramp(0.15, 0.95, time);
        for side in [-1.0, 1.0] {
            let from = (x + side * wide * 0.8, y);
            let way = |length: f32, bend: f32| {
                let end = (from.0 + side * cosf(angle + bend) * length, from.1 - sinf(angle + bend) * length);
                (end.0, end.1.min(self.foot.1 + 0.02))
            };
            stage.stroke(from, way(0.19, 0.0), (0.014, 0.008), [92.0, 66.0, 44.0]);
            stage.stroke(way(0.12, 0.0), way(0.18, 0.35), (0.009, 0.006), [92.0, 66.0, 44.0]);
        }
    }

    fn paint_head(&self, stage: &mut ClipStage, tops: [f32; 3], time: f32) {
        let x = self.foot.0;
        let (wide, high) = melted(self.radii[2], 2, time);
        let middle = tops[2] + high * 0.86;
        let (body_wide, body_high) = melted(self.radii[1], 1, time);
        for i in 0..3 {
            let y = tops[1] + body_high * (0.5 + 0.4 * i as f32);
            stage.ellipse((x, y), (0.011, 0.011), COAL, 1.0);
        }
        stage.ellipse((x, tops[1] + 0.008), (body_wide * 0.72, 0.02), self.scarf, 1.0);
        stage.stroke(
            (x + body_wide * 0.4, tops[1]),
            (x + body_wide * 0.5, tops[1] + 0.09),
            (0.03, 0.034),
            lit(self.scarf, 0.88),
        );
        for side in [-0.38, 0.34] {
            stage.ellipse((x + side * wide, middle - high * 0.22), (0.011, 0.011), COAL, 1.0);
        }
        let droop = 0.05 * ramp(0.3, 1.0, time);
        stage.stroke((x, middle + 0.008), (x - 0.085, middle + 0.02 + droop), (0.026, 0.005), [236.0, 126.0, 40.0]);
        self.paint_hat(stage, (x, tops[2] + high * 0.22), wide);
    }

    fn paint_hat(&self, stage: &mut ClipStage, (x, y): StagePlace, wide: f32) {
        let wide = wide.max(0.05);
        let crown =
            [(x - wide * 0.7, y - 0.115), (x + wide * 0.7, y - 0.115), (x + wide * 0.62, y), (x - wide * 0.62, y)];
        stage.polygon(&crown, |(px, _)| lit(self.hat, 1.25 - 4.0 * (px - x + 0.03).abs()));
        stage.polygon(
            &[(x - wide * 0.63, y - 0.032), (x + wide * 0.63, y - 0.032), (x + wide * 0.62, y), (x - wide * 0.62, y)],
            |_| self.scarf,
        );
        stage.ellipse((x, y), (wide * 1.12, 0.017), lit(self.hat, 0.9), 1.0);
        stage.ellipse((x, y - 0.115), (wide * 0.7, 0.014), lit(self.hat, 1.3), 1.0);
    }
}
