//! What an outcome answers, and what it is made of.

use std::collections::HashMap;

use crate::model::{EncodedImage, Message, Piece, ToolCall};
use crate::providers::body;

/// The calls of a conversation by their ids.
pub(in crate::providers) struct CallIds<'a>(HashMap<&'a str, &'a ToolCall>);

impl<'a> CallIds<'a> {
    /// All that the messages hold.
    pub(in crate::providers) fn of(messages: &'a [Message]) -> Self {
        Self(messages.iter().flat_map(Message::calls).map(|call| (call.id.as_str(), call)).collect())
    }

    /// The call of this id.
    pub(in crate::providers) fn get(&self, id: &str) -> Option<&'a ToolCall> {
        self.0.get(id).copied()
    }
}

/// The words in some pieces, one paragraph each, blank ones left out.
pub(in crate::providers) fn words(pieces: &[Piece]) -> Vec<&str> {
    let texts = pieces.iter().filter_map(|piece| match piece {
        Piece::Text { text } => Some(text.as_str()),
        _ => None,
    });
    texts.filter(|text| !text.trim().is_empty()).collect()
}

/// The pictures in some pieces.
pub(in crate::providers) fn pictures(pieces: &[Piece]) -> Vec<&EncodedImage> {
    let pictures = pieces.iter().filter_map(|piece| match piece {
        Piece::Picture(image) => Some(image),
        _ => None,
    });
    pictures.collect()
}

/// The words of an outcome as one text, for formats that have no field for failures.
pub(in crate::providers) fn report(pieces: &[Piece], is_error: bool) -> String {
    let said = words(pieces).join("\n");
    if is_error { format!("Error: {said}") } else { said }
}

/// A picture as a data URL, by its mark.
pub(in crate::providers) fn data_url(image: &EncodedImage) -> String {
    format!("data:image/png;base64,{}", body::mark(image))
}
