//! The Anthropic computer tool: `{"action": "left_click", "coordinate": [640, 360]}`, with or without its tool call
//! around it.

use serde_json::{Map, Value};

use super::args::{self, Args};
use super::compose::{self, held_during, in_turn};
use super::scale::{NOTCH_PX, ScreenScale};
use super::{Misread, endings};
use crate::action::{Action, Button, Place, keys};
use crate::surface::Surface;

const MS_PER_SECOND: f64 = 1000.0;

pub(super) fn read(raw: &str, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    let Ok(Value::Object(fields)) = serde_json::from_str(raw.trim()) else { return endings(raw, surface) };
    let input = match (fields.get("name").and_then(Value::as_str), fields.get("input")) {
        (Some("computer"), Some(Value::Object(input))) => input,
        (None, _) => &fields,
        _ => return endings(raw, surface),
    };
    match input.get("action").and_then(Value::as_str) {
        Some(verb) => act(verb, input, surface, scale),
        None => endings(raw, surface),
    }
}

fn act(verb: &str, input: &Map<String, Value>, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    let args = Args::of_fields(verb, input);
    let at = || Ok::<_, Misread>(args.maybe_pair("coordinate", scale)?.map(Place::from));
    match verb {
        "left_click" => click(&args, at()?, Button::Left),
        "right_click" => click(&args, at()?, Button::Right),
        "middle_click" => click(&args, at()?, Button::Middle),
        "double_click" => held_during(args.held(&["text"])?, Action::DoubleClick { at: at()?, button: Button::Left }),
        "triple_click" => held_during(args.held(&["text"])?, Action::TripleClick { at: at()?, button: Button::Left }),
        "left_mouse_down" => Ok(Action::Press { at: at()?, button: Button::Left }),
        "left_mouse_up" => Ok(Action::Release { at: at()?, button: Button::Left }),
        "mouse_move" => Ok(Action::Move { to: at()?.ok_or_else(|| no_point(&args))? }),
        "left_click_drag" => {
            let to = at()?.ok_or_else(|| no_point(&args))?;
            let from = args.maybe_pair("start_coordinate", scale)?.map(Place::from);
            held_during(args.held(&["text"])?, compose::drag(from, to, Button::Left))
        }
        "scroll" => held_during(args.held(&["text"])?, scroll(&args, at()?)?),
        "key" => key(&args),
        "hold_key" => {
            let ms = args.millis("duration", usize::MAX, MS_PER_SECOND)?.unwrap_or(0);
            Ok(Action::HoldKey { keys: args.chord("text", usize::MAX)?, ms })
        }
        "type" => Ok(Action::Type { text: args.text("text", usize::MAX)? }),
        "wait" => Ok(Action::Wait { ms: args.millis("duration", usize::MAX, MS_PER_SECOND)?.unwrap_or(0) }),
        "screenshot" | "cursor_position" => Ok(Action::Screenshot),
        "zoom" => zoom(&args, scale),
        other => Err(compose::no_such(other, &VERBS, surface)),
    }
}

const VERBS: [&str; 17] = [
    "left_click",
    "right_click",
    "middle_click",
    "double_click",
    "triple_click",
    "left_mouse_down",
    "left_mouse_up",
    "mouse_move",
    "left_click_drag",
    "scroll",
    "key",
    "hold_key",
    "type",
    "wait",
    "screenshot",
    "cursor_position",
    "zoom",
];

fn no_point(args: &Args<'_>) -> Misread {
    args.wrong("coordinate", "a point [x, y]", None)
}

fn click(args: &Args<'_>, at: Option<Place>, button: Button) -> Result<Action, Misread> {
    Ok(Action::Click { at, button, held: args.held(&["text"])? })
}

fn scroll(args: &Args<'_>, at: Option<Place>) -> Result<Action, Misread> {
    let amount = args.maybe_number("scroll_amount", usize::MAX)?.unwrap_or(1.0) * NOTCH_PX;
    let (dx, dy) = compose::towards(args, "scroll_direction", (amount, amount))?;
    Ok(Action::Scroll { at, dx, dy })
}

/// One chord, or several one after the other with spaces between.
fn key(args: &Args<'_>) -> Result<Action, Misread> {
    let text = args.text("text", usize::MAX)?;
    if let Ok(keys) = keys::chord(&text) {
        return Ok(Action::Key { keys });
    }
    let chords = text.split_whitespace().map(|chord| keys::chord(chord).map(|keys| Action::Key { keys }));
    in_turn(chords.collect::<Result<_, _>>().map_err(Misread::Key)?)
}

fn zoom(args: &Args<'_>, scale: ScreenScale) -> Result<Action, Misread> {
    let corners = args.named("region").and_then(Value::as_array).map(Vec::as_slice);
    let [x0, y0, x1, y1] = corners.unwrap_or_default() else {
        return Err(args.wrong("region", "a region [x0, y0, x1, y1]", args.named("region")));
    };
    let point = |x, y| {
        let wrong = || args.wrong("region", "a region [x0, y0, x1, y1]", args.named("region"));
        Ok::<_, Misread>(scale.point(args::number(x).ok_or_else(wrong)?, args::number(y).ok_or_else(wrong)?))
    };
    Ok(Action::Zoom { from: point(x0, y0)?, to: point(x1, y1)? })
}
