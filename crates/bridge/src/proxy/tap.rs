//! Listens to an answer that passes by, and settles the bill when it is over.

use std::sync::Arc;

use quintain_core::books::Bill;
use quintain_core::exchange::{Exchange, Exchanges};
use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::OpenCall;
use quintain_models::providers::codec::{Codec, Decoder, UsedTokens};
use quintain_models::providers::keys::redact;
use quintain_models::providers::sse::SseReader;
use serde_json::Value;

use super::meter::ProxyMeter;

/// The longest answer that is kept and read; what is longer passes, and its bill is unknown unless it was streamed.
const MAX_KEPT: usize = 64 << 20;

/// One call that passes through, from its admission to its bill. One that is dropped early is settled as it stands.
pub(crate) struct PassingCall {
    pub(crate) call: Option<OpenCall>,
    pub(crate) toll: Arc<ProxyMeter>,
    pub(crate) catalogue: Arc<ModelCatalogue>,
    pub(crate) exchanges: Arc<dyn Exchanges>,
    /// Provider and name.
    pub(crate) model: String,
    pub(crate) path: String,
    pub(crate) request: Vec<u8>,
    pub(crate) status: Option<u16>,
    pub(crate) ear: UsageReader,
    pub(crate) kept: Vec<u8>,
    /// What the connection did wrong.
    pub(crate) broke: Option<String>,
}

/// How the usage of an answer is heard.
pub(crate) enum UsageReader {
    /// From the events of a stream.
    Stream(SseReader, Box<dyn Decoder>),
    /// From the whole body, at its end.
    Whole(Arc<dyn Codec>),
    /// The answer is a refusal: nothing is billed.
    Refusal,
    /// Nothing has come yet.
    Deaf,
}

impl PassingCall {
    /// Hears a chunk that passes.
    pub(crate) fn hear(&mut self, chunk: &[u8]) {
        if self.kept.len() + chunk.len() <= MAX_KEPT {
            self.kept.extend_from_slice(chunk);
        }
        if let UsageReader::Stream(reader, decoder) = &mut self.ear {
            for event in reader.feed(chunk) {
                // What this decoder cannot read may be fine for the client; what was used is all that matters here.
                drop(decoder.event(&event.name, &event.data));
            }
        }
    }

    /// The answer is over, well or not.
    fn settle(&mut self) {
        let Some(call) = self.call.take() else { return };
        let bill = self.bill();
        let trouble = self.trouble();
        let unsaid = (bill == Bill::Unknown).then(|| "no usage".to_owned());
        let path = self.path.split('?').next().unwrap_or_default();
        let (request, response) = (redacted(&self.request), redacted(&self.kept));
        let kept = self.exchanges.keep(&Exchange {
            call: call.id(),
            trial: &self.toll.trial,
            attempt: self.toll.who.attempt,
            path,
            status: self.status,
            request: &request,
            response: &response,
        });
        let ended = call.end(bill, trouble.clone().or(unsaid));
        // The client has its answer; books that cannot be written stop the trial at its next call, which is refused.
        let unwritten = kept.and(ended).err().map(|error| error.to_string());
        self.toll.charge(bill.usage(), unwritten.or(trouble));
    }

    fn bill(&self) -> Bill {
        match (self.tokens(), &self.ear) {
            (Some(tokens), _) => Bill::Told(tokens.priced(self.catalogue.price(&self.model))),
            (None, UsageReader::Refusal) => Bill::Free,
            (None, _) => Bill::Unknown,
        }
    }

    fn tokens(&self) -> Option<UsedTokens> {
        match &self.ear {
            UsageReader::Stream(_, decoder) => decoder.tokens(),
            UsageReader::Whole(codec) => {
                let body: Value = serde_json::from_slice(&self.kept).ok()?;
                // Google streams a list of parts where events were not asked for; the last one counts all.
                let parts = if let Value::Array(parts) = body { parts } else { vec![body] };
                parts.iter().rev().find_map(|part| codec.whole_tokens(part))
            }
            UsageReader::Refusal | UsageReader::Deaf => None,
        }
    }

    /// What the provider did wrong, in few words.
    fn trouble(&self) -> Option<String> {
        match (&self.broke, self.status) {
            (Some(broke), _) => Some(broke.clone()),
            (None, Some(status)) if status >= 400 => Some(status.to_string()),
            _ => None,
        }
    }
}

impl Drop for PassingCall {
    fn drop(&mut self) {
        self.settle();
    }
}

/// Bodies hold no key; should one ever do, it is not kept.
fn redacted(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let shown = redact(&text);
    // What was cut in the middle of a character is no text any more, and may hold a key all the same.
    if shown == text { bytes.to_vec() } else { shown.into_bytes() }
}

#[cfg(test)]
mod tests {
    use quintain_models::providers::Secret;

    use super::*;

    #[test]
    fn a_key_is_hidden_in_what_was_cut_too() {
        let _secret = Secret::new("sk-tap-very-secret", "TAP_KEY");
        assert_eq!(redacted(b"wrong: sk-tap-very-secret \xc3"), "wrong: [TAP_KEY] \u{fffd}".as_bytes());
        assert_eq!(redacted(b"plain \xc3"), b"plain \xc3");
    }
}
