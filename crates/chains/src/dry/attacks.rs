//! Whether search gives an answer away: the whole instruction, each of its sentences and each pair of its constants are
//! looked up, and what is found first must not say what is asked for.

use std::collections::BTreeSet;

use quintain_atlas::query::Ask;
use quintain_atlas::{Kind, MeasureUnit};
use quintain_core::task::ChainSpec;
use quintain_core::world::DryFigures;
use quintain_sites::{SearchFilter, Web};

use crate::solve::{ChainInstance, FieldValue};
use crate::told::{in_words, words};
use crate::worked::WorkedChain;

/// So many results of each query are looked at.
const N_LOOKED_AT: usize = 20;

/// What search gives away.
pub(super) fn leaks(worked: &WorkedChain, instruction: &str, figures: &mut DryFigures) -> Vec<String> {
    let WorkedChain { spec, web, instance } = worked;
    let secrets = secrets(web, spec, instance);
    let mut found = Vec::new();
    for query in queries(web, instance, instruction) {
        *figures.entry("attacks".to_owned()).or_default() += 1.0;
        let said = results(web, &query);
        let told = secrets.iter().filter(|(_, secret)| said.contains(secret.as_str()));
        found.extend(told.map(|(field, secret)| format!("search for {query:?} gives away `{field}`: {secret}")));
    }
    found
}

/// Answers that nobody may come upon by looking up the question: figures, days, and people who are found by following a
/// relation. Whatever is chosen from a list stands in it anyway, and countries, places and years are named everywhere.
fn secrets(web: &Web, spec: &ChainSpec, instance: &ChainInstance) -> Vec<(String, String)> {
    let fields = spec.fields().zip(&instance.fields).filter(|(_, solved)| solved.step > 0);
    let is_secret = |value: &FieldValue, ask: &Ask| match value {
        FieldValue::Entity(entity) => entity.kind() == Kind::Person && matches!(ask, Ask::Follow(_)),
        FieldValue::Number(number) => number.scaled.abs() >= 1000 && number.unit != MeasureUnit::Year,
        FieldValue::Date(_) => true,
        FieldValue::Entities(_) | FieldValue::Table(_) | FieldValue::Term(_) => false,
    };
    let fields = fields.filter(|(_, solved)| is_secret(&solved.value, &solved.query.ask));
    fields.map(|(field, solved)| (field.name.clone(), in_words(&web.atlas, field, &solved.value))).collect()
}

/// What an attacker looks up.
fn queries(web: &Web, instance: &ChainInstance, instruction: &str) -> Vec<String> {
    let question = instruction.split("\n\n").nth(1).unwrap_or(instruction);
    let mut queries = vec![question.to_owned()];
    queries.extend(
        question.split_inclusive(['.', '?', '\n']).map(str::trim).filter(|part| part.len() > 12).map(str::to_owned),
    );
    let drawn = words(&web.atlas, &instance.drawn);
    let constants: BTreeSet<String> = drawn.values().filter_map(|value| value.as_str().map(str::to_owned)).collect();
    let constants: Vec<String> =
        constants.into_iter().filter(|constant| question.contains(constant.as_str())).collect();
    for (at, one) in constants.iter().enumerate() {
        queries.extend(constants[at + 1..].iter().map(|other| format!("{one} {other}")));
    }
    queries
}

/// Everything that the first results say.
fn results(web: &Web, query: &str) -> String {
    let mut said = String::new();
    for page in 1..=2 {
        let found = web.index.search(&web.atlas, query, SearchFilter::default(), page);
        for hit in found.hits.iter().take(N_LOOKED_AT) {
            said.push_str(&web.atlas.title(hit.entity));
            said.push('\n');
            said.push_str(&web.lead(hit.host, hit.entity));
            said.push('\n');
        }
    }
    said
}
