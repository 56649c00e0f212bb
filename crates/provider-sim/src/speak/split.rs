//! What cannot be said in one call is said in several turns.

use quintain_core::Action;

/// The turns that a recorded action takes: one where it can be said at once or cannot be taken apart, else one for each
/// of its parts.
pub(super) fn turns(action: &Action, can_say: &dyn Fn(&Action) -> bool) -> Vec<Action> {
    if can_say(action) {
        return vec![action.clone()];
    }
    match parts(action) {
        Some(parts) => parts.iter().flat_map(|part| turns(part, can_say)).collect(),
        None => vec![action.clone()],
    }
}

/// The parts of an action, each simpler than the whole.
fn parts(action: &Action) -> Option<Vec<Action>> {
    match action {
        Action::Sequence { actions } => Some(actions.clone()),
        Action::Scroll { at, dx, dy } if *dx != 0.0 && *dy != 0.0 => {
            let by = |dx, dy| Action::Scroll { at: *at, dx, dy };
            Some(vec![by(*dx, 0.0), by(0.0, *dy)])
        }
        Action::Drag { path, button } => {
            let ([from, .., to], button) = (path.as_slice(), *button) else { return None };
            let down = Action::Press { at: Some(*from), button };
            let moves = path[1..].iter().map(|place| Action::Move { to: *place });
            let up = Action::Release { at: Some(*to), button };
            Some(std::iter::once(down).chain(moves).chain([up]).collect())
        }
        Action::Click { at, button, held } if !held.is_empty() => Some(vec![
            Action::KeyDown { keys: held.clone() },
            Action::Click { at: *at, button: *button, held: Vec::new() },
            Action::KeyUp { keys: held.clone() },
        ]),
        _ => None,
    }
}
