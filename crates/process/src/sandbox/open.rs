//! A sandbox that stays, and does what it is asked by its first program.

use std::fs::File;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::time::Duration;

use super::bubblewrap::Bubblewrap;
use super::fault::SandboxFault;
use super::init_guest::{InitGuest, InitHome};
use super::init_talk::{InitSilence, InitTalk};
use super::plan::SandboxPlan;
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
    complaints: OutputTail,
    oom_watch: OomWatch,
}

impl OpenSandbox {
    pub(super) fn start(provider: &Bubblewrap, plan: &SandboxPlan) -> Result<InitGuest<Self>, SandboxFault> {
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
        Ok(InitGuest { home: Self { process, complaints, oom_watch }, talk })
    }

    fn view(&self) -> Result<ViewInside, SandboxFault> {
        let first = self.process.first_inside();
        first.map(ViewInside::of).ok_or_else(|| SandboxFault::broken("nobody is inside"))
    }

    /// Why there is no answer. Those inside can end or stop the first program, but not what it was started by.
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
            Some(status) if status.signal().is_some() => SandboxFault::broken("it was killed from outside"),
            Some(_) if complaints.is_empty() => SandboxFault::Ended("its first program is gone".to_owned()),
            Some(_) => SandboxFault::Ended(format!("its first program is gone: {complaints}")),
            None if self.process.is_stopped() => SandboxFault::Ended("its first program was stopped".to_owned()),
            None => SandboxFault::broken("its first program does not answer any more"),
        }
    }
}

impl InitHome for OpenSandbox {
    fn fault_of(&mut self, silence: InitSilence) -> SandboxFault {
        match silence {
            InitSilence::Refused(why) => SandboxFault::Refused(why),
            // Somebody inside speaks in place of the first program.
            InitSilence::Strange(what) => {
                SandboxFault::Ended(format!("its first program answers with {what}, which was not asked for"))
            }
            InitSilence::Gone => self.gone(),
        }
    }

    fn connect(&mut self, socket: &str) -> Result<UnixStream, SandboxFault> {
        self.view()?.connect(socket).map_err(SandboxFault::refused)
    }

    fn watch(&mut self, path: &str) -> Result<File, SandboxFault> {
        self.view()?.open(path).map_err(SandboxFault::refused)
    }
}
