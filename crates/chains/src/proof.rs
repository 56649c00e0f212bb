//! The proof that an instance has one answer, whoever reads it rightly.

use std::collections::BTreeSet;

use quintain_atlas::query::{Clearance, Misreading};
use quintain_atlas::{Atlas, Entity};
use quintain_core::task::ChainField;

use crate::fill::filled;
use crate::find::Variables;
use crate::solve::{FieldValue, SolvedField, Unsolved};
use crate::told::slack;

/// Why a draw is no instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawRefusal {
    /// A field has no answer.
    Nothing(String),
    /// Another answer comes too near.
    Unclear(String),
    /// Too many or too few to choose from.
    Crowd(String),
    /// Two of those that are handed in are called alike.
    Namesakes(String),
    /// A wrong reading changes a field, and the instruction does not settle it.
    Unsettled(String, Misreading),
    /// Too many or too few wrong readings change something.
    Traps(usize),
    /// Whoever passes over the condition of a list comes to the same answers.
    Idle(String),
    /// What was to be drawn is not there.
    NoDraw(String),
}

impl DrawRefusal {
    /// What it is about, for counting.
    pub fn reason(&self) -> String {
        match self {
            Self::Nothing(field) => format!("`{field}` has no answer"),
            Self::Unclear(field) => format!("the answer of `{field}` is too near to another"),
            Self::Crowd(field) => format!("`{field}` is drawn from too many or too few"),
            Self::Namesakes(field) => format!("two of `{field}` have the same name"),
            Self::Unsettled(field, misreading) => {
                format!("`{field}` is another by the reading {misreading:?}, which is not settled")
            }
            Self::Traps(n) => format!("{n} traps"),
            Self::Idle(list) => format!("the condition of `{list}` decides nothing"),
            Self::NoDraw(name) => format!("`{name}` cannot be drawn"),
        }
    }
}

impl From<Unsolved> for DrawRefusal {
    fn from(unsolved: Unsolved) -> Self {
        match unsolved {
            Unsolved::Nothing(field) | Unsolved::Wrong(field) => Self::Nothing(field),
        }
    }
}

/// Whether a solved field has one clear answer from as many candidates as it should.
pub(crate) fn is_clear(
    atlas: &Atlas,
    field: &ChainField,
    solved: &SolvedField,
    known: &Variables,
) -> Result<Result<(), DrawRefusal>, String> {
    let name = || solved.name.clone();
    if !solved.outcome.is_clear(Clearance::USUAL) {
        return Ok(Err(DrawRefusal::Unclear(name())));
    }
    if let Some(among) = &field.among {
        let (least, most): (usize, usize) = serde_json::from_value(filled(among, known)?)
            .map_err(|error| format!("`among` of `{}`: {error}", field.name))?;
        if !(least..=most).contains(&solved.outcome.candidates.len()) {
            return Ok(Err(DrawRefusal::Crowd(name())));
        }
    }
    let handed_in: Vec<Entity> = match &solved.value {
        FieldValue::Entities(entities) => entities.clone(),
        FieldValue::Table(rows) => rows.iter().map(|row| row.0).collect(),
        // Whoever is named must not be mistaken for another one who was looked at.
        FieldValue::Entity(_) => solved.outcome.candidates.iter().map(|candidate| candidate.entity).collect(),
        _ => Vec::new(),
    };
    let names: BTreeSet<String> = handed_in.iter().map(|entity| atlas.title(*entity)).collect();
    if names.len() < handed_in.len() {
        return Ok(Err(DrawRefusal::Namesakes(name())));
    }
    Ok(Ok(()))
}

/// The wrong readings under which a field is another, with what it comes to.
pub(crate) fn readings(
    atlas: &Atlas,
    field: &ChainField,
    solved: &SolvedField,
) -> Vec<(Misreading, Option<FieldValue>)> {
    let read = |misreading| {
        let outcome = atlas.evaluate_misread(&solved.query, misreading);
        (misreading, FieldValue::of(field.answer_type, &outcome, solved.row))
    };
    let all = Misreading::ALL.into_iter().map(read);
    all.filter(|(_, value)| !value.as_ref().is_some_and(|value| is_as_good(field, value, &solved.value))).collect()
}

/// Whether a value is right, or a number no farther off than the judge allows: such a reading is no trap.
pub(crate) fn is_as_good(field: &ChainField, value: &FieldValue, right: &FieldValue) -> bool {
    match (value, right) {
        (FieldValue::Number(value), FieldValue::Number(right)) if value.unit == right.unit => {
            let slack = slack(field, *right).unwrap_or_default();
            value == right || (value.value() - right.value()).abs() <= slack
        }
        _ => value == right,
    }
}

/// The wrong readings that change something in a chain; refused where the instruction does not settle one of them.
pub(crate) fn traps<'a>(
    atlas: &Atlas,
    fields: impl Iterator<Item = (&'a ChainField, &'a SolvedField)>,
    settled: &[Misreading],
) -> Result<BTreeSet<Misreading>, DrawRefusal> {
    let mut traps = BTreeSet::new();
    for (field, solved) in fields {
        for (misreading, _) in readings(atlas, field, solved) {
            if !settled.contains(&misreading) {
                return Err(DrawRefusal::Unsettled(field.name.clone(), misreading));
            }
            traps.insert(misreading);
        }
    }
    Ok(traps)
}

#[cfg(test)]
mod tests {
    use quintain_atlas::{MeasureUnit, Number};
    use quintain_core::task::ChainSpec;

    use super::*;

    #[test]
    fn what_is_read_off_a_chart_may_be_a_little_off() {
        let field = |within: &str| {
            let step = "[[step]]\nname = 'one'\nask = 'How much?'\n[[step.field]]\nname = 'megawatts'\n";
            let text = format!("goal = 'How much?'\n{step}type = 'number'\nabout = 'megawatts'\nfind = {{}}\n{within}");
            ChainSpec::read(&text).unwrap().steps.remove(0).fields.remove(0)
        };
        let whole = |n| FieldValue::Number(Number::whole(n, MeasureUnit::Count));
        let is_as_good = |within, n| super::is_as_good(&field(within), &whole(n), &whole(700));
        assert!(is_as_good("", 700) && !is_as_good("", 701));
        assert!(is_as_good("within = 0.04", 728) && is_as_good("within = 0.04", 672));
        assert!(!is_as_good("within = 0.04", 729) && !is_as_good("within = 0.04", 671));
    }
}
