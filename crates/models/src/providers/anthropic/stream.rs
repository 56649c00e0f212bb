//! From a stream of the Messages format to an answer.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::model::{Message, MessageRole, Piece, StopReason, Tool, ToolCall};
use crate::providers::codec::refusal::Complaint;
use crate::providers::codec::{DecodedAnswer, Decoder, ServedPlace, ServedSpeed, StreamError, UsedTokens, read};

/// How often a key may be repeated in one call; beyond, the call is left as it is and will not be understood.
const MAX_REPEATS: u64 = 100;

/// An answer as far as it has come.
pub(super) struct AnthropicStream {
    has_computer: bool,
    blocks: BTreeMap<u64, ContentBlock>,
    stop: Option<StopReason>,
    /// Why it refuses, in the provider's words.
    refusal: Option<String>,
    counted: TokenCounters,
    is_told: bool,
    is_closed: bool,
}

/// A content block: as it began, and what was added since.
struct ContentBlock {
    begun: Value,
    words: String,
    json: String,
    signature: String,
}

/// The counters of the format, which come in parts and replace each other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TokenCounters {
    fresh: u64,
    cache_read: u64,
    cache_written: u64,
    cache_written_long: u64,
    output: u64,
    speed: ServedSpeed,
    place: ServedPlace,
}

impl AnthropicStream {
    pub(super) fn new(tools: &[Tool]) -> Self {
        let has_computer = tools.iter().any(|tool| matches!(tool, Tool::Computer { .. }));
        let (blocks, counted) = (BTreeMap::new(), TokenCounters::default());
        Self { has_computer, blocks, stop: None, refusal: None, counted, is_told: false, is_closed: false }
    }

    fn add(&mut self, event: &Value) -> Result<(), StreamError> {
        let block = read::count(event, "/index").and_then(|index| self.blocks.get_mut(&index));
        let block = block.ok_or_else(|| StreamError::Malformed("a delta belongs to no block".to_owned()))?;
        match read::text(event, "/delta/type") {
            "text_delta" => block.words.push_str(read::text(event, "/delta/text")),
            "thinking_delta" => block.words.push_str(read::text(event, "/delta/thinking")),
            "input_json_delta" => block.json.push_str(read::text(event, "/delta/partial_json")),
            "signature_delta" => block.signature.push_str(read::text(event, "/delta/signature")),
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, event: &Value) -> Result<(), StreamError> {
        let index = read::count(event, "/index");
        let (Some(index), Some(begun)) = (index, event.get("content_block")) else {
            return Err(StreamError::Malformed("a block begins without index or content".to_owned()));
        };
        let words = format!("{}{}", read::text(begun, "/text"), read::text(begun, "/thinking"));
        let signature = read::text(begun, "/signature").to_owned();
        self.blocks.insert(index, ContentBlock { begun: begun.clone(), words, json: String::new(), signature });
        Ok(())
    }

    fn near_end(&mut self, event: &Value) {
        self.stop = match read::text(event, "/delta/stop_reason") {
            "" => self.stop,
            "tool_use" => Some(StopReason::Called),
            "max_tokens" | "model_context_window_exceeded" => Some(StopReason::Length),
            "refusal" => Some(StopReason::Refused),
            _ => Some(StopReason::Finished),
        };
        self.refusal = event.pointer("/delta/stop_details").and_then(refusal).or(self.refusal.take());
        if let Some(usage) = event.get("usage") {
            self.counted.merge(usage);
            self.is_told = true;
        }
    }
}

impl Decoder for AnthropicStream {
    fn event(&mut self, name: &str, data: &str) -> Result<(), StreamError> {
        let event = read::event(data)?;
        let kind = event.get("type").and_then(Value::as_str).unwrap_or(name);
        match kind {
            "message_start" => self.counted.merge(event.pointer("/message/usage").unwrap_or(&Value::Null)),
            "content_block_start" => return self.begin(&event),
            "content_block_delta" => return self.add(&event),
            "message_delta" => self.near_end(&event),
            "message_stop" => self.is_closed = true,
            "error" => {
                let error = event.get("error").unwrap_or(&event);
                return Err(StreamError::Refused(Complaint::of(error).in_stream()));
            }
            _ => {}
        }
        Ok(())
    }

    fn tokens(&self) -> Option<UsedTokens> {
        self.is_told.then(|| self.counted.tokens())
    }

    fn finish(self: Box<Self>) -> Result<DecodedAnswer, StreamError> {
        if !self.is_closed {
            return Err(StreamError::Cut);
        }
        let stop = self.stop.ok_or_else(|| StreamError::Malformed("it does not say why it stopped".to_owned()))?;
        let tokens = self.tokens();
        let refusal = self.refusal.map(|text| Piece::Thought { text, opaque: None });
        let said = self.blocks.into_values().filter_map(|block| block.piece(self.has_computer));
        let pieces = said.chain(refusal).collect();
        Ok(DecodedAnswer { message: Message { role: MessageRole::Assistant, pieces }, stop, tokens, response_id: None })
    }
}

/// What the provider says of a refusal: its category and its explanation, as far as they are given.
fn refusal(details: &Value) -> Option<String> {
    let said = ["/category", "/explanation"].map(|pointer| read::text(details, pointer));
    let said: Vec<&str> = said.into_iter().filter(|text| !text.is_empty()).collect();
    (!said.is_empty()).then(|| format!("Refused: {}", said.join(": ")))
}

impl ContentBlock {
    fn piece(self, has_computer: bool) -> Option<Piece> {
        match read::text(&self.begun, "/type") {
            "text" => (!self.words.is_empty()).then_some(Piece::Text { text: self.words }),
            "thinking" => {
                let item = json!({"type": "thinking", "thinking": self.words, "signature": self.signature});
                Some(Piece::Thought { text: self.words, opaque: Some(item) })
            }
            "redacted_thinking" => Some(Piece::Thought { text: String::new(), opaque: Some(self.begun) }),
            "tool_use" => Some(Piece::Call(self.call(has_computer))),
            _ => None,
        }
    }

    fn call(self, has_computer: bool) -> ToolCall {
        let name = read::text(&self.begun, "/name").to_owned();
        let begun = self.begun.get("input").filter(|input| input.as_object().is_some_and(|input| !input.is_empty()));
        let input = begun.filter(|_| self.json.is_empty()).cloned().unwrap_or_else(|| read::arguments(&self.json));
        let toolset = self.begun.get("toolset_name").filter(|name| name.is_string());
        let native = match (&toolset, name.as_str()) {
            (Some(_), verb) => Some(of_toolset(verb, &input)),
            (None, "computer") if has_computer => Some(input.to_string()),
            _ => None,
        };
        let opaque = toolset.map(|name| json!({ "toolset_name": name }));
        ToolCall { id: read::text(&self.begun, "/id").to_owned(), name, input, native, opaque }
    }
}

/// A call of one tool of the set, written as a call of the one tool with an action.
fn of_toolset(verb: &str, input: &Value) -> String {
    let mut fields = read::fields(input);
    let n_times = fields.get("repeat").and_then(Value::as_u64).filter(|n_times| (1..=MAX_REPEATS).contains(n_times));
    if let ("key", Some(n_times), Some(Value::String(keys))) = (verb, n_times, fields.get("text")) {
        let keys = vec![keys.as_str(); usize::try_from(n_times).unwrap_or(1)].join(" ");
        fields.insert("text".to_owned(), Value::String(keys));
        fields.remove("repeat");
    }
    fields.insert("action".to_owned(), Value::String(verb.to_owned()));
    Value::Object(fields).to_string()
}

impl TokenCounters {
    /// Takes over what is told and leaves the rest.
    pub(super) fn merge(&mut self, usage: &Value) {
        let told = [
            (&mut self.fresh, "/input_tokens"),
            (&mut self.cache_read, "/cache_read_input_tokens"),
            (&mut self.cache_written, "/cache_creation_input_tokens"),
            (&mut self.cache_written_long, "/cache_creation/ephemeral_1h_input_tokens"),
            (&mut self.output, "/output_tokens"),
        ];
        for (counter, pointer) in told {
            *counter = read::count(usage, pointer).unwrap_or(*counter);
        }
        if read::text(usage, "/speed") == "fast" {
            self.speed = ServedSpeed::Fast;
        }
        if read::text(usage, "/inference_geo") == "us" {
            self.place = ServedPlace::UnitedStates;
        }
    }

    /// The sum: here, what is read from and written into the cache is not in the input.
    pub(super) fn tokens(self) -> UsedTokens {
        UsedTokens {
            input: self.fresh.saturating_add(self.cache_read).saturating_add(self.cache_written),
            output: self.output,
            cached: self.cache_read,
            cache_written: self.cache_written,
            cache_written_long: self.cache_written_long,
            speed: self.speed,
            place: self.place,
        }
    }
}
