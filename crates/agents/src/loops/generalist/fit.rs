//! Asking, with a conversation that fits: three tiers, the mildest first, and again where a provider finds it too long.

use quintain_core::books::Purpose;
use quintain_core::{AgentError, Turn};
use quintain_models::model::{Message, Piece, Request, Response};

use crate::loops::context::{Compaction, Segment};
use crate::loops::generalist::memory::{ConversationOwner, TurnEvent};
use crate::loops::generalist::prompts;
use crate::loops::generalist::work::TrialWork;
use crate::loops::metered_model::{MeteredModel, NoAnswer, TurnDeadline, too_long};

/// How often a request is made shorter because its provider refused it as too long.
const N_REFUSALS: usize = 3;

impl TrialWork {
    /// Asks, and takes what is said down.
    pub(super) fn ask(
        &mut self,
        who: ConversationOwner,
        purpose: Purpose,
        turn: &Turn<'_>,
        deadline: TurnDeadline,
    ) -> Result<Response, AgentError> {
        for _ in 0..=N_REFUSALS {
            self.fit(who, turn, deadline)?;
            let request = self.party(who).request(purpose, turn.step_idx);
            match self.voice_of(who).ask(&request, deadline) {
                Ok(response) => {
                    let (message, read_tokens) = (response.message.clone(), response.usage.input_tokens);
                    self.happen(TurnEvent::Said { by: who, message, read_tokens }, turn)?;
                    return Ok(response);
                }
                Err(NoAnswer::Ended(error)) => return Err(error),
                Err(NoAnswer::Overflow) => {
                    let tokens = self.party(who).tokens() / 2;
                    self.happen(TurnEvent::Limited { by: who, tokens }, turn)?;
                }
            }
        }
        Err(too_long(self.voice_of(who).card()))
    }

    fn voice_of(&mut self, who: ConversationOwner) -> &mut MeteredModel {
        match (&mut self.gui, who) {
            (Some(gui), ConversationOwner::Gui) => &mut gui.voice,
            _ => &mut self.voice,
        }
    }

    /// Shortens the conversation where it is too long.
    fn fit(&mut self, who: ConversationOwner, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<(), AgentError> {
        if self.party(who).tokens() <= self.party(who).room().high() {
            return Ok(());
        }
        let party = self.party(who);
        let cleared = party.context.clearing(party.room());
        self.compact(who, cleared, turn)?;
        // The one who acts on the screen has a short conversation: there is nothing in it to sum up.
        if who == ConversationOwner::Main && self.main.tokens() > self.main.room().low() {
            let summed_up = self.sum_up(turn, deadline)?;
            self.compact(who, summed_up, turn)?;
        }
        let party = self.party(who);
        let others = match who {
            ConversationOwner::Main => party.others(&prompts::notes(&self.notes)),
            ConversationOwner::Gui => party.others(""),
        };
        let truncated = party.context.truncation(party.room(), others);
        self.compact(who, truncated, turn)
    }

    fn compact(
        &mut self,
        who: ConversationOwner,
        compactions: impl IntoIterator<Item = Compaction>,
        turn: &Turn<'_>,
    ) -> Result<(), AgentError> {
        compactions.into_iter().try_for_each(|done| self.happen(TurnEvent::Compacted { by: who, done }, turn))
    }

    /// Has older rounds summed up. Where they are too long even for that, nothing comes of it.
    fn sum_up(&mut self, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<Option<Compaction>, AgentError> {
        let room = self.main.room();
        let Some(segment) = self.main.context.segment(room) else { return Ok(None) };
        let request = self.summary_of(&segment, turn.step_idx);
        match self.voice.ask(&request, deadline) {
            Ok(response) => Ok(segment.summed_up(&response.message.text(), room)),
            Err(NoAnswer::Overflow) => Ok(None),
            Err(NoAnswer::Ended(error)) => Err(error),
        }
    }

    fn summary_of(&self, segment: &Segment, step_idx: u32) -> Request {
        let task = self.main.context.task().iter().filter(|piece| matches!(piece, Piece::Text { .. }));
        let record = Piece::text(format!("# Record\n{}", segment.transcript));
        let pieces = task.cloned().chain([record]).collect();
        Request {
            system: prompts::checkpoint(),
            messages: vec![Message { role: quintain_models::model::MessageRole::User, pieces }],
            tools: Vec::new(),
            must_call: false,
            max_output: self.main.max_output,
            effort: self.main.effort,
            purpose: Purpose::Summarise,
            step_idx,
        }
    }
}
