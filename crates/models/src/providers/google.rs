//! The `generateContent` format of Google: computer use, thought signatures, pictures in what functions return.
//!
//! Actions of computer use come as calls of functions that nobody declared. One that the provider wants to be confirmed
//! is confirmed, since a trial has nobody to ask and its world is a sandbox; what the provider says of it is kept as a
//! thought, so that it is in the record.

mod generation;
mod interaction;
mod request;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Dialect;
use serde_json::Value;

use super::codec::{Codec, ConversationLink, Decoder, UsedTokens, WireRequest, read, refusal};
use super::provider::{KeyRule, ProviderFacts};
use crate::model::{ModelCard, Request, Tool};

/// What is known of the provider.
pub(super) static FACTS: ProviderFacts = ProviderFacts {
    name: "google",
    key_variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    bearer_variables: &[],
    key: KeyRule::Needed,
    base_url_variable: "GOOGLE_GEMINI_BASE_URL",
    usual_base_url: Some("https://generativelanguage.googleapis.com"),
    codec: || Arc::new(GoogleCodec),
    computers: &[Dialect::Google, Dialect::Gemini],
};

/// `POST /v1beta/models/NAME:streamGenerateContent`.
#[derive(Clone, Copy, Debug, Default)]
pub struct GoogleCodec;

impl Codec for GoogleCodec {
    fn wire(&self, card: &ModelCard, request: &Request, _link: Option<&ConversationLink>) -> WireRequest {
        request::wire(card, request)
    }

    fn decoder(&self, tools: &[Tool]) -> Box<dyn Decoder> {
        Box::new(stream::GoogleStream::new(tools))
    }

    fn retry_after(&self, body: &str) -> Option<Duration> {
        let body: Value = serde_json::from_str(body).ok()?;
        let details = read::list(body.get(0).unwrap_or(&body), "/error/details");
        details.iter().find_map(|detail| refusal::duration(read::text(detail, "/retryDelay")))
    }

    fn authorization(&self, key: &str) -> (&'static str, String) {
        ("x-goog-api-key", key.to_owned())
    }

    fn thinks_within(&self, name: &str) -> Option<u32> {
        generation::GoogleGeneration::of(name).thinks_within().filter(|_| name.contains("gemini"))
    }

    fn whole_tokens(&self, body: &Value) -> Option<UsedTokens> {
        stream::tokens(body)
    }
}

#[cfg(test)]
mod tests;
