//! Answers as Anthropic writes them.

use serde_json::{Value, json};

use super::super::{BilledTokens, StreamFrame, WireAnswer, weigh};
use super::ComputerForm;
use crate::mind::SpokenCall;

/// The answer in one piece.
pub(super) fn whole(answer: &WireAnswer, form: ComputerForm) -> Value {
    let mut message = message(answer, answer.tokens.output);
    message["content"] = blocks(answer, form).into();
    message["stop_reason"] = stop_reason(answer).into();
    message
}

/// The answer as events.
pub(super) fn stream(answer: &WireAnswer, form: ComputerForm) -> Vec<StreamFrame> {
    let begun = message(answer, answer.tokens.output.min(1));
    let mut frames = vec![frame("message_start", json!({ "message": begun })), frame("ping", json!({}))];
    for (index, block) in blocks(answer, form).iter().enumerate() {
        let (start, deltas) = taken_apart(block);
        frames.push(frame("content_block_start", json!({ "index": index, "content_block": start })));
        let told = deltas.into_iter().map(|delta| json!({ "index": index, "delta": delta }));
        frames.extend(told.map(|delta| frame("content_block_delta", delta)));
        frames.push(frame("content_block_stop", json!({ "index": index })));
    }
    let stop = json!({ "stop_reason": stop_reason(answer), "stop_sequence": null });
    let usage = usage(answer.tokens, answer.tokens.output);
    frames.push(frame("message_delta", json!({ "delta": stop, "usage": usage })));
    frames.push(frame("message_stop", json!({})));
    frames
}

/// The message before anything is in it.
fn message(answer: &WireAnswer, n_output: u64) -> Value {
    json!({
        "id": format!("msg_{}", tame(&answer.id)),
        "type": "message",
        "role": "assistant",
        "model": answer.model,
        "content": [],
        "stop_reason": null,
        "stop_sequence": null,
        "usage": usage(answer.tokens, n_output),
    })
}

/// Here `input_tokens` are only those that the cache has nothing to do with.
fn usage(tokens: BilledTokens, n_output: u64) -> Value {
    json!({
        "input_tokens": tokens.input.saturating_sub(tokens.cached + tokens.cache_write),
        "cache_creation_input_tokens": tokens.cache_write,
        "cache_read_input_tokens": tokens.cached,
        "output_tokens": n_output,
    })
}

fn stop_reason(answer: &WireAnswer) -> &'static str {
    if answer.say.calls.is_empty() { "end_turn" } else { "tool_use" }
}

fn blocks(answer: &WireAnswer, form: ComputerForm) -> Vec<Value> {
    let say = &answer.say;
    let thought = say.thought.as_ref().filter(|_| answer.thoughts);
    let thought = thought
        .map(|thought| json!({ "type": "thinking", "thinking": thought, "signature": weigh::sign(thought) }))
        .into_iter();
    let text = say.text.as_ref().filter(|text| !text.is_empty());
    let text = text.map(|text| json!({ "type": "text", "text": text }));
    let calls = say.calls.iter().enumerate().map(|(idx, call)| {
        let mut block = called(call, form);
        block["type"] = "tool_use".into();
        block["id"] = format!("toolu_{}_{idx}", tame(&answer.id)).into();
        block
    });
    thought.chain(text).chain(calls).collect()
}

/// Name and input of a call.
fn called(call: &SpokenCall, form: ComputerForm) -> Value {
    match call {
        SpokenCall::Function { name, arguments } => json!({ "name": name, "input": arguments }),
        SpokenCall::Native(input) if form == ComputerForm::Tool => json!({ "name": "computer", "input": input }),
        SpokenCall::Native(input) => {
            let mut input = input.clone();
            let action = input.as_object_mut().and_then(|input| input.remove("action")).unwrap_or_default();
            json!({ "toolset_name": "computer", "name": action, "input": input })
        }
    }
}

/// A block as a stream begins it, and what is added to it.
fn taken_apart(block: &Value) -> (Value, Vec<Value>) {
    let mut start = block.clone();
    let text = |key: &str| block[key].as_str().unwrap_or_default();
    match text("type") {
        "thinking" => {
            (start["thinking"], start["signature"]) = ("".into(), "".into());
            let mut deltas = cut("thinking_delta", "thinking", text("thinking"));
            deltas.push(json!({ "type": "signature_delta", "signature": block["signature"] }));
            (start, deltas)
        }
        "text" => {
            start["text"] = "".into();
            (start, cut("text_delta", "text", text("text")))
        }
        _ => {
            start["input"] = json!({});
            let mut deltas = vec![json!({ "type": "input_json_delta", "partial_json": "" })];
            deltas.extend(cut("input_json_delta", "partial_json", &block["input"].to_string()));
            (start, deltas)
        }
    }
}

/// A text in two deltas, or in one if it is too short for two.
fn cut(kind: &str, key: &str, text: &str) -> Vec<Value> {
    let (first, second) = weigh::halves(text);
    let pieces = [first, second].into_iter().filter(|piece| !piece.is_empty());
    pieces.map(|piece| json!({ "type": kind, key: piece })).collect()
}

/// An event, whose data says its name too.
fn frame(event: &'static str, mut data: Value) -> StreamFrame {
    data["type"] = event.into();
    StreamFrame { event: Some(event), data: data.to_string() }
}

/// An id without what ids may not have in them.
fn tame(id: &str) -> String {
    id.chars().map(|letter| if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' }).collect()
}
