//! One HTTP request to a provider, and the answer it streams.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use tokio::time::{Instant, timeout_at};

use super::body::PartedBody;
use super::codec::{Codec, DecodedAnswer, Decoder, ProviderRefusal, StreamError, UsedTokens};
use super::keys::redact;
use super::retry::asked_in_headers;
use super::sse::SseReader;
use crate::model::Tool;

/// The longest piece of a provider's words that is kept.
const LONGEST_WORDS: usize = 300;
/// The longest body of a refusal that is read.
const LONGEST_REFUSAL: usize = 64 * 1024;

/// The longest wait that is believed: nobody here waits as long, and no clock goes on for ever.
const LONGEST_ASKED: Duration = Duration::from_hours(24);

/// A request that is ready to be sent.
pub(crate) struct Outgoing {
    pub(crate) url: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<Bytes>,
}

/// How long a call may take, and how long its stream may be silent.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CallTimeouts {
    pub(crate) until: Instant,
    pub(crate) idle: Duration,
}

/// A call without an answer.
#[derive(Debug)]
pub(crate) struct FailedCall {
    pub(crate) kind: CallFailure,
    /// What it used, where all of it was told before it failed.
    pub(crate) tokens: Option<UsedTokens>,
}

/// What went wrong.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum CallFailure {
    /// Nobody took the request: nothing can have been billed.
    Unreached(String),
    /// The provider refused before it said anything else: nothing is billed.
    Refused { status: u16, refusal: ProviderRefusal, asked: Option<Duration> },
    /// The provider began to answer and then gave up.
    GaveUp(ProviderRefusal),
    /// The answer broke off or cannot be read.
    Broken(String),
    /// The stream fell silent for longer than it may.
    Stalled,
    /// The time was up: before the first byte, or while the answer was still coming.
    TimedOut { has_begun: bool },
}

impl CallFailure {
    /// Whether it is about who asks, not about what: a key that is refused, an account without money.
    pub(super) fn shuts_out(&self) -> bool {
        matches!(self, Self::Refused { status: 401..=403, .. })
    }

    /// In few words, for the books.
    pub(crate) fn words(&self) -> String {
        let words = match self {
            Self::Unreached(why) => format!("not reached: {why}"),
            Self::Refused { status, refusal, .. } => with_status(*status, &refusal.to_string()),
            Self::GaveUp(refusal) => format!("gave up: {refusal}"),
            Self::Broken(why) => why.clone(),
            Self::Stalled => "stream stalled".to_owned(),
            Self::TimedOut { .. } => "timed out".to_owned(),
        };
        shown(&words)
    }
}

/// Formats that have the status in their words already are not doubled.
fn with_status(status: u16, words: &str) -> String {
    let status = status.to_string();
    if words.starts_with(&status) { words.to_owned() } else { format!("{status} {words}") }
}

/// Words of a provider as they may be kept: short, in one line and without secrets.
pub(crate) fn shown(words: &str) -> String {
    let line = redact(words).split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_WORDS) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line,
    }
}

/// The headers in which providers name a request: Anthropic's, that of `OpenAI` and most others, Azure's, Amazon's.
const REQUEST_IDS: [&str; 4] = ["request-id", "x-request-id", "apim-request-id", "x-amzn-requestid"];

/// Sends a request and reads the whole answer. It comes with the provider's own name of the request, where that said it.
pub(crate) async fn send(
    client: &reqwest::Client,
    outgoing: Outgoing,
    (codec, tools): (&dyn Codec, &[Tool]),
    id: &str,
    patience: CallTimeouts,
) -> (Option<String>, Result<DecodedAnswer, FailedCall>) {
    let body = reqwest::Body::wrap(PartedBody::from(outgoing.body));
    let request = client.post(outgoing.url).headers(outgoing.headers).header("x-client-request-id", id).body(body);
    let response = match timeout_at(patience.until, request.send()).await {
        Ok(Ok(response)) => response,
        Ok(Err(error)) if error.is_connect() => return (None, Err(CallFailure::Unreached(cause(error)).into())),
        Ok(Err(error)) => return (None, Err(CallFailure::Broken(cause(error)).into())),
        Err(_elapsed) => return (None, Err(CallFailure::TimedOut { has_begun: false }.into())),
    };
    let named = REQUEST_IDS.iter().find_map(|name| response.headers().get(*name)?.to_str().ok());
    let named = named.map(shown);
    if !response.status().is_success() {
        return (named, Err(refused(response, codec, patience).await.into()));
    }
    let is_page = response.headers().get("content-type").is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if is_page {
        let refusal = ProviderRefusal::Rejected("a web page came back".to_owned());
        let failure = CallFailure::Refused { status: response.status().as_u16(), refusal, asked: None };
        return (named, Err(failure.into()));
    }
    (named, read(response, codec.decoder(tools), patience).await)
}

async fn read(
    mut response: reqwest::Response,
    mut decoder: Box<dyn Decoder>,
    patience: CallTimeouts,
) -> Result<DecodedAnswer, FailedCall> {
    let mut events = SseReader::new();
    let failure = loop {
        let chunk = match next_chunk(&mut response, patience).await {
            Ok(Some(chunk)) => chunk,
            Ok(None) => {
                let tokens = decoder.tokens();
                return decoder.finish().map_err(|error| FailedCall { kind: error.into(), tokens });
            }
            // Whatever happens to the connection after the closing event: the answer is whole, and paid for.
            Err(failure) => {
                let tokens = decoder.tokens();
                return decoder.finish().map_err(|_unfinished| FailedCall { kind: failure, tokens });
            }
        };
        let mut read = events.feed(&chunk).into_iter();
        if let Err(error) = read.try_for_each(|event| decoder.event(&event.name, &event.data)) {
            break error.into();
        }
    };
    Err(FailedCall { kind: failure, tokens: decoder.tokens() })
}

async fn next_chunk(response: &mut reqwest::Response, patience: CallTimeouts) -> Result<Option<Vec<u8>>, CallFailure> {
    let silent_until = Instant::now() + patience.idle;
    match timeout_at(patience.until.min(silent_until), response.chunk()).await {
        Ok(Ok(chunk)) => Ok(chunk.map(|bytes| bytes.to_vec())),
        Ok(Err(error)) => Err(CallFailure::Broken(format!("stream cut: {}", cause(error)))),
        Err(_elapsed) if silent_until <= patience.until => Err(CallFailure::Stalled),
        Err(_elapsed) => Err(CallFailure::TimedOut { has_begun: true }),
    }
}

async fn refused(mut response: reqwest::Response, codec: &dyn Codec, patience: CallTimeouts) -> CallFailure {
    let status = response.status().as_u16();
    let headers = response.headers().clone();
    let mut body = Vec::new();
    // A body that does not come in full is read as far as it came: the status says enough.
    while body.len() < LONGEST_REFUSAL
        && let Ok(Some(chunk)) = next_chunk(&mut response, patience).await
    {
        body.extend(chunk);
    }
    let body = String::from_utf8_lossy(&body);
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let asked = asked_in_headers(&header, SystemTime::now()).or_else(|| codec.retry_after(&body));
    let asked = asked.map(|asked| asked.min(LONGEST_ASKED));
    let refusal = as_told(codec.refusal(status, &body), header("x-should-retry").as_deref());
    CallFailure::Refused { status, refusal, asked }
}

/// The refusal, with what its header says of asking again. Source: `_should_retry` of the packages `anthropic` 2.9.0 and
/// `openai` 3.51.0, which obey it before they look at the status.
fn as_told(refusal: ProviderRefusal, should_retry: Option<&str>) -> ProviderRefusal {
    match (refusal, should_retry) {
        (ProviderRefusal::Rejected(why), Some("true")) => ProviderRefusal::Overloaded(why),
        (ProviderRefusal::Overloaded(why) | ProviderRefusal::RateLimited(why), Some("false")) => {
            ProviderRefusal::Rejected(why)
        }
        (refusal, _) => refusal,
    }
}

/// What happened, without the address: that may hold what is nobody's business.
fn cause(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut innermost: &dyn std::error::Error = &error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// Headers that every call has, the format's own, and the key.
pub(crate) fn headers(
    own: &[(&'static str, String)],
    key: Option<(&'static str, String)>,
) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    headers.insert("content-type", HeaderValue::from_static("application/json"));
    headers.insert("accept", HeaderValue::from_static("text/event-stream"));
    for (name, value) in own {
        let value = HeaderValue::from_str(value).map_err(|error| format!("header {name}: {error}"))?;
        headers.insert(HeaderName::from_static(name), value);
    }
    if let Some((name, value)) = key {
        let wrong = |_secret| "the key holds characters that no header can carry".to_owned();
        let mut value = HeaderValue::from_str(&value).map_err(wrong)?;
        value.set_sensitive(true);
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

impl From<CallFailure> for FailedCall {
    fn from(kind: CallFailure) -> Self {
        Self { kind, tokens: None }
    }
}

impl From<StreamError> for CallFailure {
    fn from(error: StreamError) -> Self {
        match error {
            StreamError::Refused(refusal) => Self::GaveUp(refusal),
            other => Self::Broken(other.to_string()),
        }
    }
}
