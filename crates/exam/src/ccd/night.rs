//! A night at a telescope from a seed: what the camera and the sky are like, and the frames that come of it.

use quintain_core::Rng;

use super::fits::{CameraFrame, FrameKind};
use crate::bell::bell;

pub(super) const SIZE: usize = 128;
pub(super) const FILTERS: [&str; 2] = ["B", "V"];
const N_PIXELS: usize = SIZE * SIZE;
/// The profile of a star, after Moffat: how wide it is, in pixels, and how fast its wings fall.
const WIDTH: f64 = 2.7;
const FALL: f64 = 2.5;
/// What an ADU is of electrons, and what reading out adds, in ADU.
const GAIN: f64 = 2.0;
const READ_NOISE: f64 = 3.0;
/// What the camera adds to every pixel, in ADU.
const PEDESTAL: f64 = 1700.0;
const COLD: f64 = -20.0;
const WARM: f64 = -12.0;
const EXPOSURE_S: f64 = 180.0;
const LONG_DARK_S: f64 = 300.0;
const N_SCIENCE: usize = 3;
/// Half of the flats of a filter are saturated, and half of the long darks are warm: a median of all does not see past them.
const FLAT_SECONDS: [f64; 6] = [40.0, 50.0, 60.0, 70.0, 80.0, 100.0];
const N_LONG_DARKS: usize = 6;
/// How far a broken column is from the star that it goes past, and how far from all others at least.
const BROKEN_BESIDE: i64 = 3;
const BROKEN_APART: f64 = 2.5;
/// How far from a star cosmic rays are that are not meant for it.
const CLEAR: f64 = 9.0;
/// No star of the list is nearer to another one.
const APART: f64 = 21.0;
/// How far a companion is from its star along each axis: up and to the right, where one goes who counts pixels from 0.
const COMPANION: f64 = 6.5;

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
    /// Stars that are not on the list, each beside one that is.
    companions: Vec<FieldStar>,
    /// How well each pixel sees, by filter.
    pub(super) response: [Vec<f64>; 2],
    broken_columns: [usize; 2],
    bias: Vec<f64>,
    /// ADU a second in the cold.
    dark: Vec<f64>,
}

impl CcdNight {
    pub(super) fn drawn(rng: &mut Rng, n_stars: usize) -> Self {
        let (stars, broken_columns) = stars(rng, n_stars);
        let companions = stars.iter().step_by(3).map(companion).collect();
        let ripple: Vec<f64> = (0..SIZE).map(|_| rng.uniform(-8.0, 8.0)).collect();
        let bias = (0..N_PIXELS).map(|at| PEDESTAL + ripple[at % SIZE] + 0.1 * (at / SIZE) as f64).collect();
        let mut dark: Vec<f64> = (0..N_PIXELS).map(|_| rng.uniform(0.1, 0.4)).collect();
        for _ in 0..150 {
            dark[rng.below(N_PIXELS)] = rng.uniform(3.0, 25.0);
        }
        // Every other star sits on pixels that glow, its middle too.
        for star in stars.iter().step_by(2) {
            let faint = star.rates[0].min(star.rates[1]);
            for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1), (-1, 2), (0, -3)] {
                dark[pixel(star.x as i64 + dx, star.y as i64 + dy)] = faint * rng.uniform(0.04, 0.05);
            }
        }
        let response = [0, 1].map(|filter| response(rng, &stars, filter));
        Self { stars, companions, response, broken_columns, bias, dark }
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
            let too_bright = some_of(rng, FLAT_SECONDS.len());
            for (at, seconds) in FLAT_SECONDS.into_iter().enumerate() {
                let level = if too_bright.contains(&at) { 95_000.0 } else { rng.uniform(12_000.0, 18_000.0) };
                let light: Vec<f64> = response.iter().map(|share| share * level).collect();
                take(FrameKind::Flat, Some(filter), seconds, COLD, &light, rng);
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
        let warm = some_of(rng, N_LONG_DARKS);
        for at in 0..N_LONG_DARKS {
            take(FrameKind::Dark, None, LONG_DARK_S, if warm.contains(&at) { WARM } else { COLD }, &nothing, rng);
        }
        (0..3).for_each(|_| take(FrameKind::Dark, None, 60.0, COLD, &nothing, rng));
        all
    }

    /// In which frame each star is hit by a cosmic ray.
    fn hits(&self, rng: &mut Rng) -> Vec<usize> {
        self.stars.iter().map(|_| rng.below(N_SCIENCE)).collect()
    }

    /// Whether a pixel is in a broken column.
    pub(super) fn is_broken(&self, at: usize) -> bool {
        self.broken_columns.contains(&(at % SIZE))
    }

    /// What all stars give each pixel, in ADU a second.
    pub(super) fn starlight(&self, filter: usize) -> Vec<f64> {
        let mut light = vec![0.0; N_PIXELS];
        for star in self.stars.iter().chain(&self.companions) {
            for (at, light) in light.iter_mut().enumerate() {
                let far = ((at % SIZE) as f64 - star.x).hypot((at / SIZE) as f64 - star.y);
                *light += star.rates[filter] * profile(far);
            }
        }
        light
    }

    /// The light of the field, as the pixels see it, and cosmic rays, which no filter weakens.
    fn sky(&self, filter: usize, frame: usize, hits: &[usize], rng: &mut Rng) -> Vec<f64> {
        let brightness = rng.uniform(50.0, 90.0);
        let mut light = vec![brightness; N_PIXELS];
        light.iter_mut().zip(self.starlight(filter)).for_each(|(light, rate)| *light += rate * EXPOSURE_S);
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
            if self.is_broken(at) {
                return rng.below(60_000) as u16;
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

/// Half of so many, drawn.
fn some_of(rng: &mut Rng, n: usize) -> Vec<usize> {
    let mut all: Vec<usize> = (0..n).collect();
    rng.shuffle(&mut all);
    all.truncate(n / 2);
    all
}

/// Stars that are in nobody's way, and the columns that are broken: one beside the second star, one beside the third.
fn stars(rng: &mut Rng, n_stars: usize) -> (Vec<FieldStar>, [usize; 2]) {
    loop {
        let all = scattered(rng, n_stars);
        let broken = [1, 2].map(|at: usize| (all[at].x.round() as i64 + BROKEN_BESIDE) as usize);
        let is_clear = |(at, star): (usize, &FieldStar)| {
            let mut others = broken.iter().enumerate().filter(|(column, _)| column + 1 != at);
            others.all(|(_, column)| (*column as f64 - star.x).abs() > BROKEN_APART)
        };
        if all.iter().enumerate().all(is_clear) {
            return (all, broken);
        }
    }
}

/// Stars with room between them. Those that have a companion are faint.
fn scattered(rng: &mut Rng, n_stars: usize) -> Vec<FieldStar> {
    let mut all: Vec<FieldStar> = Vec::new();
    while all.len() < n_stars {
        let place = |rng: &mut Rng| (rng.uniform(14.0, SIZE as f64 - 15.0) * 100.0).round() / 100.0;
        let (x, y) = (place(rng), place(rng));
        if all.iter().all(|star| (star.x - x).hypot(star.y - y) > APART) {
            let brightest = if all.len().is_multiple_of(3) { 1300.0 } else { 2600.0 };
            all.push(FieldStar { x, y, rates: FILTERS.map(|_| rng.uniform(900.0, brightest)) });
        }
    }
    all
}

/// The bright star beside a star.
fn companion(star: &FieldStar) -> FieldStar {
    FieldStar { x: star.x + COMPANION, y: star.y + COMPANION, rates: star.rates.map(|rate| 2.5 * rate) }
}

/// Corners are darker than the middle, and grains of dust cast shadows, some of them over stars: others in each filter.
fn response(rng: &mut Rng, stars: &[FieldStar], filter: usize) -> Vec<f64> {
    let middle = SIZE as f64 / 2.0;
    let mut all: Vec<f64> = (0..N_PIXELS)
        .map(|at| {
            let (x, y) = ((at % SIZE) as f64 - middle, (at / SIZE) as f64 - middle);
            1.0 - 0.3 * (x * x + y * y) / (2.0 * middle * middle) + rng.uniform(-0.01, 0.01)
        })
        .collect();
    for star in stars.iter().skip(filter).step_by(2) {
        let depth = rng.uniform(0.2, 0.26);
        for (at, share) in all.iter_mut().enumerate() {
            let far = ((at % SIZE) as f64 - star.x).hypot((at / SIZE) as f64 - star.y);
            *share *= if far < 8.0 { 1.0 - depth } else { 1.0 };
        }
    }
    all
}

/// The share of a star's light in a pixel whose centre is so far from it.
fn profile(far: f64) -> f64 {
    let peak = (FALL - 1.0) / (std::f64::consts::PI * WIDTH * WIDTH);
    peak * (1.0 + (far / WIDTH).powi(2)).powf(-FALL)
}
