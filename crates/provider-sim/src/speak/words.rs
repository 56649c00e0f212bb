//! An action in words, in the form in which the briefing explains it: `click(640, 360)`, `('move', 0)`.

use quintain_core::Action;
use quintain_core::action::{Button, Place};
use serde_json::{Value, json};

use super::scale::PointScale;

/// How long a text may be to stand in a call; a longer one is said as the action's own JSON.
const MAX_LEN: usize = 2000;

/// The action; nothing where words cannot say it.
pub(super) fn say(action: &Action, scale: PointScale) -> Option<String> {
    let short = in_short(action, scale).filter(|said| said.len() <= MAX_LEN);
    // Its own JSON is in the screen's own pixels always.
    short.or_else(|| serde_json::to_string(action).ok())
}

fn in_short(action: &Action, scale: PointScale) -> Option<String> {
    Some(match action {
        Action::Call(call) => call.spoken(),
        Action::Done => "('stop', 'stop')".to_owned(),
        Action::Note { fields } => call("note", [literal(&json!(fields))?]),
        Action::Answer { value } => call("answer", [literal(value)?]),
        Action::GiveUp { reason } => call("give_up", [literal(&json!(reason))?]),
        Action::Type { text } => call("type", [literal(&json!(text))?]),
        Action::Goto { url } => call("goto", [literal(&json!(url))?]),
        Action::Shell { command } => call("shell", [literal(&json!(command))?]),
        Action::Code { language, source } => call("code", [literal(&json!(language))?, literal(&json!(source))?]),
        Action::Key { keys } => call("key", [literal(&json!(keys))?]),
        Action::KeyDown { keys } => call("key_down", [literal(&json!(keys))?]),
        Action::KeyUp { keys } => call("key_up", [literal(&json!(keys))?]),
        Action::HoldKey { keys, ms } => call("hold_key", [literal(&json!(keys))?, ms.to_string()]),
        Action::Wait { ms } => call("wait", [ms.to_string()]),
        Action::Screenshot => call("screenshot", []),
        Action::Back => call("back", []),
        Action::Forward => call("forward", []),
        Action::Tab { index } => call("tab", [index.to_string()]),
        pointing => of_mouse(pointing, scale)?,
    })
}

fn of_mouse(action: &Action, scale: PointScale) -> Option<String> {
    let at = |verb: &str, at: Option<Place>, more: Vec<String>| {
        let place = at.map_or_else(Vec::new, |at| place(at, scale));
        Some(call(verb, place.into_iter().chain(more)))
    };
    match action {
        Action::Move { to } => at("move", Some(*to), Vec::new()),
        Action::Click { at: place, button, held } => {
            let held = if held.is_empty() { None } else { Some(format!("held={}", literal(&json!(held))?)) };
            let (verb, button) = match button {
                Button::Left => ("click", None),
                Button::Right => ("right_click", None),
                Button::Middle => ("middle_click", None),
                other => ("click", with(*other)),
            };
            at(verb, *place, button.into_iter().chain(held).collect())
        }
        Action::DoubleClick { at: place, button } => at("double_click", *place, with(*button).into_iter().collect()),
        Action::TripleClick { at: place, button } => at("triple_click", *place, with(*button).into_iter().collect()),
        Action::Press { at: place, button } => at("press", *place, with(*button).into_iter().collect()),
        Action::Release { at: place, button } => at("release", *place, with(*button).into_iter().collect()),
        Action::Scroll { at: place, dx, dy } => {
            let (dx, dy) = scale.distance(*dx, *dy);
            let by = if place.is_some_and(|place| place.point().is_none()) { ["dx=", "dy="] } else { ["", ""] };
            at("scroll", *place, vec![format!("{}{dx}", by[0]), format!("{}{dy}", by[1])])
        }
        Action::Drag { path, button } => drag(path, *button, scale),
        Action::Zoom { from, to } => {
            let corners = [place((*from).into(), scale), place((*to).into(), scale)];
            Some(call("zoom", corners.into_iter().flatten()))
        }
        _ => None,
    }
}

fn drag(path: &[Place], button: Button, scale: PointScale) -> Option<String> {
    if let [Place::Mark(from), Place::Mark(to)] = path {
        let marks = [format!("mark1={from}"), format!("mark2={to}")];
        return Some(call("drag", marks.into_iter().chain(with(button))));
    }
    let points: Vec<Vec<String>> =
        path.iter().map(|at| at.point().map(|point| place(point.into(), scale))).collect::<Option<_>>()?;
    Some(call("drag", points.into_iter().flatten().chain(with(button))))
}

fn place(place: Place, scale: PointScale) -> Vec<String> {
    match place {
        Place::Mark(mark) => vec![format!("mark={mark}")],
        Place::Point(point) => {
            let (x, y) = scale.point(point);
            vec![x.to_string(), y.to_string()]
        }
    }
}

/// The button, unless it is the left one.
fn with(button: Button) -> Option<String> {
    let name = match button {
        Button::Left => return None,
        Button::Right => "right",
        Button::Middle => "middle",
        Button::Back => "back",
        Button::Forward => "forward",
    };
    Some(format!("button=\"{name}\""))
}

fn call(verb: &str, args: impl IntoIterator<Item = String>) -> String {
    format!("{verb}({})", args.into_iter().collect::<Vec<_>>().join(", "))
}

/// A value as JSON, as long as it holds no character that JSON writes by its number.
fn literal(value: &Value) -> Option<String> {
    let written = value.to_string();
    let is_plain = ["\\u", "\\b", "\\f"].iter().all(|escape| !written.contains(escape));
    is_plain.then_some(written)
}
