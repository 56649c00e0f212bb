//! Functions with named arguments, as model APIs want them described.

use serde_json::{Map, Value, json};

use crate::model::Tool;

/// One argument of a function.
pub(super) struct FunctionField {
    name: String,
    schema: Value,
    is_needed: bool,
}

impl FunctionField {
    /// An argument of this type that has to be given.
    pub(super) fn new(name: &str, mut schema: Value, about: &str) -> Self {
        schema["description"] = about.into();
        Self { name: name.to_owned(), schema, is_needed: true }
    }

    pub(super) fn text(name: &str, about: &str) -> Self {
        Self::new(name, json!({"type": "string"}), about)
    }

    pub(super) fn number(name: &str, about: &str) -> Self {
        Self::new(name, json!({"type": "number"}), about)
    }

    pub(super) fn whole(name: &str, least: u32, about: &str) -> Self {
        Self::new(name, json!({"type": "integer", "minimum": least}), about)
    }

    /// The same, but it may be left out.
    pub(super) fn optional(mut self) -> Self {
        self.is_needed = false;
        self
    }
}

/// A function of ours.
pub(super) fn function(name: &str, about: &str, fields: impl IntoIterator<Item = FunctionField>) -> Tool {
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for field in fields {
        if field.is_needed {
            required.push(Value::from(field.name.as_str()));
        }
        properties.insert(field.name, field.schema);
    }
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Tool::Function { name: name.to_owned(), about: about.to_owned(), schema: schema.into() }
}
