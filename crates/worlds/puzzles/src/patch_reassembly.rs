//! A board that was cut into pieces, to be covered again without a gap.

mod board;
mod cover;
mod draw;
mod generate;
mod layout;
mod print;
mod solve;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::picture::Picture;
use quintain_core::rng::Rng;
use quintain_core::surface::{CallSchema, ValueType};
use quintain_core::trajectory::Feedback;
use quintain_core::world::OracleStyle;
use serde::Deserialize;
use serde_json::Value;

use self::board::Obstacle;
pub use self::board::{BoardCell, PatchPiece, Start, State};
use crate::puzzle::Puzzle;
use crate::sources::MaterialSources;

/// The covering puzzle.
pub struct PatchReassembly;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Cells down.
    pub rows: i32,
    /// Cells across.
    pub cols: i32,
    /// How many pieces the board is cut into.
    pub pieces: usize,
}

/// How many other covers are shown as variations.
const MOST_VARIATIONS: usize = 6;

impl Puzzle for PatchReassembly {
    const NAME: &'static str = "patch-reassembly";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &[];
    const STRATEGIES: &'static [&'static str] = &["backtracking", "mistakes"];

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = draw::Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        generate::generate(parameters, rng)
    }

    fn initial(start: &Start) -> State {
        State { places: vec![None; start.pieces.len()] }
    }

    fn calls(start: &Start) -> Vec<CallSchema> {
        let up_to = |n: i64| ValueType::Integer { min: 0, max: n - 1 };
        let piece = || up_to(start.pieces.len() as i64);
        vec![
            CallSchema::plain("place", "Lays a piece on the board, or moves one that lies there already.")
                .arg("piece", piece(), "the number of the piece", 0)
                .arg("row", up_to(start.rows.into()), "the row for the cell that bears its number, 0 at the top", 1)
                .arg("col", up_to(start.cols.into()), "the column for that cell, 0 at the left", 2),
            CallSchema::plain("remove", "Takes a piece off the board, back to its parking place.").arg(
                "piece",
                piece(),
                "the number of the piece",
                0,
            ),
        ]
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        let numbers: Option<Vec<i64>> = call.args.iter().map(Value::as_i64).collect();
        match (call.name.as_str(), numbers.as_deref()) {
            ("place", Some(&[piece, row, col])) => place(start, state, piece, [row as i32, col as i32]),
            ("remove", Some(&[piece])) => remove(state, piece),
            _ => Feedback::refused(format!("There is no such action here: {call}.")),
        }
    }

    fn draw(start: &Start, state: &State, _sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(start, state))
    }

    fn redraw(drawing: &mut draw::Drawing, start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(start, state)
    }

    fn ascii(start: &Start, state: &State) -> Option<String> {
        Some(print::print(start, state))
    }

    fn measure(start: &Start, state: &State) -> Measures {
        let (uncovered, overlaps) = start.faults(state);
        [("uncovered".to_owned(), uncovered as f64), ("overlaps".to_owned(), overlaps as f64)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::solve(start, style)
    }

    fn near_misses(start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let with = |piece: usize, place: Option<BoardCell>| {
            let mut state = solved.clone();
            state.places[piece] = place;
            state
        };
        let mut found = Vec::new();
        for (piece, place) in solved.places.iter().enumerate() {
            let Some([row, col]) = *place else { continue };
            found.push((format!("piece {piece} is missing"), with(piece, None)));
            for (way, place) in [("right", [row, col + 1]), ("down", [row + 1, col])] {
                found.push((format!("piece {piece} is one cell too far {way}"), with(piece, Some(place))));
            }
        }
        found.extend(uncovered(start, solved, bounds).find(|(_, state)| !is_within(start, state, bounds)));
        found.into_iter().filter(|(_, state)| !is_within(start, state, bounds)).collect()
    }

    fn variations(start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let covers = cover::covers(start, MOST_VARIATIONS + 1).into_iter().filter(|cover| cover != solved);
        let named = covers.enumerate().map(|(i, cover)| (format!("another cover, number {i}"), cover));
        let enough = uncovered(start, solved, bounds).take_while(|(_, state)| is_within(start, state, bounds));
        named.take(MOST_VARIATIONS).chain(enough).collect()
    }
}

/// Whether a state is as good as is asked for.
fn is_within(start: &Start, state: &State, bounds: &Measures) -> bool {
    let bound = |name: &str| bounds.get(name).copied().unwrap_or(0.0);
    PatchReassembly::measure(start, state).iter().all(|(name, value)| *value <= bound(name))
}

/// The state with one piece after another taken off, from the last, where cells may stay free. None where they may not.
fn uncovered<'a>(
    start: &'a Start,
    solved: &'a State,
    bounds: &Measures,
) -> impl Iterator<Item = (String, State)> + use<'a> {
    let may_be_free = bounds.get("uncovered").is_some_and(|bound| *bound > 0.0);
    let firsts = (1..start.pieces.len()).rev().filter(move |_| may_be_free);
    firsts.map(|first| {
        let mut state = solved.clone();
        state.places[first..].fill(None);
        (format!("pieces missing from {first} on"), state)
    })
}

fn place(start: &Start, state: &mut State, piece: i64, place: BoardCell) -> Feedback {
    let Some(idx) = usize::try_from(piece).ok().filter(|idx| *idx < start.pieces.len()) else {
        return Feedback::refused(format!("There is no piece {piece}."));
    };
    if state.places[idx] == Some(place) {
        return Feedback::unchanged(format!("Piece {piece} lies there already."));
    }
    match start.obstacle(state, idx, place) {
        Some(Obstacle::Edge) => {
            Feedback::refused(format!("Piece {piece} would stick out of the board there: nothing moved."))
        }
        Some(Obstacle::Piece(other)) => {
            Feedback::refused(format!("Piece {piece} would cover piece {other} there: nothing moved."))
        }
        None => {
            let was = state.places[idx].replace(place);
            let what = if was.is_some() { "moved" } else { "laid on the board" };
            Feedback::changed(format!("Piece {piece} was {what}."))
        }
    }
}

fn remove(state: &mut State, piece: i64) -> Feedback {
    let place = usize::try_from(piece).ok().and_then(|idx| state.places.get_mut(idx));
    match place.map(Option::take) {
        None => Feedback::refused(format!("There is no piece {piece}.")),
        Some(None) => Feedback::unchanged(format!("Piece {piece} is not on the board.")),
        Some(Some(_)) => Feedback::changed(format!("Piece {piece} was taken off the board.")),
    }
}
