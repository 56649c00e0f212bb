//! The protocol of Chromium's developer tools over a pair of pipes: no port is opened, and the browser goes when the pipes close.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// The number of a command that was sent and not yet answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SentCommand(u64);

/// Something the browser says of itself.
#[derive(Clone, Debug)]
pub(crate) struct CdpEvent {
    pub(crate) method: String,
    /// The session it belongs to; nothing for the browser as a whole.
    pub(crate) session: Option<String>,
    pub(crate) params: Value,
}

/// Why a command was not answered as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CdpError {
    #[error("the browser is gone")]
    Gone,
    #[error("the browser did not answer within {0:?}")]
    Late(Duration),
    #[error("the browser refused {method}: {why}")]
    Refused { method: String, why: String },
    #[error("the browser's answer to {method} cannot be read: {why}")]
    Unreadable { method: String, why: String },
}

/// A moment by which something must have happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CdpDeadline {
    at: Instant,
    within: Duration,
}

impl CdpDeadline {
    pub(crate) fn after(within: Duration) -> Self {
        Self { at: Instant::now() + within, within }
    }

    /// The earlier of this moment and one soon.
    pub(crate) fn within(self, soon: Duration) -> Self {
        let soon = Self::after(soon);
        if soon.at < self.at { soon } else { self }
    }

    pub(crate) fn has_passed(self) -> bool {
        self.left().is_none()
    }

    fn left(self) -> Option<Duration> {
        self.at.checked_duration_since(Instant::now()).filter(|left| !left.is_zero())
    }
}

#[derive(Serialize)]
struct CdpCommand<'a> {
    id: u64,
    method: &'a str,
    params: Value,
    #[serde(rename = "sessionId", skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
}

#[derive(Deserialize)]
struct CdpMessage<'a> {
    id: Option<u64>,
    method: Option<String>,
    #[serde(rename = "sessionId")]
    session: Option<String>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    error: Option<CdpFailure>,
}

#[derive(Clone, Debug, Deserialize)]
struct CdpFailure {
    message: String,
}

/// A connection to a browser.
#[derive(Debug)]
pub(crate) struct CdpConnection {
    to: File,
    from: File,
    unread: Vec<u8>,
    chunk: Box<[u8]>,
    last_id: u64,
    methods: BTreeMap<u64, String>,
    answers: BTreeMap<u64, Result<Box<RawValue>, CdpFailure>>,
    events: VecDeque<CdpEvent>,
}

impl CdpConnection {
    pub(crate) fn new(to: OwnedFd, from: OwnedFd) -> Self {
        Self {
            to: to.into(),
            from: from.into(),
            unread: Vec::with_capacity(1 << 16),
            chunk: vec![0; 1 << 16].into(),
            last_id: 0,
            methods: BTreeMap::new(),
            answers: BTreeMap::new(),
            events: VecDeque::new(),
        }
    }

    /// Sends a command without waiting for its answer.
    pub(crate) fn send(&mut self, session: Option<&str>, method: &str, params: Value) -> Result<SentCommand, CdpError> {
        self.last_id += 1;
        let command = CdpCommand { id: self.last_id, method, params, session };
        let mut bytes = serde_json::to_vec(&command).expect("a command is JSON");
        bytes.push(0);
        self.to.write_all(&bytes).map_err(|_closed| CdpError::Gone)?;
        self.methods.insert(self.last_id, method.to_owned());
        Ok(SentCommand(self.last_id))
    }

    /// Waits for the answer to a command.
    pub(crate) fn answer<T: DeserializeOwned>(
        &mut self,
        sent: SentCommand,
        deadline: CdpDeadline,
    ) -> Result<T, CdpError> {
        while !self.answers.contains_key(&sent.0) {
            self.read(deadline)?;
        }
        let method = self.methods.remove(&sent.0).unwrap_or_default();
        match self.answers.remove(&sent.0).expect("the loop above waited for it") {
            Ok(result) => serde_json::from_str(result.get())
                .map_err(|error| CdpError::Unreadable { method, why: error.to_string() }),
            Err(failure) => Err(CdpError::Refused { method, why: failure.message }),
        }
    }

    /// Sends a command and waits for its answer.
    pub(crate) fn call<T: DeserializeOwned>(
        &mut self,
        session: Option<&str>,
        method: &str,
        params: Value,
        deadline: CdpDeadline,
    ) -> Result<T, CdpError> {
        let sent = self.send(session, method, params)?;
        self.answer(sent, deadline)
    }

    /// Whether a command has been answered.
    pub(crate) fn is_answered(&self, sent: SentCommand) -> bool {
        self.answers.contains_key(&sent.0)
    }

    /// Drops the answer to a command, wherever it is by now.
    pub(crate) fn forget(&mut self, sent: SentCommand) {
        self.methods.remove(&sent.0);
        self.answers.remove(&sent.0);
    }

    /// Whether an event has arrived.
    pub(crate) fn has_events(&self) -> bool {
        !self.events.is_empty()
    }

    /// The events that have arrived and were not taken yet.
    pub(crate) fn events(&self) -> impl Iterator<Item = &CdpEvent> {
        self.events.iter()
    }

    /// The next event that has arrived, if any.
    pub(crate) fn next_event(&mut self) -> Option<CdpEvent> {
        self.events.pop_front()
    }

    /// Waits until something has arrived and takes it in.
    pub(crate) fn read(&mut self, deadline: CdpDeadline) -> Result<(), CdpError> {
        let searched = self.unread.len();
        if let Some(end) = find_end(&self.unread, 0) {
            return self.take(end);
        }
        self.fill(deadline)?;
        match find_end(&self.unread, searched) {
            Some(end) => self.take(end),
            None => Ok(()),
        }
    }

    fn fill(&mut self, deadline: CdpDeadline) -> Result<(), CdpError> {
        let left = deadline.left().ok_or(CdpError::Late(deadline.within))?;
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
        let mut fds = [PollFd::new(&self.from, PollFlags::IN)];
        match poll(&mut fds, Some(&left)) {
            Ok(0) => return Err(CdpError::Late(deadline.within)),
            Ok(_) => {}
            Err(rustix::io::Errno::INTR) => return Ok(()),
            Err(_) => return Err(CdpError::Gone),
        }
        match self.from.read(&mut self.chunk) {
            Ok(0) | Err(_) => Err(CdpError::Gone),
            Ok(n) => {
                self.unread.extend_from_slice(&self.chunk[..n]);
                Ok(())
            }
        }
    }

    fn take(&mut self, end: usize) -> Result<(), CdpError> {
        let unreadable =
            |error: serde_json::Error| CdpError::Unreadable { method: "an event".to_owned(), why: error.to_string() };
        let message: CdpMessage<'_> = serde_json::from_slice(&self.unread[..end]).map_err(unreadable)?;
        if let Some(id) = message.id {
            let nothing = || RawValue::from_string("{}".to_owned()).expect("an empty object is JSON");
            let answer = message.error.map_or_else(|| Ok(message.result.map_or_else(nothing, ToOwned::to_owned)), Err);
            // The answer to a command that was forgotten is of no use to anyone.
            if self.methods.contains_key(&id) {
                self.answers.insert(id, answer);
            }
        } else if let Some(method) = message.method {
            let params = message.params.map_or(Ok(Value::Null), |params| serde_json::from_str(params.get()));
            let params = params.map_err(unreadable)?;
            self.events.push_back(CdpEvent { method, session: message.session, params });
        }
        self.unread.drain(..=end);
        Ok(())
    }
}

fn find_end(bytes: &[u8], from: usize) -> Option<usize> {
    bytes[from..].iter().position(|byte| *byte == 0).map(|place| from + place)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A connection, the end where commands come out, and the end where answers go in.
    fn connected() -> (CdpConnection, File, File) {
        let (commands_out, commands_in) = rustix::pipe::pipe().expect("a pipe");
        let (answers_out, answers_in) = rustix::pipe::pipe().expect("a pipe");
        (CdpConnection::new(commands_in, answers_out), commands_out.into(), answers_in.into())
    }

    fn soon() -> CdpDeadline {
        CdpDeadline::after(Duration::from_secs(5))
    }

    #[test]
    fn answers_find_their_commands_whatever_comes_between() {
        let (mut connection, mut commands, mut answers) = connected();
        let first = connection.send(None, "A.one", json!({})).expect("sent");
        let second = connection.send(Some("s"), "A.two", json!({"x": 1})).expect("sent");
        let all = concat!(
            "{\"method\":\"E.event\",\"sessionId\":\"s\",\"params\":{\"y\":2}}\0",
            "{\"id\":2,\"result\":{\"z\":3}}\0{\"id\":1,\"error\":{\"message\":\"no such thing\"}}\0"
        );
        for piece in all.as_bytes().chunks(7) {
            answers.write_all(piece).expect("written");
        }
        assert_eq!(connection.answer::<Value>(second, soon()), Ok(json!({"z": 3})));
        let refused = connection.answer::<Value>(first, soon()).expect_err("refused");
        assert_eq!(refused.to_string(), "the browser refused A.one: no such thing");
        let event = connection.next_event().expect("an event");
        assert_eq!(
            (event.method.as_str(), event.session.as_deref(), &event.params["y"]),
            ("E.event", Some("s"), &json!(2))
        );
        let mut sent = vec![0; 1024];
        let n = commands.read(&mut sent).expect("read");
        insta::assert_snapshot!(String::from_utf8_lossy(&sent[..n]).replace('\0', "\n"), @r#"
        {"id":1,"method":"A.one","params":{}}
        {"id":2,"method":"A.two","params":{"x":1},"sessionId":"s"}
        "#);
    }

    #[test]
    fn silence_and_departure_are_told_apart() {
        let (mut connection, _commands, answers) = connected();
        let sent = connection.send(None, "A.one", json!({})).expect("sent");
        let short = Duration::from_millis(20);
        assert_eq!(connection.answer::<Value>(sent, CdpDeadline::after(short)), Err(CdpError::Late(short)));
        drop(answers);
        assert_eq!(connection.answer::<Value>(sent, soon()), Err(CdpError::Gone));
    }
}
