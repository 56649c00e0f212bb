//! From a request to a body of the Responses format.

use quintain_core::agent::Effort;
use serde_json::{Value, json};

use super::reasoner;
use crate::model::{EncodedImage, Message, MessageRole, ModelCard, Piece, Request, Tool, ToolCall};
use crate::providers::body::{self, WireBody};
use crate::providers::codec::calls::{self, CallIds};
use crate::providers::codec::{ConversationLink, WireRequest, read, wire_name};

/// A picture of one grey pixel: stands where a screen is no longer kept, since a computer call must return one.
pub(super) const NO_SCREEN: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB2kUIOwAAAABJRU5ErkJggg==";

pub(super) fn wire(card: &ModelCard, request: &Request, link: Option<&ConversationLink>) -> WireRequest {
    let name = wire_name(card);
    let known = link.map_or(0, |link| link.n_messages.min(request.messages.len()));
    let writer = ResponsesWriter { calls: CallIds::of(&request.messages), detail: detail(request) };
    let input: Vec<Value> = request.messages[known..].iter().flat_map(|message| writer.items(message)).collect();
    let mut body = json!({
        "model": name,
        "instructions": request.system,
        "input": input,
        "max_output_tokens": request.max_output,
        "store": true,
        "stream": true,
    });
    if let Some(link) = link {
        body["previous_response_id"] = json!(link.response_id);
    }
    if !request.tools.is_empty() {
        body["tools"] = request.tools.iter().map(tool).collect();
        body["tool_choice"] = json!(if request.must_call { "required" } else { "auto" });
        body["parallel_tool_calls"] = json!(false);
    }
    if reasoner::is(name) {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    if let Some(effort) = request.effort.filter(|_| !reasoner::is_not(name)) {
        body["reasoning"] = reasoning(name, effort);
    }
    let body = WireBody::new(body, request);
    WireRequest { path: "/v1/responses".to_owned(), headers: Vec::new(), body }
}

/// Summaries of the reasoning are asked for only where effort is: some accounts may not have them.
fn reasoning(name: &str, effort: Effort) -> Value {
    let mut reasoning = json!({"effort": reasoner::effort(name, effort)});
    if effort != Effort::None {
        reasoning["summary"] = json!("auto");
    }
    reasoning
}

/// With the computer tool points are in pixels of the picture, so that it must not be made smaller.
fn detail(request: &Request) -> &'static str {
    let has_computer = request.tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
    if has_computer { "original" } else { "high" }
}

fn tool(tool: &Tool) -> Value {
    match tool {
        Tool::Function { name, about, schema } => {
            json!({"type": "function", "name": name, "description": about, "parameters": body::schema_mark(schema), "strict": false})
        }
        Tool::Computer { .. } => json!({"type": "computer"}),
    }
}

struct ResponsesWriter<'a> {
    calls: CallIds<'a>,
    detail: &'static str,
}

impl ResponsesWriter<'_> {
    fn items(&self, message: &Message) -> Vec<Value> {
        match message.role {
            MessageRole::User => self.of_user(&message.pieces),
            MessageRole::Assistant => of_assistant(&message.pieces),
        }
    }

    /// What calls returned, then one message with the rest.
    fn of_user(&self, pieces: &[Piece]) -> Vec<Value> {
        let mut loose: Vec<&Piece> = pieces.iter().filter(|piece| !matches!(piece, Piece::Outcome { .. })).collect();
        let mut items = Vec::new();
        let mut said = Vec::new();
        for piece in pieces {
            let Piece::Outcome { id, pieces, is_error, .. } = piece else { continue };
            let Some(call) = self.calls.get(id).filter(|call| call.native.is_some()) else {
                items.push(self.returned(id, pieces, *is_error));
                continue;
            };
            let screen = calls::pictures(pieces).last().copied().or_else(|| take_picture(&mut loose));
            items.push(screen_output(call, screen));
            let report = calls::report(pieces, *is_error);
            said.extend((!calls::words(pieces).is_empty()).then(|| json!({"type": "input_text", "text": report})));
        }
        said.extend(loose.into_iter().filter_map(|piece| self.content(piece)));
        if !said.is_empty() {
            items.push(json!({"type": "message", "role": "user", "content": said}));
        }
        items
    }

    /// What a function returned: a text, or a list where pictures are in it.
    fn returned(&self, id: &str, pieces: &[Piece], is_error: bool) -> Value {
        let report = calls::report(pieces, is_error);
        let pictures = calls::pictures(pieces);
        let output = if pictures.is_empty() {
            Value::String(report)
        } else {
            let words = (!report.is_empty()).then(|| json!({"type": "input_text", "text": report}));
            words.into_iter().chain(pictures.into_iter().map(|image| self.picture(image))).collect()
        };
        json!({"type": "function_call_output", "call_id": id, "output": output})
    }

    fn content(&self, piece: &Piece) -> Option<Value> {
        match piece {
            Piece::Text { text } => (!text.trim().is_empty()).then(|| json!({"type": "input_text", "text": text})),
            Piece::Picture(image) => Some(self.picture(image)),
            Piece::Thought { .. } | Piece::Call(_) | Piece::Outcome { .. } => None,
        }
    }

    fn picture(&self, image: &EncodedImage) -> Value {
        json!({"type": "input_image", "image_url": calls::data_url(image), "detail": self.detail})
    }
}

/// The last picture beside the outcomes, which is then the screen and not said again.
fn take_picture<'a>(loose: &mut Vec<&'a Piece>) -> Option<&'a EncodedImage> {
    let idx = loose.iter().rposition(|piece| matches!(piece, Piece::Picture(_)))?;
    match loose.remove(idx) {
        Piece::Picture(image) => Some(image),
        _ => None,
    }
}

fn screen_output(call: &ToolCall, screen: Option<&EncodedImage>) -> Value {
    let (url, detail) = screen.map_or((NO_SCREEN.to_owned(), "low"), |image| (calls::data_url(image), "original"));
    let mut item = json!({
        "type": "computer_call_output",
        "call_id": call.id,
        "output": {"type": "computer_screenshot", "image_url": url, "detail": detail},
    });
    let checks = call.opaque.as_ref().map_or(&[][..], |item| read::list(item, "/pending_safety_checks"));
    if !checks.is_empty() {
        item["acknowledged_safety_checks"] = json!(checks);
    }
    item
}

/// The model's own items. Reasoning that nothing comes of is refused, and so is a use of the computer without the name of
/// the reasoning before it; any other reasoning goes sealed, so that the provider need not have kept it, or not at all. All
/// of it goes under the provider's name for it, as `openai` 3.51.0 wants it (`ResponseReasoningItemParam`).
fn of_assistant(pieces: &[Piece]) -> Vec<Value> {
    let phases = std::iter::once(None).chain(pieces.iter().map(phase));
    let written = pieces.iter().zip(phases).filter_map(|(piece, phase)| Some((own_item(piece)?, phase)));
    let mut items: Vec<Value> = written.map(|(item, phase)| in_phase(item, phase)).collect();
    while items.last().is_some_and(is_reasoning) {
        items.pop();
    }
    let last_use = items.iter().rposition(|item| item["type"] == "computer_call").unwrap_or(0);
    let others = items.split_off(last_use).into_iter().filter(|item| !is_reasoning(item) || is_sealed(item));
    items.into_iter().chain(others).collect()
}

fn is_reasoning(item: &Value) -> bool {
    item["type"] == "reasoning"
}

/// The phase that the words after this were said in.
fn phase(piece: &Piece) -> Option<&Value> {
    match piece {
        Piece::Thought { opaque: Some(said), .. } => said.get("phase"),
        _ => None,
    }
}

fn in_phase(mut item: Value, phase: Option<&Value>) -> Value {
    if let Some(phase) = phase {
        item["phase"] = phase.clone();
    }
    item
}

/// Whether reasoning comes with all that it says, in a form that only the provider reads.
fn is_sealed(reasoning: &Value) -> bool {
    reasoning["encrypted_content"].is_string()
}

/// One of the model's own items, as it came.
fn own_item(piece: &Piece) -> Option<Value> {
    match piece {
        // As words alone: in the form of an answer they would have to have the provider's name for them (`openai` 3.51.0,
        // `EasyInputMessageParam` and `ResponseOutputMessageParam`).
        Piece::Text { text } => {
            (!text.is_empty()).then(|| json!({"type": "message", "role": "assistant", "content": text}))
        }
        Piece::Thought { opaque, .. } => opaque.clone().filter(is_reasoning),
        Piece::Call(call) => Some(match &call.opaque {
            Some(item) if call.native.is_some() => item.clone(),
            _ => json!({
                "type": "function_call",
                "call_id": call.id,
                "name": call.name,
                "arguments": call.input.as_str().map_or_else(|| call.input.to_string(), str::to_owned),
            }),
        }),
        Piece::Picture(_) | Piece::Outcome { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;

    use super::*;

    #[test]
    fn the_stand_in_is_a_picture() {
        let encoded = NO_SCREEN.strip_prefix("data:image/png;base64,").unwrap();
        let file = base64::engine::general_purpose::STANDARD.decode(encoded).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let frame = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((frame.width, frame.height, pixels), (1, 1, vec![128]));
    }
}
