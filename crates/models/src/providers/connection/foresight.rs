//! What a call will use, as far as that can be told before it is made.

use super::UsedTokens;
use crate::model::{Piece, Request, Tool};

/// Bytes of text that make a token.
const BYTES_PER_TOKEN: u64 = 4;
/// What a picture comes to with most providers.
const PICTURE: u64 = 1500;
/// What a tool comes to, with its schema.
const TOOL: u64 = 200;
/// What an answer usually comes to.
const ANSWER: u64 = 500;

/// What is read and written, if it is like the last call of the conversation or else as much as the request says.
pub(super) fn tokens(request: &Request, last: u64) -> UsedTokens {
    let words = |text: &str| text.len() as u64 / BYTES_PER_TOKEN;
    let said: u64 = request.messages.iter().flat_map(|message| &message.pieces).map(size).sum();
    let tools = request.tools.iter().filter(|tool| matches!(tool, Tool::Function { .. })).count() as u64;
    let input = words(&request.system) + said + tools * TOOL;
    let output = ANSWER.min(u64::from(request.max_output));
    UsedTokens { input: input.max(last.saturating_sub(output)), output, ..UsedTokens::default() }
}

fn size(piece: &Piece) -> u64 {
    match piece {
        Piece::Text { text } | Piece::Thought { text, .. } => text.len() as u64 / BYTES_PER_TOKEN,
        Piece::Picture(_) => PICTURE,
        Piece::Call(_) => TOOL,
        Piece::Outcome { pieces, .. } => pieces.iter().map(size).sum(),
    }
}
