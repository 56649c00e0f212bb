//! A solid thing that was turned, to be turned back until it looks as on the left.
//!
//! Two puzzles share these rules and this solver and differ only in the thing that is shown: a snake of cubes, or an
//! object. Turns are about the axes of the picture, which never move: x to the right, y up, z out of the picture.

mod draw;
mod orientation;
mod solve;
#[cfg(test)]
pub(crate) mod tests;
mod views;

use std::marker::PhantomData;
use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use quintain_core::world::OracleStyle;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::puzzle::{Puzzle, call};
use crate::solid::{Mesh, SolidTurn};
use crate::sources::{MaterialSources, PuzzleMaterial};

pub(crate) use draw::{camera, light};
pub use orientation::{GRAIN_DEG, Orientation, YawPitchRoll};
pub use views::Views;
pub(crate) use views::{Lots, any_turn, check};

/// The largest turn about an axis that can be asked for, in degrees.
const MAX_TURN: f64 = 180.0;
/// The one measure: degrees of the least turn that would align.
const MEASURE: &str = "angle_deg";

/// What is shown and turned.
pub trait TurnedSubject: Send + Sync + 'static {
    /// The puzzle's name in `task.toml`.
    const NAME: &'static str;
    /// Counts up whenever instances or pixels change.
    const VERSION: u32;
    /// What the thing is made of, where that comes from a source.
    const MATERIAL: Option<PuzzleMaterial> = None;

    /// The open difficulty parameters.
    type Parameters: DeserializeOwned;
    /// The thing, as an instance holds it.
    type Thing: Serialize + DeserializeOwned + Clone + std::fmt::Debug + PartialEq + Send + Sync;

    /// Picks a thing and two views of it that show enough.
    fn generate(
        parameters: &Self::Parameters,
        rng: &mut Rng,
        sources: &MaterialSources,
    ) -> Result<Start<Self::Thing>, String>;

    /// The hash of what the thing was made of, where that came from a source.
    fn made_of(_thing: &Self::Thing) -> Option<Digest> {
        None
    }

    /// The thing's surfaces, fitted into the unit ball at the origin.
    fn body(thing: &Self::Thing, sources: &MaterialSources) -> Result<Arc<Vec<Mesh>>, String>;
}

/// The turning puzzle in three dimensions.
pub struct MentalRotation3d<S>(PhantomData<fn() -> S>);

/// A thing, and how it is turned on the left and, at first, on the right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start<T> {
    /// The thing.
    pub thing: T,
    /// Both views.
    pub views: Views,
}

/// How the right thing is turned now.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// Its orientation.
    pub orientation: Orientation,
}

impl<S: TurnedSubject> Puzzle for MentalRotation3d<S> {
    const NAME: &'static str = S::NAME;
    const VERSION: u32 = S::VERSION;
    const SECRETS: &'static [&'static str] = &["/views/answer", "/views/target"];
    const STRATEGIES: &'static [&'static str] = &["axis_angle", "by_axis", "full_turns", "full_turns_by_axis"];
    const MATERIAL: Option<PuzzleMaterial> = S::MATERIAL;

    type Parameters = S::Parameters;
    type Start = Start<S::Thing>;
    type State = State;
    type Drawing = draw::Drawing;

    fn generate(parameters: &S::Parameters, rng: &mut Rng, sources: &MaterialSources) -> Result<Self::Start, String> {
        S::generate(parameters, rng, sources)
    }

    fn made_of(start: &Self::Start) -> Option<Digest> {
        S::made_of(&start.thing)
    }

    fn initial(start: &Self::Start) -> State {
        State { orientation: start.views.initial() }
    }

    fn calls(_start: &Self::Start) -> Vec<CallSchema> {
        let degrees = || ValueType::Number { min: -MAX_TURN, max: MAX_TURN };
        vec![
            CallSchema::plain(
                "rotate",
                "Turns the right object about the axes of the picture: yaw, then pitch, then roll.",
            )
            .arg(
                "yaw",
                degrees(),
                "degrees about the upright axis; positive turns the side that faces you to the right",
                15,
            )
            .arg("pitch", degrees(), "degrees about the level axis; positive turns the side that faces you down", 0)
            .arg("roll", degrees(), "degrees within the picture; positive is counter-clockwise", -10),
        ]
    }

    fn apply(_start: &Self::Start, state: &mut State, call: &Call) -> Feedback {
        let numbers: Vec<f64> = call.args.iter().filter_map(Value::as_f64).collect();
        let ("rotate", Ok(by)) = (call.name.as_str(), <[f64; 3]>::try_from(numbers)) else {
            return Feedback::refused(format!("There is no such action here: {call}."));
        };
        let turned = state.orientation.turned(YawPitchRoll(by).turn());
        if std::mem::replace(&mut state.orientation, turned) == turned {
            return Feedback::unchanged("The object is turned as it was.");
        }
        Feedback::changed("The object was turned.")
    }

    fn draw(start: &Self::Start, state: &State, sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(S::body(&start.thing, sources)?, &start.views, state.orientation))
    }

    fn redraw(drawing: &mut draw::Drawing, _start: &Self::Start, state: &State) -> Arc<Picture> {
        drawing.show(state.orientation)
    }

    fn measure(start: &Self::Start, state: &State) -> Measures {
        [(MEASURE.to_owned(), start.views.target.angle_deg(state.orientation))].into()
    }

    fn solve(start: &Self::Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        let turns = solve::solve(&start.views, style)?;
        Ok(turns.into_iter().map(|YawPitchRoll(by)| call("rotate", by.map(Into::into))).collect())
    }

    fn near_misses(start: &Self::Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let bound = bounds.get(MEASURE).copied().unwrap_or(0.0);
        let mut off = turned_by(start.views.target, bound + 2.0 * GRAIN_DEG, "too far");
        off.extend(turned_by(start.views.target, bound + 10.0, "much too far"));
        off.extend(turned_by(start.views.target, 180.0, "half way round"));
        off
    }

    fn variations(start: &Self::Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let bound = bounds.get(MEASURE).copied().unwrap_or(0.0);
        let mut near = vec![("aligned".to_owned(), State { orientation: start.views.target })];
        if bound > 2.0 * GRAIN_DEG {
            near.extend(turned_by(start.views.target, bound - 2.0 * GRAIN_DEG, "just not too far"));
        }
        near
    }
}

/// An orientation turned by so many degrees, both ways, about each axis of the picture and one aslant.
fn turned_by(orientation: Orientation, degrees: f64, how: &str) -> Vec<(String, State)> {
    let axes = [
        ("yaw", [0.0, 1.0, 0.0]),
        ("pitch", [1.0, 0.0, 0.0]),
        ("roll", [0.0, 0.0, 1.0]),
        ("aslant", [2.0 / 3.0, 2.0 / 3.0, 1.0 / 3.0]),
    ];
    let turn = |(name, axis): (&str, [f64; 3])| {
        [degrees, -degrees].map(|degrees| {
            let state = State { orientation: orientation.turned(SolidTurn::about(axis, degrees)) };
            (format!("{how}: {name} by {degrees:.3} degrees"), state)
        })
    };
    axes.into_iter().flat_map(turn).collect()
}
