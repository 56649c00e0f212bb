//! A model in a conversation: what it is told, what it can call, how much it can hold.

use quintain_core::agent::Effort;
use quintain_core::books::Purpose;
use quintain_core::surface::Surface;
use quintain_core::{AgentError, Turn};
use quintain_models::model::{EncodedImage, Message, ModelCard, Piece, Request, Tool, ToolCall};
use quintain_models::tools::Sight;

use crate::loops::context::{Compaction, ModelContext, TokenGauge, TokenRoom, text_tokens, tools_tokens};
use crate::loops::generalist::memory::with_pictures;
use crate::loops::observation_renderer::ObservationRenderer;
use crate::loops::protocol::{self, ReadMessage};

/// One model's side of the work.
pub(super) struct ModelSide {
    pub(super) context: ModelContext,
    pub(super) system: String,
    /// What is told after the system part: the notes, as they were when the conversation was last shortened.
    pub(super) appendix: String,
    pub(super) tools: Vec<Tool>,
    pub(super) surface: Surface,
    pub(super) max_output: u32,
    pub(super) effort: Option<Effort>,
    card: ModelCard,
    sights: ObservationRenderer,
    screen: Option<EncodedImage>,
    gauge: TokenGauge,
    room: TokenRoom,
}

impl ModelSide {
    pub(super) fn new(card: &ModelCard, context: ModelContext, max_output: u32) -> Self {
        Self {
            context,
            system: String::new(),
            appendix: String::new(),
            tools: Vec::new(),
            surface: Surface::default(),
            max_output,
            effort: None,
            card: card.clone(),
            sights: ObservationRenderer::new(card),
            screen: None,
            gauge: TokenGauge::default(),
            room: TokenRoom::new(card.context, max_output),
        }
    }

    /// A turn is shown to it, and with it what came of the calls that it has not heard of yet.
    pub(super) fn see(&mut self, turn: &Turn<'_>) -> Result<(), AgentError> {
        let looked = self.sights.look(turn, self.context.unanswered().as_ref())?;
        if let Some(goal) = looked.goal {
            self.context.pin([Piece::text("The state to reach:"), Piece::Picture(goal)]);
        }
        self.screen = looked.screen;
        self.context.hear(looked.pieces);
        Ok(())
    }

    /// It speaks, after its provider has read so many tokens.
    pub(super) fn say(&mut self, message: Message, read_tokens: u64) {
        self.gauge.told(self.tokens(), read_tokens);
        self.context.say(message);
    }

    /// It is told something within the turn.
    pub(super) fn hear(&mut self, pieces: Vec<Piece>) {
        self.context.hear(with_pictures(pieces, self.screen.as_ref()));
    }

    pub(super) fn compact(&mut self, compaction: &Compaction) {
        self.context.apply(compaction);
    }

    pub(super) fn limit(&mut self, tokens: u64) {
        self.room.limit = self.room.limit.min(tokens.max(1));
    }

    /// About how many tokens the next request is.
    pub(super) fn tokens(&self) -> u64 {
        self.others(&self.appendix) + self.context.tokens()
    }

    /// About how many tokens a request has besides its messages, were this told after the system part.
    pub(super) fn others(&self, appendix: &str) -> u64 {
        text_tokens(&told(&self.system, appendix)) + tools_tokens(&self.tools)
    }

    /// The room that there is for what is estimated.
    pub(super) fn room(&self) -> TokenRoom {
        self.gauge.room(self.room)
    }

    /// How many bytes of notes are kept.
    pub(super) fn n_bytes_of_notes(&self) -> usize {
        usize::try_from(self.room.checkpoint() * 4).unwrap_or(usize::MAX)
    }

    pub(super) fn request(&self, purpose: Purpose, step_idx: u32) -> Request {
        Request {
            system: told(&self.system, &self.appendix),
            messages: self.context.messages(),
            tools: self.tools.clone(),
            must_call: false,
            max_output: self.max_output,
            effort: self.effort,
            purpose,
            step_idx,
        }
    }

    /// What it says with these calls, the others being answered by the loop.
    pub(super) fn read(&self, message: &Message, calls: &[&ToolCall]) -> ReadMessage {
        let shown = self.screen().map(EncodedImage::size);
        let sight = Sight { computer: self.card.computer, points: self.card.points, shown };
        protocol::hear_calls(message, calls, &self.surface, &sight)
    }

    pub(super) fn screen(&self) -> Option<&EncodedImage> {
        self.screen.as_ref()
    }
}

fn told(system: &str, appendix: &str) -> String {
    if appendix.is_empty() { system.to_owned() } else { format!("{system}\n\n{appendix}") }
}
