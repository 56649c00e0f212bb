//! Conversations as Anthropic reads them.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::WrongRequest;
use super::blocks;
use super::claude::PictureRule;
use super::request::only;
use crate::asked::{SaidMessage, SaidPiece};

/// The most pictures of a request.
const MOST_PICTURES: usize = 100;
/// From so many pictures on, none may be larger than `MOST_SIDE_OF_MANY`.
const MANY: usize = 20;
const MOST_SIDE_OF_MANY: u32 = 2000;

/// Reads the messages.
pub(super) fn read(messages: &Value, model: &str) -> Result<Vec<SaidMessage>, WrongRequest> {
    let list = messages.as_array().ok_or_else(|| WrongRequest::request("messages: Field required"))?;
    if list.is_empty() {
        return Err(WrongRequest::request("messages: at least one message is required"));
    }
    let mut reading = MessagesReading::new(PictureRule::usual(model));
    for (idx, message) in list.iter().enumerate() {
        reading.message(idx, message)?;
    }
    reading.answered()?;
    if list.last().is_some_and(|message| message["role"] == "assistant") {
        return Err(WrongRequest::request(
            "This model does not support assistant message prefill. The conversation must end with a user message.",
        ));
    }
    pictures(&reading.said)?;
    Ok(reading.said)
}

/// What has been read so far.
struct MessagesReading {
    pictures: PictureRule,
    said: Vec<SaidMessage>,
    /// Every call so far.
    calls: BTreeSet<String>,
    /// The calls that wait for what came of them: id, and the set of tools they are of.
    open: Vec<(String, Value)>,
    /// The message that the open calls are in.
    open_at: usize,
}

impl MessagesReading {
    fn new(pictures: PictureRule) -> Self {
        Self { pictures, said: Vec::new(), calls: BTreeSet::new(), open: Vec::new(), open_at: 0 }
    }

    fn message(&mut self, idx: usize, message: &Value) -> Result<(), WrongRequest> {
        let at = format!("messages.{idx}");
        if !message.is_object() {
            return Err(WrongRequest::request(format!("{at}: Input should be an object")));
        }
        let is_system = message["role"] == "system";
        let known: &[&str] = if is_system { &["role", "content", "clear_at"] } else { &["role", "content"] };
        only(&at, message, known)?;
        let given = content(&at, &message["content"])?;
        match message["role"].as_str() {
            Some("user") => self.by_user(&at, &given),
            Some("assistant") if idx == 0 => {
                Err(WrongRequest::request("messages: first message must use the \"user\" role"))
            }
            Some("assistant") => self.by_model(idx, &at, &given),
            Some("system") if idx > 0 => self.by_operator(&at, &given),
            _ => Err(WrongRequest::request(format!("{at}.role: Input should be 'user' or 'assistant'"))),
        }
    }

    fn by_user(&mut self, at: &str, given: &[Value]) -> Result<(), WrongRequest> {
        for (idx, block) in given.iter().enumerate() {
            let at = format!("{at}.content.{idx}");
            let said = if block["type"] == "tool_result" {
                self.close(&at, block)?;
                blocks::result(&at, block, self.pictures)?
            } else {
                // Whatever came of the calls goes before everything else.
                self.answered()?;
                vec![blocks::by_user(&at, block, self.pictures)?]
            };
            self.keep(said, block);
        }
        self.answered()
    }

    /// Words of whoever runs the model, in the midst of a conversation: texts alone, and none while a call waits. Source:
    /// `SystemMessageParam` of the package `anthropic` 2.9.0, and requests of Claude Code 2.1.
    fn by_operator(&mut self, at: &str, given: &[Value]) -> Result<(), WrongRequest> {
        self.answered()?;
        for (idx, block) in given.iter().enumerate() {
            let at = format!("{at}.content.{idx}");
            if block["type"] != "text" {
                return Err(WrongRequest::request(format!("{at}.type: Input should be 'text'")));
            }
            self.keep(vec![blocks::by_user(&at, block, self.pictures)?], block);
        }
        Ok(())
    }

    fn by_model(&mut self, idx: usize, at: &str, given: &[Value]) -> Result<(), WrongRequest> {
        for (n_before, block) in given.iter().enumerate() {
            let at = format!("{at}.content.{n_before}");
            let said = blocks::by_model(&at, block)?;
            if let SaidPiece::Call { id, .. } = &said.what {
                if !self.calls.insert(id.clone()) {
                    return Err(WrongRequest::request(format!("{at}: `tool_use` ids must be unique")));
                }
                self.open.push((id.clone(), block["toolset_name"].clone()));
                self.open_at = idx;
            }
            self.keep(vec![said], block);
        }
        not_a_thought(at, given.last())
    }

    /// The call that this block answers waits no longer.
    fn close(&mut self, at: &str, block: &Value) -> Result<(), WrongRequest> {
        let id = block["tool_use_id"].as_str().unwrap_or_default();
        let waits = self.open.iter().position(|(open, _)| open == id);
        let Some(waits) = waits else {
            return Err(WrongRequest::request(format!(
                "{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` block must have \
                 a corresponding `tool_use` block in the previous message."
            )));
        };
        let (_, toolset) = self.open.remove(waits);
        if toolset != block["toolset_name"] {
            return Err(WrongRequest::request(format!(
                "{at}.toolset_name: does not match that of the `tool_use` block {id}"
            )));
        }
        Ok(())
    }

    /// Checks that no call waits.
    fn answered(&self) -> Result<(), WrongRequest> {
        if self.open.is_empty() {
            return Ok(());
        }
        let ids: Vec<&str> = self.open.iter().map(|(id, _)| id.as_str()).collect();
        Err(WrongRequest::request(format!(
            "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}. Each `tool_use` \
             block must have a corresponding `tool_result` block in the next message.",
            self.open_at,
            ids.join(", ")
        )))
    }

    fn keep(&mut self, said: Vec<SaidMessage>, block: &Value) {
        self.said.extend(said);
        if let Some(last) = self.said.last_mut() {
            last.breakpoint |= block["cache_control"].is_object();
        }
    }
}

/// A message of the model does not end in a thought. Source: `_to_prefill_blocks` of the package `anthropic` 2.9.0 and the
/// refusal in tailcallhq/forgecode issue 2107.
fn not_a_thought(at: &str, last: Option<&Value>) -> Result<(), WrongRequest> {
    match last.and_then(|block| block["type"].as_str()) {
        Some(kind @ ("thinking" | "redacted_thinking")) => {
            Err(WrongRequest::request(format!("{at}: The final block in an assistant message cannot be `{kind}`.")))
        }
        _ => Ok(()),
    }
}

/// The blocks of a message.
fn content(at: &str, content: &Value) -> Result<Vec<Value>, WrongRequest> {
    let blocks = match content {
        Value::String(text) if text.is_empty() => Vec::new(),
        Value::String(text) => vec![json!({ "type": "text", "text": text })],
        Value::Array(blocks) => blocks.clone(),
        Value::Null => return Err(WrongRequest::request(format!("{at}.content: Field required"))),
        _ => return Err(WrongRequest::request(format!("{at}.content: Input should be a valid string or array"))),
    };
    if blocks.is_empty() {
        return Err(WrongRequest::request(format!("{at}: all messages must have non-empty content")));
    }
    Ok(blocks)
}

/// Checks what can only be known of all pictures together.
fn pictures(said: &[SaidMessage]) -> Result<(), WrongRequest> {
    let sizes = said.iter().filter_map(|said| match said.what {
        SaidPiece::Picture(size) => Some(size),
        _ => None,
    });
    let n_pictures = sizes.clone().count();
    if n_pictures > MOST_PICTURES {
        return Err(WrongRequest::request(format!("messages: too many images: {n_pictures} > {MOST_PICTURES}")));
    }
    if n_pictures > MANY && sizes.clone().any(|size| size.0.max(size.1) > MOST_SIDE_OF_MANY) {
        return Err(WrongRequest::request(format!(
            "messages: image dimensions exceed max allowed size for many-image requests: {MOST_SIDE_OF_MANY} pixels"
        )));
    }
    Ok(())
}
