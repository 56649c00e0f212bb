//! From a stream of the Responses format to an answer.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::model::{Message, MessageRole, Piece, StopReason, ToolCall};
use crate::providers::codec::refusal::Complaint;
use crate::providers::codec::{DecodedAnswer, Decoder, StreamError, UsedTokens, read};

/// Where it says what was put into a cache for long. Source: `ResponseUsage` of the package `openai` 3.51.0.
const LONG_WRITES: &str = "/input_tokens_details/cache_write_tokens_details/ttl_12h_tokens";

/// An answer as far as it has come: whole items, and the response that closes the stream.
#[derive(Default)]
pub(super) struct ResponsesStream {
    items: BTreeMap<u64, Value>,
    response: Option<Value>,
    tokens: Option<UsedTokens>,
}

impl Decoder for ResponsesStream {
    fn event(&mut self, name: &str, data: &str) -> Result<(), StreamError> {
        let mut event = read::event(data)?;
        let kind = event.get("type").and_then(Value::as_str).unwrap_or(name).to_owned();
        match kind.as_str() {
            "response.output_item.done" => {
                let index = read::count(&event, "/output_index").unwrap_or(self.items.len() as u64);
                self.items.insert(index, event["item"].take());
            }
            "response.completed" | "response.incomplete" => {
                let response = event["response"].take();
                self.tokens = tokens(&response);
                self.response = Some(response);
            }
            "response.failed" => {
                self.tokens = event.get("response").and_then(tokens);
                return Err(refused(event.pointer("/response/error")));
            }
            "error" => return Err(refused(event.get("error").filter(|error| error.is_object()).or(Some(&event)))),
            _ => {}
        }
        Ok(())
    }

    fn tokens(&self) -> Option<UsedTokens> {
        self.tokens
    }

    fn finish(self: Box<Self>) -> Result<DecodedAnswer, StreamError> {
        let response = self.response.ok_or(StreamError::Cut)?;
        let whole = read::list(&response, "/output");
        let items = if whole.is_empty() { self.items.into_values().collect() } else { whole.to_vec() };
        let message = Message { role: MessageRole::Assistant, pieces: items.iter().flat_map(pieces).collect() };
        let stop = stop(&response, &items, &message);
        let response_id = Some(read::text(&response, "/id").to_owned()).filter(|id| !id.is_empty());
        Ok(DecodedAnswer { message, stop, tokens: self.tokens, response_id })
    }
}

/// What the response says it used. Input and output hold the cached and the reasoning tokens already.
pub(super) fn tokens(response: &Value) -> Option<UsedTokens> {
    let usage = response.get("usage").filter(|usage| usage.is_object())?;
    Some(UsedTokens {
        input: read::count(usage, "/input_tokens")?,
        output: read::count(usage, "/output_tokens")?,
        cached: read::count(usage, "/input_tokens_details/cached_tokens").unwrap_or(0),
        cache_written: read::count(usage, "/input_tokens_details/cache_write_tokens").unwrap_or(0),
        cache_written_long: read::count(usage, LONG_WRITES).unwrap_or(0),
        ..UsedTokens::default()
    })
}

fn refused(error: Option<&Value>) -> StreamError {
    StreamError::Refused(Complaint::of(error.unwrap_or(&Value::Null)).in_stream())
}

fn stop(response: &Value, items: &[Value], message: &Message) -> StopReason {
    let refuses = |item: &Value| read::list(item, "/content").iter().any(|part| read::text(part, "/type") == "refusal");
    match read::text(response, "/incomplete_details/reason") {
        "content_filter" => StopReason::Refused,
        "max_output_tokens" => StopReason::Length,
        _ if message.calls().next().is_some() => StopReason::Called,
        _ if items.iter().any(refuses) => StopReason::Refused,
        _ => StopReason::Finished,
    }
}

fn pieces(item: &Value) -> Vec<Piece> {
    match read::text(item, "/type") {
        "reasoning" => thought(item).into_iter().collect(),
        "message" => words(item),
        "function_call" => vec![Piece::Call(ToolCall {
            id: read::text(item, "/call_id").to_owned(),
            name: read::text(item, "/name").to_owned(),
            input: read::arguments(read::text(item, "/arguments")),
            native: None,
            opaque: None,
        })],
        "computer_call" => computer_call(item),
        _ => Vec::new(),
    }
}

/// The words of a message, and before them the phase that it was said in, which the provider wants back with them.
fn words(item: &Value) -> Vec<Piece> {
    let parts = read::list(item, "/content").iter();
    let texts = parts.map(|part| format!("{}{}", read::text(part, "/text"), read::text(part, "/refusal")));
    let phase = item.get("phase").filter(|phase| phase.is_string());
    let phase = phase.map(|phase| Piece::Thought { text: String::new(), opaque: Some(json!({ "phase": phase })) });
    texts
        .filter(|text| !text.is_empty())
        .flat_map(|text| phase.clone().into_iter().chain([Piece::text(text)]))
        .collect()
}

/// Reasoning: its summary where there is one, its seal, and the provider's name for it. Without any there is nothing to
/// keep.
fn thought(item: &Value) -> Option<Piece> {
    let parts = read::list(item, "/summary").iter().chain(read::list(item, "/content"));
    let text = parts.map(|part| read::text(part, "/text")).collect::<Vec<_>>().join("\n");
    let told = ["id", "encrypted_content"].into_iter().filter_map(|name| Some((name, item.get(name)?)));
    let told: Vec<(&str, &Value)> = told.filter(|(_, value)| value.is_string()).collect();
    let mut opaque = json!({"type": "reasoning", "summary": read::list(item, "/summary")});
    for (name, value) in &told {
        opaque[*name] = (*value).clone();
    }
    let opaque = (!told.is_empty()).then_some(opaque);
    (!text.is_empty() || opaque.is_some()).then_some(Piece::Thought { text, opaque })
}

/// A computer call, one action or several, and before it what its safety checks say.
fn computer_call(item: &Value) -> Vec<Piece> {
    let checks = read::list(item, "/pending_safety_checks").iter().map(|check| {
        let (code, message) = (read::text(check, "/code"), read::text(check, "/message"));
        Piece::Thought { text: format!("Safety check {code}: {message}"), opaque: None }
    });
    let actions = match (item.get("actions"), item.get("action")) {
        (Some(actions @ Value::Array(_)), _) => actions.clone(),
        (_, Some(action)) if !action.is_null() => json!([action]),
        _ => json!([]),
    };
    let input = json!({ "actions": actions });
    let call = ToolCall {
        id: read::text(item, "/call_id").to_owned(),
        name: "computer".to_owned(),
        native: Some(input.to_string()),
        input,
        opaque: Some(item.clone()),
    };
    checks.chain(std::iter::once(Piece::Call(call))).collect()
}
