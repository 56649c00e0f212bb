//! JSON values: when two are the same, and which ones lie next to a given one.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::fold::Folding;
use crate::number;

/// A changed value, and what was changed.
pub type Variant = (String, Value);

/// Whether two values are the same: numbers by value, texts as far as they are not folded, objects in any order.
pub fn same(a: &Value, b: &Value, folding: Folding) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => number::equal(a, b),
        (Value::String(a), Value::String(b)) => folding.fold(a) == folding.fold(b),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, folding)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b, folding)))
        }
        (a, b) => a == b,
    }
}

/// A text that is the same for values that are the same, and for no others.
pub fn key(value: &Value, folding: Folding) -> String {
    match value {
        Value::Number(number) => number::whole(number).map_or_else(|| number.to_string(), |whole| whole.to_string()),
        Value::String(text) => Value::String(folding.fold(text)).to_string(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(|item| key(item, folding)).collect();
            format!("[{}]", items.join(","))
        }
        Value::Object(fields) => {
            let sorted: BTreeMap<String, String> = fields
                .iter()
                .map(|(name, value)| (Value::from(name.as_str()).to_string(), key(value, folding)))
                .collect();
            let fields: Vec<String> = sorted.iter().map(|(name, value)| format!("{name}:{value}")).collect();
            format!("{{{}}}", fields.join(","))
        }
        other => other.to_string(),
    }
}

/// A value in few words.
pub fn brief(value: &Value) -> String {
    let text = value.to_string();
    let mut short: String = text.chars().take(80).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// Values that look nearly like this one and are not the same.
pub fn neighbours(value: &Value) -> Vec<Variant> {
    let mut near = match value {
        Value::Null => vec![say("false for nothing", false), say("an empty text for nothing", "")],
        Value::Bool(yes) => vec![say("the opposite", !yes), say("as text", yes.to_string())],
        Value::Number(number) => around_number(number),
        Value::String(text) => around_text(text),
        Value::Array(items) => around_list(items),
        Value::Object(fields) => around_object(fields),
    };
    near.push(say("nothing", Value::Null));
    near.push(say("in a list of its own", vec![value.clone()]));
    near.retain(|(_, other)| !same(other, value, Folding::default()));
    near
}

fn say(how: &str, value: impl Into<Value>) -> Variant {
    (how.to_owned(), value.into())
}

fn around_number(number: &serde_json::Number) -> Vec<Variant> {
    let mut near = vec![say("as text", number.to_string())];
    if let Some(whole) = number.as_i64() {
        let whole = [
            ("one more", whole.checked_add(1)),
            ("one less", whole.checked_sub(1)),
            ("the other sign", whole.checked_neg()),
            ("ten times as much", whole.checked_mul(10)),
        ];
        near.extend(whole.into_iter().filter_map(|(how, value)| Some(say(how, value?))));
        return near;
    }
    let float = number::float(number);
    let floats = [
        ("the next number up", float.next_up()),
        ("the next number down", float.next_down()),
        ("one more", float + 1.0),
        ("the other sign", -float),
        ("ten times as much", float * 10.0),
    ];
    near.extend(floats.into_iter().filter_map(|(how, value)| Some(say(how, number::finite(value)?))));
    near
}

fn around_text(text: &str) -> Vec<Variant> {
    let chars: Vec<char> = text.chars().collect();
    let swapped: String =
        chars.iter().map(|c| if c.is_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }).collect();
    let mut near = vec![
        say("no text", ""),
        say("one letter too many", format!("{text}x")),
        say("the other case", swapped),
        say("a space before it", format!(" {text}")),
        say("denied", format!("not {text}")),
    ];
    if let Some((last, rest)) = chars.split_last() {
        near.push(say("the last letter missing", rest.iter().collect::<String>()));
        near.push(say("another last letter", rest.iter().chain([&other_letter(*last)]).collect::<String>()));
    }
    if let Ok(number) = text.trim().parse::<i64>() {
        near.push(say("a number for a text", number));
    }
    near
}

/// A letter or digit next to this one.
pub fn other_letter(c: char) -> char {
    match c {
        '0'..='8' | 'a'..='y' | 'A'..='Y' => char::from(c as u8 + 1),
        '9' => '0',
        'z' => 'a',
        'Z' => 'A',
        _ => 'q',
    }
}

/// The list with two different neighbours exchanged, one missing, one twice, one too many or one altered.
fn around_list(items: &[Value]) -> Vec<Variant> {
    let mut near = vec![say("an empty list", Value::Array(Vec::new()))];
    let with = |change: &dyn Fn(&mut Vec<Value>)| {
        let mut changed = items.to_vec();
        change(&mut changed);
        Value::Array(changed)
    };
    near.push(say("one too many", with(&|items| items.push("one too many".into()))));
    let Some(last) = items.last() else { return near };
    near.push(say("the last one missing", with(&|items| drop(items.pop()))));
    near.push(say("the first one missing", with(&|items| drop(items.remove(0)))));
    near.push(say("the last one twice", with(&|items| items.push(last.clone()))));
    if let Some(at) = items.windows(2).position(|pair| !same(&pair[0], &pair[1], Folding::default())) {
        near.push(say("two exchanged", with(&|items| items.swap(at, at + 1))));
    }
    for (how, other) in neighbours_of_leaf(&items[0]) {
        near.push((format!("the first one: {how}"), with(&|items| items[0] = other.clone())));
    }
    near
}

fn around_object(fields: &Map<String, Value>) -> Vec<Variant> {
    let mut near = vec![say("an empty object", Value::Object(Map::new()))];
    let object = |change: &dyn Fn(&mut Map<String, Value>)| {
        let mut changed = fields.clone();
        change(&mut changed);
        Value::Object(changed)
    };
    near.push(say("a field too many", object(&|fields| drop(fields.insert("one-too-many".to_owned(), Value::Null)))));
    for (name, value) in fields.iter().take(8) {
        near.push((format!("`{name}` missing"), object(&|fields| drop(fields.remove(name)))));
        for (how, other) in neighbours_of_leaf(value) {
            let changed = object(&|fields| drop(fields.insert(name.clone(), other.clone())));
            near.push((format!("`{name}`: {how}"), changed));
        }
    }
    near
}

/// The first few neighbours of a value inside another.
fn neighbours_of_leaf(value: &Value) -> Vec<Variant> {
    let mut near = neighbours(value);
    near.truncate(4);
    near
}

/// The value with every whole number written as a float and every whole float as a whole number.
pub fn rewritten(value: &Value) -> Value {
    match value {
        Value::Number(number) => rewritten_number(number),
        Value::Array(items) => items.iter().map(rewritten).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), rewritten(value))).collect())
        }
        other => other.clone(),
    }
}

fn rewritten_number(number: &serde_json::Number) -> Value {
    let whole = number::whole(number);
    if number.is_f64() {
        return whole.and_then(|whole| i64::try_from(whole).ok()).map_or_else(|| number.clone().into(), Value::from);
    }
    let exact = whole.filter(|whole| whole.unsigned_abs() <= 1 << 53);
    exact.and_then(|whole| number::finite(whole as f64)).map_or_else(|| number.clone().into(), Value::Number)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn any_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "\\PC{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("[a-c]", inner, 0..4)
                    .prop_map(|fields| Value::Object(fields.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn neighbours_of_a_number_and_a_text() {
        let list =
            |value| neighbours(&value).iter().map(|(how, v)| format!("{how}: {v}")).collect::<Vec<_>>().join("\n");
        insta::assert_snapshot!(list(json!(7)), @r#"
        as text: "7"
        one more: 8
        one less: 6
        the other sign: -7
        ten times as much: 70
        nothing: null
        in a list of its own: [7]
        "#);
        insta::assert_snapshot!(list(json!(["a", "b"])), @r#"
        an empty list: []
        one too many: ["a","b","one too many"]
        the last one missing: ["a"]
        the first one missing: ["b"]
        the last one twice: ["a","b","b"]
        two exchanged: ["b","a"]
        the first one: no text: ["","b"]
        the first one: one letter too many: ["ax","b"]
        the first one: the other case: ["A","b"]
        the first one: a space before it: [" a","b"]
        nothing: null
        in a list of its own: [["a","b"]]
        "#);
    }

    proptest! {
        #[test]
        fn neighbours_differ_and_rewriting_does_not(value in any_value()) {
            prop_assert!(same(&value, &value, Folding::default()));
            prop_assert!(same(&rewritten(&value), &value, Folding::default()));
            prop_assert_eq!(key(&rewritten(&value), Folding::default()), key(&value, Folding::default()));
            let near = neighbours(&value);
            prop_assert!(near.len() >= 2);
            for (how, other) in near {
                prop_assert!(!same(&other, &value, Folding::default()), "{how}: {other}");
                prop_assert_ne!(key(&other, Folding::default()), key(&value, Folding::default()));
            }
        }
    }
}
