//! Actions in whatever form models write them: tuples, JSON objects, calls, canonical JSON, with or without words around.

use serde_json::Value;

use super::scale::ScreenScale;
use super::{ENDINGS, Misread, choose, conclude, gui, offered};
use crate::action::find::{self, ActionCandidate};
use crate::action::{Action, Call};
use crate::suggest;
use crate::surface::{Misfit, Surface};

pub(super) fn read(raw: &str, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    // A reply that is one canonical action and nothing else needs no looking for, however long it is.
    if let Ok(action) = serde_json::from_str(raw.trim()) {
        return offered(action, surface);
    }
    let known = |name: &str| {
        ENDINGS.contains(&name)
            || surface.calls.iter().any(|call| call.name == name)
            || gui::verbs(surface).any(|verb| verb == name)
    };
    let candidates = find::whole_call(raw).map_or_else(|| find::candidates(raw, &known), |only| vec![only]);
    let chosen = choose(&candidates)?;
    conclude(act(chosen, surface, scale)?, chosen, &candidates)
}

/// The action that a candidate names.
pub(super) fn act(candidate: &ActionCandidate, surface: &Surface, scale: ScreenScale) -> Result<Action, Misread> {
    let ActionCandidate { name, args, .. } = candidate;
    if name == "do" {
        return serde_json::from_value(args.first().cloned().unwrap_or(Value::Null))
            .map_err(|error| Misread::NotCanonical(error.to_string()))
            .and_then(|action| offered(action, surface));
    }
    if surface.calls.iter().any(|call| call.name == *name) {
        return Ok(Action::Call(surface.fit(&Call { name: name.clone(), args: args.clone() })?));
    }
    if gui::verbs(surface).any(|verb| verb == name) {
        return offered(gui::read(name, args, scale)?, surface);
    }
    ending(name, args).unwrap_or_else(|| Err(no_such(name, surface)))
}

/// The ending that a name and its arguments say; nothing where the name is of none.
fn ending(name: &str, args: &[Value]) -> Option<Result<Action, Misread>> {
    Some(match (name, args) {
        ("stop" | "done", []) => Ok(Action::Done),
        ("stop" | "done", [Value::String(again)]) if again == name => Ok(Action::Done),
        ("stop" | "done", [Value::Object(nothing)]) if nothing.is_empty() => Ok(Action::Done),
        ("stop" | "done", given) => Err(Misfit::Count { name: name.to_owned(), wanted: 0, given: given.len() }.into()),
        ("give_up", []) => Ok(Action::GiveUp { reason: String::new() }),
        ("give_up", [reason]) => Ok(Action::GiveUp { reason: plain(reason) }),
        ("answer", [value]) => Ok(Action::Answer { value: value.clone() }),
        ("give_up" | "answer", given) => {
            Err(Misfit::Count { name: name.to_owned(), wanted: 1, given: given.len() }.into())
        }
        _ => return None,
    })
}

fn no_such(name: &str, surface: &Surface) -> Misread {
    let calls = surface.calls.iter().map(|call| call.name.as_str());
    let hint = suggest::hint(name, calls.chain(gui::verbs(surface).map(|verb: &str| verb)));
    Misfit::NoSuchCall { name: name.to_owned(), hint }.into()
}

fn plain(value: &Value) -> String {
    let reason = value.get("reason").unwrap_or(value);
    reason.as_str().map_or_else(|| reason.to_string(), str::to_owned)
}
