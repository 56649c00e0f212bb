//! What a request to Anthropic offers.

use serde_json::Value;

use super::super::WrongRequest;
use super::request::{only, truth};
use crate::asked::{Function, OfferedComputer, ReadRequest};

/// The computer as one tool, and the beta in which each version of it is.
const COMPUTERS: [(&str, &str); 2] =
    [("computer_20250124", "computer-use-2025-01-24"), ("computer_20251124", "computer-use-2025-11-24")];
/// The computer as a set of tools.
const TOOLSET: &str = "computer_toolset_20260801";
/// What a function may say of itself.
const FUNCTION: [&str; 10] = [
    "type",
    "name",
    "description",
    "input_schema",
    "cache_control",
    "strict",
    "input_examples",
    "defer_loading",
    "allowed_callers",
    "eager_input_streaming",
];

/// Checks that every tool in a beta comes with the header that asks for that beta.
pub(super) fn betas(body: &Value, betas: &[&str]) -> Result<(), WrongRequest> {
    for (idx, tool) in array(&body["tools"]).iter().enumerate() {
        let kind = tool["type"].as_str().unwrap_or_default();
        let beta = COMPUTERS.iter().find(|(name, _)| *name == kind).map(|(_, beta)| *beta);
        if beta.is_some_and(|beta| !betas.contains(&beta)) {
            return Err(unknown(idx, kind));
        }
    }
    Ok(())
}

/// Reads the tools into the request.
pub(super) fn read(body: &Value, asked: &mut ReadRequest) -> Result<(), WrongRequest> {
    if !body["tools"].is_array() && !body["tools"].is_null() {
        return Err(WrongRequest::request("tools: Input should be a valid array"));
    }
    for (idx, tool) in array(&body["tools"]).iter().enumerate() {
        let at = format!("tools.{idx}");
        if !tool.is_object() {
            return Err(WrongRequest::request(format!("{at}: Input should be an object")));
        }
        match tool["type"].as_str() {
            None | Some("custom") => asked.functions.push(function(&at, tool)?),
            Some(TOOLSET) => offer(asked, toolset(&at, tool)?)?,
            Some(kind) if COMPUTERS.iter().any(|(name, _)| *name == kind) => {
                offer(asked, computer(&at, kind, tool, &asked.model)?)?;
            }
            Some(kind) => return Err(unknown(idx, kind)),
        }
    }
    unique(asked)?;
    choice(body, asked)
}

fn unknown(idx: usize, kind: &str) -> WrongRequest {
    WrongRequest::request(format!(
        "tools.{idx}: Input tag '{kind}' found using 'type' does not match any of the expected tags"
    ))
}

fn offer(asked: &mut ReadRequest, computer: OfferedComputer) -> Result<(), WrongRequest> {
    match asked.computer.replace(computer) {
        None => Ok(()),
        Some(_) => Err(WrongRequest::request("tools: Tool names must be unique.")),
    }
}

fn unique(asked: &ReadRequest) -> Result<(), WrongRequest> {
    let mut names: Vec<&str> = asked.functions.iter().map(|function| function.name.as_str()).collect();
    names.extend(asked.computer.iter().map(|_| "computer"));
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(WrongRequest::request("tools: Tool names must be unique."));
    }
    Ok(())
}

fn function(at: &str, tool: &Value) -> Result<Function, WrongRequest> {
    only(&format!("{at}.custom"), tool, &FUNCTION)?;
    let name = tool["name"].as_str().unwrap_or_default();
    let fits = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    if name.is_empty() || name.len() > 128 || !name.chars().all(fits) {
        return Err(WrongRequest::request(format!(
            "{at}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
        )));
    }
    if !tool["description"].is_string() && !tool["description"].is_null() {
        return Err(WrongRequest::request(format!("{at}.custom.description: Input should be a valid string")));
    }
    let schema = &tool["input_schema"];
    if schema.is_null() {
        return Err(WrongRequest::request(format!("{at}.custom.input_schema: Field required")));
    }
    if schema["type"] != "object" {
        return Err(WrongRequest::request(format!("{at}.custom.input_schema.type: Input should be 'object'")));
    }
    if !matches!(schema["properties"], Value::Null | Value::Object(_)) {
        return Err(WrongRequest::request(format!("{at}.custom.input_schema.properties: Input should be an object")));
    }
    Ok(Function { name: name.to_owned(), schema: schema.clone() })
}

fn computer(at: &str, kind: &str, tool: &Value, model: &str) -> Result<OfferedComputer, WrongRequest> {
    let at = format!("{at}.{kind}");
    let known = ["type", "name", "display_width_px", "display_height_px", "display_number", "cache_control"];
    let newer: &[&str] = if kind == "computer_20251124" { &["enable_zoom"] } else { &[] };
    only(&at, tool, &[&known, newer].concat())?;
    if model.contains("-5-5") {
        return Err(WrongRequest::request(format!(
            "'{model}' does not support tool type: {kind}. Use {TOOLSET} instead."
        )));
    }
    if tool["name"] != "computer" {
        return Err(WrongRequest::request(format!("{at}.name: Input should be 'computer'")));
    }
    let pixels = |key: &str| match tool[key].as_u64() {
        Some(count @ 1..=100_000) => Ok(count as u32),
        _ => Err(WrongRequest::request(format!(
            "{at}.{key}: Input should be a valid integer greater than or equal to 1"
        ))),
    };
    let size = Some((pixels("display_width_px")?, pixels("display_height_px")?));
    Ok(OfferedComputer { size, excluded: Vec::new() })
}

fn toolset(at: &str, tool: &Value) -> Result<OfferedComputer, WrongRequest> {
    only(&format!("{at}.{TOOLSET}"), tool, &["type", "name", "configs", "cache_control"])?;
    let configs = tool["configs"].as_object().into_iter().flatten();
    let off = configs.filter(|(_, config)| config["enabled"] == false);
    Ok(OfferedComputer { size: None, excluded: off.map(|(name, _)| name.clone()).collect() })
}

/// Reads which of the tools must be used.
fn choice(body: &Value, asked: &mut ReadRequest) -> Result<(), WrongRequest> {
    let choice = &body["tool_choice"];
    if choice.is_null() {
        return Ok(());
    }
    if array(&body["tools"]).is_empty() {
        return Err(WrongRequest::request("tool_choice: may only be specified while providing tools"));
    }
    only("tool_choice", choice, &["type", "name", "disable_parallel_tool_use"])?;
    match choice["type"].as_str() {
        Some("auto") => {}
        Some("any") => asked.must_call = true,
        Some("tool") => {
            let name = choice["name"].as_str().unwrap_or_default();
            if asked.function(name).is_none() && (name != "computer" || asked.computer.is_none()) {
                return Err(WrongRequest::request(format!(
                    "tool_choice.tool.name: Tool '{name}' not found in provided tools"
                )));
            }
            asked.must_call = true;
        }
        Some("none") => {
            asked.functions.clear();
            asked.computer = None;
        }
        _ => return Err(WrongRequest::request("tool_choice.type: Input should be 'auto', 'any', 'tool' or 'none'")),
    }
    if asked.must_call && asked.thoughts {
        return Err(WrongRequest::request("Thinking may not be enabled when tool_choice forces tool use."));
    }
    truth("tool_choice.disable_parallel_tool_use", &choice["disable_parallel_tool_use"])?;
    asked.one_call = choice["disable_parallel_tool_use"] == true;
    Ok(())
}

pub(super) fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
