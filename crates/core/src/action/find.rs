//! Finds the actions in a reply.

use serde_json::{Map, Value};

use super::literal::{self, Arguments};

/// How much of the end of a reply is looked at: an action stands at the end, not behind pages of thought.
const WINDOW: usize = 16 * 1024;

/// Something in a reply that has the form of an action.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ActionCandidate {
    /// The function; `do` for a canonical action in JSON.
    pub(super) name: String,
    /// The arguments.
    pub(super) args: Vec<Value>,
    /// Whether it stands alone on its own line.
    pub(super) alone: bool,
    /// Whether nothing follows it in the part of the reply that counts.
    pub(super) last: bool,
}

/// All candidates in the part of the reply that counts: the last fence that holds one, else what follows the last
/// `Action:`, else everything.
pub(super) fn candidates(raw: &str, known: &dyn Fn(&str) -> bool) -> Vec<ActionCandidate> {
    let raw = tail(raw);
    if let Some(only) = only_candidate(raw.trim(), known) {
        return vec![only];
    }
    let scopes = [last_fence(raw), after_label(raw)];
    scopes
        .into_iter()
        .flatten()
        .map(|scope| in_scope(scope, known))
        .find(|found| !found.is_empty())
        .unwrap_or_else(|| in_scope(raw, known))
}

/// A reply that is one action and nothing else: whatever its texts hold is text.
fn only_candidate(raw: &str, known: &dyn Fn(&str) -> bool) -> Option<ActionCandidate> {
    let (candidate, end) = candidate_at(raw, 0, known)?;
    (end == raw.len()).then_some(ActionCandidate { alone: true, last: true, ..candidate })
}

fn tail(raw: &str) -> &str {
    let mut start = raw.len().saturating_sub(WINDOW);
    while !raw.is_char_boundary(start) {
        start += 1;
    }
    // Cut at a line, so that nothing comes to stand alone that did not.
    let line = if start == 0 { 0 } else { raw[start..].find('\n').map_or(raw.len(), |at| start + at) };
    &raw[line..]
}

/// The inside of the last closed fence, without its language word.
pub(super) fn last_fence(raw: &str) -> Option<&str> {
    let parts: Vec<&str> = raw.split("```").collect();
    // Every second part is inside a fence; the very last part is never closed.
    let inside = parts[..parts.len() - 1].iter().skip(1).step_by(2).next_back()?;
    let (first_line, rest) = inside.split_once('\n').unwrap_or(("", inside));
    let is_language = first_line.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    Some(if is_language { rest } else { inside })
}

pub(super) fn after_label(raw: &str) -> Option<&str> {
    let lower = raw.to_ascii_lowercase();
    let is_word = |at: usize| !lower[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    let (at, label) = lower.rmatch_indices("action:").find(|(at, _)| is_word(*at))?;
    Some(raw[at + label.len()..].trim_start_matches(['*', ' ']))
}

fn in_scope(scope: &str, known: &dyn Fn(&str) -> bool) -> Vec<ActionCandidate> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < scope.len() {
        match candidate_at(scope, at, known) {
            Some((mut candidate, end)) => {
                candidate.alone = stands_alone(scope, at, end);
                candidate.last = is_bare(&scope[end..]);
                found.push(candidate);
                at = end;
            }
            None => at += scope[at..].chars().next().map_or(1, char::len_utf8),
        }
    }
    found
}

fn candidate_at(scope: &str, at: usize, known: &dyn Fn(&str) -> bool) -> Option<(ActionCandidate, usize)> {
    let rest = &scope[at..];
    match rest.chars().next()? {
        '(' => tuple(rest, known),
        '{' => object(rest),
        c if c.is_ascii_alphabetic() && !continues_a_word(scope, at) => call(rest, known),
        _ => None,
    }
    .map(|(candidate, len)| (candidate, at + len))
}

fn continues_a_word(scope: &str, at: usize) -> bool {
    scope[..at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '\'' || c == '"')
}

/// `('move', 0)`
fn tuple(rest: &str, known: &dyn Fn(&str) -> bool) -> Option<(ActionCandidate, usize)> {
    let (Value::Array(mut items), len) = literal::read(rest)? else { return None };
    if items.is_empty() {
        return None;
    }
    let Value::String(name) = items.remove(0) else { return None };
    let is_word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_word && (!items.is_empty() || is_meant(&rest[1..len], &name, known))).then(|| (named(name, items), len))
}

/// Whether a lone word in brackets is a tuple rather than prose: with a comma, `('undo',)`, or in quotes and the name of
/// a function, `('undo')`.
fn is_meant(inside: &str, name: &str, known: &dyn Fn(&str) -> bool) -> bool {
    let has_comma = inside.trim_end_matches(')').trim_end().ends_with(',');
    has_comma || (inside.trim_start().starts_with(['\'', '"']) && known(name))
}

/// `move(0)`, for functions that exist.
fn call(rest: &str, known: &dyn Fn(&str) -> bool) -> Option<(ActionCandidate, usize)> {
    let name_len = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let name = &rest[..name_len];
    if !rest[name_len..].starts_with('(') || !known(name) {
        return None;
    }
    let (Arguments { mut given, named: by_name }, len) = literal::read_arguments(&rest[name_len + 1..])?;
    if !by_name.is_empty() {
        given.push(Value::Object(by_name));
    }
    Some((named(name.to_owned(), given), name_len + 1 + len))
}

/// A reply that is one call in JSON and nothing else, however long its texts are.
pub(super) fn whole_call(raw: &str) -> Option<ActionCandidate> {
    let object = serde_json::from_str(raw.trim()).ok()?;
    Some(ActionCandidate { alone: true, last: true, ..call_in(object)? })
}

fn object(rest: &str) -> Option<(ActionCandidate, usize)> {
    let (Value::Object(object), len) = literal::read(rest)? else { return None };
    Some((call_in(object)?, len))
}

/// `{"name": "move", "arguments": {...}}` and its cousins, or a canonical action.
fn call_in(mut object: Map<String, Value>) -> Option<ActionCandidate> {
    if object.contains_key("do") {
        return Some(named("do".to_owned(), vec![Value::Object(object)]));
    }
    let name_key = ["name", "action", "function", "tool"]
        .into_iter()
        .find(|key| object.get(*key).is_some_and(Value::is_string))?;
    let Some(Value::String(name)) = object.remove(name_key) else { return None };
    let args_key =
        ["arguments", "args", "input", "parameters", "params"].into_iter().find(|key| object.contains_key(*key));
    let args = match args_key.and_then(|key| object.remove(key)) {
        Some(Value::Array(items)) => items,
        Some(Value::Object(fields)) if fields.is_empty() => Vec::new(),
        Some(Value::String(json)) => serde_json::from_str::<Map<String, Value>>(&json)
            .map_or_else(|_| vec![Value::String(json.clone())], |fields| vec![Value::Object(fields)]),
        Some(other) => vec![other],
        None if object.is_empty() => Vec::new(),
        None => vec![Value::Object(object)],
    };
    Some(named(name, args))
}

fn named(name: String, args: Vec<Value>) -> ActionCandidate {
    ActionCandidate { name, args, alone: false, last: false }
}

/// Whether nothing but quotes and full stops shares its lines.
fn stands_alone(scope: &str, start: usize, end: usize) -> bool {
    let line_start = scope[..start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = scope[end..].find('\n').map_or(scope.len(), |at| end + at);
    is_bare(&scope[line_start..start]) && is_bare(&scope[end..line_end])
}

fn is_bare(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || "`*.-;".contains(c))
}
