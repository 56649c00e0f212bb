//! Actions as tool calls.

use quintain_core::{Action, Briefing, Call, CallSchema, Surface};
use serde_json::{Map, Value, json};

/// The tools an agent had: each published call with its parameters as a JSON schema.
pub(super) fn definitions(surface: &Surface) -> Vec<Value> {
    surface.calls.iter().map(definition).collect()
}

fn definition(call: &CallSchema) -> Value {
    json!({
        "type": "function",
        "function": {"name": call.name, "description": call.about, "parameters": call.json_schema()},
    })
}

/// The arguments of an action, by name.
pub(super) fn arguments(action: &Action, briefing: Option<&Briefing>) -> Value {
    match action {
        Action::Call(call) => Value::Object(named(call, briefing)),
        other => match serde_json::to_value(other) {
            Ok(Value::Object(mut fields)) => {
                fields.remove("do");
                Value::Object(fields)
            }
            _ => json!({}),
        },
    }
}

/// The arguments of a call under the names its schema gives them; under `args` where no schema tells.
fn named(call: &Call, briefing: Option<&Briefing>) -> Map<String, Value> {
    let schema = briefing.and_then(|briefing| briefing.surface.calls.iter().find(|schema| schema.name == call.name));
    match schema {
        Some(schema) if schema.args.len() == call.args.len() => {
            schema.args.iter().map(|arg| arg.name.clone()).zip(call.args.iter().cloned()).collect()
        }
        _ => [("args".to_owned(), Value::Array(call.args.clone()))].into_iter().collect(),
    }
}
