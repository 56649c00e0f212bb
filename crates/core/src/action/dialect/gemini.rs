//! Google computer use from Gemini 3.5 on: `{"name": "click", "args": {"x": 500, "y": 500}}`, with coordinates from 0 to
//! 1000 whatever the size of the screen. Names and defaults are those of `google-gemini/computer-use-preview`, `agent.py`.

use super::Misread;
use super::args::Args;
use super::compose::{in_turn, key};
use super::google::{drag, read_call, scroll};
use super::scale::ScreenScale;
use crate::action::{Action, Button, Place};
use crate::surface::Surface;

/// How long it waits where it does not say.
const WAIT_MS: u64 = 1000;
const MS_PER_SECOND: f64 = 1000.0;
pub(super) const VERBS: [&str; 20] = [
    "click",
    "double_click",
    "triple_click",
    "middle_click",
    "right_click",
    "mouse_down",
    "mouse_up",
    "move",
    "type",
    "drag_and_drop",
    "wait",
    "press_key",
    "key_down",
    "key_up",
    "hotkey",
    "take_screenshot",
    "scroll",
    "go_back",
    "navigate",
    "go_forward",
];

pub(super) fn read(raw: &str, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    read_call(raw, surface, &VERBS, |verb, args| act(verb, args, scale))
}

fn act(verb: &str, args: &Args<'_>, scale: ScreenScale) -> Result<Action, Misread> {
    let at = || args.xy(("x", "y"), usize::MAX - 1, scale);
    let maybe_at = || Ok::<_, Misread>(args.maybe_xy(("x", "y"), usize::MAX - 1, scale)?.map(Place::from));
    let click = |button| Ok(Action::Click { at: Some(at()?), button, held: Vec::new() });
    let chord = |name| args.chord(name, usize::MAX);
    let button = Button::Left;
    match verb {
        "click" => click(Button::Left),
        "double_click" => Ok(Action::DoubleClick { at: Some(at()?), button }),
        "triple_click" => Ok(Action::TripleClick { at: Some(at()?), button }),
        "middle_click" => click(Button::Middle),
        "right_click" => click(Button::Right),
        "mouse_down" => Ok(Action::Press { at: maybe_at()?, button }),
        "mouse_up" => Ok(Action::Release { at: maybe_at()?, button }),
        "move" => Ok(Action::Move { to: at()? }),
        "type" => type_text(args),
        "drag_and_drop" => drag(args, scale),
        "wait" => Ok(Action::Wait { ms: args.millis("seconds", usize::MAX, MS_PER_SECOND)?.unwrap_or(WAIT_MS) }),
        "press_key" => Ok(Action::Key { keys: chord("key")? }),
        "key_down" => Ok(Action::KeyDown { keys: chord("key")? }),
        "key_up" => Ok(Action::KeyUp { keys: chord("key")? }),
        "hotkey" => Ok(Action::Key { keys: chord("keys")? }),
        "scroll" => scroll(args, at()?, scale),
        "go_back" => Ok(Action::Back),
        "navigate" => Ok(Action::Goto { url: args.text("url", usize::MAX)? }),
        "go_forward" => Ok(Action::Forward),
        _ => Ok(Action::Screenshot),
    }
}

/// Types where the keyboard is, and presses Enter only where it is told to.
fn type_text(args: &Args<'_>) -> Result<Action, Misread> {
    let mut actions = vec![Action::Type { text: args.text("text", usize::MAX)? }];
    if args.flag("press_enter", false)? {
        actions.push(key("Enter"));
    }
    in_turn(actions)
}
