//! The places of an action, where the pointer is between actions, and how places are named in words.

use quintain_core::Action;
use quintain_core::action::Place;

/// The name of a place of a turn; turns and places count from one.
pub(super) fn target(turn: u32, idx: usize) -> String {
    format!("target {turn}.{idx}")
}

/// The turn and the number of the place that a text names last.
pub(super) fn named_in(text: &str) -> Option<(u32, usize)> {
    let after = &text[text.rfind("target ")? + "target ".len()..];
    let (turn, rest) = after.split_once('.')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    Some((turn.parse().ok()?, rest[..digits].parse().ok()?))
}

/// Where the pointer is after these actions, as far as they say.
pub(super) fn pointer(before: &[Action]) -> Option<Place> {
    before.iter().rev().find_map(|action| action.places().last().copied())
}

/// The action with the place of the pointer where it says none.
pub(super) fn placed(action: &Action, pointer: Option<Place>) -> Action {
    let mut action = action.clone();
    if let Action::Click { at, .. }
    | Action::DoubleClick { at, .. }
    | Action::TripleClick { at, .. }
    | Action::Press { at, .. }
    | Action::Release { at, .. }
    | Action::Scroll { at, .. } = &mut action
    {
        *at = at.or(pointer);
    }
    action
}
