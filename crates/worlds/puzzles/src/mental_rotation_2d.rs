//! A round photograph that was turned, to be turned back.

mod draw;
mod generate;
mod solve;
#[cfg(test)]
mod tests;
mod turned;

use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use quintain_core::words::count;
use quintain_core::world::OracleStyle;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::portions::shorter_way;
use crate::puzzle::Puzzle;
use crate::sources::photos::Photo;
use crate::sources::{MaterialSources, PuzzleMaterial};

/// The turning puzzle.
pub struct MentalRotation2d;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How many degrees off the photograph may be.
    pub angle_tolerance: i64,
    /// How many degrees it is turned at first, at least, either way.
    #[serde(default = "default_least_turn")]
    pub least_turn: i64,
    /// Pixels across of a round photograph.
    #[serde(default = "default_size")]
    pub size: u32,
}

fn default_least_turn() -> i64 {
    20
}

fn default_size() -> u32 {
    208
}

/// A photograph, and how it was turned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The photograph, of which a disc is shown.
    pub photo: Photo,
    /// Degrees clockwise that the right disc is turned at first, from 1 to 359. The agent is never told.
    pub angle: i64,
}

/// How the right disc is turned now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Degrees clockwise from 0 to 359; 0 is as on the left.
    pub angle: i64,
}

/// The largest turn that can be asked for, in degrees.
const MAX_TURN: i64 = 180;

impl State {
    /// The state after a turn in degrees.
    fn turned(self, degrees: i64) -> Self {
        Self { angle: (self.angle + degrees).rem_euclid(360) }
    }
}

impl Puzzle for MentalRotation2d {
    const NAME: &'static str = "mental-rotation-2d";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/angle"];
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Photos);
    const STRATEGIES: &'static [&'static str] = &["direct", "stochastic", "unit_first", "full_turn"];

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = draw::Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, sources: &MaterialSources) -> Result<Start, String> {
        generate::generate(parameters, rng, sources.photos.as_ref())
    }

    fn made_of(start: &Start) -> Option<Digest> {
        Some(start.photo.digest)
    }

    fn initial(start: &Start) -> State {
        State { angle: start.angle }
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        let degrees = ValueType::Integer { min: -MAX_TURN, max: MAX_TURN };
        vec![CallSchema::plain("rotate", "Turns the right disc about its middle.").arg(
            "angle",
            degrees,
            "whole degrees; positive is clockwise, negative is counter-clockwise",
            45,
        )]
    }

    fn apply(_start: &Start, state: &mut State, call: &Call) -> Feedback {
        let ("rotate", [degrees]) = (call.name.as_str(), call.args.as_slice()) else {
            return Feedback::refused(format!("There is no such action here: {call}."));
        };
        match degrees.as_i64() {
            Some(degrees) if degrees.abs() <= MAX_TURN => turn(state, degrees),
            _ => Feedback::refused(format!("A turn is -{MAX_TURN} to {MAX_TURN} whole degrees: nothing moved.")),
        }
    }

    fn draw(start: &Start, state: &State, sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(sources.photos.load(&start.photo)?.as_ref(), *state))
    }

    fn redraw(drawing: &mut draw::Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(*state)
    }

    fn measure(_start: &Start, state: &State) -> Measures {
        [("angle_deg".to_owned(), shorter_way(0, state.angle).abs() as f64)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::solve(start, style)
    }

    fn reason(_start: &Start, state: &State, call: &Call) -> Option<String> {
        let degrees = call.args.first()?.as_i64()?;
        let way = |degrees: i64| if degrees > 0 { "clockwise" } else { "counter-clockwise" };
        let off = shorter_way(0, state.angle);
        let left = shorter_way(0, state.turned(degrees).angle);
        let seen = format!("The right disc is turned {} {} against the left one", count(off.abs(), "degree"), way(off));
        let turn = format!("a turn of {} {}", count(degrees.abs(), "degree"), way(degrees));
        Some(match left {
            0 => format!("{seen}; {turn} brings both into line."),
            left => format!("{seen}; {turn} leaves {}.", count(left.abs(), "degree")),
        })
    }

    fn near_misses(_start: &Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let tolerance = tolerance(bounds);
        let turns = [tolerance + 1, -tolerance - 1, tolerance + 5, 90, -90, 180];
        turned_off(turns.into_iter().filter(|turn| turn.abs() > tolerance))
    }

    fn variations(_start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let tolerance = tolerance(bounds);
        let turns = [tolerance, -tolerance, tolerance / 2, 0];
        turned_off(turns.into_iter()).into_iter().filter(|(_, state)| state != solved).collect()
    }
}

fn turn(state: &mut State, degrees: i64) -> Feedback {
    if degrees == 0 {
        return Feedback::unchanged("A turn by 0 degrees changes nothing.");
    }
    *state = state.turned(degrees);
    let way = if degrees > 0 { "clockwise" } else { "counter-clockwise" };
    Feedback::changed(format!("The right disc was turned {way} by {}.", count(degrees.abs(), "degree")))
}

/// The greatest whole number of degrees that counts as right.
fn tolerance(bounds: &Measures) -> i64 {
    bounds.get("angle_deg").copied().unwrap_or(0.0).floor() as i64
}

/// States that are off by these turns.
fn turned_off(turns: impl Iterator<Item = i64>) -> Vec<(String, State)> {
    turns.map(|turn| (format!("off by {turn} degrees"), State { angle: 0 }.turned(turn))).collect()
}

/// A call that turns by so many degrees.
fn rotate(degrees: i64) -> Call {
    crate::puzzle::call("rotate", [Value::from(degrees)])
}
