//! Requests as Anthropic reads them.

use serde_json::Value;

use super::super::{WrongRequest, weigh};
use super::claude::ClaudeVersion;
use super::tools::array;
use super::{blocks, messages, tools};
use crate::address::RequestAddress;
use crate::asked::{Api, ReadRequest};

/// What a request may say.
const REQUEST: [&str; 23] = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "metadata",
    "thinking",
    "output_config",
    "service_tier",
    "container",
    "context_management",
    "cache_control",
    "inference_geo",
    "diagnostics",
    "speed",
    "user_profile_id",
    "workspace_id",
];

/// Reads a request.
pub(super) fn read(address: &RequestAddress, body: &Value) -> Result<ReadRequest, WrongRequest> {
    if !body.is_object() {
        return Err(WrongRequest::request("Input should be an object"));
    }
    if let Some(stranger) = weigh::stranger(body, &REQUEST) {
        return Err(WrongRequest::request(format!("{stranger}: Extra inputs are not permitted")));
    }
    truth("stream", &body["stream"])?;
    let model = body["model"].as_str().filter(|model| !model.is_empty());
    let model = model.ok_or_else(|| WrongRequest::request("model: Field required"))?;
    let mut asked = ReadRequest {
        api: Api::Anthropic,
        model: model.to_owned(),
        instance: address.instance.clone(),
        units: address.units,
        system: system(&body["system"])?,
        said: messages::read(&body["messages"], model)?,
        functions: Vec::new(),
        computer: None,
        must_call: false,
        one_call: false,
        thoughts: false,
        max_output: max_tokens(&body["max_tokens"])?,
    };
    asked.thoughts = thinks(body, asked.max_output)?;
    suits(model, body)?;
    tools::read(body, &mut asked)?;
    breakpoints(body)?;
    output(&body["output_config"])?;
    Ok(asked)
}

/// What the version of 2026-10-21 no longer takes, even with the usual values.
/// <https://platform.claude.com/docs/en/api/versioning>
pub(super) fn without_sampling(body: &Value) -> Result<(), WrongRequest> {
    match ["temperature", "top_p", "top_k"].iter().find(|name| body.get(**name).is_some()) {
        Some(name) => Err(WrongRequest::request(format!("{name}: Extra inputs are not permitted"))),
        None => Ok(()),
    }
}

fn max_tokens(value: &Value) -> Result<u64, WrongRequest> {
    match value.as_u64() {
        Some(0) => Err(WrongRequest::request("max_tokens: Input should be greater than or equal to 1")),
        Some(n_tokens) => Ok(n_tokens),
        None if value.is_null() => Err(WrongRequest::request("max_tokens: Field required")),
        None => Err(WrongRequest::request("max_tokens: Input should be a valid integer")),
    }
}

fn system(value: &Value) -> Result<String, WrongRequest> {
    match value {
        Value::Null => return Ok(String::new()),
        Value::String(text) => return Ok(text.clone()),
        Value::Array(_) => {}
        _ => return Err(WrongRequest::request("system: Input should be a valid string or array")),
    }
    let mut texts = Vec::new();
    for (idx, block) in array(value).iter().enumerate() {
        let at = format!("system.{idx}");
        if block["type"] != "text" {
            return Err(WrongRequest::request(format!("{at}.type: Input should be 'text'")));
        }
        only(&at, block, &["type", "text", "cache_control", "citations"])?;
        texts.push(blocks::text(&at, block)?);
    }
    Ok(texts.join("\n"))
}

/// Whether thoughts are wanted.
fn thinks(body: &Value, max_output: u64) -> Result<bool, WrongRequest> {
    let thinking = &body["thinking"];
    let known: &[&str] = match thinking["type"].as_str() {
        _ if thinking.is_null() => return Ok(false),
        Some("disabled") => &["type"],
        Some("adaptive") => &["type", "display", "block_binding"],
        Some("enabled") => &["type", "budget_tokens", "display", "block_binding"],
        _ => return Err(WrongRequest::request("thinking.type: Input should be 'enabled', 'disabled' or 'adaptive'")),
    };
    only("thinking", thinking, known)?;
    if thinking["type"] == "disabled" {
        return Ok(false);
    }
    if thinking["type"] == "enabled" {
        let budget = thinking["budget_tokens"].as_u64().unwrap_or(0);
        if budget < 1024 {
            let message = "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
            return Err(WrongRequest::request(message));
        }
        if budget >= max_output {
            return Err(WrongRequest::request("`max_tokens` must be greater than `thinking.budget_tokens`"));
        }
    }
    if body["temperature"].as_f64().is_some_and(|heat| (heat - 1.0).abs() > f64::EPSILON) {
        return Err(WrongRequest::request("`temperature` may only be set to 1 when thinking is enabled"));
    }
    Ok(true)
}

/// Checks what only some models can be asked for.
fn suits(model: &str, body: &Value) -> Result<(), WrongRequest> {
    let Some(claude) = ClaudeVersion::of(model) else { return Ok(()) };
    if body["output_config"]["effort"].is_string() {
        claude.effort()?;
    }
    claude.thinking(body["thinking"]["type"].as_str().unwrap_or_default())
}

fn output(config: &Value) -> Result<(), WrongRequest> {
    only("output_config", config, &["effort", "format", "task_budget"])?;
    match config["effort"].as_str() {
        None if config["effort"].is_null() => Ok(()),
        Some("low" | "medium" | "high" | "xhigh" | "max") => Ok(()),
        _ => Err(WrongRequest::request(
            "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
        )),
    }
}

/// Checks the marks that say what to keep in the cache, wherever they may stand.
fn breakpoints(body: &Value) -> Result<(), WrongRequest> {
    let messages = array(&body["messages"]).iter().flat_map(|message| array(&message["content"]));
    let inner = messages.clone().flat_map(|block| array(&block["content"]));
    let all = array(&body["tools"]).iter().chain(array(&body["system"])).chain(messages).chain(inner);
    let marks: Vec<&Value> =
        all.filter_map(|block| block.get("cache_control")).filter(|mark| !mark.is_null()).collect();
    for mark in &marks {
        only("cache_control", mark, &["type", "ttl"])?;
        if mark["type"] != "ephemeral" || !matches!(mark["ttl"].as_str(), None | Some("5m" | "1h")) {
            return Err(WrongRequest::request(
                "cache_control: Input should be {'type': 'ephemeral'} with a ttl of 5m or 1h",
            ));
        }
    }
    if marks.len() > 4 {
        let found = marks.len();
        let message = format!("A maximum of 4 blocks with cache_control may be provided. Found {found}.");
        return Err(WrongRequest::request(message));
    }
    Ok(())
}

/// Checks that there are no fields but these.
pub(super) fn only(at: &str, value: &Value, known: &[&str]) -> Result<(), WrongRequest> {
    match weigh::stranger(value, known) {
        Some(stranger) => Err(WrongRequest::request(format!("{at}.{stranger}: Extra inputs are not permitted"))),
        None => Ok(()),
    }
}

/// Checks that this is a yes or a no, or not said.
pub(super) fn truth(at: &str, value: &Value) -> Result<(), WrongRequest> {
    match value {
        Value::Null | Value::Bool(_) => Ok(()),
        _ => Err(WrongRequest::request(format!("{at}: Input should be a valid boolean"))),
    }
}
