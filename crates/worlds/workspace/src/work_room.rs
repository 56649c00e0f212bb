//! What an agent does with a shell and with files, in any sandbox.

use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::ending::Boundary;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::world::WorldError;
use quintain_core::{Feedback, ObservationPart};
use quintain_process::sandbox::{Sandbox, SandboxCommand, SandboxFault};

use crate::calls::{self, FileWish};
use crate::shown;

/// How long one command may take.
const COMMAND_LIMIT: Duration = Duration::from_mins(10);
/// What is left of a turn's time for everything but the command.
const MARGIN: Duration = Duration::from_secs(5);
/// How much of a file is looked at to show lines of it, or to edit it.
const LARGEST_READ: u64 = 16 << 20;

/// A sandbox that an agent works in.
pub struct WorkRoom {
    /// Nothing once it is closed.
    sandbox: Option<Box<dyn Sandbox>>,
    /// The folder that paths begin in which do not begin at the root.
    home: String,
    /// What there is to see: what the last action gave.
    pub shown: String,
}

/// What an action came to, in words.
enum ActionOutcome {
    Done(Feedback, String),
    Refused(String),
}

impl WorkRoom {
    /// An open sandbox in which paths begin in this folder. It shows the text first.
    pub fn new(sandbox: Box<dyn Sandbox>, home: &str, shown: String) -> Self {
        Self { sandbox: Some(sandbox), home: home.to_owned(), shown }
    }

    /// What it offers.
    pub fn surface(&self) -> Surface {
        Surface {
            calls: calls::published(&self.home),
            groups: [ActionGroup::Call, ActionGroup::Shell].into(),
            parts: [ObservationPart::Text].into(),
            screen: None,
        }
    }

    /// Carries out an action.
    pub fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        let outcome = match action {
            Action::Shell { command } => self.run(command, within),
            Action::Screenshot => Ok(ActionOutcome::Done(Feedback::unchanged("Looked."), self.shown.clone())),
            Action::Wait { ms } => self.run(&format!("sleep {}", Duration::from_millis(*ms).as_secs_f64()), within),
            Action::Call(call) => match calls::read(call) {
                Some(wish) => self.file(&wish, within).map_err(|fault| about(fault, wish.path())),
                None => Ok(ActionOutcome::Refused(format!("There is no `{}` here.", call.name))),
            },
            other => Ok(ActionOutcome::Refused(format!("There is no `{}` here.", other.verb()))),
        };
        match outcome {
            Ok(ActionOutcome::Done(feedback, text)) => {
                self.shown = text;
                Ok(feedback)
            }
            Ok(ActionOutcome::Refused(why)) | Err(SandboxFault::Refused(why)) => {
                self.shown.clone_from(&why);
                Ok(Feedback::refused(why))
            }
            Err(fault) => Err(fault_of(&fault)),
        }
    }

    /// Does something in its sandbox that is no action of the agent.
    pub fn with_sandbox<T>(
        &mut self,
        work: impl FnOnce(&mut dyn Sandbox) -> Result<T, SandboxFault>,
    ) -> Result<T, SandboxFault> {
        work(&mut **self.sandbox()?)
    }

    /// Ends everything that runs in it. What it worked on is left.
    pub fn close(&mut self) {
        if let Some(sandbox) = self.sandbox.take() {
            sandbox.close();
        }
    }

    fn run(&mut self, command: &str, within: Duration) -> Result<ActionOutcome, SandboxFault> {
        let text = self.printed(&["bash", "-c", command], within)?;
        Ok(ActionOutcome::Done(Feedback::changed("The command was run."), text))
    }

    /// What a program prints, as it is shown.
    fn printed(&mut self, argv: &[&str], within: Duration) -> Result<String, SandboxFault> {
        let within = within.saturating_sub(MARGIN).min(COMMAND_LIMIT);
        let command = SandboxCommand {
            within,
            kept_bytes: shown::KEPT_BYTES,
            is_joined: true,
            ..SandboxCommand::of(argv.iter().copied())
        };
        Ok(shown::command(&self.sandbox()?.exec(&command)?, within.as_secs()))
    }

    fn file(&mut self, wish: &FileWish, within: Duration) -> Result<ActionOutcome, SandboxFault> {
        let seen = |text: String| ActionOutcome::Done(Feedback::unchanged("Looked."), text);
        let place = self.whole(wish.path());
        Ok(match wish {
            FileWish::Read { path, from_line } => {
                let (bytes, size) = self.sandbox()?.get(&place, 0, LARGEST_READ)?;
                match shown::lines(&bytes, *from_line, size <= LARGEST_READ) {
                    Ok(text) => seen(text),
                    Err(why) => ActionOutcome::Refused(format!("`{path}` is not shown: {why}.")),
                }
            }
            FileWish::Write { path, text } => {
                self.sandbox()?.put(&place, text.as_bytes())?;
                let told = format!("{} bytes are written to {path}.", text.len());
                ActionOutcome::Done(Feedback::changed("Written."), told)
            }
            FileWish::Edit { path, old, new } => self.edit((path, &place), old, new)?,
            FileWish::List { .. } => {
                let (entries, n_all) = self.sandbox()?.list(&place, shown::MOST_ENTRIES)?;
                seen(shown::entries(&entries, n_all))
            }
            FileWish::Search { pattern, .. } => seen(self.printed(&["grep", "-rnIE", "--", pattern, &place], within)?),
        })
    }

    fn edit(&mut self, (path, place): (&str, &str), old: &str, new: &str) -> Result<ActionOutcome, SandboxFault> {
        let refused = |why: &str| Ok(ActionOutcome::Refused(format!("`{path}` is not changed: {why}.")));
        let (bytes, size) = self.sandbox()?.get(place, 0, LARGEST_READ)?;
        let Ok(text) = String::from_utf8(bytes) else { return refused("it is not a text file in UTF-8") };
        if size > LARGEST_READ {
            return refused("it is too large");
        }
        match text.matches(old).count() {
            0 => return refused("the stretch is not in it"),
            1 if !old.is_empty() => {}
            _ => return refused("the stretch is in it more than once; take more of what is around it"),
        }
        self.sandbox()?.put(place, text.replacen(old, new, 1).as_bytes())?;
        Ok(ActionOutcome::Done(Feedback::changed("Written."), format!("{path} is changed.")))
    }

    /// A path as the sandbox has it.
    fn whole(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { format!("{}/{path}", self.home) }
    }

    fn sandbox(&mut self) -> Result<&mut Box<dyn Sandbox>, SandboxFault> {
        self.sandbox.as_mut().ok_or_else(|| SandboxFault::Broken("the workspace is closed".to_owned()))
    }
}

/// With the file that it is about, where it is refused.
fn about(fault: SandboxFault, path: &str) -> SandboxFault {
    match fault {
        SandboxFault::Refused(why) => {
            let why = why.split(" (os error").next().unwrap_or_default();
            SandboxFault::Refused(format!("`{path}`: {why}."))
        }
        other => other,
    }
}

/// What a fault of a sandbox is to a trial.
pub fn fault_of(fault: &SandboxFault) -> WorldError {
    match fault {
        SandboxFault::UsedUp(what) | SandboxFault::Ended(what) => WorldError::Exhausted(what.clone()),
        SandboxFault::Unavailable(_) => WorldError::setup(fault.to_string()),
        SandboxFault::Broken(_) | SandboxFault::Refused(_) => {
            WorldError::Fault { boundary: Boundary::Sandbox, why: fault.to_string() }
        }
    }
}
