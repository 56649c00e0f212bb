//! The Messages format of Anthropic: its computer tool, thinking, prompt caching.
//!
//! What a model accepts differs between generations (which computer tool, which way of thinking, whether it can be made
//! to call a tool); `generation` knows.

mod generation;
mod request;
mod stream;

use std::sync::Arc;

use quintain_core::action::Dialect;
use serde_json::Value;

use super::codec::{Codec, ConversationLink, Decoder, UsedTokens, WireRequest};
use super::provider::{KeyRule, ProviderFacts};
use crate::model::{ModelCard, Request, Tool};

/// What is known of the provider.
pub(super) static FACTS: ProviderFacts = ProviderFacts {
    name: "anthropic",
    key_variables: &["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
    bearer_variables: &["ANTHROPIC_AUTH_TOKEN"],
    key: KeyRule::Needed,
    base_url_variable: "ANTHROPIC_BASE_URL",
    usual_base_url: Some("https://api.anthropic.com"),
    codec: || Arc::new(AnthropicCodec),
    computers: &[Dialect::Anthropic],
};

/// `POST /v1/messages`.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnthropicCodec;

impl Codec for AnthropicCodec {
    fn wire(&self, card: &ModelCard, request: &Request, _link: Option<&ConversationLink>) -> WireRequest {
        request::wire(card, request)
    }

    fn decoder(&self, tools: &[Tool]) -> Box<dyn Decoder> {
        Box::new(stream::AnthropicStream::new(tools))
    }

    fn authorization(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn thinks_within(&self, name: &str) -> Option<u32> {
        generation::AnthropicGeneration::of(name).thinks_within().filter(|_| name.contains("claude"))
    }

    fn whole_tokens(&self, body: &Value) -> Option<UsedTokens> {
        let mut counted = stream::TokenCounters::default();
        counted.merge(body.get("usage")?);
        Some(counted.tokens())
    }
}

#[cfg(test)]
mod tests;
