//! Matchstick equation: an equation laid in matches is false; move matches, one at a time, until it is true.

mod draw;
mod equation;
mod generate;
mod search;
mod solve;
mod symbol;
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

use crate::puzzle::{Puzzle, call};
use crate::sources::MaterialSources;

pub use draw::Drawing;
pub use equation::{Against, Equation, MatchMove, NotAnEquation};
pub use symbol::{N_SEGMENTS, Symbol};

/// The matchstick-equation puzzle.
pub struct MatchstickEquation;

/// What kind of equation it is and how badly it is broken.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Moves that broke the equation: it can be mended in so many, and not in fewer.
    pub break_moves: u32,
    /// The most operations left of the equals sign.
    #[serde(default = "two")]
    pub most_operations: u32,
    /// The largest number in the equation before it was broken.
    #[serde(default = "ninety_nine")]
    pub largest: u32,
}

fn two() -> u32 {
    2
}

fn ninety_nine() -> u32 {
    99
}

/// The broken equation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// The equation as it is shown first.
    pub broken: Equation,
}

/// The equation as it lies, and how it came to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The equation.
    pub equation: Equation,
    /// The moves that led to it and were not undone.
    pub moved: Vec<MatchMove>,
}

impl Puzzle for MatchstickEquation {
    const NAME: &'static str = "matchstick-equation";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &[];
    const STRATEGIES: &'static [&'static str] = &["bfs", "dfs", "sos"];

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, _sources: &MaterialSources) -> Result<Start, String> {
        generate::start(parameters, rng)
    }

    fn words(start: &Start) -> BTreeMap<String, Value> {
        let n_symbols = start.broken.symbols().len();
        [("n_symbols".to_owned(), n_symbols.into()), ("last_symbol".to_owned(), (n_symbols - 1).into())].into()
    }

    fn initial(start: &Start) -> State {
        State { equation: start.broken.clone(), moved: Vec::new() }
    }

    fn calls(start: &Start) -> Vec<CallSchema> {
        let symbol = || ValueType::Integer { min: 0, max: start.broken.symbols().len() as i64 - 1 };
        let segment = || ValueType::Integer { min: 0, max: N_SEGMENTS as i64 - 1 };
        let moving = CallSchema::plain("move", "Moves one match to another symbol; both must be symbols afterwards.")
            .arg("src_idx", symbol(), "the symbol to take a match from", 0)
            .arg("src_seg", segment(), "the segment to take it from", 6)
            .arg("dst_idx", symbol(), "the symbol to add it to", 2)
            .arg("dst_seg", segment(), "the segment to put it on", 0);
        vec![moving, CallSchema::plain("undo", "Takes the last move back.")]
    }

    fn apply(_start: &Start, state: &mut State, call: &Call) -> Feedback {
        match call.name.as_str() {
            "move" => carry_out(state, call),
            "undo" => undo(state),
            other => Feedback::refused(format!("There is no action `{other}`.")),
        }
    }

    fn draw(_start: &Start, state: &State, _sources: &MaterialSources) -> Result<Drawing, String> {
        Ok(Drawing::new(&state.equation))
    }

    fn redraw(drawing: &mut Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(&state.equation)
    }

    fn ascii(_start: &Start, state: &State) -> Option<String> {
        Some(draw::ascii(&state.equation))
    }

    /// `untrue` is 1 unless both sides have the same value, `difference` is how far they are apart (absent where a side
    /// has no value); `matches_off` and `symbols_off` are matches and symbols that no moves could have led to.
    fn measure(start: &Start, state: &State) -> Measures {
        let equation = &state.equation;
        let matches_off = equation.n_matches().abs_diff(start.broken.n_matches());
        let mut measures = Measures::from([
            ("untrue".to_owned(), f64::from(u8::from(!equation.is_true()))),
            ("matches_off".to_owned(), f64::from(matches_off)),
            ("symbols_off".to_owned(), equation.n_unlike(&start.broken) as f64),
        ]);
        if let Some(difference) = equation.difference() {
            measures.insert("difference".to_owned(), difference);
        }
        measures
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::calls(&start.broken, style)
    }

    fn near_misses(start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        solve::near_misses(start, solved)
    }

    fn variations(start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        solve::variations(start, solved)
    }
}

fn carry_out(state: &mut State, call: &Call) -> Feedback {
    let Some(moving) = move_of(call) else { return Feedback::refused("There is no such move.") };
    match state.equation.moved(moving) {
        Ok(equation) => {
            state.equation = equation;
            state.moved.push(moving);
            let MatchMove { src_idx, dst_idx, .. } = moving;
            Feedback::changed(format!("Moved a match from symbol {src_idx} to symbol {dst_idx}."))
        }
        Err(against) => Feedback::refused(against.to_string()),
    }
}

fn undo(state: &mut State) -> Feedback {
    let Some(last) = state.moved.last() else { return Feedback::refused("There is no move to undo.") };
    match state.equation.moved(last.back()) {
        Ok(equation) => {
            state.equation = equation;
            state.moved.pop();
            Feedback::changed("The last move was taken back.")
        }
        Err(against) => Feedback::refused(format!("The last move cannot be taken back: {against}")),
    }
}

fn move_of(call: &Call) -> Option<MatchMove> {
    let number = |arg: &Value| u8::try_from(arg.as_u64()?).ok();
    let numbers: Vec<u8> = call.args.iter().map(number).collect::<Option<_>>()?;
    let [src_idx, src_seg, dst_idx, dst_seg] = numbers.as_slice().try_into().ok()?;
    Some(MatchMove { src_idx, src_seg, dst_idx, dst_seg })
}

fn call_of(moving: MatchMove) -> Call {
    let MatchMove { src_idx, src_seg, dst_idx, dst_seg } = moving;
    call("move", [src_idx, src_seg, dst_idx, dst_seg].map(Value::from))
}
