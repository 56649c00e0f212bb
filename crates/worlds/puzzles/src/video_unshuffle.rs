//! Frames of a clip in mixed order; they go in the order of time.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
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
use serde_json::Value;

use crate::puzzle::Puzzle;
use crate::sources::clips::{Clip, WantedFrames};
use crate::sources::{MaterialSources, PuzzleMaterial};
use crate::tiles::order;
use crate::tiles::row::{DrawnRow, TileRow, check_size};
use crate::tiles::solve::{STRATEGIES, solve};

/// The puzzle of frames to be put in order.
pub struct VideoUnshuffle;

/// What makes it easy or hard.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Frames in the row.
    pub frames: usize,
    /// Over which share of the clip the frames are spread.
    pub span: f64,
    /// How different every two frames must look: the mean difference of a colour channel, out of 255.
    #[serde(default = "default_difference")]
    pub least_difference: f64,
    /// Pixels along a side of a frame.
    #[serde(default = "default_tile")]
    pub tile: u32,
}

fn default_difference() -> f64 {
    2.0
}

fn default_tile() -> u32 {
    224
}

/// Mixed frames of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The clip, and which of its frames are shown.
    pub clip: Clip,
    /// Which frame lies at each place at first, counted in the order of time.
    pub order: Vec<usize>,
}

/// How the frames lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    /// Which frame lies at each place.
    pub order: Vec<usize>,
}

fn row(start: &Start) -> TileRow {
    TileRow { n_tiles: start.clip.moments.len(), noun: "frame" }
}

/// A drawn row of frames.
pub struct Drawing(DrawnRow);

impl Puzzle for VideoUnshuffle {
    const NAME: &'static str = "video-unshuffle";
    const VERSION: u32 = 1;
    const SECRETS: &'static [&'static str] = &["/order", "/clip/moments"];
    const MATERIAL: Option<PuzzleMaterial> = Some(PuzzleMaterial::Clips);
    const STRATEGIES: &'static [&'static str] = STRATEGIES;

    type Parameters = Parameters;
    type Start = Start;
    type State = State;
    type Drawing = Drawing;

    fn generate(parameters: &Parameters, rng: &mut Rng, sources: &MaterialSources) -> Result<Start, String> {
        let Parameters { frames, span, least_difference, tile } = *parameters;
        check_size(("frames", frames), tile)?;
        if !(0.05..=1.0).contains(&span) {
            return Err(format!("`span` is {span}: a share of the clip from 0.05 to 1 is wanted"));
        }
        if !(0.5..=100.0).contains(&least_difference) {
            return Err(format!("`least_difference` is {least_difference}: frames differ by 0.5 to 100 of 255"));
        }
        let clip = sources.clips.pick(rng, &WantedFrames { n_frames: frames, side: tile, span, least_difference })?;
        Ok(Start { clip, order: order::mixed(frames, rng) })
    }

    fn made_of(start: &Start) -> Option<Digest> {
        Some(start.clip.digest)
    }

    fn words(start: &Start) -> BTreeMap<String, Value> {
        [("about".to_owned(), start.clip.about.clone().into())].into()
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
        let mut drawn = DrawnRow::new(sources.clips.load(&start.clip)?, None);
        drawn.show(&state.order);
        Ok(Drawing(drawn))
    }

    fn redraw(drawing: &mut Drawing, _start: &Start, state: &State) -> Arc<Picture> {
        drawing.0.show(&state.order)
    }

    fn measure(start: &Start, state: &State) -> Measures {
        order::measures(&state.order, start.clip.moments.len())
    }

    fn solve(start: &Start, style: &OracleStyle) -> Result<Vec<Call>, String> {
        solve(&start.order, &row(start), style, &mut Rng::for_purpose(style.seed, "video-unshuffle/solve"))
    }

    fn near_misses(_start: &Start, solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        let mut misses = order::near_misses(&solved.order, "frame");
        if solved.order.len() > 2 {
            misses.push(("the clip runs backwards".to_owned(), solved.order.iter().rev().copied().collect()));
        }
        misses.into_iter().map(|(how, order)| (how, State { order })).collect()
    }

    fn variations(_start: &Start, _solved: &State, _bounds: &Measures) -> Vec<(String, State)> {
        Vec::new()
    }
}
