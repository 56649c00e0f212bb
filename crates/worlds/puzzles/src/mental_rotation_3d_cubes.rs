//! A snake of cubes that was turned, to be turned back.

mod body;
mod seen;
mod snake;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use quintain_core::rng::Rng;
use serde::Deserialize;

use crate::mental_rotation_3d::{self as rotation, Lots, MentalRotation3d, Start, TurnedSubject, any_turn};
use crate::solid::Mesh;
use crate::sources::MaterialSources;

pub use snake::Snake;

/// The turning puzzle with cubes.
pub type MentalRotation3dCubes = MentalRotation3d<Cubes>;

/// Snakes of cubes.
pub struct Cubes;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How many straight stretches the snake has.
    pub segments: usize,
    /// The fewest cubes of a stretch, the corners at its ends included.
    pub segment_min: usize,
    /// The most cubes of a stretch.
    pub segment_max: usize,
    /// How many degrees off the snake may be.
    pub angle_tolerance: f64,
    /// Pixels along a side of each view.
    #[serde(default = "default_size")]
    pub size: u32,
}

fn default_size() -> u32 {
    256
}

/// How many stretches a snake may have: with fewer it would lie in a plane, with more it is seldom seen whole.
const SEGMENTS: std::ops::RangeInclusive<usize> = 3..=8;
/// How many cubes a stretch may have.
const LENGTHS: std::ops::RangeInclusive<usize> = 2..=8;
/// How many snakes are tried before the parameters are given up.
const N_TRIES: usize = 2000;

impl TurnedSubject for Cubes {
    const NAME: &'static str = "mental-rotation-3d-cubes";
    const VERSION: u32 = 1;

    type Parameters = Parameters;
    type Thing = Snake;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start<Snake>, String> {
        check(parameters)?;
        let lots = Lots { size: parameters.size, angle_tolerance: parameters.angle_tolerance };
        let lengths = (parameters.segment_min, parameters.segment_max);
        for _ in 0..N_TRIES {
            let Some(snake) = Snake::random(parameters.segments, lengths, rng) else { continue };
            let mut seen = seen::SeenSnake::new(&snake);
            if let Some(views) = lots.draw(rng, any_turn, |orientation| seen.shows_enough(orientation)) {
                return Ok(Start { thing: snake, views });
            }
        }
        Err(format!(
            "no snake of {} stretches of {} to {} cubes was found that can be told from all sides; allow \
             longer stretches",
            parameters.segments, lengths.0, lengths.1
        ))
    }

    fn body(snake: &Snake, _sources: &MaterialSources) -> Result<Arc<Vec<Mesh>>, String> {
        Ok(Arc::new(vec![body::mesh(snake)]))
    }
}

fn check(parameters: &Parameters) -> Result<(), String> {
    rotation::check(parameters.size, parameters.angle_tolerance)?;
    let Parameters { segments, segment_min, segment_max, .. } = *parameters;
    if !SEGMENTS.contains(&segments) {
        return Err(format!("`segments` is {segments}: {} to {} are possible", SEGMENTS.start(), SEGMENTS.end()));
    }
    if !(LENGTHS.contains(&segment_min) && LENGTHS.contains(&segment_max) && segment_min <= segment_max) {
        let (least, most) = (LENGTHS.start(), LENGTHS.end());
        return Err(format!(
            "`segment_min` is {segment_min}, `segment_max` is {segment_max}: {least} to {most} cubes, the lesser first"
        ));
    }
    Ok(())
}
