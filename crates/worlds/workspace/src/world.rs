//! One open workspace.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::ending::Boundary;
use quintain_core::event::{KeepError, Record};
use quintain_core::files::FileSet;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::world::{Collected, KeptWorld, World, WorldError};
use quintain_core::{Evidence, Feedback, Observation, ObservationPart};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{Binding, Sandbox, SandboxCommand, SandboxFault, SandboxProvider as _, this_host};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::assignment::InputFiles;
use crate::calls::{self, FileWish};
use crate::freeze::{FrozenFiles, MOST_BYTES, MOST_FILES};
use crate::kept_work::{KeptWork, WorkTree};
use crate::room_plan::room_plan;
use crate::{INPUT, OUTPUT, WORK, shown};

/// What the folder of a workspace is called on the host.
const FOLDER: &str = "quintain-workspace-";
/// The document that tells what became of the deliverables.
pub(crate) const DOCUMENT: &str = "workspace";
/// What an agent is told when a workspace was put back after a crash.
const PUT_BACK: &str = "[The machine was started again. Files are as they were after your last action; programs that were still running, \
    and what was in /tmp, are gone.]";
/// How long one command may take.
const COMMAND_LIMIT: Duration = Duration::from_mins(10);
/// What is left of a turn's time for everything but the command.
const MARGIN: Duration = Duration::from_secs(5);
/// How much of a file is looked at to show lines of it, or to edit it.
const LARGEST_READ: u64 = 16 << 20;

/// A workspace that is open.
pub(crate) struct OpenWorkspace {
    /// Nothing once it is closed.
    sandbox: Option<Box<dyn Sandbox>>,
    folder: Arc<SweptFolder>,
    kept: KeptWork,
    /// What there is to see: what the last action gave.
    shown: String,
}

/// What an action came to, in words.
enum ActionOutcome {
    Done(Feedback, String),
    Refused(String),
}

impl OpenWorkspace {
    /// Opens a workspace with these files in it.
    pub(crate) fn open(inputs: &InputFiles, given: &FileSet) -> Result<Self, WorldError> {
        let broken = |error: io::Error| WorldError::setup(format!("the files of the workspace: {error}"));
        let folder = SweptFolder::new(FOLDER).map_err(broken)?;
        let input = folder.path().join("input");
        put_files(&input, inputs, given).map_err(broken)?;
        let work = folder.inner("work").map_err(broken)?;
        folder.inner("work/output").map_err(broken)?;
        let mut plan = room_plan(&work, MOST_BYTES + (1 << 30), MOST_FILES as u64 * 2);
        plan.bindings.push(Binding { host: input, inside: PathBuf::from(INPUT) });
        let sandbox = this_host().and_then(|host| host.provider.open(&plan)).map_err(|fault| fault_of(&fault))?;
        let listed = shown::inputs(inputs.iter().map(|(path, bytes)| (path, bytes.len() as u64)).chain(sizes(given)));
        let shown = format!("You are in {WORK}. In {INPUT} (read-only):\n{listed}");
        Ok(Self { sandbox: Some(sandbox), folder: Arc::new(folder), kept: KeptWork::default(), shown })
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
        Ok(match wish {
            FileWish::Read { path, from_line } => {
                let (bytes, size) = self.sandbox()?.get(&calls::whole(path), 0, LARGEST_READ)?;
                match shown::lines(&bytes, *from_line, size <= LARGEST_READ) {
                    Ok(text) => seen(text),
                    Err(why) => ActionOutcome::Refused(format!("`{path}` is not shown: {why}.")),
                }
            }
            FileWish::Write { path, text } => {
                self.sandbox()?.put(&calls::whole(path), text.as_bytes())?;
                let told = format!("{} bytes are written to {path}.", text.len());
                ActionOutcome::Done(Feedback::changed("Written."), told)
            }
            FileWish::Edit { path, old, new } => self.edit(path, old, new)?,
            FileWish::List { path } => {
                let (entries, n_all) = self.sandbox()?.list(&calls::whole(path), shown::MOST_ENTRIES)?;
                seen(shown::entries(&entries, n_all))
            }
            FileWish::Search { pattern, path } => {
                seen(self.printed(&["grep", "-rnIE", "--", pattern, &calls::whole(path)], within)?)
            }
        })
    }

    fn edit(&mut self, path: &str, old: &str, new: &str) -> Result<ActionOutcome, SandboxFault> {
        let place = calls::whole(path);
        let refused = |why: &str| Ok(ActionOutcome::Refused(format!("`{path}` is not changed: {why}.")));
        let (bytes, size) = self.sandbox()?.get(&place, 0, LARGEST_READ)?;
        let Ok(text) = String::from_utf8(bytes) else { return refused("it is not a text file in UTF-8") };
        if size > LARGEST_READ {
            return refused("it is too large");
        }
        match text.matches(old).count() {
            0 => return refused("the stretch is not in it"),
            1 if !old.is_empty() => {}
            _ => return refused("the stretch is in it more than once; take more of what is around it"),
        }
        self.sandbox()?.put(&place, text.replacen(old, new, 1).as_bytes())?;
        Ok(ActionOutcome::Done(Feedback::changed("Written."), format!("{path} is changed.")))
    }

    fn sandbox(&mut self) -> Result<&mut Box<dyn Sandbox>, SandboxFault> {
        self.sandbox.as_mut().ok_or_else(|| SandboxFault::Broken("the workspace is closed".to_owned()))
    }
}

impl World for OpenWorkspace {
    fn surface(&self) -> Surface {
        Surface {
            calls: calls::published(),
            groups: [ActionGroup::Call, ActionGroup::Shell].into(),
            parts: [ObservationPart::Text].into(),
            screen: None,
        }
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let seen = Observation::default();
        let shows_text = wanted.contains(&ObservationPart::Text);
        Ok(if shows_text { seen.with_text(ObservationPart::Text, self.shown.clone()) } else { seen })
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
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

    /// There is nothing to be judged on the way: files count when they are done.
    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::default())
    }

    fn keep(&mut self, record: &mut dyn Record) -> Result<Option<KeptWorld>, KeepError> {
        let tree = self.kept.keep(&self.folder.path().join("work"), record)?;
        let kept = |tree: WorkTree| KeptWorld {
            document: json!({ "shown": self.shown, "tree": tree }),
            files: self.kept.files(),
        };
        Ok(tree.map(kept))
    }

    fn put_back(&mut self, document: &Value, files: &FileSet) -> Result<(), WorldError> {
        let broken = |why: String| WorldError::world(format!("the workspace cannot be put back: {why}"));
        let tree = WorkTree::deserialize(&document["tree"]).map_err(|error| broken(error.to_string()))?;
        tree.put_back(files, &self.folder.path().join("work")).map_err(|error| broken(error.to_string()))?;
        self.shown = format!("{}\n\n{PUT_BACK}", document["shown"].as_str().unwrap_or_default().trim_end());
        Ok(())
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        if let Some(sandbox) = self.sandbox.take() {
            sandbox.close();
        }
        let left = FrozenFiles::below(&self.folder.path().join("work/output"), &self.folder);
        let left = left.map_err(|error| WorldError::world(format!("{OUTPUT} cannot be read: {error}")))?;
        let FrozenFiles { files, n_bytes, left_out, n_left_out } = left;
        let told = json!({
            "n_files": files.len(), "n_bytes": n_bytes, "n_left_out": n_left_out, "left_out": left_out,
        });
        Ok(Collected { evidence: Evidence::document(DOCUMENT, told), files, screen: None })
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
fn fault_of(fault: &SandboxFault) -> WorldError {
    match fault {
        SandboxFault::UsedUp(what) => WorldError::Exhausted(what.clone()),
        SandboxFault::Unavailable(_) => WorldError::setup(fault.to_string()),
        SandboxFault::Broken(_) | SandboxFault::Refused(_) => {
            WorldError::Fault { boundary: Boundary::Sandbox, why: fault.to_string() }
        }
    }
}

/// The sizes of files.
fn sizes(files: &FileSet) -> impl Iterator<Item = (&String, u64)> {
    files.iter().map(|(path, file)| (path, file.n_bytes()))
}

/// Puts the files of an instance and those of its task into a folder, where everybody can read them.
fn put_files(folder: &Path, inputs: &InputFiles, given: &FileSet) -> io::Result<()> {
    fs::create_dir(folder)?;
    let place = |path: &String| -> io::Result<PathBuf> {
        let place = folder.join(path);
        place.parent().map_or(Ok(()), fs::create_dir_all)?;
        Ok(place)
    };
    for (path, bytes) in inputs {
        fs::write(place(path)?, bytes)?;
    }
    for (path, file) in given {
        let mut to = fs::File::create(place(path)?)?;
        file.copy_to(&mut to).map_err(io::Error::other)?;
    }
    Ok(())
}
