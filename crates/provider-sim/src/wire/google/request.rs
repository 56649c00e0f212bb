//! Requests as Google reads them.

use serde_json::{Map, Value};

use super::super::{WrongRequest, weigh};
use super::predefined::thinks_minimally;
use super::{contents, tools, types};
use crate::address::RequestAddress;
use crate::asked::{Api, ReadRequest, SaidPiece};

/// The most tokens of an answer where the request does not say.
const MOST_OUTPUT: u64 = 65_536;
/// Fields with names of the caller's own below them.
pub(super) const OPAQUE: [&str; 6] =
    ["args", "response", "parameters", "parametersJsonSchema", "responseSchema", "responseJsonSchema"];
/// What a request may say.
const REQUEST: [&str; 8] = [
    "model",
    "contents",
    "tools",
    "toolConfig",
    "safetySettings",
    "systemInstruction",
    "generationConfig",
    "cachedContent",
];
/// What may be said of the answer.
const GENERATION: [&str; 19] = [
    "stopSequences",
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "responseModalities",
    "candidateCount",
    "maxOutputTokens",
    "temperature",
    "topP",
    "topK",
    "seed",
    "presencePenalty",
    "frequencyPenalty",
    "responseLogprobs",
    "logprobs",
    "enableEnhancedCivicAnswers",
    "speechConfig",
    "thinkingConfig",
    "mediaResolution",
];

/// Reads a request.
pub(super) fn read(address: &RequestAddress, body: &Value) -> Result<ReadRequest, WrongRequest> {
    if !body.is_object() {
        return Err(WrongRequest::request("Invalid JSON payload received. The request must be an object."));
    }
    let body = &camel(body);
    only("", body, &REQUEST)?;
    types::check("", body)?;
    let model = address.model.clone().unwrap_or_default();
    let (max_output, thoughts) = generation(&body["generationConfig"], &model)?;
    let mut asked = ReadRequest {
        api: Api::Google,
        model,
        instance: address.instance.clone(),
        units: address.units,
        system: system(&body["systemInstruction"])?,
        said: contents::read(&body["contents"])?,
        functions: Vec::new(),
        computer: None,
        must_call: false,
        one_call: false,
        thoughts,
        max_output,
    };
    pictures(&asked)?;
    tools::read(body, &mut asked)?;
    Ok(asked)
}

/// The most pictures of a request, and of one to the first Gemini 3. Source:
/// <https://docs.cloud.google.com/vertex-ai/generative-ai/docs/multimodal/image-understanding>, "Maximum images per prompt".
fn pictures(asked: &ReadRequest) -> Result<(), WrongRequest> {
    let most = if asked.model.starts_with("gemini-3-pro") { 900 } else { 3000 };
    let n = asked.said.iter().filter(|said| matches!(said.what, SaidPiece::Picture(_))).count();
    if n <= most {
        return Ok(());
    }
    Err(WrongRequest::request(format!(
        "Please use fewer than {} images in your request to models/{}",
        most + 1,
        asked.model
    )))
}

/// The most tokens of the answer, and whether thoughts are wanted.
fn generation(config: &Value, model: &str) -> Result<(u64, bool), WrongRequest> {
    only("generation_config", config, &GENERATION)?;
    let max_output = match &config["maxOutputTokens"] {
        Value::Null => MOST_OUTPUT,
        given => given.as_u64().filter(|most| *most > 0).ok_or_else(|| {
            WrongRequest::request(format!("max_output_tokens must be positive: Invalid value {given}"))
        })?,
    };
    let thinking = &config["thinkingConfig"];
    only("generation_config.thinking_config", thinking, &["includeThoughts", "thinkingBudget", "thinkingLevel"])?;
    if !thinking["thinkingBudget"].is_null() && !thinking["thinkingLevel"].is_null() {
        return Err(WrongRequest::request("You can only set only one of thinking budget and thinking level."));
    }
    let level = thinking["thinkingLevel"].as_str().map(str::to_lowercase);
    if level.as_deref() == Some("minimal") && !thinks_minimally(model) {
        return Err(WrongRequest::request(
            "Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.",
        ));
    }
    // The levels of `google.genai.types.ThinkingLevel`.
    if level.as_deref().is_some_and(|level| !["minimal", "low", "medium", "high", "xhigh"].contains(&level)) {
        return Err(WrongRequest::request("Invalid value at 'generation_config.thinking_config.thinking_level'"));
    }
    Ok((max_output, thinking["includeThoughts"] == true))
}

fn system(content: &Value) -> Result<String, WrongRequest> {
    if content.is_null() {
        return Ok(String::new());
    }
    only("system_instruction", content, &["parts", "role"])?;
    let parts = array(&content["parts"]);
    let texts: Vec<&str> = parts.iter().filter_map(|part| part["text"].as_str()).collect();
    if texts.is_empty() || texts.len() != parts.len() {
        return Err(WrongRequest::request(
            "* GenerateContentRequest.system_instruction.parts: must be text and not be empty",
        ));
    }
    Ok(texts.join("\n"))
}

/// Checks that there are no fields but these.
pub(super) fn only(at: &str, value: &Value, known: &[&str]) -> Result<(), WrongRequest> {
    let Some(stranger) = weigh::stranger(value, known) else { return Ok(()) };
    let at = if at.is_empty() { String::new() } else { format!(" at '{at}'") };
    let message = format!("Invalid JSON payload received. Unknown name \"{stranger}\"{at}: Cannot find field.");
    Err(WrongRequest::request(message))
}

pub(super) fn array(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The same with every field's name in camel case: both ways of writing them are taken.
fn camel(value: &Value) -> Value {
    match value {
        Value::Array(values) => values.iter().map(camel).collect(),
        Value::Object(fields) => Value::Object(fields.iter().map(camel_field).collect::<Map<_, _>>()),
        other => other.clone(),
    }
}

fn camel_field((name, value): (&String, &Value)) -> (String, Value) {
    let mut words = name.split('_');
    let mut written = words.next().unwrap_or_default().to_owned();
    for word in words {
        written.extend(word.chars().enumerate().map(|(idx, c)| if idx == 0 { c.to_ascii_uppercase() } else { c }));
    }
    let value = if OPAQUE.contains(&written.as_str()) { value.clone() } else { camel(value) };
    (written, value)
}
