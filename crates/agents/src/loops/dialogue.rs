//! One turn of talk with one model: show, ask, correct once, remember.

use std::time::Duration;

use quintain_core::agent::{Effort, Slip};
use quintain_core::books::Purpose;
use quintain_core::surface::Surface;
use quintain_core::{AgentError, Reply, Turn, Usage};
use quintain_models::model::{Message, MessageRole, Piece, Points, Request, Response, StopReason, Tool};
use quintain_models::tools::Sight;

use crate::loops::conversation::{Conversation, TurnMemory};
use crate::loops::metered_model::{MeteredModel, NoAnswer, TurnDeadline, too_long};
use crate::loops::planner::targets;
use crate::loops::protocol::{self, ActionForm, ReadMessage};

/// A talk with a model about one trial.
pub(super) struct ModelDialogue {
    pub(super) voice: MeteredModel,
    pub(super) conversation: Conversation,
    pub(super) terms: DialogueTerms,
    /// What went wrong while an earlier turn was told again.
    broken: Option<AgentError>,
}

/// What was agreed before the first turn.
#[derive(Clone, Debug)]
pub(super) struct DialogueTerms {
    pub(super) system: String,
    pub(super) tools: Vec<Tool>,
    pub(super) form: ActionForm,
    pub(super) points: Points,
    /// Whether places are named in words, for a grounder to find.
    pub(super) targets: bool,
    pub(super) surface: Surface,
    pub(super) max_output: u32,
    pub(super) effort: Option<Effort>,
}

impl ModelDialogue {
    pub(super) fn new(voice: MeteredModel, conversation: Conversation, terms: DialogueTerms) -> Self {
        Self { voice, conversation, terms, broken: None }
    }

    /// Shows the turn and asks for one action. Slips are in the reply; usage and memory are put in by [`ModelDialogue::close`].
    pub(super) fn open(&mut self, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<ReadMessage, AgentError> {
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        self.conversation.see(turn)?;
        let said = self.ask(turn.step_idx, Purpose::Act, deadline)?;
        let heard = self.hear(&said);
        let Some(fault) = &heard.fault else { return Ok(heard) };
        let slips: Vec<Slip> = vec![protocol::slip(&said.message, fault)];
        let correction = protocol::correction(&said.message, fault, self.terms.form, self.conversation.screen());
        self.conversation.say(correction);
        let said = self.ask(turn.step_idx, Purpose::Correct, deadline)?;
        let mut heard = self.hear(&said);
        heard.reply.slips = slips;
        Ok(heard)
    }

    /// The reply with what it cost and what has to be remembered of the turn.
    pub(super) fn close(&mut self, reply: Reply) -> Result<Reply, AgentError> {
        let memory = serde_json::to_value(self.conversation.memory())
            .map_err(|error| AgentError::harness(format!("a turn cannot be written down: {error}")))?;
        Ok(Reply { usage: Some(self.voice.used()), memory: Some(memory), ..reply })
    }

    /// A whole turn, for loops that add nothing to it.
    pub(super) fn turn(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let heard = self.open(turn, TurnDeadline::after(within))?;
        self.close(heard.reply)
    }

    /// A turn that was taken before a crash.
    pub(super) fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        let memory = reply.memory.clone().and_then(|memory| serde_json::from_value(memory).ok());
        if let Err(error) = self.conversation.recall(turn, memory.unwrap_or_else(|| in_words(reply))) {
            self.broken.get_or_insert(error);
        }
    }

    pub(super) fn wasted(&mut self) -> Usage {
        self.voice.used()
    }

    /// What was said. A refusal ends the trial as one: no other words of ours would change the model's mind.
    fn hear(&self, said: &Response) -> ReadMessage {
        if said.stop == StopReason::Refused {
            return ReadMessage { reply: protocol::refused(&said.message), call: None, fault: None };
        }
        self.read(&said.message)
    }

    fn read(&self, said: &Message) -> ReadMessage {
        let DialogueTerms { form, surface, points, .. } = &self.terms;
        let shown = self.conversation.screen().map(quintain_models::model::EncodedImage::size);
        let sight = Sight { computer: self.voice.card().computer, points: *points, shown };
        if !self.terms.targets {
            return protocol::hear(said, *form, surface, &sight);
        }
        let heard = protocol::hear(&targets::with_stand_ins(said), *form, surface, &sight);
        let call = heard.call.as_ref().and_then(|call| said.calls().find(|said| said.id == call.id)).cloned();
        ReadMessage { call, ..heard }
    }

    /// Asks, with ever fewer of the older turns where they do not fit.
    fn ask(&mut self, step_idx: u32, purpose: Purpose, deadline: TurnDeadline) -> Result<Response, AgentError> {
        loop {
            match self.voice.ask(&self.request(step_idx, purpose), deadline) {
                Ok(response) => {
                    self.conversation.say(response.message.clone());
                    return Ok(response);
                }
                Err(NoAnswer::Ended(error)) => return Err(error),
                Err(NoAnswer::Overflow) if self.conversation.forget_half() => {}
                Err(NoAnswer::Overflow) => return Err(too_long(self.voice.card())),
            }
        }
    }

    fn request(&self, step_idx: u32, purpose: Purpose) -> Request {
        let DialogueTerms { system, tools, max_output, effort, .. } = &self.terms;
        Request {
            system: system.clone(),
            messages: self.conversation.messages(),
            tools: tools.clone(),
            must_call: false,
            max_output: *max_output,
            effort: *effort,
            purpose,
            step_idx,
        }
    }
}

/// What is remembered of a reply that nobody wrote a memory for.
fn in_words(reply: &Reply) -> TurnMemory {
    let said = Message { role: MessageRole::Assistant, pieces: vec![Piece::text(reply.raw.clone())] };
    TurnMemory { messages: vec![said], ..TurnMemory::default() }
}
