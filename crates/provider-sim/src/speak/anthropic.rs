//! An action as the input of Anthropic's computer tool.

use quintain_core::Action;
use quintain_core::action::dialect::NOTCH_PX;
use quintain_core::action::{Button, Place};
use serde_json::{Value, json};

use super::keys::of_x;
use super::scale::{PointScale, number};

const MS_PER_SECOND: f64 = 1000.0;

/// The input; nothing where the tool cannot say it.
pub(super) fn say(action: &Action, scale: PointScale) -> Option<Value> {
    Some(match action {
        Action::Click { at, button, held } => {
            let verb = match button {
                Button::Left => "left_click",
                Button::Right => "right_click",
                Button::Middle => "middle_click",
                _ => return None,
            };
            let mut input = placed(verb, *at, scale)?;
            if !held.is_empty() {
                input["text"] = of_x(held).into();
            }
            input
        }
        Action::DoubleClick { at, button: Button::Left } => placed("double_click", *at, scale)?,
        Action::TripleClick { at, button: Button::Left } => placed("triple_click", *at, scale)?,
        Action::Press { at, button: Button::Left } => placed("left_mouse_down", *at, scale)?,
        Action::Release { at, button: Button::Left } => placed("left_mouse_up", *at, scale)?,
        Action::Move { to } => placed("mouse_move", Some(*to), scale)?,
        Action::Drag { path, button: Button::Left } => drag(path, scale)?,
        Action::Scroll { at, dx, dy } => scroll(*at, *dx, *dy, scale)?,
        Action::Key { keys } => json!({"action": "key", "text": of_x(keys)}),
        Action::HoldKey { keys, ms } => json!({"action": "hold_key", "text": of_x(keys), "duration": seconds(*ms)}),
        Action::Type { text } => json!({"action": "type", "text": text}),
        Action::Wait { ms } => json!({"action": "wait", "duration": seconds(*ms)}),
        Action::Screenshot => json!({"action": "screenshot"}),
        Action::Zoom { from, to } => {
            let ((x0, y0), (x1, y1)) = (scale.point(*from), scale.point(*to));
            json!({"action": "zoom", "region": [x0, y0, x1, y1]})
        }
        _ => return None,
    })
}

fn placed(verb: &str, at: Option<Place>, scale: PointScale) -> Option<Value> {
    let mut input = json!({"action": verb});
    if let Some(place) = at {
        input["coordinate"] = scale.pair(place)?;
    }
    Some(input)
}

fn drag(path: &[Place], scale: PointScale) -> Option<Value> {
    let [from, to] = path else { return None };
    let mut input = placed("left_click_drag", Some(*to), scale)?;
    input["start_coordinate"] = scale.pair(*from)?;
    Some(input)
}

/// In notches of the wheel, and parts of them, in one of four directions.
fn scroll(at: Option<Place>, dx: f64, dy: f64, scale: PointScale) -> Option<Value> {
    let (direction, amount) = super::direction(dx, dy)?;
    let mut input = placed("scroll", at, scale)?;
    input["scroll_direction"] = direction.into();
    input["scroll_amount"] = number(amount / NOTCH_PX);
    Some(input)
}

fn seconds(ms: u64) -> Value {
    number(ms as f64 / MS_PER_SECOND)
}
