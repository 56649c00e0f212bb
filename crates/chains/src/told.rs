//! What fields come to as values: for the judge, for an answer sheet, and in words.

use std::collections::BTreeMap;

use quintain_atlas::{Atlas, Entity, MeasureUnit, Number};
use quintain_core::task::{AnswerType, ChainField};
use quintain_sites::Voice;
use serde_json::{Map, Value, json};

use crate::chain::QuestionChain;
use crate::find::Variables;
use crate::rules;
use crate::solve::FieldValue;

/// What the judge compares a field with.
pub fn expected(atlas: &Atlas, field: &ChainField, value: &FieldValue) -> Value {
    match value {
        FieldValue::Entity(entity) => expected_name(atlas, *entity),
        FieldValue::Entities(entities) => entities.iter().map(|entity| expected_name(atlas, *entity)).collect(),
        FieldValue::Number(number) => expected_number(atlas, field, *number),
        FieldValue::Date(date) => json!(date),
        FieldValue::Term(term) => json!(term),
        FieldValue::Table(rows) => expected_table(atlas, field, rows),
    }
}

/// A name with all that says the same.
fn expected_name(atlas: &Atlas, entity: Entity) -> Value {
    let aliases = other_names(atlas, entity);
    let name = atlas.title(entity);
    if aliases.is_empty() { json!(name) } else { json!({ "name": name, "aliases": aliases }) }
}

/// What else an entity is called.
pub(crate) fn other_names(atlas: &Atlas, entity: Entity) -> Vec<String> {
    let name = atlas.title(entity);
    let mut names = match entity {
        Entity::Company(company) => {
            let former = atlas.companies.former_names.of(company).iter();
            let mut names: Vec<String> = former.map(|former| atlas.company_name(company, former.until)).collect();
            let form = atlas.legal_form(company);
            let short: Vec<String> = names.iter().chain([&name]).map(|name| without(name, form)).collect();
            names.extend(short);
            names
        }
        Entity::Person(person) => atlas.person_alias(person).into_iter().collect(),
        _ => Vec::new(),
    };
    names.retain(|other| *other != name);
    names
}

/// Names are often written without their legal form.
fn without(name: &str, form: &str) -> String {
    name.strip_suffix(form).unwrap_or(name).trim().to_owned()
}

/// By how much of its own unit a number may be off and is right; nothing where the digits that are asked for say it.
pub(crate) fn slack(field: &ChainField, number: Number) -> Option<f64> {
    /// Rates are printed with so many digits that whoever goes by them comes this near.
    const OF_MONEY: f64 = 1e-4;
    let size = number.value().abs();
    let of_unit = match number.unit {
        MeasureUnit::Thousands(_) | MeasureUnit::Hundredths(_) => Some((OF_MONEY * size).max(1.0)),
        _ => None,
    };
    field.within.map(|share| share * size).or(of_unit)
}

/// What one of a unit of money comes to.
fn money_scale(unit: MeasureUnit) -> f64 {
    if matches!(unit, MeasureUnit::Thousands(_)) { 1000.0 } else { 0.01 }
}

fn expected_number(atlas: &Atlas, field: &ChainField, number: Number) -> Value {
    let value = number.value();
    let slack = slack(field, number);
    let mut told = match number.unit {
        MeasureUnit::Thousands(country) | MeasureUnit::Hundredths(country) => {
            let scale = money_scale(number.unit);
            let currency = atlas.geography.countries.currency[country].code();
            let noun = atlas.words.spelling(atlas.geography.countries.currency[country].noun);
            let names = [atlas.currency_name(country), noun.to_owned()];
            json!({ "amount": value * scale, "currency": currency, "names": names })
        }
        MeasureUnit::Percent if field.answer_type == AnswerType::Percent => {
            json!({ "value": value, "digits": number.digits })
        }
        MeasureUnit::Points if field.answer_type == AnswerType::Percent => {
            json!({ "value": value, "digits": number.digits, "unit": "points" })
        }
        _ => json!({ "value": value, "digits": number.digits }),
    };
    if let Some(slack) = slack {
        let scale = told.get("amount").map_or(1.0, |_| money_scale(number.unit));
        told["tolerance"] = json!(slack * scale);
    }
    told
}

fn expected_table(atlas: &Atlas, field: &ChainField, rows: &[(Entity, Vec<Number>)]) -> Value {
    let key = key_column(field);
    let mut columns = Map::from_iter([(key.to_owned(), json!("entity"))]);
    let numbers = rows.first().map(|row| row.1.as_slice()).unwrap_or_default();
    columns
        .extend(field.columns.iter().skip(1).zip(numbers).map(|(name, number)| (name.clone(), column_type(*number))));
    let row = |(entity, numbers): &(Entity, Vec<Number>)| {
        let mut cells = Map::from_iter([(key.to_owned(), expected_name(atlas, *entity))]);
        let told = numbers.iter().map(|number| expected_number(atlas, field, *number));
        cells.extend(field.columns.iter().skip(1).cloned().zip(told));
        Value::Object(cells)
    };
    json!({ "columns": columns, "key": [key], "rows": rows.iter().map(row).collect::<Vec<_>>() })
}

/// The column that names a row.
fn key_column(field: &ChainField) -> &str {
    field.columns.first().map_or("name", String::as_str)
}

/// In a table the currency goes without saying: it is that of the whole column.
fn column_type(number: Number) -> Value {
    match number.unit {
        MeasureUnit::Thousands(_) | MeasureUnit::Hundredths(_) => json!({ "type": "money", "bare": true }),
        MeasureUnit::Percent => json!("percent"),
        _ => json!("number"),
    }
}

/// What an agent that is right would hand in.
pub fn answered(atlas: &Atlas, field: &ChainField, value: &FieldValue) -> Value {
    match value {
        FieldValue::Entity(entity) => json!(atlas.title(*entity)),
        FieldValue::Entities(entities) => entities.iter().map(|entity| json!(atlas.title(*entity))).collect(),
        FieldValue::Number(number) => answered_number(atlas, *number),
        FieldValue::Date(date) => json!(date),
        FieldValue::Term(term) => json!(term),
        FieldValue::Table(rows) => {
            let row = |(entity, numbers): &(Entity, Vec<Number>)| {
                let mut cells = Map::from_iter([(key_column(field).to_owned(), json!(atlas.title(*entity)))]);
                let told = numbers.iter().map(|number| answered_number(atlas, *number));
                cells.extend(field.columns.iter().skip(1).cloned().zip(told));
                Value::Object(cells)
            };
            rows.iter().map(row).collect()
        }
    }
}

fn answered_number(atlas: &Atlas, number: Number) -> Value {
    match number.unit {
        MeasureUnit::Thousands(country) => {
            json!(format!("{} {}", number.scaled * 1000, atlas.geography.countries.currency[country].code()))
        }
        MeasureUnit::Hundredths(country) => {
            json!(format!("{:.2} {}", number.value() / 100.0, atlas.geography.countries.currency[country].code()))
        }
        _ if number.digits == 0 => json!(number.scaled),
        _ => json!(number.value()),
    }
}

/// A field in words, for those who begin after it.
pub fn in_words(atlas: &Atlas, field: &ChainField, value: &FieldValue) -> String {
    match answered(atlas, field, value) {
        Value::String(text) => text,
        Value::Array(items) => {
            let texts: Vec<String> =
                items.iter().map(|item| item.as_str().map_or_else(|| row_in_words(item), str::to_owned)).collect();
            texts.join("; ")
        }
        other => other.to_string(),
    }
}

fn row_in_words(row: &Value) -> String {
    let cells = row.as_object().into_iter().flatten();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    cells.map(|(name, value)| format!("{name} {}", text(value))).collect::<Vec<_>>().join(", ")
}

/// Everything that the template of an instruction names: what was drawn, what there is to look at, whose word counts.
pub fn instruction_words(atlas: &Atlas, chain: &QuestionChain, drawn: &Variables) -> BTreeMap<String, Value> {
    let mut words = words(atlas, drawn);
    words.insert("web".to_owned(), json!(rules::WEB));
    words.insert("rules".to_owned(), json!(rules::rules(&chain.settles)));
    words
}

/// What was drawn, in words for the instruction: names, days and numbers.
pub(crate) fn words(atlas: &Atlas, drawn: &Variables) -> BTreeMap<String, Value> {
    drawn.iter().map(|(name, value)| (name.clone(), word(atlas, value))).collect()
}

fn word(atlas: &Atlas, value: &Value) -> Value {
    if let Ok(entity) = serde_json::from_value::<Entity>(value.clone()) {
        return json!(atlas.title(entity));
    }
    match value.as_str().and_then(quintain_atlas::Date::parse) {
        Some(date) => json!(Voice::PLAIN.date(date)),
        None => value.clone(),
    }
}
