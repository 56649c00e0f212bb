//! `quintain models check`: what is known of models, before money is spent on them.

use std::path::Path;

use anyhow::bail;
use quintain_models::catalogue::{ComputerTool, ModelCatalogue, ModelFacts, Price};
use quintain_models::providers::ModelSpec;
use quintain_workshop::{Workshop, models, now};
use serde::Serialize;

use crate::exit::Exit;
use crate::printer::Printer;
use crate::table::table;

/// What is known of a model, and what to think of it.
#[derive(Debug, Serialize)]
pub(crate) struct KnownModel {
    pub(crate) model: String,
    /// `computer tool`, or `our tools`.
    tool: &'static str,
    points: Option<&'static str>,
    sees: bool,
    context: Option<u64>,
    price: Option<KnownPrice>,
    retires: Option<String>,
    pub(crate) retired: bool,
    source: Option<String>,
}

/// US dollars for a million tokens.
#[derive(Debug, Serialize)]
struct KnownPrice {
    input: f64,
    output: f64,
    cached: Option<f64>,
    cache_write: Option<f64>,
}

pub(super) fn check(names: &[String], workshop: &Workshop, printer: Printer) -> anyhow::Result<Exit> {
    let file = workshop.setup().models.as_deref();
    let known = if names.is_empty() { own_models(file)? } else { named(names, file)? };
    if known.is_empty() {
        bail!("no model is named\nhint: name some, or give a file of models: --models FILE");
    }
    printer.data(&known, || text(&known))?;
    let retired: Vec<&KnownModel> = known.iter().filter(|model| model.retired).collect();
    for model in &retired {
        printer.say(format!("warning: {}", models::gone(&model.model, model.retires.as_deref().unwrap_or_default())));
    }
    Ok(if retired.is_empty() { Exit::Success } else { Exit::Refused })
}

/// What is known of every model that the user's own file names.
pub(crate) fn own_models(file: Option<&Path>) -> anyhow::Result<Vec<KnownModel>> {
    let Some(file) = file else { return Ok(Vec::new()) };
    let catalogue = ModelCatalogue::load(Some(file))?;
    let names = catalogue.own_names().filter(|name| !name.contains('*'));
    Ok(names.map(|name| KnownModel::of(&catalogue.known(name))).collect())
}

fn named(names: &[String], file: Option<&Path>) -> anyhow::Result<Vec<KnownModel>> {
    let catalogue = ModelCatalogue::load(file)?;
    let known = |name: &String| {
        let spec: ModelSpec = name.parse()?;
        anyhow::Ok(KnownModel::of(&catalogue.known(&spec.full_name())))
    };
    names.iter().map(known).collect()
}

impl KnownModel {
    fn of(facts: &ModelFacts) -> Self {
        let has_tool = facts.computer.is_some_and(|tool| tool != ComputerTool::None);
        Self {
            model: facts.name.clone(),
            tool: if has_tool { "computer tool" } else { "our tools" },
            points: facts.points.map(quintain_models::model::Points::name),
            sees: facts.sees.unwrap_or(true),
            context: facts.context,
            price: facts.price.as_ref().map(KnownPrice::of),
            retires: facts.retires.map(|day| day.to_string()),
            retired: facts.retires.is_some_and(|day| day.is_past(&now())),
            source: facts.source.clone(),
        }
    }

    fn row(&self) -> Vec<String> {
        let price = self.price.as_ref().map_or_else(|| "price unknown".to_owned(), KnownPrice::text);
        let retires = match &self.retires {
            Some(day) if self.retired => format!("retired {day}"),
            Some(day) => format!("until {day}"),
            None => String::new(),
        };
        vec![
            self.model.clone(),
            if self.sees { self.tool.to_owned() } else { format!("{}, blind", self.tool) },
            self.points.unwrap_or_default().to_owned(),
            self.context.map(|tokens| format!("{tokens} tokens")).unwrap_or_default(),
            price,
            retires,
        ]
    }
}

impl KnownPrice {
    fn of(price: &Price) -> Self {
        Self { input: price.input, output: price.output, cached: price.cached, cache_write: price.cache_write }
    }

    fn text(&self) -> String {
        let parts = [
            (Some(self.input), "in"),
            (Some(self.output), "out"),
            (self.cached, "cached"),
            (self.cache_write, "write"),
        ];
        let told = parts.into_iter().filter_map(|(usd, what)| Some(format!("${} {what}", usd?)));
        told.collect::<Vec<_>>().join(", ")
    }
}

fn text(known: &[KnownModel]) -> String {
    table(&known.iter().map(KnownModel::row).collect::<Vec<_>>())
}
