//! An answer as the items it consists of.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

use crate::mind::SpokenCall;
use crate::wire::{WireAnswer, weigh};

/// Whether this is a seal of ours.
pub(super) fn is_seal(text: &str) -> bool {
    STANDARD.decode(text).is_ok_and(|bytes| bytes.starts_with(b"sim:"))
}

/// The items of an answer: thought, words and calls, in this order.
pub(super) fn items(answer: &WireAnswer) -> Vec<Value> {
    let id = &answer.id;
    let mut items = Vec::new();
    if let Some(thought) = thought(answer) {
        let summary = json!([{ "type": "summary_text", "text": thought }]);
        let seal = weigh::sign(thought);
        items.push(
            json!({ "id": format!("rs_{id}"), "type": "reasoning", "summary": summary, "encrypted_content": seal }),
        );
    }
    // An answer without anything is a message without words.
    let text =
        answer.say.text.as_deref().or_else(|| items.is_empty().then_some("").filter(|_| answer.say.calls.is_empty()));
    if let Some(text) = text {
        let content = json!([{ "type": "output_text", "text": text, "annotations": [], "logprobs": [] }]);
        items.push(json!({
            "id": format!("msg_{id}"), "type": "message", "status": "completed", "role": "assistant", "content": content,
        }));
    }
    items.extend(calls(answer));
    items
}

/// The thought, where it is to be told.
pub(super) fn thought(answer: &WireAnswer) -> Option<&str> {
    answer.say.thought.as_deref().filter(|_| answer.thoughts)
}

/// The calls. Things done to the computer one after the other are one call.
fn calls(answer: &WireAnswer) -> Vec<Value> {
    let together = |a: &SpokenCall, b: &SpokenCall| matches!((a, b), (SpokenCall::Native(_), SpokenCall::Native(_)));
    let groups = answer.say.calls.chunk_by(together).enumerate();
    groups.map(|(idx, group)| call(answer, idx, group)).collect()
}

fn call(answer: &WireAnswer, idx: usize, group: &[SpokenCall]) -> Value {
    let id = &answer.id;
    let call_id = format!("call_{id}_{idx}");
    if let [SpokenCall::Function { name, arguments }] = group {
        let mut item = json!({
            "id": format!("fc_{id}_{idx}"), "type": "function_call", "status": "completed", "call_id": call_id,
            "name": name, "arguments": arguments.to_string(),
        });
        if let Some((namespace, name)) = name.rsplit_once('.') {
            (item["namespace"], item["name"]) = (json!(namespace), json!(name));
        }
        return item;
    }
    let actions: Vec<&Value> = group.iter().flat_map(actions).collect();
    json!({
        "id": format!("cu_{id}_{idx}"), "type": "computer_call", "status": "completed", "call_id": call_id,
        "pending_safety_checks": [], "actions": actions,
    })
}

/// The actions in what a mind said: one, or a list of them.
fn actions(spoken: &SpokenCall) -> &[Value] {
    match spoken {
        SpokenCall::Native(Value::Array(actions)) => actions,
        SpokenCall::Native(action) | SpokenCall::Function { arguments: action, .. } => std::slice::from_ref(action),
    }
}
