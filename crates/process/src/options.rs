//! How a program is started.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use command_fds::{CommandFdExt as _, FdMapping};

use crate::group::ProcessGroup;
use crate::lasting_thread;
use crate::layered_root::LayeredRoot;
use crate::sandbox::{FencedStart, LayeredTree};

/// A program with all that is settled before it starts. Unless told otherwise it reads nothing, what it prints is lost,
/// and it has our environment and our working directory. No shell is involved.
#[derive(Debug)]
pub struct SpawnOptions {
    command: Command,
    cpu_seconds: Option<u64>,
    fenced: Option<FencedStart>,
}

impl SpawnOptions {
    /// A program by its path, or by a name on the search path.
    pub fn new(program: impl AsRef<OsStr>) -> Self {
        let mut command = Command::new(program);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self { command, cpu_seconds: None, fenced: None }
    }

    /// A program and its arguments in one list.
    pub fn of_argv(argv: &[String]) -> io::Result<Self> {
        let (program, rest) = argv.split_first().ok_or_else(|| io::Error::other("no program is named"))?;
        Ok(Self::new(program).args(rest))
    }

    /// Adds arguments.
    #[must_use]
    pub fn args(mut self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Self {
        self.command.args(args);
        self
    }

    /// Adds variables to its environment.
    #[must_use]
    pub fn env<K: AsRef<OsStr>, V: AsRef<OsStr>>(mut self, variables: impl IntoIterator<Item = (K, V)>) -> Self {
        self.command.envs(variables);
        self
    }

    /// Gives it these variables and nothing of our environment.
    #[must_use]
    pub fn only_env<K: AsRef<OsStr>, V: AsRef<OsStr>>(mut self, variables: impl IntoIterator<Item = (K, V)>) -> Self {
        self.command.env_clear().envs(variables);
        self
    }

    /// Keeps variables of our environment from it.
    #[must_use]
    pub fn unset(mut self, names: &[&str]) -> Self {
        for name in names {
            self.command.env_remove(name);
        }
        self
    }

    /// The folder that it works in.
    #[must_use]
    pub fn folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(folder);
        self
    }

    /// Where its standard input comes from.
    #[must_use]
    pub fn input(mut self, from: impl Into<Stdio>) -> Self {
        self.command.stdin(from);
        self
    }

    /// Where its standard output goes.
    #[must_use]
    pub fn output(mut self, to: impl Into<Stdio>) -> Self {
        self.command.stdout(to);
        self
    }

    /// Where its standard error goes.
    #[must_use]
    pub fn errors(mut self, to: impl Into<Stdio>) -> Self {
        self.command.stderr(to);
        self
    }

    /// The user that it runs as, and the group of that number. Only root may choose.
    #[must_use]
    pub fn user(mut self, id: u32) -> Self {
        self.command.uid(id).gid(id);
        self
    }

    /// How many seconds a processor may work for it.
    #[must_use]
    pub fn cpu_seconds(mut self, seconds: u64) -> Self {
        self.cpu_seconds = Some(seconds);
        self
    }

    /// Opens descriptors of ours under numbers of its own. To be said once, with all of them.
    pub fn descriptors(mut self, given: impl IntoIterator<Item = (OwnedFd, i32)>) -> io::Result<Self> {
        let mappings = given.into_iter().map(|(parent_fd, child_fd)| FdMapping { parent_fd, child_fd }).collect();
        self.command.fd_mappings(mappings).map_err(|collision| io::Error::other(collision.to_string()))?;
        Ok(self)
    }

    /// Mounts a layered tree where [`LayeredTree::merged`] says, for it and what it starts alone. It stays root, as nobody else
    /// can mount.
    pub fn over(self, layered: &LayeredTree) -> io::Result<Self> {
        Ok(self.mounted(layered.prepared(None)?))
    }

    /// Mounts a layered tree for it, and makes it the user that the tree is for. To be said before descriptors are handed over.
    pub(crate) fn mounted(mut self, root: LayeredRoot) -> Self {
        root.mount_before(&mut self.command);
        self
    }

    /// It is the first program of a sandbox, which is let go when it is surrounded.
    pub(crate) fn fenced(mut self, start: FencedStart) -> Self {
        self.fenced = Some(start);
        self
    }

    /// Starts it, leader of a process group of its own.
    pub fn spawn(mut self) -> io::Result<ProcessGroup> {
        self.command.process_group(0);
        let Some(start) = self.fenced else {
            let mut group = ProcessGroup::led_by(self.command.spawn()?);
            if let Some(seconds) = self.cpu_seconds {
                group.limit_cpu(seconds)?;
            }
            return Ok(group);
        };
        let mut group = ProcessGroup::led_by(lasting_thread::spawn(self.command)?);
        group.surround(start)?;
        Ok(group)
    }
}
