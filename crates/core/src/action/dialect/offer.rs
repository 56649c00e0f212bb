//! What a world offers, and what can be carried out at all: the gate through which every action goes.

use super::Misread;
use crate::action::{Action, keys};
use crate::surface::{ActionGroup, Surface};

/// The most actions in a sequence: one step stays one step.
pub const MAX_SEQUENCE: usize = 32;
/// The longest wait, in milliseconds.
pub const MAX_WAIT_MS: u64 = 60_000;
/// The most points of a drag.
const MAX_PATH: usize = 1000;
/// The most keys that are pressed together.
const MAX_KEYS: usize = 8;

/// Lets through what the world offers.
pub(super) fn offered(action: Action, surface: &Surface) -> Result<Action, Misread> {
    if let Action::Call(call) = &action {
        return Ok(Action::Call(surface.fit(call)?));
    }
    let Some(group) = group(&action) else { return spelled(action) };
    if !surface.groups.contains(&group) {
        return Err(Misread::NotOffered(action.verb().to_owned()));
    }
    match action {
        Action::Sequence { actions } if !may_be_sequence(&actions) => Err(Misread::Sequence),
        Action::Sequence { actions } => {
            Ok(Action::Sequence { actions: actions.into_iter().map(spelled).collect::<Result<_, _>>()? })
        }
        action => spelled(action),
    }
}

/// The action with its keys in their one spelling.
fn spelled(mut action: Action) -> Result<Action, Misread> {
    if let Action::Key { keys }
    | Action::HoldKey { keys, .. }
    | Action::KeyDown { keys }
    | Action::KeyUp { keys }
    | Action::Click { held: keys, .. } = &mut action
    {
        *keys = keys::spell(keys.iter().map(String::as_str)).map_err(Misread::Key)?;
    }
    match flaw(&action) {
        Some(flaw) => Err(Misread::Unsound(flaw)),
        None => Ok(action),
    }
}

/// What makes an action impossible to carry out, if anything does.
fn flaw(action: &Action) -> Option<&'static str> {
    match action {
        Action::Wait { ms } | Action::HoldKey { ms, .. } if *ms > MAX_WAIT_MS => {
            Some("a wait takes 60000 milliseconds at most")
        }
        Action::Key { keys } | Action::HoldKey { keys, .. } | Action::KeyDown { keys } | Action::KeyUp { keys }
            if keys.is_empty() || keys.len() > MAX_KEYS =>
        {
            Some("at least one key and at most 8 are pressed together")
        }
        Action::Drag { path, .. } if !(2..=MAX_PATH).contains(&path.len()) => {
            Some("a drag goes through 2 to 1000 points")
        }
        _ => None,
    }
}

/// The group an action belongs to; nothing for those that every world understands.
fn group(action: &Action) -> Option<ActionGroup> {
    Some(match action {
        Action::Answer { .. } | Action::Done | Action::GiveUp { .. } | Action::Wait { .. } | Action::Screenshot => {
            return None;
        }
        Action::Call(_) => ActionGroup::Call,
        Action::Goto { .. } | Action::Back | Action::Forward | Action::Tab { .. } => ActionGroup::Browser,
        Action::Shell { .. } => ActionGroup::Shell,
        Action::Code { .. } => ActionGroup::Code,
        Action::Api { .. } => ActionGroup::Api,
        Action::Note { .. } => ActionGroup::Note,
        _ => ActionGroup::Gui,
    })
}

fn may_be_sequence(actions: &[Action]) -> bool {
    let fits = |action: &Action| match group(action) {
        None => !action.completes(),
        Some(group) => group == ActionGroup::Gui && !matches!(action, Action::Sequence { .. }),
    };
    (1..=MAX_SEQUENCE).contains(&actions.len()) && actions.iter().all(fits)
}
