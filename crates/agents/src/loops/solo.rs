//! One model in one conversation. What it is told and how it answers is set up by its loop: `turns` or `react`.

use std::sync::Arc;
use std::time::Duration;

use quintain_core::{Agent, AgentError, Briefing, Reply, Turn, Usage};
use quintain_models::model::{Model, ModelCard};

use crate::loops::conversation::Conversation;
use crate::loops::dialogue::{DialogueTerms, ModelDialogue};
use crate::loops::metered_model::MeteredModel;
use crate::loops::observation_renderer::ObservationRenderer;
use crate::loops::{LoopOptions, not_begun, react, turns};

/// How a loop sets up the conversation: its terms, and how many pictures are kept in it.
type SetUp =
    fn(&ModelCard, &LoopOptions, &Briefing, &ObservationRenderer) -> Result<(DialogueTerms, usize), AgentError>;

/// A model that plays by itself.
pub struct Solo {
    model: Arc<dyn Model>,
    manner: LoopOptions,
    set_up: SetUp,
    pub(super) talk: Option<ModelDialogue>,
}

impl Solo {
    /// A model that answers each turn with one action as text, and remembers as many turns as the run lets it.
    pub fn turns(model: Arc<dyn Model>, manner: LoopOptions) -> Self {
        Self { model, manner, set_up: turns::set_up, talk: None }
    }

    /// A model that thinks aloud and then acts.
    pub fn react(model: Arc<dyn Model>, manner: LoopOptions) -> Self {
        Self { model, manner, set_up: react::set_up, talk: None }
    }
}

impl Agent for Solo {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        let card = self.model.card();
        let sights = ObservationRenderer::new(card);
        let (terms, n_pictures) = (self.set_up)(card, &self.manner, briefing, &sights)?;
        let conversation = Conversation::new(sights, briefing.history, n_pictures);
        self.talk = Some(ModelDialogue::new(MeteredModel::new(Arc::clone(&self.model)), conversation, terms));
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
        self.talk.as_mut().map(ModelDialogue::wasted)
    }
}
