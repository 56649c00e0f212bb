//! `OpenAI`'s Responses. It keeps its answers, so that a request can go on from one by its id.

mod events;
mod input;
mod items;
mod kept;
#[cfg(test)]
mod tests;
mod tools;

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use axum::http::HeaderMap;
use quintain_core::lock::LockAlways as _;
use serde_json::{Value, json};

use self::input::ResponsesTalk;
use self::kept::KeptAnswers;
use super::openai::{self, PlacedValue};
use super::{Api, ReadRequest, RequestAddress, StreamFrame, WireAnswer, WireFormat, WrongRequest, weigh};

/// What a request may hold, in the order of the alphabet. Source: `ResponseCreateParamsBase` of the package `openai`
/// 3.51.0, and `client_metadata`, which Codex sends.
const FIELDS: &str = "access_programs background client_metadata context_management image include input instructions \
    max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt_cache_key \
    prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options \
    temperature text tool_choice tools top_logprobs top_p truncation user";

/// What can be asked to come with an answer.
const INCLUDED: &[&str] = &[
    "file_search_call.results",
    "web_search_call.results",
    "web_search_call.action.sources",
    "message.input_image.image_url",
    "computer_call_output.output.image_url",
    "code_interpreter_call.outputs",
    "reasoning.encrypted_content",
    "message.output_text.logprobs",
];

/// The Responses format with the answers it keeps.
#[derive(Debug, Default)]
pub(crate) struct ResponsesWire {
    kept: Mutex<KeptAnswers>,
}

impl ResponsesWire {
    fn kept(&self) -> MutexGuard<'_, KeptAnswers> {
        self.kept.lock().always()
    }

    /// Everything that was said, kept answers included.
    fn talk(&self, at: &PlacedValue) -> Result<ResponsesTalk, WrongRequest> {
        let mut kept = self.kept();
        let mut talk = ResponsesTalk::default();
        if let Some(id) = at.maybe("previous_response_id") {
            let id = id.text()?;
            let missing = || WrongRequest::request(format!("Previous response with id '{id}' not found."));
            (talk.said, talk.open) = kept.upto(id).ok_or_else(missing)?;
        }
        let input = at.field("input")?;
        talk.hear(&input, &kept)?;
        talk.check_closed()?;
        if talk.said.is_empty() {
            return Err(WrongRequest::request("Invalid 'input': there is nothing to answer."));
        }
        if at.truth_of("store")? == Some(false) {
            kept.refuse(&talk.said);
        }
        Ok(talk)
    }
}

impl WireFormat for ResponsesWire {
    fn has_key(&self, headers: &HeaderMap, _query: &str) -> bool {
        openai::has_key(headers)
    }

    fn streams(&self, _address: &RequestAddress, body: &Value) -> bool {
        body["stream"] == true
    }

    fn read(&self, address: &RequestAddress, body: &Value) -> Result<ReadRequest, WrongRequest> {
        let at = PlacedValue::body(body);
        at.only(&FIELDS.split_whitespace().collect::<Vec<_>>())?;
        let model = at.text_of("model")?.to_owned();
        openai::models::check_there(&model)?;
        check_options(&at)?;
        let instructions = at.maybe("instructions").map(|at| at.text()).transpose()?.unwrap_or_default();
        let max_output = at.maybe("max_output_tokens").map(|most| most.at_least(16)).transpose()?;
        let (thoughts, one_call) = (thoughts(&at, &model)?, at.truth_of("parallel_tool_calls")? == Some(false));
        let talk = self.talk(&at)?;
        openai::check_pictures(body, &talk.said)?;
        let offer = tools::read(&at, talk.tools)?;
        Ok(ReadRequest {
            api: Api::Responses,
            model,
            instance: address.instance.clone(),
            units: address.units,
            system: [instructions, &talk.system].join("\n").trim().to_owned(),
            said: talk.said,
            functions: offer.functions,
            computer: offer.computer,
            must_call: offer.must_call,
            one_call,
            thoughts,
            max_output: max_output.unwrap_or(openai::MAX_OUTPUT),
        })
    }

    fn whole(&self, answer: &WireAnswer) -> Value {
        whole(answer, "completed")
    }

    fn stream(&self, answer: &WireAnswer) -> Vec<StreamFrame> {
        events::stream(answer)
    }

    fn remember(&self, asked: &ReadRequest, answer: &WireAnswer) {
        let mut talk = ResponsesTalk::default();
        let mut kept = self.kept();
        if items::thought(answer).is_some() {
            kept.thought(&answer.id);
        }
        let heard = talk.hear(&PlacedValue::body(&json!(items::items(answer))), &kept);
        // A mind that says what nobody can hand back is not kept: going on from it will say that it is not there.
        if heard.is_ok() {
            kept.keep(&answer.id, &asked.said, talk.said, talk.open);
        }
    }

    fn error(&self, status: u16, message: &str) -> Value {
        openai::error(status, message)
    }

    fn retry_headers(&self, after: Duration) -> Vec<(&'static str, String)> {
        openai::retry_headers(after)
    }
}

fn check_options(at: &PlacedValue) -> Result<(), WrongRequest> {
    if at.truth_of("background")? == Some(true) {
        return Err(WrongRequest::request("Unsupported parameter: 'background': this server answers at once."));
    }
    at.truth_of("stream")?;
    at.maybe("client_metadata").map(|at| at.object().map(drop)).transpose()?;
    for included in at.list_of("include")? {
        included.one_of(INCLUDED)?;
    }
    at.maybe("truncation").map(|at| at.one_of(&["auto", "disabled"])).transpose()?;
    Ok(())
}

/// Thoughts are told where a summary of them is wanted.
fn thoughts(at: &PlacedValue, model: &str) -> Result<bool, WrongRequest> {
    let Some(reasoning) = at.maybe("reasoning") else { return Ok(false) };
    reasoning.only(&["context", "effort", "generate_summary", "mode", "summary"])?;
    reasoning.maybe("effort").map(|effort| openai::models::effort(&effort, model)).transpose()?;
    let summary = reasoning.maybe("summary").map(|summary| summary.one_of(&["auto", "concise", "detailed"]));
    Ok(summary.transpose()?.is_some())
}

/// The answer as it stands: nothing but its name while it is in progress.
fn whole(answer: &WireAnswer, status: &str) -> Value {
    let done = status == "completed";
    json!({
        "id": answer.id,
        "object": "response",
        "created_at": openai::now(),
        "status": status,
        "error": null,
        "incomplete_details": null,
        "model": answer.model,
        "output": if done { items::items(answer) } else { Vec::new() },
        // What was asked is not said again here; the package `openai` wants the fields all the same (`Response`).
        "parallel_tool_calls": true,
        "tool_choice": "auto",
        "tools": [],
        "usage": if done { usage(answer) } else { Value::Null },
    })
}

fn usage(answer: &WireAnswer) -> Value {
    let tokens = answer.tokens;
    let thought = items::thought(answer).map_or(0, |thought| weigh::tokens(thought.len()));
    json!({
        "input_tokens": tokens.input,
        "input_tokens_details": { "cached_tokens": tokens.cached, "cache_write_tokens": tokens.cache_write },
        "output_tokens": tokens.output,
        "output_tokens_details": { "reasoning_tokens": thought.min(tokens.output) },
        "total_tokens": tokens.input + tokens.output,
    })
}
