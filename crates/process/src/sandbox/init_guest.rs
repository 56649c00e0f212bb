//! Programs and files of whoever has our first program: a sandbox of this host, or a computer elsewhere.

use std::fs::File;
use std::os::unix::net::UnixStream;

use quintain_sandbox_init::protocol::{CommandReport, FolderEntry, ProgramState};

use super::fault::SandboxFault;
use super::init_talk::{InitSilence, InitTalk};
use super::provider::{Sandbox, SandboxCommand, StartedNumber};

/// What our first program runs in.
pub(super) trait InitHome: Send {
    /// Why it did not give what it was asked for.
    fn fault_of(&mut self, silence: InitSilence) -> SandboxFault;

    /// A connection to a socket in it.
    fn connect(&mut self, socket: &str) -> Result<UnixStream, SandboxFault>;

    /// The bytes of a file in it, as they are at every moment.
    fn watch(&mut self, path: &str) -> Result<File, SandboxFault>;
}

/// Whatever our first program runs in, and the talk with it.
pub(super) struct InitGuest<H> {
    /// First, so that everything inside is gone before anything else is.
    pub(super) home: H,
    pub(super) talk: InitTalk,
}

impl<H: InitHome> Sandbox for InitGuest<H> {
    fn exec(&mut self, command: &SandboxCommand) -> Result<CommandReport, SandboxFault> {
        self.talk.exec(command).map_err(|silence| self.home.fault_of(silence))
    }

    fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), SandboxFault> {
        self.talk.put(path, bytes).map_err(|silence| self.home.fault_of(silence))
    }

    fn get(&mut self, path: &str, offset: u64, max_bytes: u64) -> Result<(Vec<u8>, u64), SandboxFault> {
        self.talk.get(path, offset, max_bytes).map_err(|silence| self.home.fault_of(silence))
    }

    fn list(&mut self, path: &str, max_entries: u64) -> Result<(Vec<FolderEntry>, u64), SandboxFault> {
        self.talk.list(path, max_entries).map_err(|silence| self.home.fault_of(silence))
    }

    fn start(&mut self, command: &SandboxCommand) -> Result<StartedNumber, SandboxFault> {
        self.talk.start(command).map_err(|silence| self.home.fault_of(silence))
    }

    fn look(&mut self, started: StartedNumber) -> Result<ProgramState, SandboxFault> {
        self.talk.look(started).map_err(|silence| self.home.fault_of(silence))
    }

    fn connect(&mut self, socket: &str) -> Result<UnixStream, SandboxFault> {
        self.home.connect(socket)
    }

    fn watch(&mut self, path: &str) -> Result<File, SandboxFault> {
        self.home.watch(path)
    }

    fn close(self: Box<Self>) {}
}
