//! Views of a photograph, each a closer look than another; they go in a row from the widest to the closest.

mod draw;
mod generate;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::digest::Digest;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::CallSchema;
use quintain_core::trajectory::Feedback;
use quintain_core::world::OracleStyle;
use serde::{Deserialize, Serialize};

use crate::canvas::Area;
use crate::puzzle::Puzzle;
use crate::sources::photos::Photo;
use crate::sources::{MaterialSources, PuzzleMaterial};
use crate::tiles::order;
use crate::tiles::row::{DrawnRow, TileRow};
use crate::tiles::solve::{STRATEGIES, solve};

/// The puzzle of views to be put in order.
pub struct ZoomIn;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Views in the row.
    pub views: usize,
    /// How many times closer each view is than the one before, at least.
    pub least_gap: f64,
    /// How many times closer each view is than the one before, at most.
    pub most_gap: f64,
    /// Pixels along a side of a view.
    #[serde(default = "default_tile")]
    pub tile: u32,
}

fn default_tile() -> u32 {
    224
}

/// A photograph, and the views of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The photograph.
    pub photo: Photo,
    /// Pixels along a side of a view.
    pub tile: u32,
    /// The square of the photograph that each view shows, from the widest to the closest; each lies in the one before.
    pub views: Vec<ZoomView>,
    /// Which view lies at each place at first.
    pub order: Vec<usize>,
}

/// A square of the photograph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ZoomView {
    /// Pixels from the left.
    pub x: u32,
    /// Pixels from the top.
    pub y: u32,
    /// Pixels along a side.
    pub side: u32,
}

impl ZoomView {
    fn area(self) -> Area {
        Area::new(self.x as i32, self.y as i32, self.side as i32, self.side as i32)
    }
}

/// How the views lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Which view lies at each place.
    pub order: Vec<usize>,
}

fn row(start: &Start) -> TileRow {
    TileRow { n_tiles: start.views.len(), noun: "view" }
}

/// A drawn row of views.
pub struct Drawing(DrawnRow);

impl Puzzle for ZoomIn {
    const NAME: &'static str = "zoom-in";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/order", "/views"];
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Photos);
    const STRATEGIES: &'static [&'static str] = STRATEGIES;

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, sources: &MaterialSources) -> Result<Start, String> {
        generate::generate(parameters, rng, sources.photos.as_ref())
    }

    fn made_of(start: &Start) -> Option<Digest> {
        Some(start.photo.digest)
    }

    fn initial(start: &Start) -> State {
        State { order: start.order.clone() }
    }

    fn calls(start: &Start) -> Vec<CallSchema> {
        row(start).calls()
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        row(start).apply(&mut state.order, call)
    }

    fn draw(start: &Start, state: &State, sources: &MaterialSources) -> Result<Drawing, String> {
        let mut drawn = draw::draw(start, &*sources.photos.load(&start.photo)?);
        drawn.show(&state.order);
        Ok(Drawing(drawn))
    }

    fn redraw(drawing: &mut Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.0.show(&state.order)
    }

    fn measure(start: &Start, state: &State) -> Measures {
        order::measures(&state.order, start.views.len())
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve(&start.order, &row(start), style, &mut Rng::for_purpose(style.seed, "zoom-in/solve"))
    }

    fn near_misses(_start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        let misses = order::near_misses(&solved.order, "view").into_iter();
        misses.map(|(how, order)| (how, State { order })).collect()
    }

    fn variations(_start: &Start, _solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        Vec::new()
    }
}
