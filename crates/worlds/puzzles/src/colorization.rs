//! A spot of a photograph whose colour was lost, to be given back by turning hue and saturation.

mod color;
mod draw;
mod generate;
mod solve;
#[cfg(test)]
mod tests;
mod wheel;

use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use quintain_core::world::OracleStyle;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::color::Tint;
use crate::puzzle::Puzzle;
use crate::sources::photos::Photo;
use crate::sources::{MaterialSources, PuzzleMaterial};

/// The colour puzzle.
pub struct Colorization;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// How many degrees off the hue may be.
    pub hue_tolerance: i64,
    /// How far off the saturation may be, of 255.
    pub saturation_tolerance: i64,
    /// How the photograph is shown around the spot.
    #[serde(default)]
    pub surround: Surround,
    /// Pixels across of the photograph.
    #[serde(default = "default_width")]
    pub width: u32,
    /// Pixels down of the photograph.
    #[serde(default = "default_height")]
    pub height: u32,
}

fn default_width() -> u32 {
    560
}

fn default_height() -> u32 {
    400
}

/// How the photograph is shown around the spot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surround {
    /// In its own colours, so that the right colour of the spot can be seen beside it.
    #[default]
    Color,
    /// In shades of grey, so that the right colour must be guessed from what is shown.
    Grey,
}

/// A photograph and a spot of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The photograph.
    pub photo: Photo,
    /// How the photograph is shown around the spot.
    pub surround: Surround,
    /// The middle of the spot, in pixels from the left and from the top of the photograph.
    pub spot: (i32, i32),
    /// How far the spot reaches from its middle, in pixels.
    pub radius: i32,
    /// The spot's own hue and saturation. The agent is never told.
    pub target: Tint,
    /// How bright the spot is in the middle of its range, of 255: so bright is the wheel.
    pub value: u8,
    /// The hue and saturation it has at first.
    pub tint: Tint,
}

/// What the spot is coloured with now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Hue and saturation.
    pub tint: Tint,
}

/// The largest turn of the hue that can be asked for, in degrees.
const MAX_TURN: i64 = 360;
/// The largest change of the saturation that can be asked for.
const MAX_SATURATION: i64 = 255;

impl Puzzle for Colorization {
    const NAME: &'static str = "colorization";
    const VERSION: u32 = 2;
    const SECRETS: &'static [&'static str] = &["/target"];
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Photos);
    const STRATEGIES: &'static [&'static str] = &["stochastic", "direct", "unit_first", "full_turn"];

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
        State { tint: start.tint }
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        let up_to = |most: i64| ValueType::Integer { min: -most, max: most };
        vec![
            CallSchema::plain("rotate", "Turns the hue: the mark goes round the wheel.").arg(
                "angle",
                up_to(MAX_TURN),
                "whole degrees; positive is clockwise on the wheel, negative is counter-clockwise",
                30,
            ),
            CallSchema::plain("saturate", "Changes the saturation: the mark goes out or in.").arg(
                "delta",
                up_to(MAX_SATURATION),
                "a whole number; positive is outwards and more vivid, negative is inwards and greyer; the middle is 0, \
                 the rim is 255",
                -20,
            ),
        ]
    }

    fn apply(_start: &Start, state: &mut State, call: &Call) -> Feedback {
        match (call.name.as_str(), call.args.first().and_then(Value::as_i64)) {
            ("rotate", Some(degrees)) if degrees.abs() <= MAX_TURN => rotate(state, degrees),
            ("saturate", Some(delta)) if delta.abs() <= MAX_SATURATION => saturate(state, delta),
            _ => Feedback::refused(format!("There is no such action here: {call}.")),
        }
    }

    fn draw(start: &Start, state: &State, sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(start, state.tint, sources.photos.load(&start.photo)?.as_ref()))
    }

    fn redraw(drawing: &mut draw::Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(state.tint)
    }

    fn measure(start: &Start, state: &State) -> Measures {
        let hue = state.tint.hue_off(start.target) as f64;
        let saturation = (state.tint.saturation - start.target.saturation).abs() as f64;
        [("hue_deg".to_owned(), hue), ("saturation".to_owned(), saturation)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::solve(start, style)
    }

    fn near_misses(start: &Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let (hue, saturation) = (bound(bounds, "hue_deg"), bound(bounds, "saturation"));
        let mut offs = vec![(hue + 1, 0), (-hue - 1, 0), (0, saturation + 1), (0, -saturation - 1)];
        offs.extend([(120, 0), (-120, 0), (180, 0), (0, -start.target.saturation), (hue + 1, saturation)]);
        let right = |state: &State| {
            let measures = Self::measure(start, state);
            measures["hue_deg"] <= hue as f64 && measures["saturation"] <= saturation as f64
        };
        off_by(start, offs).into_iter().filter(|(_, state)| !right(state)).collect()
    }

    fn variations(start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let (hue, saturation) = (bound(bounds, "hue_deg"), bound(bounds, "saturation"));
        let offs = vec![(0, 0), (hue, 0), (-hue, 0), (0, saturation), (0, -saturation), (hue, saturation)];
        off_by(start, offs).into_iter().filter(|(_, state)| state != solved).collect()
    }
}

fn rotate(state: &mut State, degrees: i64) -> Feedback {
    let was = state.tint;
    state.tint = was.turned(degrees);
    if was == state.tint {
        return Feedback::unchanged("The hue is as it was.");
    }
    let way = if degrees > 0 { "clockwise" } else { "counter-clockwise" };
    Feedback::changed(format!("The hue was turned {way}.{}", grey_note(state.tint)))
}

fn saturate(state: &mut State, delta: i64) -> Feedback {
    let was = state.tint;
    state.tint = was.saturated(delta);
    let made = state.tint.saturation - was.saturation;
    let way = if delta > 0 { "raised" } else { "lowered" };
    let end = if delta > 0 { "highest" } else { "lowest" };
    match (made, made == delta) {
        (0, true) => Feedback::unchanged("The saturation is as it was."),
        (0, false) => Feedback::unchanged(format!("The saturation is at its {end} already: nothing changed.")),
        (_, true) => Feedback::changed(format!("The saturation was {way}.{}", grey_note(state.tint))),
        (_, false) => {
            Feedback::changed(format!("The saturation was {way} as far as it goes.{}", grey_note(state.tint)))
        }
    }
}

/// What is to be said of a tint without colour.
fn grey_note(tint: Tint) -> &'static str {
    if tint.saturation == 0 { " While the spot is grey, its hue cannot be seen." } else { "" }
}

fn bound(bounds: &Measures, name: &str) -> i64 {
    bounds.get(name).copied().unwrap_or(0.0).floor() as i64
}

/// Tints that are off by so much hue and saturation, where the saturation has room for it.
fn off_by(start: &Start, offs: Vec<(i64, i64)>) -> Vec<(String, State)> {
    let state = |(hue, saturation): (i64, i64)| {
        let tint = start.target.turned(hue).saturated(saturation);
        (format!("hue off by {hue}, saturation by {saturation}"), State { tint })
    };
    offs.into_iter().map(state).collect()
}
