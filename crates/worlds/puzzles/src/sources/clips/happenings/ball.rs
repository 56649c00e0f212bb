//! A ball dipped in paint bounces ever lower and leaves blots.

use quintain_core::rng::Rng;

use super::Happening;
use super::backdrop::RoomBackdrop;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::sheet::{Rgb, lit, near, within};

/// How many times it touches the floor.
const N_BOUNCES: usize = 5;
const RADIUS: f32 = 0.085;

struct ThrownBall {
    room: RoomBackdrop,
    /// Which way it goes: 1 to the right, -1 to the left.
    way: f32,
    floor: f32,
    /// How high it is at first, above the floor.
    height: f32,
    /// What is left of the height after a bounce.
    kept: f32,
    paint: Rgb,
    /// How each blot splashed: where its drops lie, as seen from its middle.
    drops: Vec<Vec<(f32, f32, f32)>>,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let paints =
        [[214.0, 44.0, 54.0], [40.0, 90.0, 200.0], [240.0, 180.0, 30.0], [40.0, 150.0, 90.0], [150.0, 60.0, 180.0]];
    let paint = *rng.choose(&paints);
    let room = RoomBackdrop::new(rng);
    let drop = |rng: &mut Rng| (within(rng, -1.7, 1.7), within(rng, -1.6, 1.6), within(rng, 0.07, 0.2));
    let drops = (0..N_BOUNCES).map(|_| (0..9).map(|_| drop(rng)).collect()).collect();
    Box::new(ThrownBall {
        floor: room.table + 0.11,
        room,
        way: *rng.choose(&[-1.0, 1.0]),
        height: within(rng, 0.56, 0.62),
        kept: within(rng, 0.52, 0.60),
        paint: near(rng, paint, 12.0),
        drops,
    })
}

impl Happening for ThrownBall {
    fn about(&self) -> &'static str {
        "a ball dipped in paint bounces lower each time and leaves blots"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        self.room.paint(stage);
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        let (touches, above) = self.flight(time);
        for (i, at) in touches.iter().enumerate() {
            self.paint_blot(stage, i, self.seen(*at));
        }
        let x = self.seen(time);
        let near_floor = 1.0 - above / self.height;
        let shadow = RADIUS * (1.5 - 0.5 * near_floor);
        stage.ellipse((x, self.floor), (shadow, shadow * 0.22), [18.0, 12.0, 8.0], 0.12 + 0.34 * near_floor);
        stage.ball((x, self.floor - RADIUS - above), RADIUS, self.paint);
    }
}

impl ThrownBall {
    /// Where it is across at a time: it goes evenly from one side to the other.
    fn seen(&self, time: f32) -> f32 {
        let x = 0.10 + 0.80 * time;
        if self.way > 0.0 { x } else { 1.0 - x }
    }

    /// When it has touched the floor so far, and how far it is above the floor.
    fn flight(&self, time: f32) -> (Vec<f32>, f32) {
        // Falling from a height takes its square root; a bounce takes twice that of its height.
        let mut heights = vec![self.height];
        for i in 0..N_BOUNCES {
            heights.push(heights[i] * self.kept);
        }
        let lasts = |i: usize| heights[i].sqrt() * if i == 0 { 1.0 } else { 2.0 };
        let whole: f32 = (0..N_BOUNCES).map(lasts).sum();
        let (mut touches, mut begin) = (Vec::new(), 0.0);
        for (i, height) in heights.iter().enumerate() {
            let (length, now) = (lasts(i), time * whole - begin);
            if now < length || i + 1 == heights.len() {
                let off = if i == 0 { now } else { now - length / 2.0 };
                return (touches, (height - off * off).max(0.0));
            }
            begin += length;
            touches.push(begin / whole);
        }
        (touches, 0.0)
    }

    fn paint_blot(&self, stage: &mut ClipStage, i: usize, x: f32) {
        // The paint wears off: every blot is a little smaller.
        let size = 0.085 * (1.0 - 0.13 * i as f32);
        let color = lit(self.paint, 0.82);
        let middle: StagePlace = (x, self.floor + 0.012);
        stage.ellipse(middle, (size, size * 0.34), color, 0.95);
        for (dx, dy, drop) in &self.drops[i] {
            let at = (middle.0 + dx * size, middle.1 + dy * size * 0.34);
            stage.ellipse(at, (drop * size * 1.4, drop * size * 0.6), color, 0.9);
        }
        stage.ellipse((x - size * 0.3, middle.1 - size * 0.08), (size * 0.3, size * 0.06), lit(self.paint, 1.25), 0.6);
    }
}
