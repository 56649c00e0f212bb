//! A model as a loop has it: asked until a deadline, with every answer paid for in the turn's reply.

use std::sync::Arc;
use std::time::{Duration, Instant};

use quintain_core::ending::Boundary;
use quintain_core::{AgentError, Usage};
use quintain_models::model::{Model, ModelCard, ModelError, Request, Response};

/// A model, and what its answers of this turn used.
pub struct MeteredModel {
    model: Arc<dyn Model>,
    used: Usage,
    /// Whether the provider held up an answer of this turn.
    held_up: bool,
}

/// Why a model gave no answer, as far as a loop cares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The request is too long for it: a shorter one may be tried.
    Overflow,
    /// There is nothing to be done.
    Ended(AgentError),
}

impl MeteredModel {
    /// A model that was not asked yet.
    pub fn new(model: Arc<dyn Model>) -> Self {
        Self { model, used: Usage::nothing(), held_up: false }
    }

    /// What is known of it.
    pub fn card(&self) -> &ModelCard {
        self.model.card()
    }

    /// Asks, and keeps what it used.
    pub fn ask(&mut self, request: &Request, deadline: TurnDeadline) -> Result<Response, NoAnswer> {
        let left = deadline.left().ok_or_else(|| NoAnswer::Ended(self.late(deadline)))?;
        match self.model.ask(request, left) {
            Ok(response) => {
                self.used = self.used.plus(response.usage);
                self.held_up |= response.held_up;
                Ok(response)
            }
            Err(ModelError::Overflow { .. }) => Err(NoAnswer::Overflow),
            Err(ModelError::Late(_)) => Err(NoAnswer::Ended(self.late(deadline))),
            Err(error) => Err(NoAnswer::Ended(ended(&error))),
        }
    }

    /// The time of the turn is up: the agent's doing, unless the provider took of it.
    fn late(&self, deadline: TurnDeadline) -> AgentError {
        if !self.held_up {
            return AgentError::Late(deadline.within);
        }
        let why = format!(
            "{}: it held up earlier answers of a turn that was over after {:?}",
            self.card().name,
            deadline.within
        );
        AgentError::Fault { boundary: Boundary::Provider, why }
    }

    /// What was used since this was last asked, answered or not.
    pub fn used(&mut self) -> Usage {
        self.held_up = false;
        std::mem::replace(&mut self.used, Usage::nothing()).plus(self.model.wasted())
    }
}

/// Until when a turn has to be over.
#[derive(Clone, Copy, Debug)]
pub struct TurnDeadline {
    at: Instant,
    within: Duration,
}

impl TurnDeadline {
    /// So long from now.
    pub fn after(within: Duration) -> Self {
        Self { at: Instant::now() + within, within }
    }

    /// How long that still is.
    pub fn left(&self) -> Option<Duration> {
        self.at.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}

/// How a trial ends when a model gives no answer and the time is not the reason.
fn ended(error: &ModelError) -> AgentError {
    match error {
        ModelError::Provider { .. } | ModelError::Rejected { .. } => {
            AgentError::Fault { boundary: Boundary::Provider, why: error.to_string() }
        }
        ModelError::OverBudget => AgentError::Interrupted,
        ModelError::Denied { .. } => AgentError::Denied(error.to_string()),
        ModelError::Late(_) | ModelError::Overflow { .. } | ModelError::Harness(_) => {
            AgentError::harness(error.to_string())
        }
    }
}

/// A turn that does not fit into a model's context even alone.
pub fn too_long(card: &ModelCard) -> AgentError {
    AgentError::harness(format!(
        "{}: one turn alone does not fit into its context of {} tokens; show less, or use the generalist loop",
        card.name, card.context
    ))
}

#[cfg(test)]
mod tests {
    use quintain_core::agent::Effort;
    use quintain_models::model::{Message, Points, StopReason};

    use super::*;

    /// Answers after a while; the provider is to blame for it, or not.
    struct Slow(ModelCard, bool);

    impl Model for Slow {
        fn ask(&self, _request: &Request, _within: Duration) -> Result<Response, ModelError> {
            let (message, usage) = (Message::user("hm"), Usage::nothing());
            Ok(Response { message, stop: StopReason::Finished, usage, held_up: self.1 })
        }

        fn wasted(&self) -> Usage {
            Usage::nothing()
        }

        fn card(&self) -> &ModelCard {
            &self.0
        }
    }

    #[test]
    fn time_that_the_provider_took_is_not_the_agents() {
        let card = ModelCard {
            name: "chat/slow".to_owned(),
            computer: None,
            points: Points::Pixels,
            sees: true,
            context: 1000,
            pictures: quintain_models::picture_limit::PictureLimit::default(),
        };
        let request = Request {
            system: String::new(),
            messages: Vec::new(),
            tools: Vec::new(),
            must_call: false,
            max_output: 1,
            effort: Some(Effort::Low),
            purpose: quintain_core::books::Purpose::Act,
            step_idx: 0,
        };
        let second_try = |held_up| {
            let mut voice = MeteredModel::new(Arc::new(Slow(card.clone(), held_up)));
            voice.ask(&request, TurnDeadline::after(Duration::from_mins(1))).expect("an answer");
            match voice.ask(&request, TurnDeadline::after(Duration::ZERO)) {
                Err(NoAnswer::Ended(error)) => error.to_string(),
                other => format!("{other:?}"),
            }
        };
        assert_eq!(second_try(false), "the agent did not answer within 0ns");
        assert_eq!(
            second_try(true),
            "provider fault: chat/slow: it held up earlier answers of a turn that was over after 0ns"
        );
    }
}
