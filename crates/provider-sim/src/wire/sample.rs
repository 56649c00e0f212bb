//! What the tests of the wire formats have in common.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use super::{BilledTokens, WireAnswer};
use crate::asked::{ReadRequest, SaidMessage, SaidPiece};
use crate::mind::{MindReply, SpokenCall};

/// The beginning of a PNG file, which is all that is looked at, in base 64.
pub(super) fn png(across: u32, down: u32) -> String {
    let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    bytes.extend(across.to_be_bytes());
    bytes.extend(down.to_be_bytes());
    STANDARD.encode(bytes)
}

/// An answer that has a bit of everything.
pub(super) fn answer(native: Value) -> WireAnswer {
    let ending = SpokenCall::Function { name: "done".to_owned(), arguments: json!({}) };
    WireAnswer {
        id: "a1".to_owned(),
        model: "sim-1".to_owned(),
        say: MindReply {
            thought: Some("The button is left.".to_owned()),
            text: Some("Grüße".to_owned()),
            calls: vec![SpokenCall::Native(native), ending],
        },
        thoughts: true,
        tokens: BilledTokens { input: 100, cached: 60, cache_write: 10, output: 20 },
    }
}

/// A request with this in this place: null takes away.
pub(super) fn with(body: &Value, place: &str, value: Value) -> Value {
    let mut body = body.clone();
    let (parent, key) = place.rsplit_once('/').unwrap();
    match body.pointer_mut(parent).unwrap() {
        Value::Object(fields) if value.is_null() => drop(fields.remove(key)),
        Value::Object(fields) => drop(fields.insert(key.to_owned(), value)),
        Value::Array(values) => values[key.parse::<usize>().unwrap()] = value,
        _ => panic!("{place}"),
    }
    body
}

/// A request with something odd in every place of it, one at a time.
pub(super) fn spoilt(body: &Value) -> Vec<Value> {
    let odd = [json!(null), json!(7), json!("odd"), json!([]), json!([7]), json!({}), json!({ "odd": [] })];
    let places = places(body);
    places.iter().flat_map(|place| odd.iter().map(|odd| with(body, place, odd.clone()))).collect()
}

/// Where values stand in this one.
fn places(value: &Value) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(values) => values.iter().enumerate().map(|(idx, value)| (idx.to_string(), value)).collect(),
        _ => Vec::new(),
    };
    let below = inner.iter().flat_map(|(key, value)| {
        let deeper = places(value).into_iter().map(move |place| format!("/{key}{place}"));
        std::iter::once(format!("/{key}")).chain(deeper)
    });
    below.collect()
}

/// What was read, one line each.
pub(super) fn told(asked: &ReadRequest) -> String {
    let functions: Vec<&str> = asked.functions.iter().map(|function| function.name.as_str()).collect();
    let mut lines = vec![
        format!("system {:?}, functions {functions:?}, computer {:?}", asked.system, asked.computer),
        format!(
            "must call {}, one call {}, thoughts {}, at most {}",
            asked.must_call, asked.one_call, asked.thoughts, asked.max_output
        ),
    ];
    lines.extend(asked.said.iter().map(line));
    lines.join("\n")
}

fn line(said: &SaidMessage) -> String {
    let who = if said.by_model { "model" } else { "user" };
    let what = match &said.what {
        SaidPiece::Text(text) => format!("says {text:?}"),
        SaidPiece::Picture((across, down)) => format!("shows {across} x {down}"),
        SaidPiece::Call { id, name, input } => format!("calls {name} {input} as {id}"),
        SaidPiece::Outcome { id } => format!("tells what came of {id}"),
        SaidPiece::Thought => "thought".to_owned(),
    };
    let mark = if said.breakpoint { ", kept" } else { "" };
    format!("{who} {what}, {} tokens{mark}", said.tokens)
}
