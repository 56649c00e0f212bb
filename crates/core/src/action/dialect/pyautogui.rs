//! Lines for `pyautogui`: parsed, never executed. `DONE`, `FAIL` and `WAIT` are words of their own.

use serde_json::Value;

use super::args::Args;
use super::compose::{self, in_turn, key};
use super::scale::{NOTCH_PX, ScreenScale};
use super::{Misread, endings};
use crate::action::{Action, Button, Place, find, keys, literal};
use crate::surface::Surface;

const MS_PER_SECOND: f64 = 1000.0;
/// How long `WAIT` takes, since it does not say.
const WAIT_MS: u64 = 1000;
const VERBS: [&str; 21] = [
    "click",
    "leftClick",
    "rightClick",
    "middleClick",
    "doubleClick",
    "tripleClick",
    "moveTo",
    "dragTo",
    "mouseDown",
    "mouseUp",
    "scroll",
    "vscroll",
    "hscroll",
    "press",
    "hotkey",
    "keyDown",
    "keyUp",
    "write",
    "typewrite",
    "sleep",
    "screenshot",
];

pub(super) fn read(raw: &str, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    if let Some(action) = word(raw) {
        return Ok(action);
    }
    let fenced = find::last_fence(raw);
    let code = fenced.unwrap_or(raw).trim();
    match statements(code, surface, scale) {
        Ok(actions) => in_turn(actions),
        // What is no program may still be an ending in the form that every dialect has.
        Err(misread) if fenced.is_some() => endings(raw, surface).map_err(|_no_ending| misread),
        Err(misread) => {
            endings(raw, surface).map_err(|no_ending| if code.contains("pyautogui.") { misread } else { no_ending })
        }
    }
}

/// `DONE`, `FAIL` or `WAIT`, when it is all there is in the last fence, or in the last line of a reply without one.
fn word(raw: &str) -> Option<Action> {
    let said = match find::last_fence(raw) {
        Some(inside) => inside.trim(),
        None if raw.contains("pyautogui.") => return None,
        None => raw.trim().lines().next_back()?.trim(),
    };
    match said.trim_matches('`') {
        "DONE" => Some(Action::Done),
        "FAIL" => Some(Action::GiveUp { reason: String::new() }),
        "WAIT" => Some(Action::Wait { ms: WAIT_MS }),
        _ => None,
    }
}

/// The statements of a program, each a call that is known. Comments and imports say nothing.
fn statements(code: &str, surface: &Surface, scale: ScreenScale) -> Result<Vec<Action>, Misread> {
    let mut actions = Vec::new();
    let mut rest = code.trim_start();
    while !rest.is_empty() {
        if rest.starts_with('#') || rest.starts_with("import ") || rest.starts_with("from ") {
            rest = rest.split_once('\n').map_or("", |(_, after)| after);
        } else {
            let (statement, after) = call(rest, surface, scale)?;
            actions.extend(statement);
            rest = after;
        }
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ';');
    }
    Ok(actions)
}

/// One call from the start of the text, and what follows it.
fn call<'a>(text: &'a str, surface: &Surface, scale: ScreenScale) -> Result<(Vec<Action>, &'a str), Misread> {
    let open = text.find('(').ok_or_else(|| not_a_call(text))?;
    let name = text[..open].trim();
    let verb = match name.split_once('.') {
        Some(("pyautogui" | "pg" | "gui", verb)) => verb,
        Some(("time", "sleep")) => "sleep",
        _ => return Err(not_a_call(text)),
    };
    let (arguments, len) = literal::read_arguments(&text[open + 1..]).ok_or_else(|| not_a_call(text))?;
    let after = &text[open + 1 + len..];
    let is_whole = after.trim_start_matches([' ', '\t']).is_empty()
        || after.trim_start_matches([' ', '\t']).starts_with(['\n', '\r', ';', '#']);
    if !is_whole {
        return Err(not_a_call(text));
    }
    let args = Args::new(verb, arguments);
    Ok((act(verb, &args, surface, scale)?, after))
}

fn not_a_call(text: &str) -> Misread {
    let line: String = text.lines().next().unwrap_or_default().chars().take(60).collect();
    Misread::Line(line)
}

fn act(verb: &str, args: &Args<'_>, surface: &Surface, scale: ScreenScale) -> Result<Vec<Action>, Misread> {
    let at = |place| Ok::<_, Misread>(args.maybe_xy(("x", "y"), place, scale)?.map(Place::from));
    let one = |action| Ok(vec![action]);
    match verb {
        "click" | "leftClick" => click(args, at(0)?),
        "rightClick" => one(Action::Click { at: at(0)?, button: Button::Right, held: Vec::new() }),
        "middleClick" => one(Action::Click { at: at(0)?, button: Button::Middle, held: Vec::new() }),
        "doubleClick" => one(Action::DoubleClick { at: at(0)?, button: args.button(3)? }),
        "tripleClick" => one(Action::TripleClick { at: at(0)?, button: args.button(3)? }),
        "moveTo" => one(Action::Move { to: args.xy(("x", "y"), 0, scale)? }),
        "dragTo" => {
            let drag = compose::drag(None, args.xy(("x", "y"), 0, scale)?, args.button(usize::MAX)?);
            Ok(drag.in_order().to_vec())
        }
        "mouseDown" => one(Action::Press { at: at(0)?, button: args.button(2)? }),
        "mouseUp" => one(Action::Release { at: at(0)?, button: args.button(2)? }),
        "scroll" | "vscroll" => {
            let dy = -args.number("clicks", 0)? * NOTCH_PX;
            one(Action::Scroll { at: at(1)?, dx: 0.0, dy })
        }
        "hscroll" => {
            let dx = args.number("clicks", 0)? * NOTCH_PX;
            one(Action::Scroll { at: at(1)?, dx, dy: 0.0 })
        }
        "hotkey" => one(Action::Key { keys: hotkey(args)? }),
        "press" => press(args),
        "keyDown" => one(Action::KeyDown { keys: args.chord("key", 0)? }),
        "keyUp" => one(Action::KeyUp { keys: args.chord("key", 0)? }),
        "write" | "typewrite" => write(args),
        "sleep" => one(Action::Wait { ms: args.millis("secs", 0, MS_PER_SECOND)?.unwrap_or(0) }),
        "screenshot" => one(Action::Screenshot),
        other => Err(compose::no_such(other, &VERBS, surface)),
    }
}

fn click(args: &Args<'_>, at: Option<Place>) -> Result<Vec<Action>, Misread> {
    let button = args.button(4)?;
    match args.maybe_count("clicks", 2)?.unwrap_or(1) {
        1 => Ok(vec![Action::Click { at, button, held: Vec::new() }]),
        2 => Ok(vec![Action::DoubleClick { at, button }]),
        3 => Ok(vec![Action::TripleClick { at, button }]),
        _ => Err(args.wrong("clicks", "1, 2 or 3", args.get("clicks", 2))),
    }
}

fn hotkey(args: &Args<'_>) -> Result<Vec<String>, Misread> {
    let keys = match args.given() {
        [Value::Array(items)] => args.keys(items.iter())?,
        given => args.keys(given.iter())?,
    };
    if keys.is_empty() { Err(args.wrong("keys", "a key", None)) } else { Ok(keys) }
}

/// One key or several in turn, so many times.
fn press(args: &Args<'_>) -> Result<Vec<Action>, Misread> {
    let names = match args.get("keys", 0) {
        Some(Value::Array(items)) => items.clone(),
        Some(other) => vec![other.clone()],
        None => return Err(args.wrong("keys", "a key", None)),
    };
    let n_times = args.maybe_count("presses", 1)?.unwrap_or(1).min(super::MAX_SEQUENCE + 1);
    let presses: Result<Vec<Action>, Misread> =
        names.iter().map(|name| Ok(Action::Key { keys: args.keys(std::iter::once(name))? })).collect();
    Ok(std::iter::repeat_n(presses?, n_times).flatten().collect())
}

/// A text, or a list of keys and characters.
fn write(args: &Args<'_>) -> Result<Vec<Action>, Misread> {
    let Some(Value::Array(items)) = args.get("message", 0) else {
        return Ok(vec![Action::Type { text: args.text("message", 0)? }]);
    };
    let names = items.iter().map(|item| item.as_str().ok_or_else(|| args.wrong("message", "keys", Some(item))));
    names
        .map(|name| name.and_then(|name| Ok(key(&keys::canonical(name).ok_or_else(|| Misread::Key(name.to_owned()))?))))
        .collect()
}
