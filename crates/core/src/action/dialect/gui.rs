//! The canonical actions of screens as calls: `click(640, 360)`, `('drag', [[1, 2], [3, 4]])`,
//! `{"action": "type", "text": "hello"}`.

use serde_json::Value;

use super::Misread;
use super::args::{self, Args};
use super::compose::{self, held_during};
use super::scale::ScreenScale;
use crate::action::{Action, Button, Place};
use crate::surface::{ActionGroup, Misfit, Surface};

/// How long a wait takes that does not say.
const WAIT_MS: u64 = 1000;
/// The actions of mouse and keyboard, by every name they go by here.
const GUI: [&str; 27] = [
    "click",
    "double_click",
    "right_click",
    "drag",
    "scroll",
    "type",
    "key",
    "wait",
    "move",
    "triple_click",
    "middle_click",
    "press",
    "release",
    "hold_key",
    "key_down",
    "key_up",
    "screenshot",
    "zoom",
    "left_click",
    "mouse_move",
    "hover",
    "left_click_drag",
    "hotkey",
    "press_key",
    "mouse_down",
    "mouse_up",
    "cursor_position",
];
/// The actions of a browser.
const BROWSER: [&str; 4] = ["goto", "back", "forward", "tab"];
/// The actions of the other groups.
const SHELL: [&str; 1] = ["shell"];
const CODE: [&str; 1] = ["code"];
const API: [&str; 1] = ["api"];
pub(super) const NOTE: [&str; 1] = ["note"];
const HELD: [&str; 3] = ["held", "modifiers", "hold"];

/// The actions that a surface offers, by name.
pub(super) fn verbs(surface: &Surface) -> impl Iterator<Item = &'static str> + Clone {
    let of = |group, verbs: &'static [&'static str]| if surface.groups.contains(&group) { verbs } else { &[] };
    let pointing = of(ActionGroup::Gui, &GUI).iter().chain(of(ActionGroup::Browser, &BROWSER));
    let others = of(ActionGroup::Shell, &SHELL).iter().chain(of(ActionGroup::Code, &CODE));
    pointing.chain(others).chain(of(ActionGroup::Api, &API)).chain(of(ActionGroup::Note, &NOTE)).copied()
}

/// Reads an action by its name and arguments.
pub(super) fn read(verb: &str, values: &[Value], scale: ScreenScale) -> Result<Action, Misread> {
    let args = Args::of_values(verb, values);
    match verb {
        "type" => Ok(Action::Type { text: args.text("text", 0)? }),
        "key" | "hotkey" | "press_key" => Ok(Action::Key { keys: keys(&args)? }),
        "press" if is_key(&args) => Ok(Action::Key { keys: keys(&args)? }),
        "key_down" => Ok(Action::KeyDown { keys: keys(&args)? }),
        "key_up" => Ok(Action::KeyUp { keys: keys(&args)? }),
        "hold_key" => {
            let name = if args.named("key").is_some() { "key" } else { "keys" };
            let ms = args.millis("ms", 1, 1.0)?.ok_or_else(|| args.wrong("ms", "a time", None))?;
            Ok(Action::HoldKey { keys: args.chord(name, 0)?, ms })
        }
        "wait" => Ok(Action::Wait { ms: args.millis("ms", 0, 1.0)?.unwrap_or(WAIT_MS) }),
        // Where the pointer is, is seen by looking.
        "screenshot" | "cursor_position" => Ok(Action::Screenshot),
        "shell" => Ok(Action::Shell { command: args.text("command", 0)? }),
        "code" => Ok(Action::Code { language: args.text("language", 0)?, source: args.text("source", 1)? }),
        "api" => {
            let args_of_method = args.get("args", 1).cloned().unwrap_or(Value::Null);
            Ok(Action::Api { method: args.text("method", 0)?, args: args_of_method })
        }
        "note" => note(values),
        "goto" => Ok(Action::Goto { url: args.text("url", 0)? }),
        "back" => Ok(Action::Back),
        "forward" => Ok(Action::Forward),
        "tab" => {
            let index = args.maybe_count("index", 0)?.ok_or_else(|| args.wrong("index", "a whole number", None))?;
            Ok(Action::Tab { index: u32::try_from(index).unwrap_or(u32::MAX) })
        }
        _ => pointing(verb, &args.spread(), scale),
    }
}

/// `note({"total": 3})`: the fields as one object.
fn note(values: &[Value]) -> Result<Action, Misread> {
    match values {
        [Value::Object(fields)] => Ok(Action::Note { fields: fields.clone() }),
        [_] => Err(Misread::Answer("a note is an object with fields of the answer".to_owned())),
        given => Err(wrong_count("note", 1, given.len())),
    }
}

/// Actions of the mouse.
fn pointing(verb: &str, args: &Args<'_>, scale: ScreenScale) -> Result<Action, Misread> {
    let button = |unsaid| args.get("button", 2).map_or(Ok(unsaid), |_| args.button(2));
    let at = || at(args, scale);
    match verb {
        "click" | "left_click" => clicks(args, at()?, button(Button::Left)?),
        "right_click" => Ok(Action::Click { at: at()?, button: Button::Right, held: held(args)? }),
        "middle_click" => Ok(Action::Click { at: at()?, button: Button::Middle, held: held(args)? }),
        "double_click" => held_during(held(args)?, Action::DoubleClick { at: at()?, button: button(Button::Left)? }),
        "triple_click" => held_during(held(args)?, Action::TripleClick { at: at()?, button: button(Button::Left)? }),
        "press" | "mouse_down" => Ok(Action::Press { at: at()?, button: button(Button::Left)? }),
        "release" | "mouse_up" => Ok(Action::Release { at: at()?, button: button(Button::Left)? }),
        "move" | "mouse_move" | "hover" => {
            Ok(Action::Move { to: at()?.ok_or_else(|| args.wrong("x", "a number", None))? })
        }
        "scroll" => held_during(held(args)?, scroll(args, scale)?),
        "drag" | "left_click_drag" => held_during(held(args)?, drag(args, scale)?),
        "zoom" => match corners(args, &[("x1", "y1"), ("x2", "y2")], scale)?.as_slice() {
            [Place::Point(from), Place::Point(to)] => Ok(Action::Zoom { from: *from, to: *to }),
            _ => Err(wrong_count(verb, 4, args.n_given())),
        },
        other => Err(Misread::NotOffered(other.to_owned())),
    }
}

/// One click, or as many as `count` says.
fn clicks(args: &Args<'_>, at: Option<Place>, button: Button) -> Result<Action, Misread> {
    let held = held(args)?;
    match args.maybe_count("count", usize::MAX)? {
        None | Some(1) => Ok(Action::Click { at, button, held }),
        Some(2) => held_during(held, Action::DoubleClick { at, button }),
        Some(3) => held_during(held, Action::TripleClick { at, button }),
        Some(_) => Err(args.wrong("count", "1, 2 or 3", args.named("count"))),
    }
}

fn held(args: &Args<'_>) -> Result<Vec<String>, Misread> {
    args.held(&HELD)
}

/// Where: a mark, a point in one of its forms, or nothing, which is where the pointer is.
fn at(args: &Args<'_>, scale: ScreenScale) -> Result<Option<Place>, Misread> {
    if args.named("mark").is_some() {
        return args.mark("mark", usize::MAX).map(Some);
    }
    for name in ["coordinate", "at", "to", "position", "point"] {
        if let Some(point) = args.maybe_pair(name, scale)? {
            return Ok(Some(point.into()));
        }
    }
    Ok(args.maybe_xy(("x", "y"), 0, scale)?.map(Place::from))
}

/// `scroll(x, y, dx, dy)`, `scroll(dx, dy)` where the pointer is, or by names.
fn scroll(args: &Args<'_>, scale: ScreenScale) -> Result<Action, Misread> {
    let (at, place) = match args.n_given() {
        2 => (None, 0),
        _ => (at(args, scale)?, 2),
    };
    if args.n_given() == 0 && args.named("dx").is_none() && args.named("dy").is_none() {
        return Err(args.wrong("dy", "a number", None));
    }
    let by = |name, place| Ok::<_, Misread>(args.maybe_number(name, place)?.unwrap_or(0.0));
    let (dx, dy) = scale.stretch(by("dx", place)?, by("dy", place + 1)?);
    Ok(Action::Scroll { at, dx, dy })
}

/// `drag(x1, y1, x2, y2, ...)`, from `mark1` to `mark2`, from `start_coordinate` to `coordinate`, or along
/// a `path`.
fn drag(args: &Args<'_>, scale: ScreenScale) -> Result<Action, Misread> {
    let button = args.named("button").map_or(Ok(Button::Left), |_| args.button(usize::MAX))?;
    if let Some(Value::Array(items)) = args.named("path") {
        let points = items.iter().map(|item| args::pair(item).map(|(x, y)| Place::from(scale.point(x, y))));
        let path: Option<Vec<Place>> = points.collect();
        let wrong = || args.wrong("path", "a list of at least two points", args.named("path"));
        return Ok(Action::Drag { path: path.filter(|path| path.len() >= 2).ok_or_else(wrong)?, button });
    }
    if args.named("mark1").is_some() {
        let path = vec![args.mark("mark1", usize::MAX)?, args.mark("mark2", usize::MAX)?];
        return Ok(Action::Drag { path, button });
    }
    let ends = [("start_coordinate", "coordinate"), ("start", "end"), ("from", "to")];
    for (from, to) in ends {
        if let (from, Some(to)) = (args.maybe_pair(from, scale)?, args.maybe_pair(to, scale)?) {
            return Ok(compose::drag(from.map(Place::from), to.into(), button));
        }
    }
    let path = corners(args, &[("x1", "y1"), ("x2", "y2")], scale)?;
    if path.len() < 2 {
        return Err(wrong_count("drag", 4, args.n_given()));
    }
    Ok(Action::Drag { path, button })
}

/// The points that values without a name make up two by two, else those of these names.
fn corners(args: &Args<'_>, names: &[(&str, &str)], scale: ScreenScale) -> Result<Vec<Place>, Misread> {
    if args.n_given() == 0 {
        return names.iter().map(|name| args.xy(*name, usize::MAX - 1, scale)).collect();
    }
    if !args.n_given().is_multiple_of(2) {
        return Err(args.wrong("the points", "numbers two by two", None));
    }
    (0..args.n_given() / 2).map(|idx| args.xy(("", ""), idx * 2, scale)).collect()
}

fn wrong_count(verb: &str, wanted: usize, given: usize) -> Misread {
    Misfit::Count { name: verb.to_owned(), wanted, given }.into()
}

/// `press("Enter")` means the key, `press(640, 360)` the mouse button.
fn is_key(args: &Args<'_>) -> bool {
    let is_name = |value: &Value| value.as_str().is_some_and(|text| text.parse::<f64>().is_err());
    args.named("key").or(args.named("keys")).is_some() || args.given().first().is_some_and(is_name)
}

/// `key("ctrl+a")`, `key("ctrl", "a")`, `key(["ctrl", "a"])`.
fn keys(args: &Args<'_>) -> Result<Vec<String>, Misread> {
    for name in ["keys", "key", "text"] {
        if args.named(name).is_some() {
            return args.chord(name, usize::MAX);
        }
    }
    if args.n_given() > 1 { args.keys(args.given().iter()) } else { args.chord("keys", 0) }
}
