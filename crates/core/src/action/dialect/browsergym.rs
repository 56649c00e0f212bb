//! `BrowserGym`: `click("12")`, `fill("7", "text")`, `mouse_click(640, 360)`. Elements are named by their marks.

use serde_json::Value;

use super::args::Args;
use super::compose::{self, fill, held_during, in_turn};
use super::scale::ScreenScale;
use super::{Misread, choose, conclude};
use crate::action::find::{self, ActionCandidate};
use crate::action::{Action, Button, Place, literal};
use crate::surface::Surface;

const VERBS: [&str; 27] = [
    "noop",
    "click",
    "dblclick",
    "hover",
    "focus",
    "fill",
    "clear",
    "press",
    "drag_and_drop",
    "scroll",
    "mouse_move",
    "mouse_down",
    "mouse_up",
    "mouse_click",
    "mouse_dblclick",
    "mouse_drag_and_drop",
    "keyboard_press",
    "keyboard_down",
    "keyboard_up",
    "keyboard_type",
    "keyboard_insert_text",
    "goto",
    "go_back",
    "go_forward",
    "tab_focus",
    "send_msg_to_user",
    "report_infeasible",
];

pub(super) fn read(raw: &str, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    let known = |name: &str| VERBS.contains(&name) || super::is_common(name, surface);
    let candidates = find::candidates(raw, &known);
    let chosen = choose(&candidates)?;
    conclude(act(chosen, surface, scale)?, chosen, &candidates)
}

fn act(candidate: &ActionCandidate, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    let verb = candidate.name.as_str();
    let args = Args::of_values(verb, &candidate.args);
    if let Some(action) = by_mark(verb, &args)? {
        return Ok(action);
    }
    if let Some(action) = by_mouse(verb, &args, scale)? {
        return Ok(action);
    }
    match verb {
        "noop" => Ok(Action::Wait { ms: args.millis("wait_ms", 0, 1.0)?.unwrap_or(1000) }),
        "keyboard_press" => Ok(Action::Key { keys: args.chord("key", 0)? }),
        "keyboard_down" => Ok(Action::KeyDown { keys: args.chord("key", 0)? }),
        "keyboard_up" => Ok(Action::KeyUp { keys: args.chord("key", 0)? }),
        "keyboard_type" | "keyboard_insert_text" => Ok(Action::Type { text: args.text("text", 0)? }),
        "goto" => Ok(Action::Goto { url: args.text("url", 0)? }),
        "go_back" => Ok(Action::Back),
        "go_forward" => Ok(Action::Forward),
        "tab_focus" => {
            let index = args.maybe_count("index", 0)?.ok_or_else(|| args.wrong("index", "a whole number", None))?;
            Ok(Action::Tab { index: u32::try_from(index).unwrap_or(u32::MAX) })
        }
        "send_msg_to_user" => message(&args.text("text", 0)?),
        "report_infeasible" => Ok(Action::GiveUp { reason: args.text("reason", 0).unwrap_or_default() }),
        _ if super::is_common(verb, surface) || verb == "do" => super::tolerant::act(candidate, surface, scale),
        other => Err(compose::no_such(other, &VERBS, surface)),
    }
}

/// Actions on an element.
fn by_mark(verb: &str, args: &Args<'_>) -> Result<Option<Action>, Misread> {
    let mark = || args.mark("bid", 0);
    let held = || args.held(&["modifiers"]);
    Ok(Some(match verb {
        "click" => Action::Click { at: Some(mark()?), button: args.button(1)?, held: held()? },
        "dblclick" => held_during(held()?, Action::DoubleClick { at: Some(mark()?), button: args.button(1)? })?,
        "hover" => Action::Move { to: mark()? },
        "focus" => Action::click(mark()?),
        "fill" => in_turn(fill(mark()?, args.text("value", 1)?))?,
        "clear" => in_turn(fill(mark()?, String::new()).into_iter().take(3).collect())?,
        "press" => in_turn(vec![Action::click(mark()?), Action::Key { keys: args.chord("key_comb", 1)? }])?,
        "drag_and_drop" => {
            let path = vec![args.mark("from_bid", 0)?, args.mark("to_bid", 1)?];
            Action::Drag { path, button: Button::Left }
        }
        _ => return Ok(None),
    }))
}

/// Actions at a point.
fn by_mouse(verb: &str, args: &Args<'_>, scale: ScreenScale) -> Result<Option<Action>, Misread> {
    let at = || args.xy(("x", "y"), 0, scale);
    let button = || args.button(2);
    Ok(Some(match verb {
        "mouse_move" => Action::Move { to: at()? },
        "mouse_down" => Action::Press { at: Some(at()?), button: button()? },
        "mouse_up" => Action::Release { at: Some(at()?), button: button()? },
        "mouse_click" => Action::Click { at: Some(at()?), button: button()?, held: Vec::new() },
        "mouse_dblclick" => Action::DoubleClick { at: Some(at()?), button: button()? },
        "mouse_drag_and_drop" => {
            let path: Vec<Place> = vec![args.xy(("from_x", "from_y"), 0, scale)?, args.xy(("to_x", "to_y"), 2, scale)?];
            Action::Drag { path, button: Button::Left }
        }
        "scroll" => {
            let (dx, dy) = scale.stretch(args.number("delta_x", 0)?, args.number("delta_y", 1)?);
            Action::Scroll { at: None, dx, dy }
        }
        _ => return Ok(None),
    }))
}

/// A message ends the trial only where it is an answer.
fn message(text: &str) -> Result<Action, Misread> {
    let read = literal::read(text.trim()).filter(|(_, len)| *len == text.trim().len());
    match read {
        Some((value @ Value::Object(_), _)) => Ok(Action::Answer { value }),
        _ => Err(Misread::Answer(
            "a message that is to be the answer is a JSON object with the declared keys".to_owned(),
        )),
    }
}
