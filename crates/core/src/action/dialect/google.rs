//! Google computer use up to Gemini 3.1: `{"name": "click_at", "args": {"x": 500, "y": 500}}`, with coordinates from 0 to
//! 1000 whatever the size of the screen. What later models say is in `gemini`.

use serde_json::{Map, Value};

use super::args::Args;
use super::compose::{self, fill, in_turn, key};
use super::scale::ScreenScale;
use super::{Misread, endings, is_common};
use crate::action::{Action, Button, Place};
use crate::surface::Surface;

/// The size that every screen has in this dialect.
pub(super) const SPACE: (u32, u32) = (1000, 1000);

/// How far it scrolls where it does not say.
const MAGNITUDE: f64 = 800.0;
const SEARCH_URL: &str = "https://www.google.com/";
pub(super) const VERBS: [&str; 13] = [
    "click_at",
    "hover_at",
    "type_text_at",
    "key_combination",
    "scroll_document",
    "scroll_at",
    "drag_and_drop",
    "navigate",
    "go_back",
    "go_forward",
    "wait_5_seconds",
    "open_web_browser",
    "search",
];

pub(super) fn read(raw: &str, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    read_call(raw, surface, &VERBS, |verb, args| act(verb, args, scale))
}

/// Reads a call of one of these functions; endings and notes are written as everywhere.
pub(super) fn read_call(
    raw: &str,
    surface: &Surface,
    verbs: &[&str],
    act: impl FnOnce(&str, &Args<'_>) -> Result<Action, Misread>,
) -> Result<Action, Misread> {
    let Ok(Value::Object(fields)) = serde_json::from_str(raw.trim()) else { return endings(raw, surface) };
    let wrapped = ["function_call", "functionCall"].into_iter().find_map(|key| fields.get(key)?.as_object());
    let call = wrapped.unwrap_or(&fields);
    match call.get("name").and_then(Value::as_str) {
        Some(verb) if verbs.contains(&verb) => act(verb, &arguments(verb, call)),
        Some(name) if wrapped.is_none() && is_common(name, surface) => endings(raw, surface),
        Some(other) => Err(compose::no_such(other, verbs, surface)),
        None => endings(raw, surface),
    }
}

fn arguments<'a>(verb: &'a str, call: &Map<String, Value>) -> Args<'a> {
    let nothing = Map::new();
    let fields = ["args", "arguments"].into_iter().find_map(|key| call.get(key)?.as_object()).unwrap_or(&nothing);
    Args::of_fields(verb, fields)
}

fn act(verb: &str, args: &Args<'_>, scale: ScreenScale) -> Result<Action, Misread> {
    let at = || args.xy(("x", "y"), usize::MAX - 1, scale);
    match verb {
        "click_at" => Ok(Action::click(at()?)),
        "hover_at" => Ok(Action::Move { to: at()? }),
        "type_text_at" => type_text(args, at()?),
        "key_combination" => Ok(Action::Key { keys: args.chord("keys", usize::MAX)? }),
        "scroll_document" => scroll(args, scale.point(500.0, 500.0).into(), scale),
        "scroll_at" => scroll(args, at()?, scale),
        "drag_and_drop" => drag(args, scale),
        "navigate" => Ok(Action::Goto { url: args.text("url", usize::MAX)? }),
        "go_back" => Ok(Action::Back),
        "go_forward" => Ok(Action::Forward),
        "wait_5_seconds" => Ok(Action::Wait { ms: 5000 }),
        "search" => Ok(Action::Goto { url: SEARCH_URL.to_owned() }),
        // The browser is open: what is left of it is to look.
        _ => Ok(Action::Screenshot),
    }
}

/// Clicks, clears unless told not to, types, and presses Enter unless told not to.
fn type_text(args: &Args<'_>, at: Place) -> Result<Action, Misread> {
    let text = args.text("text", usize::MAX)?;
    let mut actions = if args.flag("clear_before_typing", true)? {
        fill(at, text)
    } else {
        vec![Action::click(at), Action::Type { text }]
    };
    if args.flag("press_enter", true)? {
        actions.push(key("Enter"));
    }
    in_turn(actions)
}

pub(super) fn drag(args: &Args<'_>, scale: ScreenScale) -> Result<Action, Misread> {
    let from = args.xy(("x", "y"), usize::MAX - 1, scale)?;
    let to = args.xy(("destination_x", "destination_y"), usize::MAX - 1, scale)?;
    Ok(Action::Drag { path: vec![from, to], button: Button::Left })
}

pub(super) fn scroll(args: &Args<'_>, at: Place, scale: ScreenScale) -> Result<Action, Misread> {
    let magnitude = args.maybe_number("magnitude", usize::MAX)?.unwrap_or(MAGNITUDE);
    let (dx, dy) = compose::towards(args, "direction", scale.stretch(magnitude, magnitude))?;
    Ok(Action::Scroll { at: Some(at), dx, dy })
}
