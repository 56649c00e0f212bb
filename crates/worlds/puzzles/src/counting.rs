//! A picture with many things, of which those of one kind are to be counted.

mod generate;
mod solve;
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

use crate::dots::{DotMarks, DotPixel, DotStyle, Dotted, pixel};
use crate::puzzle::Puzzle;
use crate::sources::labels::usual;
use crate::sources::photos::Photo;
use crate::sources::{MaterialSources, PuzzleMaterial};

/// The counting puzzle.
pub struct Counting;

/// What makes counting easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// The fewest things there may be to count.
    pub least: usize,
    /// The most things there may be to count.
    pub most: usize,
    /// The most things of other kinds in a generated picture.
    #[serde(default)]
    pub others: usize,
    /// How far things may reach over each other in a generated picture, as a share of their radii.
    #[serde(default)]
    pub overlap: f64,
    /// How large things are in a generated picture, as a share of the usual.
    #[serde(default = "usual::size")]
    pub size: f64,
    /// Pixels across of a generated picture.
    #[serde(default = "usual::width")]
    pub width: u32,
    /// Pixels down of a generated picture.
    #[serde(default = "usual::height")]
    pub height: u32,
}

/// A picture, and what is to be counted in it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The picture.
    pub photo: Photo,
    /// The licence it may be used by, where the source tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// What is to be counted.
    pub kind: String,
    /// The fewest there may be.
    pub least: usize,
    /// The most there may be.
    pub most: usize,
    /// How many there are.
    pub count: usize,
    /// A pixel well inside each of them, from the left and from the top.
    pub places: Vec<DotPixel>,
}

/// What the agent has set down so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The dots, in the order in which they were set.
    pub dots: Vec<DotPixel>,
    /// The number guessed last.
    pub guess: Option<i64>,
}

/// Pixels of the strip below the picture, where the guess is shown.
pub const STRIP_PX: u32 = 28;
/// Dots there may be at once.
const MOST_DOTS: usize = 200;

impl Start {
    /// Pixels across and down of what is shown: the picture and the strip.
    fn shown_size(&self) -> (u32, u32) {
        (self.photo.width, self.photo.height + STRIP_PX)
    }
}

impl Puzzle for Counting {
    const NAME: &'static str = "counting";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/count", "/places", "/photo/name"];
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Labels);
    const STRATEGIES: &'static [&'static str] = &["mark-all", "guess-only"];

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = Dotted;

    fn generate(parameters: &Parameters, rng: &mut Rng, sources: &MaterialSources) -> Result<Start, String> {
        generate::generate(parameters, rng, sources.labels.as_ref())
    }

    fn made_of(start: &Start) -> Option<Digest> {
        Some(start.photo.digest)
    }

    fn words(start: &Start) -> BTreeMap<String, Value> {
        let (width, height) = start.shown_size();
        [
            ("kind".to_owned(), start.kind.clone().into()),
            ("picture_width".to_owned(), width.into()),
            ("picture_height".to_owned(), height.into()),
            ("strip".to_owned(), STRIP_PX.into()),
        ]
        .into()
    }

    fn initial(_start: &Start) -> State {
        State::default()
    }

    fn calls(start: &Start) -> Vec<CallSchema> {
        let fraction = || ValueType::Number { min: 0.0, max: 1.0 };
        let guess = ValueType::Integer { min: start.least as i64, max: start.most as i64 };
        vec![
            CallSchema::plain("mark", "Sets a numbered dot.")
                .arg("x", fraction(), "share of the way from the left edge to the right one", 0.5)
                .arg("y", fraction(), "share of the way from the top edge to the bottom one", 0.3),
            CallSchema::plain("undo", "Takes back the dot set last."),
            CallSchema::plain("guess", "Sets down how many there are; the last guess counts.").arg(
                "number",
                guess,
                "how many there are",
                start.least,
            ),
        ]
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        match (call.name.as_str(), call.args.as_slice()) {
            ("mark", [x, y]) => mark(start, state, x, y),
            ("undo", []) => match state.dots.pop() {
                Some(_) => Feedback::changed(format!("The last dot is gone; {} left.", dots(state.dots.len()))),
                None => Feedback::refused("There is no dot to take back."),
            },
            ("guess", [number]) => guess(state, number),
            _ => Feedback::refused(format!("There is no such action here: {call}.")),
        }
    }

    fn draw(start: &Start, state: &State, sources: &MaterialSources) -> Result<Dotted, String> {
        let mut dotted = Dotted::new(sources.labels.load(&start.photo)?.as_ref(), DotStyle::Numbered, STRIP_PX);
        dotted.show(&marks(state));
        Ok(dotted)
    }

    fn redraw(drawing: &mut Dotted, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(&marks(state))
    }

    fn measure(start: &Start, state: &State) -> Measures {
        // Whoever guessed nothing is as far off as one who saw nothing.
        let off = state.guess.unwrap_or(0).abs_diff(start.count as i64);
        [("count_error".to_owned(), off as f64)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::solve(start, style)
    }

    fn near_misses(start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let tolerance = bounds.get("count_error").map_or(0, |bound| bound.floor() as i64);
        let count = start.count as i64;
        let with = |guess: Option<i64>| State { guess, ..solved.clone() };
        let mut found = vec![
            ("too many are counted".to_owned(), with(Some(count + tolerance + 1))),
            ("too few are counted".to_owned(), with(Some(count - tolerance - 1))),
        ];
        if count > tolerance {
            found.push(("everything is marked and nothing guessed".to_owned(), with(None)));
        }
        found
    }

    fn variations(start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        let turned: Vec<DotPixel> = start.places.iter().rev().copied().collect();
        [
            ("no dot is left", Vec::new()),
            ("the dots were set in another order", turned),
            ("a dot is astray", vec![[0, 0]]),
        ]
        .into_iter()
        .filter(|(_, dots)| *dots != solved.dots)
        .map(|(how, dots)| (how.to_owned(), State { dots, ..solved.clone() }))
        .collect()
    }
}

/// What is drawn of a state.
fn marks(state: &State) -> DotMarks {
    let guess = state.guess.map_or_else(|| "none yet".to_owned(), |guess| guess.to_string());
    DotMarks { dots: state.dots.clone(), caption: format!("your guess: {guess}") }
}

fn mark(start: &Start, state: &mut State, x: &Value, y: &Value) -> Feedback {
    let Some(dot) = pixel(x, y, start.shown_size()) else {
        return Feedback::refused("A dot needs two numbers from 0 to 1.");
    };
    if dot[1] >= start.photo.height as i32 {
        return Feedback::refused("The strip below the picture holds your guess: nothing can be marked there.");
    }
    if state.dots.len() >= MOST_DOTS {
        return Feedback::refused(format!("There are {MOST_DOTS} dots already: no more can be set."));
    }
    state.dots.push(dot);
    Feedback::changed(format!("Dot {} is set.", state.dots.len()))
}

fn guess(state: &mut State, number: &Value) -> Feedback {
    let Some(number) = number.as_i64() else {
        return Feedback::refused("A guess is a whole number.");
    };
    if state.guess == Some(number) {
        return Feedback::unchanged(format!("Your guess is {number} already."));
    }
    state.guess = Some(number);
    Feedback::changed(format!("Your guess is now {number}."))
}

fn dots(n: usize) -> String {
    if n == 1 { "1 dot is".to_owned() } else { format!("{n} dots are") }
}
