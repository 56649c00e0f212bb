//! A computer elsewhere, reached by a command line that runs commands there, as `ssh` does.

use std::fs::File;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use quintain_sandbox_init::PROGRAM;

use super::fault::SandboxFault;
use super::init_guest::{InitGuest, InitHome};
use super::init_talk::{InitSilence, InitTalk};
use super::provider::Sandbox;
use crate::group::ProcessGroup;
use crate::options::SpawnOptions;
use crate::tail::OutputTail;

/// How much is kept of what the connection complains about.
const KEPT_BYTES: usize = 2000;

/// Programs and files of a computer elsewhere. Nothing fences them in but what that computer itself allows to whoever
/// comes in this way. What was started ends with it.
///
/// The program that answers is brought along: the computer needs a shell and `head`, and nothing is left on it.
pub struct RemoteGuest {
    process: ProcessGroup,
    complaints: OutputTail,
}

impl RemoteGuest {
    /// The computer behind a command line to which a line for its shell can be added: `ssh -T somebody@there`. Commands
    /// that name no folder run in the one given here.
    pub fn open(reach: &[String], folder: &str) -> Result<Box<dyn Sandbox>, SandboxFault> {
        let options = SpawnOptions::of_argv(reach).map_err(SandboxFault::broken)?.args([shell_line()]);
        let started = options.input(Stdio::piped()).output(Stdio::piped()).errors(Stdio::piped()).spawn();
        let mut process = started.map_err(|error| SandboxFault::Broken(format!("`{}`: {error}", reach.join(" "))))?;
        let pipes = process.take_pipes();
        let (Some(input), Some(output)) = (pipes.input, pipes.output) else {
            return Err(SandboxFault::broken("a pipe is missing"));
        };
        let complaints = OutputTail::of(pipes.errors, KEPT_BYTES).map_err(SandboxFault::broken)?;
        let talk = InitTalk::after(PROGRAM, input, output, folder.to_owned()).map_err(SandboxFault::broken)?;
        let mut guest = InitGuest { home: Self { process, complaints }, talk };
        // Whoever is not there is told now, and not in the middle of a trial.
        guest.list("/", 1)?;
        Ok(Box::new(guest))
    }

    fn lost(&mut self) -> SandboxFault {
        // What it says last tells why, if it has left.
        let has_left = self.process.wait(Duration::from_secs(1)).ok().flatten().is_some();
        let said = if has_left { self.complaints.text() } else { String::new() };
        let said = said.trim();
        let why = if said.is_empty() { "it does not answer" } else { said };
        SandboxFault::Broken(format!("the computer is not reached: {why}"))
    }
}

/// What the shell there does: it takes the program from its input, runs it, and leaves nothing behind.
fn shell_line() -> String {
    format!(
        "umask 077; f=$(mktemp) && head -c {} >\"$f\" && chmod 700 \"$f\" && \"$f\" serve; rm -f \"$f\"",
        PROGRAM.len()
    )
}

impl InitHome for RemoteGuest {
    fn fault_of(&mut self, silence: InitSilence) -> SandboxFault {
        match silence {
            InitSilence::Refused(why) => SandboxFault::Refused(why),
            InitSilence::Strange(what) => {
                SandboxFault::Broken(format!("the computer answers with {what}, which was not asked for"))
            }
            InitSilence::Gone => self.lost(),
        }
    }

    fn connect(&mut self, socket: &str) -> Result<UnixStream, SandboxFault> {
        Err(SandboxFault::Refused(format!("{socket}: sockets of a computer elsewhere are not reached")))
    }

    fn watch(&mut self, path: &str) -> Result<File, SandboxFault> {
        Err(SandboxFault::Refused(format!("{path}: files of a computer elsewhere cannot be watched")))
    }
}
