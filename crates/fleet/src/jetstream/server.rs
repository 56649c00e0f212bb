//! The few things that are asked of the server: put a message, look at the last one, read a range, take, acknowledge.

use std::time::{Duration, SystemTime};

use async_nats::client::RequestErrorKind;
use async_nats::jetstream::consumer::{DeliverPolicy, push};
use async_nats::jetstream::stream::LastRawMessageErrorKind;
use async_nats::jetstream::{self, Context};
use async_nats::{Client, HeaderMap, Request, StatusCode};
use bytes::Bytes;
use futures_util::StreamExt;
use quintain_runner::engine::EngineError;
use serde::Deserialize;
use serde_json::json;

use crate::server_failure::failed;

/// How long the server may take for an answer.
pub(super) const WITHIN: Duration = Duration::from_secs(5);

/// How many messages are read at once, and how many bytes.
const PAGE: (usize, usize) = (1_000, 8 << 20);

/// How many bits a second are sent to one who counts and reads no further than the first message.
const SLOW_BITS: u64 = 80_000;

/// How often a reader looks again when the node that answered lags behind.
const N_LOOKS: u32 = 200;

/// A message of a stream.
#[derive(Clone, Debug)]
pub(super) struct StoredMessage {
    pub(super) seq: u64,
    pub(super) subject: String,
    pub(super) body: Bytes,
}

/// What became of a message that was put.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum MessagePut {
    /// It is there, and has this number.
    At(u64),
    /// It is not there: there was another one before, or so the server says.
    Refused,
    /// Nobody knows.
    Unsure(String),
}

/// The server, as the engine uses it.
#[derive(Clone)]
pub(super) struct QueueServer {
    pub(super) client: Client,
    pub(super) context: Context,
}

impl QueueServer {
    pub(super) fn new(client: Client) -> Self {
        let mut context = jetstream::new(client.clone());
        context.set_timeout(WITHIN);
        Self { client, context }
    }

    /// Puts a message, if the last one on the subject has the expected number; 0 means that there must be none.
    pub(super) async fn put(&self, subject: String, expected: Option<u64>, body: Vec<u8>) -> MessagePut {
        let mut request = Request::new().payload(body.into()).timeout(Some(WITHIN));
        if let Some(expected) = expected {
            let mut headers = HeaderMap::new();
            headers.insert(async_nats::header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, expected.to_string());
            request = request.headers(headers);
        }
        match self.client.send_request(subject, request).await {
            Ok(answer) => read_put(&answer.payload),
            Err(error) => MessagePut::Unsure(error.to_string()),
        }
    }

    /// The last message on a subject, which may have wildcards, as the stream's leader sees it.
    pub(super) async fn last(&self, stream: &str, subject: &str) -> Result<Option<StoredMessage>, EngineError> {
        let stream = self.context.get_stream_no_info(stream).await.map_err(failed("look at a message"))?;
        match stream.get_last_raw_message_by_subject(subject).await {
            Ok(found) => {
                Ok(Some(StoredMessage { seq: found.sequence, subject: found.subject.to_string(), body: found.payload }))
            }
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            Err(error) => Err(failed("look at a message")(error)),
        }
    }

    /// The messages of a stream on subjects, from a number on, at most so many. Whatever was acknowledged before the
    /// call is among them, whichever node answers.
    pub(super) async fn read(
        &self,
        stream: &str,
        filter: &str,
        from: u64,
        max: usize,
    ) -> Result<Vec<StoredMessage>, EngineError> {
        let Some(last) = self.last(stream, filter).await? else {
            return Ok(Vec::new());
        };
        let (mut read, mut next, mut n_looks) = (Vec::new(), from.max(1), 0);
        while next <= last.seq && read.len() < max {
            let page = self.page(stream, filter, next, PAGE.0.min(max - read.len())).await?;
            if let Some(newest) = page.last() {
                next = newest.seq + 1;
                read.extend(page);
                continue;
            }
            n_looks += 1;
            if n_looks > N_LOOKS {
                return Err(failed("read messages")("the node that answers does not catch up"));
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(read)
    }

    /// What one node has, as far as it goes on one page.
    async fn page(&self, stream: &str, filter: &str, from: u64, max: usize) -> Result<Vec<StoredMessage>, EngineError> {
        let inbox = self.client.new_inbox();
        let mut answers = self.client.subscribe(inbox.clone()).await.map_err(failed("read messages"))?;
        let wish = json!({"batch": max, "max_bytes": PAGE.1, "seq": from, "next_by_subj": filter});
        let wish = serde_json::to_vec(&wish).map_err(failed("read messages"))?;
        let api = format!("$JS.API.DIRECT.GET.{stream}");
        self.client.publish_with_reply(api, inbox, wish.into()).await.map_err(failed("read messages"))?;
        let mut page = Vec::new();
        loop {
            let answer = tokio::time::timeout(WITHIN, answers.next()).await.map_err(failed("read messages"))?;
            let answer = answer.ok_or_else(|| failed("read messages")("the connection was closed"))?;
            match answer.status {
                None | Some(StatusCode::OK) => page.extend(read_stored(&answer)),
                Some(StatusCode::NO_RESPONDERS) => return Err(failed("read messages")("no node answers")),
                Some(_) => return Ok(page),
            }
        }
    }

    /// Shows the subject of each message of a stream, from the first to the last of this moment as one node sees it, at
    /// the cost of one pass however many there are. Returns where to read on.
    pub(super) async fn walk(&self, stream: &str, filter: &str, mut see: impl FnMut(&str)) -> Result<u64, EngineError> {
        let stream = self.context.get_stream_no_info(stream).await.map_err(failed("count outcomes"))?;
        let wish = push::OrderedConfig {
            deliver_subject: self.client.new_inbox(),
            filter_subject: filter.to_owned(),
            headers_only: true,
            ..Default::default()
        };
        let consumer = stream.create_consumer(wish).await.map_err(failed("count outcomes"))?;
        let (mut n_left, mut next) = (consumer.cached_info().num_pending, 1);
        let mut messages = consumer.messages().await.map_err(failed("count outcomes"))?;
        while n_left > 0 {
            let message = tokio::time::timeout(WITHIN, messages.next()).await.map_err(failed("count outcomes"))?;
            let message = message.ok_or_else(|| failed("count outcomes")("the connection was closed"))?;
            let message = message.map_err(failed("count outcomes"))?;
            see(&message.subject);
            let place = message.info().map_err(failed("count outcomes"))?;
            (n_left, next) = (place.pending, place.stream_sequence + 1);
        }
        Ok(next)
    }

    /// How many messages of a stream on subjects came since a moment, and when the first of them did, in milliseconds since
    /// 1970. The server counts; only the first is sent.
    pub(super) async fn count_since(
        &self,
        stream: &str,
        filter: &str,
        since: SystemTime,
    ) -> Result<(u64, i64), EngineError> {
        let stream = self.context.get_stream_no_info(stream).await.map_err(failed("count outcomes"))?;
        let wish = push::OrderedConfig {
            deliver_subject: self.client.new_inbox(),
            deliver_policy: DeliverPolicy::ByStartTime { start_time: since.into() },
            filter_subject: filter.to_owned(),
            headers_only: true,
            // Only the first is of interest, and there may be very many.
            rate_limit: SLOW_BITS,
            ..Default::default()
        };
        let consumer = stream.create_consumer(wish).await.map_err(failed("count outcomes"))?;
        let n = consumer.cached_info().num_pending;
        if n == 0 {
            return Ok((0, 0));
        }
        let mut messages = consumer.messages().await.map_err(failed("count outcomes"))?;
        let first = tokio::time::timeout(WITHIN, messages.next()).await.map_err(failed("count outcomes"))?;
        let first = first.ok_or_else(|| failed("count outcomes")("the connection was closed"))?;
        let first = first.map_err(failed("count outcomes"))?;
        let published = first.info().map_err(failed("count outcomes"))?.published;
        Ok((n, (published.unix_timestamp_nanos() / 1_000_000) as i64))
    }

    /// The subjects of a stream that have messages.
    pub(super) async fn subjects(&self, stream: &str, filter: &str) -> Result<Vec<String>, EngineError> {
        let stream = self.context.get_stream_no_info(stream).await.map_err(failed("list what is on offer"))?;
        let mut listed = stream.info_with_subjects(filter).await.map_err(failed("list what is on offer"))?;
        let mut subjects = Vec::new();
        while let Some(subject) = listed.next().await {
            subjects.push(subject.map_err(failed("list what is on offer"))?.0);
        }
        Ok(subjects)
    }

    /// Removes all messages of a stream on subjects.
    pub(super) async fn purge(&self, stream: &str, filter: &str) -> Result<(), EngineError> {
        let stream = self.context.get_stream_no_info(stream).await.map_err(failed("take back offers"))?;
        stream.purge().filter(filter).await.map_err(failed("take back offers"))?;
        Ok(())
    }

    /// Acknowledges without waiting: where it gets lost, the unit comes again and is found to be settled.
    pub(super) async fn ack(&self, to: &str) -> Result<(), EngineError> {
        self.client.publish(to.to_owned(), "+ACK".into()).await.map_err(failed("acknowledge a unit"))
    }

    /// Tells something about a message that was taken, and waits until the server has heard it.
    pub(super) async fn tell(&self, to: &str, what: String, within: Duration) -> Result<(), EngineError> {
        let request = Request::new().payload(what.into()).timeout(Some(within));
        self.client.send_request(to.to_owned(), request).await.map_err(failed("tell the server of a unit"))?;
        Ok(())
    }

    /// Asks somebody else than the server.
    pub(super) async fn ask(&self, subject: String, question: Vec<u8>) -> Result<Bytes, EngineError> {
        let request = Request::new().payload(question.into()).timeout(Some(WITHIN));
        match self.client.send_request(subject, request).await {
            Ok(answer) => Ok(answer.payload),
            Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                Err(failed("ask the steward")("no steward is there; is one running?"))
            }
            Err(error) => Err(failed("ask the steward")(error)),
        }
    }
}

fn read_put(answer: &[u8]) -> MessagePut {
    #[derive(Deserialize)]
    struct ServerAnswer {
        seq: Option<u64>,
        error: Option<ServerRefusal>,
    }
    #[derive(Deserialize)]
    struct ServerRefusal {
        err_code: u64,
        description: String,
    }
    /// Another sequence than expected (twice: it has two codes), and too many messages on the subject.
    const TAKEN: [u64; 3] = [10071, 10164, 10077];
    match serde_json::from_slice(answer) {
        Ok(ServerAnswer { error: Some(refusal), .. }) if TAKEN.contains(&refusal.err_code) => MessagePut::Refused,
        Ok(ServerAnswer { error: Some(refusal), .. }) => MessagePut::Unsure(refusal.description),
        Ok(ServerAnswer { seq: Some(seq), .. }) => MessagePut::At(seq),
        Ok(_) => MessagePut::Unsure("the answer says nothing".to_owned()),
        Err(error) => MessagePut::Unsure(error.to_string()),
    }
}

fn read_stored(message: &async_nats::Message) -> Option<StoredMessage> {
    let headers = message.headers.as_ref()?;
    let seq = headers.get("Nats-Sequence")?.as_str().parse().ok()?;
    let subject = headers.get("Nats-Subject")?.as_str().to_owned();
    Some(StoredMessage { seq, subject, body: message.payload.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_to_a_put_are_told_apart() {
        assert_eq!(read_put(br#"{"stream":"S","seq":7}"#), MessagePut::At(7));
        for code in [10071, 10164, 10077] {
            let answer = format!(r#"{{"error":{{"err_code":{code},"description":"no"}},"stream":"S","seq":0}}"#);
            assert_eq!(read_put(answer.as_bytes()), MessagePut::Refused);
        }
        let full = br#"{"error":{"code":503,"err_code":10023,"description":"insufficient resources"},"seq":0}"#;
        assert_eq!(read_put(full), MessagePut::Unsure("insufficient resources".to_owned()));
    }
}
