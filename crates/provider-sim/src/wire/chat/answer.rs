//! An answer in one piece, and the same in chunks.

use serde_json::{Value, json};

use crate::mind::SpokenCall;
use crate::wire::openai::{self, pieces};
use crate::wire::{StreamFrame, WireAnswer};

/// An answer in one piece.
pub(super) fn whole(answer: &WireAnswer) -> Value {
    let mut message = json!({ "role": "assistant", "content": answer.say.text, "refusal": null });
    if let Some(thought) = thought(answer) {
        message["reasoning_content"] = json!(thought);
    }
    let calls: Vec<Value> = calls(answer).map(|call| call.whole()).collect();
    if !calls.is_empty() {
        message["tool_calls"] = json!(calls);
    }
    let choice = json!({ "index": 0, "message": message, "logprobs": null, "finish_reason": finish(answer) });
    json!({
        "id": answer.id,
        "object": "chat.completion",
        "created": openai::now(),
        "model": answer.model,
        "choices": [choice],
        "usage": usage(answer),
    })
}

/// The same in chunks, with the usage in one of its own and the word that ends it all.
pub(super) fn stream(answer: &WireAnswer) -> Vec<StreamFrame> {
    let created = openai::now();
    let chunk = |choices: Value, usage: Value| {
        let chunk = json!({
            "id": answer.id,
            "object": "chat.completion.chunk",
            "created": created,
            "model": answer.model,
            "choices": choices,
            "usage": usage,
        });
        StreamFrame { event: None, data: chunk.to_string() }
    };
    let delta = |delta: &Value, finish: Value| {
        let choice = json!({ "index": 0, "delta": delta, "logprobs": null, "finish_reason": finish });
        chunk(json!([choice]), Value::Null)
    };
    let mut frames: Vec<StreamFrame> = deltas(answer).iter().map(|value| delta(value, Value::Null)).collect();
    frames.push(delta(&json!({}), json!(finish(answer))));
    frames.push(chunk(json!([]), usage(answer)));
    frames.push(StreamFrame { event: None, data: "[DONE]".to_owned() });
    frames
}

/// What each chunk adds.
fn deltas(answer: &WireAnswer) -> Vec<Value> {
    let mut deltas = vec![json!({ "role": "assistant", "content": "" })];
    let thought = thought(answer).unwrap_or_default();
    deltas.extend(pieces(thought).into_iter().map(|piece| json!({ "reasoning_content": piece })));
    let text = answer.say.text.as_deref().unwrap_or_default();
    deltas.extend(pieces(text).into_iter().map(|piece| json!({ "content": piece })));
    for (idx, call) in calls(answer).enumerate() {
        let mut first = WrittenCall { arguments: String::new(), ..call.clone() }.whole();
        first["index"] = json!(idx);
        deltas.push(json!({ "tool_calls": [first] }));
        let more = |piece| json!({ "tool_calls": [{ "index": idx, "function": { "arguments": piece } }] });
        deltas.extend(pieces(&call.arguments).into_iter().map(more));
    }
    deltas
}

/// A call as it is written.
#[derive(Clone, Debug)]
struct WrittenCall {
    id: String,
    name: String,
    arguments: String,
}

impl WrittenCall {
    fn whole(&self) -> Value {
        let Self { id, name, arguments } = self;
        json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
    }
}

/// The calls. There is no computer tool in this format, so a native call is one of a function by that name.
fn calls(answer: &WireAnswer) -> impl Iterator<Item = WrittenCall> {
    answer.say.calls.iter().enumerate().map(|(idx, spoken)| {
        let (name, arguments) = match spoken {
            SpokenCall::Function { name, arguments } => (name.as_str(), arguments),
            SpokenCall::Native(input) => ("computer", input),
        };
        WrittenCall { id: format!("call_{}_{idx}", answer.id), name: name.to_owned(), arguments: arguments.to_string() }
    })
}

fn thought(answer: &WireAnswer) -> Option<&str> {
    answer.say.thought.as_deref().filter(|_| answer.thoughts)
}

fn finish(answer: &WireAnswer) -> &'static str {
    if answer.say.calls.is_empty() { "stop" } else { "tool_calls" }
}

fn usage(answer: &WireAnswer) -> Value {
    let tokens = answer.tokens;
    json!({
        "prompt_tokens": tokens.input,
        "completion_tokens": tokens.output,
        "total_tokens": tokens.input + tokens.output,
        "prompt_tokens_details": { "cached_tokens": tokens.cached },
    })
}
