//! The Responses format of OpenAI: its computer tool, reasoning items, conversations that the provider keeps.
//!
//! A computer call may come with safety checks that want to be acknowledged before the conversation goes on. A trial
//! has nobody to ask and its world is a sandbox, so they are acknowledged; what they say is kept as a thought, so that
//! it is in the record. What a computer call returns is a picture and nothing else: words about it follow in a message.

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
    key: KeyRule::Needed,
    base_url_variable: "OPENAI_BASE_URL",
    usual_base_url: Some("https://api.openai.com"),
    codec: || Arc::new(ResponsesCodec),
    computer: Some(Dialect::OpenAi),
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

    fn whole_tokens(&self, body: &Value) -> Option<UsedTokens> {
        stream::tokens(body)
    }
}

/// What is known of an OpenAI model by its name.
pub(super) mod reasoner {
    use quintain_core::agent::Effort;

    /// Whether it reasons: `o3`, `gpt-5.4`, `gpt-6-sol`, but neither `gpt-4.1` nor `gpt-5-chat-latest`.
    pub(in crate::providers) fn is(name: &str) -> bool {
        let name = bare(name);
        let after = |prefix: &str| name.strip_prefix(prefix).and_then(|rest| rest.chars().next());
        let newer = after("gpt-").is_some_and(|first| ('5'..='9').contains(&first)) && !name.contains("chat");
        newer || after("o").is_some_and(|first| first.is_ascii_digit()) || name.starts_with("computer-use")
    }

    /// What an effort is called. The least that a model can do is named differently from line to line.
    pub(in crate::providers) fn effort(name: &str, effort: Effort) -> &'static str {
        let name = bare(name);
        match effort {
            Effort::None if name.starts_with('o') => "low",
            Effort::None if name == "gpt-5" || name.starts_with("gpt-5-") => "minimal",
            Effort::None => "none",
            Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
        }
    }

    /// The name without the vendor that resellers put before it.
    fn bare(name: &str) -> &str {
        name.rsplit('/').next().unwrap_or(name)
    }
}

#[cfg(test)]
mod tests;
