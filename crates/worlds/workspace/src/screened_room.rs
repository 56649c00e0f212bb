//! A sandbox that an agent works in, with a screen beside the shell.

use std::collections::BTreeSet;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::surface::Surface;
use quintain_core::trajectory::Effect;
use quintain_core::world::WorldError;
use quintain_core::{Feedback, Observation, ObservationPart};
use quintain_machine::{MachineFault, MachineScreen};
use quintain_process::sandbox::{ProgramState, SandboxFault, StartedNumber};

use crate::work_room::{WorkRoom, fault_of};

/// A sandbox with a screen.
pub struct ScreenedRoom {
    /// The shell and the files.
    pub room: WorkRoom,
    /// The screen, and what is done at it.
    pub screen: MachineScreen,
    /// A program in it, by which it is known how the sandbox is.
    pub program: StartedNumber,
    /// Whether the agent has a command line, with which it can end what has to run.
    pub can_end_all: bool,
}

impl ScreenedRoom {
    /// What it offers.
    pub fn surface(&self) -> Surface {
        let mut surface = self.room.surface();
        self.screen.offer(&mut surface);
        surface
    }

    /// What is wanted of text and screen.
    pub fn observe(&mut self, wanted: &BTreeSet<ObservationPart>) -> Result<Observation, WorldError> {
        let mut observation = Observation::default();
        self.screen.observe(wanted, &mut observation).map_err(|fault| self.blame(&fault))?;
        if wanted.contains(&ObservationPart::Text) && !self.room.shown.is_empty() {
            observation = observation.with_text(ObservationPart::Text, self.room.shown.clone());
        }
        Ok(observation)
    }

    /// Carries out an action. What came of it on the screen is seen by [`Self::look_again`].
    pub fn carry_out(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        self.screen.begin();
        self.carry_out_all(action, within)
    }

    /// Carries out one action, or the actions of a sequence up to the first that is refused.
    fn carry_out_all(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        match action {
            Action::Sequence { actions } => {
                let mut last = Feedback::unchanged("Done.");
                for action in actions {
                    last = self.carry_out_all(action, within)?;
                    if last.effect == Effect::Refused {
                        break;
                    }
                }
                Ok(last)
            }
            Action::Shell { .. } | Action::Call(_) => self.room.apply(action, within),
            action => {
                // What a command printed is told once: shown again, it would look as if it had run again.
                self.room.shown.clear();
                self.screen.carry_out(action).map_err(|fault| self.blame(&fault))
            }
        }
    }

    /// Waits for the screen, and says what an action that was carried out came to.
    pub fn look_again(&mut self, action: &Action, done: Feedback) -> Result<Feedback, WorldError> {
        if matches!(action, Action::Zoom { .. }) {
            return Ok(done);
        }
        let looks_different = self.screen.look_again().map_err(|fault| self.blame(&fault))?;
        let is_hand = !matches!(action, Action::Shell { .. } | Action::Call(_));
        Ok(match done {
            done if done.effect == Effect::Refused || !is_hand => done,
            done if looks_different => Feedback::changed(done.text),
            _ => Feedback::unchanged("Done; nothing looks different."),
        })
    }

    /// How its program is doing.
    pub fn look_at_program(&mut self) -> Result<ProgramState, WorldError> {
        self.room.with_sandbox(|sandbox| sandbox.look(self.program)).map_err(|fault| self.blame_sandbox(&fault))
    }

    /// Whose doing it is that something is gone. Whoever has a shell can end everything, and must not gain by it.
    pub fn blame(&mut self, fault: &MachineFault) -> WorldError {
        if let MachineFault::Guest(fault) = fault {
            return self.blame_sandbox(fault);
        }
        match self.look_at_program() {
            Err(told) => told,
            Ok(_) if self.can_end_all => WorldError::Exhausted(fault.to_string()),
            _ => WorldError::world(fault.to_string()),
        }
    }
    /// The same of its sandbox.
    fn blame_sandbox(&self, fault: &SandboxFault) -> WorldError {
        match fault {
            SandboxFault::Ended(_) if !self.can_end_all => WorldError::world(fault.to_string()),
            fault => fault_of(fault),
        }
    }
}
