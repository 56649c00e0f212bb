//! Programs that are started and left running.

use std::ffi::OsStr;
use std::io::{self, pipe};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use crate::kernel;
use crate::output::PrintedOutput;
use crate::protocol::{CommandRequest, ProgramState};
use crate::run::end_of;

/// All that were started, in the order in which they were.
#[derive(Default)]
pub(crate) struct StartedPrograms(Vec<StartedProgram>);

struct StartedProgram {
    child: Child,
    printed: PrintedOutput,
    /// Whether everything was read that it printed before it left.
    is_heard_out: bool,
}

impl StartedPrograms {
    /// Starts a program and says how it is counted.
    pub(crate) fn start(&mut self, request: &CommandRequest) -> io::Result<u64> {
        let (program, rest) = request.argv.split_first().ok_or_else(|| io::Error::other("no program is named"))?;
        let (printed, to_printed) = pipe()?;
        let printed = PrintedOutput::of(printed, usize::try_from(request.kept_bytes).unwrap_or(usize::MAX))?;
        let mut command = Command::new(OsStr::from_bytes(program));
        command.args(rest.iter().map(|word| OsStr::from_bytes(word))).current_dir(OsStr::from_bytes(&request.folder));
        command.stdin(Stdio::null()).stdout(to_printed.try_clone()?).stderr(to_printed).process_group(0);
        self.0.push(StartedProgram { child: command.spawn()?, printed, is_heard_out: false });
        Ok(self.0.len() as u64 - 1)
    }

    /// How one of them is doing.
    pub(crate) fn look(&mut self, number: u64) -> io::Result<ProgramState> {
        let place = usize::try_from(number).ok().and_then(|place| self.0.get_mut(place));
        let started = place.ok_or_else(|| io::Error::other("no such program was started"))?;
        let end = started.child.try_wait()?.map(end_of);
        if end.is_some() && !std::mem::replace(&mut started.is_heard_out, true) {
            started.printed.hear_out();
        }
        Ok(ProgramState { process: started.child.id().into(), end, printed: started.printed.so_far() })
    }
}

/// Nobody is left to ask after them.
impl Drop for StartedPrograms {
    fn drop(&mut self) {
        for started in &mut self.0 {
            // The number of one that has ended may be somebody else's by now.
            if matches!(started.child.try_wait(), Ok(None)) {
                kernel::kill_group(started.child.id());
            }
        }
    }
}
