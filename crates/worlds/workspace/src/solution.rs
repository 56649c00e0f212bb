//! The oracle: does what was planned, one thing after the other.

use std::time::Duration;

use quintain_core::action::Dialect;
use quintain_core::{Action, Agent, AgentError, Briefing, Reply, Turn};

/// Does what was planned and is done.
pub(crate) struct PlannedWork(std::vec::IntoIter<Action>);

impl PlannedWork {
    pub(crate) fn new(actions: Vec<Action>) -> Self {
        Self(actions.into_iter())
    }

    fn next(&mut self) -> Reply {
        let action = self.0.next().unwrap_or(Action::Done);
        let text = serde_json::to_string(&action).unwrap_or_default();
        Reply { dialect: Some(Dialect::Canonical), ..Reply::text(text) }
    }
}

impl Agent for PlannedWork {
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
