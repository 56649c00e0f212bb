//! A night at a telescope from a seed: what the camera and the sky are like, and the frames that come of it.

use quintain_core::Rng;

use super::fits::{CameraFrame, FrameKind};
use crate::bell::bell;

pub(super) const SIZE: usize = 128;
pub(super) const FILTERS: [&str; 2] = ["B", "V"];
const N_PIXELS: usize = SIZE * SIZE;
/// The spread of a star, in pixels.
const SPREAD: f64 = 1.3;
/// What an ADU is of electrons, and what reading out adds, in ADU.
const GAIN: f64 = 2.0;
const READ_NOISE: f64 = 3.0;
const COLD: f64 = -20.0;
const WARM: f64 = -12.0;
const EXPOSURE_S: f64 = 180.0;
const LONG_DARK_S: f64 = 300.0;
const N_SCIENCE: usize = 3;
/// No star is nearer to a dead column, to the edge or to another star.
const CLEAR: f64 = 9.0;
const APART: f64 = 21.0;

/// A star: its place in pixels from zero, and ADU a second in each filter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FieldStar {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) rates: [f64; 2],
}

/// The camera, the sky, and what was seen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CcdNight {
    pub(super) stars: Vec<FieldStar>,
    /// How well each pixel sees, by filter.
    pub(super) response: [Vec<f64>; 2],
    dead_columns: [usize; 2],
    bias: Vec<f64>,
    /// ADU a second in the cold.
    dark: Vec<f64>,
}

impl CcdNight {
    pub(super) fn drawn(rng: &mut Rng, n_stars: usize) -> Self {
        let dead_columns = [rng.between(30, 45) as usize, rng.between(80, 100) as usize];
        let stars = stars(rng, n_stars, dead_columns);
        let ripple: Vec<f64> = (0..SIZE).map(|_| rng.uniform(-8.0, 8.0)).collect();
        let bias = (0..N_PIXELS).map(|at| 310.0 + ripple[at % SIZE] + 0.1 * (at / SIZE) as f64).collect();
        let mut dark: Vec<f64> = (0..N_PIXELS).map(|_| rng.uniform(0.1, 0.4)).collect();
        for _ in 0..150 {
            dark[rng.below(N_PIXELS)] = rng.uniform(3.0, 25.0);
        }
        // Every other star sits on pixels that glow.
        for star in stars.iter().step_by(2) {
            let faint = star.rates[0].min(star.rates[1]);
            for (dx, dy) in [(2, 0), (-1, 2), (0, -3), (-3, -1)] {
                dark[pixel(star.x as i64 + dx, star.y as i64 + dy)] = faint * rng.uniform(0.03, 0.04);
            }
        }
        let response = FILTERS.map(|_| response(rng, &stars));
        Self { stars, response, dead_columns, bias, dark }
    }

    /// All frames in the order in which they were taken.
    pub(super) fn frames(&self, rng: &mut Rng) -> Vec<CameraFrame> {
        let mut all = Vec::new();
        let mut take = |kind, filter: Option<usize>, exposure_s, temperature_c, light: &[f64], rng: &mut Rng| {
            let counts = self.read_out(light, exposure_s, temperature_c, rng);
            let minute = 12 + 7 * all.len();
            let filter = filter.map(|at| FILTERS[at]);
            all.push(CameraFrame { kind, filter, exposure_s, temperature_c, minute, width: SIZE, counts });
        };
        let nothing = vec![0.0; N_PIXELS];
        for (filter, response) in self.response.iter().enumerate() {
            let too_bright = rng.below(5);
            for at in 0..5 {
                let level = if at == too_bright { 90_000.0 } else { rng.uniform(18_000.0, 34_000.0) };
                let light: Vec<f64> = response.iter().map(|share| share * level).collect();
                take(FrameKind::Flat, Some(filter), [4.0, 6.0, 9.0, 13.0, 20.0][at], COLD, &light, rng);
            }
        }
        (0..7).for_each(|_| take(FrameKind::Bias, None, 0.0, COLD, &nothing, rng));
        for filter in 0..FILTERS.len() {
            let hits = self.hits(rng);
            for at in 0..N_SCIENCE {
                let light = self.sky(filter, at, &hits, rng);
                take(FrameKind::Science, Some(filter), EXPOSURE_S, COLD, &light, rng);
            }
        }
        let warm = rng.below(3);
        for at in 0..5 {
            take(FrameKind::Dark, None, LONG_DARK_S, if at == warm { WARM } else { COLD }, &nothing, rng);
        }
        (0..3).for_each(|_| take(FrameKind::Dark, None, 60.0, COLD, &nothing, rng));
        all
    }

    /// In which frame each star is hit by a cosmic ray.
    fn hits(&self, rng: &mut Rng) -> Vec<usize> {
        self.stars.iter().map(|_| rng.below(N_SCIENCE)).collect()
    }

    /// The light of the field, as the pixels see it, and cosmic rays, which no filter weakens.
    fn sky(&self, filter: usize, frame: usize, hits: &[usize], rng: &mut Rng) -> Vec<f64> {
        let brightness = rng.uniform(50.0, 90.0);
        let mut light = vec![brightness; N_PIXELS];
        for star in &self.stars {
            for (at, share) in spread(star) {
                light[at] += share * star.rates[filter] * EXPOSURE_S;
            }
        }
        light.iter_mut().zip(&self.response[filter]).for_each(|(light, share)| *light *= share);
        for (star, hit) in self.stars.iter().zip(hits) {
            if *hit == frame {
                let strength = star.rates[filter] * EXPOSURE_S * rng.uniform(0.16, 0.2);
                let (x, y) = (star.x as i64 + rng.between(-3, 3), star.y as i64 + 3);
                light[pixel(x, y)] += strength / 2.0;
                light[pixel(x, y - 1)] += strength / 2.0;
            }
        }
        for _ in 0..25 {
            let (x, y) = (rng.below(SIZE) as f64, rng.below(SIZE) as f64);
            if self.stars.iter().all(|star| (star.x - x).hypot(star.y - y) > CLEAR) {
                light[pixel(x as i64, y as i64)] += rng.uniform(2000.0, 30_000.0);
            }
        }
        light
    }

    fn read_out(&self, light: &[f64], exposure_s: f64, temperature_c: f64, rng: &mut Rng) -> Vec<u16> {
        let glow = 3.0_f64.powf((temperature_c - COLD) / (WARM - COLD)) * exposure_s;
        let count = |at: usize| {
            if self.dead_columns.contains(&(at % SIZE)) {
                return 0;
            }
            let seen = light[at] + self.dark[at] * glow;
            let noise = (seen / GAIN + READ_NOISE * READ_NOISE).sqrt() * bell(rng);
            (self.bias[at] + seen + noise).round().clamp(0.0, 65535.0) as u16
        };
        (0..N_PIXELS).map(count).collect()
    }
}

fn pixel(x: i64, y: i64) -> usize {
    y.clamp(0, SIZE as i64 - 1) as usize * SIZE + x.clamp(0, SIZE as i64 - 1) as usize
}

/// Stars that are in nobody's way.
fn stars(rng: &mut Rng, n_stars: usize, dead_columns: [usize; 2]) -> Vec<FieldStar> {
    let mut all: Vec<FieldStar> = Vec::new();
    while all.len() < n_stars {
        let place = |rng: &mut Rng| (rng.uniform(14.0, SIZE as f64 - 15.0) * 100.0).round() / 100.0;
        let (x, y) = (place(rng), place(rng));
        let is_clear = dead_columns.iter().all(|column| (*column as f64 - x).abs() > CLEAR);
        if is_clear && all.iter().all(|star| (star.x - x).hypot(star.y - y) > APART) {
            all.push(FieldStar { x, y, rates: FILTERS.map(|_| rng.uniform(500.0, 2500.0)) });
        }
    }
    all
}

/// Corners are darker than the middle, and grains of dust cast shadows, some of them over stars.
fn response(rng: &mut Rng, stars: &[FieldStar]) -> Vec<f64> {
    let middle = SIZE as f64 / 2.0;
    let mut all: Vec<f64> = (0..N_PIXELS)
        .map(|at| {
            let (x, y) = ((at % SIZE) as f64 - middle, (at / SIZE) as f64 - middle);
            1.0 - 0.3 * (x * x + y * y) / (2.0 * middle * middle) + rng.uniform(-0.01, 0.01)
        })
        .collect();
    for star in stars.iter().skip(1).step_by(3) {
        let depth = rng.uniform(0.12, 0.2);
        for (at, share) in all.iter_mut().enumerate() {
            let far = ((at % SIZE) as f64 - star.x).hypot((at / SIZE) as f64 - star.y);
            *share *= if far < 8.0 { 1.0 - depth } else { 1.0 };
        }
    }
    all
}

/// The pixels that a star lights, and their shares of it.
fn spread(star: &FieldStar) -> Vec<(usize, f64)> {
    let (x0, y0) = (star.x.round() as i64, star.y.round() as i64);
    let mut all = Vec::new();
    for (dx, dy) in (-10..=10).flat_map(|dx| (-10..=10).map(move |dy| (dx, dy))) {
        let (x, y) = ((x0 + dx) as f64 - star.x, (y0 + dy) as f64 - star.y);
        let share = (-(x * x + y * y) / (2.0 * SPREAD * SPREAD)).exp() / (std::f64::consts::TAU * SPREAD * SPREAD);
        all.push((pixel(x0 + dx, y0 + dy), share));
    }
    all
}
