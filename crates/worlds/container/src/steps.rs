//! The steps of a task: what is asked next, and what is put there for it.

use quintain_core::CallSchema;
use quintain_process::sandbox::{Sandbox, SandboxFault};

use crate::played_task::{PlayedTask, chore, put_folder};

/// The call by which an agent says that it is done with a step.
pub(crate) const NEXT_STEP: &str = "next_step";

/// That call, as agents are told of it.
pub(crate) fn published() -> CallSchema {
    CallSchema::plain(NEXT_STEP, "Ends this step, as it is, and shows what the next one asks. There is no way back.")
}

/// Puts the files of a round where commands begin, and runs its set-up. Why it failed, if it did, is the task's fault.
pub(crate) fn begin(sandbox: &mut dyn Sandbox, played: &PlayedTask, round: usize) -> Result<(), SandboxFault> {
    let Some(folder) = played.task.rounds.get(round).and_then(|round| round.workdir.as_deref()) else { return Ok(()) };
    put_folder(sandbox, (&played.task, folder), played.folder())?;
    let has_setup = played.task.files_in(folder).any(|(path, _)| path == "setup.sh");
    if has_setup && !chore(sandbox, "bash ./setup.sh")? {
        return Err(SandboxFault::Broken(format!("`{folder}/setup.sh` does not come to a good end")));
    }
    Ok(())
}

/// What an agent reads when a step begins.
pub(crate) fn told(played: &PlayedTask, round: usize) -> String {
    let rounds = &played.task.rounds;
    let asked = rounds.get(round).map_or("", |round| round.instruction.trim_end());
    let rest = if round + 1 < rounds.len() {
        format!("When you are done with it, `{NEXT_STEP}` leads to the next step.")
    } else {
        "This is the last step.".to_owned()
    };
    format!("Step {} of {}:\n\n{asked}\n\n[{rest}]", round + 1, rounds.len())
}
