//! One open workspace.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::event::{KeepError, Record};
use quintain_core::files::FileSet;
use quintain_core::surface::Surface;
use quintain_core::world::{Collected, KeptWorld, World, WorldError};
use quintain_core::{Evidence, Feedback, Observation, ObservationPart};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{Binding, SandboxPlan, SandboxProvider as _, this_host};
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::assignment::InputFiles;
use crate::freeze::{FrozenFiles, MOST_BYTES, MOST_FILES};
use crate::kept_work::{KeptNames, KeptWork, WorkTree};
use crate::open_room::OpenRoom;
use crate::room_plan::room_plan;
use crate::screen_start::{ScreenStart, is_of_programs};
use crate::work_room::{WorkRoom, fault_of};
use crate::{INPUT, OUTPUT, WORK, shown};

/// What the folder of a workspace is called on the host.
const FOLDER: &str = "quintain-workspace-";
/// The document that tells what became of the deliverables.
pub(crate) const DOCUMENT: &str = "workspace";
/// What an agent is told when its work was put back after a crash.
pub const PUT_BACK: &str = "[The machine was started again. Files are as they were after your last action; programs that were still running, \
    and what was in /tmp, are gone.]";
/// And what else, where there is a screen.
const OPENED_AGAIN: &str =
    "[What stood open on the screen at the beginning was opened again, with its first settings.]";

/// A workspace that is open.
pub(crate) struct OpenWorkspace {
    room: OpenRoom,
    plan: SandboxPlan,
    screen: Option<ScreenStart>,
    folder: Arc<SweptFolder>,
    kept: KeptWork,
}

impl OpenWorkspace {
    /// Opens a workspace with these files in it, and with a screen where one is asked for.
    pub(crate) fn open(inputs: &InputFiles, given: &FileSet, screen: Option<ScreenStart>) -> Result<Self, WorldError> {
        let broken = |error: io::Error| WorldError::setup(format!("the files of the workspace: {error}"));
        let folder = SweptFolder::new(FOLDER).map_err(broken)?;
        let input = folder.path().join("input");
        put_files(&input, inputs, given).map_err(broken)?;
        let work = folder.inner("work").map_err(broken)?;
        folder.inner("work/output").map_err(broken)?;
        let mut plan = room_plan(&work, MOST_BYTES + (1 << 30), MOST_FILES as u64 * 2);
        plan.bindings.push(Binding { host: input, inside: PathBuf::from(INPUT) });
        let listed = shown::inputs(inputs.iter().map(|(path, bytes)| (path, bytes.len() as u64)).chain(sizes(given)));
        let shown = format!("You are in {WORK}. In {INPUT} (read-only):\n{listed}");
        let room = opened_room(&plan, screen.as_ref(), &work, shown)?;
        let kept = KeptWork::new(if screen.is_some() { KeptNames::OfAgents } else { KeptNames::All });
        Ok(Self { room, plan, screen, folder: Arc::new(folder), kept })
    }

    /// Where the agent works, as the host sees it.
    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }
}

/// Opens the room. Where there is a screen, programs stand open on it.
fn opened_room(
    plan: &SandboxPlan,
    screen: Option<&ScreenStart>,
    work: &Path,
    shown: String,
) -> Result<OpenRoom, WorldError> {
    if let Some(screen) = screen {
        return Ok(OpenRoom::Screened(Box::new(screen.open(plan, work, &shown)?)));
    }
    let sandbox = this_host().and_then(|host| host.provider.open(plan)).map_err(|fault| fault_of(&fault))?;
    Ok(OpenRoom::Plain(WorkRoom::new(sandbox, WORK, shown)))
}

impl World for OpenWorkspace {
    fn surface(&self) -> Surface {
        self.room.surface()
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        self.room.observe(wanted)
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        self.room.apply(action, within)
    }

    /// There is nothing to be judged on the way: files count when they are done.
    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        Ok(Evidence::default())
    }

    fn keep(&mut self, record: &mut dyn Record) -> Result<Option<KeptWorld>, KeepError> {
        let tree = self.kept.keep(&self.work(), record)?;
        let kept = |tree: WorkTree| KeptWorld {
            document: json!({ "shown": self.room.shown(), "tree": tree }),
            files: self.kept.files(),
        };
        Ok(tree.map(kept))
    }

    fn put_back(&mut self, document: &Value, files: &FileSet) -> Result<(), WorldError> {
        let broken = |why: String| WorldError::world(format!("the workspace cannot be put back: {why}"));
        let tree = WorkTree::deserialize(&document["tree"]).map_err(|error| broken(error.to_string()))?;
        let shown = format!("{}\n\n{PUT_BACK}", document["shown"].as_str().unwrap_or_default().trim_end());
        if let Some(screen) = &self.screen {
            let shown = format!("{shown}\n{OPENED_AGAIN}");
            self.room.work().close();
            tree.put_back(files, &self.work()).map_err(|error| broken(error.to_string()))?;
            self.room = opened_room(&self.plan, Some(screen), &self.work(), shown)?;
            return Ok(());
        }
        tree.put_back(files, &self.work()).map_err(|error| broken(error.to_string()))?;
        self.room.work().shown = shown;
        Ok(())
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        self.room.work().close();
        let left = FrozenFiles::below(&self.folder.path().join("work/output"), &self.folder);
        let left = left.map_err(|error| WorldError::world(format!("{OUTPUT} cannot be read: {error}")))?;
        let FrozenFiles { mut files, n_bytes, left_out, n_left_out } = left;
        if self.screen.is_some() {
            // A program that is open keeps a lock beside its file.
            files.retain(|path, _| !is_of_programs(path));
        }
        let told = json!({
            "n_files": files.len(), "n_bytes": n_bytes, "n_left_out": n_left_out, "left_out": left_out,
        });
        Ok(Collected { evidence: Evidence::document(DOCUMENT, told), files, screen: self.room.last_screen() })
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
