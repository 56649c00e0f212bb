//! The wall's time, for people: what passes while they look passes in the world too.
//!
//! The world's clock stays the stepped one. A person's action is recorded with the time that passed before it, in whole
//! frames, as a wait that the world carries out first; so the record replays exactly, however fast it is replayed.

use std::time::Duration;

use quintain_core::action::dialect::MAX_WAIT_MS;
use quintain_core::action::{Action, Dialect};
use quintain_core::{Reply, Surface};

/// One frame.
const FRAME_MS: u64 = 16;

/// How time passes while a person looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PersonPace {
    /// Not at all: only actions take time.
    #[default]
    Stepped,
    /// As on the wall.
    Wall,
}

/// The reply with the time before it. An ending, and what cannot be read, is left as it is.
pub(super) fn stamped(reply: Reply, looked: Duration, surface: &Surface) -> Reply {
    let ms = (looked.as_millis() as u64 / FRAME_MS * FRAME_MS).min(MAX_WAIT_MS);
    let action = match reply.read(surface) {
        Ok(action) if ms > 0 && !action.completes() && surface.screen.is_some() => action,
        _ => return reply,
    };
    let actions = [Action::Wait { ms }].into_iter().chain(action.in_order().iter().cloned()).collect();
    let sequence = Action::Sequence { actions };
    let Ok(raw) = serde_json::to_string(&sequence) else { return reply };
    let stamped = Reply { raw, dialect: Some(Dialect::Canonical), ..reply.clone() };
    if stamped.read(surface).is_ok() { stamped } else { reply }
}

#[cfg(test)]
mod tests {
    use quintain_core::surface::ActionGroup;

    use super::*;

    fn said(text: &str, ms: u64) -> String {
        let surface = Surface { groups: [ActionGroup::Gui].into(), screen: Some((1280, 720)), ..Surface::default() };
        stamped(Reply::text(text), Duration::from_millis(ms), &surface).raw
    }

    #[test]
    fn the_time_before_an_action_is_part_of_it() {
        insta::assert_snapshot!(said("click(640, 360)", 1000), @r#"{"do":"sequence","actions":[{"do":"wait","ms":992},{"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}]}"#);
    }

    #[test]
    fn endings_mistakes_and_quick_hands_are_left_alone() {
        assert_eq!(said("stop()", 1000), "stop()");
        assert_eq!(said("clack(1)", 1000), "clack(1)");
        assert_eq!(said("click(640, 360)", 15), "click(640, 360)");
    }
}
