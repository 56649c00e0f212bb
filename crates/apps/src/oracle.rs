//! What the oracles of all apps have in common: one canonical action a turn, from the screen and the table of places.

mod table;

use std::time::Duration;

use quintain_core::action::{Action, Dialect};
use quintain_core::agent::{AgentError, Briefing, Reply, Turn};
use quintain_core::{Agent, ObservationPart, Screen};

pub(crate) use table::{PlaceTable, Rectangle};

/// Carries out a plan, one action at a time. What it decides depends on nothing but the turns it has seen.
pub(crate) trait PlanPlayer {
    /// The next action, or why there is none, by where everything is and what the screen looks like.
    fn decide(&mut self, table: &PlaceTable, screen: Option<&Screen>) -> Result<Action, String>;
}

/// A player as an agent.
pub(crate) struct AppOracle<P>(pub(crate) P);

impl<P: PlanPlayer> AppOracle<P> {
    fn answer(&mut self, turn: &Turn<'_>) -> Result<Reply, AgentError> {
        let text = turn.observation.texts.get(&ObservationPart::Geometry);
        let text = text.ok_or_else(|| AgentError::harness("the oracle was not shown where things are"))?;
        let table = PlaceTable::read(text).map_err(AgentError::harness)?;
        let screen = turn.observation.pictures.get(&ObservationPart::Screen);
        let action = self.0.decide(&table, screen).unwrap_or_else(|reason| Action::GiveUp { reason });
        reply_of(&action)
    }
}

/// An action as an oracle says it.
pub(crate) fn reply_of(action: &Action) -> Result<Reply, AgentError> {
    serde_json::to_string(action).map(Reply::text).map_err(|error| AgentError::harness(error.to_string()))
}

impl<P: PlanPlayer> Agent for AppOracle<P> {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        self.answer(turn)
    }

    /// It answers the same to the same turns: answering again is remembering. A turn it cannot answer is told when it
    /// is asked next.
    fn recall(&mut self, turn: &Turn<'_>, _reply: &Reply) {
        drop(self.answer(turn));
    }

    fn dialect(&self) -> Dialect {
        Dialect::Canonical
    }

    fn wants_geometry(&self) -> bool {
        true
    }
}
