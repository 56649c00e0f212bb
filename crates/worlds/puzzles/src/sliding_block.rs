//! Sliding blocks (Klotski): slide ten numbered blocks on a board of 5 by 4 until they lie as on the target board.

mod board;
mod distance;
mod draw;
mod generate;
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
use quintain_core::words::count;
use quintain_core::world::OracleStyle;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::puzzle::Puzzle;
use crate::sources::MaterialSources;

pub use board::{Blocked, Board, N_BLOCKS, NotABoard, SlideDirection};
pub use draw::Drawing;

/// The sliding-block puzzle.
pub struct SlidingBlock;

/// How far the target board is from the start.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Random moves from the start to the target.
    pub shuffle_moves: u32,
    /// The fewest moves that the shortest solution may have.
    pub least_moves: u32,
    /// The most moves that the shortest solution may have: a step limit above it always suffices.
    pub most_moves: u32,
}

/// Where the blocks begin and where they should end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The board at the start.
    pub blocks: Board,
    /// The board to reach.
    pub target: Board,
}

/// Where the blocks are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The board now.
    pub blocks: Board,
}

impl Puzzle for SlidingBlock {
    const NAME: &'static str = "sliding-block";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &[];
    const STRATEGIES: &'static [&'static str] = &["bfs", "explore"];

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        generate::start(parameters, rng)
    }

    fn initial(start: &Start) -> State {
        State { blocks: start.blocks }
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        let block = ValueType::Integer { min: 1, max: N_BLOCKS as i64 };
        let direction = ValueType::Integer { min: 0, max: 3 };
        let slide = CallSchema::plain("move", "Slides one block of the current board by one cell into free cells.")
            .arg("block", block, "the number on the block", 7)
            .arg("direction", direction, "0 = up, 1 = right, 2 = down, 3 = left", 1);
        vec![slide]
    }

    fn apply(_start: &Start, state: &mut State, call: &Call) -> Feedback {
        let Some((block, direction)) = slide_of(call) else {
            return Feedback::refused("There is no such move.");
        };
        let number = block + 1;
        match state.blocks.slid(block, direction) {
            Ok(blocks) => {
                state.blocks = blocks;
                Feedback::changed(format!("Block {number} moved {direction}."))
            }
            Err(blocked) => Feedback::refused(format!("Block {number} cannot move {direction}: {blocked}.")),
        }
    }

    fn draw(start: &Start, state: &State, _sources: &MaterialSources) -> Result<Drawing, String> {
        Ok(Drawing::new(&start.target, &state.blocks))
    }

    fn redraw(drawing: &mut Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(&state.blocks)
    }

    fn ascii(start: &Start, state: &State) -> Option<String> {
        Some(draw::ascii(&start.target, &state.blocks))
    }

    fn measure(start: &Start, state: &State) -> Measures {
        let away = state.blocks.distances(&start.target);
        let misplaced = away.iter().filter(|cells| **cells > 0).count();
        let cells: u32 = away.iter().sum();
        [("blocks_misplaced".to_owned(), misplaced as f64), ("cells_off".to_owned(), f64::from(cells))].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::calls(start, style)
    }

    fn reason(start: &Start, state: &State, call: &Call) -> Option<String> {
        let (block, direction) = slide_of(call)?;
        let then = state.blocks.slid(block, direction).ok()?.distances(&start.target)[block];
        let now = state.blocks.distances(&start.target)[block];
        let number = block + 1;
        Some(match then {
            0 => format!("Block {number} belongs one cell {direction} of where it is."),
            then if then < now => {
                format!("Block {number} belongs {} away, and {direction} is nearer to its place.", count(now, "cell"))
            }
            _ => format!("Block {number} is in the way of others, and {direction} it makes room."),
        })
    }

    fn near_misses(start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        let slid = solved.blocks.moves().into_iter().map(|(block, direction, blocks)| {
            (format!("block {} is one cell too far {direction}", block + 1), State { blocks })
        });
        let swapped =
            solved.blocks.lookalikes().into_iter().map(|(a, b, blocks)| {
                (format!("blocks {} and {} have changed places", a + 1, b + 1), State { blocks })
            });
        let untouched = ("nothing was moved".to_owned(), State { blocks: start.blocks });
        slid.chain(swapped).chain([untouched]).collect()
    }

    /// There are none: only one board is the target.
    fn variations(_start: &Start, _solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        Vec::new()
    }
}

/// The block (from 0) and the direction that a call names.
fn slide_of(call: &Call) -> Option<(usize, SlideDirection)> {
    let [block, direction] = call.args.as_slice() else { return None };
    let block = block.as_u64().filter(|number| (1..=N_BLOCKS as u64).contains(number))? as usize - 1;
    let direction = SlideDirection::ALL.get(usize::try_from(direction.as_u64()?).ok()?)?;
    (call.name == "move").then_some((block, *direction))
}

/// The call that slides a block (from 0).
fn slide(block: usize, direction: SlideDirection) -> Call {
    crate::puzzle::call("move", [Value::from(block + 1), Value::from(direction as usize)])
}
