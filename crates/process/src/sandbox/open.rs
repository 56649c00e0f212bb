//! A sandbox that stays, and does what it is asked by its first program.

use std::fs::File;
use std::io::{PipeReader, PipeWriter};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use quintain_sandbox_init::protocol::{
    CommandReport, CommandRequest, FolderEntry, InitAnswer, InitRequest, ProgramState, read_frame, write_frame,
};

use super::bubblewrap::Bubblewrap;
use super::fault::SandboxFault;
use super::plan::SandboxPlan;
use super::provider::{Sandbox, SandboxCommand, StartedNumber};
use super::view_inside::ViewInside;
use crate::group::ProcessGroup;
use crate::oom_watch::OomWatch;
use crate::tail::OutputTail;

/// How long an answer may take that takes no time of its own.
const ANSWER_LIMIT: Duration = Duration::from_secs(20);
/// How much is kept of what the first program complains about.
const KEPT_BYTES: usize = 2000;

/// A sandbox of this host.
pub(super) struct OpenSandbox {
    /// First, so that everything inside is gone before anything else is.
    process: ProcessGroup,
    conversation: InitConversation,
    complaints: OutputTail,
    oom_watch: OomWatch,
    folder: String,
}

impl OpenSandbox {
    pub(super) fn start(provider: &Bubblewrap, plan: &SandboxPlan) -> Result<Self, SandboxFault> {
        let options = provider.fenced(plan, vec!["serve".into()])?;
        let oom_watch = OomWatch::begin();
        let started = options.input(Stdio::piped()).output(Stdio::piped()).errors(Stdio::piped()).spawn();
        let mut process = started.map_err(SandboxFault::broken)?;
        let pipes = process.take_pipes();
        let (Some(input), Some(output)) = (pipes.input, pipes.output) else {
            return Err(SandboxFault::broken("a pipe is missing"));
        };
        Ok(Self {
            process,
            conversation: InitConversation::over(input, output).map_err(SandboxFault::broken)?,
            complaints: OutputTail::of(pipes.errors, KEPT_BYTES).map_err(SandboxFault::broken)?,
            oom_watch,
            folder: plan.folder.to_string_lossy().into_owned(),
        })
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

    fn view(&self) -> Result<ViewInside, SandboxFault> {
        let first = self.process.first_inside();
        first.map(ViewInside::of).ok_or_else(|| SandboxFault::broken("nobody is inside"))
    }

    fn ask(&mut self, request: &InitRequest, within: Duration) -> Result<InitAnswer, SandboxFault> {
        match self.conversation.ask(request, within) {
            Some(InitAnswer::Failed(why)) => Err(SandboxFault::Refused(why)),
            Some(answer) => Ok(answer),
            None => Err(self.gone()),
        }
    }

    /// Why there is no answer. Nobody but those inside can end or stop the first program, unless the host was in need.
    fn gone(&mut self) -> SandboxFault {
        // What it says last tells why, if it has left.
        let status = self.process.wait(Duration::from_secs(1)).ok().flatten();
        if let Some(what) = self.process.used_up() {
            return SandboxFault::UsedUp(what);
        }
        let complaints = if status.is_some() { self.complaints.text() } else { String::new() };
        let complaints = complaints.trim();
        match status {
            Some(status) if self.oom_watch.explains(status) => {
                SandboxFault::broken("the host ran out of memory and killed it")
            }
            Some(_) if complaints.is_empty() => SandboxFault::UsedUp("its first program was ended".to_owned()),
            Some(_) => SandboxFault::UsedUp(format!("its first program was ended: {complaints}")),
            None if self.process.is_stopped() => SandboxFault::UsedUp("its first program was stopped".to_owned()),
            None => SandboxFault::broken("its first program does not answer any more"),
        }
    }
}

impl Sandbox for OpenSandbox {
    fn exec(&mut self, command: &SandboxCommand) -> Result<CommandReport, SandboxFault> {
        let request = self.request(command);
        match self.ask(&InitRequest::Run(request), command.within.saturating_add(ANSWER_LIMIT))? {
            InitAnswer::Ran(ran) => Ok(ran),
            other => Err(strange(&other)),
        }
    }

    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), SandboxFault> {
        let request = InitRequest::Write { path: path.into(), bytes: bytes.to_vec() };
        match self.ask(&request, ANSWER_LIMIT)? {
            InitAnswer::Written => Ok(()),
            other => Err(strange(&other)),
        }
    }

    fn get(&mut self, path: &str, offset: u64, max_bytes: u64) -> Result<(Vec<u8>, u64), SandboxFault> {
        match self.ask(&InitRequest::Read { path: path.into(), offset, max_bytes }, ANSWER_LIMIT)? {
            InitAnswer::Bytes { bytes, size } => Ok((bytes, size)),
            other => Err(strange(&other)),
        }
    }

    fn list(&mut self, path: &str, max_entries: u64) -> Result<(Vec<FolderEntry>, u64), SandboxFault> {
        match self.ask(&InitRequest::List { path: path.into(), max_entries }, ANSWER_LIMIT)? {
            InitAnswer::Entries { entries, n_all } => Ok((entries, n_all)),
            other => Err(strange(&other)),
        }
    }

    fn start(&mut self, command: &SandboxCommand) -> Result<StartedNumber, SandboxFault> {
        let request = CommandRequest { input: Vec::new(), ..self.request(command) };
        match self.ask(&InitRequest::Start(request), ANSWER_LIMIT)? {
            InitAnswer::Started(number) => Ok(StartedNumber(number)),
            other => Err(strange(&other)),
        }
    }

    fn look(&mut self, started: StartedNumber) -> Result<ProgramState, SandboxFault> {
        match self.ask(&InitRequest::Look { number: started.0 }, ANSWER_LIMIT)? {
            InitAnswer::Looked(state) => Ok(state),
            other => Err(strange(&other)),
        }
    }

    fn connect(&mut self, socket: &str) -> Result<UnixStream, SandboxFault> {
        self.view()?.connect(socket).map_err(SandboxFault::refused)
    }

    fn watch(&mut self, path: &str) -> Result<File, SandboxFault> {
        self.view()?.open(path).map_err(SandboxFault::refused)
    }

    fn close(self: Box<Self>) {}
}

/// Somebody inside speaks in place of the first program.
fn strange(answer: &InitAnswer) -> SandboxFault {
    let name = match answer {
        InitAnswer::Ran(_) => "a run",
        InitAnswer::Bytes { .. } => "bytes",
        InitAnswer::Written => "a write",
        InitAnswer::Entries { .. } => "a list",
        InitAnswer::Started(_) => "a start",
        InitAnswer::Looked(_) => "a look",
        InitAnswer::Failed(_) => "a failure",
    };
    SandboxFault::UsedUp(format!("its first program answers with {name}, which was not asked for"))
}

/// A thread that asks and waits for the answer, so that nobody else has to wait for ever.
struct InitConversation {
    asked: Sender<Vec<u8>>,
    answered: Receiver<Option<InitAnswer>>,
}

impl InitConversation {
    fn over(mut input: PipeWriter, mut output: PipeReader) -> std::io::Result<Self> {
        let (asked, requests) = channel::<Vec<u8>>();
        let (answers, answered) = channel();
        thread::Builder::new().name("sandbox-talk".to_owned()).spawn(move || {
            for request in requests {
                let heard = write_frame(&mut input, &request).and_then(|()| read_frame(&mut output));
                let answer = heard.ok().flatten().and_then(|frame| InitAnswer::decode(&frame));
                if answers.send(answer).is_err() {
                    return;
                }
            }
        })?;
        Ok(Self { asked, answered })
    }

    /// Nothing where there is no answer, and then there will be none to anything.
    fn ask(&mut self, request: &InitRequest, within: Duration) -> Option<InitAnswer> {
        self.asked.send(request.encode()).ok()?;
        self.answered.recv_timeout(within).ok().flatten()
    }
}
