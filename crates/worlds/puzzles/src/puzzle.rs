//! The contract of a puzzle.

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
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::sources::{MaterialSources, PuzzleMaterial};

/// A puzzle: pure rules over a start that never changes and a state that does, a drawing of both, and a solver.
pub trait Puzzle: Send + Sync + 'static {
    /// Its name in `task.toml`.
    const NAME: &'static str;
    /// Counts up whenever instances, rules or pixels change: part of the world's digest.
    const VERSION: u32;
    /// Places in the start that no agent may ever be told, as JSON pointers.
    const SECRETS: &'static [&'static str];
    /// The solver's strategies; the first is the usual one.
    const STRATEGIES: &'static [&'static str];

    /// What instances are made of, where that comes from a source.
    const MATERIAL: Option<PuzzleMaterial> = None;

    /// The open difficulty parameters, as `task.toml` gives them.
    type Parameters: DeserializeOwned;
    /// Everything about an instance that never changes, and how it begins.
    type Start: Serialize + DeserializeOwned + Clone + Send + Sync;
    /// What moves.
    type State: Serialize + DeserializeOwned + Clone + PartialEq + Send;
    /// A picture that knows what it shows, so that only what changed is drawn again.
    type Drawing: Send;

    /// Makes an instance, or says why the parameters make none.
    fn generate(parameters: &Self::Parameters, rng: &mut Rng, sources: &MaterialSources)
    -> Result<Self::Start, String>;

    /// The hash of what the start was made of, where that came from a source.
    fn made_of(_start: &Self::Start) -> Option<Digest> {
        None
    }

    /// Words that the instruction may use besides the parameters.
    fn words(_start: &Self::Start) -> BTreeMap<String, Value> {
        BTreeMap::new()
    }

    /// The state at the start.
    fn initial(start: &Self::Start) -> Self::State;

    /// The calls it understands, besides stop.
    fn calls(start: &Self::Start) -> Vec<CallSchema>;

    /// Carries out a call that fits the published schema. A call against the rules is refused and changes nothing.
    fn apply(start: &Self::Start, state: &mut Self::State, call: &Call) -> Feedback;

    /// Draws everything.
    fn draw(start: &Self::Start, state: &Self::State, sources: &MaterialSources) -> Result<Self::Drawing, String>;

    /// Draws what changed since the last time, and gives the picture.
    fn redraw(drawing: &mut Self::Drawing, start: &Self::Start, state: &Self::State) -> Arc<Picture>;

    /// The state in characters, where that is possible.
    fn ascii(_start: &Self::Start, _state: &Self::State) -> Option<String> {
        None
    }

    /// How far a state is from the goal, in raw units; for each, nothing is perfect.
    fn measure(start: &Self::Start, state: &Self::State) -> Measures;

    /// A solution from the start, without the closing stop. It reaches the goal exactly, or within the
    /// bounds of its task where the world is moved by physics.
    fn solve(start: &Self::Start, style: &OracleStyle) -> Result<Vec<Call>, String>;

    /// Why the solver makes a call in a state, in a sentence for demonstrations; nothing where it does not say.
    fn reason(_start: &Self::Start, _state: &Self::State, _call: &Call) -> Option<String> {
        None
    }

    /// End states that look nearly solved and are not, given a solved one and the greatest measures that count as solved.
    fn near_misses(start: &Self::Start, solved: &Self::State, bounds: &Measures) -> Vec<(String, Self::State)>;

    /// End states that look different from the given solved one and are solved too.
    fn variations(start: &Self::Start, solved: &Self::State, bounds: &Measures) -> Vec<(String, Self::State)>;
}

/// The state after a list of calls.
pub fn after<P: Puzzle>(start: &P::Start, calls: &[Call]) -> P::State {
    let mut state = P::initial(start);
    for call in calls {
        P::apply(start, &mut state, call);
    }
    state
}

/// A call, in short.
pub fn call(name: &str, args: impl IntoIterator<Item = Value>) -> Call {
    Call { name: name.to_owned(), args: args.into_iter().collect() }
}
