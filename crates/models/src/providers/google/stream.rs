//! From a stream of the `generateContent` format to an answer.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::interaction;
use crate::model::{Message, MessageRole, Piece, StopReason, Tool, ToolCall};
use crate::providers::codec::refusal::Complaint;
use crate::providers::codec::{DecodedAnswer, Decoder, StreamError, UsedTokens, read};

/// An answer as far as it has come.
pub(super) struct GoogleStream {
    has_computer: bool,
    /// The functions that are ours.
    declared: BTreeSet<String>,
    pieces: Vec<Piece>,
    response_id: String,
    stop: Option<StopReason>,
    tokens: Option<UsedTokens>,
}

impl GoogleStream {
    pub(super) fn new(tools: &[Tool]) -> Self {
        let declared = tools.iter().filter_map(|tool| match tool {
            Tool::Function { name, .. } => Some(name.clone()),
            Tool::Computer { .. } => None,
        });
        Self {
            has_computer: tools.iter().any(|tool| matches!(tool, Tool::Computer { .. })),
            declared: declared.collect(),
            pieces: Vec::new(),
            response_id: String::new(),
            stop: None,
            tokens: None,
        }
    }

    fn add(&mut self, part: &Value) {
        if part.get("functionCall").is_some_and(Value::is_object) {
            self.add_call(part);
            return;
        }
        let text = read::text(part, "/text");
        let is_thought = part.get("thought").and_then(Value::as_bool).unwrap_or(false);
        match (self.pieces.last_mut(), is_thought) {
            (Some(Piece::Thought { text: before, opaque: None }), true)
            | (Some(Piece::Text { text: before }), false) => {
                before.push_str(text);
            }
            _ if text.is_empty() => {}
            (_, true) => self.pieces.push(Piece::Thought { text: text.to_owned(), opaque: None }),
            (_, false) => self.pieces.push(Piece::text(text)),
        }
        // A signature goes back in a part of its own, as streams bring it.
        if let Some(signature) = part.get("thoughtSignature").filter(|signature| signature.is_string()) {
            let opaque = json!({"text": "", "thoughtSignature": signature});
            self.pieces.push(Piece::Thought { text: String::new(), opaque: Some(opaque) });
        }
    }

    fn add_call(&mut self, part: &Value) {
        let name = read::text(part, "/functionCall/name").to_owned();
        let input = part.pointer("/functionCall/args").filter(|args| args.is_object()).cloned();
        let input = input.unwrap_or_else(|| json!({}));
        if let Some(decision) = input.get("safety_decision") {
            let text = format!("Safety check: {}", read::text(decision, "/explanation"));
            self.pieces.push(Piece::Thought { text, opaque: None });
        }
        let is_native = self.has_computer && !self.declared.contains(&name);
        let native = is_native.then(|| {
            let mut args = read::fields(&input);
            args.remove("safety_decision");
            json!({"name": name, "args": args}).to_string()
        });
        let n_pieces = self.pieces.len();
        let id = match read::text(part, "/functionCall/id") {
            "" => format!("{}-{n_pieces}", self.response_id),
            id => id.to_owned(),
        };
        self.pieces.push(Piece::Call(ToolCall { id, name, input, native, opaque: Some(part.clone()) }));
    }

    fn has_calls(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Call(_)))
    }
}

impl Decoder for GoogleStream {
    fn event(&mut self, _name: &str, data: &str) -> Result<(), StreamError> {
        let chunk = read::event(data)?;
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(StreamError::Refused(Complaint::of(error).in_stream()));
        }
        if let Some(id) = chunk.get("responseId").and_then(Value::as_str) {
            id.clone_into(&mut self.response_id);
        }
        for part in read::list(&chunk, "/candidates/0/content/parts") {
            self.add(part);
        }
        self.stop = match read::text(&chunk, "/candidates/0/finishReason") {
            "" if !read::text(&chunk, "/promptFeedback/blockReason").is_empty() => Some(StopReason::Refused),
            "" => self.stop,
            reason => Some(stopped(reason)),
        };
        self.tokens = tokens(&chunk).or(self.tokens);
        if read::text(&chunk, "/event_type") == interaction::COMPLETED {
            self.stop = self.stop.or(Some(StopReason::Finished));
        }
        Ok(())
    }

    fn tokens(&self) -> Option<UsedTokens> {
        // Every chunk counts along: only what the last says is all of it.
        self.tokens.filter(|_| self.stop.is_some())
    }

    fn finish(self: Box<Self>) -> Result<DecodedAnswer, StreamError> {
        let stop = self.stop.ok_or(StreamError::Cut)?;
        let stop = if stop == StopReason::Finished && self.has_calls() { StopReason::Called } else { stop };
        let message = Message { role: MessageRole::Assistant, pieces: self.pieces };
        Ok(DecodedAnswer { message, stop, tokens: self.tokens, response_id: None })
    }
}

/// Why it ended, as `google.genai.types.FinishReason` tells them apart. An answer that would go on in another request is
/// as cut as one that may be no longer.
fn stopped(reason: &str) -> StopReason {
    match reason {
        "MAX_TOKENS" | "CONTINUATION" => StopReason::Length,
        "SAFETY"
        | "RECITATION"
        | "LANGUAGE"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "ESCALATION"
        | "PUP_LIMITED_DISABLED"
        | "MODEL_ARMOR" => StopReason::Refused,
        _ => StopReason::Finished,
    }
}

/// What a chunk or a whole answer says it used. The prompt holds the cached tokens already, the candidates do not hold
/// the thoughts.
pub(super) fn tokens(chunk: &Value) -> Option<UsedTokens> {
    let Some(usage) = chunk.get("usageMetadata").filter(|usage| usage.is_object()) else {
        return interaction::tokens(chunk);
    };
    let count = |pointer| read::count(usage, pointer).unwrap_or(0);
    Some(UsedTokens {
        input: count("/promptTokenCount").saturating_add(count("/toolUsePromptTokenCount")),
        output: count("/candidatesTokenCount").saturating_add(count("/thoughtsTokenCount")),
        cached: count("/cachedContentTokenCount"),
        ..UsedTokens::default()
    })
}
