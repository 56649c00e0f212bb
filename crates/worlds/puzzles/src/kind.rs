//! Puzzles as one kind of world.

use std::time::Duration;

use quintain_core::action::Call;
use quintain_core::agent::{Agent, AgentError, Briefing, Reply, Turn};
use quintain_core::digest::Digest;
use quintain_core::instance::{Instance, Pick};
use quintain_core::suggest;
use quintain_core::task::Task;
use quintain_core::world::{OracleStyle, World, WorldError, WorldKind};
use serde::Deserialize;
use serde_json::Value;

use crate::entry::PuzzleEntry;
use crate::leg::{Leg, Trail};
use crate::sources::MaterialSources;

/// All puzzles that need nothing but this crate.
pub static ALL: &[PuzzleEntry] = &[
    PuzzleEntry::of::<crate::colorization::Colorization>(),
    PuzzleEntry::of::<crate::counting::Counting>(),
    PuzzleEntry::of::<crate::jigsaw::Jigsaw>(),
    PuzzleEntry::of::<crate::matchstick_equation::MatchstickEquation>(),
    PuzzleEntry::of::<crate::matchstick_rotation::MatchstickRotation>(),
    PuzzleEntry::of::<crate::maze_2d::Maze2d>(),
    PuzzleEntry::of::<crate::maze_3d::Maze3d>(),
    PuzzleEntry::of::<crate::mental_rotation_2d::MentalRotation2d>(),
    PuzzleEntry::of::<crate::mental_rotation_3d_cubes::MentalRotation3dCubes>(),
    PuzzleEntry::of::<crate::mental_rotation_3d_meshes::MentalRotation3dMeshes>(),
    PuzzleEntry::of::<crate::patch_reassembly::PatchReassembly>(),
    PuzzleEntry::of::<crate::referring_dot_pointing::ReferringDotPointing>(),
    PuzzleEntry::of::<crate::sliding_block::SlidingBlock>(),
    PuzzleEntry::of::<crate::video_unshuffle::VideoUnshuffle>(),
    PuzzleEntry::of::<crate::zoom_in::ZoomIn>(),
];

/// A kind of world that holds puzzles.
pub struct Puzzles {
    kind: &'static str,
    entries: &'static [PuzzleEntry],
    sources: MaterialSources,
}

impl Default for Puzzles {
    fn default() -> Self {
        Self::from_sources(MaterialSources::default())
    }
}

impl Puzzles {
    /// The puzzles of this crate, their instances made of what some sources give.
    pub fn from_sources(sources: MaterialSources) -> Self {
        Self::new("puzzles", ALL, sources)
    }

    /// Other puzzles, as a kind of world of their own.
    pub fn new(kind: &'static str, entries: &'static [PuzzleEntry], sources: MaterialSources) -> Self {
        Self { kind, entries, sources }
    }

    /// The puzzles it holds.
    pub fn entries(&self) -> &'static [PuzzleEntry] {
        self.entries
    }

    /// The calls of a solution. One that begins or ends after a milestone is known of the usual solution alone.
    fn solution(&self, instance: &Instance, style: &OracleStyle) -> Result<Vec<Call>, WorldError> {
        let entry = self.entry(app_of(instance)?)?;
        let Some(leg) = leg_of(instance)? else { return (entry.solve)(start_of(instance), style) };
        let unusual = style.strategy.as_deref().filter(|strategy| entry.strategies.first() != Some(strategy));
        if unusual.is_some() || style.length.is_some() {
            let why = "begins or ends after a milestone, and is solved by the usual strategy at its own length alone";
            return Err(WorldError::setup(format!("`{}` {why}", instance.id)));
        }
        Ok(leg.own(&(entry.solve)(start_of(instance), &OracleStyle::default())?).to_vec())
    }

    fn entry(&self, name: &str) -> Result<&'static PuzzleEntry, WorldError> {
        self.entries.iter().find(|entry| entry.name == name).ok_or_else(|| {
            let hint = suggest::hint(name, self.entries.iter().map(|entry| entry.name));
            WorldError::setup(format!("there is no puzzle `{name}`; {hint}"))
        })
    }
}

impl WorldKind for Puzzles {
    fn kind(&self) -> &str {
        self.kind
    }

    fn digest(&self, task: &Task) -> Digest {
        let app = &task.spec.world.app;
        let (version, material) = self.entry(app).map_or((0, None), |entry| (entry.version, entry.material));
        let source = material.map_or_else(String::new, |material| self.sources.name(material));
        let version = version.to_le_bytes();
        Digest::of_parts([("puzzle", app.as_bytes()), ("version", &version), ("source", source.as_bytes())])
    }

    fn is_deterministic(&self) -> bool {
        true
    }

    fn instantiate_whole(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        (self.entry(&task.spec.world.app)?.instantiate)(task, pick, &self.sources)
    }

    /// It begins where the usual solution reaches the milestone.
    fn instantiate_stretch(&self, task: &Task, pick: &Pick) -> Result<Instance, WorldError> {
        let entry = self.entry(&task.spec.world.app)?;
        let mut instance = (entry.instantiate)(task, pick, &self.sources)?;
        let calls = (entry.solve)(start_of(&instance), &OracleStyle::default())?;
        let mut world = (entry.open)(start_of(&instance), self.sources.clone())?;
        let trail = Trail { entry, task, reference: &instance.reference(task), calls: &calls };
        let leg = trail.leg(pick.stretch(), world.as_mut())?;
        instance.start[LEG] = serde_json::to_value(leg).map_err(|error| WorldError::setup(error.to_string()))?;
        Ok(instance)
    }

    fn open(&self, instance: &Instance) -> Result<Box<dyn World + Send>, WorldError> {
        let mut world = (self.entry(app_of(instance)?)?.open)(start_of(instance), self.sources.clone())?;
        if let Some(leg) = leg_of(instance)? {
            leg.lead(world.as_mut())?;
        }
        Ok(world)
    }

    fn oracle(&self, instance: &Instance, style: &OracleStyle) -> Result<Box<dyn Agent + Send>, WorldError> {
        Ok(Box::new(SolutionOracle::new(&self.solution(instance, style)?)))
    }

    /// Of whole instances: what comes before a stretch is not told.
    fn reasons(&self, instance: &Instance, style: &OracleStyle) -> Vec<Option<String>> {
        let told = || {
            let entry = self.entry(app_of(instance)?)?;
            if leg_of(instance)?.is_some() {
                return Ok(Vec::new());
            }
            (entry.reasons)(start_of(instance), &self.solution(instance, style)?)
        };
        told().unwrap_or_else(|_unsolved: WorldError| Vec::new())
    }

    /// By the usual strategy, which uses no more than an agent can know.
    fn shortest(&self, instance: &Instance) -> Option<u32> {
        Some(self.solution(instance, &OracleStyle::default()).ok()?.len() as u32 + 1)
    }
}

/// Where the start of an instance says which leg of the usual solution is its own, if it is not all of it.
const LEG: &str = "leg";

fn leg_of(instance: &Instance) -> Result<Option<Leg>, WorldError> {
    let leg = instance.start.get(LEG).map(Leg::deserialize).transpose();
    leg.map_err(|error| WorldError::setup(format!("the leg of `{}` cannot be read: {error}", instance.id)))
}

/// The start of an instance says which puzzle it is of: `{"puzzle": name, "start": ...}`.
fn app_of(instance: &Instance) -> Result<&str, WorldError> {
    instance.start["puzzle"].as_str().ok_or_else(|| WorldError::setup("the instance is not of a puzzle"))
}

fn start_of(instance: &Instance) -> &Value {
    &instance.start["start"]
}

/// The oracle: says the solution's calls one by one, then stops.
struct SolutionOracle {
    replies: std::vec::IntoIter<String>,
}

impl SolutionOracle {
    fn new(calls: &[Call]) -> Self {
        let replies = calls.iter().map(Call::spoken).chain(["('stop', 'stop')".to_owned()]);
        Self { replies: replies.collect::<Vec<_>>().into_iter() }
    }

    fn next(&mut self) -> Reply {
        Reply::text(self.replies.next().unwrap_or_else(|| "('stop', 'stop')".to_owned()))
    }
}

impl Agent for SolutionOracle {
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
