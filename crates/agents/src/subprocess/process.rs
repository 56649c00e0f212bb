//! A child process and its three pipes, none of which can make us wait for ever.

use std::io::{self, BufReader, PipeWriter, Write};
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use quintain_process::sandbox::{ProgramAccess, ProgramSurroundings};
use quintain_process::{OomWatch, OutputTail, ProcessEnd, ProcessGroup};

use crate::lines::{Lines, NoLine};

/// How much of the end of standard error is kept, and how many lines of it are told.
const KEPT_BYTES: usize = 8 * 1024;
const TOLD_LINES: usize = 12;

/// A running program. Dropping it ends it and everything it started.
#[derive(Debug)]
pub(super) struct Process {
    group: ProcessGroup,
    outbox: Option<Outbox>,
    lines: Lines,
    stderr: OutputTail,
    oom_watch: OomWatch,
}

/// What is known of a process that is gone.
#[derive(Debug, Default)]
pub(super) struct LastWords {
    /// How it left by itself; nothing if it had to be killed.
    pub(super) exit: Option<String>,
    /// Whether the host killed it, as far as can be told.
    pub(super) is_host_kill: bool,
    /// The end of what it wrote to standard error.
    pub(super) words: String,
}

impl Process {
    pub(super) fn start(argv: &[String], access: &ProgramAccess, max_line: usize) -> io::Result<Self> {
        let options = access.options(argv, ProgramSurroundings::default()).map_err(io::Error::other)?;
        let oom_watch = OomWatch::begin();
        let mut group = options.input(Stdio::piped()).output(Stdio::piped()).errors(Stdio::piped()).spawn()?;
        let pipes = group.take_pipes();
        let (Some(stdin), Some(stdout), Some(stderr)) = (pipes.input, pipes.output, pipes.errors) else {
            return Err(io::Error::other("a pipe is missing"));
        };
        Ok(Self {
            outbox: Some(Outbox::to(stdin)?),
            lines: Lines::from(BufReader::new(stdout), max_line)?,
            stderr: OutputTail::of([stderr], KEPT_BYTES)?,
            group,
            oom_watch,
        })
    }

    /// Writes a line, which must end in a line end.
    pub(super) fn tell(&mut self, line: String, within: Duration) -> Result<(), NoLine> {
        self.outbox.as_ref().map_or(Err(NoLine::Closed), |outbox| outbox.write(line, within))
    }

    pub(super) fn hear(&self, within: Duration) -> Result<String, NoLine> {
        self.lines.next(within)
    }

    pub(super) fn said_unasked(&self) -> Option<String> {
        self.lines.waiting()
    }

    /// Closes its input and gives it some time to leave, then kills what is left of its group. With no time to leave the
    /// input stays open to the last, so that nobody who was only slow gets a chance to exit on his own.
    pub(super) fn close(mut self, leaving: Duration) -> LastWords {
        if !leaving.is_zero() {
            self.outbox = None;
            self.lines.until_closed(leaving);
        }
        let used_up = self.group.used_up().map(|what| format!("was ended: {what}"));
        let status = self.group.end();
        let is_host_kill = status.is_some_and(|status| self.oom_watch.explains(status));
        LastWords {
            exit: used_up.or_else(|| status.and_then(described)),
            is_host_kill,
            words: last_lines(&self.stderr.text()),
        }
    }
}

fn described(status: ExitStatus) -> Option<String> {
    match ProcessEnd::of(status) {
        ProcessEnd::Exited(code) => Some(format!("exited with status {code}")),
        ProcessEnd::Killed => None,
        ProcessEnd::UsedUp | ProcessEnd::Signalled(_) => {
            status.signal().map(|signal| format!("was ended by signal {signal}"))
        }
    }
}

fn last_lines(words: &str) -> String {
    let lines: Vec<&str> = words.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(TOLD_LINES)..].join("\n")
}

/// Writes lines from a thread of its own: a program that does not read must not hold us up.
#[derive(Debug)]
struct Outbox {
    lines: SyncSender<String>,
    written: Receiver<io::Result<()>>,
}

impl Outbox {
    fn to(mut stdin: PipeWriter) -> io::Result<Self> {
        let (lines, inbox) = sync_channel::<String>(1);
        let (done, written) = sync_channel(1);
        thread::Builder::new().name("agent-stdin".to_owned()).spawn(move || {
            while let Ok(line) = inbox.recv() {
                let result = stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush());
                if done.send(result).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { lines, written })
    }

    /// There is never more than one line under way, so only the writing itself takes time.
    fn write(&self, line: String, within: Duration) -> Result<(), NoLine> {
        self.lines.send(line).map_err(|_cause| NoLine::Closed)?;
        match self.written.recv_timeout(within) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) if error.kind() == io::ErrorKind::BrokenPipe => Err(NoLine::Closed),
            Ok(Err(error)) => Err(NoLine::Broken(error.to_string())),
            Err(RecvTimeoutError::Timeout) => Err(NoLine::Late),
            Err(RecvTimeoutError::Disconnected) => Err(NoLine::Closed),
        }
    }
}
