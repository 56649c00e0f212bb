//! A clean sandbox for a verifier: what an agent left is put into it and looked at by real programs, and nothing that it
//! holds can reach a judge but as bytes.

use std::time::Duration;

use quintain_core::FileHandle;
use quintain_process::SweptFolder;
use quintain_process::sandbox::{
    Binding, CommandEnd, Sandbox, SandboxCommand, SandboxFault, SandboxProvider as _, this_host,
};

use crate::WORK;
use crate::room_plan::room_plan;

/// What the folder of such a room is called on the host.
const FOLDER: &str = "quintain-verifier-";
/// How much may be written into it.
const MOST_BYTES: u64 = 2 << 30;
const MOST_FILES: u64 = 20_000;
/// How much of what a program prints is kept, of its start and of its end.
const KEPT_BYTES: u64 = 8 << 20;

/// A clean sandbox. Paths are below `/work`, where programs begin.
pub struct VerifierRoom {
    sandbox: Box<dyn Sandbox>,
    _folder: SweptFolder,
}

/// What a program came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoomReport {
    /// It ended by itself, with status 0.
    pub succeeded: bool,
    /// What it wrote to standard output.
    pub output: String,
    /// What it wrote to standard error, or why it was ended.
    pub errors: String,
}

impl VerifierRoom {
    /// An empty one. No reason is the agent's.
    pub fn open() -> Result<Self, String> {
        Self::with_folders(&[])
    }

    /// An empty one, in which these folders of the host are seen besides its programs.
    pub fn with_folders(folders: &[&str]) -> Result<Self, String> {
        let folder = SweptFolder::new(FOLDER).map_err(|error| error.to_string())?;
        let work = folder.inner("work").map_err(|error| error.to_string())?;
        let mut plan = room_plan(&work, MOST_BYTES, MOST_FILES);
        plan.bindings.extend(folders.iter().map(Binding::in_place));
        plan.limits.cpu_seconds = Some(120);
        plan.variables.extend([("LC_ALL", "C.UTF-8"), ("OMP_NUM_THREADS", "1")].map(|(a, b)| (a.into(), b.into())));
        let sandbox = this_host().and_then(|host| host.provider.open(&plan)).map_err(|fault| fault.to_string())?;
        Ok(Self { sandbox, _folder: folder })
    }

    /// Writes a file of ours.
    pub fn put(&mut self, path: &str, bytes: &[u8]) -> Result<(), String> {
        self.sandbox.put(&within_work(path), bytes).map_err(|fault| fault.to_string())
    }

    /// Writes a file that an agent left, if it is no larger than this; else tells why not.
    pub fn put_left(&mut self, path: &str, file: &FileHandle, max_bytes: u64) -> Result<Result<(), String>, String> {
        match file.whole(max_bytes) {
            Ok(bytes) => self.put(path, &bytes).map(Ok),
            Err(why) => Ok(Err(why.to_string())),
        }
    }

    /// Runs a program to its end. One that takes too long or uses too much has not succeeded.
    pub fn run(&mut self, argv: &[&str], within: Duration) -> Result<RoomReport, String> {
        let command = SandboxCommand { within, kept_bytes: KEPT_BYTES, ..SandboxCommand::of(argv.iter().copied()) };
        match self.sandbox.exec(&command) {
            Ok(report) => {
                let why = match report.end {
                    CommandEnd::OutOfTime => format!("it was not done after {} seconds", within.as_secs()),
                    CommandEnd::Signalled(signal) => format!("it was ended by signal {signal}"),
                    CommandEnd::Exited(_) => report.errors.text(),
                };
                let succeeded = report.end == CommandEnd::Exited(0);
                Ok(RoomReport { succeeded, output: report.output.text(), errors: why })
            }
            Err(SandboxFault::UsedUp(what) | SandboxFault::Ended(what)) => {
                Ok(RoomReport { succeeded: false, output: String::new(), errors: what })
            }
            Err(fault) => Err(fault.to_string()),
        }
    }

    /// Reads a file that a program wrote; nothing where there is none, or where it is larger than this.
    pub fn get(&mut self, path: &str, max_bytes: u64) -> Result<Option<Vec<u8>>, String> {
        match self.sandbox.get(&within_work(path), 0, max_bytes) {
            Ok((bytes, size)) => Ok((size <= max_bytes).then_some(bytes)),
            Err(SandboxFault::Refused(_) | SandboxFault::UsedUp(_) | SandboxFault::Ended(_)) => Ok(None),
            Err(fault) => Err(fault.to_string()),
        }
    }
}

fn within_work(path: &str) -> String {
    format!("{WORK}/{path}")
}
