//! The smallest wire format: `say`, `usage` and `end`.

use serde_json::{Value, json};

use crate::model::{Message, ModelCard, Piece, Request, Role, StopReason, Tool};
use crate::providers::codec::{Codec, Decoded, Decoder, Link, Refusal, StreamError, Tokens, Wire};

pub(super) struct Toy;

impl Codec for Toy {
    fn wire(&self, _card: &ModelCard, request: &Request, link: Option<&Link>) -> Wire {
        let known = link.map_or(0, |link| link.n_messages);
        let say: Vec<String> = request.messages[known..].iter().map(Message::text).collect();
        let body = json!({ "say": say, "after": link.map(|link| &link.response_id) });
        Wire { path: "/v1/toy".to_owned(), headers: vec![("x-toy", "1".to_owned())], body }
    }

    fn decoder(&self, _tools: &[Tool]) -> Box<dyn Decoder> {
        Box::new(Reading::default())
    }

    fn refusal(&self, status: u16, body: &str) -> Refusal {
        match status {
            413 => Refusal::Overflow,
            429 => Refusal::RateLimited(body.to_owned()),
            500.. => Refusal::Overloaded(body.to_owned()),
            _ => Refusal::Rejected(body.to_owned()),
        }
    }

    fn authorization(&self, key: &str) -> (&'static str, String) {
        ("x-toy-key", key.to_owned())
    }

    fn whole_tokens(&self, _body: &Value) -> Option<Tokens> {
        None
    }
}

#[derive(Default)]
struct Reading {
    said: String,
    tokens: Option<Tokens>,
    has_ended: bool,
}

impl Decoder for Reading {
    fn event(&mut self, name: &str, data: &str) -> Result<(), StreamError> {
        match name {
            "say" => self.said.push_str(data),
            "usage" => {
                let numbers: Vec<u64> = data.split(' ').map(|number| number.parse().unwrap()).collect();
                let [input, output, cached, cache_written] = numbers[..] else { panic!("four numbers") };
                self.tokens = Some(Tokens { input, output, cached, cache_written });
            }
            "end" => self.has_ended = true,
            other => return Err(StreamError::Malformed(other.to_owned())),
        }
        Ok(())
    }

    fn tokens(&self) -> Option<Tokens> {
        self.tokens
    }

    fn finish(self: Box<Self>) -> Result<Decoded, StreamError> {
        if !self.has_ended {
            return Err(StreamError::Cut);
        }
        let message = Message { role: Role::Assistant, pieces: vec![Piece::text(self.said)] };
        let response_id = Some("toy-1".to_owned());
        Ok(Decoded { message, stop: StopReason::Finished, tokens: self.tokens, response_id })
    }
}
