//! The Responses format of OpenAI: its computer tool, reasoning items, conversations that the provider keeps.
//!
//! A computer call may come with safety checks that want to be acknowledged before the conversation goes on. A trial
//! has nobody to ask and its world is a sandbox, so they are acknowledged; what they say is kept as a thought, so that
//! it is in the record. What a computer call returns is a picture and nothing else: words about it follow in a message.

pub(super) mod reasoner;
mod request;
mod stream;

use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Dialect;
use serde_json::Value;

use super::codec::refusal::Complaint;
use super::codec::{Codec, ConversationLink, Decoder, UsedTokens, WireRequest};
use super::provider::{KeyRule, ProviderFacts};
use crate::model::{ModelCard, Request, Tool};

/// What is known of the provider.
pub(super) static FACTS: ProviderFacts = ProviderFacts {
    name: "openai",
    key_variables: &["OPENAI_API_KEY"],
    bearer_variables: &[],
    key: KeyRule::Needed,
    base_url_variable: "OPENAI_BASE_URL",
    usual_base_url: Some("https://api.openai.com"),
    codec: || Arc::new(ResponsesCodec),
    computers: &[Dialect::OpenAi],
};

/// `POST /v1/responses`.
#[derive(Clone, Copy, Debug, Default)]
pub struct ResponsesCodec;

impl Codec for ResponsesCodec {
    fn wire(&self, card: &ModelCard, request: &Request, link: Option<&ConversationLink>) -> WireRequest {
        request::wire(card, request, link)
    }

    fn decoder(&self, _tools: &[Tool]) -> Box<dyn Decoder> {
        Box::new(stream::ResponsesStream::default())
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
