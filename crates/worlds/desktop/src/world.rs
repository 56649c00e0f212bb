//! A computer with a program on it, as a world.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::surface::Surface;
use quintain_core::world::{Collected, World, WorldError};
use quintain_core::{Evidence, Feedback, Observation, ObservationPart};
use quintain_machine::{AccessibleElement, MachineFault, MachineScreen, OpenWindow};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{CommandEnd, SandboxFault};
use quintain_workspace::{FrozenFiles, ScreenedRoom, WorkRoom};
use serde_json::Value;

use crate::HOME;
use crate::app::{AppProbe, DesktopApp};
use crate::opening::OpenedApp;

/// How large a text may be of which a probe tells.
const LARGEST_TOLD: u64 = 1 << 20;

/// A computer with a program on it.
pub(crate) struct DesktopWorld {
    app: &'static dyn DesktopApp,
    process: u32,
    room: ScreenedRoom,
    folder: Arc<SweptFolder>,
}

/// What of everything that is seen belongs to a process.
pub(crate) fn seen_of<'a>(
    process: u32,
    (windows, elements): (&'a [OpenWindow], &'a [AccessibleElement]),
    files: &'a BTreeMap<&'static str, String>,
    is_running: bool,
) -> AppProbe<'a> {
    AppProbe { windows, elements: elements.iter().find(|program| program.process == process), files, is_running }
}

impl DesktopWorld {
    pub(crate) fn new(app: &'static dyn DesktopApp, opened: OpenedApp, can_end_all: bool) -> Result<Self, WorldError> {
        let OpenedApp { machine, program, process, folder } = opened;
        let screen = MachineScreen::new(machine.display).map_err(|fault| WorldError::setup(fault.to_string()))?;
        let room = WorkRoom::new(machine.guest, HOME, format!("You are in {HOME}, your home."));
        Ok(Self { app, process, room: ScreenedRoom { room, screen, program, can_end_all }, folder })
    }

    /// Looks whether the program broke down, or was ended by somebody. One that was closed is gone, and that is all.
    fn check_program(&mut self) -> Result<bool, WorldError> {
        let state = self.room.look_at_program()?;
        let name = self.app.name();
        match state.end {
            None => Ok(true),
            Some(CommandEnd::Signalled(9 | 15)) if !self.room.can_end_all => {
                Err(WorldError::world(format!("`{name}` was ended by somebody who is not the agent")))
            }
            Some(CommandEnd::Signalled(signal)) => {
                Err(WorldError::Exhausted(format!("`{name}` broke down (signal {signal})")))
            }
            Some(CommandEnd::Exited(_) | CommandEnd::OutOfTime) => Ok(false),
        }
    }

    fn evidence(&mut self) -> Result<Evidence, WorldError> {
        let mut is_running = self.check_program()?;
        loop {
            let document = self.probed(is_running).map_err(|fault| self.room.blame(&fault))?;
            // One that goes while it is asked tells nothing, which is not what it holds.
            let is_still_running = self.check_program()?;
            if is_still_running == is_running {
                return Ok(Evidence::document(self.app.name(), document));
            }
            is_running = is_still_running;
        }
    }

    fn probed(&mut self, is_running: bool) -> Result<Value, MachineFault> {
        let files = self.saved()?;
        let windows = self.room.screen.windows()?;
        let elements = self.room.screen.elements()?;
        Ok(self.app.probe(&seen_of(self.process, (&windows, elements), &files, is_running)))
    }

    /// The texts that the probe tells of. What is not there, too large or no text is left out.
    fn saved(&mut self) -> Result<BTreeMap<&'static str, String>, MachineFault> {
        let mut saved = BTreeMap::new();
        for path in self.app.told_files() {
            let whole = format!("{HOME}/{path}");
            match self.room.room.with_sandbox(|sandbox| sandbox.get(&whole, 0, LARGEST_TOLD)) {
                Ok((bytes, size)) if size <= LARGEST_TOLD => {
                    saved.extend(String::from_utf8(bytes).ok().map(|text| (*path, text)));
                }
                Ok(_) | Err(SandboxFault::Refused(_)) => {}
                Err(fault) => return Err(MachineFault::Guest(fault)),
            }
        }
        Ok(saved)
    }
}

impl World for DesktopWorld {
    fn surface(&self) -> Surface {
        self.room.surface()
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        self.room.observe(wanted)
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        let done = self.room.carry_out(action, within)?;
        if !matches!(action, Action::Zoom { .. }) {
            self.check_program()?;
        }
        self.room.look_again(action, done)
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        self.evidence()
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        let mut evidence = self.evidence()?;
        let tree = self.room.screen.tree().map_err(|fault| self.room.blame(&fault))?;
        evidence.documents.insert("tree".to_owned(), Value::String(tree));
        self.room.room.close();
        let left = FrozenFiles::below(&self.folder.path().join("home"), &self.folder);
        let left = left.map_err(|error| WorldError::world(format!("{HOME} cannot be read: {error}")))?;
        // What programs keep for themselves is nobody's work.
        let files = left.files.into_iter().filter(|(path, _)| !path.starts_with('.')).collect();
        Ok(Collected { evidence, screen: Some(self.room.screen.last()), files })
    }
}
