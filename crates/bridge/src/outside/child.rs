//! A program that plays by itself, and what it leaves behind.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use quintain_process::sandbox::{ProgramAccess, ProgramSurroundings};
use quintain_process::{OomWatch, OutputTail, ProcessGroup};

/// How much of the end of what it prints is kept.
const KEPT_BYTES: usize = 4 * 1024;

/// A program with its process group. When it is dropped, all of the group is gone.
pub(super) struct Child {
    group: ProcessGroup,
    printed: OutputTail,
    oom_watch: OomWatch,
}

impl Child {
    /// Starts a program without input. `on_exit` is called when it has left.
    pub(super) fn start(
        argv: &[String],
        access: &ProgramAccess,
        given: ProgramSurroundings<'_>,
        on_exit: impl FnOnce() + Send + 'static,
    ) -> io::Result<Self> {
        let options = access.options(argv, given).map_err(io::Error::other)?;
        let oom_watch = OomWatch::begin();
        let mut group = options.output(Stdio::piped()).errors(Stdio::piped()).spawn()?;
        let pipes = group.take_pipes();
        let printed = OutputTail::of(pipes.output.into_iter().chain(pipes.errors), KEPT_BYTES)?;
        group.on_end(on_exit)?;
        Ok(Self { group, printed, oom_watch })
    }

    /// How it left, if it has.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.group.status()
    }

    /// Whether the host ended it, as far as can be told from how it left.
    pub(super) fn was_killed_by_host(&self, status: ExitStatus) -> bool {
        self.oom_watch.explains(status)
    }

    /// What it used up of what a sandbox may use, if it did.
    pub(super) fn used_up(&self) -> Option<String> {
        self.group.used_up()
    }

    /// The last lines it printed.
    pub(super) fn last_words(&self) -> String {
        self.printed.text().trim().to_owned()
    }

    /// Gives it some time to leave by itself.
    pub(super) fn wait(&mut self, within: Duration) {
        // It has left, or it is ended next: either way there is nothing to hear.
        self.group.wait(within).ok();
    }
}
