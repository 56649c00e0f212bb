//! The types of the fields of a request, which are checked before anything is made of them.

use serde_json::Value;

use super::super::WrongRequest;
use super::request::OPAQUE;

const LISTS_OF_MESSAGES: [&str; 5] = ["contents", "parts", "tools", "functionDeclarations", "safetySettings"];
const LISTS_OF_STRINGS: [&str; 3] = ["excludedPredefinedFunctions", "allowedFunctionNames", "stopSequences"];
const MESSAGES: [&str; 12] = [
    "systemInstruction",
    "generationConfig",
    "thinkingConfig",
    "toolConfig",
    "functionCallingConfig",
    "functionCall",
    "functionResponse",
    "inlineData",
    "computerUse",
    "args",
    "response",
    "parameters",
];
const STRINGS: [&str; 11] = [
    "role",
    "text",
    "name",
    "id",
    "description",
    "mimeType",
    "data",
    "thoughtSignature",
    "environment",
    "mode",
    "thinkingLevel",
];
const BOOLS: [&str; 2] = ["thought", "includeThoughts"];

/// Checks every field of this message, and the fields of those.
pub(super) fn check(at: &str, message: &Value) -> Result<(), WrongRequest> {
    for (name, value) in message.as_object().into_iter().flatten() {
        let at = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
        field(&at, name, value)?;
    }
    Ok(())
}

fn field(at: &str, name: &str, value: &Value) -> Result<(), WrongRequest> {
    let is_list = LISTS_OF_MESSAGES.contains(&name) || LISTS_OF_STRINGS.contains(&name);
    let (fits, kind) = match name {
        _ if value.is_null() => (true, ""),
        _ if is_list => (value.is_array(), "a list"),
        _ if MESSAGES.contains(&name) => (value.is_object(), "TYPE_MESSAGE"),
        _ if STRINGS.contains(&name) => (value.is_string(), "TYPE_STRING"),
        _ if BOOLS.contains(&name) => (value.is_boolean(), "TYPE_BOOL"),
        _ => (true, ""),
    };
    if !fits {
        return Err(invalid(at, kind, value));
    }
    if OPAQUE.contains(&name) {
        return Ok(());
    }
    for (idx, item) in value.as_array().into_iter().flatten().enumerate() {
        let at = format!("{at}[{idx}]");
        if LISTS_OF_MESSAGES.contains(&name) && !item.is_object() {
            return Err(invalid(&at, "TYPE_MESSAGE", item));
        }
        if LISTS_OF_STRINGS.contains(&name) && !item.is_string() {
            return Err(invalid(&at, "TYPE_STRING", item));
        }
        check(&at, item)?;
    }
    check(at, value)
}

fn invalid(at: &str, kind: &str, value: &Value) -> WrongRequest {
    WrongRequest::request(format!("Invalid value at '{at}' ({kind}), {value}"))
}
