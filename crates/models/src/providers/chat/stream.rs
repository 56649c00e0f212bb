//! From a stream of the Chat Completions format to an answer.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::model::{Message, MessageRole, Piece, StopReason, ToolCall};
use crate::providers::codec::refusal::Complaint;
use crate::providers::codec::{DecodedAnswer, Decoder, StreamError, UsedTokens, read};

/// The names under which servers tell reasoning.
const REASONING: [&str; 2] = ["reasoning_content", "reasoning"];
/// Reasoning that must go back as it came: a list of the provider's own items.
const DETAILS: &str = "reasoning_details";

/// An answer as far as it has come.
#[derive(Default)]
pub(super) struct ChatStream {
    words: String,
    reasoning: BTreeMap<&'static str, String>,
    details: Vec<Value>,
    calls: BTreeMap<u64, CallDraft>,
    stop: Option<StopReason>,
    refuses: bool,
    tokens: Option<UsedTokens>,
    is_closed: bool,
}

#[derive(Default)]
struct CallDraft {
    id: String,
    name: String,
    arguments: String,
}

impl ChatStream {
    fn add(&mut self, delta: &Value) {
        self.words.push_str(&content(delta.get("content")));
        let refusal = read::text(delta, "/refusal");
        self.words.push_str(refusal);
        self.refuses |= !refusal.is_empty();
        for name in REASONING {
            if let Some(Value::String(more)) = delta.get(name) {
                self.reasoning.entry(name).or_default().push_str(more);
            }
        }
        self.details.extend_from_slice(read::list(delta, &format!("/{DETAILS}")));
        for call in read::list(delta, "/tool_calls") {
            self.add_call(call);
        }
    }

    /// Adds to the call of the same number; servers that do not number them begin a new one with each id.
    fn add_call(&mut self, delta: &Value) {
        let id = read::text(delta, "/id");
        let last = self.calls.last_key_value().map(|(index, _)| *index);
        let next = last.map_or(0, |last| last.saturating_add(u64::from(!id.is_empty())));
        let call = self.calls.entry(read::count(delta, "/index").unwrap_or(next)).or_default();
        if call.id.is_empty() {
            id.clone_into(&mut call.id);
        }
        call.name.push_str(read::text(delta, "/function/name"));
        match delta.pointer("/function/arguments") {
            Some(Value::String(more)) => call.arguments.push_str(more),
            Some(whole @ Value::Object(_)) => call.arguments.push_str(&whole.to_string()),
            _ => {}
        }
    }
}

impl Decoder for ChatStream {
    fn event(&mut self, _name: &str, data: &str) -> Result<(), StreamError> {
        if data.trim() == "[DONE]" {
            self.is_closed = true;
            return Ok(());
        }
        let chunk = read::event(data)?;
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(StreamError::Refused(Complaint::of(error).in_stream()));
        }
        if let Some(choice) = read::list(&chunk, "/choices").first() {
            self.add(choice.get("delta").unwrap_or(&Value::Null));
            self.stop = match read::text(choice, "/finish_reason") {
                "" => self.stop,
                "length" => Some(StopReason::Length),
                "content_filter" => Some(StopReason::Refused),
                _ => Some(StopReason::Finished),
            };
        }
        self.tokens = tokens(&chunk).or(self.tokens);
        Ok(())
    }

    fn tokens(&self) -> Option<UsedTokens> {
        // Some servers count along with every chunk: only what they say at the end is all of it.
        self.tokens.filter(|_| self.stop.is_some())
    }

    fn finish(self: Box<Self>) -> Result<DecodedAnswer, StreamError> {
        if !self.is_closed {
            return Err(StreamError::Cut);
        }
        let stop = self.stop.ok_or_else(|| StreamError::Malformed("it does not say why it stopped".to_owned()))?;
        let stop = match stop {
            StopReason::Finished if !self.calls.is_empty() => StopReason::Called,
            StopReason::Finished if self.refuses => StopReason::Refused,
            stop => stop,
        };
        let tokens = self.tokens;
        let (thought, words) = apart(&self.words);
        let mut pieces: Vec<Piece> = thought.map(|text| Piece::Thought { text, opaque: None }).into_iter().collect();
        pieces.extend(thoughts(self.reasoning, self.details));
        pieces.extend((!words.trim().is_empty()).then(|| Piece::text(words)));
        pieces.extend(self.calls.into_iter().map(|(index, call)| Piece::Call(call.made(index))));
        Ok(DecodedAnswer { message: Message { role: MessageRole::Assistant, pieces }, stop, tokens, response_id: None })
    }
}

/// What a chunk or a whole answer says it used. The prompt holds the cached tokens already.
pub(super) fn tokens(chunk: &Value) -> Option<UsedTokens> {
    let usage = chunk.get("usage").filter(|usage| usage.is_object())?;
    let cached = ["/prompt_tokens_details/cached_tokens", "/prompt_cache_hit_tokens"];
    Some(UsedTokens {
        input: read::count(usage, "/prompt_tokens")?,
        output: read::count(usage, "/completion_tokens").unwrap_or(0),
        cached: cached.into_iter().find_map(|pointer| read::count(usage, pointer)).unwrap_or(0),
        cache_written: read::count(usage, "/prompt_tokens_details/cache_write_tokens").unwrap_or(0),
        ..UsedTokens::default()
    })
}

/// The words of a delta: a text, or a list of parts that have one.
fn content(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts.iter().map(|part| read::text(part, "/text")).collect(),
        _ => String::new(),
    }
}

/// Thinking that a server left among the words, told from the words.
fn apart(words: &str) -> (Option<String>, &str) {
    let thought = words.trim_start().strip_prefix("<think>").and_then(|rest| rest.split_once("</think>"));
    thought.map_or((None, words), |(thought, words)| (Some(thought.trim().to_owned()), words.trim_start()))
}

/// Reasoning that was told apart, with the fields it came in. The same told under two names is one thought.
fn thoughts(reasoning: BTreeMap<&'static str, String>, details: Vec<Value>) -> Option<Piece> {
    let text = reasoning.values().find(|text| !text.is_empty()).cloned().unwrap_or_default();
    let told = reasoning.into_iter().filter(|(_, text)| !text.is_empty());
    let mut fields: Map<String, Value> = told.map(|(name, text)| (name.to_owned(), Value::String(text))).collect();
    if !details.is_empty() {
        fields.insert(DETAILS.to_owned(), Value::Array(details));
    }
    (!fields.is_empty()).then_some(Piece::Thought { text, opaque: Some(Value::Object(fields)) })
}

impl CallDraft {
    fn made(self, index: u64) -> ToolCall {
        let id = if self.id.is_empty() { format!("call_{index}") } else { self.id };
        ToolCall { id, name: self.name, input: read::arguments(&self.arguments), native: None, opaque: None }
    }
}
