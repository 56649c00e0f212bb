//! An action as a call of one of the functions of Google's computer tool.

use quintain_core::Action;
use quintain_core::action::{Button, Place};
use serde_json::{Map, Value, json};

use super::keys::joined;
use super::scale::{PointScale, number};

/// The only wait it knows.
const WAIT_MS: u64 = 5000;

/// Name and arguments; nothing where the tool cannot say it, or was told not to.
pub(super) fn say(action: &Action, scale: PointScale, excluded: &[String]) -> Option<Value> {
    let (name, args) = call(action, scale)?;
    (!excluded.iter().any(|one| one == name)).then(|| json!({"name": name, "args": args}))
}

fn call(action: &Action, scale: PointScale) -> Option<(&'static str, Value)> {
    Some(match action {
        Action::Click { at, button: Button::Left, held } if held.is_empty() => ("click_at", placed(*at, scale)?),
        Action::Move { to } => ("hover_at", placed(Some(*to), scale)?),
        Action::Drag { path, button: Button::Left } => ("drag_and_drop", drag(path, scale)?),
        Action::Scroll { at, dx, dy } => ("scroll_at", scroll(*at, *dx, *dy, scale)?),
        Action::Key { keys } => ("key_combination", json!({"keys": joined(keys)})),
        Action::Wait { ms: WAIT_MS } => ("wait_5_seconds", json!({})),
        Action::Goto { url } => ("navigate", json!({"url": url})),
        Action::Back => ("go_back", json!({})),
        Action::Forward => ("go_forward", json!({})),
        Action::Sequence { actions } => ("type_text_at", filled(actions, scale)?),
        _ => return None,
    })
}

fn placed(at: Option<Place>, scale: PointScale) -> Option<Value> {
    let (x, y) = scale.point(at?.point()?);
    Some(json!({"x": x, "y": y}))
}

fn drag(path: &[Place], scale: PointScale) -> Option<Value> {
    let [from, to] = path else { return None };
    let mut args = placed(Some(*from), scale)?;
    let (x, y) = scale.point(to.point()?);
    args["destination_x"] = x;
    args["destination_y"] = y;
    Some(args)
}

/// It gives the distance in the units of points, from 0 to 999.
fn scroll(at: Option<Place>, dx: f64, dy: f64, scale: PointScale) -> Option<Value> {
    let (direction, _) = super::direction(dx, dy)?;
    let (across, down) = scale.distance(dx, dy);
    let magnitude = if dy == 0.0 { across } else { down }.as_f64()?.abs();
    let mut args = placed(at, scale)?;
    args["direction"] = direction.into();
    args["magnitude"] = number(magnitude);
    (magnitude <= 999.0).then_some(args)
}

/// A click into a field, emptied or not, a text, and Enter or not: what `type_text_at` does in one.
fn filled(actions: &[Action], scale: PointScale) -> Option<Value> {
    let [Action::Click { at, button: Button::Left, held }, rest @ ..] = actions else { return None };
    let is_key = |action: &Action, wanted: &[&str]| matches!(action, Action::Key { keys } if keys == wanted);
    let (clears, rest) = match rest {
        [all, delete, rest @ ..] if is_key(all, &["ctrl", "a"]) && is_key(delete, &["Delete"]) => (true, rest),
        rest => (false, rest),
    };
    let (text, enters) = match rest {
        [Action::Type { text }] => (text, false),
        [Action::Type { text }, enter] if is_key(enter, &["Enter"]) => (text, true),
        _ => return None,
    };
    let mut args = placed(*at, scale)?;
    let said = json!({"text": text, "press_enter": enters, "clear_before_typing": clears});
    let Value::Object(fields) = said else { return None };
    args.as_object_mut().map(|args: &mut Map<String, Value>| args.extend(fields))?;
    held.is_empty().then_some(args)
}
