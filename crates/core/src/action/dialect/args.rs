//! The arguments of an action as an agent wrote it, taken out one by one.

use serde_json::{Map, Value};

use super::Misread;
use super::scale::ScreenScale;
use crate::action::literal::Arguments;
use crate::action::{Button, Place, Point, keys};
use crate::surface::Misfit;

/// The arguments of one action: by place, or by name.
pub(super) struct Args<'a> {
    verb: &'a str,
    given: Vec<Value>,
    named: Map<String, Value>,
}

impl<'a> Args<'a> {
    pub(super) fn new(verb: &'a str, Arguments { given, named }: Arguments) -> Self {
        Self { verb, given, named }
    }

    /// Of a tool call in JSON, where everything has a name.
    pub(super) fn of_fields(verb: &'a str, named: &Map<String, Value>) -> Self {
        Self { verb, given: Vec::new(), named: named.clone() }
    }

    /// Of values as tuples and objects bracket them: a last object holds those with a name, `('undo', 'undo')` none.
    pub(super) fn of_values(verb: &'a str, values: &[Value]) -> Self {
        let mut given = values.to_vec();
        let named = match given.pop_if(|last| last.is_object()) {
            Some(Value::Object(named)) => named,
            _ => Map::new(),
        };
        if given == [Value::from(verb)] && verb != "type" {
            given.clear();
        }
        Self { verb, given, named }
    }

    /// With every list among the values without a name spread out.
    pub(super) fn spread(mut self) -> Self {
        fn into(value: Value, flat: &mut Vec<Value>) {
            match value {
                Value::Array(items) => {
                    for item in items {
                        into(item, flat);
                    }
                }
                other => flat.push(other),
            }
        }
        let mut flat = Vec::new();
        for value in std::mem::take(&mut self.given) {
            into(value, &mut flat);
        }
        self.given = flat;
        self
    }

    /// How many values have no name.
    pub(super) fn n_given(&self) -> usize {
        self.given.len()
    }

    /// The values without a name.
    pub(super) fn given(&self) -> &[Value] {
        &self.given
    }

    /// An argument by its name, else by its place.
    pub(super) fn get(&self, name: &str, place: usize) -> Option<&Value> {
        self.named.get(name).or_else(|| self.given.get(place)).filter(|value| !value.is_null())
    }

    /// An argument that only has a name.
    pub(super) fn named(&self, name: &str) -> Option<&Value> {
        self.get(name, usize::MAX)
    }

    pub(super) fn number(&self, name: &str, place: usize) -> Result<f64, Misread> {
        self.maybe_number(name, place)?.ok_or_else(|| self.wrong(name, "a number", None))
    }

    pub(super) fn maybe_number(&self, name: &str, place: usize) -> Result<Option<f64>, Misread> {
        let read = |value: &Value| number(value).ok_or_else(|| self.wrong(name, "a number", Some(value)));
        self.get(name, place).map(read).transpose()
    }

    /// A number of things, at least none.
    pub(super) fn maybe_count(&self, name: &str, place: usize) -> Result<Option<usize>, Misread> {
        let Some(number) = self.maybe_number(name, place)? else { return Ok(None) };
        let is_count = number.fract() == 0.0 && (0.0..=1e6).contains(&number);
        let wanted = || self.wrong(name, "a whole number, 0 or more", self.get(name, place));
        is_count.then_some(Some(number as usize)).ok_or_else(wanted)
    }

    pub(super) fn text(&self, name: &str, place: usize) -> Result<String, Misread> {
        match self.get(name, place) {
            Some(Value::String(text)) => Ok(text.clone()),
            Some(Value::Number(number)) => Ok(number.to_string()),
            other => Err(self.wrong(name, "a text", other)),
        }
    }

    /// A switch and what it is if nothing is said.
    pub(super) fn flag(&self, name: &str, unsaid: bool) -> Result<bool, Misread> {
        match self.named(name) {
            None => Ok(unsaid),
            Some(Value::Bool(flag)) => Ok(*flag),
            other => Err(self.wrong(name, "true or false", other)),
        }
    }

    /// A time in milliseconds, given in units of so many.
    pub(super) fn millis(&self, name: &str, place: usize, ms_per_unit: f64) -> Result<Option<u64>, Misread> {
        let Some(time) = self.maybe_number(name, place)? else { return Ok(None) };
        let wanted = || self.wrong(name, "a time, 0 or more", self.get(name, place));
        (time >= 0.0).then(|| Some((time * ms_per_unit).round() as u64)).ok_or_else(wanted)
    }

    /// A point as a list of two numbers or an object with `x` and `y`; nothing where nothing is said.
    pub(super) fn maybe_pair(&self, name: &str, scale: ScreenScale) -> Result<Option<Point>, Misread> {
        let read = |value: &Value| pair(value).ok_or_else(|| self.wrong(name, "a point [x, y]", Some(value)));
        Ok(self.named(name).map(read).transpose()?.map(|(x, y)| scale.point(x, y)))
    }

    /// A point as two numbers; nothing where neither is said.
    pub(super) fn maybe_xy(
        &self,
        (x, y): (&str, &str),
        place: usize,
        scale: ScreenScale,
    ) -> Result<Option<Point>, Misread> {
        if self.get(x, place).is_none() && self.get(y, place + 1).is_none() {
            return Ok(None);
        }
        Ok(Some(scale.point(self.number(x, place)?, self.number(y, place + 1)?)))
    }

    pub(super) fn xy(&self, names: (&str, &str), place: usize, scale: ScreenScale) -> Result<Place, Misread> {
        let point = self.maybe_xy(names, place, scale)?;
        point.map(Place::from).ok_or_else(|| self.wrong(names.0, "a number", None))
    }

    /// The number of a marked element: `12`, `"12"` or `"[12]"`.
    pub(super) fn mark(&self, name: &str, place: usize) -> Result<Place, Misread> {
        let value = self.get(name, place);
        let read = value.and_then(|value| match value {
            Value::String(text) => text.trim().trim_matches(['[', ']']).parse().ok(),
            other => other.as_u64().and_then(|number| u32::try_from(number).ok()),
        });
        read.map(Place::Mark).ok_or_else(|| self.wrong(name, "the number of an element", value))
    }

    /// Keys that are pressed together: one text such as `ctrl+a`, or one key a value.
    pub(super) fn chord(&self, name: &str, place: usize) -> Result<Vec<String>, Misread> {
        let chord = match self.get(name, place) {
            Some(Value::Array(items)) => self.keys(items.iter())?,
            Some(_) => keys::chord(&self.text(name, place)?).map_err(Misread::Key)?,
            None => return Err(self.wrong(name, "a key", None)),
        };
        if chord.is_empty() { Err(self.wrong(name, "a key", None)) } else { Ok(chord) }
    }

    /// Keys, one a value.
    pub(super) fn keys<'b>(&self, values: impl Iterator<Item = &'b Value>) -> Result<Vec<String>, Misread> {
        let names: Result<Vec<String>, Misread> = values
            .map(|value| match value {
                Value::String(text) => Ok(text.clone()),
                Value::Number(digit) => Ok(digit.to_string()),
                other => Err(self.wrong("keys", "the name of a key", Some(other))),
            })
            .collect();
        keys::spell(names?.iter().map(String::as_str)).map_err(Misread::Key)
    }

    /// Keys that are held meanwhile, in whichever of these names they were given.
    pub(super) fn held(&self, names: &[&str]) -> Result<Vec<String>, Misread> {
        let is_nothing = |value: &Value| value.as_str() == Some("") || value.as_array().is_some_and(Vec::is_empty);
        let said = names.iter().find(|name| self.named(name).is_some_and(|value| !is_nothing(value)));
        said.map_or(Ok(Vec::new()), |name| self.chord(name, usize::MAX))
    }

    pub(super) fn button(&self, place: usize) -> Result<Button, Misread> {
        let Some(value) = self.get("button", place) else { return Ok(Button::Left) };
        match value.as_str().map(str::to_ascii_lowercase).as_deref() {
            Some("left" | "primary") => Ok(Button::Left),
            Some("right" | "secondary") => Ok(Button::Right),
            Some("middle" | "wheel") => Ok(Button::Middle),
            Some("back") => Ok(Button::Back),
            Some("forward") => Ok(Button::Forward),
            _ => Err(self.wrong("button", "one of left, middle, right, back, forward", Some(value))),
        }
    }

    /// A refusal of one argument.
    pub(super) fn wrong(&self, arg: &str, wanted: &str, given: Option<&Value>) -> Misread {
        let given = given.map_or_else(|| "nothing".to_owned(), excerpt);
        Misfit::Value { name: self.verb.to_owned(), arg: arg.to_owned(), wanted: wanted.to_owned(), given }.into()
    }
}

/// A number that is one, also where it is written as a text.
pub(super) fn number(value: &Value) -> Option<f64> {
    let number = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number: &f64| number.is_finite())
}

/// `[x, y]` or `{"x": x, "y": y}`.
pub(super) fn pair(value: &Value) -> Option<(f64, f64)> {
    match value {
        Value::Array(items) => match items.as_slice() {
            [x, y] => Some((number(x)?, number(y)?)),
            _ => None,
        },
        Value::Object(fields) => Some((number(fields.get("x")?)?, number(fields.get("y")?)?)),
        _ => None,
    }
}

/// A value short enough for a message.
fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    let start: String = text.chars().take(60).collect();
    if start.len() < text.len() { format!("{start}...") } else { text }
}
