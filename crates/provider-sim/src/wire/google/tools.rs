//! What a request to Google offers.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::WrongRequest;
use super::request::{array, only};
use crate::asked::{Function, OfferedComputer, ReadRequest};

/// The functions that come with the computer.
const PREDEFINED: [&str; 13] = [
    "open_web_browser",
    "wait_5_seconds",
    "go_back",
    "go_forward",
    "search",
    "navigate",
    "click_at",
    "hover_at",
    "type_text_at",
    "key_combination",
    "scroll_document",
    "scroll_at",
    "drag_and_drop",
];

/// Reads the tools into the request.
pub(super) fn read(body: &Value, asked: &mut ReadRequest) -> Result<(), WrongRequest> {
    for (idx, tool) in array(&body["tools"]).iter().enumerate() {
        let at = format!("tools[{idx}]");
        only(&at, tool, &["functionDeclarations", "computerUse"])?;
        if tool.as_object().is_none_or(serde_json::Map::is_empty) {
            return Err(WrongRequest::request(format!(
                "* GenerateContentRequest.{at}.tool_type: required one_of 'tool_type'"
            )));
        }
        for (idx, declared) in array(&tool["functionDeclarations"]).iter().enumerate() {
            asked.functions.push(function(&format!("{at}.function_declarations[{idx}]"), declared)?);
        }
        if let Some(computer) = tool.get("computerUse") {
            asked.computer = Some(computer_use(&at, computer)?);
        }
    }
    unique(asked)?;
    choice(&body["toolConfig"], asked)
}

fn unique(asked: &ReadRequest) -> Result<(), WrongRequest> {
    let mut names = BTreeSet::new();
    match asked.functions.iter().find(|function| !names.insert(&function.name)) {
        Some(twice) => Err(WrongRequest::request(format!("Duplicate function declaration found: {}", twice.name))),
        None => Ok(()),
    }
}

fn function(at: &str, declared: &Value) -> Result<Function, WrongRequest> {
    let known =
        ["name", "description", "behavior", "parameters", "parametersJsonSchema", "response", "responseJsonSchema"];
    only(at, declared, &known)?;
    let name = declared["name"].as_str().unwrap_or_default();
    let starts = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "_.:-".contains(letter);
    if !name.starts_with(starts) || !name.chars().all(fits) || name.len() > 64 {
        return Err(WrongRequest::request(format!(
            "* GenerateContentRequest.{at}.name: Invalid function name. Must start with a letter or an underscore. Must \
             be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length \
             of 64."
        )));
    }
    let schema = match (&declared["parametersJsonSchema"], &declared["parameters"]) {
        (Value::Null, Value::Null) => json!({ "type": "object", "properties": {} }),
        (schema, Value::Null) | (Value::Null, schema) => schema.clone(),
        _ => {
            let message = format!("{at}: parameters and parameters_json_schema are mutually exclusive");
            return Err(WrongRequest::request(message));
        }
    };
    if !schema["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("object")) {
        return Err(WrongRequest::request(format!(
            "* GenerateContentRequest.{at}.parameters: schema should be of type OBJECT"
        )));
    }
    Ok(Function { name: name.to_owned(), schema })
}

fn computer_use(at: &str, computer: &Value) -> Result<OfferedComputer, WrongRequest> {
    let at = format!("{at}.computer_use");
    only(&at, computer, &["environment", "excludedPredefinedFunctions"])?;
    if computer["environment"] != "ENVIRONMENT_BROWSER" {
        let message = format!("Invalid value at '{at}.environment', {}", computer["environment"]);
        return Err(WrongRequest::request(message));
    }
    let excluded = array(&computer["excludedPredefinedFunctions"]).iter();
    let excluded: Vec<String> = excluded.map(|name| name.as_str().unwrap_or_default().to_owned()).collect();
    match excluded.iter().find(|name| !PREDEFINED.contains(&name.as_str())) {
        Some(stranger) => {
            Err(WrongRequest::request(format!("There is no predefined function `{stranger}` to exclude.")))
        }
        None => Ok(OfferedComputer { size: None, excluded }),
    }
}

/// Reads which of the functions must be called.
fn choice(config: &Value, asked: &mut ReadRequest) -> Result<(), WrongRequest> {
    only("tool_config", config, &["functionCallingConfig", "retrievalConfig"])?;
    let calling = &config["functionCallingConfig"];
    only("tool_config.function_calling_config", calling, &["mode", "allowedFunctionNames"])?;
    let mode = calling["mode"].as_str().unwrap_or("AUTO");
    let allowed: Vec<&str> = array(&calling["allowedFunctionNames"]).iter().filter_map(Value::as_str).collect();
    if !calling.is_null() && mode != "NONE" && asked.functions.is_empty() && asked.computer.is_none() {
        return Err(WrongRequest::request("Function calling config is set without function_declarations."));
    }
    if let Some(stranger) = allowed.iter().find(|name| asked.function(name).is_none()) {
        return Err(WrongRequest::request(format!(
            "allowed_function_names holds `{stranger}`, which is not declared."
        )));
    }
    match mode {
        "AUTO" | "VALIDATED" | "MODE_UNSPECIFIED" => {}
        "ANY" => asked.must_call = true,
        "NONE" => {
            asked.functions.clear();
            asked.computer = None;
        }
        other => {
            let message = format!("Invalid value at 'tool_config.function_calling_config.mode', \"{other}\"");
            return Err(WrongRequest::request(message));
        }
    }
    if !allowed.is_empty() {
        asked.functions.retain(|function| allowed.contains(&function.name.as_str()));
    }
    Ok(())
}
