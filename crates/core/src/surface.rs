//! What a world offers an agent: the actions it understands and the parts it can show.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::action::Call;
use crate::observation::ObservationPart;
use crate::suggest;
use crate::words::count;

/// What a world offers an agent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surface {
    /// The function calls it understands, besides ending the trial.
    pub calls: Vec<CallSchema>,
    /// The other action groups it understands.
    #[serde(default)]
    pub groups: BTreeSet<ActionGroup>,
    /// The parts it can show.
    pub parts: BTreeSet<ObservationPart>,
    /// Pixels across and down of the screen that mouse actions refer to; nothing where there is no mouse.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screen: Option<(u32, u32)>,
}

/// A group of actions that a task allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ActionGroup {
    /// Function calls published by the world.
    Call,
    /// Mouse and keyboard.
    Gui,
    /// Addresses, history and tabs.
    Browser,
    /// A command line.
    Shell,
    /// Program texts.
    Code,
    /// The application's own interface.
    Api,
    /// Fields of the answer, noted on the way. Every world has it: the trial keeps the notes, not the world.
    Note,
}

/// One function an agent may call.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CallSchema {
    /// Its name.
    pub name: String,
    /// What it does, in a sentence.
    pub about: String,
    /// Its arguments, in order.
    pub args: Vec<ArgSchema>,
    /// A call that is well formed, as its argument values.
    pub example: Vec<Value>,
}

/// One argument of a function.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ArgSchema {
    /// Its name.
    pub name: String,
    /// What it may be.
    pub value: ValueType,
    /// What it means.
    pub about: String,
}

/// What a value may be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ValueType {
    /// A whole number from `min` to `max`.
    Integer {
        /// The least.
        min: i64,
        /// The greatest.
        max: i64,
    },
    /// Any finite number from `min` to `max`.
    Number {
        /// The least.
        min: f64,
        /// The greatest.
        max: f64,
    },
    /// One of these texts.
    Choice {
        /// The texts.
        of: Vec<String>,
    },
    /// Any text of at most so many characters.
    Text {
        /// The most characters.
        longest: usize,
    },
    /// Texts by name, or lists of texts, of at most so many characters together.
    Fields {
        /// The most characters.
        longest: usize,
    },
    /// A list of so many values of one type.
    List {
        /// What each is.
        of: Box<ValueType>,
        /// How many.
        len: usize,
    },
}

/// Why a call does not fit what the world publishes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misfit {
    /// There is no such function.
    #[error("there is no action `{name}`; {hint}")]
    NoSuchCall {
        /// The name used.
        name: String,
        /// What was probably meant.
        hint: String,
    },
    /// Too many or too few arguments.
    #[error("`{name}` takes {}, not {given}", count(*wanted, "argument"))]
    Count {
        /// The function.
        name: String,
        /// How many it takes.
        wanted: usize,
        /// How many there were.
        given: usize,
    },
    /// An argument of the wrong type or out of range.
    #[error("`{arg}` of `{name}` must be {wanted}, not {given}")]
    Value {
        /// The function.
        name: String,
        /// The argument.
        arg: String,
        /// What it may be.
        wanted: String,
        /// What it was.
        given: String,
    },
}

impl Surface {
    /// Whether this part can be shown. Feedback and what remains are the trial's own and always can.
    pub fn offers(&self, part: ObservationPart) -> bool {
        matches!(part, ObservationPart::Feedback | ObservationPart::Remaining) || self.parts.contains(&part)
    }

    /// Checks a call against the schema and brings its arguments into the published shape: one list argument may
    /// have been given as separate values, separate values as one list, whole numbers as `2.0` or `"2"`.
    pub fn fit(&self, call: &Call) -> Result<Call, Misfit> {
        let schema = self.calls.iter().find(|schema| schema.name == call.name).ok_or_else(|| Misfit::NoSuchCall {
            name: call.name.clone(),
            hint: suggest::hint(&call.name, self.calls.iter().map(|schema| schema.name.as_str())),
        })?;
        let args = schema.spread(&call.args)?;
        let fitted = schema.args.iter().zip(args).map(|(arg, value)| {
            arg.value.fit(&value).ok_or_else(|| Misfit::Value {
                name: schema.name.clone(),
                arg: arg.name.clone(),
                wanted: arg.value.to_string(),
                given: value.to_string(),
            })
        });
        Ok(Call { name: schema.name.clone(), args: fitted.collect::<Result<_, _>>()? })
    }
}

impl CallSchema {
    /// A function that takes nothing.
    pub fn plain(name: &str, about: &str) -> Self {
        Self { name: name.to_owned(), about: about.to_owned(), args: Vec::new(), example: Vec::new() }
    }

    /// Adds an argument, with the value it has in the example.
    #[must_use]
    pub fn arg(mut self, name: &str, value: ValueType, about: &str, example: impl Into<Value>) -> Self {
        self.args.push(ArgSchema { name: name.to_owned(), value, about: about.to_owned() });
        self.example.push(example.into());
        self
    }

    /// The example as an agent would write it.
    pub fn spoken_example(&self) -> String {
        Call { name: self.name.clone(), args: self.example.clone() }.spoken()
    }

    /// The arguments one by one, whichever way they were bracketed. `('undo', 'undo')` is how some agents write a
    /// call that takes nothing.
    fn spread(&self, given: &[Value]) -> Result<Vec<Value>, Misfit> {
        let wanted = self.args.len();
        let only_list = self.args.len() == 1 && matches!(self.args[0].value, ValueType::List { .. });
        match given {
            _ if only_list && given.len() != 1 => Ok(vec![Value::Array(given.to_vec())]),
            [Value::Array(inner)] if only_list && matches!(inner.as_slice(), [Value::Array(_)]) => Ok(inner.clone()),
            [Value::Array(inner)] if !only_list && inner.len() == wanted => Ok(inner.clone()),
            [Value::Object(named)] if named.len() == wanted => self.by_name(named, given.len()),
            _ if given.len() == wanted => Ok(given.to_vec()),
            [Value::String(name)] if wanted == 0 && *name == self.name => Ok(Vec::new()),
            [Value::Null] if wanted == 0 => Ok(Vec::new()),
            [Value::Array(inner)] => Err(self.wrong_count(inner.len())),
            _ => Err(self.wrong_count(given.len())),
        }
    }

    fn by_name(&self, named: &serde_json::Map<String, Value>, given: usize) -> Result<Vec<Value>, Misfit> {
        let values = self.args.iter().map(|arg| named.get(&arg.name).cloned());
        values.collect::<Option<_>>().ok_or_else(|| self.wrong_count(given))
    }

    fn wrong_count(&self, given: usize) -> Misfit {
        Misfit::Count { name: self.name.clone(), wanted: self.args.len(), given }
    }

    /// The function as a JSON Schema object, as model APIs want it.
    pub fn json_schema(&self) -> Value {
        let properties: serde_json::Map<String, Value> = self
            .args
            .iter()
            .map(|arg| {
                let mut schema = arg.value.json_schema();
                schema["description"] = arg.about.clone().into();
                (arg.name.clone(), schema)
            })
            .collect();
        let required: Vec<&str> = self.args.iter().map(|arg| arg.name.as_str()).collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
        })
    }
}

impl ValueType {
    /// The value in its published form, if it is one of this type.
    pub fn fit(&self, value: &Value) -> Option<Value> {
        match self {
            Self::Integer { min, max } => {
                let number = whole(value)?;
                (*min..=*max).contains(&number).then(|| number.into())
            }
            Self::Number { min, max } => {
                let number = number(value)?;
                (*min..=*max).contains(&number).then(|| number.into())
            }
            Self::Choice { of } => {
                let text = value.as_str()?.trim();
                of.iter().find(|choice| choice.eq_ignore_ascii_case(text)).map(|choice| choice.clone().into())
            }
            Self::Text { longest } => {
                let text = scalar(value)?;
                (text.chars().count() <= *longest).then(|| text.into())
            }
            Self::Fields { longest } => {
                let fields = value.as_object()?;
                let is_small = value.to_string().chars().count() <= *longest;
                let is_flat = |value: &Value| match value {
                    Value::Array(values) => values.iter().all(|value| scalar(value).is_some()),
                    value => scalar(value).is_some(),
                };
                (is_small && fields.values().all(is_flat)).then(|| value.clone())
            }
            Self::List { of, len } => {
                let items = value.as_array().filter(|items| items.len() == *len)?;
                items.iter().map(|item| of.fit(item)).collect::<Option<Vec<_>>>().map(Value::Array)
            }
        }
    }

    fn json_schema(&self) -> Value {
        match self {
            Self::Integer { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
            Self::Number { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
            Self::Choice { of } => json!({"type": "string", "enum": of}),
            Self::Text { longest } => json!({"type": "string", "maxLength": longest}),
            Self::Fields { .. } => {
                let text = json!({"type": "string"});
                json!({"type": "object", "additionalProperties": {"anyOf": [text, {"type": "array", "items": text}]}})
            }
            Self::List { of, len } => {
                json!({"type": "array", "items": of.json_schema(), "minItems": len, "maxItems": len})
            }
        }
    }
}

/// A text, also one that was written as a number.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(is_so) => Some(is_so.to_string()),
        _ => None,
    }
}

fn whole(value: &Value) -> Option<i64> {
    if let Some(number) = value.as_i64() {
        return Some(number);
    }
    let number = number(value)?;
    (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
}

fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

impl std::fmt::Display for ValueType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            Self::Number { min, max } => write!(f, "a number from {min} to {max}"),
            Self::Choice { of } => write!(f, "one of {}", of.join(", ")),
            Self::Text { longest } => write!(f, "a text of at most {longest} characters"),
            Self::Fields { longest } => write!(f, "texts by name, at most {longest} characters together"),
            Self::List { of, len } => write!(f, "a list of {len}, each {of}"),
        }
    }
}
