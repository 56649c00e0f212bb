//! The solution of a task as data: which parts it has, which nets their pins are on, and where the answer is read.
//!
//! Parts are listed one by one (`[[part]]`), or gates are given as expressions over nets (`gates`), with the logic inputs
//! and outputs around them (`inputs`, `outputs`). [`lay_out`] draws the whole on the grid.

mod gates;
mod layout;
mod routes;

use std::collections::BTreeMap;

use quintain_core::suggest;
use quintain_core::task::from_toml;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::catalogue::{PartKind, SettingSpec};
use super::quantity;
use super::wave::CircuitQuantity;

pub use layout::lay_out;

/// What a recipe can say, for the reference page: each key, and what stands in it.
#[expect(clippy::type_complexity, reason = "it is a table")]
pub const RECIPE: &[(&str, &str, &[(&str, &str)])] = &[
    ("menu", "From where the oracle adds parts: `draw` (the menu bar, unless told), `context` or `search`.", &[]),
    ("inputs", "The logic inputs: `[{ net = \"a\", label = \"A\" }]`.", TERMINAL),
    ("outputs", "The logic outputs, in the same form.", TERMINAL),
    (
        "gates",
        "Gates as expressions over nets: `[{ net = \"y\", is = \"a nand b\" }]`.",
        &[
            ("net", "The net of the last gate's output."),
            (
                "is",
                "What it carries: names of nets joined by `and`, `or`, `nand`, `nor`, `xor`, `xnor`, `not` and parentheses.",
            ),
        ],
    ),
    (
        "[[part]]",
        "Any other part, with the nets of its pins. A pin that is not named stays open.",
        &[
            ("kind", "What it is: see the parts."),
            ("label", "Its label; none unless told."),
            ("settings", "Its settings; numbers may be written as `2.2 kΩ`."),
            ("pins", "The net of each pin: `{ a = \"in\", b = \"0\" }`."),
        ],
    ),
    (
        "[[reading]]",
        "Where a field of the answer is read.",
        &[
            ("field", "The field of the answer."),
            (
                "quantity",
                "`volts` or `drop` at the settled time, `frequency`, `duty` or `peak_to_peak` of what repeats.",
            ),
            ("part", "The label of the part it is read at."),
            ("pin", "The pin of that part; left out where the whole part is meant."),
        ],
    ),
];

const TERMINAL: &[(&str, &str)] = &[("net", "Its net."), ("label", "Its label.")];

/// The solution of a task.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CircuitRecipe {
    /// From where parts are added.
    #[serde(default)]
    pub menu: AddingWay,
    /// The logic inputs.
    #[serde(default)]
    pub inputs: Vec<RecipeTerminal>,
    /// The logic outputs.
    #[serde(default)]
    pub outputs: Vec<RecipeTerminal>,
    /// Gates, as expressions over nets.
    #[serde(default)]
    pub gates: Vec<Gates>,
    /// All other parts.
    #[serde(default, rename = "part")]
    pub parts: Vec<Ingredient>,
    /// Where the answer's fields are read.
    #[serde(default, rename = "reading")]
    pub readings: Vec<FieldReading>,
}

/// A way of adding a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AddingWay {
    /// The menu bar's Draw menu.
    #[default]
    Draw,
    /// The menu of a right click on the empty canvas.
    Context,
    /// The search box.
    Search,
}

/// A logic input or output.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecipeTerminal {
    /// Its net.
    pub net: String,
    /// Its label.
    pub label: String,
}

/// The gates of one expression.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gates {
    /// The net of the last gate's output.
    pub net: String,
    /// What it carries, as an expression over nets.
    pub is: String,
}

/// One part, and the nets of its pins. A pin that is not named stays open.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ingredient {
    /// What it is.
    pub kind: PartKind,
    /// Its label.
    #[serde(default)]
    pub label: String,
    /// Its settings; numbers may be written as `2.2 kΩ`.
    #[serde(default)]
    pub settings: BTreeMap<String, Value>,
    /// The net of each pin.
    pub pins: BTreeMap<String, String>,
}

/// Where one field of the answer is read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldReading {
    /// The field of the answer.
    pub field: String,
    /// What is read.
    pub quantity: CircuitQuantity,
    /// The label of the part it is read at.
    pub part: String,
    /// The pin of that part; nothing where the whole part is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pin: Option<String>,
}

impl CircuitRecipe {
    /// Reads a recipe from TOML.
    pub fn read(text: &str) -> Result<Self, String> {
        toml::from_str(text).map_err(|error| from_toml("oracle.toml", text, &error).to_string())
    }

    /// Every part of it, gates included, with settings as the app keeps them.
    pub fn ingredients(&self) -> Result<Vec<Ingredient>, String> {
        let mut all = gates::ingredients(self)?;
        all.extend(self.parts.iter().cloned());
        for ingredient in &mut all {
            ingredient.settle()?;
        }
        Ok(all)
    }
}

impl Ingredient {
    /// A part with a label and nothing else set.
    fn plain(kind: PartKind, label: &str, pins: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        let pins = pins.into_iter().map(|(pin, net)| (pin.to_owned(), net)).collect();
        Self { kind, label: label.to_owned(), settings: BTreeMap::new(), pins }
    }

    /// Brings the settings into the form of the app, and refuses what the kind does not have.
    fn settle(&mut self) -> Result<(), String> {
        let spec = self.kind.spec();
        for (key, value) in &mut self.settings {
            let setting = spec.setting(key).ok_or_else(|| {
                let hint = suggest::hint(key, spec.settings.iter().map(|setting| setting.key.as_str()));
                format!("{} has no setting `{key}`; {hint}", spec.name)
            })?;
            *value = settled(setting, value).ok_or_else(|| format!("`{key}` of {} cannot be {value}", spec.name))?;
        }
        let known = |pin: &str| spec.pins.iter().chain(spec.pins_by.values().flatten()).any(|spec| spec.name == pin);
        match self.pins.keys().find(|pin| !known(pin)) {
            Some(pin) => {
                let hint = suggest::hint(pin, spec.pins.iter().map(|spec| spec.name.as_str()));
                Err(format!("{} has no pin `{pin}`; {hint}", spec.name))
            }
            None => Ok(()),
        }
    }
}

fn settled(setting: &SettingSpec, value: &Value) -> Option<Value> {
    match setting.kind.as_str() {
        "number" => {
            let number = value.as_f64().or_else(|| quantity::component(value.as_str()?))?;
            let fits = number >= setting.min.unwrap_or(f64::MIN) && number <= setting.max.unwrap_or(f64::MAX);
            fits.then(|| whole_or_not(number))
        }
        "choice" => value.as_str().filter(|text| setting.options.iter().any(|option| option == text)).map(Value::from),
        "toggle" => value.as_bool().map(Value::from),
        _ => value.as_str().map(Value::from),
    }
}

/// Whole numbers are kept as such, the way the app does.
fn whole_or_not(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 { Value::from(number as i64) } else { Value::from(number) }
}
