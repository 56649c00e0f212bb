//! A child process and its three pipes, none of which can make us wait for ever.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::lines::{Lines, NoLine};

/// How much of the end of standard error is kept, and how many lines of it are told.
const KEPT_BYTES: usize = 8 * 1024;
const TOLD_LINES: usize = 12;
/// How long to wait for the last words of a process that is gone: only something that left its group can delay them.
const LAST_WORDS_LIMIT: Duration = Duration::from_millis(500);

/// A running program, leader of a process group of its own. Dropping it kills the group and reaps the program.
#[derive(Debug)]
pub(super) struct Process {
    leader: Leader,
    outbox: Option<Outbox>,
    lines: Lines,
    stderr: Tail,
}

/// What is known of a process that is gone.
#[derive(Debug, Default)]
pub(super) struct Last {
    /// How it left by itself; nothing if it had to be killed.
    pub(super) exit: Option<String>,
    /// The end of what it wrote to standard error.
    pub(super) words: String,
}

impl Process {
    pub(super) fn start(argv: &[String], max_line: usize) -> io::Result<Self> {
        let (program, rest) = argv.split_first().ok_or_else(|| io::Error::other("no program is named"))?;
        let mut child = Command::new(program)
            .args(rest)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let leader = Leader(Some(child));
        let (Some(stdin), Some(stdout), Some(stderr)) = (stdin, stdout, stderr) else {
            return Err(io::Error::other("a pipe is missing"));
        };
        Ok(Self {
            outbox: Some(Outbox::to(stdin)?),
            lines: Lines::from(BufReader::new(stdout), max_line)?,
            stderr: Tail::of(stderr)?,
            leader,
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
    pub(super) fn close(mut self, leaving: Duration) -> Last {
        if !leaving.is_zero() {
            self.outbox = None;
            self.lines.until_closed(leaving);
        }
        let exit = self.leader.reap().and_then(described);
        Last { exit, words: self.stderr.last_words() }
    }
}

/// The program itself, until it is reaped.
#[derive(Debug)]
struct Leader(Option<Child>);

impl Leader {
    /// Kills the group, then reaps its leader: until the leader is reaped nobody else can have the group's number. A
    /// leader that has already left keeps its own exit status.
    fn reap(&mut self) -> Option<ExitStatus> {
        let mut child = self.0.take()?;
        if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
            kill_process_group(group, Signal::KILL).ok();
        }
        child.wait().ok()
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        self.reap();
    }
}

fn described(status: ExitStatus) -> Option<String> {
    match (status.code(), status.signal()) {
        (Some(code), _) => Some(format!("exited with status {code}")),
        (None, Some(signal)) if signal != Signal::KILL.as_raw() => Some(format!("was ended by signal {signal}")),
        _ => None,
    }
}

/// Writes lines from a thread of its own: a program that does not read must not hold us up.
#[derive(Debug)]
struct Outbox {
    lines: SyncSender<String>,
    written: Receiver<io::Result<()>>,
}

impl Outbox {
    fn to(mut stdin: ChildStdin) -> io::Result<Self> {
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

/// The end of what was written to standard error.
#[derive(Debug)]
struct Tail {
    kept: Arc<Mutex<VecDeque<u8>>>,
    finished: Receiver<()>,
}

impl Tail {
    fn of(mut stderr: ChildStderr) -> io::Result<Self> {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let (sender, finished) = sync_channel(1);
        let ring = Arc::clone(&kept);
        thread::Builder::new().name("agent-stderr".to_owned()).spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(n_read) = stderr.read(&mut chunk) {
                if n_read == 0 {
                    break;
                }
                keep(&mut ring.lock().unwrap_or_else(PoisonError::into_inner), &chunk[..n_read]);
            }
            drop(sender);
        })?;
        Ok(Self { kept, finished })
    }

    fn last_words(&self) -> String {
        // Disconnected means that everything has been read; a timeout, that somebody else holds the pipe.
        self.finished.recv_timeout(LAST_WORDS_LIMIT).ok();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = kept.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(TOLD_LINES)..].join("\n")
    }
}

fn keep(ring: &mut VecDeque<u8>, chunk: &[u8]) {
    ring.extend(chunk);
    let excess = ring.len().saturating_sub(KEPT_BYTES);
    ring.drain(..excess);
}
