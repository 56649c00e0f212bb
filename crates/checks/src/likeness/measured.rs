//! Quantities as expectations tell them, and what is read of an answer.

use quintain_core::suggest;
use serde_json::{Map, Value, json};

use super::LikenessResult;
use super::displayed::DisplayedNumber;
use super::expectation::{flag, no_answers, refuse_other_keys, say, text, texts};
use crate::number::finite;
use crate::units::{KnownUnit, all_unit_names};
use crate::value::{Variant, brief};
use crate::written::{
    SCALE_WORDS, bare_text, has_decimal_comma, in_digits, leading_number, scaled_number, with_groups,
};

/// A quantity as an expectation tells it.
pub(super) struct ExpectedQuantity {
    pub(super) number: DisplayedNumber,
    unit: ExpectedUnit,
    /// What else the unit is called.
    names: Vec<String>,
    /// What may stand behind the unit: `CO2` in `3 t of CO2`.
    of: Vec<String>,
    /// Whether the unit may be left out.
    bare: bool,
    mark: DecimalMark,
}

/// What may be the decimal mark in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DecimalMark {
    /// A point, or a comma where points part the thousands.
    AsWritten,
    /// A point and nothing else.
    Point,
}

impl DecimalMark {
    fn read(expected: &Value) -> Result<Self, String> {
        match expected.get("decimal") {
            None => Ok(Self::AsWritten),
            Some(Value::String(mark)) if mark == "point" => Ok(Self::Point),
            Some(other) => Err(format!("`decimal` can only be \"point\", not {}", brief(other))),
        }
    }
}

enum ExpectedUnit {
    Known(&'static KnownUnit),
    /// things that are counted, by their name.
    Counted(String),
    /// A number and no more.
    None,
}

impl ExpectedUnit {
    fn is(&self, unit: &KnownUnit) -> bool {
        matches!(self, Self::Known(known) if *known == unit)
    }
}

/// The units of which quantities are also told in the near misses.
const MAX_OTHERS: usize = 4;

impl ExpectedQuantity {
    /// Keys that are understood.
    const KEYS: [&'static str; 7] = ["value", "unit", "digits", "tolerance", "names", "of", "bare"];

    pub(super) fn measured(expected: &Value) -> Result<Self, String> {
        let example = "{ value = 3.2, unit = \"km\", digits = 1 }";
        let fields = expected
            .as_object()
            .ok_or_else(|| format!("a quantity such as {example} is expected, not {}", brief(expected)))?;
        refuse_other_keys(fields, Self::KEYS)?;
        let unit = text(fields, "unit")?.ok_or_else(|| format!("`unit` is missing: {example}"))?;
        let unit = match KnownUnit::find(&unit) {
            Some(known) => ExpectedUnit::Known(known),
            None if fields.contains_key("names") && is_word(&unit) => ExpectedUnit::Counted(unit),
            None => return Err(unknown_unit(&unit)),
        };
        let (names, of) = (texts(fields, "names")?, texts(fields, "of")?);
        refuse_odd_names(&names, &unit)?;
        if let Some(odd) = of.iter().find(|of| !is_word(of)) {
            return Err(format!("`of` cannot be `{odd}`: it does not begin or end like a word"));
        }
        let (number, bare) = (DisplayedNumber::read(fields, "value")?, flag(fields, "bare")?);
        Ok(Self { number, unit, names, of, bare, mark: DecimalMark::AsWritten })
    }

    pub(super) fn plain(expected: &Value) -> Result<Self, String> {
        if let Some(fields) = expected.as_object() {
            refuse_other_keys(fields, ["value", "decimal"].into_iter().chain(DisplayedNumber::KEYS))?;
        }
        let mark = DecimalMark::read(expected)?;
        Ok(Self { mark, ..Self::without_unit(DisplayedNumber::read_plain(expected)?) })
    }

    fn without_unit(number: DisplayedNumber) -> Self {
        let (names, of, mark) = (Vec::new(), Vec::new(), DecimalMark::AsWritten);
        Self { number, unit: ExpectedUnit::None, names, of, bare: true, mark }
    }

    /// A quantity whose unit goes without saying.
    pub(super) fn of_unit(number: DisplayedNumber, unit: &'static KnownUnit) -> Self {
        Self { unit: ExpectedUnit::Known(unit), ..Self::without_unit(number) }
    }

    pub(super) fn compare(&self, actual: &Value) -> LikenessResult {
        let number = match self.read(actual) {
            Ok(number) => number,
            Err(why) => return LikenessResult::of(false, format!("it is {}, {why}", brief(actual))),
        };
        let holds = self.number.holds(number);
        let wanted = if holds { String::new() } else { format!(", not {}", self.told()) };
        let result = LikenessResult::of(holds, format!("it is {}{wanted}", brief(actual)));
        result.with("off", (number - self.number.value).abs())
    }

    /// The number that a value tells, in the expected unit, or why it tells none.
    fn read(&self, actual: &Value) -> Result<f64, String> {
        match actual {
            Value::Number(number) => self.in_unit(number.as_f64().ok_or("which is no number")?, ""),
            Value::String(text) => {
                let (number, unit) = self.split(bare_text(text)).ok_or("which is no number with a unit")?;
                self.in_unit(number, unit)
            }
            Value::Object(fields) if !matches!(self.unit, ExpectedUnit::None) => self.read_object(fields),
            _ => Err("which is no quantity".to_owned()),
        }
    }

    fn read_object(&self, fields: &Map<String, Value>) -> Result<f64, String> {
        refuse_other_keys(fields, ["value", "unit"]).map_err(|why| format!("where {why}"))?;
        let number = match fields.get("value") {
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => scaled_number(bare_text(text), SCALE_WORDS)
                .filter(|(_, rest)| rest.is_empty())
                .map(|(number, _)| number),
            _ => None,
        };
        let unit = match fields.get("unit") {
            None => "",
            Some(unit) => unit.as_str().ok_or("whose unit is no text")?,
        };
        self.in_unit(number.ok_or("whose `value` is no number")?, unit)
    }

    /// A text as a number and what follows it. Where things are counted in millions, that is their unit.
    fn split<'a>(&self, text: &'a str) -> Option<(f64, &'a str)> {
        if self.mark == DecimalMark::Point && has_decimal_comma(text) {
            return None;
        }
        if self.is_count() { leading_number(text) } else { scaled_number(text, SCALE_WORDS) }
    }

    fn is_count(&self) -> bool {
        matches!(self.unit, ExpectedUnit::Known(unit) if unit.dimension == "count")
    }

    fn in_unit(&self, number: f64, unit: &str) -> Result<f64, String> {
        let unit = unit.trim();
        let unit = if KnownUnit::find(unit).is_some() { unit } else { self.without_matter(unit) };
        if self.is_own(unit) || unit.is_empty() && self.bare {
            return Ok(number);
        }
        let ExpectedUnit::Known(wanted) = self.unit else {
            return Err(format!("which is no number of {}", self.unit_name()));
        };
        let found = match unit {
            "" if self.is_count() => KnownUnit::find("ones"),
            "" => return Err("which names no unit".to_owned()),
            _ => KnownUnit::find(unit),
        };
        let found = found.ok_or_else(|| format!("where `{unit}` is no unit"))?;
        if found.dimension != wanted.dimension {
            return Err(format!("where `{unit}` is a unit of {}, not of {}", found.dimension, wanted.dimension));
        }
        let converted = found.convert(number, wanted);
        if converted.is_finite() { Ok(converted) } else { Err("which is too great".to_owned()) }
    }

    fn is_own(&self, unit: &str) -> bool {
        let counted = match &self.unit {
            ExpectedUnit::Counted(name) => Some(name),
            _ => None,
        };
        self.names.iter().chain(counted).any(|name| name.eq_ignore_ascii_case(unit))
    }

    /// A unit without what it is a unit of.
    fn without_matter<'a>(&self, unit: &'a str) -> &'a str {
        let stripped = self.of.iter().find_map(|of| {
            let at = unit.len().checked_sub(of.len())?;
            let (before, after) = (unit.get(..at)?, unit.get(at..)?);
            after.eq_ignore_ascii_case(of).then_some(before.trim_end())
        });
        stripped.map_or(unit, |unit| unit.strip_suffix(" of").unwrap_or(unit))
    }

    fn unit_name(&self) -> &str {
        match &self.unit {
            ExpectedUnit::Known(unit) => unit.symbol(),
            ExpectedUnit::Counted(name) => name,
            ExpectedUnit::None => "anything",
        }
    }

    /// A number with the expected unit.
    fn with_unit(&self, number: &str) -> String {
        match self.unit {
            ExpectedUnit::None => number.to_owned(),
            _ => format!("{number} {}", self.unit_name()),
        }
    }

    /// As it was shown.
    pub(super) fn told(&self) -> String {
        self.with_unit(&self.number.shown())
    }

    pub(super) fn near(&self) -> Vec<Variant> {
        let shown = self.number.shown();
        let mut near = no_answers(&self.told().into());
        near.push(say("more than a quantity", format!("about {}", self.told())));
        near.push(say("no number", self.with_unit("NaN")));
        if self.mark == DecimalMark::Point {
            near.extend(self.with_decimal_comma());
        }
        for (how, number) in self.number.wrong_numbers() {
            near.push(say(how, self.with_unit(&in_digits(number))));
        }
        if self.bare {
            let bare = |(how, number): (&str, f64)| Some((format!("{how}, without a unit"), finite(number)?.into()));
            near.extend(self.number.wrong_numbers().into_iter().filter_map(bare));
        } else if !self.is_count() {
            near.push(say("without a unit", shown.clone()));
            near.extend(finite(self.number.value).map(|number| ("a number alone".to_owned(), number.into())));
            near.push(("an object without a unit".to_owned(), json!({ "value": self.number.value })));
        }
        let ExpectedUnit::Known(unit) = self.unit else {
            near.push(say("another thing", format!("{shown} of something else")));
            return near;
        };
        let others = unit.others().filter(|other| self.number.is_off(other.convert(self.number.value, unit)));
        let others = others.take(MAX_OTHERS).map(KnownUnit::symbol).filter(|symbol| !self.is_own(symbol));
        near.extend(
            others.map(|other| say(format!("in {other}"), format!("{} {other}", in_digits(self.number.value)))),
        );
        let strange = strange_unit(unit);
        near.push(say("what measures something else", format!("{shown} {strange}")));
        near
    }

    pub(super) fn like(&self) -> Vec<Variant> {
        let shown = self.number.shown();
        let exact = in_digits(self.number.value);
        let mut like = vec![
            say("as shown", self.told()),
            say("more space", format!("  {} ", self.told())),
            say("with a full stop", format!("{}.", self.told())),
            say("thousands parted by a comma", self.with_unit(&with_groups(&shown, ","))),
            say("thousands parted by a thin space", self.with_unit(&with_groups(&shown, "\u{2009}"))),
        ];
        for (how, number) in self.number.right_numbers() {
            like.push(say(how, self.with_unit(&in_digits(number))));
        }
        if self.mark == DecimalMark::AsWritten {
            like.extend(self.with_decimal_comma());
        }
        if let Some(fraction) = shown.strip_prefix("0.") {
            like.push(say("nothing before the point", self.with_unit(&format!(".{fraction}"))));
        }
        if self.bare {
            like.extend(finite(self.number.value).map(|number| ("a number alone".to_owned(), number.into())));
            like.push(say("without a unit", shown));
        }
        if !matches!(self.unit, ExpectedUnit::None) {
            like.extend(self.names.iter().map(|name| say("by another name", format!("{exact} {name}"))));
        }
        if let ExpectedUnit::Known(unit) = self.unit {
            like.extend(self.in_other_words(unit));
        }
        like
    }

    /// The quantity with points between its thousands, if it has thousands and a fraction.
    fn with_decimal_comma(&self) -> Option<Variant> {
        let shown = self.number.shown();
        let grouped = with_groups(&shown, ".");
        let (whole, fraction) = grouped.rsplit_once('.').filter(|_| shown.contains('.'))?;
        let written = self.with_unit(&format!("{whole},{fraction}"));
        whole.contains('.').then(|| say("points between thousands", written))
    }

    /// The quantity with its unit stuck to it, spelled out, converted, and with what it is a unit of.
    fn in_other_words(&self, unit: &'static KnownUnit) -> Vec<Variant> {
        let (value, symbol) = (self.number.value, unit.symbol());
        let mut like = vec![say("without a space", format!("{}{symbol}", in_digits(value)))];
        like.extend(unit.names.iter().map(|name| say("spelled out", format!("{} {name}", in_digits(value)))));
        like.extend(
            self.of.iter().map(|of| say("with what it is of", format!("{} {symbol} of {of}", in_digits(value)))),
        );
        let others = unit.others().take(MAX_OTHERS).filter(|other| !self.is_own(other.symbol()));
        like.extend(others.map(|other| {
            let converted = in_digits(unit.convert(value, other));
            say(format!("in {}", other.symbol()), format!("{converted} {}", other.symbol()))
        }));
        like
    }

    /// The quantity as an object.
    pub(super) fn as_object(&self) -> Variant {
        ("as an object".to_owned(), json!({ "value": self.number.value, "unit": self.unit_name() }))
    }
}

/// Refuses names that would be taken for a part of the number, or for another unit.
fn refuse_odd_names(names: &[String], unit: &ExpectedUnit) -> Result<(), String> {
    let other = |name: &str| KnownUnit::find(name).filter(|found| !unit.is(found));
    match names.iter().find(|name| !is_word(name) || other(name).is_some()) {
        Some(name) => Err(format!("`{name}` cannot be a name of the unit: it means something else")),
        None => Ok(()),
    }
}

/// Whether a word can follow a number without being taken for a part of it.
fn is_word(word: &str) -> bool {
    let after_number = scaled_number(&format!("1 {word}"), SCALE_WORDS).map(|(number, rest)| (number, rest.len()));
    word.starts_with(char::is_alphabetic) && bare_text(word) == word && after_number == Some((1.0, word.len() + 1))
}

fn unknown_unit(unit: &str) -> String {
    let of_its_length = all_unit_names().filter(|known| known.len().abs_diff(unit.len()) <= 1);
    let hint = suggest::nearest(unit, of_its_length).map(|meant| format!("did you mean `{meant}`? "));
    let hint = hint.unwrap_or_default();
    format!("`{unit}` is no unit that is known; {hint}things that are counted have `names`, which may be empty")
}

/// A unit that measures something else and is easily taken for one that measures this.
fn strange_unit(unit: &KnownUnit) -> &'static str {
    match unit.dimension {
        "share" => "percentage points",
        "points" => "%",
        "mass" => "m",
        "energy" => "kW",
        "power" => "kWh",
        "area" => "m³",
        "volume" => "m²",
        _ => "kg",
    }
}
