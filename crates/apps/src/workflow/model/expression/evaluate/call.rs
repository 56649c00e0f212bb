//! The functions and methods that the app lets expressions call.

use super::super::parser::is_optional;
use super::super::tree::ExpressionTree;
use super::{ExpressionOutcome, ItemValue, NoValue, all, evaluate, key};

/// The methods of texts. Those that are not modelled here are known all the same.
const TEXT_METHODS: [&str; 11] = [
    "endsWith",
    "includes",
    "indexOf",
    "padStart",
    "replace",
    "slice",
    "split",
    "startsWith",
    "toLowerCase",
    "toUpperCase",
    "trim",
];
const LIST_METHODS: [&str; 4] = ["includes", "indexOf", "join", "slice"];
const NUMBER_METHODS: [&str; 1] = ["toFixed"];

/// Calls a function or a method. What it is called with is computed first.
pub(super) fn call(of: &ExpressionTree, with: &[ExpressionTree], item: &ItemValue) -> ExpressionOutcome {
    let with = all(with, item)?;
    match of {
        ExpressionTree::Group(inner) => call_with(inner, &with, item),
        of => call_with(of, &with, item),
    }
}

fn call_with(of: &ExpressionTree, with: &[ItemValue], item: &ItemValue) -> ExpressionOutcome {
    let (owner, what) = match of {
        ExpressionTree::Name(name) => return function(name, with),
        ExpressionTree::Access { of: owner, what, .. } => (owner, what),
        _ => return Err(NoValue::Problem),
    };
    let name = key(what, item)?.to_text();
    if **owner == ExpressionTree::Name("Math".to_owned()) {
        return calculated(&name, with);
    }
    match evaluate(owner, item)? {
        ItemValue::Undefined | ItemValue::Null if is_optional(of) => Ok(ItemValue::Undefined),
        owner => method(&owner, &name, with),
    }
}

fn function(name: &str, with: &[ItemValue]) -> ExpressionOutcome {
    match (name, with.first()) {
        ("Number", value) => Ok(ItemValue::Number(value.map_or(0.0, ItemValue::to_number))),
        ("String", value) => Ok(ItemValue::text(&value.map_or_else(String::new, ItemValue::to_text))),
        _ => Err(NoValue::Problem),
    }
}

/// The functions of `Math`.
fn calculated(name: &str, with: &[ItemValue]) -> ExpressionOutcome {
    let first = with.first().map_or(f64::NAN, ItemValue::to_number);
    let extreme = |start: f64, is_further: fn(f64, f64) -> bool| {
        let further = |best: f64, next: f64| if next.is_nan() || is_further(next, best) { next } else { best };
        with.iter()
            .map(ItemValue::to_number)
            .fold(start, |best, next| if best.is_nan() { best } else { further(best, next) })
    };
    let number = match name {
        "abs" => first.abs(),
        "ceil" => first.ceil(),
        "round" if first - first.floor() >= 0.5 => first.floor() + 1.0,
        "floor" | "round" => first.floor(),
        "max" => extreme(f64::NEG_INFINITY, |next, best| next > best),
        "min" => extreme(f64::INFINITY, |next, best| next < best),
        _ => return Err(NoValue::Problem),
    };
    Ok(ItemValue::Number(number))
}

fn method(owner: &ItemValue, name: &str, with: &[ItemValue]) -> ExpressionOutcome {
    let known: &[&str] = match owner {
        ItemValue::Text(_) => &TEXT_METHODS,
        ItemValue::Number(_) => &NUMBER_METHODS,
        ItemValue::List(_) => &LIST_METHODS,
        _ => &[],
    };
    if !known.contains(&name) {
        return Err(NoValue::Problem);
    }
    match owner {
        ItemValue::Text(text) => text_method(text, name, with),
        ItemValue::List(items) => list_method(items, name, with),
        _ => Err(NoValue::NotModelled),
    }
}

fn text_method(text: &str, name: &str, with: &[ItemValue]) -> ExpressionOutcome {
    let sought = with.first().unwrap_or(&ItemValue::Undefined).to_text();
    match (name, with.len()) {
        ("endsWith", 0 | 1) => Ok(ItemValue::Truth(text.ends_with(&sought))),
        ("includes", 0 | 1) => Ok(ItemValue::Truth(text.contains(&sought))),
        ("includes", 2) => Ok(ItemValue::Truth(from_place(text, &with[1]).contains(&sought))),
        ("replace", 2) => match with[1].to_text() {
            // A dollar has a meaning of its own in there.
            by if by.contains('$') => Err(NoValue::NotModelled),
            by => Ok(ItemValue::text(&text.replacen(&sought, &by, 1))),
        },
        ("startsWith", 0 | 1) => Ok(ItemValue::Truth(text.starts_with(&sought))),
        ("indexOf", 0 | 1) => Ok(found_at(text.find(&sought).map(|at| text[..at].chars().count()))),
        ("toLowerCase", _) => Ok(ItemValue::text(&text.to_lowercase())),
        ("toUpperCase", _) => Ok(ItemValue::text(&text.to_uppercase())),
        ("trim", _) => Ok(ItemValue::text(text.trim_matches(super::super::token::is_blank))),
        ("slice", _) => {
            let chars: Vec<char> = text.chars().collect();
            Ok(ItemValue::text(&chars[span(chars.len(), with)].iter().collect::<String>()))
        }
        _ => Err(NoValue::NotModelled),
    }
}

fn list_method(items: &[ItemValue], name: &str, with: &[ItemValue]) -> ExpressionOutcome {
    let sought = with.first().unwrap_or(&ItemValue::Undefined);
    let is_number = |value: &ItemValue| !matches!(value, ItemValue::Number(number) if number.is_nan());
    match (name, with.len()) {
        ("includes", 0 | 1) if is_number(sought) => Ok(ItemValue::Truth(items.iter().any(|item| item.is_same(sought)))),
        ("includes", 2) if is_number(sought) => {
            let rest = &items[span(items.len(), &with[1..])];
            Ok(ItemValue::Truth(rest.iter().any(|item| item.is_same(sought))))
        }
        ("indexOf", 0 | 1) => Ok(found_at(items.iter().position(|item| item.is_same(sought)))),
        ("join", 0 | 1) => Ok(ItemValue::text(&joined(items, sought))),
        ("slice", _) => Ok(ItemValue::list(items[span(items.len(), with)].to_vec())),
        _ => Err(NoValue::NotModelled),
    }
}

/// What is left of a text from a place on.
fn from_place(text: &str, place: &ItemValue) -> String {
    let at = place.to_number();
    let n_left_out = if at.is_nan() { 0.0 } else { at.trunc().clamp(0.0, 1e9) };
    text.chars().skip(n_left_out as usize).collect()
}

/// The items of a list as one text, with another between them: a comma where there is none.
fn joined(items: &[ItemValue], between: &ItemValue) -> String {
    let between = if matches!(between, ItemValue::Undefined) { ",".to_owned() } else { between.to_text() };
    let written = items.iter().map(|item| match item {
        ItemValue::Undefined | ItemValue::Null => String::new(),
        item => item.to_text(),
    });
    written.collect::<Vec<_>>().join(&between)
}

fn found_at(at: Option<usize>) -> ItemValue {
    ItemValue::Number(at.map_or(-1.0, |at| at as f64))
}

/// What `slice` takes of so many: from the first place to the second, each counted from the end where it is negative.
fn span(n: usize, with: &[ItemValue]) -> std::ops::Range<usize> {
    let place = |idx: usize, default: usize| match with.get(idx) {
        None | Some(ItemValue::Undefined) => default,
        Some(value) => {
            let at = value.to_number();
            let at = if at.is_nan() { 0.0 } else { at.trunc() };
            (if at < 0.0 { at + n as f64 } else { at }).clamp(0.0, n as f64) as usize
        }
    };
    let (from, to) = (place(0, 0), place(1, n));
    from..to.max(from)
}
