//! An action as a call of one of the functions of Google's computer tool.

use quintain_core::Action;
use quintain_core::action::{Button, Place};
use serde_json::{Map, Value, json};

use super::keys::joined;
use super::scale::{PointScale, number};
use crate::wire::predefined;

/// The only wait it knows.
const WAIT_MS: u64 = 5000;

/// Name and arguments; nothing where the tool of this model cannot say it, or was told not to.
pub(super) fn say(action: &Action, scale: PointScale, model: &str, excluded: &[String]) -> Option<Value> {
    let predefined = predefined(model)?;
    let is_there = |(name, _): &(&str, Value)| predefined.contains(name) && !excluded.iter().any(|one| one == name);
    let calls = [newer_call(action, scale), call(action, scale)];
    let (name, args) = calls.into_iter().flatten().find(is_there)?;
    Some(json!({"name": name, "args": args}))
}

/// As models from Gemini 3.5 on say it.
fn newer_call(action: &Action, scale: PointScale) -> Option<(&'static str, Value)> {
    let at = |at: &Option<Place>| placed(*at, scale);
    Some(match action {
        Action::Click { at: place, button, held } if held.is_empty() => match button {
            Button::Left => ("click", at(place)?),
            Button::Middle => ("middle_click", at(place)?),
            Button::Right => ("right_click", at(place)?),
            _ => return None,
        },
        Action::DoubleClick { at: place, button: Button::Left } => ("double_click", at(place)?),
        Action::TripleClick { at: place, button: Button::Left } => ("triple_click", at(place)?),
        Action::Press { at: place, button: Button::Left } => ("mouse_down", at(place)?),
        Action::Release { at: place, button: Button::Left } => ("mouse_up", at(place)?),
        Action::Move { to } => ("move", placed(Some(*to), scale)?),
        Action::Scroll { at, dx, dy } => ("scroll", scroll(*at, *dx, *dy, scale)?),
        Action::Key { keys } if keys.len() == 1 => ("press_key", json!({"key": joined(keys)})),
        Action::Key { keys } => ("hotkey", json!({"keys": keys.iter().map(|key| one_key(key)).collect::<Vec<_>>()})),
        Action::KeyDown { keys } => ("key_down", json!({"key": joined(keys)})),
        Action::KeyUp { keys } => ("key_up", json!({"key": joined(keys)})),
        Action::Type { text } => ("type", json!({"text": text})),
        Action::Wait { ms } => ("wait", json!({"seconds": number(*ms as f64 / 1000.0)})),
        Action::Screenshot => ("take_screenshot", json!({})),
        Action::Sequence { actions } => ("type", entered(actions)?),
        _ => return None,
    })
}

fn one_key(key: &str) -> String {
    joined(&[key.to_owned()])
}

/// A text, then Enter.
fn entered(actions: &[Action]) -> Option<Value> {
    let [Action::Type { text }, Action::Key { keys }] = actions else { return None };
    (*keys == ["Enter"]).then(|| json!({"text": text, "press_enter": true}))
}

/// As models up to Gemini 3.1 say it.
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
