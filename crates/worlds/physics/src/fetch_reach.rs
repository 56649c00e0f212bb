//! The hand of an arm to be brought to a ball in the air.

mod generate;
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
use crate::orders;
use crate::player::{self, ArmPlayer};
use crate::scene::Scene;
use crate::view::{CameraSetting, Drawing};

/// The reaching puzzle.
pub struct FetchReach;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How many centimetres off the ball the hand may be.
    pub tolerance: f64,
    /// How many centimetres the ball is from the hand at least.
    pub nearest: f64,
    /// How many centimetres the ball is from the hand at most.
    pub farthest: f64,
    /// How many degrees the standing camera is off its usual place at most.
    pub camera_jitter: f64,
    /// Whether dots on the table show what is right above them.
    pub marks: bool,
    /// Pixels along a side of each of the two pictures.
    #[serde(default = "crate::view::usual_size")]
    pub size: u32,
}

/// Where the ball is, and how everything is seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The middle of the ball, in metres.
    pub goal: [f64; 3],
    /// The standing camera.
    pub view: CameraSetting,
}

/// The solver is content when the hand is so near, in metres.
const CONTENT: f64 = 0.01;

impl Puzzle for FetchReach {
    const NAME: &'static str = "fetch-reach";
    const VERSION: u32 = 2;
    const SECRETS: &'static [&'static str] = &["/goal"];
    const STRATEGIES: &'static [&'static str] = player::STRATEGIES;

    type Parameters = Parameters;
    type Start = Start;
    type State = Motion;
    type Drawing = Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        generate::generate(parameters, rng)
    }

    fn initial(_start: &Start) -> Motion {
        Motion::at_rest(None)
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        vec![orders::move_call()]
    }

    fn apply(_start: &Start, state: &mut Motion, call: &Call) -> Feedback {
        orders::carry_out(state, call)
    }

    fn draw(start: &Start, state: &Motion, _sources: &MaterialSources) -> Result<Drawing, String> {
        // A world that cannot move is not opened.
        SceneMachine::of(Scene::Bare).map_err(ToString::to_string)?;
        Ok(Drawing::new(&start.view, start.goal, state))
    }

    fn redraw(drawing: &mut Drawing, _start: &Start, state: &Motion) -> Arc<Picture> {
        drawing.show(state)
    }

    fn measure(start: &Start, state: &Motion) -> Measures {
        [(DISTANCE.to_owned(), distance(state.hand, start.goal) * 100.0)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        player::solved(style, |n_pairs| {
            let mut player = ArmPlayer::begin(Self::initial(start), style, start.goal, n_pairs)?;
            player.go(|_| start.goal, |state| distance(state.hand, start.goal) <= CONTENT)?;
            Ok(player.calls)
        })
    }

    fn near_misses(start: &Start, solved: &Motion, bounds: &Measures) -> Vec<(String, Motion)> {
        let states = near::outside(start.goal, bounds).map(|(how, hand)| (how, Motion { hand, ..solved.clone() }));
        let sent = Motion { aim: start.goal, ..Self::initial(start) };
        states.chain([("sent to the ball and not yet there".to_owned(), sent)]).collect()
    }

    fn variations(start: &Start, solved: &Motion, bounds: &Measures) -> Vec<(String, Motion)> {
        near::inside(start.goal, bounds).map(|(how, hand)| (how, Motion { hand, ..solved.clone() })).collect()
    }
}
