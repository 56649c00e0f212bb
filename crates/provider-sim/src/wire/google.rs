//! Google's generateContent, from the provider's side.
//!
//! <https://ai.google.dev/api/generate-content>, `.../gemini-api/docs/function-calling`, `.../docs/thought-signatures` and
//! `.../docs/computer-use`. Signatures are wanted back as the newest models want them.

mod answer;
mod contents;
mod parts;
mod predefined;
mod request;
#[cfg(test)]
mod tests;
mod tools;
mod types;

use std::time::Duration;

use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::{StreamFrame, WireAnswer, WireFormat, WrongRequest, weigh};
use crate::address::RequestAddress;
use crate::asked::ReadRequest;

pub(crate) use predefined::predefined;

/// Google's generateContent.
#[derive(Debug, Default)]
pub(crate) struct GoogleWire;

impl WireFormat for GoogleWire {
    fn has_key(&self, headers: &HeaderMap, query: &str) -> bool {
        let in_header = headers.get("x-goog-api-key").is_some_and(|key| !key.is_empty());
        let in_query = query.split('&').filter_map(|pair| pair.strip_prefix("key="));
        in_header || in_query.into_iter().any(|key| !key.is_empty())
    }

    fn streams(&self, address: &RequestAddress, _body: &Value) -> bool {
        address.streams
    }

    fn read(&self, address: &RequestAddress, body: &Value) -> Result<ReadRequest, WrongRequest> {
        request::read(address, body)
    }

    fn whole(&self, answer: &WireAnswer) -> Value {
        answer::whole(answer)
    }

    fn stream(&self, answer: &WireAnswer) -> Vec<StreamFrame> {
        answer::stream(answer)
    }

    fn error(&self, status: u16, message: &str) -> Value {
        let name = match status {
            400 => "INVALID_ARGUMENT",
            401 => "UNAUTHENTICATED",
            403 => "PERMISSION_DENIED",
            404 => "NOT_FOUND",
            429 => "RESOURCE_EXHAUSTED",
            503 => "UNAVAILABLE",
            504 => "DEADLINE_EXCEEDED",
            500.. => "INTERNAL",
            _ => "FAILED_PRECONDITION",
        };
        json!({ "error": { "code": status, "message": message, "status": name } })
    }

    fn error_after(&self, status: u16, message: &str, after: Duration) -> Value {
        let mut body = self.error(status, message);
        let delay = format!("{}s", after.as_secs_f64());
        body["error"]["details"] =
            json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay }]);
        body
    }

    /// There is none: answers name themselves.
    fn request_header(&self) -> Option<&'static str> {
        None
    }

    /// There are none: it is in the body.
    fn retry_headers(&self, _after: Duration) -> Vec<(&'static str, String)> {
        Vec::new()
    }
}

/// The signature of a call. It is bound to the answer and to the name of what is called, but not to the arguments, which may
/// come back written differently.
fn signature(id: &str, name: &str) -> String {
    weigh::sign(&format!("{id} {name}"))
}
