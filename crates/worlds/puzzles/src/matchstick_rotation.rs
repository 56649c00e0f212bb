//! A stick to be laid on another, by moves whose scale is hidden.
//!
//! A move is given in units; a unit is so many pixels of the picture, and the agent must find out how many. The goal
//! is judged in the pixels the agent sees.

mod draw;
mod generate;
mod solve;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use quintain_core::world::OracleStyle;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::puzzle::Puzzle;
use crate::sources::MaterialSources;

/// The stick-laying puzzle.
pub struct MatchstickRotation;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How many pixels off the middle may be.
    pub position_tolerance: f64,
    /// How many degrees off the stick may be turned.
    pub angle_tolerance: f64,
    /// The fewest pixels that a unit may be.
    pub scale_min: f64,
    /// The most pixels that a unit may be.
    pub scale_max: f64,
    /// Pixels along a side of the picture.
    #[serde(default = "default_size")]
    pub size: u32,
}

fn default_size() -> u32 {
    400
}

/// Where everything is at first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Pixels along a side of the picture.
    pub size: u32,
    /// How many pixels a unit is. The agent is never told.
    pub scale: f64,
    /// Where the stick lies at first.
    pub stick: StickPose,
    /// Where it should lie.
    pub target: StickPose,
}

/// Where a stick lies. Every number is a whole multiple of [`GRAIN`], so that sums are exact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StickPose {
    /// Pixels from the left to its middle.
    pub x: f64,
    /// Pixels from the top to its middle.
    pub y: f64,
    /// Degrees that it is turned clockwise from lying flat, from 0 up to 360.
    pub angle: f64,
}

/// Where the stick lies now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The stick.
    pub stick: StickPose,
}

/// The least part of a pixel or a degree that counts.
pub const GRAIN: f64 = 1.0 / 1024.0;
/// The longest move that can be asked for, in units.
const MAX_MOVE: f64 = 1000.0;
/// The largest turn that can be asked for, in degrees.
const MAX_TURN: f64 = 360.0;

/// The nearest multiple of the grain.
pub(crate) fn snapped(value: f64) -> f64 {
    (value / GRAIN).round() * GRAIN
}

impl StickPose {
    /// A pose near these numbers.
    fn new(x: f64, y: f64, angle: f64) -> Self {
        Self { x: snapped(x), y: snapped(y), angle: snapped(angle).rem_euclid(360.0) }
    }

    /// The pose after a shift in pixels and a turn in degrees.
    fn moved(self, dx: f64, dy: f64, turn: f64) -> Self {
        Self::new(self.x + dx, self.y + dy, self.angle + turn)
    }

    fn distance_px(self, other: Self) -> f64 {
        let (dx, dy) = (self.x - other.x, self.y - other.y);
        (dx * dx + dy * dy).sqrt()
    }

    /// The least turn that makes this stick parallel to the other. A stick turned by half a circle looks the same.
    fn angle_deg(self, other: Self) -> f64 {
        let turn = (self.angle - other.angle).rem_euclid(180.0);
        turn.min(180.0 - turn)
    }
}

impl Start {
    /// The state after a move, or nothing if the stick would leave the picture.
    fn moved(&self, stick: StickPose, [dx, dy, turn]: [f64; 3]) -> Option<StickPose> {
        let moved = stick.moved(dx * self.scale, dy * self.scale, turn);
        let inside = 0.0..=f64::from(self.size);
        (inside.contains(&moved.x) && inside.contains(&moved.y)).then_some(moved)
    }
}

impl Puzzle for MatchstickRotation {
    const NAME: &'static str = "matchstick-rotation";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/scale"];
    const STRATEGIES: &'static [&'static str] = &["unit_first", "stochastic", "direct"];

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = draw::Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        generate::generate(parameters, rng)
    }

    fn words(start: &Start) -> BTreeMap<String, Value> {
        [("size".to_owned(), start.size.into())].into()
    }

    fn initial(start: &Start) -> State {
        State { stick: start.stick }
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        let units = || ValueType::Number { min: -MAX_MOVE, max: MAX_MOVE };
        let degrees = ValueType::Number { min: -MAX_TURN, max: MAX_TURN };
        vec![
            CallSchema::plain("move", "Shifts the blue stick and turns it about its middle.")
                .arg("dx", units(), "units to the right; negative is to the left", 2)
                .arg("dy", units(), "units down; negative is up", 0)
                .arg("dtheta", degrees, "degrees clockwise; negative is counter-clockwise", 45),
        ]
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        let numbers: Vec<f64> = call.args.iter().filter_map(Value::as_f64).collect();
        let ("move", Ok(by)) = (call.name.as_str(), <[f64; 3]>::try_from(numbers)) else {
            return Feedback::refused(format!("There is no such action here: {call}."));
        };
        let Some(moved) = start.moved(state.stick, by) else {
            return Feedback::refused("The middle of the stick would leave the picture: nothing moved.");
        };
        let was = std::mem::replace(&mut state.stick, moved);
        let shifted = was.distance_px(moved) > 0.0;
        match (shifted, moved != StickPose { angle: was.angle, ..moved }) {
            (true, true) => Feedback::changed("The stick was shifted and turned."),
            (true, false) => Feedback::changed("The stick was shifted."),
            (false, true) => Feedback::changed("The stick was turned."),
            (false, false) => Feedback::unchanged("The stick lies where it was."),
        }
    }

    fn draw(start: &Start, state: &State, _sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(start, state.stick))
    }

    fn redraw(drawing: &mut draw::Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(state.stick)
    }

    fn measure(start: &Start, state: &State) -> Measures {
        let position = state.stick.distance_px(start.target);
        let angle = state.stick.angle_deg(start.target);
        [("position_px".to_owned(), position), ("angle_deg".to_owned(), angle)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::solve(start, style)
    }

    fn near_misses(start: &Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let (position, angle) = (bound(bounds, "position_px"), bound(bounds, "angle_deg"));
        let too_far = position + 4.0 * GRAIN;
        let too_turned = angle + 2.0 * GRAIN;
        let mut poses = shifted(start.target, too_far, "too far");
        poses.extend(turned(start.target, too_turned, "too much"));
        poses.push(("turned to stand across".to_owned(), start.target.moved(0.0, 0.0, 90.0)));
        let right = |measures: &Measures| measures["position_px"] <= position && measures["angle_deg"] <= angle;
        let states = poses.into_iter().map(|(how, stick)| (how, State { stick }));
        states.filter(|(_, state)| !right(&Self::measure(start, state))).collect()
    }

    fn variations(start: &Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let (position, angle) = (bound(bounds, "position_px"), bound(bounds, "angle_deg"));
        let mut poses = vec![("turned by half a circle".to_owned(), start.target.moved(0.0, 0.0, 180.0))];
        if position > 4.0 * GRAIN {
            poses.extend(shifted(start.target, position - 4.0 * GRAIN, "just not too far"));
        }
        if angle > 2.0 * GRAIN {
            poses.extend(turned(start.target, angle - 2.0 * GRAIN, "just not too much"));
        }
        poses.into_iter().map(|(how, stick)| (how, State { stick })).collect()
    }
}

fn bound(bounds: &Measures, name: &str) -> f64 {
    bounds.get(name).copied().unwrap_or(0.0)
}

/// A pose shifted by so many pixels in each of six directions. Three, four, five make an exact slant.
fn shifted(pose: StickPose, px: f64, how: &str) -> Vec<(String, StickPose)> {
    let directions = [
        ("right", 1.0, 0.0),
        ("left", -1.0, 0.0),
        ("down", 0.0, 1.0),
        ("up", 0.0, -1.0),
        ("right and down", 0.6, 0.8),
        ("left and up", -0.6, -0.8),
    ];
    directions.map(|(name, x, y)| (format!("{how} to the {name}"), pose.moved(x * px, y * px, 0.0))).into()
}

/// A pose turned by so many degrees either way.
fn turned(pose: StickPose, degrees: f64, how: &str) -> Vec<(String, StickPose)> {
    vec![
        (format!("turned {how} clockwise"), pose.moved(0.0, 0.0, degrees)),
        (format!("turned {how} counter-clockwise"), pose.moved(0.0, 0.0, -degrees)),
    ]
}
