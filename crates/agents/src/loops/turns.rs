//! Text in, text out: every turn is shown, every reply is one action in words.

use std::sync::Arc;
use std::time::Duration;

use quintain_core::{Agent, AgentError, Briefing, Reply, Turn, Usage};

use crate::loops::conversation::Conversation;
use crate::loops::protocol::Form;
use crate::loops::sights::Sights;
use crate::loops::talk::{Talk, Terms};
use crate::loops::voice::Voice;
use crate::loops::{Manner, N_PICTURES, not_begun, prompts, spoken_briefing};
use crate::model::Model;

/// A model that answers each turn with one action as text, and remembers as many turns as the run lets it.
pub struct Turns {
    model: Arc<dyn Model>,
    manner: Manner,
    talk: Option<Talk>,
}

impl Turns {
    /// This model, in this manner.
    pub fn new(model: Arc<dyn Model>, manner: Manner) -> Self {
        Self { model, manner, talk: None }
    }

    /// As many pictures as turns are remembered, unless it was said how many.
    fn n_pictures(&self, briefing: &Briefing) -> usize {
        let of_history = briefing.history.map(|n_turns| n_turns as usize + 1);
        self.manner.n_pictures.or(of_history).unwrap_or(N_PICTURES)
    }
}

impl Agent for Turns {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        let card = self.model.card();
        let sights = Sights::new(card);
        let system = prompts::turns(&spoken_briefing(briefing, &sights, card.points).prompt(), card.points);
        let terms = Terms {
            system,
            tools: Vec::new(),
            form: Form::Words,
            points: card.points,
            targets: false,
            surface: briefing.surface.clone(),
            max_output: self.manner.max_output,
            effort: briefing.effort,
        };
        let conversation = Conversation::new(sights, briefing.history, self.n_pictures(briefing));
        self.talk = Some(Talk::new(Voice::new(Arc::clone(&self.model)), conversation, terms));
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        self.talk.as_mut().ok_or_else(not_begun)?.turn(turn, within)
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        if let Some(talk) = &mut self.talk {
            talk.recall(turn, reply);
        }
    }

    fn wasted(&mut self) -> Option<Usage> {
        self.talk.as_mut().map(Talk::wasted)
    }
}
