//! All puzzles as one kind of world.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Call;
use quintain_core::agent::{Agent, AgentError, Briefing, Reply, Turn};
use quintain_core::check::Measures;
use quintain_core::digest::Digest;
use quintain_core::instance::{Instance, InstanceId, Pick, render};
use quintain_core::rng::Rng;
use quintain_core::suggest;
use quintain_core::task::Task;
use quintain_core::world::{OracleStyle, World, WorldError, WorldKind};
use serde::Deserialize;
use serde_json::Value;

use crate::photos::{Photos, Scenes};
use crate::puzzle::{Puzzle, after};
use crate::world::PuzzleWorld;

/// The kind of world that holds every puzzle.
pub struct Puzzles {
    photos: Arc<dyn Photos>,
}

impl Default for Puzzles {
    fn default() -> Self {
        Self::with_photos(Arc::new(Scenes::default()))
    }
}

impl Puzzles {
    /// Puzzles that draw their photographs from a source.
    pub fn with_photos(photos: Arc<dyn Photos>) -> Self {
        Self { photos }
    }

    /// The names of all puzzles.
    pub fn names() -> Vec<&'static str> {
        ALL.iter().map(|entry| entry.name).collect()
    }

    /// The strategies of a puzzle's solver.
    pub fn strategies(name: &str) -> Option<&'static [&'static str]> {
        entry(name).map(|entry| entry.strategies)
    }
}

/// From a start, a solved state and its bounds to other end states, each with what was altered.
pub(crate) type Alter = fn(&Value, &Value, &Measures) -> Vec<(String, Value)>;

/// The same before the types are erased.
type AlterState<P> = fn(&<P as Puzzle>::Start, &<P as Puzzle>::State, &Measures) -> Vec<(String, <P as Puzzle>::State)>;

/// A world that a worker can take along.
type OpenWorld = Result<Box<dyn World + Send>, WorldError>;

/// A puzzle with its types erased.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    version: u32,
    strategies: &'static [&'static str],
    instantiate: fn(&Task, &Pick, &dyn Photos) -> Result<Instance, WorldError>,
    open: fn(&Value, Arc<dyn Photos>) -> OpenWorld,
    solve: fn(&Value, &OracleStyle) -> Result<Vec<Call>, WorldError>,
    pub(crate) measure: fn(&Value, &Value) -> Result<Measures, Unreadable>,
    pub(crate) near_misses: Alter,
    pub(crate) variations: Alter,
}

/// Which of the two could not be read.
pub(crate) enum Unreadable {
    Start(String),
    State(String),
}

static ALL: [Entry; 6] = [
    entry_of::<crate::jigsaw::Jigsaw>(),
    entry_of::<crate::matchstick_equation::MatchstickEquation>(),
    entry_of::<crate::matchstick_rotation::MatchstickRotation>(),
    entry_of::<crate::maze_2d::Maze2d>(),
    entry_of::<crate::maze_3d::Maze3d>(),
    entry_of::<crate::sliding_block::SlidingBlock>(),
];

const fn entry_of<P: Puzzle>() -> Entry {
    Entry {
        name: P::NAME,
        version: P::VERSION,
        strategies: P::STRATEGIES,
        instantiate: instantiate::<P>,
        open: open::<P>,
        solve: solve::<P>,
        measure: measure::<P>,
        near_misses: |start, state, bounds| altered::<P>(start, state, bounds, P::near_misses),
        variations: |start, state, bounds| altered::<P>(start, state, bounds, P::variations),
    }
}

/// The puzzle of that name.
pub(crate) fn entry(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

fn entry_for(name: &str) -> Result<&'static Entry, WorldError> {
    entry(name).ok_or_else(|| {
        let hint = suggest::hint(name, ALL.iter().map(|entry| entry.name));
        WorldError::setup(format!("there is no puzzle `{name}`; {hint}"))
    })
}

impl WorldKind for Puzzles {
    fn kind(&self) -> &'static str {
        "puzzles"
    }

    fn digest(&self, task: &Task) -> Digest {
        let app = &task.spec.world.app;
        let version = entry(app).map_or(0, |entry| entry.version).to_le_bytes();
        Digest::of_parts([("puzzle", app.as_bytes()), ("version", &version), ("photos", self.photos.name().as_bytes())])
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn instantiate(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        (entry_for(&task.spec.world.app)?.instantiate)(task, pick, self.photos.as_ref())
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        (entry_for(app_of(instance)?)?.open)(start_of(instance), Arc::clone(&self.photos))
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        let calls = (entry_for(app_of(instance)?)?.solve)(start_of(instance), style)?;
        Ok(Box::new(Solution::new(&calls)))
    }

    /// By the usual strategy, which uses no more than an agent can know.
    fn shortest(&self, instance: &Instance) -> Option<u32> {
        let entry = entry(app_of(instance).ok()?)?;
        let calls = (entry.solve)(start_of(instance), &OracleStyle::default()).ok()?;
        Some(calls.len() as u32 + 1)
    }
}

/// The start of an instance says which puzzle it is of: `{"puzzle": name, "start": ...}`.
fn app_of(instance: &Instance) -> Result<&str, WorldError> {
    instance.start["puzzle"].as_str().ok_or_else(|| WorldError::setup("the instance is not of a puzzle"))
}

fn start_of(instance: &Instance) -> &Value {
    &instance.start["start"]
}

fn instantiate<P: Puzzle>(task: &Task, pick: &Pick, photos: &dyn Photos) -> Result<Instance, WorldError> {
    let mut parameters = task.parameters(pick);
    let given = Value::Object(parameters.clone().into_iter().collect());
    let read: P::Parameters = serde_json::from_value(given)
        .map_err(|error| WorldError::setup(format!("the parameters do not fit `{}`: {error}", P::NAME)))?;
    let mut rng = Rng::for_purpose(pick.seed.unwrap_or(0), &format!("{}/{}", P::NAME, P::VERSION));
    let start = P::generate(&read, &mut rng, photos).map_err(WorldError::setup)?;
    let mut words: BTreeMap<String, Value> = parameters.clone();
    words.extend(P::words(&start));
    let instruction = render(task, &words).map_err(WorldError::setup)?;
    let source = P::source(&start, photos);
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

fn open<P: Puzzle>(start: &Value, photos: Arc<dyn Photos>) -> OpenWorld {
    Ok(Box::new(PuzzleWorld::<P>::open(read_start::<P>(start)?, photos)?))
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

fn measure<P: Puzzle>(start: &Value, state: &Value) -> Result<Measures, Unreadable> {
    let start = P::Start::deserialize(start).map_err(|error| Unreadable::Start(error.to_string()))?;
    let state = P::State::deserialize(state).map_err(|error| Unreadable::State(error.to_string()))?;
    Ok(P::measure(&start, &state))
}

fn altered<P: Puzzle>(start: &Value, state: &Value, bounds: &Measures, alter: AlterState<P>) -> Vec<(String, Value)> {
    let (Ok(start), Ok(state)) = (P::Start::deserialize(start), P::State::deserialize(state)) else {
        return Vec::new();
    };
    let altered = alter(&start, &state, bounds).into_iter();
    altered.filter_map(|(how, state)| Some((how, serde_json::to_value(state).ok()?))).collect()
}

/// The oracle: says the solution's calls one by one, then stops.
struct Solution {
    replies: std::vec::IntoIter<String>,
}

impl Solution {
    fn new(calls: &[Call]) -> Self {
        let replies = calls.iter().map(Call::spoken).chain(["('stop', 'stop')".to_owned()]);
        Self { replies: replies.collect::<Vec<_>>().into_iter() }
    }

    fn next(&mut self) -> Reply {
        Reply::text(self.replies.next().unwrap_or_else(|| "('stop', 'stop')".to_owned()))
    }
}

impl Agent for Solution {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, _turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        Ok(self.next())
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {
        self.next();
    }
}

/// The state that a solution leads to, as a document: for tests and tables.
pub fn solved_state<P: Puzzle>(start: &P::Start, style: &OracleStyle) -> Result<P::State, String> {
    Ok(after::<P>(start, &P::solve(start, style)?))
}
