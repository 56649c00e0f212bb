//! A block to be picked up by a gripper and brought to a ball, on the table or in the air.

mod generate;
mod solve;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::CallSchema;
use quintain_core::trajectory::Feedback;
use quintain_core::world::OracleStyle;
use quintain_puzzles::{MaterialSources, Puzzle};
use serde::{Deserialize, Serialize};

use crate::machine::SceneMachine;
use crate::motion::{Motion, distance};
use crate::near::{self, DISTANCE};
use crate::scene::{BLOCK_HALF, Scene};
use crate::view::{CameraSetting, Drawing};
use crate::{orders, player};

/// The picking puzzle.
pub struct FetchPickAndPlace;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How many centimetres off the ball the middle of the block may be.
    pub tolerance: f64,
    /// How many centimetres the ball is from the block at least, as seen from above.
    pub nearest: f64,
    /// How many centimetres the ball is from the block at most, as seen from above.
    pub farthest: f64,
    /// How many centimetres the ball is above the place where a block would rest, at least.
    pub lowest: f64,
    /// How many centimetres the ball is above the place where a block would rest, at most.
    pub highest: f64,
    /// How many degrees the standing camera is off its usual place at most.
    pub camera_jitter: f64,
    /// Whether dots on the table show what is right above them.
    pub marks: bool,
    /// Pixels along a side of each of the two pictures.
    #[serde(default = "crate::view::usual_size")]
    pub size: u32,
}

/// Where block and ball are, and how everything is seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Where the block lies at first, in metres.
    pub block: [f64; 2],
    /// The middle of the ball, in metres.
    pub goal: [f64; 3],
    /// The standing camera.
    pub view: CameraSetting,
}

/// Where the middle of the block is; a state without one is as far off as its start.
fn block_of(start: &Start, state: &Motion) -> [f64; 3] {
    state.block.unwrap_or([start.block[0], start.block[1], BLOCK_HALF])
}

impl Puzzle for FetchPickAndPlace {
    const NAME: &'static str = "fetch-pick-and-place";
    const VERSION: u32 = 2;
    const SECRETS: &'static [&'static str] = &["/goal", "/block"];
    const STRATEGIES: &'static [&'static str] = player::STRATEGIES;

    type Parameters = Parameters;
    type Start = Start;
    type State = Motion;
    type Drawing = Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        generate::generate(parameters, rng)
    }

    fn initial(start: &Start) -> Motion {
        Motion::at_rest(Some(start.block))
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        vec![orders::move_call(), orders::gripper_call()]
    }

    fn apply(_start: &Start, state: &mut Motion, call: &Call) -> Feedback {
        orders::carry_out(state, call)
    }

    fn draw(start: &Start, state: &Motion, _sources: &MaterialSources) -> Result<Drawing, String> {
        // A world that cannot move is not opened.
        SceneMachine::of(Scene::Block).map_err(ToString::to_string)?;
        Ok(Drawing::new(&start.view, start.goal, state))
    }

    fn redraw(drawing: &mut Drawing, _start: &Start, state: &Motion) -> Arc<Picture> {
        drawing.show(state)
    }

    fn measure(start: &Start, state: &Motion) -> Measures {
        [(DISTANCE.to_owned(), distance(block_of(start, state), start.goal) * 100.0)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        player::solved(style, |n_pairs| solve::solve(start, style, n_pairs))
    }

    fn near_misses(start: &Start, solved: &Motion, bounds: &Measures) -> Vec<(String, Motion)> {
        let with = |block: [f64; 3]| Motion { block: Some(block), ..solved.clone() };
        let states = near::outside(start.goal, bounds).map(|(how, block)| (how, with(block)));
        let left_behind = Motion { hand: start.goal, aim: start.goal, ..Self::initial(start) };
        states.chain([("the hand at the ball, the block left where it was".to_owned(), left_behind)]).collect()
    }

    fn variations(start: &Start, solved: &Motion, bounds: &Measures) -> Vec<(String, Motion)> {
        let with = |block: [f64; 3]| Motion { block: Some(block), ..solved.clone() };
        let let_go = Motion { closed: !solved.closed, ..solved.clone() };
        let states = near::inside(start.goal, bounds).map(|(how, block)| (how, with(block)));
        states.chain([("the fingers told otherwise".to_owned(), let_go)]).collect()
    }
}
