//! Lines from somewhere that may never send one: bounded in length, and waited for with a deadline.

use std::io::{self, BufRead, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Lines read by a thread of their own, so that whoever wants the next one need not wait for ever.
#[derive(Debug)]
pub(crate) struct Lines(Receiver<Result<String, NoLine>>);

/// Why there is no line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoLine {
    #[error("no line came in time")]
    Late,
    #[error("the other side closed its output")]
    Closed,
    #[error("a line was longer than {0} bytes")]
    TooLong(usize),
    #[error("a line was not UTF-8")]
    NotText,
    #[error("the line could not be read: {0}")]
    Broken(String),
}

/// A point in time to be done by. A time too far away to be counted is never reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn after(within: Duration) -> Self {
        Self(Instant::now().checked_add(within))
    }

    /// How long until then.
    pub(crate) fn left(self) -> Duration {
        self.0.map_or(Duration::MAX, |at| at.saturating_duration_since(Instant::now()))
    }
}

impl Lines {
    /// Begins to read. At most two lines are held that nobody has asked for. The thread ends with its source, or with
    /// the first line after this value is gone.
    pub(crate) fn from(source: impl BufRead + Send + 'static, max_len: usize) -> io::Result<Self> {
        let (sender, receiver) = sync_channel(1);
        thread::Builder::new().name("agent-lines".to_owned()).spawn(move || pass_on(source, max_len, &sender))?;
        Ok(Self(receiver))
    }

    /// The next line, without its end.
    pub(crate) fn next(&self, within: Duration) -> Result<String, NoLine> {
        match self.0.recv_timeout(within) {
            Ok(line) => line,
            Err(RecvTimeoutError::Timeout) => Err(NoLine::Late),
            Err(RecvTimeoutError::Disconnected) => Err(NoLine::Closed),
        }
    }

    /// A line that is already there.
    pub(crate) fn waiting(&self) -> Option<String> {
        match self.0.try_recv() {
            Ok(line) => line.ok(),
            Err(TryRecvError::Empty | TryRecvError::Disconnected) => None,
        }
    }

    /// Throws lines away until the source is closed, or the time is over.
    pub(crate) fn until_closed(&self, within: Duration) {
        let deadline = Deadline::after(within);
        while self.next(deadline.left()).is_ok() {}
    }
}

fn pass_on(mut source: impl BufRead, max_len: usize, sender: &SyncSender<Result<String, NoLine>>) {
    loop {
        let line = read_line(&mut source, max_len);
        let is_last = line.is_err();
        if sender.send(line).is_err() || is_last {
            return;
        }
    }
}

fn read_line(source: &mut impl BufRead, max_len: usize) -> Result<String, NoLine> {
    let mut line = Vec::new();
    let mut bounded = source.take(max_len as u64 + 1);
    bounded.read_until(b'\n', &mut line).map_err(|error| NoLine::Broken(error.to_string()))?;
    match line.last() {
        None => return Err(NoLine::Closed),
        Some(b'\n') => {
            line.pop();
        }
        Some(_) if line.len() > max_len => return Err(NoLine::TooLong(max_len)),
        Some(_) => {}
    }
    String::from_utf8(line).map_err(|_cause| NoLine::NotText)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    fn read(source: &'static [u8]) -> String {
        let lines = Lines::from(source, 8).unwrap();
        let mut read = Vec::new();
        loop {
            match lines.next(SOON) {
                Ok(line) => read.push(format!("{line:?}")),
                Err(error) => return format!("{} {error}", read.join(" ")),
            }
        }
    }

    #[test]
    fn lines_are_bounded_and_text() {
        assert_eq!(read(b""), " the other side closed its output");
        assert_eq!(read(b"one\n\ntwo"), r#""one" "" "two" the other side closed its output"#);
        assert_eq!(read(b"12345678\n"), r#""12345678" the other side closed its output"#);
        assert_eq!(read(b"one\n123456789\n"), r#""one" a line was longer than 8 bytes"#);
        assert_eq!(read(b"\xff\n"), " a line was not UTF-8");
    }
}
