//! Places in words: where they stand in a call, and what takes their place.

use quintain_models::model::{Message, Piece, ToolCall};
use serde_json::{Value, json};

/// The names of a place in words, and of the numbers that replace it.
const NAMES: [(&str, &str, &str); 3] = [("target", "x", "y"), ("from_target", "x1", "y1"), ("to_target", "x2", "y2")];

/// The places that a call names in words.
pub(in crate::loops) fn of(call: &ToolCall) -> impl Iterator<Item = String> {
    NAMES.into_iter().filter_map(|(name, ..)| call.input.get(name)?.as_str().map(str::to_owned))
}

/// The call with points in place of words, as far as there are points for them.
pub(in crate::loops) fn with_points(call: &ToolCall, point: impl Fn(&str) -> Option<(f64, f64)>) -> ToolCall {
    let mut call = call.clone();
    let Value::Object(fields) = &mut call.input else { return call };
    for (name, x, y) in NAMES {
        let Some(at) = fields.get(name).and_then(Value::as_str).and_then(&point) else { continue };
        fields.remove(name);
        fields.insert(x.to_owned(), json!(at.0));
        fields.insert(y.to_owned(), json!(at.1));
    }
    call
}

/// The message with some point for every place, so that it can be told whether its calls can be read.
pub(in crate::loops) fn with_stand_ins(message: &Message) -> Message {
    let piece = |piece: &Piece| match piece {
        Piece::Call(call) => Piece::Call(with_points(call, |_target| Some((0.0, 0.0)))),
        other => other.clone(),
    };
    Message { role: message.role, pieces: message.pieces.iter().map(piece).collect() }
}
