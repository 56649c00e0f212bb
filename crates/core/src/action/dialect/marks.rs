//! Set-of-marks tags: `click [12]`, `type [7] [text]`, `press [ctrl+a]`, one a line.

use serde_json::{Value, json};

use super::args::Args;
use super::compose::{self, in_turn, key};
use super::{Misread, endings};
use crate::action::literal::{self, Arguments};
use crate::action::{Action, Button, find};
use crate::surface::Surface;

const WAIT_MS: u64 = 1000;
/// How far `scroll [down]` goes where the size of the screen is not known.
const PAGE_PX: (u32, u32) = (1280, 720);
const VERBS: [&str; 13] = [
    "click",
    "double_click",
    "right_click",
    "hover",
    "drag",
    "type",
    "scroll",
    "press",
    "wait",
    "goto",
    "go_back",
    "go_forward",
    "stop",
];

pub(super) fn read(raw: &str, surface: &Surface) -> Result<Action, Misread> {
    let scopes = [find::last_fence(raw), find::after_label(raw), Some(raw)];
    let found = scopes.into_iter().flatten().map(tags).find(|found| !found.is_empty());
    let Some(mut found) = found else { return endings(raw, surface) };
    found.dedup_by(|a, b| a.verb == b.verb && a.groups == b.groups);
    let [tag] = found.as_slice() else { return Err(Misread::Several) };
    let action = act(tag, surface)?;
    if action.completes() && !tag.is_last { Err(Misread::NotAlone) } else { Ok(action) }
}

/// A line that is an action and nothing else.
struct Tag<'a> {
    verb: &'a str,
    groups: Vec<&'a str>,
    is_last: bool,
}

fn tags(scope: &str) -> Vec<Tag<'_>> {
    let lines: Vec<&str> = scope.lines().map(bare).filter(|line| !line.is_empty()).collect();
    let last = lines.len();
    lines
        .into_iter()
        .enumerate()
        .filter_map(|(idx, line)| Some(Tag { is_last: idx + 1 == last, ..tag(line)? }))
        .collect()
}

fn bare(line: &str) -> &str {
    line.trim().trim_matches('`').trim()
}

/// A line by itself.
fn tag(line: &str) -> Option<Tag<'_>> {
    let (verb, rest) = line.split_once([' ', '[']).map_or((line, ""), |(verb, _)| (verb, &line[verb.len()..]));
    let groups = groups(rest.trim(), verb)?;
    VERBS.contains(&verb).then_some(Tag { verb, groups, is_last: true })
}

/// The bracketed groups. The text of `type`, `goto` and `stop` may hold brackets itself.
fn groups<'a>(rest: &'a str, verb: &str) -> Option<Vec<&'a str>> {
    if rest.is_empty() {
        return Some(Vec::new());
    }
    let inside = rest.strip_prefix('[')?.strip_suffix(']')?;
    match verb {
        "goto" | "stop" => Some(vec![inside]),
        "type" => {
            let (mark, text) = inside.split_once(']')?;
            let text = text.trim_start().strip_prefix('[')?;
            let enter = ["0", "1"].into_iter().find_map(|flag| {
                Some((text.strip_suffix(flag)?.strip_suffix('[')?.trim_end().strip_suffix(']')?, flag))
            });
            Some(enter.map_or_else(|| vec![mark, text], |(text, flag)| vec![mark, text, flag]))
        }
        _ => {
            let groups: Vec<&str> = inside.split(']').map(|group| group.trim_start().trim_start_matches('[')).collect();
            Some(groups)
        }
    }
}

fn act(tag: &Tag<'_>, surface: &Surface) -> Result<Action, Misread> {
    let given = tag.groups.iter().map(|group| Value::from(*group)).collect();
    let args = Args::new(tag.verb, Arguments { given, ..Arguments::default() });
    let mark = |place| args.mark("mark", place);
    match tag.verb {
        "click" => Ok(Action::click(mark(0)?)),
        "double_click" => Ok(Action::DoubleClick { at: Some(mark(0)?), button: Button::Left }),
        "right_click" => Ok(Action::Click { at: Some(mark(0)?), button: Button::Right, held: Vec::new() }),
        "hover" => Ok(Action::Move { to: mark(0)? }),
        "drag" => Ok(Action::Drag { path: vec![mark(0)?, mark(1)?], button: Button::Left }),
        "type" => {
            let mut actions = vec![Action::click(mark(0)?), Action::Type { text: args.text("text", 1)? }];
            actions.extend((tag.groups.get(2) == Some(&"1")).then(|| key("Enter")));
            in_turn(actions)
        }
        "scroll" => scroll(&args, surface),
        "press" => Ok(Action::Key { keys: args.chord("keys", 0)? }),
        "wait" => Ok(Action::Wait { ms: args.millis("ms", 0, 1.0)?.unwrap_or(WAIT_MS) }),
        "goto" => Ok(Action::Goto { url: args.text("url", 0)? }),
        "go_back" => Ok(Action::Back),
        "go_forward" => Ok(Action::Forward),
        _ => stop(tag.groups.first().copied()),
    }
}

/// Half a screen in a direction, at an element where one is named.
fn scroll(args: &Args<'_>, surface: &Surface) -> Result<Action, Misread> {
    let at = if args.n_given() > 1 { Some(args.mark("mark", 0)?) } else { None };
    let direction = args.text("direction", args.n_given().saturating_sub(1))?;
    let (across, down) = surface.screen.unwrap_or(PAGE_PX);
    let fields = json!({"direction": direction});
    let named = Args::of_fields("scroll", fields.as_object().expect("written as an object"));
    let (dx, dy) = compose::towards(&named, "direction", (f64::from(across) / 2.0, f64::from(down) / 2.0))?;
    Ok(Action::Scroll { at, dx, dy })
}

/// `stop` hands in the state; `stop [{"total": 3}]` hands in an answer.
fn stop(answer: Option<&str>) -> Result<Action, Misread> {
    let Some(text) = answer.map(str::trim).filter(|text| !text.is_empty()) else { return Ok(Action::Done) };
    match literal::read(text).filter(|(_, len)| *len == text.len()) {
        Some((value @ Value::Object(_), _)) => Ok(Action::Answer { value }),
        _ => Err(Misread::Answer("an answer is a JSON object with the declared keys".to_owned())),
    }
}
