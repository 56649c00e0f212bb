//! One open system.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::event::{KeepError, Record};
use quintain_core::surface::Surface;
use quintain_core::world::{Collected, KeptWorld, World, WorldError};
use quintain_core::{Evidence, Feedback, FileSet, Observation, ObservationPart};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{LayeredTree, Sandbox, SandboxCommand, SandboxFault, SandboxProvider as _, this_host};
use quintain_root_tree::{ChangesFault, TreeStore, write_changes};
use quintain_workspace::{FrozenFiles, PUT_BACK, WorkRoom, fault_of};
use serde_json::{Value, json};

use crate::kept_system::{self, KeptSystem};
use crate::played_task::{LOGS, PlayedTask, chore};
use crate::steps::{self, NEXT_STEP};

/// What the folder of a system is called on the host.
const FOLDER: &str = "quintain-container-";
/// How long a hook may take whose own time makes no sense.
const HOOK: Duration = Duration::from_mins(1);
/// The document that tells how far the agent came.
pub(crate) const DOCUMENT: &str = "container";

/// A system that is open.
pub(crate) struct OpenContainer {
    room: WorkRoom,
    played: PlayedTask,
    layered: LayeredTree,
    folder: Arc<SweptFolder>,
    /// The step that the agent is at.
    round: usize,
    kept: KeptSystem,
}

/// The file that holds what was changed up to the end of a step.
pub(crate) fn changes_file(round: usize) -> String {
    format!("step-{}.tar", round + 1)
}

/// A sandbox on a system of a task, as it is.
fn entered(played: &PlayedTask, layered: &LayeredTree) -> Result<Box<dyn Sandbox>, SandboxFault> {
    this_host()?.provider.open(&played.plan(layered.clone(), BTreeMap::new()))
}

impl OpenContainer {
    /// Opens the system of a task, whose files these are.
    pub(crate) fn open(inputs: &FileSet, trees: Option<&TreeStore>) -> Result<Self, WorldError> {
        let played = PlayedTask::find(inputs, false, trees).map_err(WorldError::setup)?;
        let folder = SweptFolder::new(FOLDER).map_err(|error| WorldError::setup(error.to_string()))?;
        let layered = played.layered(&folder).map_err(WorldError::setup)?;
        let opened = || -> Result<_, SandboxFault> {
            let mut sandbox = entered(&played, &layered)?;
            chore(&mut *sandbox, &format!("mkdir -p {}", LOGS.join(" ")))?;
            steps::begin(&mut *sandbox, &played, 0)?;
            Ok(sandbox)
        };
        let sandbox = opened().map_err(|fault| fault_of(&fault))?;
        let shown = match played.task.rounds.len() {
            0 | 1 => format!("You are root in {}.", played.folder()),
            n => format!(
                "You are root in {}. There are {n} steps: `{NEXT_STEP}` leads from one to the next.",
                played.folder()
            ),
        };
        let room = WorkRoom::new(sandbox, played.folder(), shown);
        fs::create_dir(folder.path().join("left")).map_err(|error| WorldError::setup(error.to_string()))?;
        let folder = Arc::new(folder);
        Ok(Self { room, layered, kept: KeptSystem::new(Arc::clone(&folder)), folder, round: 0, played })
    }

    fn left(&self) -> PathBuf {
        self.folder.path().join("left")
    }

    /// Keeps what was changed until now, as what this step left.
    fn keep_step(&self) -> Result<(), WorldError> {
        let broken = |why: String| WorldError::world(format!("what was changed cannot be kept: {why}"));
        let place = self.left().join(changes_file(self.round));
        let mut file = File::create(place).map_err(|error| broken(error.to_string()))?;
        match write_changes(&self.layered.upper(), &self.played.limits(), &mut file) {
            Ok(_count) => Ok(()),
            Err(ChangesFault::TooMuch(what)) => Err(WorldError::Exhausted(format!("the changes are more than {what}"))),
            Err(fault) => Err(broken(fault.to_string())),
        }
    }

    /// Runs what the task wants to be run when the agent is done with a step. What that comes to shows in what it left.
    fn run_hooks(&mut self) -> Result<(), WorldError> {
        let hooks = self.played.task.rounds.get(self.round).map_or(&[][..], |round| &round.collect[..]);
        for hook in hooks {
            let within = Duration::try_from_secs_f64(hook.timeout_sec).unwrap_or(HOOK);
            let command = SandboxCommand { within, ..SandboxCommand::of(["bash", "-c", &hook.command]) };
            self.room.with_sandbox(|sandbox| sandbox.exec(&command)).map_err(|fault| fault_of(&fault))?;
        }
        Ok(())
    }

    fn next_step(&mut self) -> Result<Feedback, WorldError> {
        if self.round + 1 >= self.played.task.rounds.len() {
            return Ok(Feedback::refused("This is the last step."));
        }
        self.run_hooks()?;
        self.keep_step()?;
        self.round += 1;
        let (played, round) = (&self.played, self.round);
        self.room.with_sandbox(|sandbox| steps::begin(sandbox, played, round)).map_err(|fault| fault_of(&fault))?;
        self.room.shown = steps::told(&self.played, self.round);
        Ok(Feedback::changed("The next step begins."))
    }
}

impl World for OpenContainer {
    fn surface(&self) -> Surface {
        let mut surface = self.room.surface();
        if self.played.task.rounds.len() > 1 {
            surface.calls.push(steps::published());
        }
        surface
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let seen = Observation::default();
        let shows_text = wanted.contains(&ObservationPart::Text);
        Ok(if shows_text { seen.with_text(ObservationPart::Text, self.room.shown.clone()) } else { seen })
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        match action {
            Action::Call(call) if call.name == NEXT_STEP => self.next_step(),
            other => self.room.apply(other, within),
        }
    }

    /// There is nothing to be judged on the way: tests run when the agent has stopped.
    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::default())
    }

    fn keep(&mut self, record: &mut dyn Record) -> Result<Option<KeptWorld>, KeepError> {
        let files = self.kept.keep(&self.layered.upper(), &self.left(), record)?;
        let document = json!({ "shown": self.room.shown, "step": self.round });
        Ok(files.map(|files| KeptWorld { document, files }))
    }

    /// Changes cannot be slipped into a system that is mounted: it is closed, and one is opened that has them.
    fn put_back(&mut self, document: &Value, files: &FileSet) -> Result<(), WorldError> {
        let broken = |why: String| WorldError::world(format!("the system cannot be put back: {why}"));
        self.room.close();
        let changes = self.folder.inner("put-back").map_err(|error| broken(error.to_string()))?;
        let layered = LayeredTree { changes, ..self.layered.clone() };
        let upper = self.folder.inner("put-back/upper").map_err(|error| broken(error.to_string()))?;
        kept_system::put_back(files, &upper, &self.left()).map_err(broken)?;
        let sandbox = entered(&self.played, &layered).map_err(|fault| fault_of(&fault))?;
        let shown = document["shown"].as_str().unwrap_or_default().trim_end();
        self.room = WorkRoom::new(sandbox, self.played.folder(), format!("{shown}\n\n{PUT_BACK}"));
        self.round = document["step"].as_u64().and_then(|step| usize::try_from(step).ok()).unwrap_or_default();
        self.layered = layered;
        Ok(())
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        self.run_hooks()?;
        self.room.close();
        self.keep_step()?;
        let unread = |error: std::io::Error| WorldError::world(format!("what was left cannot be read: {error}"));
        let left = FrozenFiles::below(&self.left(), &self.folder).map_err(unread)?;
        let told =
            json!({ "n_steps": self.played.task.rounds.len(), "n_begun": self.round + 1, "n_bytes": left.n_bytes });
        Ok(Collected { evidence: Evidence::document(DOCUMENT, told), files: left.files, screen: None })
    }
}
