//! Single blocks of a conversation as Anthropic reads them.

use serde_json::Value;

use super::super::{WrongRequest, weigh};
use super::claude::PictureRule;
use super::request::{only, truth};
use crate::asked::SaidMessage;
use crate::picture;

/// The most bytes of a picture, as it is sent.
const MOST_BYTES: usize = 5 * 1024 * 1024;
/// The most pixels of a picture across or down.
const MOST_SIDE: u32 = 8000;

/// A block that the user may send, other than what came of a call.
pub(super) fn by_user(at: &str, block: &Value, rule: PictureRule) -> Result<SaidMessage, WrongRequest> {
    match block["type"].as_str() {
        Some("text") => words(at, block),
        Some("image") => image(at, block, rule),
        kind => Err(tag(at, kind)),
    }
}

fn words(at: &str, block: &Value) -> Result<SaidMessage, WrongRequest> {
    only(&format!("{at}.text"), block, &["type", "text", "cache_control", "citations"])?;
    Ok(weigh::words(text(at, block)?))
}

/// What came of a call, and what it says.
pub(super) fn result(at: &str, block: &Value, rule: PictureRule) -> Result<Vec<SaidMessage>, WrongRequest> {
    let known = ["type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"];
    only(&format!("{at}.tool_result"), block, &known)?;
    truth(&format!("{at}.tool_result.is_error"), &block["is_error"])?;
    if block["is_error"] == true {
        told_in_words(&format!("{at}.tool_result"), &block["content"])?;
    }
    // The screens of a toolset are never made smaller. Source: `BetaScreenshotResult` of the package `anthropic` 2.9.0.
    let rule = if block["toolset_name"].is_string() { rule.strict() } else { rule };
    let mut said = vec![weigh::outcome(block["tool_use_id"].as_str().unwrap_or_default())];
    match &block["content"] {
        Value::Null => {}
        Value::String(text) => said.push(weigh::words(text)),
        Value::Array(blocks) => {
            for (idx, block) in blocks.iter().enumerate() {
                let at = format!("{at}.tool_result.content.{idx}");
                said.push(by_user(&at, block, rule)?);
            }
        }
        _ => {
            return Err(WrongRequest::request(format!(
                "{at}.tool_result.content: Input should be a valid string or array"
            )));
        }
    }
    Ok(said)
}

/// What failed is told in words and in nothing else. Source: `_sanitize.py` of the package `anthropic` 2.9.0; the words of
/// the first refusal are those in jlevy/markform issue 153.
fn told_in_words(at: &str, content: &Value) -> Result<(), WrongRequest> {
    let blocks = content.as_array().map(Vec::as_slice).unwrap_or_default();
    if blocks.is_empty() && content.as_str().is_none_or(str::is_empty) {
        return Err(WrongRequest::request(format!("{at}: content cannot be empty if `is_error` is true")));
    }
    if blocks.iter().any(|block| block["type"] != "text") {
        return Err(WrongRequest::request(format!("{at}: all content must be type \"text\" if `is_error` is true")));
    }
    Ok(())
}

/// A block that the model may have said.
pub(super) fn by_model(at: &str, block: &Value) -> Result<SaidMessage, WrongRequest> {
    match block["type"].as_str() {
        Some("text") => words(at, block).map(weigh::by_model),
        Some("tool_use") => call(at, block),
        Some("thinking") => thinking(at, block),
        Some("redacted_thinking") => {
            Err(WrongRequest::request(format!("{at}: Invalid `data` in `redacted_thinking` block")))
        }
        kind => Err(tag(at, kind)),
    }
}

fn call(at: &str, block: &Value) -> Result<SaidMessage, WrongRequest> {
    let at = format!("{at}.tool_use");
    only(&at, block, &["type", "id", "name", "input", "cache_control", "caller", "toolset_name"])?;
    let id = block["id"].as_str().unwrap_or_default();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if id.is_empty() || !id.chars().all(fits) {
        return Err(WrongRequest::request(format!("{at}.id: String should match pattern '^[a-zA-Z0-9_-]+$'")));
    }
    let Some(name) = block["name"].as_str().filter(|name| !name.is_empty()) else {
        return Err(WrongRequest::request(format!("{at}.name: Field required")));
    };
    if !block["input"].is_object() {
        return Err(WrongRequest::request(format!("{at}.input: Input should be an object")));
    }
    Ok(weigh::call(id, name, &block["input"]))
}

/// A thought comes back as it was given, or not at all.
fn thinking(at: &str, block: &Value) -> Result<SaidMessage, WrongRequest> {
    only(&format!("{at}.thinking"), block, &["type", "thinking", "signature"])?;
    let thought = block["thinking"].as_str();
    let thought = thought.ok_or_else(|| WrongRequest::request(format!("{at}.thinking.thinking: Field required")))?;
    if block["signature"].as_str() != Some(&weigh::sign(thought)) {
        return Err(WrongRequest::request(format!("{at}: Invalid `signature` in `thinking` block")));
    }
    Ok(weigh::thought(thought))
}

fn image(at: &str, block: &Value, rule: PictureRule) -> Result<SaidMessage, WrongRequest> {
    let at = format!("{at}.image");
    only(&at, block, &["type", "source", "cache_control", "transformations"])?;
    let source = &block["source"];
    only(&format!("{at}.source"), source, &["type", "media_type", "data"])?;
    let (Some("base64"), Some(kind), Some(data)) =
        (source["type"].as_str(), source["media_type"].as_str(), source["data"].as_str())
    else {
        return Err(WrongRequest::request(format!(
            "{at}.source: Input should have the type 'base64', a media_type and data: nothing else can be read here"
        )));
    };
    if data.len() > MOST_BYTES {
        let n_bytes = data.len();
        return Err(WrongRequest::request(format!(
            "{at}.source.base64: image exceeds 5 MB maximum: {n_bytes} bytes > {MOST_BYTES} bytes"
        )));
    }
    let size =
        picture::size(kind, data).map_err(|why| WrongRequest::request(format!("{at}.source.base64.data: {why}")))?;
    if size.0.max(size.1) > MOST_SIDE {
        return Err(WrongRequest::request(format!(
            "{at}.source.base64.data: At least one of the image dimensions exceed max allowed size: {MOST_SIDE} pixels"
        )));
    }
    oversized(&at, &block["transformations"], rule)?.check(&at, size)?;
    Ok(weigh::picture(size, data))
}

/// What is asked to become of a picture that is too large.
fn oversized(at: &str, asked: &Value, rule: PictureRule) -> Result<PictureRule, WrongRequest> {
    only(&format!("{at}.transformations"), asked, &["oversized_image"])?;
    match asked["oversized_image"].as_str() {
        Some("error") => Ok(rule.strict()),
        Some("downsize") => Ok(rule),
        None if asked["oversized_image"].is_null() => Ok(rule),
        _ => Err(WrongRequest::request(format!(
            "{at}.transformations.oversized_image: Input should be 'downsize' or 'error'"
        ))),
    }
}

/// The words of a block, of which there must be some.
pub(super) fn text<'a>(at: &str, block: &'a Value) -> Result<&'a str, WrongRequest> {
    match block["text"].as_str() {
        None => Err(WrongRequest::request(format!("{at}.text.text: Field required"))),
        Some("") => Err(WrongRequest::request("messages: text content blocks must be non-empty")),
        Some(text) if text.trim().is_empty() => {
            Err(WrongRequest::request("messages: text content blocks must contain non-whitespace text"))
        }
        Some(text) => Ok(text),
    }
}

fn tag(at: &str, kind: Option<&str>) -> WrongRequest {
    let kind = kind.unwrap_or_default();
    WrongRequest::request(format!(
        "{at}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
    ))
}
