//! A photograph cut into pieces and mixed up; the pieces go back to their places.

mod draw;
mod generate;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
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

use crate::puzzle::Puzzle;
use crate::sources::photos::Photo;
use crate::sources::{MaterialSources, PuzzleMaterial};
use crate::tiles::order;
use crate::tiles::solve::{Naming, STRATEGIES, solve};

/// The jigsaw puzzle.
pub struct Jigsaw;

/// What makes a jigsaw easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Pieces down.
    pub rows: usize,
    /// Pieces across.
    pub cols: usize,
    /// Pixels across of the photograph, at least.
    #[serde(default = "default_width")]
    pub width: u32,
    /// Pixels down of the photograph, at least.
    #[serde(default = "default_height")]
    pub height: u32,
}

fn default_width() -> u32 {
    560
}

fn default_height() -> u32 {
    400
}

/// A mixed-up photograph.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Pieces down.
    pub rows: usize,
    /// Pieces across.
    pub cols: usize,
    /// The photograph.
    pub photo: Photo,
    /// Which piece lies at each place at first. Pieces and places are counted from the top left, row by row.
    pub order: Vec<usize>,
}

/// Where the pieces lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Which piece lies at each place.
    pub order: Vec<usize>,
}

impl Start {
    /// How many pieces there are.
    fn n_pieces(&self) -> usize {
        self.rows * self.cols
    }

    /// The place in a row and column, if there is one.
    fn place_at(&self, value: &Value) -> Option<usize> {
        let row = usize::try_from(value.get(0)?.as_i64()?).ok()?;
        let col = usize::try_from(value.get(1)?.as_i64()?).ok()?;
        (row < self.rows && col < self.cols).then_some(row * self.cols + col)
    }
}

impl Naming for Start {
    fn first_place(&self) -> usize {
        0
    }

    /// A row and a column.
    fn place(&self, place: usize) -> Value {
        Value::from(vec![place / self.cols, place % self.cols])
    }
}

impl Puzzle for Jigsaw {
    const NAME: &'static str = "jigsaw";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/order"];
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Photos);
    const STRATEGIES: &'static [&'static str] = STRATEGIES;

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

    fn words(start: &Start) -> BTreeMap<String, Value> {
        [("pieces".to_owned(), start.n_pieces().into())].into()
    }

    fn initial(start: &Start) -> State {
        State { order: start.order.clone() }
    }

    fn calls(start: &Start) -> Vec<CallSchema> {
        let most = start.rows.max(start.cols) as i64 - 1;
        let cell = || ValueType::List { of: Box::new(ValueType::Integer { min: 0, max: most }), len: 2 };
        let last = start.n_pieces() as i64 - 1;
        let order = ValueType::List { of: Box::new(ValueType::Integer { min: 0, max: last }), len: start.n_pieces() };
        vec![
            CallSchema::plain("swap", "Exchanges the pieces at two places.")
                .arg("first", cell(), "row and column of one place; (0, 0) is at the top left", vec![0, 0])
                .arg("second", cell(), "row and column of the other place", start.place(start.n_pieces() - 1)),
            CallSchema::plain("reorder", "Lays out all pieces anew, row by row from the top left.").arg(
                "order",
                order,
                "for each place, which piece goes there; a piece is named by the place where it lies now, counted from \
                 0 at the top left, row by row; every number once",
                (0..start.n_pieces()).collect::<Vec<_>>(),
            ),
        ]
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        match (call.name.as_str(), call.args.as_slice()) {
            ("swap", [first, second]) => swap(start, state, first, second),
            ("reorder", [list]) => order::reorder(&mut state.order, list, 0, ["piece", "pieces"]),
            _ => Feedback::refused(format!("There is no such action here: {call}.")),
        }
    }

    fn draw(start: &Start, state: &State, sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(start, state, sources.photos.load(&start.photo)?))
    }

    fn redraw(drawing: &mut draw::Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(&state.order)
    }

    fn measure(start: &Start, state: &State) -> Measures {
        [("misplaced".to_owned(), order::n_misplaced(&state.order, start.n_pieces()) as f64)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve(&start.order, start, style, &mut Rng::for_purpose(style.seed, "jigsaw/solve"))
    }

    fn near_misses(_start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        let misses = order::near_misses(&solved.order, "piece").into_iter();
        misses.map(|(how, order)| (how, State { order })).collect()
    }

    fn variations(_start: &Start, _solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        Vec::new()
    }
}

fn swap(start: &Start, state: &mut State, first: &Value, second: &Value) -> Feedback {
    let (Some(a), Some(b)) = (start.place_at(first), start.place_at(second)) else {
        let (rows, cols) = (start.rows - 1, start.cols - 1);
        return Feedback::refused(format!(
            "There is no such place: rows go from 0 to {rows}, columns from 0 to {cols}."
        ));
    };
    order::swap(&mut state.order, a, b, "pieces")
}
