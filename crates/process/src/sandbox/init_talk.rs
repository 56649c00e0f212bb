//! Talking with the first program of a sandbox, or of a computer elsewhere.

use std::io::{PipeReader, PipeWriter, Write as _};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use quintain_sandbox_init::protocol::{
    CommandReport, CommandRequest, FolderEntry, InitAnswer, InitRequest, ProgramState, read_frame, write_frame,
};

use super::provider::{SandboxCommand, StartedNumber};

/// How long an answer may take that takes no time of its own.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);

/// A thread that asks and waits for the answer, so that nobody else has to wait for ever.
pub(super) struct InitTalk {
    asked: Sender<Vec<u8>>,
    answered: Receiver<Option<InitAnswer>>,
    /// The folder of commands that name none.
    folder: String,
}

/// Why there is nothing of what was asked for.
pub(super) enum InitSilence {
    /// It cannot be done, and nothing has changed.
    Refused(String),
    /// Somebody answers something else.
    Strange(&'static str),
    /// There is no answer, and there will be none to anything.
    Gone,
}

impl InitTalk {
    pub(super) fn over(input: PipeWriter, output: PipeReader, folder: String) -> std::io::Result<Self> {
        Self::after(&[], input, output, folder)
    }

    /// Somebody who is to be sent something before anything is asked.
    pub(super) fn after(
        first: &'static [u8],
        mut input: PipeWriter,
        mut output: PipeReader,
        folder: String,
    ) -> std::io::Result<Self> {
        let (asked, requests) = channel::<Vec<u8>>();
        let (answers, answered) = channel();
        thread::Builder::new().name("sandbox-talk".to_owned()).spawn(move || {
            if input.write_all(first).is_err() {
                return;
            }
            for request in requests {
                let heard = write_frame(&mut input, &request).and_then(|()| read_frame(&mut output));
                let answer = heard.ok().flatten().and_then(|frame| InitAnswer::decode(&frame));
                if answers.send(answer).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { asked, answered, folder })
    }

    pub(super) fn exec(&mut self, command: &SandboxCommand) -> Result<CommandReport, InitSilence> {
        let request = self.request(command);
        match self.ask(&InitRequest::Run(request), command.within.saturating_add(ANSWER_LIMIT))? {
            InitAnswer::Ran(ran) => Ok(ran),
            other => Err(strange(&other)),
        }
    }

    pub(super) fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), InitSilence> {
        match self.ask(&InitRequest::Write { path: path.into(), bytes: bytes.to_vec() }, ANSWER_LIMIT)? {
            InitAnswer::Written => Ok(()),
            other => Err(strange(&other)),
        }
    }

    pub(super) fn get(&mut self, path: &str, offset: u64, max_bytes: u64) -> Result<(Vec<u8>, u64), InitSilence> {
        match self.ask(&InitRequest::Read { path: path.into(), offset, max_bytes }, ANSWER_LIMIT)? {
            InitAnswer::Bytes { bytes, size } => Ok((bytes, size)),
            other => Err(strange(&other)),
        }
    }

    pub(super) fn list(&mut self, path: &str, max_entries: u64) -> Result<(Vec<FolderEntry>, u64), InitSilence> {
        match self.ask(&InitRequest::List { path: path.into(), max_entries }, ANSWER_LIMIT)? {
            InitAnswer::Entries { entries, n_all } => Ok((entries, n_all)),
            other => Err(strange(&other)),
        }
    }

    pub(super) fn start(&mut self, command: &SandboxCommand) -> Result<StartedNumber, InitSilence> {
        let request = CommandRequest { input: Vec::new(), ..self.request(command) };
        match self.ask(&InitRequest::Start(request), ANSWER_LIMIT)? {
            InitAnswer::Started(number) => Ok(StartedNumber(number)),
            other => Err(strange(&other)),
        }
    }

    pub(super) fn look(&mut self, started: StartedNumber) -> Result<ProgramState, InitSilence> {
        match self.ask(&InitRequest::Look { number: started.0 }, ANSWER_LIMIT)? {
            InitAnswer::Looked(state) => Ok(state),
            other => Err(strange(&other)),
        }
    }

    fn request(&self, command: &SandboxCommand) -> CommandRequest {
        CommandRequest {
            argv: command.argv.iter().map(|word| word.clone().into_bytes()).collect(),
            folder: command.folder.as_ref().unwrap_or(&self.folder).clone().into_bytes(),
            input: command.input.clone(),
            millis: u64::try_from(command.within.as_millis()).unwrap_or(u64::MAX),
            kept_bytes: command.kept_bytes,
            is_joined: command.is_joined,
        }
    }

    fn ask(&mut self, request: &InitRequest, within: Duration) -> Result<InitAnswer, InitSilence> {
        self.asked.send(request.encode()).map_err(|_nobody| InitSilence::Gone)?;
        match self.answered.recv_timeout(within).ok().flatten() {
            Some(InitAnswer::Failed(why)) => Err(InitSilence::Refused(why)),
            Some(answer) => Ok(answer),
            None => Err(InitSilence::Gone),
        }
    }
}

/// Somebody speaks in place of the first program.
fn strange(answer: &InitAnswer) -> InitSilence {
    InitSilence::Strange(match answer {
        InitAnswer::Ran(_) => "a run",
        InitAnswer::Bytes { .. } => "bytes",
        InitAnswer::Written => "a write",
        InitAnswer::Entries { .. } => "a list",
        InitAnswer::Started(_) => "a start",
        InitAnswer::Looked(_) => "a look",
        InitAnswer::Failed(_) => "a failure",
    })
}
