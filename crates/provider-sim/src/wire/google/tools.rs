//! What a request to Google offers.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::WrongRequest;
use super::predefined::predefined;
use super::request::{array, only};
use crate::asked::{Function, OfferedComputer, ReadRequest};

/// What may be said of the computer, and where it may be: `google.genai.types.ComputerUse` and `Environment`.
const COMPUTER_USE: [&str; 4] =
    ["environment", "excludedPredefinedFunctions", "enablePromptInjectionDetection", "disabledSafetyPolicies"];
const ENVIRONMENTS: [&str; 3] = ["ENVIRONMENT_BROWSER", "ENVIRONMENT_MOBILE", "ENVIRONMENT_DESKTOP"];

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
            asked.computer = Some(computer_use(&at, computer, &asked.model)?);
        }
    }
    unique(asked)?;
    choice(&body["toolConfig"], asked)
}

/// No name is declared twice, and none that the computer brings along, unless that was told to leave it out:
/// `google.genai.types.ComputerUse` excludes functions to allow "custom definitions for predefined functions".
fn unique(asked: &ReadRequest) -> Result<(), WrongRequest> {
    let computer = asked.computer.as_ref();
    let excluded = computer.map(|computer| computer.excluded.as_slice()).unwrap_or_default();
    let predefined = computer.and_then(|_| predefined(&asked.model)).unwrap_or_default();
    let mut names: BTreeSet<&str> =
        predefined.iter().copied().filter(|name| !excluded.iter().any(|one| one == name)).collect();
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

fn computer_use(at: &str, computer: &Value, model: &str) -> Result<OfferedComputer, WrongRequest> {
    let at = format!("{at}.computer_use");
    let Some(predefined) = predefined(model) else {
        return Err(WrongRequest::request(format!("Computer Use is not enabled for models/{model}")));
    };
    only(&at, computer, &COMPUTER_USE)?;
    if !ENVIRONMENTS.iter().any(|environment| computer["environment"] == *environment) {
        let message = format!("Invalid value at '{at}.environment', {}", computer["environment"]);
        return Err(WrongRequest::request(message));
    }
    let excluded = array(&computer["excludedPredefinedFunctions"]).iter();
    let excluded: Vec<String> = excluded.map(|name| name.as_str().unwrap_or_default().to_owned()).collect();
    match excluded.iter().find(|name| !predefined.contains(&name.as_str())) {
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
