//! The maze seen from within: the agent walks the corridors in first person and looks for the red ball.

mod ball;
mod draw;
mod ground;
mod strip;
mod texture;
mod view;

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

use crate::maze::{Maze, MazeCell, MazeDirection, MazeWalk, Strategy};
use crate::puzzle::{self, Puzzle};
use crate::sources::MaterialSources;

/// The maze seen from within.
pub struct Maze3d;

/// How large it is and how large it is drawn.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Cells across the map, walls included: odd.
    pub width: u32,
    /// Cells down the map, walls included: odd.
    pub height: u32,
    /// Pixels across the picture.
    pub picture_width: u32,
    /// Pixels down the picture.
    pub picture_height: u32,
}

/// A maze, how one faces at first, and how large it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The maze.
    pub map: Maze,
    /// The direction that one faces at first.
    pub heading: MazeDirection,
    /// Pixels across and down.
    pub picture: (u32, u32),
}

/// Where the agent is and which way it faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The cell it is in.
    pub at: MazeCell,
    /// The direction it faces.
    pub heading: MazeDirection,
}

const LEAST_PX: u32 = 64;
const GREATEST_PX: u32 = 2048;

impl Puzzle for Maze3d {
    const NAME: &'static str = "maze-3d";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/map"];
    const STRATEGIES: &'static [&'static str] = Strategy::NAMES;

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = draw::Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        let Parameters { width, height, picture_width, picture_height } = *parameters;
        for (name, size) in [("picture_width", picture_width), ("picture_height", picture_height)] {
            if !(LEAST_PX..=GREATEST_PX).contains(&size) {
                return Err(format!("`{name}` must be from {LEAST_PX} to {GREATEST_PX}, not {size}"));
            }
        }
        let picture = (picture_width, picture_height);
        let map = Maze::generate(width, height, rng)?;
        let at = map.start();
        let blind = |heading: &MazeDirection| !view::goal_in_view(&map, State { at, heading: *heading }, picture);
        let headings: Vec<MazeDirection> = MazeDirection::ALL.into_iter().filter(blind).collect();
        if headings.is_empty() {
            return Err("the goal can be seen from the start whichever way one faces".to_owned());
        }
        let heading = *rng.choose(&headings);
        Ok(Start { map, heading, picture })
    }

    fn initial(start: &Start) -> State {
        State { at: start.map.start(), heading: start.heading }
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        let only = ValueType::Integer { min: 0, max: 0 };
        let turns = ValueType::Integer { min: 1, max: 3 };
        vec![
            CallSchema::plain("move", "Move one cell forward, the way you face.").arg(
                "direction",
                only,
                "0 = forward",
                0,
            ),
            CallSchema::plain("turn", "Turn on the spot.").arg(
                "direction",
                turns,
                "1 = left, 2 = right, 3 = around",
                1,
            ),
        ]
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        match (call.name.as_str(), call.args.first().and_then(Value::as_u64)) {
            ("move", Some(0)) => step(&start.map, state),
            ("turn", Some(1)) => turn(state, 1, "left"),
            ("turn", Some(2)) => turn(state, 3, "right"),
            ("turn", Some(3)) => turn(state, 2, "around"),
            _ => Feedback::refused("You can only move (0) or turn (1, 2 or 3)."),
        }
    }

    fn draw(start: &Start, state: &State, _sources: &MaterialSources) -> Result<draw::Drawing, String> {
        Ok(draw::Drawing::new(start, *state))
    }

    fn redraw(drawing: &mut draw::Drawing, start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(start, *state)
    }

    fn measure(start: &Start, state: &State) -> Measures {
        Measures::from([("moves_left".to_owned(), f64::from(start.map.moves_left(state.at)))])
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        let mut walk = MazeWalk::new(&start.map, style)?;
        let calls = along(&walk.cells, start.heading);
        let n_pairs = walk.pairs_to_add(calls.len());
        Ok(with_glances(calls, n_pairs, &mut walk.rng))
    }

    fn near_misses(start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let cells = start.map.near_misses(bounds.get("moves_left").copied().unwrap_or(0.0));
        let heading = solved.heading;
        let miss = |(moves, at)| (format!("{moves} moves short of the goal"), State { at, heading });
        cells.into_iter().map(miss).collect()
    }

    fn variations(_start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        let other = MazeDirection::ALL.into_iter().filter(|heading| *heading != solved.heading);
        other.map(|heading| (format!("facing {heading:?} at the goal"), State { at: solved.at, heading })).collect()
    }
}

fn step(maze: &Maze, state: &mut State) -> Feedback {
    let next = state.at.next(state.heading);
    if !maze.is_open(next) {
        return Feedback::refused("You cannot move forward: there is a wall in front of you.");
    }
    state.at = next;
    Feedback::changed("You moved forward.")
}

fn turn(state: &mut State, quarters: usize, word: &str) -> Feedback {
    state.heading = state.heading.left(quarters);
    Feedback::changed(format!("You turned {word}."))
}

fn turn_call(number: u64) -> Call {
    puzzle::call("turn", [Value::from(number)])
}

/// The turns and moves that follow a way.
fn along(way: &[MazeCell], mut heading: MazeDirection) -> Vec<Call> {
    let mut calls = Vec::new();
    for pair in way.windows(2) {
        let ahead = MazeDirection::ALL.into_iter().find(|ahead| pair[0].next(*ahead) == pair[1]).unwrap_or(heading);
        match heading.quarters_to(ahead) {
            1 => calls.push(turn_call(1)),
            2 => calls.push(turn_call(3)),
            3 => calls.push(turn_call(2)),
            _ => {}
        }
        calls.push(puzzle::call("move", [Value::from(0)]));
        heading = ahead;
    }
    calls
}

/// The calls with as many glances aside and back as are asked for, none of them after the last call.
fn with_glances(calls: Vec<Call>, n_pairs: usize, rng: &mut Rng) -> Vec<Call> {
    let mut glances = vec![Vec::new(); calls.len()];
    for _ in 0..n_pairs {
        glances[rng.below(calls.len())].extend(rng.choose(&[[1, 2], [2, 1], [3, 3]]).map(turn_call));
    }
    calls.into_iter().zip(glances).flat_map(|(call, glance)| glance.into_iter().chain([call])).collect()
}

#[cfg(test)]
mod tests;
