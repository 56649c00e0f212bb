//! Answers as Google writes them.

use serde_json::{Value, json};

use super::super::{StreamFrame, WireAnswer, weigh};
use super::signature;
use crate::mind::SpokenCall;

/// The answer in one piece.
pub(super) fn whole(answer: &WireAnswer) -> Value {
    response(answer, &parts(answer), Some("STOP"))
}

/// The answer as chunks, each a response of its own. The last one says why it ends and what was used.
pub(super) fn stream(answer: &WireAnswer) -> Vec<StreamFrame> {
    let pieces: Vec<Value> = parts(answer).iter().flat_map(cut).collect();
    let Some((last, before)) = pieces.split_last() else {
        return vec![frame(&response(answer, &[json!({ "text": "" })], Some("STOP")))];
    };
    let chunks = before.iter().map(|part| frame(&response(answer, std::slice::from_ref(part), None)));
    chunks.chain([frame(&response(answer, std::slice::from_ref(last), Some("STOP")))]).collect()
}

fn frame(response: &Value) -> StreamFrame {
    StreamFrame { event: None, data: response.to_string() }
}

fn response(answer: &WireAnswer, parts: &[Value], finish: Option<&str>) -> Value {
    let mut candidate = json!({ "content": { "parts": parts, "role": "model" }, "index": 0 });
    if let Some(finish) = finish {
        candidate["finishReason"] = finish.into();
    }
    let mut response = json!({ "candidates": [candidate], "modelVersion": answer.model, "responseId": answer.id });
    if finish.is_some() {
        response["usageMetadata"] = usage(answer);
    }
    response
}

/// Here the prompt includes what came from the cache, and thoughts are counted apart.
fn usage(answer: &WireAnswer) -> Value {
    let tokens = answer.tokens;
    let thought = thought(answer).map_or(0, |thought| weigh::tokens(thought.len())).min(tokens.output);
    let mut usage = json!({
        "promptTokenCount": tokens.input,
        "candidatesTokenCount": tokens.output - thought,
        "totalTokenCount": tokens.input + tokens.output,
    });
    // Counts of nothing are left out.
    for (key, count) in [("cachedContentTokenCount", tokens.cached), ("thoughtsTokenCount", thought)] {
        if count > 0 {
            usage[key] = count.into();
        }
    }
    usage
}

fn thought(answer: &WireAnswer) -> Option<&str> {
    answer.say.thought.as_deref().filter(|thought| answer.thoughts && !thought.is_empty())
}

fn parts(answer: &WireAnswer) -> Vec<Value> {
    let thought = thought(answer).map(|thought| json!({ "text": thought, "thought": true }));
    let text = answer.say.text.as_ref().filter(|text| !text.is_empty()).map(|text| json!({ "text": text }));
    let calls = answer.say.calls.iter().enumerate().map(|(idx, call)| {
        let (name, args) = called(call);
        let id = format!("{}-{idx}", answer.id);
        let mut part = json!({ "functionCall": { "id": id, "name": name, "args": args } });
        // Of several calls at once only the first is signed.
        if idx == 0 {
            part["thoughtSignature"] = signature(&id, &name).into();
        }
        part
    });
    thought.into_iter().chain(text).chain(calls).collect()
}

fn called(call: &SpokenCall) -> (String, Value) {
    match call {
        SpokenCall::Function { name, arguments } => (name.clone(), arguments.clone()),
        SpokenCall::Native(native) => {
            let args = native.get("args").or_else(|| native.get("arguments"));
            let name = native["name"].as_str().unwrap_or_default();
            (name.to_owned(), args.cloned().unwrap_or_else(|| json!({})))
        }
    }
}

/// A part of words in two pieces; calls come whole.
fn cut(part: &Value) -> Vec<Value> {
    let Some(text) = part["text"].as_str() else { return vec![part.clone()] };
    let (first, second) = weigh::halves(text);
    let pieces = [first, second].into_iter().filter(|piece| !piece.is_empty());
    let piece = |piece: &str| {
        let mut part = part.clone();
        part["text"] = piece.into();
        part
    };
    pieces.map(piece).collect()
}
