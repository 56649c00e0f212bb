//! How pieces of a request are told apart and weighed, whatever the wire format.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::asked::{SaidMessage, SaidPiece};

/// How many tokens so many bytes of text are taken for.
pub(super) fn tokens(n_bytes: usize) -> u64 {
    (n_bytes as u64).div_ceil(4)
}

/// A fingerprint that is the same in every process.
pub(super) fn print(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Words, weighed.
pub(super) fn words(text: &str) -> SaidMessage {
    said(SaidPiece::Text(text.to_owned()), tokens(text.len()), print(text))
}

/// A picture of this size, weighed, known by its data.
pub(super) fn picture(size: (u32, u32), data: &str) -> SaidMessage {
    let tokens = (u64::from(size.0) * u64::from(size.1)).div_ceil(750);
    said(SaidPiece::Picture(size), tokens, print(data))
}

/// A call by the model, weighed.
pub(super) fn call(id: &str, name: &str, input: &Value) -> SaidMessage {
    let written = input.to_string();
    let what = SaidPiece::Call { id: id.to_owned(), name: name.to_owned(), input: input.clone() };
    by_model(said(what, tokens(name.len() + written.len()), print(&format!("{id} {name} {written}"))))
}

/// The head of what came of a call; what it says follows.
pub(super) fn outcome(id: &str) -> SaidMessage {
    said(SaidPiece::Outcome { id: id.to_owned() }, 1, print(id))
}

/// A thought that is handed back, weighed.
pub(super) fn thought(text: &str) -> SaidMessage {
    by_model(said(SaidPiece::Thought, tokens(text.len()), print(text)))
}

/// The same, said by the model.
pub(super) fn by_model(said: SaidMessage) -> SaidMessage {
    SaidMessage { by_model: true, ..said }
}

fn said(what: SaidPiece, tokens: u64, print: u64) -> SaidMessage {
    SaidMessage { by_model: false, what, breakpoint: false, tokens, print }
}

/// The first field that is none of these.
pub(super) fn stranger<'a>(value: &'a Value, known: &[&str]) -> Option<&'a str> {
    value.as_object()?.keys().map(String::as_str).find(|key| !known.contains(key))
}

/// A signature that only this provider gives, over this text.
pub(super) fn sign(text: &str) -> String {
    STANDARD.encode(format!("sim:{:016x}", print(&format!("signed {text}"))))
}

/// Text in two pieces, as streams cut it.
pub(super) fn halves(text: &str) -> (&str, &str) {
    let middle = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.split_at(middle)
}
