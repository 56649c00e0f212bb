//! Chat messages with image parts, as the chat completion interfaces take them.

use serde_json::{Value, json};

use super::PictureLink;
use super::prose::{ProsePiece, before_reply};
use crate::run::AttemptRecord;

/// One trial as `{"messages": [...]}`: what was shown is the user's, what was said is the assistant's.
pub fn messages(record: &AttemptRecord, link: &PictureLink<'_>) -> Value {
    let briefing = record.briefing();
    let mut messages = Vec::new();
    for (step_idx, step) in record.steps().iter().enumerate() {
        let parts: Vec<Value> =
            before_reply(briefing, step_idx, &step.shown).iter().map(|piece| part(piece, link)).collect();
        messages.push(json!({"role": "user", "content": parts}));
        messages.push(json!({"role": "assistant", "content": step.reply.raw}));
    }
    json!({"messages": messages})
}

/// A piece as a part of a message.
pub(crate) fn part(piece: &ProsePiece, link: &PictureLink<'_>) -> Value {
    match piece {
        ProsePiece::Text(text) => json!({"type": "text", "text": text}),
        ProsePiece::Picture(digest) => json!({"type": "image_url", "image_url": {"url": link(*digest)}}),
    }
}
