//! Chat Completions, as `OpenAI` and the servers that are compatible with it speak it. Thoughts travel in
//! `reasoning_content`, as those servers have it.

mod answer;
mod messages;
#[cfg(test)]
mod tests;

use std::time::Duration;

use axum::http::HeaderMap;
use serde_json::Value;

use super::openai::{self, At};
use super::{Address, Answer, Api, Asked, Frame, Wire, Wrong};
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
    "model",
    "n",
    "parallel_tool_calls",
    "presence_penalty",
    "prompt_cache_key",
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

const EFFORTS: &[&str] = &["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/// Chat Completions. It keeps nothing.
#[derive(Debug, Default)]
pub(crate) struct Chat;

impl Wire for Chat {
    fn has_key(&self, headers: &HeaderMap, _query: &str) -> bool {
        openai::has_key(headers)
    }

    fn streams(&self, _address: &Address, body: &Value) -> bool {
        body["stream"] == true
    }

    fn read(&self, address: &Address, body: &Value) -> Result<Asked, Wrong> {
        let at = At::body(body);
        at.only(FIELDS)?;
        let model = at.text_of("model")?.to_owned();
        check_options(&at)?;
        let talk = messages::read(&at.field("messages")?)?;
        let Offer { functions, must_call } = offer(&at)?;
        Ok(Asked {
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
            thoughts: thoughts(&at)?,
            max_output: max_output(&at)?,
        })
    }

    fn whole(&self, answer: &Answer) -> Value {
        answer::whole(answer)
    }

    fn stream(&self, answer: &Answer) -> Vec<Frame> {
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
struct Offer {
    functions: Vec<Function>,
    must_call: bool,
}

fn check_options(at: &At) -> Result<(), Wrong> {
    if at.maybe("n").is_some_and(|n| *n.value() != 1) {
        return Err(Wrong::request("Unsupported parameter: 'n' other than 1: this server gives one choice."));
    }
    let streams = at.truth_of("stream")?.unwrap_or(false);
    match at.maybe("stream_options") {
        Some(_) if !streams => {
            Err(Wrong::request("The 'stream_options' parameter is only allowed when 'stream' is enabled."))
        }
        Some(options) => options.only(&["include_usage", "include_obfuscation"]),
        None => Ok(()),
    }
}

fn thoughts(at: &At) -> Result<bool, Wrong> {
    let effort = at.maybe("reasoning_effort").map(|at| at.one_of(EFFORTS)).transpose()?;
    Ok(effort.is_some_and(|effort| effort != "none"))
}

fn max_output(at: &At) -> Result<u64, Wrong> {
    match (at.maybe("max_tokens"), at.maybe("max_completion_tokens")) {
        (Some(_), Some(_)) => {
            Err(Wrong::request("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."))
        }
        (Some(most), None) | (None, Some(most)) => most.at_least(1),
        (None, None) => Ok(openai::MAX_OUTPUT),
    }
}

fn offer(at: &At) -> Result<Offer, Wrong> {
    let Some(tools) = at.maybe("tools") else {
        return match ["tool_choice", "parallel_tool_calls"].into_iter().find(|name| at.maybe(name).is_some()) {
            Some(name) => Err(Wrong::request(format!(
                "Invalid value for '{name}': '{name}' is only allowed when 'tools' are specified."
            ))),
            None => Ok(Offer { functions: Vec::new(), must_call: false }),
        };
    };
    let functions = tools.list()?.iter().map(tool).collect::<Result<Vec<_>, _>>()?;
    if functions.is_empty() {
        return Err(Wrong::request(
            "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
        ));
    }
    openai::check_names(&functions)?;
    chosen(at, functions)
}

fn tool(at: &At) -> Result<Function, Wrong> {
    at.only(&["type", "function"])?;
    at.field("type")?.one_of(&["function"])?;
    let function = at.field("function")?;
    function.only(&["name", "description", "parameters", "strict"])?;
    openai::function(&function)
}

/// What is left of the functions once `tool_choice` is heard.
fn chosen(at: &At, functions: Vec<Function>) -> Result<Offer, Wrong> {
    let Some(choice) = at.maybe("tool_choice") else { return Ok(Offer { functions, must_call: false }) };
    if choice.value().is_object() {
        choice.only(&["type", "function"])?;
        choice.field("type")?.one_of(&["function"])?;
        let name = choice.field("function")?.text_of("name")?;
        return only(functions, name);
    }
    match choice.one_of(&["none", "auto", "required"])? {
        "none" => Ok(Offer { functions: Vec::new(), must_call: false }),
        word => Ok(Offer { functions, must_call: word == "required" }),
    }
}

fn only(functions: Vec<Function>, name: &str) -> Result<Offer, Wrong> {
    match functions.into_iter().find(|function| function.name == name) {
        Some(function) => Ok(Offer { functions: vec![function], must_call: true }),
        None => Err(Wrong::request(format!("Tool choice '{name}' not found in 'tools' parameter."))),
    }
}
