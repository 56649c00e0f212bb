//! A model as a loop has it: asked until a deadline, with every answer paid for in the turn's reply.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::ending::Boundary;
use quintain_core::{AgentError, Usage};

use crate::model::{Model, ModelCard, ModelError, Request, Response};

/// A model, and what its answers of this turn used.
pub struct Voice {
    model: Arc<dyn Model>,
    used: Usage,
}

/// Why a model gave no answer, as far as a loop cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// The request is too long for it: a shorter one may be tried.
    Overflow,
    /// There is nothing to be done.
    Ended(AgentError),
}

impl Voice {
    /// A model that was not asked yet.
    pub fn new(model: Arc<dyn Model>) -> Self {
        Self { model, used: Usage::nothing() }
    }

    /// What is known of it.
    pub fn card(&self) -> &ModelCard {
        self.model.card()
    }

    /// Asks, and keeps what it used.
    pub fn ask(&mut self, request: &Request, deadline: Deadline) -> Result<Response, Unanswered> {
        let left = deadline.left().ok_or(Unanswered::Ended(AgentError::Late(deadline.within)))?;
        match self.model.ask(request, left) {
            Ok(response) => {
                self.used = self.used.plus(response.usage);
                Ok(response)
            }
            Err(ModelError::Overflow { .. }) => Err(Unanswered::Overflow),
            Err(error) => Err(Unanswered::Ended(ended(&error, deadline))),
        }
    }

    /// What was used since this was last asked, answered or not.
    pub fn used(&mut self) -> Usage {
        std::mem::replace(&mut self.used, Usage::nothing()).plus(self.model.wasted())
    }
}

/// Until when a turn has to be over.
#[derive(Clone, Copy, Debug)]
pub struct Deadline {
    at: Instant,
    within: Duration,
}

impl Deadline {
    /// So long from now.
    pub fn after(within: Duration) -> Self {
        Self { at: Instant::now() + within, within }
    }

    /// How long that still is.
    pub fn left(&self) -> Option<Duration> {
        self.at.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}

/// How a trial ends when a model gives no answer.
fn ended(error: &ModelError, deadline: Deadline) -> AgentError {
    match error {
        ModelError::Provider { .. } | ModelError::Rejected { .. } => {
            AgentError::Fault { boundary: Boundary::Provider, why: error.to_string() }
        }
        ModelError::OverBudget => AgentError::Interrupted,
        ModelError::Late(_) => AgentError::Late(deadline.within),
        ModelError::Overflow { .. } | ModelError::Harness(_) => AgentError::harness(error.to_string()),
    }
}

/// A turn that does not fit into a model's context even alone.
pub fn too_long(card: &ModelCard) -> AgentError {
    AgentError::harness(format!(
        "{}: one turn alone does not fit into its context of {} tokens; show less, or use the generalist loop",
        card.name, card.context
    ))
}
