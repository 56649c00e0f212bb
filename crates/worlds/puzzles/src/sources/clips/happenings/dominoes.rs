//! A ball knocks over a row of dominoes.

use libm::{cosf, sinf};
use quintain_core::rng::Rng;

use super::Happening;
use super::backdrop::RoomBackdrop;
use super::stage::{ClipStage, StagePlace};
use crate::sources::photos::scenes::sheet::{Rgb, lit, mix, near, within};

const HEIGHT: f32 = 0.24;
const HALF_WIDTH: f32 = 0.017;
/// When the ball arrives.
const HIT: f32 = 0.10;
/// How far a domino turns until it lies on the next, and the last one until it lies on the table.
const LEANING: f32 = 1.28;
const LYING: f32 = 1.57;

struct Dominoes {
    room: RoomBackdrop,
    /// Which way they fall: 1 to the right, -1 to the left.
    way: f32,
    ground: f32,
    first: f32,
    apart: f32,
    dots: Vec<[usize; 2]>,
    ivory: Rgb,
    ink: Rgb,
    ball: Rgb,
}

pub(super) fn make(rng: &mut Rng) -> Box<dyn Happening> {
    let room = RoomBackdrop::new(rng);
    let n = 7 + rng.below(2);
    let is_dark = rng.chance(0.5);
    let (ivory, ink) = ([234.0, 226.0, 206.0], [44.0, 42.0, 46.0]);
    let (ivory, ink) = if is_dark { (ink, ivory) } else { (ivory, ink) };
    Box::new(Dominoes {
        ground: room.table + within(rng, 0.08, 0.14),
        room,
        way: *rng.choose(&[-1.0, 1.0]),
        first: 0.17,
        apart: 0.56 / n as f32,
        dots: (0..n).map(|_| [1 + rng.below(3), 1 + rng.below(3)]).collect(),
        ivory: near(rng, ivory, 8.0),
        ink,
        ball: near(rng, [200.0, 60.0, 50.0], 40.0),
    })
}

impl Happening for Dominoes {
    fn about(&self) -> &'static str {
        "a ball knocks over a row of dominoes, one after the other"
    }

    fn backdrop(&self, stage: &mut ClipStage) {
        self.room.paint(stage);
    }

    fn paint(&self, stage: &mut ClipStage, time: f32) {
        let radius = 0.055;
        let reached = self.first - HALF_WIDTH - radius;
        let rolled = -0.08 + (reached + 0.08) * (time / HIT).min(1.0);
        let ball = self.seen((rolled, self.ground - radius));
        stage.ellipse((ball.0, self.ground + 0.006), (radius * 1.1, 0.014), [18.0, 12.0, 8.0], 0.4);
        for i in (0..self.dots.len()).rev() {
            self.paint_domino(stage, i, self.turned(i, time));
        }
        stage.ball(ball, radius, self.ball);
    }
}

impl Dominoes {
    /// A place as it is seen: the row may go either way.
    fn seen(&self, (x, y): StagePlace) -> StagePlace {
        (if self.way > 0.0 { x } else { 1.0 - x }, y)
    }

    /// How far a domino has turned. Each is struck when the one before has turned far enough to reach it.
    fn turned(&self, i: usize, time: f32) -> f32 {
        let takes = 0.17;
        let reaches = ((self.apart - 2.0 * HALF_WIDTH) / HEIGHT / LEANING).sqrt() * takes;
        // However many there are, the last one lies still before the end.
        let step = reaches.min((0.94 - HIT - takes) / self.dots.len() as f32).max(0.08);
        let share = ((time - HIT - step * i as f32) / takes).clamp(0.0, 1.0);
        let most = if i + 1 == self.dots.len() { LYING } else { LEANING };
        most * share * share
    }

    fn paint_domino(&self, stage: &mut ClipStage, i: usize, angle: f32) {
        // It turns about the lower corner that it falls over.
        let pivot = (self.first + self.apart * i as f32 + HALF_WIDTH, self.ground);
        let (sin, cos) = (sinf(angle), cosf(angle));
        let at =
            |across: f32, up: f32| self.seen((pivot.0 + across * cos + up * sin, pivot.1 + across * sin - up * cos));
        let back = -2.0 * HALF_WIDTH;
        let shadow = at(back * 0.5, HEIGHT * 0.5);
        stage.ellipse((shadow.0, self.ground + 0.008), (0.02 + 0.12 * sin, 0.012), [18.0, 12.0, 8.0], 0.35);
        let corners = [at(back, 0.0), at(0.0, 0.0), at(0.0, HEIGHT), at(back, HEIGHT)];
        let light = 1.0 - 0.16 * sin;
        stage.polygon(&corners, |_| lit(self.ivory, light));
        let edge = mix(self.ivory, self.ink, 0.35);
        stage.stroke(at(back * 0.92, 0.004), at(back * 0.92, HEIGHT - 0.004), (0.006, 0.006), edge);
        stage.stroke(at(back, HEIGHT / 2.0), at(0.0, HEIGHT / 2.0), (0.007, 0.007), self.ink);
        for (half, n_dots) in self.dots[i].iter().enumerate() {
            for dot in 0..*n_dots {
                let up = HEIGHT * (0.5 * half as f32 + 0.5 * (dot as f32 + 1.0) / (*n_dots as f32 + 1.0));
                stage.ellipse(at(back / 2.0, up), (0.0095, 0.0095), self.ink, 1.0);
            }
        }
    }
}
