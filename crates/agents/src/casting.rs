//! From the name of an agent to the agent, for one trial.

use quintain_core::world::OracleStyle;
use quintain_core::{Agent, AgentError, Instance, Task, Trajectory, WorldKind};

use crate::idle::Idle;
use crate::random::Random;
use crate::replay::Replay;
use crate::script::Script;
use crate::spec::AgentSpec;
use crate::subprocess::Subprocess;

/// What an agent is cast for. Only oracles and replays look at it.
#[derive(Clone, Copy)]
pub struct Occasion<'a> {
    /// The task.
    pub task: &'a Task,
    /// The instance.
    pub instance: &'a Instance,
    /// The kind of world, which knows how its instances are solved.
    pub world: &'a dyn WorldKind,
    /// Fetches what was recorded of this instance in the run that a replay names.
    pub recording: &'a dyn Fn(&str) -> Result<Trajectory, String>,
}

/// An agent for one trial.
pub fn cast(spec: &AgentSpec, occasion: &Occasion<'_>) -> Result<Box<dyn Agent + Send>, AgentError> {
    Ok(match spec {
        AgentSpec::Oracle(style) => oracle(style, occasion)?,
        AgentSpec::Idle => Box::new(Idle::new()),
        AgentSpec::Endless => Box::new(Idle::endless()),
        AgentSpec::Random { seed } => Box::new(Random::new(*seed)),
        AgentSpec::Replay { run } => Box::new(Replay::new((occasion.recording)(run).map_err(AgentError::harness)?)),
        AgentSpec::Command { argv } => Box::new(Subprocess::new(argv.iter().cloned())),
    })
}

/// The solution in the task's folder; where there is none, or a style is asked for, the world's own.
fn oracle(style: &OracleStyle, occasion: &Occasion<'_>) -> Result<Box<dyn Agent + Send>, AgentError> {
    match &occasion.task.oracle {
        Some(lines) if *style == OracleStyle::default() => Ok(Box::new(Script::of_lines(lines))),
        _ => occasion
            .world
            .oracle(occasion.instance, style)
            .map_err(|error| AgentError::harness(format!("no oracle for `{}`: {error}", occasion.instance.id))),
    }
}
