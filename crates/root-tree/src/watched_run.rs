//! A program of a build: what it prints is told line by line, and it has a deadline.

use std::collections::VecDeque;
use std::io::{self, BufRead as _, BufReader, PipeReader, Read as _, pipe};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use quintain_process::SpawnOptions;

/// How many of the last lines are kept.
const KEPT_LINES: usize = 20;
/// How much of a line is told.
const LINE_BYTES: u64 = 400;
/// How long a program may take to be gone that prints nothing any more.
const GONE: Duration = Duration::from_secs(20);

/// What a build tells while it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildProgress<'a> {
    /// A step begins.
    Step {
        /// Which, from one.
        number: usize,
        /// Of how many.
        n_steps: usize,
        /// What is done.
        what: &'a str,
    },
    /// A line that a program printed.
    Line(&'a str),
}

/// Whoever is told how a build goes on.
pub type BuildListener<'a> = dyn FnMut(BuildProgress<'_>) + 'a;

/// Why a program did not come to a good end.
#[derive(Debug)]
pub(crate) struct FailedRun {
    pub(crate) what: String,
    pub(crate) last_words: Vec<String>,
}

/// Runs a program to its end.
pub(crate) fn run(options: SpawnOptions, deadline: Instant, tell: &mut BuildListener<'_>) -> Result<(), FailedRun> {
    let mut last_words = VecDeque::new();
    let what = match listened(options, deadline, tell, &mut last_words) {
        Ok(None) => return Ok(()),
        Ok(Some(what)) => what,
        Err(error) => format!("it cannot be run: {error}"),
    };
    Err(FailedRun { what, last_words: last_words.into() })
}

/// What went wrong, if something did.
fn listened(
    options: SpawnOptions,
    deadline: Instant,
    tell: &mut BuildListener<'_>,
    last_words: &mut VecDeque<String>,
) -> io::Result<Option<String>> {
    let (output, to_output) = pipe()?;
    let mut group = options.output(to_output.try_clone()?).errors(to_output).spawn()?;
    let lines = lines(output)?;
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                tell(BuildProgress::Line(&line));
                last_words.extend((!line.is_empty()).then_some(line));
                last_words.drain(..last_words.len().saturating_sub(KEPT_LINES));
            }
            Err(RecvTimeoutError::Timeout) => return Ok(Some("the time for the build is over".to_owned())),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(match group.wait(GONE)? {
        Some(status) if status.success() => None,
        Some(status) => Some(format!("it failed ({status})")),
        None => Some("it closed its output and did not leave".to_owned()),
    })
}

/// The lines that come out of a pipe, what is too long in them cut off.
fn lines(output: PipeReader) -> io::Result<Receiver<String>> {
    let (told, lines) = sync_channel(64);
    thread::Builder::new().name("tree-build".to_owned()).spawn(move || {
        let mut reader = BufReader::new(output);
        let mut line = Vec::new();
        while matches!(reader.by_ref().take(LINE_BYTES).read_until(b'\n', &mut line), Ok(n_read) if n_read > 0) {
            if !line.ends_with(b"\n") && reader.skip_until(b'\n').is_err() {
                return;
            }
            // What moves the cursor would spoil the terminal of whoever looks on.
            let text = String::from_utf8_lossy(&line);
            let shown = text.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default();
            let plain: String = shown.trim_end().chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            if told.send(plain).is_err() {
                return;
            }
            line.clear();
        }
    })?;
    Ok(lines)
}
