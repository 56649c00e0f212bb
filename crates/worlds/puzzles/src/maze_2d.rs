//! The maze seen from above: the agent leads a blue disc through the corridors to the red square.

mod draw;

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

use crate::maze::{Maze, MazeCell, MazeDirection, MazeWalk, Strategy};
use crate::puzzle::{self, Puzzle};
use crate::sources::MaterialSources;

/// The maze seen from above.
pub struct Maze2d;

/// How large and how it is drawn.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Cells across, walls included: odd.
    pub width: u32,
    /// Cells down, walls included: odd.
    pub height: u32,
    /// Pixels across one cell.
    pub cell_px: u32,
}

/// A maze and how it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The maze.
    pub map: Maze,
    /// Pixels across one cell.
    pub cell_px: u32,
}

/// Where the agent is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The cell it is in.
    pub at: MazeCell,
}

const LEAST_CELL_PX: u32 = 12;
const GREATEST_CELL_PX: u32 = 96;
const WIDEST_PX: u32 = 4096;

impl Puzzle for Maze2d {
    const NAME: &'static str = "maze-2d";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &[];
    const STRATEGIES: &'static [&'static str] = Strategy::NAMES;

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = draw::Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        let Parameters { width, height, cell_px } = *parameters;
        if !(LEAST_CELL_PX..=GREATEST_CELL_PX).contains(&cell_px) {
            return Err(format!("`cell_px` must be from {LEAST_CELL_PX} to {GREATEST_CELL_PX}, not {cell_px}"));
        }
        let map = Maze::generate(width, height, rng)?;
        if width.max(height) * cell_px > WIDEST_PX {
            return Err(format!(
                "the picture would be wider or higher than {WIDEST_PX} pixels: make `cell_px` smaller"
            ));
        }
        Ok(Start { map, cell_px })
    }

    fn initial(start: &Start) -> State {
        State { at: start.map.start() }
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        let direction = ValueType::Integer { min: 0, max: 3 };
        let about = "0 = right, 1 = up, 2 = left, 3 = down";
        vec![CallSchema::plain("move", "Move the blue disc by one cell.").arg("direction", direction, about, 0)]
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        let Some(direction) = direction_of(call) else {
            return Feedback::refused("Only a move in a direction from 0 to 3 is possible.");
        };
        let word = WORDS[direction as usize];
        let next = state.at.next(direction);
        if !start.map.is_open(next) {
            return Feedback::refused(format!("You cannot move {word}: there is a wall."));
        }
        state.at = next;
        Feedback::changed(format!("You moved {word}."))
    }

    fn draw(start: &Start, state: &State, _sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(start, state.at))
    }

    fn redraw(drawing: &mut draw::Drawing, start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(start, state.at)
    }

    fn ascii(start: &Start, state: &State) -> Option<String> {
        let letter = |cell| match cell {
            _ if cell == state.at && cell == start.map.goal() => '*',
            _ if cell == state.at => 'A',
            _ if cell == start.map.goal() => 'G',
            _ if start.map.is_open(cell) => '.',
            _ => '#',
        };
        let row = |y| (0..start.map.width()).map(|x| letter(MazeCell { x, y })).collect();
        Some((0..start.map.height()).map(row).collect::<Vec<String>>().join("\n"))
    }

    fn measure(start: &Start, state: &State) -> Measures {
        Measures::from([("moves_left".to_owned(), f64::from(start.map.moves_left(state.at)))])
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        let mut walk = MazeWalk::new(&start.map, style)?;
        let cells = with_detours(&start.map, &mut walk);
        let direction = |pair: &[MazeCell]| MazeDirection::ALL.into_iter().find(|way| pair[0].next(*way) == pair[1]);
        Ok(cells.windows(2).filter_map(direction).map(move_call).collect())
    }

    fn reason(start: &Start, state: &State, call: &Call) -> Option<String> {
        let direction = direction_of(call)?;
        let word = WORDS[direction as usize];
        let (now, then) = (start.map.moves_left(state.at), start.map.moves_left(state.at.next(direction)));
        let moves = count(now, "move");
        Some(if then < now {
            format!("The red square is {moves} away along the corridors, and the way there goes {word}.")
        } else {
            format!("The red square is {moves} away along the corridors; {word} is a look aside.")
        })
    }

    fn near_misses(start: &Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let cells = start.map.near_misses(bounds.get("moves_left").copied().unwrap_or(0.0));
        cells.into_iter().map(|(moves, at)| (format!("{moves} moves short of the goal"), State { at })).collect()
    }

    fn variations(start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let bound = bounds.get("moves_left").copied().unwrap_or(0.0);
        let near = start.map.by_distance().into_iter().filter(|(moves, _)| f64::from(*moves) <= bound);
        let other = near.filter(|(_, at)| *at != solved.at).take(8);
        other.map(|(moves, at)| (format!("{moves} moves short, which is near enough"), State { at })).collect()
    }
}

const WORDS: [&str; 4] = ["right", "up", "left", "down"];

fn direction_of(call: &Call) -> Option<MazeDirection> {
    let number = call.args.first().and_then(Value::as_u64).filter(|_| call.name == "move")?;
    MazeDirection::ALL.get(usize::try_from(number).ok()?).copied()
}

fn move_call(direction: MazeDirection) -> Call {
    puzzle::call("move", [Value::from(direction as u64)])
}

/// The way with as many steps aside and straight back as the style asks for. They keep off the goal
/// where they can.
fn with_detours(maze: &Maze, walk: &mut MazeWalk) -> Vec<MazeCell> {
    let n_moves = walk.cells.len() - 1;
    let mut detours = vec![Vec::new(); n_moves];
    for _ in 0..walk.pairs_to_add(n_moves) {
        let place = walk.rng.below(n_moves);
        let beside: Vec<MazeCell> = maze.beside(walk.cells[place]).collect();
        let safe: Vec<MazeCell> = beside.iter().copied().filter(|cell| *cell != maze.goal()).collect();
        detours[place].push(*walk.rng.choose(if safe.is_empty() { &beside } else { &safe }));
    }
    let mut cells = Vec::new();
    for (place, here) in walk.cells.iter().enumerate() {
        cells.push(*here);
        let aside = detours.get(place).into_iter().flatten();
        cells.extend(aside.flat_map(|aside| [*aside, *here]));
    }
    cells
}

#[cfg(test)]
mod tests;
