//! What `OpenAI`'s two wire formats have in common: the key, errors, functions, and how things that were said are weighed.

mod at;
pub(super) mod models;

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use serde_json::{Value, json};

pub(super) use at::PlacedValue;

use super::super::asked::{Function, SaidMessage, SaidPiece};
use super::super::picture;
use super::{WrongRequest, weigh};

/// The most tokens an answer may have where the request does not say.
pub(super) const MAX_OUTPUT: u64 = 32_768;

/// The most bytes of one picture, and of all of a request, and how many there may be. Source: "Image input requirements" of
/// the provider's guide to images and vision, as <https://openai-hd4n6.mintlify.app/docs/guides/images> has it.
const MOST_PICTURE_BYTES: usize = 20 << 20;
const MOST_BYTES: usize = 50 << 20;
const MOST_PICTURES: usize = 500;

/// How many characters of words or arguments go into one event.
const PIECE: usize = 12;

/// Whether there is a key in `Authorization: Bearer KEY`.
pub(super) fn has_key(headers: &HeaderMap) -> bool {
    let value = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    value.and_then(|value| value.strip_prefix("Bearer ")).is_some_and(|key| !key.trim().is_empty())
}

/// The body of an error.
pub(super) fn error(status: u16, message: &str) -> Value {
    let (kind, code) = match status {
        401 => ("invalid_request_error", Some("invalid_api_key")),
        404 if message.starts_with("The model") => ("invalid_request_error", Some("model_not_found")),
        404 => ("invalid_request_error", Some("not_found")),
        429 => ("requests", Some("rate_limit_exceeded")),
        500.. => ("server_error", Some("server_error")),
        _ => ("invalid_request_error", code(message)),
    };
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}

/// The code of what is wrong with a request, for the faults that have one.
fn code(message: &str) -> Option<&'static str> {
    let codes = [
        ("Previous response", "previous_response_not_found"),
        ("Missing required parameter", "missing_required_parameter"),
        ("Unknown parameter", "unknown_parameter"),
        ("Unsupported parameter", "unsupported_parameter"),
        ("Unsupported value", "unsupported_value"),
        ("Invalid type", "invalid_type"),
        ("Invalid value", "invalid_value"),
        ("Invalid schema", "invalid_function_parameters"),
        ("Invalid image", "invalid_image"),
    ];
    if message.contains("context window") || message.contains("maximum context length") {
        return Some("context_length_exceeded");
    }
    codes.iter().find(|(beginning, _)| message.starts_with(beginning)).map(|(_, code)| *code)
}

/// The headers that say when to try again.
pub(super) fn retry_headers(after: Duration) -> Vec<(&'static str, String)> {
    let ms = after.as_millis();
    vec![
        ("retry-after", ms.div_ceil(1000).to_string()),
        ("retry-after-ms", ms.to_string()),
        ("x-ratelimit-remaining-requests", "0".to_owned()),
        ("x-ratelimit-reset-requests", format!("{ms}ms")),
    ]
}

/// A function that is offered: its name, its description, its schema and whether it is strict, wherever they stand.
pub(super) fn function(at: &PlacedValue) -> Result<Function, WrongRequest> {
    let name = at.field("name")?;
    let word = name.text()?;
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    if word.is_empty() || word.len() > 64 || !word.chars().all(fits) {
        let name = name.path();
        return Err(WrongRequest::request(format!(
            "Invalid '{name}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{{1,64}}$'."
        )));
    }
    at.maybe("description").map(|at| at.text().map(drop)).transpose()?;
    let schema =
        at.maybe("parameters").map_or_else(|| json!({ "type": "object", "properties": {} }), |at| at.value().clone());
    let strict = at.maybe("strict").map(|at| at.truth()).transpose()?.unwrap_or(false);
    check_schema(&schema)
        .and_then(|()| if strict { check_strict(&schema) } else { Ok(()) })
        .map_err(|what| WrongRequest::request(format!("Invalid schema for function '{word}': {what}")))?;
    Ok(Function { name: word.to_owned(), schema })
}

fn check_schema(schema: &Value) -> Result<(), &'static str> {
    if schema["type"] == "object" { Ok(()) } else { Err("schema must be a JSON Schema of 'type: \"object\"'.") }
}

fn check_strict(schema: &Value) -> Result<(), &'static str> {
    if schema["additionalProperties"] != false {
        return Err("In context=(), 'additionalProperties' is required to be supplied and to be false.");
    }
    let required = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
    let mut names = schema["properties"].as_object().into_iter().flat_map(|properties| properties.keys());
    if names.any(|name| !required.iter().any(|required| required == name)) {
        return Err(
            "In context=(), 'required' is required to be supplied and to be an array including every key in properties.",
        );
    }
    Ok(())
}

/// Two functions of one name are one too many.
pub(super) fn check_names(functions: &[Function]) -> Result<(), WrongRequest> {
    let again = |idx: &usize| functions[..*idx].iter().any(|other| other.name == functions[*idx].name);
    match (0..functions.len()).find(again) {
        Some(idx) => Err(WrongRequest::request(format!("Duplicate tool name: '{}'.", functions[idx].name))),
        None => Ok(()),
    }
}

/// A picture behind a data URL.
pub(super) fn picture(at: &PlacedValue) -> Result<SaidMessage, WrongRequest> {
    let url = at.text()?;
    let wrong = |why: String| WrongRequest::request(format!("Invalid image in '{}': {why}.", at.path()));
    if n_bytes(url) > MOST_PICTURE_BYTES {
        return Err(wrong(format!("it has {} bytes, which is more than {MOST_PICTURE_BYTES}", n_bytes(url))));
    }
    Ok(weigh::picture(picture::size_of_url(url).map_err(wrong)?, url))
}

/// Checks what can only be known of all pictures of a request together.
pub(super) fn check_pictures(body: &Value, said: &[SaidMessage]) -> Result<(), WrongRequest> {
    let n_pictures = said.iter().filter(|said| matches!(said.what, SaidPiece::Picture(_))).count();
    if n_pictures > MOST_PICTURES {
        return Err(WrongRequest::request(format!("Too many images: {n_pictures} of at most {MOST_PICTURES}.")));
    }
    let sent = picture_bytes(body);
    if sent > MOST_BYTES {
        return Err(WrongRequest::request(format!("The images have {sent} bytes together, at most {MOST_BYTES}.")));
    }
    Ok(())
}

fn picture_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) if text.starts_with("data:image/") => n_bytes(text),
        Value::Array(values) => values.iter().map(picture_bytes).sum(),
        Value::Object(fields) => fields.values().map(picture_bytes).sum(),
        _ => 0,
    }
}

/// How many bytes the file behind a data URL has.
fn n_bytes(url: &str) -> usize {
    url.len() / 4 * 3
}

/// A call that the model made, with its arguments as they are written.
pub(super) fn call(id: &str, name: &str, arguments: &str) -> SaidMessage {
    let input = serde_json::from_str(arguments).unwrap_or_else(|_| Value::String(arguments.to_owned()));
    weigh::call(id, name, &input)
}

/// A text in the pieces in which it is sent.
pub(super) fn pieces(text: &str) -> Vec<&str> {
    let cuts: Vec<usize> = text.char_indices().map(|(at, _)| at).step_by(PIECE).chain([text.len()]).collect();
    cuts.windows(2).map(|cut| &text[cut[0]..cut[1]]).collect()
}

/// The time as answers give it: whole seconds.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_function_is_held_to_the_rules() {
        let read = |value: Value| {
            function(&PlacedValue::body(&value)).map(|function| function.name).map_err(|wrong| wrong.message)
        };
        let open = json!({ "type": "object", "properties": { "a": {} } });
        let shut =
            json!({ "type": "object", "properties": { "a": {} }, "additionalProperties": false, "required": ["a"] });
        let table = [
            json!({ "name": "key_down" }),
            json!({ "name": "key", "parameters": open }),
            json!({ "name": "key", "parameters": shut, "strict": true }),
            json!({ "name": "key down" }),
            json!({ "name": "" }),
            json!({ "description": "What?" }),
            json!({ "name": "key", "parameters": { "type": "array" } }),
            json!({ "name": "key", "parameters": open, "strict": true }),
        ];
        let lines: Vec<String> = table.into_iter().map(|value| format!("{:?}", read(value))).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        Ok("key_down")
        Ok("key")
        Ok("key")
        Err("Invalid 'name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.")
        Err("Invalid 'name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.")
        Err("Missing required parameter: 'name'.")
        Err("Invalid schema for function 'key': schema must be a JSON Schema of 'type: \"object\"'.")
        Err("Invalid schema for function 'key': In context=(), 'additionalProperties' is required to be supplied and to be false.")
        "#);
    }

    #[test]
    fn a_key_is_a_bearer_token() {
        for (value, has) in [("Bearer k", true), ("Bearer  ", false), ("k", false), ("Basic k", false)] {
            let headers = HeaderMap::from_iter([(AUTHORIZATION, value.parse().unwrap())]);
            assert_eq!(has_key(&headers), has, "{value}");
        }
        assert!(!has_key(&HeaderMap::new()));
    }

    proptest! {
        #[test]
        fn pieces_make_the_whole(text in "\\PC{0,80}") {
            let pieces = pieces(&text);
            prop_assert!(pieces.iter().all(|piece| !piece.is_empty() && piece.chars().count() <= PIECE));
            prop_assert_eq!(pieces.concat(), text);
        }
    }
}
