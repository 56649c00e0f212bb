//! A program, run to its end or to the end of its time.

use std::ffi::OsStr;
use std::io::{self, PipeWriter, Write as _, pipe};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitStatus};
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use crate::kernel;
use crate::output::PrintedOutput;
use crate::protocol::{CommandEnd, CommandReport, CommandRequest};

/// Runs it and says what came of it. Whatever it left in the background goes on.
pub(crate) fn to_its_end(request: &CommandRequest) -> io::Result<CommandReport> {
    let began = Instant::now();
    let (program, rest) = request.argv.split_first().ok_or_else(|| io::Error::other("no program is named"))?;
    let (output, to_output) = pipe()?;
    let (errors, to_errors) = pipe()?;
    let to_errors = if request.is_joined { to_output.try_clone()? } else { to_errors };
    let (from_input, input) = pipe()?;
    let mut command = Command::new(OsStr::from_bytes(program));
    command.args(rest.iter().map(|word| OsStr::from_bytes(word))).current_dir(OsStr::from_bytes(&request.folder));
    command.stdin(from_input).stdout(to_output).stderr(to_errors).process_group(0);
    // What takes a thread comes first: where there are no more to be had, nothing is started that nobody would watch.
    let max_bytes = usize::try_from(request.kept_bytes).unwrap_or(usize::MAX);
    let (output, errors) = (PrintedOutput::of(output, max_bytes)?, PrintedOutput::of(errors, max_bytes)?);
    feed(input, request.input.clone())?;
    let child = command.spawn()?;
    // It holds our copies of the pipes that the program has.
    drop(command);
    let end = wait(child, Duration::from_millis(request.millis))?;
    let millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(CommandReport { end, output: output.kept(), errors: errors.kept(), millis })
}

/// Writes its input from a thread of its own: nobody waits for a program that does not read.
fn feed(mut input: PipeWriter, bytes: Vec<u8>) -> io::Result<()> {
    if !bytes.is_empty() {
        thread::Builder::new().spawn(move || input.write_all(&bytes).ok())?;
    }
    Ok(())
}

fn wait(mut child: Child, within: Duration) -> io::Result<CommandEnd> {
    let id = child.id();
    let (tell, told) = channel();
    let watched = thread::Builder::new().spawn(move || tell.send(child.wait()).ok());
    if let Err(error) = watched {
        kernel::kill_group(id);
        return Err(error);
    }
    if let Ok(status) = told.recv_timeout(within) {
        return status.map(end_of);
    }
    kernel::kill_group(id);
    told.recv().map_err(io::Error::other)??;
    Ok(CommandEnd::OutOfTime)
}

/// How a program left.
pub(crate) fn end_of(status: ExitStatus) -> CommandEnd {
    match (status.code(), status.signal()) {
        (Some(code), _) => CommandEnd::Exited(code.cast_unsigned()),
        (None, signal) => CommandEnd::Signalled(signal.unwrap_or_default().cast_unsigned()),
    }
}
