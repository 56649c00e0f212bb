//! The OpenAI computer tool: `{"type": "click", "x": 640, "y": 360, "button": "left"}`, alone or in a `computer_call`
//! with one `action` or several `actions`.

use serde_json::{Map, Value};

use super::args::{self, Args};
use super::compose::{self, held_during, in_turn};
use super::scale::ScreenScale;
use super::{Misread, endings};
use crate::action::{Action, Button, Place};
use crate::surface::Surface;

/// How long its wait takes, since it does not say.
const WAIT_MS: u64 = 1000;
const VERBS: [&str; 9] = ["click", "double_click", "drag", "keypress", "move", "scroll", "type", "wait", "screenshot"];

pub(super) fn read(raw: &str, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    let Ok(Value::Object(fields)) = serde_json::from_str(raw.trim()) else { return endings(raw, surface) };
    if let Some(Value::Array(items)) = fields.get("actions") {
        let actions = items.iter().map(|item| one(item.as_object(), surface, scale));
        let actions: Vec<Action> = actions.collect::<Result<_, _>>()?;
        return in_turn(actions.iter().flat_map(Action::in_order).cloned().collect());
    }
    match fields.get("action") {
        Some(Value::Object(action)) => one(Some(action), surface, scale),
        None if fields.contains_key("type") => one(Some(&fields), surface, scale),
        _ => endings(raw, surface),
    }
}

fn one(fields: Option<&Map<String, Value>>, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    let fields = fields.ok_or(Misread::Nothing)?;
    let verb = fields.get("type").and_then(Value::as_str).ok_or(Misread::Nothing)?;
    let args = Args::of_fields(verb, fields);
    let at = || args.xy(("x", "y"), usize::MAX - 1, scale);
    let held = || args.held(&["keys"]);
    match verb {
        "click" => Ok(Action::Click { at: Some(at()?), button: args.button(usize::MAX)?, held: held()? }),
        "double_click" => held_during(held()?, Action::DoubleClick { at: Some(at()?), button: Button::Left }),
        "drag" => held_during(held()?, Action::Drag { path: path(&args, scale)?, button: Button::Left }),
        "keypress" => Ok(Action::Key { keys: args.chord("keys", usize::MAX)? }),
        "move" => held_during(held()?, Action::Move { to: at()? }),
        "scroll" => held_during(held()?, scroll(&args, at()?, scale)?),
        "type" => Ok(Action::Type { text: args.text("text", usize::MAX)? }),
        "wait" => Ok(Action::Wait { ms: WAIT_MS }),
        "screenshot" => Ok(Action::Screenshot),
        other => Err(compose::no_such(other, &VERBS, surface)),
    }
}

fn scroll(args: &Args<'_>, at: Place, scale: ScreenScale) -> Result<Action, Misread> {
    let by = |name| Ok::<_, Misread>(args.maybe_number(name, usize::MAX)?.unwrap_or(0.0));
    let (dx, dy) = scale.stretch(by("scroll_x")?, by("scroll_y")?);
    Ok(Action::Scroll { at: Some(at), dx, dy })
}

fn path(args: &Args<'_>, scale: ScreenScale) -> Result<Vec<Place>, Misread> {
    let wrong = || args.wrong("path", "a list of at least two points", args.named("path"));
    let items = args.named("path").and_then(Value::as_array).ok_or_else(wrong)?;
    let points: Option<Vec<Place>> =
        items.iter().map(|item| args::pair(item).map(|(x, y)| scale.point(x, y).into())).collect();
    points.filter(|points| points.len() >= 2).ok_or_else(wrong)
}
