//! What the wire formats have in common: a request becomes a body, a stream of events becomes a message, a refusal
//! becomes one of four reasons. Pure: nothing here sends, waits or counts money.

pub(in crate::providers) mod calls;
pub(in crate::providers) mod read;
pub(in crate::providers) mod refusal;
#[cfg(test)]
pub(in crate::providers) mod sample;

use std::fmt;
use std::time::Duration;

use serde_json::Value;

use super::body::WireBody;
use crate::model::{Message, ModelCard, Request, StopReason, Tool};

/// One wire format.
pub trait Codec: Send + Sync {
    /// The HTTP request that asks this. With a link, only what was said after it is sent, where the format can do that.
    fn wire(&self, card: &ModelCard, request: &Request, link: Option<&ConversationLink>) -> WireRequest;

    /// Reads one streamed answer. The tools are those that were offered: they tell calls of ours from calls of the
    /// model's own computer tool. Who only wants the usage may pass none.
    fn decoder(&self, tools: &[Tool]) -> Box<dyn Decoder>;

    /// Why the provider refused, from the status and the body of its answer. Only for answers that are no success.
    fn refusal(&self, status: u16, body: &str) -> ProviderRefusal {
        refusal::Complaint::of_body(body).refusal(status)
    }

    /// How long the body of a refusal asks to wait, where it does. Headers are not the format's concern.
    fn retry_after(&self, _body: &str) -> Option<Duration> {
        None
    }

    /// The header that carries the key: `("x-api-key", "...")`.
    fn authorization(&self, key: &str) -> (&'static str, String);

    /// The most tokens that an answer of this model may have at all, where the model thinks and its thoughts count; nothing
    /// for models that do not think or of which nothing is known.
    fn thinks_within(&self, _name: &str) -> Option<u32> {
        None
    }

    /// What a whole, unstreamed answer says it used. We always stream; agents that go through our proxy may not.
    fn whole_tokens(&self, body: &Value) -> Option<UsedTokens>;
}

/// Reads one streamed answer, event by event.
pub trait Decoder: Send {
    /// Takes one server-sent event: its name (empty where it has none) and its data. Events that the format may add
    /// later are passed over.
    fn event(&mut self, name: &str, data: &str) -> Result<(), StreamError>;

    /// What was used, once the provider has told all of it; also when the stream breaks after that. What it counts
    /// until then is not what it bills, so that a stream that is cut before tells nothing.
    fn tokens(&self) -> Option<UsedTokens>;

    /// The answer. A stream that ended without its closing event is [`StreamError::Cut`].
    fn finish(self: Box<Self>) -> Result<DecodedAnswer, StreamError>;
}

/// An HTTP request, but for host, key and the headers that every request has. The method is `POST`.
#[derive(Clone, Debug, PartialEq)]
pub struct WireRequest {
    /// The path with its leading slash, and the query: `/v1/messages`.
    pub path: String,
    /// The format's own headers; neither the key nor the content type.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub body: WireBody,
}

/// Where a conversation stands at a provider that keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConversationLink {
    /// The provider's name of its last answer.
    pub response_id: String,
    /// How many messages of the request it knows, from the first: those of the request it answered, and its answer.
    /// Whoever links has made sure that they are the same, and that system and tools are.
    pub n_messages: usize,
}

/// A whole answer.
#[derive(Clone, Debug, PartialEq)]
pub struct DecodedAnswer {
    /// The message. Its role is the assistant's.
    pub message: Message,
    /// Why it ended there.
    pub stop: StopReason,
    /// What was used; nothing where the provider did not say.
    pub tokens: Option<UsedTokens>,
    /// By which name a later request may link to it; nothing where the format has no such thing.
    pub response_id: Option<String>,
}

/// What a call used, as providers count it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct UsedTokens {
    /// Tokens read, those from and those into a cache included.
    pub input: u64,
    /// Tokens written, thinking included.
    pub output: u64,
    /// Of the tokens read, those that came from a cache.
    pub cached: u64,
    /// Of the tokens read, those that were put into a cache, which some providers charge extra for.
    pub cache_written: u64,
    /// Of those, the ones that stay there for long: an hour with Anthropic, twelve with `OpenAI`.
    pub cache_written_long: u64,
    /// How fast they were served.
    pub speed: ServedSpeed,
    /// Where they were served.
    pub place: ServedPlace,
}

/// How fast a call was served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServedSpeed {
    /// As is usual.
    #[default]
    Usual,
    /// Faster, for more money.
    Fast,
}

/// Where a call was served.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ServedPlace {
    /// Wherever there was room.
    #[default]
    Anywhere,
    /// In the United States and nowhere else, for more money.
    UnitedStates,
}

/// What is as usual is left out.
impl fmt::Debug for UsedTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { input, output, cached, cache_written, cache_written_long, speed, place } = self;
        let mut shown = f.debug_struct("UsedTokens");
        shown.field("input", input).field("output", output).field("cached", cached);
        shown.field("cache_written", cache_written);
        if *cache_written_long > 0 {
            shown.field("cache_written_long", cache_written_long);
        }
        if (*speed, *place) != (ServedSpeed::Usual, ServedPlace::Anywhere) {
            shown.field("speed", speed).field("place", place);
        }
        shown.finish()
    }
}

/// Why a provider refused a request. The words are the provider's own: whoever keeps them
/// redacts them first and shortens them then.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderRefusal {
    /// The request does not fit into the context. Asking again is no use.
    #[error("the request does not fit into the context")]
    Overflow,
    /// The request is wrong for what it is: key, model, parameter, money. Asking again is no use.
    #[error("{0}")]
    Rejected(String),
    /// The provider has trouble. Asking again later may help.
    #[error("{0}")]
    Overloaded(String),
    /// Too many requests. Asking again later helps.
    #[error("{0}")]
    RateLimited(String),
}

/// Why a stream is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StreamError {
    /// It ended before its closing event.
    #[error("stream cut")]
    Cut,
    /// It holds what the format does not have.
    #[error("malformed stream: {0}")]
    Malformed(String),
    /// The provider gave up in the middle and said why.
    #[error("{0}")]
    Refused(ProviderRefusal),
}

/// The model's name as its provider knows it: without our name of the provider before the first slash.
pub fn wire_name(card: &ModelCard) -> &str {
    card.name.split_once('/').map_or(card.name.as_str(), |(_, name)| name)
}
