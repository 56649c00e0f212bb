//! From a request to a body of the `generateContent` format.

use quintain_core::action::Dialect;
use serde_json::{Map, Value, json};

use super::generation::GoogleGeneration;
use crate::model::{EncodedImage, Message, MessageRole, ModelCard, Piece, Request, Tool, ToolCall};
use crate::providers::body::{self, WireBody};
use crate::providers::codec::calls::{self, CallIds};
use crate::providers::codec::{WireRequest, read, wire_name};

/// What stands for the address of the page, which the provider wants with every screen and which a world may not tell.
const NO_ADDRESS: &str = "about:blank";

pub(super) fn wire(card: &ModelCard, request: &Request) -> WireRequest {
    let name = wire_name(card);
    let generation = GoogleGeneration::of(name);
    let writer =
        GoogleWriter { calls: CallIds::of(&request.messages), returns_pictures: generation.returns_pictures() };
    let contents: Vec<Value> = request.messages.iter().filter_map(|message| writer.content(message)).collect();
    let mut config = json!({"maxOutputTokens": request.max_output});
    if let Some(thinking) = generation.thinking(request.effort, request.max_output) {
        config["thinkingConfig"] = thinking;
    }
    let mut body = json!({"contents": contents, "generationConfig": config});
    if !request.system.trim().is_empty() {
        body["systemInstruction"] = json!({"parts": [{"text": request.system}]});
    }
    if !request.tools.is_empty() {
        body["tools"] = tools(&request.tools, card.computer);
    }
    // With computer use a call cannot be asked for: the functions it brings along are not ours to name.
    let has_computer = request.tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
    if request.must_call && !has_computer && !request.tools.is_empty() {
        body["toolConfig"] = json!({"functionCallingConfig": {"mode": "ANY"}});
    }
    let path = format!("/v1beta/models/{name}:streamGenerateContent?alt=sse");
    WireRequest { path, headers: Vec::new(), body: WireBody::new(body, request) }
}

fn tools(tools: &[Tool], dialect: Option<Dialect>) -> Value {
    let declared: Vec<Value> = tools.iter().filter_map(declaration).collect();
    let computer = tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
    let computer = computer.then(|| json!({ "computerUse": computer_use(tools, dialect) }));
    let declared = (!declared.is_empty()).then(|| json!({"functionDeclarations": declared}));
    computer.into_iter().chain(declared).collect()
}

/// The computer, without those of its functions in whose place a world declares its own: no name is there twice.
fn computer_use(tools: &[Tool], dialect: Option<Dialect>) -> Value {
    let predefined = dialect.map(Dialect::functions).unwrap_or_default();
    let excluded: Vec<&str> =
        tools.iter().filter_map(crate::tools::name).filter(|name| predefined.contains(name)).collect();
    let mut computer = json!({"environment": "ENVIRONMENT_BROWSER"});
    if !excluded.is_empty() {
        computer["excludedPredefinedFunctions"] = json!(excluded);
    }
    computer
}

fn declaration(tool: &Tool) -> Option<Value> {
    match tool {
        Tool::Function { name, about, schema } => {
            Some(json!({"name": name, "description": about, "parametersJsonSchema": body::schema_mark(schema)}))
        }
        Tool::Computer { .. } => None,
    }
}

struct GoogleWriter<'a> {
    calls: CallIds<'a>,
    returns_pictures: bool,
}

impl GoogleWriter<'_> {
    /// A message; nothing where it would be empty. What functions returned comes first in it.
    fn content(&self, message: &Message) -> Option<Value> {
        let (role, parts) = match message.role {
            MessageRole::User => ("user", self.of_user(&message.pieces)),
            MessageRole::Assistant => ("model", message.pieces.iter().filter_map(of_model).collect()),
        };
        (!parts.is_empty()).then(|| json!({"role": role, "parts": parts}))
    }

    fn of_user(&self, pieces: &[Piece]) -> Vec<Value> {
        let mut returned = Vec::new();
        let mut rest = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Outcome { id, name, pieces, is_error } => {
                    returned.push(self.returned(id, name, pieces, *is_error));
                    let apart = if self.returns_pictures { Vec::new() } else { calls::pictures(pieces) };
                    rest.extend(apart.into_iter().map(picture));
                }
                Piece::Text { text } if !text.trim().is_empty() => rest.push(json!({"text": text})),
                Piece::Picture(image) => rest.push(picture(image)),
                Piece::Text { .. } | Piece::Thought { .. } | Piece::Call(_) => {}
            }
        }
        returned.append(&mut rest);
        returned
    }

    fn returned(&self, id: &str, name: &str, pieces: &[Piece], is_error: bool) -> Value {
        let call = self.calls.get(id);
        let mut returned = json!({"name": name, "response": response(call, pieces, is_error)});
        if let Some(id) = call.and_then(|call| call.opaque.as_ref()?.pointer("/functionCall/id")) {
            returned["id"] = id.clone();
        }
        let pictures: Vec<Value> = calls::pictures(pieces).into_iter().map(picture).collect();
        if self.returns_pictures && !pictures.is_empty() {
            returned["parts"] = Value::Array(pictures);
        }
        json!({ "functionResponse": returned })
    }
}

/// What a function returned, and for an action of computer use what the provider wants besides.
fn response(call: Option<&ToolCall>, pieces: &[Piece], is_error: bool) -> Value {
    let mut response = Map::new();
    let words = calls::words(pieces).join("\n");
    if !words.is_empty() {
        response.insert(if is_error { "error" } else { "output" }.to_owned(), Value::String(words));
    }
    if let Some(call) = call.filter(|call| call.native.is_some()) {
        response.insert("url".to_owned(), json!(NO_ADDRESS));
        if read::text(&call.input, "/safety_decision/decision") == "require_confirmation" {
            response.insert("safety_acknowledgement".to_owned(), json!("true"));
        }
    }
    Value::Object(response)
}

/// The model's own parts, as they came where they are signed.
fn of_model(piece: &Piece) -> Option<Value> {
    match piece {
        Piece::Text { text } => (!text.is_empty()).then(|| json!({"text": text})),
        Piece::Thought { opaque, .. } => opaque.clone().filter(|part| part.get("thoughtSignature").is_some()),
        Piece::Call(call) => {
            let kept = call.opaque.clone().filter(|part| part.get("functionCall").is_some());
            let made = || json!({"functionCall": {"name": call.name, "args": read::object(&call.input)}});
            Some(kept.unwrap_or_else(made))
        }
        Piece::Picture(_) | Piece::Outcome { .. } => None,
    }
}

fn picture(image: &EncodedImage) -> Value {
    json!({"inlineData": {"mimeType": "image/png", "data": body::mark(image)}})
}
