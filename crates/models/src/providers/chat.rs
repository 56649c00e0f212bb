//! The Chat Completions format, as OpenAI made it and as vLLM, `OpenRouter`, llama.cpp and many others speak it.
//!
//! It has no computer tool, and what a tool returns is text: pictures follow in a message of the user. Where servers
//! differ (how reasoning is called, whether calls are numbered, how errors look) all known ways are read, and reasoning
//! goes back under the name it came with.

mod request;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::codec::refusal::Complaint;
use super::codec::{Codec, ConversationLink, Decoder, UsedTokens, WireRequest};
use super::provider::{KeyRule, ProviderFacts};
use super::responses::reasoner;
use crate::model::{ModelCard, Request, Tool};

/// What is known of the provider.
pub(super) static FACTS: ProviderFacts = ProviderFacts {
    name: "chat",
    key_variables: &["CHAT_API_KEY"],
    bearer_variables: &[],
    key: KeyRule::Optional,
    base_url_variable: "CHAT_BASE_URL",
    usual_base_url: None,
    codec: || Arc::new(ChatCodec),
    computers: &[],
};

/// `POST /v1/chat/completions`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ChatCodec;

impl Codec for ChatCodec {
    fn wire(&self, card: &ModelCard, request: &Request, _link: Option<&ConversationLink>) -> WireRequest {
        request::wire(card, request)
    }

    fn decoder(&self, _tools: &[Tool]) -> Box<dyn Decoder> {
        Box::new(stream::ChatStream::default())
    }

    fn retry_after(&self, body: &str) -> Option<Duration> {
        Complaint::of_body(body).wait()
    }

    fn authorization(&self, key: &str) -> (&'static str, String) {
        ("authorization", format!("Bearer {key}"))
    }

    fn thinks_within(&self, name: &str) -> Option<u32> {
        reasoner::is(name).then_some(reasoner::MOST_OUTPUT)
    }

    fn whole_tokens(&self, body: &Value) -> Option<UsedTokens> {
        stream::tokens(body)
    }
}

#[cfg(test)]
mod tests;
