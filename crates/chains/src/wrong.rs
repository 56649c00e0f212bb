//! Sheets that are wrong and near: what somebody hands in who reads the world wrongly, takes the runner-up or passes over the
//! condition of a list, and is right from there on.

use std::collections::BTreeMap;

use quintain_atlas::Atlas;
use quintain_atlas::query::{Answer, Misreading};
use quintain_core::task::{AnswerType, ChainField};
use serde_json::Value;

use crate::idle::without_its_condition;
use crate::proof::{is_as_good, readings};
use crate::solve::{FieldValue, SolvedField, fields, solve_as};
use crate::told::answered;
use crate::worked::WorkedChain;

/// A sheet that is wrong from one field on.
#[derive(Clone, Debug, PartialEq)]
pub struct WrongSheet {
    /// How it came about: a wrong reading by its name, `runner-up`, or `condition-dropped`.
    pub how: String,
    /// The field that was got wrong first.
    pub field: String,
    /// All fields, as they would be handed in. Fields that have no answer from there on are left out.
    pub sheet: BTreeMap<String, Value>,
}

impl WorkedChain {
    /// All wrong sheets that are known of it: everything read wrongly in one way, one field read wrongly in one
    /// way, the runner-up taken for the first, the condition of a list passed over.
    pub fn wrong_sheets(&self) -> Vec<WrongSheet> {
        let everything = Misreading::ALL.into_iter().filter_map(|misreading| self.misread(misreading));
        let mut sheets: Vec<WrongSheet> = everything.collect();
        for ((_, field), solved) in fields(&self.spec).zip(&self.instance.fields) {
            let misread = readings(&self.web.atlas, field, solved).into_iter();
            let misread = misread.filter_map(|(misreading, value)| Some((name_of(misreading), value?)));
            let wrong = misread.chain(runner_up(solved)).chain(condition_dropped(&self.web.atlas, field, solved));
            sheets.extend(wrong.map(|(how, value)| self.wrong_field(how, &field.name, &value)));
        }
        let mut distinct: Vec<WrongSheet> = Vec::new();
        for sheet in sheets {
            if !distinct.iter().any(|known| known.sheet == sheet.sheet && known.field == sheet.field) {
                distinct.push(sheet);
            }
        }
        distinct
    }

    /// Everything read wrongly in one way; nothing where that changes nothing.
    fn misread(&self, misreading: Misreading) -> Option<WrongSheet> {
        let (atlas, instance) = (&self.web.atlas, &self.instance);
        let evaluate = |atlas: &Atlas, query: &_| atlas.evaluate_misread(query, misreading);
        let all = solve_as(atlas, &self.spec, &instance.drawn, None, &evaluate).ok()?;
        let mut pairs = fields(&self.spec).zip(all.iter().zip(&instance.fields));
        let first = pairs.position(|((_, field), (one, right))| !is_as_good(field, &one.value, &right.value))?;
        let sheet = fields(&self.spec).zip(&all);
        let sheet = sheet.map(|((_, field), one)| (field.name.clone(), answered(atlas, field, &one.value))).collect();
        Some(WrongSheet { how: name_of(misreading), field: all[first].name.clone(), sheet })
    }

    fn wrong_field(&self, how: String, name: &str, value: &FieldValue) -> WrongSheet {
        let (atlas, instance) = (&self.web.atlas, &self.instance);
        let right = &instance.fields;
        // Where nothing follows from the wrong value, whoever holds it has nothing to hand in after it.
        let followed = solve_as(atlas, &self.spec, &instance.drawn, Some((name, value)), &Atlas::evaluate).ok();
        let wrong_at = right.iter().position(|field| field.name == name);
        let mut sheet = BTreeMap::new();
        for (at, (_, field)) in fields(&self.spec).enumerate() {
            let handed_in = match &followed {
                Some(all) => Some(&all[at].value),
                None if field.name == name => Some(value),
                None => wrong_at.is_some_and(|wrong_at| at < wrong_at).then(|| &right[at].value),
            };
            sheet.extend(handed_in.map(|value| (field.name.clone(), answered(atlas, field, value))));
        }
        WrongSheet { how, field: name.to_owned(), sheet }
    }
}

/// The second of those that the first was chosen from.
fn runner_up(solved: &SolvedField) -> Option<(String, FieldValue)> {
    let next = solved.outcome.candidates.get(1)?;
    let is_best = matches!(solved.outcome.answer, Answer::Best(..)) && matches!(solved.value, FieldValue::Entity(_));
    is_best.then(|| ("runner-up".to_owned(), FieldValue::Entity(next.entity)))
}

/// A list of everybody who could be in it.
fn condition_dropped(atlas: &Atlas, field: &ChainField, solved: &SolvedField) -> Option<(String, FieldValue)> {
    let all = (field.answer_type == AnswerType::Names).then(|| without_its_condition(atlas, field, solved))??;
    (all != solved.value).then(|| ("condition-dropped".to_owned(), all))
}

/// A wrong reading by its name.
fn name_of(misreading: Misreading) -> String {
    let name = serde_json::to_value(misreading).unwrap_or_default();
    name.as_str().unwrap_or_default().to_owned()
}
