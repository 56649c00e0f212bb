//! Agents that do nothing: what they score is what a task gives away.

use std::time::Duration;

use quintain_core::{Agent, AgentError, Briefing, Reply, Turn};

use crate::script::STOP;

/// Does nothing: ends the trial at once, or lets it run out.
#[derive(Clone, Copy, Debug, Default)]
pub struct Idle {
    reply: Option<&'static str>,
}

impl Idle {
    /// Ends the trial with its first word.
    pub fn new() -> Self {
        Self::default()
    }

    /// Never ends the trial: says something that is no action, turn after turn.
    pub fn endless() -> Self {
        Self { reply: Some("Let me think about it.") }
    }
}

impl Agent for Idle {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, _turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        Ok(Reply::text(self.reply.unwrap_or(STOP)))
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}
