//! Anthropic's Messages, from the provider's side.
//!
//! <https://platform.claude.com/docs/en/api/messages>, `.../build-with-claude/streaming`, `.../api/errors` and
//! `.../agents-and-tools/tool-use/computer-use-tool`.

mod answer;
mod blocks;
mod bound;
mod claude;
mod messages;
mod request;
#[cfg(test)]
mod tests;
mod tools;

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use axum::http::HeaderMap;
use quintain_core::lock::LockAlways as _;
use serde_json::{Value, json};

use self::bound::BoundThoughts;
use super::{StreamFrame, WireAnswer, WireFormat, WrongRequest, openai};
use crate::address::RequestAddress;
use crate::asked::ReadRequest;

/// The most bytes of a request.
const MOST_BYTES: usize = 32 << 20;
/// Without this, nobody may say what becomes of thoughts in a conversation that has changed. Source:
/// <https://platform.claude.com/docs/en/build-with-claude/preserved-thinking>.
const BINDING_BETA: &str = "thinking-binding-controls-2026-08-01";

/// Anthropic's Messages.
#[derive(Debug, Default)]
pub(crate) struct AnthropicWire {
    /// The answers to requests that offer the computer as a set of tools, until they are written.
    toolsets: Mutex<BTreeSet<String>>,
    thoughts: Mutex<BoundThoughts>,
}

/// The forms in which the computer can be offered to and used by a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ComputerForm {
    /// One tool whose input names the action.
    Tool,
    /// A set of tools, one for each action.
    Toolset,
}

impl AnthropicWire {
    fn toolsets(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.toolsets.lock().always()
    }

    /// The form of the computer in the request that this answers. Every answer is written once.
    fn form(&self, answer: &WireAnswer) -> ComputerForm {
        if self.toolsets().remove(&answer.id) { ComputerForm::Toolset } else { ComputerForm::Tool }
    }
}

impl WireFormat for AnthropicWire {
    /// A key, or a token: source `auth_headers` in `_client.py` of the package `anthropic` 2.9.0.
    fn has_key(&self, headers: &HeaderMap, _query: &str) -> bool {
        said(headers, "x-api-key").is_some() || openai::has_key(headers)
    }

    /// Source: <https://platform.claude.com/docs/en/api/errors>, "Request size limits".
    fn size(&self, n_bytes: usize) -> Result<(), WrongRequest> {
        if n_bytes <= MOST_BYTES {
            return Ok(());
        }
        let message = "Request exceeds the maximum allowed number of bytes.".to_owned();
        Err(WrongRequest { status: 413, message })
    }

    fn headers(&self, headers: &HeaderMap, body: &Value) -> Result<(), WrongRequest> {
        match said(headers, "anthropic-version") {
            None => return Err(WrongRequest::request("anthropic-version: header is required")),
            Some("2023-06-01") => {}
            Some("2026-10-21") => request::without_sampling(body)?,
            Some(other) => {
                return Err(WrongRequest::request(format!("anthropic-version: \"{other}\" is not a valid version")));
            }
        }
        let betas = headers.get_all("anthropic-beta").iter().filter_map(|value| value.to_str().ok());
        let betas: Vec<&str> = betas.flat_map(|value| value.split(',')).map(str::trim).collect();
        tools::betas(body, &betas)?;
        if body["thinking"]["block_binding"].is_object() && !betas.contains(&BINDING_BETA) {
            return Err(WrongRequest::request(format!(
                "thinking.block_binding: this setting requires the `{BINDING_BETA}` value in the `anthropic-beta` header."
            )));
        }
        Ok(())
    }

    fn streams(&self, _address: &RequestAddress, body: &Value) -> bool {
        body["stream"] == true
    }

    fn read(&self, address: &RequestAddress, body: &Value) -> Result<ReadRequest, WrongRequest> {
        let asked = request::read(address, body)?;
        self.thoughts.lock().always().check(&asked, body)?;
        Ok(asked)
    }

    fn whole(&self, answer: &WireAnswer) -> Value {
        answer::whole(answer, self.form(answer))
    }

    fn stream(&self, answer: &WireAnswer) -> Vec<StreamFrame> {
        answer::stream(answer, self.form(answer))
    }

    fn remember(&self, asked: &ReadRequest, answer: &WireAnswer) {
        // Only the set of tools goes without a size.
        if asked.computer.as_ref().is_some_and(|computer| computer.size.is_none()) {
            self.toolsets().insert(answer.id.clone());
        }
        if let Some(thought) = answer.say.thought.as_ref().filter(|_| answer.thoughts) {
            self.thoughts.lock().always().keep(asked, thought);
        }
    }

    fn error(&self, status: u16, message: &str) -> Value {
        let kind = match status {
            401 => "authentication_error",
            403 => "permission_error",
            404 => "not_found_error",
            413 => "request_too_large",
            429 => "rate_limit_error",
            504 => "timeout_error",
            529 => "overloaded_error",
            500.. => "api_error",
            _ => "invalid_request_error",
        };
        json!({ "type": "error", "error": { "type": kind, "message": message }, "request_id": "req_sim" })
    }

    /// <https://platform.claude.com/docs/en/api/errors#request-id>
    fn request_header(&self) -> Option<&'static str> {
        Some("request-id")
    }

    fn retry_headers(&self, after: Duration) -> Vec<(&'static str, String)> {
        // The first is documented; the second is what the clients of the provider look for before that.
        let seconds = after.as_millis().div_ceil(1000);
        vec![("retry-after", seconds.to_string()), ("retry-after-ms", after.as_millis().to_string())]
    }
}

/// What a header says, if it says anything.
fn said<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().filter(|value| !value.is_empty())
}
