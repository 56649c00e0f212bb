//! The room of a workspace, with a screen or without.

use std::collections::BTreeSet;
use std::time::Duration;

use quintain_core::action::Action;
use quintain_core::surface::Surface;
use quintain_core::world::WorldError;
use quintain_core::{Feedback, Observation, ObservationPart, Screen};
use quintain_process::sandbox::CommandEnd;

use crate::screened_room::ScreenedRoom;
use crate::work_room::WorkRoom;

/// The room of a workspace.
pub(crate) enum OpenRoom {
    /// A shell and files.
    Plain(WorkRoom),
    /// And a screen.
    Screened(Box<ScreenedRoom>),
}

impl OpenRoom {
    /// The shell and the files.
    pub(crate) fn work(&mut self) -> &mut WorkRoom {
        match self {
            Self::Plain(room) => room,
            Self::Screened(room) => &mut room.room,
        }
    }

    /// What the last action gave.
    pub(crate) fn shown(&self) -> &str {
        match self {
            Self::Plain(room) => &room.shown,
            Self::Screened(room) => &room.room.shown,
        }
    }

    pub(crate) fn surface(&self) -> Surface {
        match self {
            Self::Plain(room) => room.surface(),
            Self::Screened(room) => room.surface(),
        }
    }

    pub(crate) fn observe(&mut self, wanted: &BTreeSet<ObservationPart>) -> Result<Observation, WorldError> {
        let room = match self {
            Self::Plain(room) => room,
            Self::Screened(room) => return room.observe(wanted),
        };
        let seen = Observation::default();
        let shows_text = wanted.contains(&ObservationPart::Text);
        Ok(if shows_text { seen.with_text(ObservationPart::Text, room.shown.clone()) } else { seen })
    }

    pub(crate) fn apply(&mut self, action: &Action, within: Duration) -> Result<Feedback, WorldError> {
        match self {
            Self::Plain(room) => room.apply(action, within),
            Self::Screened(room) => {
                let done = room.carry_out(action, within)?;
                check_program(room)?;
                room.look_again(action, done)
            }
        }
    }

    /// The screen as it was last looked at.
    pub(crate) fn last_screen(&self) -> Option<Screen> {
        match self {
            Self::Plain(_) => None,
            Self::Screened(room) => Some(room.screen.last()),
        }
    }
}

/// What becomes of programs is the agent's business: it may close them and open others, and its files count whatever broke
/// down. Only one that was killed where the agent cannot kill was killed by somebody else.
fn check_program(room: &mut ScreenedRoom) -> Result<(), WorldError> {
    let state = room.look_at_program()?;
    match state.end {
        Some(CommandEnd::Signalled(9 | 15)) if !room.can_end_all => {
            Err(WorldError::world("the program on the screen was ended by somebody who is not the agent"))
        }
        _ => Ok(()),
    }
}
