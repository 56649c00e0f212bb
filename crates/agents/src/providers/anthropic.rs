//! The Messages format of Anthropic: its computer tool, thinking, prompt caching.
//!
//! What a model accepts differs between generations (which computer tool, which way of thinking, whether it can be made
//! to call a tool); `generation` knows.

mod generation;
mod request;
mod stream;

use serde_json::Value;

use super::codec::{Codec, Decoder, Link, Tokens, Wire};
use crate::model::{ModelCard, Request, Tool};

/// `POST /v1/messages`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Anthropic;

impl Codec for Anthropic {
    fn wire(&self, card: &ModelCard, request: &Request, _link: Option<&Link>) -> Wire {
        request::wire(card, request)
    }

    fn decoder(&self, tools: &[Tool]) -> Box<dyn Decoder> {
        Box::new(stream::Stream::new(tools))
    }

    fn authorization(&self, key: &str) -> (&'static str, String) {
        ("x-api-key", key.to_owned())
    }

    fn whole_usage(&self, body: &Value) -> Option<Tokens> {
        let mut counted = stream::Counted::default();
        counted.merge(body.get("usage")?);
        Some(counted.tokens())
    }
}

#[cfg(test)]
mod tests;
