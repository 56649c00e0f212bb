//! An action as an action of `OpenAI`'s computer tool.

use quintain_core::Action;
use quintain_core::action::{Button, Place};
use serde_json::{Value, json};

use super::keys::in_capitals;
use super::scale::PointScale;

/// The only wait it knows.
const WAIT_MS: u64 = 1000;

/// The action, or the list of those of a sequence; nothing where the tool cannot say it.
pub(super) fn say(action: &Action, scale: PointScale) -> Option<Value> {
    match action {
        Action::Sequence { actions } => actions.iter().map(|action| one(action, scale)).collect(),
        action => one(action, scale),
    }
}

fn one(action: &Action, scale: PointScale) -> Option<Value> {
    Some(match action {
        Action::Click { at, button, held } => {
            let mut click = placed("click", *at, scale)?;
            click["button"] = name(*button).into();
            if !held.is_empty() {
                click["keys"] = json!(in_capitals(held));
            }
            click
        }
        Action::DoubleClick { at, button: Button::Left } => placed("double_click", *at, scale)?,
        Action::Move { to } => placed("move", Some(*to), scale)?,
        Action::Drag { path, button: Button::Left } => json!({"type": "drag", "path": along(path, scale)?}),
        Action::Scroll { at, dx, dy } => {
            let (across, down) = scale.distance(*dx, *dy);
            let mut scroll = placed("scroll", *at, scale)?;
            scroll["scroll_x"] = across;
            scroll["scroll_y"] = down;
            scroll
        }
        Action::Key { keys } => json!({"type": "keypress", "keys": in_capitals(keys)}),
        Action::Type { text } => json!({"type": "type", "text": text}),
        Action::Wait { ms: WAIT_MS } => json!({"type": "wait"}),
        Action::Screenshot => json!({"type": "screenshot"}),
        _ => return None,
    })
}

fn placed(kind: &str, at: Option<Place>, scale: PointScale) -> Option<Value> {
    let (x, y) = scale.point(at?.point()?);
    Some(json!({"type": kind, "x": x, "y": y}))
}

fn along(path: &[Place], scale: PointScale) -> Option<Vec<Value>> {
    let point = |place: &Place| {
        let (x, y) = scale.point(place.point()?);
        Some(json!({"x": x, "y": y}))
    };
    path.iter().map(point).collect()
}

fn name(button: Button) -> &'static str {
    match button {
        Button::Left => "left",
        Button::Right => "right",
        Button::Middle => "wheel",
        Button::Back => "back",
        Button::Forward => "forward",
    }
}
