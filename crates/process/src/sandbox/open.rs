//! A sandbox that stays, and does what it is asked by its first program.

use std::fs::File;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use quintain_sandbox_init::protocol::{CommandReport, FolderEntry, ProgramState};

use super::bubblewrap::Bubblewrap;
use super::fault::SandboxFault;
use super::init_talk::{InitSilence, InitTalk};
use super::plan::SandboxPlan;
use super::provider::{Sandbox, SandboxCommand, StartedNumber};
use super::view_inside::ViewInside;
use crate::group::ProcessGroup;
use crate::oom_watch::OomWatch;
use crate::tail::OutputTail;

/// How much is kept of what the first program complains about.
const KEPT_BYTES: usize = 2000;

/// A sandbox of this host.
pub(super) struct OpenSandbox {
    /// First, so that everything inside is gone before anything else is.
    process: ProcessGroup,
    talk: InitTalk,
    complaints: OutputTail,
    oom_watch: OomWatch,
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
        let folder = plan.folder.to_string_lossy().into_owned();
        let talk = InitTalk::over(input, output, folder).map_err(SandboxFault::broken)?;
        let complaints = OutputTail::of(pipes.errors, KEPT_BYTES).map_err(SandboxFault::broken)?;
        Ok(Self { process, talk, complaints, oom_watch })
    }

    fn view(&self) -> Result<ViewInside, SandboxFault> {
        let first = self.process.first_inside();
        first.map(ViewInside::of).ok_or_else(|| SandboxFault::broken("nobody is inside"))
    }

    fn fault_of(&mut self, silence: InitSilence) -> SandboxFault {
        match silence {
            InitSilence::Refused(why) => SandboxFault::Refused(why),
            // Somebody inside speaks in place of the first program.
            InitSilence::Strange(what) => {
                SandboxFault::UsedUp(format!("its first program answers with {what}, which was not asked for"))
            }
            InitSilence::Gone => self.gone(),
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
        self.talk.exec(command).map_err(|silence| self.fault_of(silence))
    }

    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), SandboxFault> {
        self.talk.put(path, bytes).map_err(|silence| self.fault_of(silence))
    }

    fn get(&mut self, path: &str, offset: u64, max_bytes: u64) -> Result<(Vec<u8>, u64), SandboxFault> {
        self.talk.get(path, offset, max_bytes).map_err(|silence| self.fault_of(silence))
    }

    fn list(&mut self, path: &str, max_entries: u64) -> Result<(Vec<FolderEntry>, u64), SandboxFault> {
        self.talk.list(path, max_entries).map_err(|silence| self.fault_of(silence))
    }

    fn start(&mut self, command: &SandboxCommand) -> Result<StartedNumber, SandboxFault> {
        self.talk.start(command).map_err(|silence| self.fault_of(silence))
    }

    fn look(&mut self, started: StartedNumber) -> Result<ProgramState, SandboxFault> {
        self.talk.look(started).map_err(|silence| self.fault_of(silence))
    }

    fn connect(&mut self, socket: &str) -> Result<UnixStream, SandboxFault> {
        self.view()?.connect(socket).map_err(SandboxFault::refused)
    }

    fn watch(&mut self, path: &str) -> Result<File, SandboxFault> {
        self.view()?.open(path).map_err(SandboxFault::refused)
    }

    fn close(self: Box<Self>) {}
}
