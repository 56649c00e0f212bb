//! litellm's public table of prices as entries of a catalogue: `model_prices_and_context_window.json`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::{LongPrices, Price, Retirement};
use crate::providers::Provider;

/// What a table holds of the providers that were asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImportedPrices {
    /// What was read of every model, by provider and name.
    pub models: BTreeMap<String, ImportedModel>,
    /// Models that are left out, with the reason.
    pub left_out: BTreeMap<String, &'static str>,
}

/// What a table says of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ImportedModel {
    /// What it costs.
    pub price: Price,
    /// How many tokens it may read.
    pub context: Option<u64>,
    /// Whether it can be shown pictures.
    pub sees: Option<bool>,
    /// The day from which on it is no longer offered.
    pub retires: Option<Retirement>,
    /// Where the table has it from.
    pub cites: Option<String>,
}

/// A table that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPriceTable {
    /// It is no JSON object.
    #[error(
        "this is no table of prices: {0}\nhint: give model_prices_and_context_window.json of https://github.com/BerriAI/litellm"
    )]
    NoTable(String),
    /// It has nothing of what was asked for.
    #[error("the table has no model of `{0}`\nhint: it has models of {1}")]
    NobodysModels(String, String),
}

/// The providers that are read unless others are named: those whose formats are spoken, by their names in the table.
pub const USUAL_PROVIDERS: [&str; 3] = ["anthropic", "openai", "gemini"];

/// Whether a model that a table calls so talks with words at all.
const MODES: [&str; 2] = ["chat", "responses"];

/// Reads a table: of these providers, as the table names them. Models of providers that speak none of our own formats
/// are asked as `chat/NAME`.
pub fn import(text: &str, providers: &[&str]) -> Result<ImportedPrices, BadPriceTable> {
    let table: Value = serde_json::from_str(text).map_err(|error| BadPriceTable::NoTable(error.to_string()))?;
    let no_object = || BadPriceTable::NoTable("it is no object of models".to_owned());
    let table = table.as_object().ok_or_else(no_object)?;
    let mut imported = ImportedPrices::default();
    for (key, entry) in table.iter().filter_map(|(key, entry)| Some((key, entry.as_object()?))) {
        let Some(provider) = said(entry, "litellm_provider").filter(|name| providers.contains(name)) else { continue };
        if !said(entry, "mode").is_some_and(|mode| MODES.contains(&mode)) {
            continue;
        }
        let name = format!("{}/{}", format_of(provider), key.strip_prefix(&format!("{provider}/")).unwrap_or(key));
        match model(entry) {
            Ok(model) => drop(imported.models.insert(name, model)),
            Err(why) => drop(imported.left_out.insert(name, why)),
        }
    }
    if !imported.models.is_empty() || !imported.left_out.is_empty() {
        return Ok(imported);
    }
    match everybody(table) {
        nobody if nobody.is_empty() => Err(BadPriceTable::NoTable("it names no model".to_owned())),
        others => Err(BadPriceTable::NobodysModels(providers.join("`, `"), others)),
    }
}

/// The format in which a provider's models are asked.
fn format_of(provider: &str) -> Provider {
    match provider {
        "anthropic" => Provider::Anthropic,
        "openai" | "azure" => Provider::OpenAi,
        "gemini" => Provider::Google,
        _ => Provider::Chat,
    }
}

fn everybody(table: &Map<String, Value>) -> String {
    let entries = table.values().filter_map(Value::as_object);
    let names: std::collections::BTreeSet<&str> =
        entries.filter_map(|entry| said(entry, "litellm_provider")).filter(|name| !name.contains(' ')).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

fn model(entry: &Map<String, Value>) -> Result<ImportedModel, &'static str> {
    let context = entry.get("max_input_tokens").and_then(Value::as_f64).map(|tokens| tokens as u64);
    Ok(ImportedModel {
        price: price(entry)?,
        context: context.filter(|tokens| *tokens > 0),
        sees: entry.get("supports_vision").and_then(Value::as_bool),
        retires: said(entry, "deprecation_date").and_then(|day| day.parse().ok()),
        cites: said(entry, "source").map(str::to_owned),
    })
}

fn price(entry: &Map<String, Value>) -> Result<Price, &'static str> {
    let (Some(input), Some(output)) = (usd(entry, "input_cost_per_token"), usd(entry, "output_cost_per_token")) else {
        return Err("its price is not told for a token");
    };
    if input == 0.0 && output == 0.0 {
        return Err("its price is not told");
    }
    let limits = entry.keys().filter_map(|key| limit(key.strip_prefix("input_cost_per_token_above_")?));
    let mut limits: Vec<(u64, &str)> = limits.collect();
    limits.sort_unstable();
    let long = match limits.as_slice() {
        [] => None,
        [(over, name)] => Some(long(entry, *over, name, (input, output))),
        _ => return Err("its price changes more than once with the length of a request"),
    };
    let (cached, cache_write) = (usd(entry, "cache_read_input_token_cost"), written(entry, ""));
    Ok(Price { input, output, cached, cache_write, cache_write_long: None, long, surcharge: None })
}

fn long(entry: &Map<String, Value>, over: u64, name: &str, (input, output): (f64, f64)) -> LongPrices {
    let above = |key: &str| usd(entry, &format!("{key}_above_{name}_tokens"));
    LongPrices {
        over,
        input: above("input_cost_per_token").unwrap_or(input),
        output: above("output_cost_per_token").unwrap_or(output),
        cached: above("cache_read_input_token_cost").or_else(|| usd(entry, "cache_read_input_token_cost")),
        cache_write: written(entry, &format!("_above_{name}_tokens")).or_else(|| written(entry, "")),
    }
}

/// What is put into a cache; a table writes 0 where it only means that nothing extra is charged.
fn written(entry: &Map<String, Value>, when: &str) -> Option<f64> {
    usd(entry, &format!("cache_creation_input_token_cost{when}")).filter(|usd| *usd > 0.0)
}

/// `272k_tokens`: how many tokens, and how it is written; nothing for other services such as `272k_tokens_priority`.
fn limit(rest: &str) -> Option<(u64, &str)> {
    let name = rest.strip_suffix("_tokens")?;
    let thousands: Option<u64> = name.strip_suffix('k').and_then(|number| number.parse().ok());
    Some((thousands.map_or_else(|| name.parse().ok(), |number| number.checked_mul(1000))?, name))
}

/// US dollars for a million tokens. A hundred-thousandth of a cent is as near as any price is told.
fn usd(entry: &Map<String, Value>, key: &str) -> Option<f64> {
    let usd = entry.get(key)?.as_f64()?;
    (usd.is_finite() && usd >= 0.0).then(|| (usd * 1e13).round() / 1e7)
}

fn said<'a>(entry: &'a Map<String, Value>, key: &str) -> Option<&'a str> {
    entry.get(key).and_then(Value::as_str)
}

impl ImportedPrices {
    /// The entries as a catalogue's file has them. `read` says what was read, and when.
    pub fn to_toml(&self, read: &str) -> String {
        let names = self.models.iter().filter(|(name, _)| name.chars().all(|c| c.is_ascii_graphic()));
        names.map(|(name, model)| model.to_toml(name, read)).collect::<Vec<_>>().join("\n")
    }
}

impl ImportedModel {
    fn to_toml(&self, name: &str, read: &str) -> String {
        let mut text = format!("[[model]]\nname = {}\n", quoted(name));
        let mut line = |key: &str, value: Option<String>| {
            let value = value.map(|value| format!("{key} = {value}\n")).unwrap_or_default();
            text.push_str(&value);
        };
        line("context", self.context.map(|tokens| tokens.to_string()));
        line("sees", self.sees.map(|sees| sees.to_string()));
        line("retires", self.retires.map(|day| quoted(&day.to_string())));
        line("price", Some(of_price(&self.price)));
        let cites = self.cites.as_ref().map(|cites| format!(", which cites {cites}")).unwrap_or_default();
        line("source", Some(quoted(&format!("{read}{cites}"))));
        text
    }
}

fn of_price(price: &Price) -> String {
    let Price { input, output, cached, cache_write, long, .. } = *price;
    let rates = |input: f64, output: f64, cached: Option<f64>, cache_write: Option<f64>| {
        let mut text = format!("input = {input}, output = {output}");
        for (key, usd) in [("cached", cached), ("cache_write", cache_write)] {
            let Some(usd) = usd else { continue };
            let _infallible = write!(text, ", {key} = {usd}");
        }
        text
    };
    let long = long.map(|long| {
        let rates = rates(long.input, long.output, long.cached, long.cache_write);
        format!(", long = {{ over = {}, {rates} }}", long.over)
    });
    format!("{{ {}{} }}", rates(input, output, cached, cache_write), long.unwrap_or_default())
}

/// A text in quotes, without what would end it.
fn quoted(text: &str) -> String {
    let plain: String = text.chars().filter(|c| !c.is_control() && *c != '"' && *c != '\\').collect();
    format!("\"{plain}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::ModelCatalogue;

    const TABLE: &str = include_str!("../../tests/fixtures/prices.json");

    #[test]
    fn a_table_becomes_a_catalogue() {
        let imported = import(TABLE, &USUAL_PROVIDERS).unwrap();
        insta::assert_snapshot!(imported.to_toml("the table, read today"), @r#"
        [[model]]
        name = "anthropic/claude-new"
        context = 1000000
        sees = true
        retires = "2027-05-01"
        price = { input = 0.1, output = 0.5, cached = 0.01, cache_write = 0.125, long = { over = 100000, input = 0.5, output = 2.5, cached = 0.05, cache_write = 0.625 } }
        source = "the table, read today, which cites https://example.com/pricing"

        [[model]]
        name = "google/new-2"
        price = { input = 0.075, output = 3, long = { over = 200000, input = 0.15, output = 3 } }
        source = "the table, read today"

        [[model]]
        name = "openai/new-1"
        context = 922000
        sees = false
        price = { input = 0.1, output = 0.5 }
        source = "the table, read today"
        "#);
        let left_out = imported.left_out.iter().map(|(name, why)| format!("{name}: {why}"));
        insta::assert_snapshot!(left_out.collect::<Vec<_>>().join("\n"), @"
        google/by-tier: its price is not told for a token
        google/free: its price is not told
        google/tiers: its price changes more than once with the length of a request
        ");
        let catalogue = ModelCatalogue::built_in().with(&imported.to_toml("the table")).unwrap();
        let priced = |name: &str| catalogue.price(name).map(|price| (price.input, price.output));
        assert_eq!(priced("openai/new-1-20270101"), Some((0.1, 0.5)));
        assert_eq!(priced("google/new-2"), Some((0.075, 3.0)));
    }

    #[test]
    fn other_providers_are_read_where_they_are_named() {
        let imported = import(TABLE, &["moonshot"]).unwrap();
        assert_eq!(imported.models.keys().collect::<Vec<_>>(), ["chat/kimi-k3"]);
        insta::assert_snapshot!(import(TABLE, &["nobody"]).unwrap_err(), @"
        the table has no model of `nobody`
        hint: it has models of anthropic, gemini, moonshot, openai
        ");
        let wrong = import("[]", &USUAL_PROVIDERS).unwrap_err().to_string();
        assert!(wrong.starts_with("this is no table of prices: it is no object of models\nhint: give"), "{wrong}");
        assert!(
            import("prices", &USUAL_PROVIDERS).unwrap_err().to_string().starts_with("this is no table of prices: ")
        );
    }
}
