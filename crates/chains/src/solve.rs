//! What the questions of a chain come to.

use quintain_atlas::query::{Answer, Query, QueryOutcome};
use quintain_atlas::{Atlas, Date, Entity, Number, Value as AtlasValue};
use quintain_core::task::{AnswerType, ChainField, ChainSpec};
use serde_json::{Value, json};

use crate::find::{FindRule, Variables};

/// What a field comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum FieldValue {
    /// Somebody or something.
    Entity(Entity),
    /// Several.
    Entities(Vec<Entity>),
    /// A number.
    Number(Number),
    /// A day.
    Date(Date),
    /// Rows.
    Table(Vec<(Entity, Vec<Number>)>),
    /// A term of a list.
    Term(&'static str),
}

/// A field, the query that finds it and what it comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct SolvedField {
    /// The name of the field.
    pub name: String,
    /// The step it belongs to, counted from 0.
    pub step: usize,
    /// How it is found.
    pub query: Query,
    /// Of a table, the row that is asked for.
    pub row: Option<Entity>,
    /// What the query comes to.
    pub outcome: QueryOutcome,
    /// What is handed in.
    pub value: FieldValue,
}

/// A chain in a world: what was drawn, and what it comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainInstance {
    /// Parameters and what was drawn, without the answers.
    pub drawn: Variables,
    /// The fields, in order.
    pub fields: Vec<SolvedField>,
}

impl FieldValue {
    /// What later questions are filled with.
    pub(crate) fn variable(&self) -> Value {
        match self {
            Self::Entity(entity) => json!(entity),
            Self::Entities(entities) => json!(entities),
            // A year that was found is a year for those who ask on.
            Self::Number(number) if number.digits == 0 => json!(number.scaled),
            Self::Number(number) => json!(number.value()),
            Self::Date(date) => json!(date),
            Self::Table(rows) => rows.iter().map(|row| json!(row.0)).collect(),
            Self::Term(term) => json!(term),
        }
    }

    /// What an outcome hands in for a field of a type; nothing where it has nothing of that type.
    pub(crate) fn of(answer_type: AnswerType, outcome: &QueryOutcome, row: Option<Entity>) -> Option<Self> {
        match answer_type {
            AnswerType::Entity => outcome.entity().map(Self::Entity),
            AnswerType::Names => {
                // Whoever reads wrongly may come to the same names in another order, which is the same answer.
                let mut names = outcome.entities();
                names.sort_unstable();
                (!names.is_empty()).then_some(Self::Entities(names))
            }
            AnswerType::Table => match &outcome.answer {
                Answer::Table(rows) => rows.iter().map(whole_row).collect::<Option<_>>().map(Self::Table),
                _ => None,
            },
            AnswerType::Term => match outcome.answer {
                Answer::Term(term) => Some(Self::Term(term)),
                _ => None,
            },
            AnswerType::Number | AnswerType::Percent | AnswerType::Money | AnswerType::Date | AnswerType::Quantity => {
                Some(match AtlasValue::from(number(outcome, row)?) {
                    AtlasValue::Date(date) => Self::Date(date),
                    AtlasValue::Number(number) => Self::Number(number),
                    _ => return None,
                })
            }
        }
    }
}

fn whole_row((entity, numbers): &(Entity, Vec<Option<Number>>)) -> Option<(Entity, Vec<Number>)> {
    Some((*entity, numbers.iter().copied().collect::<Option<_>>()?))
}

/// The number of an outcome, or of one row of its table.
fn number(outcome: &QueryOutcome, row: Option<Entity>) -> Option<Number> {
    match (&outcome.answer, row) {
        (Answer::Table(rows), Some(row)) => *rows.iter().find(|(entity, _)| *entity == row)?.1.first()?,
        _ => outcome.number(),
    }
}

/// Something that stands in the way of solving a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsolved {
    /// A field that has no answer here: another draw may have one.
    Nothing(String),
    /// Something is wrong with the chain itself.
    Wrong(String),
}

/// Works out one field from what is known before it.
pub(crate) fn solve_field(
    atlas: &Atlas,
    field: &ChainField,
    step: usize,
    known: &Variables,
    evaluate: &dyn Fn(&Atlas, &Query) -> QueryOutcome,
) -> Result<SolvedField, Unsolved> {
    let wrong = |why: String| Unsolved::Wrong(format!("field `{}`: {why}", field.name));
    let rule = FindRule::read(&field.find, known).map_err(wrong)?;
    let query = rule.query().map_err(wrong)?;
    let outcome = evaluate(atlas, &query);
    let value = FieldValue::of(field.answer_type, &outcome, rule.row);
    let value = value.ok_or_else(|| Unsolved::Nothing(field.name.clone()))?;
    Ok(SolvedField { name: field.name.clone(), step, query, row: rule.row, outcome, value })
}

/// All fields of a chain with the steps they belong to.
pub(crate) fn fields(spec: &ChainSpec) -> impl Iterator<Item = (usize, &ChainField)> {
    spec.steps.iter().enumerate().flat_map(|(step, of)| of.fields.iter().map(move |field| (step, field)))
}

/// Works out all fields of a chain by the rules.
pub(crate) fn solve(atlas: &Atlas, spec: &ChainSpec, drawn: &Variables) -> Result<Vec<SolvedField>, Unsolved> {
    solve_as(atlas, spec, drawn, None, &Atlas::evaluate)
}

/// Works out all fields of a chain in some reading. One field may be taken for something else: then everything after it
/// follows from that.
pub(crate) fn solve_as(
    atlas: &Atlas,
    spec: &ChainSpec,
    drawn: &Variables,
    instead: Option<(&str, &FieldValue)>,
    evaluate: &dyn Fn(&Atlas, &Query) -> QueryOutcome,
) -> Result<Vec<SolvedField>, Unsolved> {
    let mut known = drawn.clone();
    let mut solved: Vec<SolvedField> = Vec::new();
    for (step, field) in fields(spec) {
        let mut one = solve_field(atlas, field, step, &known, evaluate)?;
        if let Some((_, value)) = instead.filter(|(name, _)| *name == field.name) {
            one.value = value.clone();
        }
        known.insert(field.name.clone(), one.value.variable());
        solved.push(one);
    }
    Ok(solved)
}

#[cfg(test)]
mod tests {
    use quintain_atlas::MeasureUnit;

    use super::*;

    #[test]
    fn a_year_that_was_found_can_be_asked_about() {
        let year = FieldValue::Number(Number::whole(2019, MeasureUnit::Year));
        assert_eq!(year.variable(), json!(2019));
        let share = FieldValue::Number(Number { scaled: 125, digits: 1, unit: MeasureUnit::Percent });
        assert_eq!(share.variable(), json!(12.5));
    }
}
