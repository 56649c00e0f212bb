//! A solution told as the conversation that the turns loop would have had about it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::lock::LockAlways as _;
use quintain_core::{Agent, AgentError, Briefing, Reply, Turn, Usage};
use quintain_models::model::{
    Message, MessageRole, Model, ModelCard, ModelError, Piece, Points, Request, Response, StopReason,
};
use quintain_models::picture_limit::PictureLimit;

use crate::loops::{LoopOptions, Solo};

/// An oracle that plays through the turns loop: the loop shows and asks as it would a model that keeps every picture, and
/// hears the oracle's words as the model's.
pub struct Demonstrator {
    oracle: Box<dyn Agent + Send>,
    solo: Solo,
    mouth: Arc<PromptedModel>,
}

/// A whole conversation: what was told before everything, then the turns. What the loop asked in any turn is the
/// beginning of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToldConversation {
    /// What is told before everything else.
    pub system: String,
    /// What was shown and what was answered, by turns.
    pub messages: Vec<Message>,
}

impl Demonstrator {
    /// An oracle that plays through the turns loop.
    pub fn new(oracle: Box<dyn Agent + Send>) -> Self {
        let mouth = Arc::new(PromptedModel::new());
        let manner = LoopOptions { n_pictures: Some(usize::MAX), ..LoopOptions::default() };
        let model: Arc<dyn Model> = Arc::clone(&mouth) as Arc<dyn Model>;
        Self { oracle, solo: Solo::turns(model, manner), mouth }
    }

    /// The conversation so far.
    pub fn told(&self) -> ToldConversation {
        let said = self.mouth.said();
        let Some(asked) = &said.asked else { return ToldConversation::default() };
        let messages = asked.messages.iter().cloned().chain(said.answered.clone()).collect();
        ToldConversation { system: asked.system.clone(), messages }
    }
}

impl Agent for Demonstrator {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.oracle.begin(briefing)?;
        self.solo.begin(briefing)
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let words = self.oracle.act(turn, within)?.raw;
        self.mouth.said().next = Some(words);
        let reply = self.solo.act(turn, within)?;
        Ok(Reply { usage: None, memory: None, ..reply })
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        self.oracle.recall(turn, reply);
        self.solo.recall(turn, reply);
    }

    fn wants_geometry(&self) -> bool {
        self.oracle.wants_geometry()
    }

    fn end(&mut self) {
        self.oracle.end();
        self.solo.end();
    }
}

/// A model that says what it is given to say.
struct PromptedModel {
    card: ModelCard,
    said: Mutex<SpeakerState>,
}

#[derive(Default)]
struct SpeakerState {
    /// What it says when it is asked next.
    next: Option<String>,
    /// What it was asked last.
    asked: Option<Request>,
    /// What it said to that.
    answered: Option<Message>,
}

impl PromptedModel {
    fn new() -> Self {
        let card = ModelCard {
            name: "demonstration".to_owned(),
            computer: None,
            points: Points::Pixels,
            sees: true,
            context: u64::MAX,
            pictures: PictureLimit::default(),
        };
        Self { card, said: Mutex::default() }
    }

    fn said(&self) -> std::sync::MutexGuard<'_, SpeakerState> {
        self.said.lock().always()
    }
}

impl Model for PromptedModel {
    fn ask(&self, request: &Request, _within: Duration) -> Result<Response, ModelError> {
        let mut said = self.said();
        let words = said.next.take().ok_or_else(|| ModelError::Harness("the oracle was not understood".to_owned()))?;
        let message = Message { role: MessageRole::Assistant, pieces: vec![Piece::text(words)] };
        said.asked = Some(request.clone());
        said.answered = Some(message.clone());
        Ok(Response { message, stop: StopReason::Finished, usage: Usage::nothing(), held_up: false })
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
