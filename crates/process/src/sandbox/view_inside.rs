//! Files and sockets of a sandbox, as the host reaches them: through the root of a process that is inside.
//!
//! Whoever is inside can put a link anywhere. Paths are resolved as those inside see them, so that none leads out.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};

/// A sandbox, seen from outside.
pub(super) struct ViewInside {
    /// The first process in it, as the host counts.
    first_process: u32,
}

impl ViewInside {
    /// The sandbox of this process.
    pub(super) fn of(first_process: u32) -> Self {
        Self { first_process }
    }

    /// A connection to whoever listens at a socket.
    pub(super) fn connect(&self, socket: &str) -> io::Result<UnixStream> {
        let found = self.find(socket, OFlags::PATH | OFlags::NOFOLLOW)?;
        UnixStream::connect(format!("/proc/self/fd/{}", found.as_raw_fd()))
    }

    /// A file, to be read.
    pub(super) fn open(&self, path: &str) -> io::Result<File> {
        // A pipe in place of a file would otherwise keep us waiting for whoever writes to it.
        self.find(path, OFlags::RDONLY | OFlags::NONBLOCK).map(File::from)
    }

    fn find(&self, path: &str, how: OFlags) -> io::Result<OwnedFd> {
        let resolved = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        Ok(openat2(self.root()?, path, how | OFlags::CLOEXEC, Mode::empty(), resolved)?)
    }

    /// Where those inside begin. Only of those whose program was begun inside may others than root know it.
    fn root(&self) -> io::Result<OwnedFd> {
        let first = self.first_process;
        let children = fs::read_to_string(format!("/proc/{first}/task/{first}/children")).unwrap_or_default();
        let found = children
            .split_whitespace()
            .chain([first.to_string().as_str()])
            .find_map(|id| openat(CWD, format!("/proc/{id}/root"), OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok());
        found.ok_or_else(|| io::Error::other("the sandbox cannot be looked into"))
    }
}
