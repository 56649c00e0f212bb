//! How a model plays: what it is told and shown, and how what it says becomes an action.
//!
//! Every loop asks a [`Model`](quintain_models::model::Model) that is metered ([`metered_model`]), shows it
//! observations ([`observation_renderer`]), holds it to the agreed form by [`protocol`], and keeps in each recorded reply
//! what it needs to go on after a crash.

pub mod context;
pub mod conversation;
mod demonstrator;
mod dialogue;
pub mod generalist;
pub mod metered_model;
pub mod observation_renderer;
pub mod planner;
mod pointer_place;
pub mod prompts;
pub mod protocol;
mod react;
pub mod rehearsal;
pub mod screens;
mod solo;
#[cfg(test)]
pub(crate) mod test_model;
mod turns;

use quintain_core::agent::Effort;
use quintain_core::ending::Boundary;
use quintain_core::{AgentError, Briefing};
use quintain_models::model::{ModelCard, Points};

use crate::loops::observation_renderer::ObservationRenderer;

pub use demonstrator::{Demonstrator, ToldConversation};
pub use generalist::Generalist;
pub use planner::Planner;
pub use solo::Solo;

/// How many pictures are kept in a conversation unless something else is asked for.
pub const N_PICTURES: usize = 3;

/// How a loop talks with its model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopOptions {
    /// How actions are said; nothing means as suits model and world.
    pub mode: Option<Mode>,
    /// How many pictures are kept in the conversation; nothing means as is usual in the loop.
    pub n_pictures: Option<usize>,
    /// The most tokens that one answer may have; nothing means as suits the model and how hard it thinks.
    pub max_output: Option<u32>,
}

impl LoopOptions {
    /// The most tokens that one answer of this model may have.
    fn max_output(&self, card: &ModelCard, effort: Option<Effort>) -> u32 {
        self.max_output.unwrap_or_else(|| card.usual_output(effort))
    }
}

/// How actions are said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// With the model's own computer tool, where the world has a screen.
    Native,
    /// With our functions.
    Schema,
    /// In words.
    Text,
    /// With our functions, elements being named by their numbers.
    Marks,
}

impl Mode {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Native, Self::Schema, Self::Text, Self::Marks];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Schema => "schema",
            Self::Text => "text",
            Self::Marks => "marks",
        }
    }
}

/// The briefing with the screen in the size that a model's points refer to, so that what it is told of points is so.
fn spoken_briefing(briefing: &Briefing, sights: &ObservationRenderer, points: Points) -> Briefing {
    let mut briefing = briefing.clone();
    briefing.surface.screen = match points {
        Points::Unit => None,
        _ => briefing.surface.screen.map(|size| points.size(sights.fit(size))),
    };
    briefing
}

/// An agent that is asked before it was told what it is about.
fn not_begun() -> AgentError {
    AgentError::harness("the agent was asked before it was briefed")
}

/// An agent that cannot play here as it was asked to.
fn not_set_up(why: impl Into<String>) -> AgentError {
    AgentError::Fault { boundary: Boundary::Setup, why: why.into() }
}
