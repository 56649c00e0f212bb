//! What is known of models: their computer tools, scales, contexts and prices. A file that users can edit and extend.

mod price;

use std::path::{Path, PathBuf};

use quintain_core::action::Dialect;
use serde::Deserialize;

pub use price::{LongPrices, Price};

use crate::model::{ModelCard, Points};
use crate::providers::{ModelSpec, Provider};

const BUILT_IN: &str = include_str!("models.toml");

/// The context that a model is taken to have where nobody says.
const USUAL_CONTEXT: u64 = 128_000;

/// What is known of models. Entries of the user's own file go before the built-in ones.
#[derive(Clone, Debug)]
pub struct ModelCatalogue {
    /// The user's entries first, each part with the longest names first.
    entries: Vec<ModelFacts>,
}

/// What is known of one model, or of all whose names begin alike.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFacts {
    /// Provider and name: `anthropic/claude-opus-4-6`, or `chat/qwen*` for every name that begins so.
    pub name: String,
    /// Its own computer tool.
    #[serde(default)]
    pub computer: Option<ComputerTool>,
    /// How it gives points in tools that are not its own.
    #[serde(default)]
    pub points: Option<Points>,
    /// Whether it can be shown pictures.
    #[serde(default)]
    pub sees: Option<bool>,
    /// How many tokens fit into its context.
    #[serde(default)]
    pub context: Option<u64>,
    /// The longest side its pictures should have.
    #[serde(default)]
    pub longest_side: Option<u32>,
    /// What it costs.
    #[serde(default)]
    pub price: Option<Price>,
    /// Where this was read, and when.
    #[serde(default)]
    pub source: Option<String>,
}

/// Whose computer tool a model has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ComputerTool {
    /// None: it plays with our tools.
    None,
    /// Anthropic's.
    Anthropic,
    /// OpenAI's.
    OpenAi,
    /// Google's.
    Google,
}

/// A catalogue that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BadCatalogue {
    /// The file cannot be opened.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is no catalogue.
    #[error("{} is no catalogue of models: {why}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, with its place.
        why: String,
    },
}

impl ModelCatalogue {
    /// What this program knows by itself.
    pub fn built_in() -> Self {
        let entries = read(BUILT_IN).expect("a test reads the built-in catalogue");
        Self { entries }
    }

    /// The built-in catalogue, and before it the user's file where there is one.
    pub fn load(file: Option<&Path>) -> Result<Self, BadCatalogue> {
        let built_in = Self::built_in();
        let Some(path) = file else { return Ok(built_in) };
        let text = std::fs::read_to_string(path)
            .map_err(|source| BadCatalogue::Unreadable { path: path.to_owned(), source })?;
        built_in.with(&text).map_err(|why| BadCatalogue::Malformed { path: path.to_owned(), why })
    }

    /// The same with these entries before all others.
    pub fn with(mut self, text: &str) -> Result<Self, String> {
        let mut entries = read(text)?;
        entries.append(&mut self.entries);
        Ok(Self { entries })
    }

    /// All entries, in the order in which they are asked.
    pub fn entries(&self) -> &[ModelFacts] {
        &self.entries
    }

    /// What is known of a model, with what the user says of it.
    pub fn card(&self, spec: &ModelSpec) -> ModelCard {
        let name = spec.full_name();
        let known = self.known(&name);
        ModelCard {
            computer: known.computer.and_then(ComputerTool::dialect).filter(|tool| spec.provider.offers(*tool)),
            points: spec.points.or(known.points).unwrap_or(Points::Pixels),
            sees: known.sees.unwrap_or(true),
            context: spec.context.or(known.context).unwrap_or(USUAL_CONTEXT),
            longest_side: known.longest_side,
            name,
        }
    }

    /// What a model costs, by provider and name; nothing where nobody says.
    pub fn price(&self, full_name: &str) -> Option<Price> {
        self.known(full_name).price
    }

    /// Everything that matching entries say together, each thing by the first that says it.
    pub fn known(&self, full_name: &str) -> ModelFacts {
        let nothing = ModelFacts::nothing(full_name);
        self.entries.iter().filter(|entry| entry.describes(full_name)).fold(nothing, ModelFacts::or)
    }
}

impl ComputerTool {
    fn dialect(self) -> Option<Dialect> {
        match self {
            Self::None => None,
            Self::Anthropic => Some(Dialect::Anthropic),
            Self::OpenAi => Some(Dialect::OpenAi),
            Self::Google => Some(Dialect::Google),
        }
    }
}

impl ModelFacts {
    fn nothing(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            computer: None,
            points: None,
            sees: None,
            context: None,
            longest_side: None,
            price: None,
            source: None,
        }
    }

    fn describes(&self, full_name: &str) -> bool {
        if let Some(stem) = self.name.strip_suffix('*') {
            return full_name.starts_with(stem);
        }
        full_name.strip_prefix(self.name.as_str()).is_some_and(is_version)
    }

    /// What this says, and what the other says where this is silent. A price comes with its source.
    fn or(self, other: &Self) -> Self {
        let source = if self.price.is_some() { self.source } else { other.source.clone().or(self.source) };
        Self {
            name: self.name,
            computer: self.computer.or(other.computer),
            points: self.points.or(other.points),
            sees: self.sees.or(other.sees),
            context: self.context.or(other.context),
            longest_side: self.longest_side.or(other.longest_side),
            price: self.price.or(other.price),
            source,
        }
    }
}

/// Whether this, behind a model's name, tells a version of the same model: a date, or the newest.
fn is_version(rest: &str) -> bool {
    let is_date = |rest: &str| rest.chars().take_while(char::is_ascii_digit).count() >= 4;
    rest.is_empty() || rest == "-latest" || rest.strip_prefix('-').is_some_and(is_date)
}

/// Reads entries and puts the longest names first.
fn read(text: &str) -> Result<Vec<ModelFacts>, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct CatalogueFile {
        #[serde(default)]
        model: Vec<ModelFacts>,
    }
    let file: CatalogueFile = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut entries = file.model;
    if let Some(entry) = entries.iter().find(|entry| !names_a_provider(&entry.name)) {
        return Err(format!("`{}` names no model\nhint: write PROVIDER/NAME or PROVIDER/BEGINNING*", entry.name));
    }
    if let Some(why) = entries.iter().find_map(|entry| entry.price.and_then(|price| price.problem(&entry.name))) {
        return Err(why);
    }
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.name.trim_end_matches('*').len()));
    Ok(entries)
}

fn names_a_provider(name: &str) -> bool {
    name.split_once('/').is_some_and(|(provider, _)| provider.parse::<Provider>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(catalogue: &ModelCatalogue, name: &str) -> String {
        let spec: ModelSpec = name.parse().unwrap();
        let ModelCard { computer, points, sees, context, longest_side, .. } = catalogue.card(&spec);
        let price = catalogue.price(name).map(|price| (price.input, price.output));
        format!("{computer:?} {points:?} sees={sees} {context} {longest_side:?} {price:?}")
    }

    #[test]
    fn the_built_in_catalogue_knows_versions_and_no_cousins() {
        let catalogue = ModelCatalogue::built_in();
        let names = [
            "anthropic/claude-opus-4-6",
            "anthropic/claude-opus-4-6-20260205",
            "anthropic/claude-opus-5-5",
            "openai/gpt-5.4",
            "openai/gpt-5.4-mini",
            "google/gemini-2.5-computer-use-preview-10-2025",
            "chat/unheard-of",
        ];
        let table: Vec<String> = names.iter().map(|name| format!("{name}: {}", card(&catalogue, name))).collect();
        insta::assert_snapshot!(table.join("\n"), @r"
        anthropic/claude-opus-4-6: Some(Anthropic) Pixels sees=true 1000000 Some(1568) Some((5.0, 25.0))
        anthropic/claude-opus-4-6-20260205: Some(Anthropic) Pixels sees=true 1000000 Some(1568) Some((5.0, 25.0))
        anthropic/claude-opus-5-5: Some(Anthropic) Pixels sees=true 1000000 Some(1568) None
        openai/gpt-5.4: Some(OpenAi) Pixels sees=true 1050000 None Some((2.5, 15.0))
        openai/gpt-5.4-mini: None Pixels sees=true 400000 None None
        google/gemini-2.5-computer-use-preview-10-2025: Some(Google) Thousandths sees=true 128000 None Some((1.25, 10.0))
        chat/unheard-of: None Pixels sees=true 128000 None None
        ");
    }

    #[test]
    fn every_provider_has_a_simulated_model_at_the_same_price() {
        let catalogue = ModelCatalogue::built_in();
        for &provider in Provider::ALL {
            let price = catalogue.price(&format!("{provider}/sim-oracle")).unwrap();
            let all = (price.input, price.output, price.cached, price.cache_write);
            assert_eq!(all, (2.0, 10.0, Some(0.5), Some(2.5)), "{provider}");
        }
        assert!(card(&catalogue, "chat/sim").starts_with("None Thousandths sees=true"));
        assert!(card(&catalogue, "chat/sim-blind").starts_with("None Thousandths sees=false"));
    }

    #[test]
    fn every_price_names_its_source() {
        for entry in ModelCatalogue::built_in().entries() {
            assert!(entry.price.is_none() || entry.source.is_some(), "{}", entry.name);
        }
    }

    #[test]
    fn a_users_entry_goes_first_and_the_rest_stays_known() {
        let mine = "[[model]]\nname = \"anthropic/claude*\"\nprice = { input = 1, output = 2 }\n\
                    [[model]]\nname = \"chat/qwen*\"\npoints = \"unit\"\nsees = false\n";
        let catalogue = ModelCatalogue::built_in().with(mine).unwrap();
        let opus = card(&catalogue, "anthropic/claude-opus-4-6");
        assert_eq!(opus, "Some(Anthropic) Pixels sees=true 1000000 Some(1568) Some((1.0, 2.0))");
        assert_eq!(card(&catalogue, "chat/qwen3-vl"), "None Unit sees=false 128000 None None");
    }

    #[test]
    fn a_computer_tool_is_only_offered_in_its_own_format() {
        let catalogue =
            ModelCatalogue::built_in().with("[[model]]\nname = \"chat/x\"\ncomputer = \"openai\"\n").unwrap();
        assert!(card(&catalogue, "chat/x").starts_with("None"));
    }

    #[test]
    fn a_bad_catalogue_says_what_is_wrong() {
        let wrong = |text: &str| ModelCatalogue::built_in().with(text).unwrap_err();
        assert!(wrong("[[model]]\nname = \"gpt\"\n").starts_with("`gpt` names no model"));
        assert!(wrong("[[model]]\nname = \"chat/x\"\nprize = 3\n").contains("unknown field `prize`"));
        let negative = "[[model]]\nname = \"chat/x\"\nprice = { input = -1, output = 2 }\n";
        assert_eq!(wrong(negative), "the price of `chat/x` has a number that is no price: -1");
    }
}
