//! The smallest wire format: `say`, `usage` and `end`.

use serde_json::{Value, json};

use crate::model::{Message, MessageRole, ModelCard, Piece, Request, StopReason, Tool};
use crate::providers::body::WireBody;
use crate::providers::codec::{
    Codec, ConversationLink, DecodedAnswer, Decoder, ProviderRefusal, StreamError, UsedTokens, WireRequest,
};

pub(super) struct Toy;

impl Codec for Toy {
    fn wire(&self, _card: &ModelCard, request: &Request, link: Option<&ConversationLink>) -> WireRequest {
        let known = link.map_or(0, |link| link.n_messages);
        let say: Vec<String> = request.messages[known..].iter().map(Message::text).collect();
        let body = json!({ "say": say, "after": link.map(|link| &link.response_id) });
        WireRequest {
            path: "/v1/toy".to_owned(),
            headers: vec![("x-toy", "1".to_owned())],
            body: WireBody::plain(body),
        }
    }

    fn decoder(&self, _tools: &[Tool]) -> Box<dyn Decoder> {
        Box::new(Reading::default())
    }

    fn refusal(&self, status: u16, body: &str) -> ProviderRefusal {
        match status {
            413 => ProviderRefusal::Overflow,
            429 => ProviderRefusal::RateLimited(body.to_owned()),
            500.. => ProviderRefusal::Overloaded(body.to_owned()),
            _ => ProviderRefusal::Rejected(body.to_owned()),
        }
    }

    fn authorization(&self, key: &str) -> (&'static str, String) {
        ("x-toy-key", key.to_owned())
    }

    fn whole_tokens(&self, _body: &Value) -> Option<UsedTokens> {
        None
    }
}

#[derive(Default)]
struct Reading {
    said: String,
    tokens: Option<UsedTokens>,
    has_ended: bool,
}

impl Decoder for Reading {
    fn event(&mut self, name: &str, data: &str) -> Result<(), StreamError> {
        match name {
            "say" => self.said.push_str(data),
            "usage" => {
                let numbers: Vec<u64> = data.split(' ').map(|number| number.parse().unwrap()).collect();
                let [input, output, cached, cache_written] = numbers[..] else { panic!("four numbers") };
                self.tokens = Some(UsedTokens { input, output, cached, cache_written, ..UsedTokens::default() });
            }
            "end" => self.has_ended = true,
            other => return Err(StreamError::Malformed(other.to_owned())),
        }
        Ok(())
    }

    fn tokens(&self) -> Option<UsedTokens> {
        self.tokens
    }

    fn finish(self: Box<Self>) -> Result<DecodedAnswer, StreamError> {
        if !self.has_ended {
            return Err(StreamError::Cut);
        }
        let message = Message { role: MessageRole::Assistant, pieces: vec![Piece::text(self.said)] };
        let response_id = Some("toy-1".to_owned());
        Ok(DecodedAnswer { message, stop: StopReason::Finished, tokens: self.tokens, response_id })
    }
}
