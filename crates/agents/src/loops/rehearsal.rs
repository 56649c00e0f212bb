//! What a loop asked its model in a turn of the past, built again from what was recorded.
//!
//! A request is not recorded as such: it is what the loop makes of the briefing, the turns before and what is seen. So the
//! loop is told all of it again, as after a crash, and what it asks next is taken down instead of sent.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::lock::LockAlways as _;
use quintain_core::{AgentError, Briefing, Observation, Remaining, Reply, Turn, Usage};
use quintain_models::model::{Model, ModelCard, ModelError, Request, Response};
use quintain_models::providers::ModelSpec;

use crate::casting::looped;
use crate::spec::LoopSpec;

/// More than a loop takes to put a request together.
const PATIENCE: Duration = Duration::from_mins(1);

/// A turn as it was recorded.
#[derive(Clone, Debug)]
pub struct PastTurn {
    /// What was seen.
    pub observation: Observation,
    /// What was left of each limit.
    pub remaining: Remaining,
    /// What was answered.
    pub reply: Reply,
}

/// The first request of the last of these turns. What was asked again in that turn, to correct a slip or because it did
/// not fit, is not in it.
pub fn rehearse(
    spec: &LoopSpec,
    card: &dyn Fn(&ModelSpec) -> ModelCard,
    briefing: &Briefing,
    turns: &[PastTurn],
) -> Result<Request, AgentError> {
    let Some((last, before)) = turns.split_last() else { return Err(AgentError::harness("there is no turn")) };
    let asked = Arc::new(Mutex::new(None));
    let connect = |spec: &ModelSpec| {
        let model: Arc<dyn Model> = Arc::new(ListeningModel { card: card(spec), asked: Arc::clone(&asked) });
        Ok(model)
    };
    let mut agent = looped(spec, &connect)?;
    agent.begin(briefing)?;
    for (step_idx, past) in (0..).zip(before) {
        agent.recall(&past.as_turn(step_idx), &past.reply);
    }
    let refused = agent.act(&last.as_turn(before.len() as u32), PATIENCE);
    let request = asked.lock().always().take();
    request.ok_or_else(|| refused.err().unwrap_or_else(|| AgentError::harness("no model was asked in this turn")))
}

impl PastTurn {
    fn as_turn(&self, step_idx: u32) -> Turn<'_> {
        Turn { step_idx, observation: &self.observation, remaining: self.remaining }
    }
}

/// A model that remembers the first thing it is asked and answers nothing.
struct ListeningModel {
    card: ModelCard,
    asked: Arc<Mutex<Option<Request>>>,
}

impl Model for ListeningModel {
    fn ask(&self, request: &Request, _within: Duration) -> Result<Response, ModelError> {
        self.asked.lock().always().get_or_insert_with(|| request.clone());
        Err(ModelError::Harness("nobody answers a rehearsal".to_owned()))
    }

    fn wasted(&self) -> Usage {
        Usage::nothing()
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }
}

#[cfg(test)]
mod tests;
