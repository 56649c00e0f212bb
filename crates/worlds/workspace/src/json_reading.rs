//! JSON in which no object has a key twice: whoever reads such an object takes one of two answers.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// Reads a document; an object with a key twice is none.
pub(crate) fn json_of(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice::<UnambiguousJson>(bytes).map(|read| read.0).map_err(|error| error.to_string())
}

/// A value whose objects have each key once.
struct UnambiguousJson(Value);

impl<'de> Deserialize<'de> for UnambiguousJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(JsonVisitor).map(Self)
    }
}

struct JsonVisitor;

impl<'de> DeserializeSeed<'de> for JsonVisitor {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(item) = items.next_element_seed(Self)? {
            all.push(item);
        }
        Ok(all.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = fields.next_key::<String>()? {
            if all.contains_key(&key) {
                return Err(A::Error::custom(format!(
                    "the key `{}` stands twice",
                    key.chars().take(80).collect::<String>()
                )));
            }
            all.insert(key, fields.next_value_seed(Self)?);
        }
        Ok(all.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_read_as_anybody_reads_them() {
        for text in ["{}", "[1, -2, 2.5e3, 18446744073709551615, null, true]", r#"{"a": {"b": [{"a": "é\n"}]}}"#, "7"]
        {
            assert_eq!(json_of(text.as_bytes()).unwrap(), serde_json::from_str::<Value>(text).unwrap(), "{text}");
        }
        for text in ["", "{", "{} {}", "NaN", "[1,]", &"[".repeat(1000)] {
            assert!(json_of(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_told() {
        for text in [
            r#"{"a": 1, "a": 2}"#,
            r#"{"a": 1, "a": 1}"#,
            r#"[{"b": {"a": 1, "a": null}}]"#,
            r#"{"a": 1, "\u0061": 2}"#,
        ] {
            assert!(json_of(text.as_bytes()).unwrap_err().contains("the key `a` stands twice"), "{text}");
        }
    }
}
