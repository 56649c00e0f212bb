//! An answer as the events of a stream.

use serde_json::{Value, json};

use super::items::items;
use super::whole;
use crate::wire::openai::pieces;
use crate::wire::{StreamFrame, WireAnswer};

/// All events of an answer.
pub(super) fn stream(answer: &WireAnswer) -> Vec<StreamFrame> {
    let mut events = ResponseEvents::default();
    events.push("response.created", json!({ "response": whole(answer, "in_progress") }));
    events.push("response.in_progress", json!({ "response": whole(answer, "in_progress") }));
    for (idx, item) in items(answer).iter().enumerate() {
        events.item(idx, item);
    }
    events.push("response.completed", json!({ "response": whole(answer, "completed") }));
    events.frames
}

#[derive(Default)]
struct ResponseEvents {
    frames: Vec<StreamFrame>,
}

/// How a text inside an item is told: what its events are called, and where it stands.
struct TextEvents<'a> {
    added: Option<&'static str>,
    delta: &'static str,
    done: &'static str,
    parted: Option<&'static str>,
    /// What the closing event calls the text.
    field: &'static str,
    place: Value,
    part: Value,
    text: &'a str,
}

impl ResponseEvents {
    fn push(&mut self, event: &'static str, mut data: Value) {
        data["type"] = json!(event);
        if event.starts_with("response.output_text.") {
            data["logprobs"] = json!([]); // None are offered; the package `openai` wants the list (`ResponseTextDeltaEvent`).
        }
        data["sequence_number"] = json!(self.frames.len());
        self.frames.push(StreamFrame { event: Some(event), data: data.to_string() });
    }

    fn item(&mut self, idx: usize, item: &Value) {
        let telling = telling(idx, item);
        self.push("response.output_item.added", json!({ "output_index": idx, "item": begun(item) }));
        if let Some(telling) = telling {
            self.tell(&telling);
        }
        self.push("response.output_item.done", json!({ "output_index": idx, "item": item }));
    }

    fn tell(&mut self, telling: &TextEvents) {
        let at = |name: &str, value: Value| {
            let mut data = telling.place.clone();
            data[name] = value;
            data
        };
        if let Some(added) = telling.added {
            let mut part = telling.part.clone();
            part["text"] = json!("");
            self.push(added, at("part", part));
        }
        for piece in pieces(telling.text) {
            self.push(telling.delta, at("delta", json!(piece)));
        }
        self.push(telling.done, at(telling.field, json!(telling.text)));
        if let Some(parted) = telling.parted {
            self.push(parted, at("part", telling.part.clone()));
        }
    }
}

/// An item before anything of it has been told.
fn begun(item: &Value) -> Value {
    let mut begun = item.clone();
    let empty = match item["type"].as_str() {
        Some("reasoning") => ("summary", json!([])),
        Some("message") => ("content", json!([])),
        Some("function_call") => ("arguments", json!("")),
        _ => ("status", json!("in_progress")),
    };
    begun[empty.0] = empty.1;
    if begun.get("status").is_some() {
        begun["status"] = json!("in_progress");
    }
    begun
}

/// How the text of an item is told, if it has one.
fn telling(idx: usize, item: &Value) -> Option<TextEvents<'_>> {
    let place = |more: &str| {
        let mut place = json!({ "item_id": item["id"], "output_index": idx });
        if !more.is_empty() {
            place[more] = json!(0);
        }
        place
    };
    match item["type"].as_str()? {
        "reasoning" => Some(TextEvents {
            added: Some("response.reasoning_summary_part.added"),
            delta: "response.reasoning_summary_text.delta",
            done: "response.reasoning_summary_text.done",
            parted: Some("response.reasoning_summary_part.done"),
            field: "text",
            place: place("summary_index"),
            part: item["summary"][0].clone(),
            text: item["summary"][0]["text"].as_str()?,
        }),
        "message" => Some(TextEvents {
            added: Some("response.content_part.added"),
            delta: "response.output_text.delta",
            done: "response.output_text.done",
            parted: Some("response.content_part.done"),
            field: "text",
            place: place("content_index"),
            part: item["content"][0].clone(),
            text: item["content"][0]["text"].as_str()?,
        }),
        "function_call" => Some(TextEvents {
            added: None,
            delta: "response.function_call_arguments.delta",
            done: "response.function_call_arguments.done",
            parted: None,
            field: "arguments",
            place: place(""),
            part: Value::Null,
            text: item["arguments"].as_str()?,
        }),
        _ => None,
    }
}
