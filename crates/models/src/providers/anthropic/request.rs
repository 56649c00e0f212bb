//! From a request to a body of the Messages format.

use quintain_core::agent::Effort;
use serde_json::{Value, json};

use super::generation::{AnthropicGeneration, ComputerVersion, Thinking};
use crate::model::{EncodedImage, Message, MessageRole, ModelCard, Piece, Request, Tool};
use crate::providers::body::{self, WireBody};
use crate::providers::codec::calls::{self, CallIds};
use crate::providers::codec::{WireRequest, read, wire_name};

const VERSION: &str = "2023-06-01";
const TOOLSET: &str = "computer_toolset_20260801";
const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";
const INTERLEAVED_BETA: &str = "interleaved-thinking-2025-05-14";

/// What is said of a call that failed and of which nothing is known: the format wants words.
const FAILED: &str = "It failed.";

/// The fewest tokens that can be set aside for thinking.
const MIN_BUDGET: u32 = 1024;

pub(super) fn wire(card: &ModelCard, request: &Request) -> WireRequest {
    let generation = AnthropicGeneration::of(wire_name(card));
    let thinking = thinking(&generation, request);
    let mut body = json!({
        "model": wire_name(card),
        "max_tokens": request.max_output,
        "stream": true,
        "messages": messages(&request.messages),
    });
    if !request.system.trim().is_empty() {
        body["system"] = json!([cached(json!({"type": "text", "text": request.system}))]);
    }
    if !request.tools.is_empty() {
        body["tools"] = tools(&generation, &request.tools);
        // A model that thinks cannot be made to call.
        let choice = if request.must_call && thinking.off { "any" } else { "auto" };
        body["tool_choice"] = json!({"type": choice, "disable_parallel_tool_use": true});
    }
    if let Some(thinking) = thinking.thinking {
        body["thinking"] = thinking;
    }
    if let Some(effort) = thinking.effort {
        body["output_config"] = json!({ "effort": effort });
    }
    let headers = headers(&generation, request, body.get("thinking"));
    WireRequest { path: "/v1/messages".to_owned(), headers, body: WireBody::new(body, request) }
}

fn headers(
    generation: &AnthropicGeneration,
    request: &Request,
    thinking: Option<&Value>,
) -> Vec<(&'static str, String)> {
    let wants_computer = request.tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
    let computer = match generation.computer() {
        ComputerVersion::Tool { beta, .. } if wants_computer => Some(beta),
        _ => None,
    };
    let has_budget = thinking.is_some_and(|thinking| thinking["type"] == "enabled");
    let interleaves = has_budget && generation.interleaves_on_request() && !request.tools.is_empty();
    let binds = thinking.is_some_and(|thinking| thinking.get("block_binding").is_some());
    let betas = [computer, interleaves.then_some(INTERLEAVED_BETA), binds.then_some(BINDING_BETA)];
    let betas = betas.into_iter().flatten().collect::<Vec<_>>().join(",");
    let version = ("anthropic-version", VERSION.to_owned());
    if betas.is_empty() { vec![version] } else { vec![version, ("anthropic-beta", betas)] }
}

/// What is said of thinking.
struct SpokenThoughts {
    thinking: Option<Value>,
    effort: Option<&'static str>,
    /// Whether the model does not think for sure.
    off: bool,
}

fn thinking(generation: &AnthropicGeneration, request: &Request) -> SpokenThoughts {
    let kind = generation.thinking();
    let level = request.effort.map(|effort| match effort {
        Effort::None | Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
    });
    match (kind, request.effort) {
        (Thinking::Budget, Some(effort)) => by_budget(effort, request.max_output),
        (Thinking::Budget | Thinking::OnRequest, None | Some(Effort::None)) => {
            SpokenThoughts { thinking: None, effort: None, off: true }
        }
        (Thinking::ByDefault, Some(Effort::None)) => {
            SpokenThoughts { thinking: Some(json!({"type": "disabled"})), effort: None, off: true }
        }
        _ => SpokenThoughts { thinking: Some(adaptive(generation)), effort: level, off: false },
    }
}

fn adaptive(generation: &AnthropicGeneration) -> Value {
    let mut thinking = json!({"type": "adaptive"});
    if generation.hides_thoughts() {
        thinking["display"] = json!("summarized");
    }
    if generation.binds_thoughts() {
        thinking["block_binding"] = json!({"prefix_mismatch_behavior": "drop_block"});
    }
    thinking
}

/// Thinking that counts: at most three quarters of what the model may write, so that words are left to act with.
fn by_budget(effort: Effort, max_output: u32) -> SpokenThoughts {
    let wanted = match effort {
        Effort::None => 0,
        Effort::Low => MIN_BUDGET,
        Effort::Medium => 4 * MIN_BUDGET,
        Effort::High => 16 * MIN_BUDGET,
    };
    let budget = wanted.min(max_output / 4 * 3);
    if budget < MIN_BUDGET {
        return SpokenThoughts { thinking: None, effort: None, off: true };
    }
    let thinking = json!({"type": "enabled", "budget_tokens": budget});
    SpokenThoughts { thinking: Some(thinking), effort: None, off: false }
}

fn tools(generation: &AnthropicGeneration, tools: &[Tool]) -> Value {
    let mut written: Vec<Value> = tools.iter().map(|tool| one_tool(generation, tool)).collect();
    if let Some(last) = written.pop() {
        written.push(cached(last));
    }
    Value::Array(written)
}

fn one_tool(generation: &AnthropicGeneration, tool: &Tool) -> Value {
    let (across, down) = match tool {
        Tool::Function { name, about, schema } => {
            return json!({"name": name, "description": about, "input_schema": body::schema_mark(schema)});
        }
        Tool::Computer { size } => *size,
    };
    match generation.computer() {
        ComputerVersion::Toolset => json!({ "type": TOOLSET }),
        ComputerVersion::Tool { kind, zooms, .. } => {
            let mut tool = json!({
                "type": kind,
                "name": "computer",
                "display_width_px": across,
                "display_height_px": down,
            });
            if zooms {
                tool["enable_zoom"] = json!(true);
            }
            tool
        }
    }
}

/// The messages, the last two of the user marked so that what leads up to them is kept by the provider.
fn messages(messages: &[Message]) -> Value {
    let calls = CallIds::of(messages);
    let mut written: Vec<Value> = messages.iter().filter_map(|message| one_message(&calls, message)).collect();
    for message in written.iter_mut().rev().filter(|message| message["role"] == "user").take(2) {
        if let Some(last) = message["content"].as_array_mut().and_then(|content| content.last_mut()) {
            *last = cached(last.take());
        }
    }
    Value::Array(written)
}

/// A message; nothing where it would be empty, which the format does not have. Outcomes come first in it, then the
/// pictures of those that failed, then the rest.
fn one_message(calls: &CallIds<'_>, message: &Message) -> Option<Value> {
    let is_outcome = |piece: &&Piece| matches!(piece, Piece::Outcome { .. });
    let outcomes = message.pieces.iter().filter(is_outcome);
    let beside = outcomes.clone().flat_map(beside_failure).map(picture);
    let rest = message.pieces.iter().filter(|piece| !is_outcome(piece)).filter_map(|piece| block(calls, piece));
    let mut content: Vec<Value> = outcomes.filter_map(|piece| block(calls, piece)).chain(beside).chain(rest).collect();
    let role = match message.role {
        MessageRole::User => "user",
        MessageRole::Assistant => "assistant",
    };
    // A message that ends in a thought is refused: the whole of what the model may write went into thinking.
    while content.last().is_some_and(is_thought) {
        content.pop();
    }
    (!content.is_empty()).then(|| json!({"role": role, "content": content}))
}

fn is_thought(block: &Value) -> bool {
    read::text(block, "/type").ends_with("thinking")
}

/// The pictures of an outcome that failed, which may hold words only.
fn beside_failure(piece: &Piece) -> Vec<&EncodedImage> {
    match piece {
        Piece::Outcome { pieces, is_error: true, .. } => calls::pictures(pieces),
        _ => Vec::new(),
    }
}

fn block(calls: &CallIds<'_>, piece: &Piece) -> Option<Value> {
    match piece {
        Piece::Text { text } => (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text})),
        Piece::Picture(image) => Some(picture(image)),
        Piece::Thought { opaque, .. } => opaque.clone().filter(is_signed),
        Piece::Call(call) => {
            let mut block =
                json!({"type": "tool_use", "id": call.id, "name": call.name, "input": read::object(&call.input)});
            keep_toolset(&mut block, call.opaque.as_ref());
            Some(block)
        }
        Piece::Outcome { id, pieces, is_error, .. } => {
            let mut block = json!({"type": "tool_result", "tool_use_id": id});
            let content = if *is_error { failure(pieces) } else { returned(calls, pieces) };
            if !content.is_empty() {
                block["content"] = Value::Array(content);
            }
            if *is_error {
                block["is_error"] = json!(true);
            }
            keep_toolset(&mut block, calls.get(id).and_then(|call| call.opaque.as_ref()));
            Some(block)
        }
    }
}

fn returned(calls: &CallIds<'_>, pieces: &[Piece]) -> Vec<Value> {
    pieces.iter().filter_map(|piece| block(calls, piece)).collect()
}

/// What is told of a failure: words and nothing else, and some in any case.
fn failure(pieces: &[Piece]) -> Vec<Value> {
    let words = calls::words(pieces);
    let words = if words.is_empty() { vec![FAILED] } else { words };
    words.into_iter().map(|text| json!({"type": "text", "text": text})).collect()
}

/// Only thoughts that the provider has signed are wanted back; one that was cut short has no signature.
fn is_signed(item: &Value) -> bool {
    match read::text(item, "/type") {
        "thinking" => !read::text(item, "/signature").is_empty(),
        kind => kind == "redacted_thinking",
    }
}

/// A call of a toolset and its outcome name the toolset.
fn keep_toolset(block: &mut Value, opaque: Option<&Value>) {
    if let Some(name) = opaque.and_then(|opaque| opaque.get("toolset_name")) {
        block["toolset_name"] = name.clone();
    }
}

fn picture(image: &EncodedImage) -> Value {
    let source = json!({"type": "base64", "media_type": "image/png", "data": body::mark(image)});
    // A picture that were made smaller unasked would move every point: better an error that names the size.
    json!({"type": "image", "source": source, "transformations": {"oversized_image": "error"}})
}

/// The same with a mark: what leads up to here is to be cached.
fn cached(mut block: Value) -> Value {
    block["cache_control"] = json!({"type": "ephemeral"});
    block
}
