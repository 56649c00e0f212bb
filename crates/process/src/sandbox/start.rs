//! The moment between the start of a sandbox and its first program: everything that surrounds it is put in place while
//! it waits.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _, pipe};
use std::os::fd::{AsFd as _, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Pid;

use super::plan::SandboxPlan;
use super::resource_group::ResourceGroup;
use super::usage_watch::{UsageWatch, WatchedUse, has_stopped_child};
use super::work_folder::{self, BoundedFolder};

/// How long a sandbox may take to stand.
pub(super) const FENCED: Duration = Duration::from_secs(30);

/// A sandbox that is about to be started.
#[derive(Debug)]
pub(crate) struct FencedStart {
    group: Option<ResourceGroup>,
    folders: Vec<BoundedFolder>,
    memory_bytes: u64,
    /// Where it says who it is.
    info: PipeReader,
    /// Where it is told to go on.
    go: PipeWriter,
    /// Where its first program says that it runs.
    ready: PipeReader,
}

/// Its ends of the pipes of a start.
pub(super) struct StartPipes {
    pub(super) info: OwnedFd,
    pub(super) go: OwnedFd,
    pub(super) ready: OwnedFd,
}

/// What surrounds a sandbox besides what the kernel was told at its start. In the order in which it goes.
#[derive(Debug)]
pub(crate) struct Fence {
    watch: Option<UsageWatch>,
    group: Option<ResourceGroup>,
    memory_bytes: u64,
    first_process: u32,
}

impl FencedStart {
    /// What is needed to surround it, and what it is given to say who it is, to wait on, and to say that it runs.
    pub(super) fn new(plan: &SandboxPlan) -> io::Result<(Self, StartPipes)> {
        let ((info, to_info), (wait, go), (ready, to_ready)) = (pipe()?, pipe()?, pipe()?);
        let (group, memory_bytes) = (ResourceGroup::make(&plan.limits), plan.limits.memory_bytes);
        let start = Self { group, folders: work_folder::bounded(plan), memory_bytes, info, go, ready };
        Ok((start, StartPipes { info: to_info.into(), go: wait.into(), ready: to_ready.into() }))
    }

    /// Whether a control group limits it.
    pub(super) fn has_group(&self) -> bool {
        self.group.is_some()
    }

    /// Surrounds it and lets it go.
    pub(crate) fn let_go(mut self, outer: Pid) -> io::Result<Fence> {
        let not_made = || io::Error::other("the sandbox could not be made");
        let told = read_within(&self.info, None)?;
        let first_process = child_pid(&told).ok_or_else(not_made)?;
        for process in [outer.as_raw_pid().cast_unsigned(), first_process] {
            self.group.as_ref().map_or(Ok(()), |group| group.add(process))?;
        }
        let watched = WatchedUse {
            memory_bytes: self.group.is_none().then_some(self.memory_bytes),
            folders: self.folders,
            first_process,
            group: outer,
        };
        let needs_watch = watched.memory_bytes.is_some() || !watched.folders.is_empty();
        let watch = if needs_watch { Some(UsageWatch::begin(watched)?) } else { None };
        self.go.write_all(b"!")?;
        if read_within(&self.ready, Some(1))?.is_empty() {
            return Err(not_made());
        }
        Ok(Fence { watch, group: self.group, memory_bytes: self.memory_bytes, first_process })
    }
}

impl Fence {
    /// What was used up, if something was.
    pub(crate) fn used_up(&self) -> Option<String> {
        self.watch.as_ref().and_then(UsageWatch::used_up).or_else(|| self.out_of_memory())
    }

    /// Whether those inside have stopped the program that everything is asked of.
    pub(crate) fn is_stopped(&self) -> bool {
        has_stopped_child(self.first_process)
    }

    /// The first process inside, as the host counts.
    pub(crate) fn first_process(&self) -> u32 {
        self.first_process
    }

    fn out_of_memory(&self) -> Option<String> {
        let n_killed = self.group.as_ref().map_or(0, ResourceGroup::n_killed);
        (n_killed > 0).then(|| format!("its processes wanted more than {} MB of memory", self.memory_bytes >> 20))
    }
}

/// What comes out of a pipe until it is closed, or until there is so much.
fn read_within(mut pipe: &PipeReader, wanted: Option<usize>) -> io::Result<String> {
    let (deadline, mut told) = (Instant::now() + FENCED, Vec::new());
    while wanted.is_none_or(|wanted| told.len() < wanted) {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs().cast_signed(), tv_nsec: left.subsec_nanos().into() };
        if poll(&mut [PollFd::from_borrowed_fd(pipe.as_fd(), PollFlags::IN)], Some(&left))? == 0 {
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the sandbox does not say that it stands"));
        }
        let mut chunk = [0; 1024];
        match pipe.read(&mut chunk)? {
            0 => break,
            n_read => told.extend(&chunk[..n_read]),
        }
    }
    Ok(String::from_utf8_lossy(&told).into_owned())
}

/// The number of the first process, as the host counts, in what `bwrap` says about itself.
fn child_pid(told: &str) -> Option<u32> {
    let rest = told.split_once("\"child-pid\":")?.1.trim_start();
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}
