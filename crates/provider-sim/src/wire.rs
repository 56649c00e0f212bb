//! The wire formats from the provider's side: requests are read as strictly as the provider reads them, answers are written
//! as the provider writes them. Nothing here is shared with the clients: two readings of the documentation hold each other
//! in check.

mod anthropic;
mod chat;
mod google;
mod openai;
mod responses;
#[cfg(test)]
mod sample;
mod weigh;

use std::time::Duration;

use axum::http::HeaderMap;
use serde_json::Value;

use super::address::RequestAddress;
use super::asked::{Api, ReadRequest};
use super::mind::MindReply;

pub(super) use google::predefined;

/// One wire format.
pub(super) trait WireFormat: Send + Sync {
    /// Whether the request carries a key where this provider wants it.
    fn has_key(&self, headers: &HeaderMap, query: &str) -> bool;

    /// What else the headers must say for this body, asked after the key.
    fn headers(&self, _headers: &HeaderMap, _body: &Value) -> Result<(), WrongRequest> {
        Ok(())
    }

    /// What is wrong with a body of so many bytes, before anybody reads it.
    fn size(&self, _n_bytes: usize) -> Result<(), WrongRequest> {
        Ok(())
    }

    /// Whether an answer in a stream is wanted.
    fn streams(&self, address: &RequestAddress, body: &Value) -> bool;

    /// Reads a request, or says what the provider would say is wrong with it.
    fn read(&self, address: &RequestAddress, body: &Value) -> Result<ReadRequest, WrongRequest>;

    /// An answer in one piece.
    fn whole(&self, answer: &WireAnswer) -> Value;

    /// The same answer as the events of a stream, the closing one included.
    fn stream(&self, answer: &WireAnswer) -> Vec<StreamFrame>;

    /// Keeps what later requests may refer to, or what the writing of this answer needs to know of the request: called
    /// before the answer is written.
    fn remember(&self, _asked: &ReadRequest, _answer: &WireAnswer) {}

    /// The body of an error.
    fn error(&self, status: u16, message: &str) -> Value;

    /// The body of an error that says when to try again. Formats that say it in headers only leave it out here.
    fn error_after(&self, status: u16, message: &str, _after: Duration) -> Value {
        self.error(status, message)
    }

    /// The header that names a request for whoever asks about it later; nothing where there is none.
    fn request_header(&self) -> Option<&'static str> {
        Some("x-request-id") // https://platform.openai.com/docs/api-reference/debugging-requests
    }

    /// The headers that say when to try again.
    fn retry_headers(&self, after: Duration) -> Vec<(&'static str, String)>;
}

/// What is wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrongRequest {
    /// The status it is answered with.
    pub(super) status: u16,
    /// What the provider says.
    pub(super) message: String,
}

impl WrongRequest {
    /// A request that makes no sense.
    pub(super) fn request(message: impl Into<String>) -> Self {
        Self { status: 400, message: message.into() }
    }
}

/// An answer to be written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct WireAnswer {
    /// Its name.
    pub(super) id: String,
    /// The model that gives it.
    pub(super) model: String,
    /// What is said.
    pub(super) say: MindReply,
    /// Whether thoughts are wanted.
    pub(super) thoughts: bool,
    /// What it used.
    pub(super) tokens: BilledTokens,
}

/// What a call used, as it is billed. `input` holds all tokens read, those from the cache and those written to it included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
pub struct BilledTokens {
    /// Tokens read.
    pub input: u64,
    /// Of those, from the cache.
    pub cached: u64,
    /// Of those, written to the cache.
    pub cache_write: u64,
    /// Tokens written.
    pub output: u64,
}

/// One event of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StreamFrame {
    /// Its name, where the format names events.
    pub(super) event: Option<&'static str>,
    /// Its data: JSON, or the word that closes the stream.
    pub(super) data: String,
}
/// The format of an address.
pub(super) fn wire(api: Api) -> Box<dyn WireFormat> {
    match api {
        Api::Anthropic => Box::<anthropic::AnthropicWire>::default(),
        Api::Responses => Box::<responses::ResponsesWire>::default(),
        Api::Chat => Box::new(chat::ChatWire),
        Api::Google => Box::new(google::GoogleWire),
    }
}
