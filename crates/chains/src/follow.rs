//! Whether answers follow from the agent's own earlier ones: whoever slipped once and went on rightly is told so.

use quintain_atlas::{Atlas, Date, Entity, Kind};
use quintain_checks::fold::fold_name;
use quintain_core::task::ChainField;
use serde_json::{Map, Value, json};

use crate::solve::{FieldValue, fields, solve_field};
use crate::told::{expected, other_names};
use crate::worked::WorkedChain;

/// What the judge would compare the fields of a step with, had the agent's own answers to the steps before it been right;
/// nothing where nothing follows from them.
pub fn expected_from_own(worked: &WorkedChain, step: usize, sheet: &Map<String, Value>) -> Option<Map<String, Value>> {
    let WorkedChain { spec, web, instance } = worked;
    let atlas = &web.atlas;
    let mut known = instance.drawn.clone();
    let mut followed = Map::new();
    for ((of, field), solved) in fields(spec).zip(&instance.fields) {
        if of > step {
            break;
        }
        if of == step {
            let one = solve_field(atlas, field, step, &known, &Atlas::evaluate).ok()?;
            followed.insert(field.name.clone(), expected(atlas, field, &one.value));
            known.insert(field.name.clone(), one.value.variable());
        } else if let Some(own) = sheet.get(&field.name).and_then(|own| own_variable(atlas, field, &solved.value, own))
        {
            known.insert(field.name.clone(), own);
        }
    }
    Some(followed)
}

/// An answer as later questions take it. The kind of thing it is, is that of the right answer.
fn own_variable(atlas: &Atlas, field: &ChainField, right: &FieldValue, own: &Value) -> Option<Value> {
    match right {
        FieldValue::Entity(entity) => named(atlas, *entity, own.as_str()?).map(|entity| json!(entity)),
        FieldValue::Entities(entities) => names(atlas, *entities.first()?, own.as_array()?.iter().collect()),
        FieldValue::Table(rows) => {
            let key = field.columns.first()?;
            names(atlas, rows.first()?.0, own.as_array()?.iter().map(|row| &row[key]).collect())
        }
        FieldValue::Date(_) => Date::parse(own.as_str()?).map(|date| json!(date)),
        FieldValue::Number(_) => Some(own_number(own)),
        FieldValue::Term(_) => Some(own.clone()),
    }
}

/// A number as later questions take it: whole ones, such as years, are often handed in as text.
fn own_number(own: &Value) -> Value {
    let whole = own.as_str().and_then(|text| text.trim().parse::<i64>().ok());
    whole.map_or_else(|| own.clone(), |whole| json!(whole))
}

fn names(atlas: &Atlas, like: Entity, own: Vec<&Value>) -> Option<Value> {
    own.into_iter().map(|name| named(atlas, like, name.as_str()?).map(|entity| json!(entity))).collect()
}

/// The entity with a name; the right one where several have it.
fn named(atlas: &Atlas, right: Entity, name: &str) -> Option<Entity> {
    let wanted = fold_name(name);
    let is_wanted = |name: &str| may_fold_to(name, &wanted) && fold_name(name) == wanted;
    let is_named = |entity: Entity| {
        is_wanted(&atlas.title(entity))
            || matches!(entity.kind(), Kind::Company | Kind::Person)
                && other_names(atlas, entity).iter().any(|other| is_wanted(other))
    };
    if is_named(right) {
        return Some(right);
    }
    atlas.entities(right.kind()).find(|entity| is_named(*entity))
}

/// Whether a name can be the folded one. Folding is slow and nearly all names of a world begin otherwise; of names with
/// other letters than ASCII's nothing is said, for what they fold to is not seen from outside.
fn may_fold_to(name: &str, folded: &str) -> bool {
    let first = |text: &str| text.chars().find(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
    !name.is_ascii() || first(name) == first(folded)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_name_is_passed_over_that_folds_to_the_wanted_one(name in "[ -~]{0,12}|\\PC{0,12}") {
            prop_assert!(may_fold_to(&name, &fold_name(&name)));
        }
    }

    #[test]
    fn most_names_are_passed_over() {
        assert!(!may_fold_to("Orsted", &fold_name("Brandt & Co.")));
    }

    #[test]
    fn years_may_be_handed_in_as_text() {
        assert_eq!(own_number(&json!(" 2019 ")), json!(2019));
        assert_eq!(own_number(&json!(12.5)), json!(12.5));
        assert_eq!(own_number(&json!("12.5 %")), json!("12.5 %"));
    }
}
