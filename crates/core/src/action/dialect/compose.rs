//! What several dialects say alike, in canonical actions.

use super::Misread;
use super::args::Args;
use crate::action::{Action, Button, Place};
use crate::suggest;
use crate::surface::{ActionGroup, Misfit, Surface};

/// One thing after the other; one thing alone is itself.
pub(super) fn in_turn(mut actions: Vec<Action>) -> Result<Action, Misread> {
    match actions.len() {
        0 => Err(Misread::Nothing),
        1 => Ok(actions.remove(0)),
        _ => Ok(Action::Sequence { actions }),
    }
}

/// Something done while keys are held.
pub(super) fn held_during(held: Vec<String>, action: Action) -> Result<Action, Misread> {
    if held.is_empty() {
        return Ok(action);
    }
    let mut actions = vec![Action::KeyDown { keys: held.clone() }];
    match action {
        Action::Sequence { actions: inner } => actions.extend(inner),
        other => actions.push(other),
    }
    actions.push(Action::KeyUp { keys: held });
    in_turn(actions)
}

/// A drag; without a beginning it begins where the pointer is.
pub(super) fn drag(from: Option<Place>, to: Place, button: Button) -> Action {
    match from {
        Some(from) => Action::Drag { path: vec![from, to], button },
        None => Action::Sequence {
            actions: vec![
                Action::Press { at: None, button },
                Action::Move { to },
                Action::Release { at: None, button },
            ],
        },
    }
}

/// So many pixels across or down, in the direction that is named.
pub(super) fn towards(args: &Args<'_>, name: &str, (across, down): (f64, f64)) -> Result<(f64, f64), Misread> {
    match args.text(name, usize::MAX)?.to_ascii_lowercase().as_str() {
        "up" => Ok((0.0, -down)),
        "down" => Ok((0.0, down)),
        "left" => Ok((-across, 0.0)),
        "right" => Ok((across, 0.0)),
        _ => Err(args.wrong(name, "one of up, down, left, right", args.named(name))),
    }
}

/// Replaces what is in a field: click, select all, type.
pub(super) fn fill(at: Place, text: String) -> Vec<Action> {
    vec![
        Action::click(at),
        Action::Key { keys: vec!["ctrl".to_owned(), "a".to_owned()] },
        Action::Key { keys: vec!["Delete".to_owned()] },
        Action::Type { text },
    ]
}

/// A press of one key.
pub(super) fn key(name: &str) -> Action {
    Action::Key { keys: vec![name.to_owned()] }
}

/// There is no such action; those there are.
pub(super) fn no_such(name: &str, verbs: &[&str], surface: &Surface) -> Misread {
    if !surface.groups.contains(&ActionGroup::Gui) {
        return Misread::NotOffered(name.to_owned());
    }
    Misfit::NoSuchCall { name: name.to_owned(), hint: suggest::hint(name, verbs.iter().copied()) }.into()
}
