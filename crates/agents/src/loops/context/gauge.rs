//! How many tokens something is, before a provider has said so.

use quintain_models::model::{EncodedImage, Message, Piece, Request, Tool, ToolCall};
use serde_json::Value;

use super::TokenRoom;

/// What every message costs besides what is in it.
pub(super) const MESSAGE: u64 = 4;
/// What every call, outcome or tool costs besides what is in it.
const FRAME: u64 = 12;
/// Bytes of text that make a token. English prose has a little more, program text a little less.
const BYTES: usize = 4;
/// Pixels of a picture that make a token, and what every picture costs besides.
const PIXELS: u64 = 750;
const PICTURE: u64 = 85;
/// How far off an estimate is taken to be at most.
const MAX_SCALE: f64 = 4.0;

/// Corrects estimates by what the provider last said that it had read. Never downwards: an estimate that is too high
/// costs a few tokens of room, one that is too low a refused request. What is said only once is not believed, because a
/// call that had to be repeated counts for two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TokenGauge {
    last: f64,
    before: f64,
}

impl Default for TokenGauge {
    fn default() -> Self {
        Self { last: 1.0, before: 1.0 }
    }
}

impl TokenGauge {
    /// What was estimated to be so many tokens was so many.
    pub fn told(&mut self, estimated: u64, read: u64) {
        self.before = self.last;
        self.last = (read as f64 / estimated.max(1) as f64).clamp(1.0, MAX_SCALE);
    }

    /// The room that there is for what is estimated to be so many tokens.
    pub fn room(&self, room: TokenRoom) -> TokenRoom {
        TokenRoom { limit: (room.limit as f64 / self.last.min(self.before)) as u64 }
    }
}

/// The tokens of a text.
pub fn text_tokens(text: &str) -> u64 {
    text.len().div_ceil(BYTES) as u64
}

/// The tokens of a whole request.
pub fn request_tokens(request: &Request) -> u64 {
    let messages: u64 = request.messages.iter().map(message_tokens).sum();
    text_tokens(&request.system) + tools_tokens(&request.tools) + messages
}

/// The tokens of a list of tools.
pub fn tools_tokens(tools: &[Tool]) -> u64 {
    let tool = |tool: &Tool| match tool {
        Tool::Function { name, about, schema } => {
            text_tokens(name) + text_tokens(about) + text_tokens(schema.text()) + FRAME
        }
        Tool::Computer { .. } => 1_000, // What providers say that their own tool adds, and more.
    };
    tools.iter().map(tool).sum()
}

/// The tokens of a message.
pub(super) fn message_tokens(message: &Message) -> u64 {
    MESSAGE + pieces_tokens(&message.pieces)
}

/// The tokens of pieces of a message.
pub fn pieces_tokens(pieces: &[Piece]) -> u64 {
    pieces.iter().map(piece_tokens).sum()
}

fn piece_tokens(piece: &Piece) -> u64 {
    match piece {
        Piece::Text { text } => text_tokens(text),
        Piece::Picture(image) => picture_tokens(image),
        Piece::Thought { text, opaque } => text_tokens(text) + opaque.as_ref().map_or(0, json_tokens),
        Piece::Call(call) => call_tokens(call),
        Piece::Outcome { name, pieces, .. } => FRAME + text_tokens(name) + pieces_tokens(pieces),
    }
}

fn picture_tokens(image: &EncodedImage) -> u64 {
    let (across, down) = image.size();
    PICTURE + (u64::from(across) * u64::from(down)).div_ceil(PIXELS)
}

fn call_tokens(call: &ToolCall) -> u64 {
    FRAME + text_tokens(&call.name) + json_tokens(&call.input) + call.opaque.as_ref().map_or(0, json_tokens)
}

fn json_tokens(value: &Value) -> u64 {
    text_tokens(&value.to_string())
}
