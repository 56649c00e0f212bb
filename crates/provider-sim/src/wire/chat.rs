//! Chat Completions, as `OpenAI` and the servers that are compatible with it speak it. Thoughts travel in
//! `reasoning_content`, as those servers have it.

mod answer;
mod messages;
#[cfg(test)]
mod tests;

use std::time::Duration;

use axum::http::HeaderMap;
use serde_json::Value;

use super::openai::{self, PlacedValue};
use super::{Api, ReadRequest, RequestAddress, StreamFrame, WireAnswer, WireFormat, WrongRequest};
use crate::asked::Function;

/// What a request may hold.
const FIELDS: &[&str] = &[
    "frequency_penalty",
    "logit_bias",
    "logprobs",
    "max_completion_tokens",
    "max_tokens",
    "messages",
    "metadata",
    "modalities",
    "model",
    "moderation",
    "n",
    "parallel_tool_calls",
    "presence_penalty",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "reasoning_effort",
    "response_format",
    "safety_identifier",
    "seed",
    "service_tier",
    "stop",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "tool_choice",
    "tools",
    "top_logprobs",
    "top_p",
    "user",
    "verbosity",
];

/// Chat Completions. It keeps nothing.
#[derive(Debug, Default)]
pub(crate) struct ChatWire;

impl WireFormat for ChatWire {
    fn has_key(&self, headers: &HeaderMap, _query: &str) -> bool {
        openai::has_key(headers)
    }

    fn streams(&self, _address: &RequestAddress, body: &Value) -> bool {
        body["stream"] == true
    }

    fn read(&self, address: &RequestAddress, body: &Value) -> Result<ReadRequest, WrongRequest> {
        let at = PlacedValue::body(body);
        at.only(FIELDS)?;
        let model = at.text_of("model")?.to_owned();
        openai::models::check_there(&model)?;
        check_options(&at)?;
        let talk = messages::read(&at.field("messages")?)?;
        openai::check_pictures(body, &talk.said)?;
        let ChatOffer { functions, must_call } = offer(&at)?;
        let (thoughts, max_output) = (thoughts(&at, &model)?, max_output(&at, &model)?);
        Ok(ReadRequest {
            api: Api::Chat,
            model,
            instance: address.instance.clone(),
            units: address.units,
            system: talk.system,
            said: talk.said,
            functions,
            computer: None,
            must_call,
            one_call: at.truth_of("parallel_tool_calls")? == Some(false),
            thoughts,
            max_output,
        })
    }

    fn whole(&self, answer: &WireAnswer) -> Value {
        answer::whole(answer)
    }

    fn stream(&self, answer: &WireAnswer) -> Vec<StreamFrame> {
        answer::stream(answer)
    }

    fn error(&self, status: u16, message: &str) -> Value {
        openai::error(status, message)
    }

    fn retry_headers(&self, after: Duration) -> Vec<(&'static str, String)> {
        openai::retry_headers(after)
    }
}

/// What may be called.
struct ChatOffer {
    functions: Vec<Function>,
    must_call: bool,
}

fn check_options(at: &PlacedValue) -> Result<(), WrongRequest> {
    if at.maybe("n").is_some_and(|n| *n.value() != 1) {
        return Err(WrongRequest::request("Unsupported parameter: 'n' other than 1: this server gives one choice."));
    }
    let streams = at.truth_of("stream")?.unwrap_or(false);
    match at.maybe("stream_options") {
        Some(_) if !streams => {
            Err(WrongRequest::request("The 'stream_options' parameter is only allowed when 'stream' is enabled."))
        }
        Some(options) => options.only(&["include_usage", "include_obfuscation"]),
        None => Ok(()),
    }
}

fn thoughts(at: &PlacedValue, model: &str) -> Result<bool, WrongRequest> {
    let effort = at.maybe("reasoning_effort").map(|at| openai::models::effort(&at, model)).transpose()?;
    Ok(effort.is_some_and(|effort| effort != "none"))
}

fn max_output(at: &PlacedValue, model: &str) -> Result<u64, WrongRequest> {
    match (at.maybe("max_tokens"), at.maybe("max_completion_tokens")) {
        // Source: `max_tokens` in `completion_create_params.py` of the package `openai` 3.51.0.
        (Some(_), _) if openai::models::reasons(model) => Err(WrongRequest::request(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        )),
        (Some(_), Some(_)) => Err(WrongRequest::request(
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
        )),
        (Some(most), None) | (None, Some(most)) => most.at_least(1),
        (None, None) => Ok(openai::MAX_OUTPUT),
    }
}

fn offer(at: &PlacedValue) -> Result<ChatOffer, WrongRequest> {
    let Some(tools) = at.maybe("tools") else {
        return match ["tool_choice", "parallel_tool_calls"].into_iter().find(|name| at.maybe(name).is_some()) {
            Some(name) => Err(WrongRequest::request(format!(
                "Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
            ))),
            None => Ok(ChatOffer { functions: Vec::new(), must_call: false }),
        };
    };
    let functions = tools.list()?.iter().map(tool).collect::<Result<Vec<_>, _>>()?;
    if functions.is_empty() {
        return Err(WrongRequest::request(
            "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        ));
    }
    openai::check_names(&functions)?;
    chosen(at, functions)
}

fn tool(at: &PlacedValue) -> Result<Function, WrongRequest> {
    at.only(&["type", "function"])?;
    at.field("type")?.one_of(&["function"])?;
    let function = at.field("function")?;
    function.only(&["name", "description", "parameters", "strict"])?;
    openai::function(&function)
}

/// What is left of the functions once `tool_choice` is heard.
fn chosen(at: &PlacedValue, functions: Vec<Function>) -> Result<ChatOffer, WrongRequest> {
    let Some(choice) = at.maybe("tool_choice") else { return Ok(ChatOffer { functions, must_call: false }) };
    if choice.value().is_object() {
        choice.only(&["type", "function"])?;
        choice.field("type")?.one_of(&["function"])?;
        let name = choice.field("function")?.text_of("name")?;
        return only(functions, name);
    }
    match choice.one_of(&["none", "auto", "required"])? {
        "none" => Ok(ChatOffer { functions: Vec::new(), must_call: false }),
        word => Ok(ChatOffer { functions, must_call: word == "required" }),
    }
}

fn only(functions: Vec<Function>, name: &str) -> Result<ChatOffer, WrongRequest> {
    match functions.into_iter().find(|function| function.name == name) {
        Some(function) => Ok(ChatOffer { functions: vec![function], must_call: true }),
        None => Err(WrongRequest::request(format!("Tool choice '{name}' not found in 'tools' parameter."))),
    }
}
