//! Whoever can make sandboxes: this host, and later a container, a small machine of its own, or a host elsewhere.

use std::os::unix::net::UnixStream;
use std::time::Duration;

use quintain_sandbox_init::protocol::{CommandReport, FolderEntry, ProgramState};

use super::fault::SandboxFault;
use super::host_examination::HostExamination;
use super::plan::SandboxPlan;

/// Whoever can make sandboxes.
pub trait SandboxProvider: Send + Sync {
    /// What it can do here, or why it cannot make any.
    fn examine(&self) -> Result<HostExamination, SandboxFault>;

    /// A sandbox in which nothing runs yet.
    fn open(&self, plan: &SandboxPlan) -> Result<Box<dyn Sandbox>, SandboxFault>;
}

/// One sandbox. Whatever runs in it goes on between calls; dropping it ends everything.
pub trait Sandbox: Send {
    /// Runs a program to its end or to the end of its time. What it leaves in the background goes on.
    fn exec(&mut self, command: &SandboxCommand) -> Result<CommandReport, SandboxFault>;

    /// Writes a file as whoever is inside would, and the folders on the way.
    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), SandboxFault>;

    /// Reads a stretch of a file as whoever is inside would, and says how long the file is.
    fn get(&mut self, path: &str, offset: u64, max_bytes: u64) -> Result<(Vec<u8>, u64), SandboxFault>;

    /// What is in a folder, sorted, and how many there are.
    fn list(&mut self, path: &str, max_entries: u64) -> Result<(Vec<FolderEntry>, u64), SandboxFault>;

    /// Starts a program and leaves it running; it is asked after by this number. Of the command its time and its input do
    /// not count.
    fn start(&mut self, command: &SandboxCommand) -> Result<StartedNumber, SandboxFault>;

    /// How a program is doing that was started.
    fn look(&mut self, started: StartedNumber) -> Result<ProgramState, SandboxFault>;

    /// A connection to a socket inside, which somebody in it listens at.
    fn connect(&mut self, socket: &str) -> Result<UnixStream, SandboxFault>;

    /// The bytes of a file inside as they are at every moment, to be read again and again.
    fn watch(&mut self, path: &str) -> Result<std::fs::File, SandboxFault>;

    /// Ends everything in it. Its work folder is left to whoever gave it.
    fn close(self: Box<Self>);
}

/// A program that was started in a sandbox, as it is counted there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartedNumber(pub(super) u64);

/// A program to be run in a sandbox.
#[derive(Clone, Debug)]
pub struct SandboxCommand {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The folder that it works in; nothing for the one that the plan names.
    pub folder: Option<String>,
    /// What it reads on standard input.
    pub input: Vec<u8>,
    /// How long it may take.
    pub within: Duration,
    /// How much of the start and of the end of what it prints is kept, each.
    pub kept_bytes: u64,
    /// Its errors are put between its output, as a terminal shows them.
    pub is_joined: bool,
}

impl SandboxCommand {
    /// A program and its arguments, with a minute and some room for what it says.
    pub fn of(argv: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            argv: argv.into_iter().map(Into::into).collect(),
            folder: None,
            input: Vec::new(),
            within: Duration::from_mins(1),
            kept_bytes: 64 << 10,
            is_joined: false,
        }
    }
}
