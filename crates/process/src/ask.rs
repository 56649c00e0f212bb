//! A program that is asked one thing and leaves.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use crate::options::SpawnOptions;
use crate::tail::OutputTail;

/// What a program said, and how it left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramAnswer {
    /// How it left by itself; nothing if it took too long and was ended.
    pub status: Option<ExitStatus>,
    /// The end of what it wrote to standard output.
    pub output: String,
    /// The end of what it wrote to standard error.
    pub errors: String,
}

impl SpawnOptions {
    /// Runs it to its end, or to the end of the time, and keeps the end of what it prints.
    pub fn ask(self, within: Duration, max_bytes: usize) -> io::Result<ProgramAnswer> {
        let mut group = self.output(Stdio::piped()).errors(Stdio::piped()).spawn()?;
        let pipes = group.take_pipes();
        let output = OutputTail::of(pipes.output, max_bytes)?;
        let errors = OutputTail::of(pipes.errors, max_bytes)?;
        let status = group.wait(within)?;
        // Whatever it left behind could hold the pipes open.
        group.end();
        Ok(ProgramAnswer { status, output: output.text(), errors: errors.text() })
    }
}
