//! From a request to a body of the Chat Completions format.

use serde_json::{Value, json};

use crate::model::{EncodedImage, Message, MessageRole, ModelCard, Piece, Request, Tool};
use crate::providers::body::{self, WireBody};
use crate::providers::codec::{WireRequest, calls, wire_name};
use crate::providers::responses::reasoner;

pub(super) fn wire(card: &ModelCard, request: &Request) -> WireRequest {
    let name = wire_name(card);
    let system = (!request.system.trim().is_empty()).then(|| json!({"role": "system", "content": request.system}));
    let messages: Vec<Value> = system.into_iter().chain(request.messages.iter().flat_map(message)).collect();
    let mut body = json!({
        "model": name,
        "messages": messages,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    // Compatible servers know the old name, OpenAI's own reasoning models only the new one.
    let limit = if reasoner::is(name) { "max_completion_tokens" } else { "max_tokens" };
    body[limit] = json!(request.max_output);
    let tools: Vec<Value> = request.tools.iter().filter_map(tool).collect();
    if !tools.is_empty() {
        body["tools"] = Value::Array(tools);
        body["tool_choice"] = json!(if request.must_call { "required" } else { "auto" });
        body["parallel_tool_calls"] = json!(false);
    }
    if let Some(effort) = request.effort.filter(|_| !reasoner::is_not(name)) {
        body["reasoning_effort"] = json!(reasoner::effort(name, effort));
    }
    let body = WireBody::new(body, request);
    WireRequest { path: "/v1/chat/completions".to_owned(), headers: Vec::new(), body }
}

fn tool(tool: &Tool) -> Option<Value> {
    match tool {
        Tool::Function { name, about, schema } => Some(json!({
            "type": "function",
            "function": {"name": name, "description": about, "parameters": body::schema_mark(schema)},
        })),
        Tool::Computer { .. } => None,
    }
}

fn message(message: &Message) -> Vec<Value> {
    match message.role {
        MessageRole::User => of_user(&message.pieces),
        MessageRole::Assistant => of_assistant(message).into_iter().collect(),
    }
}

/// What tools returned, each as a message of its own, then one with the pictures among it and the rest.
fn of_user(pieces: &[Piece]) -> Vec<Value> {
    let mut messages = Vec::new();
    let mut content = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Outcome { id, pieces, is_error, .. } => {
                let report = calls::report(pieces, *is_error);
                messages.push(json!({"role": "tool", "tool_call_id": id, "content": report}));
                content.extend(calls::pictures(pieces).into_iter().map(picture));
            }
            Piece::Text { text } if !text.trim().is_empty() => content.push(json!({"type": "text", "text": text})),
            Piece::Picture(image) => content.push(picture(image)),
            Piece::Text { .. } | Piece::Thought { .. } | Piece::Call(_) => {}
        }
    }
    match &content[..] {
        [] => {}
        [only] if only["type"] == "text" => messages.push(json!({"role": "user", "content": only["text"]})),
        _ => messages.push(json!({"role": "user", "content": content})),
    }
    messages
}

fn of_assistant(message: &Message) -> Option<Value> {
    let text = message.text();
    let calls: Vec<Value> = message
        .calls()
        .map(|call| {
            let arguments = call.input.as_str().map_or_else(|| call.input.to_string(), str::to_owned);
            json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": arguments}})
        })
        .collect();
    if text.is_empty() && calls.is_empty() {
        return None;
    }
    let mut written = json!({"role": "assistant", "content": if text.is_empty() { Value::Null } else { json!(text) }});
    if !calls.is_empty() {
        written["tool_calls"] = Value::Array(calls);
    }
    for piece in &message.pieces {
        let Piece::Thought { opaque: Some(Value::Object(fields)), .. } = piece else { continue };
        fields.iter().for_each(|(name, thought)| written[name] = thought.clone());
    }
    Some(written)
}

fn picture(image: &EncodedImage) -> Value {
    json!({"type": "image_url", "image_url": {"url": calls::data_url(image)}})
}
