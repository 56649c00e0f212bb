//! A puzzle with its types erased, so that all stand in one list.

use std::collections::BTreeMap;

use quintain_core::ContentSource;
use quintain_core::action::Call;
use quintain_core::check::Measures;
use quintain_core::instance::{Instance, InstanceId, Pick, render_stretch};
use quintain_core::rng::Rng;
use quintain_core::suggest;
use quintain_core::task::Task;
use quintain_core::world::{OracleStyle, World, WorldError};
use serde::Deserialize;
use serde_json::Value;

use crate::puzzle::Puzzle;
use crate::sources::{MaterialSources, PuzzleMaterial};
use crate::world::PuzzleWorld;

/// From a start, a solved state and its bounds to other end states, each with what was altered.
pub(crate) type Alter = fn(&Value, &Value, &Measures) -> Vec<(String, Value)>;

/// The same before the types are erased.
type AlterState<P> = fn(&<P as Puzzle>::Start, &<P as Puzzle>::State, &Measures) -> Vec<(String, <P as Puzzle>::State)>;

/// A world that a worker can take along.
type OpenWorld = Result<Box<dyn World + Send>, WorldError>;

/// Why each call of a solution is made, as far as the solver says.
type SolverReasons = Result<Vec<Option<String>>, WorldError>;

/// A puzzle with its types erased.
pub struct PuzzleEntry {
    pub(crate) name: &'static str,
    pub(crate) version: u32,
    pub(crate) strategies: &'static [&'static str],
    pub(crate) material: Option<PuzzleMaterial>,
    pub(crate) instantiate: fn(&Task, &Pick, &MaterialSources) -> Result<Instance, WorldError>,
    pub(crate) open: fn(&Value, MaterialSources) -> OpenWorld,
    pub(crate) solve: fn(&Value, &OracleStyle) -> Result<Vec<Call>, WorldError>,
    pub(crate) reasons: fn(&Value, &[Call]) -> SolverReasons,
    pub(crate) measure: fn(&Value, &Value) -> Result<Measures, UnreadableState>,
    pub(crate) near_misses: Alter,
    pub(crate) variations: Alter,
}

/// Which of the two could not be read.
pub(crate) enum UnreadableState {
    Start(String),
    State(String),
}

impl PuzzleEntry {
    /// The puzzle's name in `task.toml`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The strategies of its solver; the first is the usual one.
    pub fn strategies(&self) -> &'static [&'static str] {
        self.strategies
    }

    /// The entry of a puzzle.
    pub const fn of<P: Puzzle>() -> Self {
        Self {
            name: P::NAME,
            version: P::VERSION,
            strategies: P::STRATEGIES,
            material: P::MATERIAL,
            instantiate: instantiate::<P>,
            open: open::<P>,
            solve: solve::<P>,
            reasons: reasons::<P>,
            measure: measure::<P>,
            near_misses: |start, state, bounds| altered::<P>(start, state, bounds, P::near_misses),
            variations: |start, state, bounds| altered::<P>(start, state, bounds, P::variations),
        }
    }
}

/// The parameter that no puzzle reads: what a task draws for its instruction, its checks and its answer alone.
const OWN: &str = "own";

fn instantiate<P: Puzzle>(task: &Task, pick: &Pick, sources: &MaterialSources) -> Result<Instance, WorldError> {
    let mut parameters = task.parameters(pick);
    let given = parameters.clone().into_iter().filter(|(name, _)| name != OWN);
    let given = Value::Object(given.collect());
    let read: P::Parameters = serde_json::from_value(given)
        .map_err(|error| WorldError::setup(format!("the parameters do not fit `{}`: {error}", P::NAME)))?;
    let mut rng = Rng::for_purpose(pick.seed.unwrap_or(0), &format!("{}/{}", P::NAME, P::VERSION));
    let start = P::generate(&read, &mut rng, sources).map_err(WorldError::setup)?;
    let mut words: BTreeMap<String, Value> = parameters.clone();
    words.extend(P::words(&start));
    let instruction = render_stretch(task, pick.stretch(), &words).map_err(WorldError::setup)?;
    let source =
        P::MATERIAL.zip(P::made_of(&start)).map(|(of, digest)| ContentSource { name: sources.name(of), digest });
    let start = serde_json::to_value(&start).map_err(|error| WorldError::setup(error.to_string()))?;
    parameters.retain(|name, _| task.spec.parameters.contains_key(name));
    Ok(Instance {
        id: InstanceId { task: task.id.clone(), pick: pick.clone() },
        instruction,
        parameters,
        start: serde_json::json!({ "puzzle": P::NAME, "start": start }),
        secrets: P::SECRETS.iter().map(|pointer| format!("/start{pointer}")).collect(),
        source,
    })
}

fn open<P: Puzzle>(start: &Value, sources: MaterialSources) -> OpenWorld {
    Ok(Box::new(PuzzleWorld::<P>::open(read_start::<P>(start)?, sources)?))
}

fn read_start<P: Puzzle>(start: &Value) -> Result<P::Start, WorldError> {
    P::Start::deserialize(start)
        .map_err(|error| WorldError::setup(format!("the start does not fit `{}`: {error}", P::NAME)))
}

fn solve<P: Puzzle>(start: &Value, style: &OracleStyle) -> Result<Vec<Call>, WorldError> {
    if let Some(strategy) = style.strategy.as_deref()
        && !P::STRATEGIES.contains(&strategy)
    {
        let hint = suggest::hint(strategy, P::STRATEGIES.iter().copied());
        return Err(WorldError::setup(format!("`{}` has no strategy `{strategy}`; {hint}", P::NAME)));
    }
    P::solve(&read_start::<P>(start)?, style).map_err(WorldError::setup)
}

/// Why each call of a solution is made.
fn reasons<P: Puzzle>(start: &Value, calls: &[Call]) -> SolverReasons {
    let start = read_start::<P>(start)?;
    let mut state = P::initial(&start);
    let mut reason = |call: &Call| {
        let reason = P::reason(&start, &state, call);
        P::apply(&start, &mut state, call);
        reason
    };
    Ok(calls.iter().map(&mut reason).collect())
}

fn measure<P: Puzzle>(start: &Value, state: &Value) -> Result<Measures, UnreadableState> {
    let start = P::Start::deserialize(start).map_err(|error| UnreadableState::Start(error.to_string()))?;
    let state = P::State::deserialize(state).map_err(|error| UnreadableState::State(error.to_string()))?;
    Ok(P::measure(&start, &state))
}

fn altered<P: Puzzle>(start: &Value, state: &Value, bounds: &Measures, alter: AlterState<P>) -> Vec<(String, Value)> {
    let (Ok(start), Ok(state)) = (P::Start::deserialize(start), P::State::deserialize(state)) else {
        return Vec::new();
    };
    let altered = alter(&start, &state, bounds).into_iter();
    altered.filter_map(|(how, state)| Some((how, serde_json::to_value(state).ok()?))).collect()
}
