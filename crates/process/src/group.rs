//! A running program and everything it starts.

use std::collections::BTreeSet;
use std::io::{self, PipeReader, PipeWriter, Read as _};
use std::os::fd::OwnedFd;
use std::process::{Child, ExitStatus};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, prlimit, waitid,
};

use crate::end::status_of;
use crate::sandbox::{Fence, FencedStart};
use crate::tail::locked;

/// A running program, leader of a process group of its own. Dropping it kills the group and reaps the program.
///
/// The program is looked at and never reaped before that: as long as it is not, nobody else can have the group's number,
/// and what is killed is surely the group.
#[derive(Debug)]
pub struct ProcessGroup {
    id: Pid,
    leader: Option<Child>,
    /// Closed when a thread has seen the program end.
    watch: Option<Receiver<()>>,
    /// What surrounds it, where it is a sandbox.
    fence: Option<Fence>,
}

/// Our ends of the pipes that a program was started with.
#[derive(Debug, Default)]
pub struct ProcessPipes {
    /// To its standard input.
    pub input: Option<PipeWriter>,
    /// From its standard output.
    pub output: Option<PipeReader>,
    /// From its standard error.
    pub errors: Option<PipeReader>,
}

/// The groups that run now.
static LIVING: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Kills every program that we started and that still runs, with everything it started: for one who is about to leave
/// without tidying up.
pub fn end_all() {
    for id in locked(&LIVING).iter().filter_map(|id| Pid::from_raw(*id)) {
        kill_process_group(id, Signal::KILL).ok();
    }
}

impl ProcessGroup {
    pub(crate) fn led_by(leader: Child) -> Self {
        let id = Pid::from_child(&leader);
        locked(&LIVING).insert(id.as_raw_pid());
        Self { id, leader: Some(leader), watch: None, fence: None }
    }

    /// The number of the program, and of its group.
    pub fn id(&self) -> u32 {
        self.id.as_raw_pid().cast_unsigned()
    }

    /// Our ends of its pipes, for whoever asks first.
    pub fn take_pipes(&mut self) -> ProcessPipes {
        let Some(leader) = &mut self.leader else { return ProcessPipes::default() };
        ProcessPipes {
            input: leader.stdin.take().map(|pipe| OwnedFd::from(pipe).into()),
            output: leader.stdout.take().map(|pipe| OwnedFd::from(pipe).into()),
            errors: leader.stderr.take().map(|pipe| OwnedFd::from(pipe).into()),
        }
    }

    /// How the program left, if it has.
    pub fn status(&self) -> Option<ExitStatus> {
        look(self.id, WaitIdOptions::NOHANG).ok().flatten().as_ref().map(status_of)
    }

    /// Calls a function, from a thread of its own, when the program has left. To be said once.
    pub fn on_end(&mut self, then: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let (seen, watch): (Sender<()>, _) = channel();
        let id = self.id;
        thread::Builder::new().name("process-end".to_owned()).spawn(move || {
            // It has ended, or there is no such child any more: either way there is nothing to wait for.
            look(id, WaitIdOptions::empty()).ok();
            drop(seen);
            then();
        })?;
        self.watch = Some(watch);
        Ok(())
    }

    /// Waits until the program has left, or the time is over. Says how it left, if it has.
    pub fn wait(&mut self, within: Duration) -> io::Result<Option<ExitStatus>> {
        if self.watch.is_none() {
            self.on_end(|| ())?;
        }
        let heard = self.watch.as_ref().map(|watch| watch.recv_timeout(within));
        Ok(if heard == Some(Err(RecvTimeoutError::Timeout)) { None } else { self.status() })
    }

    /// Kills the group and says how its leader left. One that has already left keeps its own exit status.
    pub fn end(mut self) -> Option<ExitStatus> {
        self.reap()
    }

    /// Gives the program a second more than that to be killed in, where it does not care for the first signal.
    pub(crate) fn limit_cpu(&mut self, seconds: u64) -> io::Result<()> {
        let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
        prlimit(Some(self.id), Resource::Cpu, limit)?;
        Ok(())
    }

    /// Surrounds a sandbox that waits for it, and lets it go. Where that fails, what the program said is why.
    pub(crate) fn surround(&mut self, start: FencedStart) -> io::Result<()> {
        match start.let_go(self.id) {
            Ok(fence) => self.fence = Some(fence),
            Err(error) => {
                let errors = self.take_pipes().errors;
                self.reap();
                return Err(told(error, errors));
            }
        }
        Ok(())
    }

    /// What it used up of what a sandbox may use, if that is what ended it or one of its programs.
    pub fn used_up(&self) -> Option<String> {
        self.fence.as_ref().and_then(Fence::used_up)
    }

    /// Whether somebody in a sandbox has stopped its first program.
    pub(crate) fn is_stopped(&self) -> bool {
        self.fence.as_ref().is_some_and(Fence::is_stopped)
    }

    /// The first process of a sandbox, as the host counts.
    pub(crate) fn first_inside(&self) -> Option<u32> {
        self.fence.as_ref().map(Fence::first_process)
    }

    fn reap(&mut self) -> Option<ExitStatus> {
        let mut leader = self.leader.take()?;
        // A group that is gone already needs no ending.
        kill_process_group(self.id, Signal::KILL).ok();
        if let Some(watch) = self.watch.take() {
            // The thread must have seen the end before the number can be another's.
            watch.recv().ok();
        }
        let left = leader.wait().ok();
        locked(&LIVING).remove(&self.id.as_raw_pid());
        left
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        self.reap();
    }
}

/// With the last words of a program that is gone.
fn told(error: io::Error, errors: Option<PipeReader>) -> io::Error {
    let mut words = String::new();
    // Nobody holds the pipe any more: it is read to its end at once.
    errors.and_then(|errors| errors.take(1000).read_to_string(&mut words).ok());
    let words = words.trim();
    if words.is_empty() { error } else { io::Error::other(format!("{error}: {words}")) }
}

/// Looks at a child that has ended, and leaves it to be reaped.
fn look(id: Pid, how: WaitIdOptions) -> rustix::io::Result<Option<WaitIdStatus>> {
    retry_on_intr(|| waitid(WaitId::Pid(id), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | how))
}
