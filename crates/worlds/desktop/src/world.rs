//! A computer with a program on it, as a world.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::trajectory::Effect;
use quintain_core::world::{Collected, World, WorldError};
use quintain_core::{Evidence, Feedback, Observation, ObservationPart};
use quintain_machine::{AccessibleElement, DesktopHand, Display, HandRefusal, MachineFault, OpenWindow};
use quintain_process::SweptFolder;
use quintain_process::sandbox::{CommandEnd, SandboxFault, StartedNumber};
use quintain_screen::ShownScreen;
use quintain_workspace::{FrozenFiles, WorkRoom, fault_of};
use serde_json::{Value, json};

use crate::app::{AppProbe, DesktopApp};
use crate::opening::OpenedApp;
use crate::{HOME, geometry, told_tree};

/// How long the screen may take to become quiet after an action.
const SETTLE_LIMIT: Duration = Duration::from_secs(3);
/// How long programs may take to tell what they show.
const TREE_LIMIT: Duration = Duration::from_secs(30);

/// A computer with a program on it.
pub(crate) struct DesktopWorld {
    app: &'static dyn DesktopApp,
    program: StartedNumber,
    process: u32,
    display: Box<dyn Display>,
    room: WorkRoom,
    /// Whether the agent has a command line, with which it can end what has to run.
    can_end_all: bool,
    hand: DesktopHand,
    shown: ShownScreen,
    elements: Option<Vec<AccessibleElement>>,
    folder: Arc<SweptFolder>,
}

/// What of everything that is seen belongs to a process.
pub(crate) fn seen_of<'a>(
    process: u32,
    windows: &'a [OpenWindow],
    elements: &'a [AccessibleElement],
    is_running: bool,
) -> AppProbe<'a> {
    AppProbe { windows, elements: elements.iter().find(|program| program.process == process), is_running }
}

impl DesktopWorld {
    pub(crate) fn new(app: &'static dyn DesktopApp, opened: OpenedApp, can_end_all: bool) -> Result<Self, WorldError> {
        let OpenedApp { machine, program, process, folder } = opened;
        let (mut display, guest) = (machine.display, machine.guest);
        let size = display.size();
        let picture = display.capture().map_err(|fault| WorldError::setup(fault.to_string()))?;
        let picture = picture.to_png().map_err(WorldError::setup)?;
        let room = WorkRoom::new(guest, HOME, format!("You are in {HOME}, your home."));
        Ok(Self {
            app,
            program,
            process,
            display,
            room,
            can_end_all,
            hand: DesktopHand::new(size),
            shown: ShownScreen::new(size, picture.into()),
            elements: None,
            folder,
        })
    }

    /// Whose doing it is that something is gone. Whoever has a shell can end everything, and must not gain by it.
    fn blame(&mut self, fault: &MachineFault) -> WorldError {
        if let MachineFault::Guest(fault) = fault {
            return fault_of(fault);
        }
        let looked = self.room.with_sandbox(|guest| guest.look(self.program));
        match looked {
            Err(fault @ SandboxFault::UsedUp(_)) => fault_of(&fault),
            _ if self.can_end_all => WorldError::Exhausted(fault.to_string()),
            _ => WorldError::world(fault.to_string()),
        }
    }

    /// Looks whether the program broke down, or was ended by somebody. One that was closed is gone, and that is all.
    fn check_program(&mut self) -> Result<bool, WorldError> {
        let state = self.room.with_sandbox(|guest| guest.look(self.program)).map_err(|fault| fault_of(&fault))?;
        let name = self.app.name();
        match state.end {
            None => Ok(true),
            Some(CommandEnd::Signalled(9 | 15)) if !self.can_end_all => {
                Err(WorldError::world(format!("`{name}` was ended by somebody who is not the agent")))
            }
            Some(CommandEnd::Signalled(signal)) => {
                Err(WorldError::Exhausted(format!("`{name}` broke down (signal {signal})")))
            }
            Some(CommandEnd::Exited(_) | CommandEnd::OutOfTime) => Ok(false),
        }
    }

    fn by_hand(&mut self, action: &Action) -> Result<Result<(), HandRefusal>, MachineFault> {
        match self.hand.events(action, self.shown.marks()) {
            Ok(events) => self.display.send(&events).map(Ok),
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// Carries out one action, or the actions of a sequence up to the first that is refused.
    fn carry_out(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        match action {
            Action::Sequence { actions } => {
                let mut last = Feedback::unchanged("Done.");
                for action in actions {
                    last = self.carry_out(action, within)?;
                    if last.effect == Effect::Refused {
                        break;
                    }
                }
                Ok(last)
            }
            Action::Zoom { from, to } => Ok(match self.shown.zoom(*from, *to) {
                Ok(()) => Feedback::changed("This is a part of the screen, enlarged."),
                Err(why) => Feedback::refused(why),
            }),
            Action::Shell { .. } | Action::Call(_) => self.room.apply(action, within),
            action => Ok(match self.by_hand(action).map_err(|fault| self.blame(&fault))? {
                Ok(()) => Feedback::unchanged("Done."),
                Err(HandRefusal(why)) => Feedback::refused(why),
            }),
        }
    }

    /// Waits for the screen, and says whether it looks different.
    fn look_again(&mut self, was_zoomed: bool) -> Result<bool, WorldError> {
        let settled = self.display.settle(SETTLE_LIMIT).and_then(|_is_quiet| self.display.capture());
        let pixels = settled.map_err(|fault| self.blame(&fault))?;
        let screen: Arc<[u8]> = pixels.to_png().map_err(WorldError::world)?.into();
        let looks_different = was_zoomed || screen != *self.shown.screen();
        self.elements = None;
        if looks_different {
            self.shown.replace(screen);
        }
        Ok(looks_different)
    }

    fn elements(&mut self) -> Result<&[AccessibleElement], WorldError> {
        if self.elements.is_none() {
            let read = self.display.elements(TREE_LIMIT).map_err(|fault| self.blame(&fault))?;
            self.elements = Some(read.unwrap_or_default());
        }
        Ok(self.elements.as_deref().unwrap_or_default())
    }

    fn evidence(&mut self) -> Result<Evidence, WorldError> {
        let is_running = self.check_program()?;
        let windows = self.display.windows().map_err(|fault| self.blame(&fault))?;
        self.elements()?;
        let elements = self.elements.as_deref().unwrap_or_default();
        let document = self.app.probe(&seen_of(self.process, &windows, elements, is_running));
        Ok(Evidence::document(self.app.name(), document))
    }
}

impl World for DesktopWorld {
    fn surface(&self) -> Surface {
        let mut surface = self.room.surface();
        surface.groups.insert(ActionGroup::Gui);
        surface.parts.extend([ObservationPart::Screen, ObservationPart::Tree, ObservationPart::Marks]);
        surface.screen = Some(self.display.size());
        surface
    }

    fn observe(&mut self, wanted: &BTreeSet<ObservationPart>, _within: Duration) -> Result<Observation, WorldError> {
        let mut observation = Observation::default();
        let wants_tree = wanted.contains(&ObservationPart::Tree) || wanted.contains(&ObservationPart::Marks);
        if wants_tree && !self.shown.has_tree() {
            let size = self.display.size();
            let tree = told_tree::told(self.elements()?, size);
            self.shown.learn(tree);
        }
        self.shown.show(wanted, &mut observation).map_err(WorldError::world)?;
        if wanted.contains(&ObservationPart::Text) {
            observation = observation.with_text(ObservationPart::Text, self.room.shown.clone());
        }
        if wanted.contains(&ObservationPart::Geometry) {
            let places = json!(geometry::places(self.elements()?));
            observation = observation.with_text(ObservationPart::Geometry, places.to_string());
        }
        Ok(observation)
    }

    fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        let was_zoomed = self.shown.unzoom();
        let done = self.carry_out(action, within)?;
        if matches!(action, Action::Zoom { .. }) {
            return Ok(done);
        }
        self.check_program()?;
        let looks_different = self.look_again(was_zoomed)?;
        let is_hand = !matches!(action, Action::Shell { .. } | Action::Call(_));
        Ok(match done {
            done if done.effect == Effect::Refused || !is_hand => done,
            done if looks_different => Feedback::changed(done.text),
            _ => Feedback::unchanged("Done; nothing looks different."),
        })
    }

    fn snapshot(&mut self, _within: Duration) -> Result<Evidence, WorldError> {
        self.evidence()
    }

    fn collect(&mut self, _within: Duration) -> Result<Collected, WorldError> {
        let mut evidence = self.evidence()?;
        let size = self.display.size();
        let tree = told_tree::told(self.elements()?, size).text;
        evidence.documents.insert("tree".to_owned(), Value::String(tree));
        self.room.close();
        let left = FrozenFiles::below(&self.folder.path().join("home"), &self.folder);
        let left = left.map_err(|error| WorldError::world(format!("{HOME} cannot be read: {error}")))?;
        // What programs keep for themselves is nobody's work.
        let files = left.files.into_iter().filter(|(path, _)| !path.starts_with('.')).collect();
        Ok(Collected { evidence, screen: Some(self.shown.last()), files })
    }
}
