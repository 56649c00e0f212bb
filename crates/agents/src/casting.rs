//! From the name of an agent to the agent, for one trial.

use std::sync::Arc;

use quintain_core::ending::Boundary;
use quintain_core::template::fill_text;
use quintain_core::world::OracleStyle;
use quintain_core::{Agent, AgentError, Instance, Task, Trajectory, WorldKind};
use quintain_models::meter::CallOwner;
use quintain_models::model::Model;
use quintain_models::providers::{Connections, ModelSpec};
use quintain_process::sandbox::ProgramAccess;

use crate::idle::Idle;
use crate::loops::{Generalist, Planner, Solo};
use crate::placed::PlacedScript;
use crate::random::Random;
use crate::replay::Replay;
use crate::spec::{AgentSpec, LoopKind, LoopSpec};
use crate::subprocess::Subprocess;

/// What an agent is cast for. Only oracles, replays and models look at it.
#[derive(Clone, Copy)]
pub struct AgentOccasion<'a> {
    /// The task.
    pub task: &'a Task,
    /// The instance.
    pub instance: &'a Instance,
    /// The kind of world, which knows how its instances are solved.
    pub world: &'a dyn WorldKind,
    /// Fetches what was recorded of this instance in the run that a replay names.
    pub recording: &'a dyn Fn(&str) -> Result<Trajectory, String>,
    /// What a program of the agent's own may see.
    pub access: &'a ProgramAccess,
    /// Where models are reached, and for whom they are asked; nothing where no model may be.
    pub models: Option<(&'a Connections, &'a CallOwner)>,
}

/// An agent for one trial.
pub fn cast(spec: &AgentSpec, occasion: &AgentOccasion<'_>) -> Result<Box<dyn Agent + Send>, AgentError> {
    Ok(match spec {
        AgentSpec::Oracle(style) => oracle(style, occasion)?,
        AgentSpec::Idle => Box::new(Idle::new()),
        AgentSpec::Endless => Box::new(Idle::endless()),
        AgentSpec::Random { seed } => Box::new(Random::new(*seed)),
        AgentSpec::Replay { run } => Box::new(Replay::new((occasion.recording)(run).map_err(AgentError::harness)?)),
        AgentSpec::Command { argv } => Box::new(Subprocess::new(argv.iter().cloned(), occasion.access.clone())),
        AgentSpec::Outside { .. } => return Err(unconnected("an outside program can only play in a run of its own")),
        AgentSpec::Model(spec) => model(spec, occasion)?,
    })
}

/// A loop around a model that is asked for this trial alone.
fn model(spec: &LoopSpec, occasion: &AgentOccasion<'_>) -> Result<Box<dyn Agent + Send>, AgentError> {
    looped(spec, &|spec| connected(spec, occasion))
}

/// How a model is had.
pub(crate) type ConnectModel<'a> = dyn Fn(&ModelSpec) -> Result<Arc<dyn Model>, AgentError> + 'a;

/// The loop that a spec names, around models that are had in some way.
pub(crate) fn looped(spec: &LoopSpec, connect: &ConnectModel<'_>) -> Result<Box<dyn Agent + Send>, AgentError> {
    let (main, manner) = (connect(&spec.model)?, spec.manner);
    let partner = spec.partner.as_ref().map(connect).transpose()?;
    Ok(match (spec.kind, partner) {
        (LoopKind::Turns, _) => Box::new(Solo::turns(main, manner)),
        (LoopKind::React, _) => Box::new(Solo::react(main, manner)),
        (LoopKind::Generalist, gui) => Box::new(Generalist::new(main, gui, manner)),
        (LoopKind::Planner, Some(grounder)) => Box::new(Planner::new(main, grounder, manner)),
        (LoopKind::Planner, None) => return Err(unconnected("a planner needs a grounder")),
    })
}

fn connected(spec: &ModelSpec, occasion: &AgentOccasion<'_>) -> Result<Arc<dyn Model>, AgentError> {
    let (connections, who) = occasion.models.ok_or_else(|| unconnected("no model can be asked here"))?;
    let instance = occasion.instance.id.to_string();
    connections.model(spec, who, &instance).map_err(|error| unconnected(&error.to_string()))
}

fn unconnected(why: &str) -> AgentError {
    AgentError::Fault { boundary: Boundary::Setup, why: why.to_owned() }
}

/// The solution in the task's folder, filled in with the parameters of the instance; where there is none, or a style is asked for, the world's own.
fn oracle(style: &OracleStyle, occasion: &AgentOccasion<'_>) -> Result<Box<dyn Agent + Send>, AgentError> {
    match &occasion.task.oracle {
        Some(lines) if *style == OracleStyle::default() => {
            let filled = fill_text(lines, &occasion.instance.parameters);
            let lines = filled.map_err(|why| AgentError::harness(format!("oracle.txt: {why}")))?;
            Ok(PlacedScript::of_lines(&lines))
        }
        _ => occasion
            .world
            .oracle(occasion.instance, style)
            .map_err(|error| AgentError::harness(format!("no oracle for `{}`: {error}", occasion.instance.id))),
    }
}
