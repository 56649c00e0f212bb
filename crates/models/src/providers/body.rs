//! Bodies of requests as bytes. They hold pictures in base 64, and looking at every letter of those takes longer than
//! everything else that is done for a turn.

use serde_json::Value;

/// The value as `serde_json` writes it, letter by letter the same.
pub(crate) fn written(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(length(value));
    write(value, &mut bytes);
    bytes
}

fn write(value: &Value, bytes: &mut Vec<u8>) {
    match value {
        Value::String(text) => write_text(text, bytes),
        Value::Array(items) => write_list(*b"[]", items.iter(), bytes, write),
        Value::Object(fields) => write_list(*b"{}", fields.iter(), bytes, |(name, value), bytes| {
            write_text(name, bytes);
            bytes.push(b':');
            write(value, bytes);
        }),
        plain => bytes.extend(plain.to_string().into_bytes()),
    }
}

fn write_list<T>(
    [open, close]: [u8; 2],
    items: impl Iterator<Item = T>,
    bytes: &mut Vec<u8>,
    one: impl Fn(T, &mut Vec<u8>),
) {
    bytes.push(open);
    for (idx, item) in items.enumerate() {
        if idx > 0 {
            bytes.push(b',');
        }
        one(item, bytes);
    }
    bytes.push(close);
}

fn write_text(text: &str, bytes: &mut Vec<u8>) {
    if stands_as_it_is(text.as_bytes()) {
        bytes.push(b'"');
        bytes.extend_from_slice(text.as_bytes());
        bytes.push(b'"');
    } else {
        bytes.extend(Value::String(text.to_owned()).to_string().into_bytes());
    }
}

/// Whether nothing in it has to be escaped. There is no way out of the loop before its end, so that many letters are
/// looked at at once.
fn stands_as_it_is(text: &[u8]) -> bool {
    let marks = |byte: u8| u8::from(byte < 0x20) | u8::from(byte == b'"') | u8::from(byte == b'\\');
    text.iter().fold(0, |marked, byte| marked | marks(*byte)) == 0
}

/// About how long it will be.
fn length(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len() + 3,
        Value::Array(items) => items.iter().map(length).sum::<usize>() + 2,
        Value::Object(fields) => fields.iter().map(|(name, value)| name.len() + 4 + length(value)).sum::<usize>() + 2,
        _ => 8,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<String>().prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 6, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                proptest::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|fields| json!(fields)),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_is_what_serde_json_writes(value in values()) {
            prop_assert_eq!(String::from_utf8(written(&value)).unwrap(), value.to_string());
        }
    }
}
