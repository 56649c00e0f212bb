//! A sentence that fits one thing in a picture; a dot goes on that thing.

mod describe;
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
use crate::sources::labels::{Mask, usual};
use crate::sources::photos::Photo;
use crate::sources::{MaterialSources, PuzzleMaterial};

/// The pointing puzzle.
pub struct ReferringDotPointing;

/// What makes pointing easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// What the sentences are like.
    pub sentences: Sentences,
    /// The fewest things of the kind that is spoken of.
    pub least: usize,
    /// The most things of the kind that is spoken of.
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
    /// How many pixels beside the thing a dot may lie.
    #[serde(default)]
    pub tolerance: f64,
}

/// What sentences are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sentences {
    /// They name the thing by what it is alone: the only one, its colour, the largest, the one farthest to the left.
    Simple,
    /// They name it by others: the second from the left, the one nearest to something, the one left of something.
    Relational,
}

/// A picture, a sentence, and the thing that is meant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The picture.
    pub photo: Photo,
    /// The licence it may be used by, where the source tells one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub licence: Option<String>,
    /// What is said of the thing.
    pub sentence: String,
    /// Where the thing can be seen.
    pub mask: Mask,
    /// A pixel well inside it, from the left and from the top.
    pub place: DotPixel,
    /// Pixels well inside the other things of its kind.
    pub decoys: Vec<DotPixel>,
}

/// Where the dot is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// The pixel it is on, if one was set.
    pub dot: Option<DotPixel>,
}

impl Start {
    fn size(&self) -> (u32, u32) {
        (self.photo.width, self.photo.height)
    }

    /// How many pixels a point is beside the thing.
    fn outside_px(&self, [x, y]: DotPixel) -> f64 {
        self.mask.distance((i64::from(x), i64::from(y)))
    }

    /// Whether a point lies in the picture.
    fn holds(&self, [x, y]: DotPixel) -> bool {
        (0..self.photo.width as i32).contains(&x) && (0..self.photo.height as i32).contains(&y)
    }

    /// Points around the thing, so many pixels beside its outermost ones.
    fn beside(&self, px: i32) -> Vec<DotPixel> {
        let bounds = self.mask.bounds();
        let (right, bottom) = (bounds.x + bounds.width - 1, bounds.y + bounds.height - 1);
        let spans = self.mask.spans();
        let leftmost = spans.iter().find(|span| span[1] as i32 == bounds.x);
        let rightmost = spans.iter().find(|span| span[2] as i32 == right + 1);
        let across =
            [leftmost.map(|span| [bounds.x - px, span[0] as i32]), rightmost.map(|span| [right + px, span[0] as i32])];
        let highest = spans.first().map(|span| [span[1] as i32, bounds.y - px]);
        let lowest = spans.last().map(|span| [span[1] as i32, bottom + px]);
        across.into_iter().chain([highest, lowest]).flatten().filter(|point| self.holds(*point)).collect()
    }
}

impl Puzzle for ReferringDotPointing {
    const NAME: &'static str = "referring-dot-pointing";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/mask/spans", "/place", "/decoys", "/photo/name"];
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Labels);
    const STRATEGIES: &'static [&'static str] = &["direct", "drift"];

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
        [
            ("sentence".to_owned(), start.sentence.clone().into()),
            ("picture_width".to_owned(), start.photo.width.into()),
            ("picture_height".to_owned(), start.photo.height.into()),
        ]
        .into()
    }

    fn initial(_start: &Start) -> State {
        State::default()
    }

    fn calls(_start: &Start) -> Vec<CallSchema> {
        let fraction = || ValueType::Number { min: 0.0, max: 1.0 };
        let mark = CallSchema::plain("mark", "Sets the dot, or moves it if it is set.")
            .arg("x", fraction(), "share of the way from the left edge to the right one", 0.5)
            .arg("y", fraction(), "share of the way from the top edge to the bottom one", 0.3);
        vec![mark]
    }

    fn apply(start: &Start, state: &mut State, call: &Call) -> Feedback {
        let ("mark", [x, y]) = (call.name.as_str(), call.args.as_slice()) else {
            return Feedback::refused(format!("There is no such action here: {call}."));
        };
        let Some(dot) = pixel(x, y, start.size()) else {
            return Feedback::refused("A dot needs two numbers from 0 to 1.");
        };
        match state.dot.replace(dot) {
            Some(before) if before == dot => Feedback::unchanged("The dot is there already."),
            Some(_) => Feedback::changed("The dot was moved."),
            None => Feedback::changed("The dot is set."),
        }
    }

    fn draw(start: &Start, state: &State, sources: &MaterialSources) -> Result<Dotted, String> {
        let mut dotted = Dotted::new(sources.labels.load(&start.photo)?.as_ref(), DotStyle::Plain, 0);
        dotted.show(&marks(state));
        Ok(dotted)
    }

    fn redraw(drawing: &mut Dotted, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.show(&marks(state))
    }

    fn measure(start: &Start, state: &State) -> Measures {
        // Without a dot, farther than any dot could be.
        let nowhere = f64::from(start.photo.width + start.photo.height);
        let outside_px = state.dot.map_or(nowhere, |dot| start.outside_px(dot).min(nowhere));
        [("outside_px".to_owned(), outside_px)].into()
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve::solve(start, style)
    }

    fn near_misses(start: &Start, _solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let tolerance = bounds.get("outside_px").copied().unwrap_or(0.0);
        let beside =
            start.beside(tolerance as i32 + 1).into_iter().map(|dot| ("the dot is just beside the thing", dot));
        let decoys = start.decoys.iter().map(|dot| ("the dot is on another of its kind", *dot));
        let dots = beside.chain(decoys).filter(|(_, dot)| start.outside_px(*dot) > tolerance);
        let missed = dots.map(|(how, dot)| (format!("{how}, at {dot:?}"), State { dot: Some(dot) }));
        missed.chain([("there is no dot".to_owned(), State::default())]).collect()
    }

    fn variations(start: &Start, solved: &State, bounds: &Measures) -> Vec<(String, State)> {
        let tolerance = bounds.get("outside_px").copied().unwrap_or(0.0);
        let ends = [start.mask.spans().first(), start.mask.spans().last()].into_iter().flatten();
        let ends = ends.map(|[y, x, _]| [*x as i32, *y as i32]);
        let dots = ends.chain(start.beside(tolerance as i32)).filter(|dot| Some(*dot) != solved.dot);
        let fits = dots.filter(|dot| start.outside_px(*dot) <= tolerance);
        fits.map(|dot| (format!("the dot is at {dot:?}"), State { dot: Some(dot) })).collect()
    }
}

/// What is drawn of a state.
fn marks(state: &State) -> DotMarks {
    DotMarks { dots: state.dot.into_iter().collect(), caption: String::new() }
}
