//! How a field is found: a query with places for what was drawn and answered before.

use std::collections::BTreeMap;

use quintain_atlas::query::{Ask, Base, EntityPool, Link, Query, Test, Top};
use quintain_atlas::{Entity, Kind};
use serde::Deserialize;
use serde_json::Value;

use crate::fill::filled;

/// What has a name while a chain is worked out: parameters, what was drawn, answers.
pub(crate) type Variables = BTreeMap<String, Value>;

/// What `find` says once its places are filled.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct FindRule {
    /// All entities of a kind.
    all: Option<Kind>,
    /// One entity.
    one: Option<Entity>,
    /// These entities.
    these: Option<Vec<Entity>>,
    /// Whatever is related to one.
    of: Option<(Entity, Link)>,
    /// What they must pass.
    #[serde(default, rename = "where")]
    tests: Vec<Test>,
    /// Only the first few.
    top: Option<Top>,
    /// What is asked of them.
    ask: Ask,
    /// Of a table, the row of this one alone.
    pub(crate) row: Option<Entity>,
}

impl FindRule {
    /// Reads what a field's `find` says.
    pub(crate) fn read(find: &Value, variables: &Variables) -> Result<Self, String> {
        let filled = filled(find, variables)?;
        serde_json::from_value(filled.clone()).map_err(|error| format!("{error} in {filled}"))
    }

    /// The query.
    pub(crate) fn query(&self) -> Result<Query, String> {
        let base = match (self.all, self.one, &self.these, self.of) {
            (Some(kind), None, None, None) => Base::All(kind),
            (None, Some(entity), None, None) => Base::These(vec![entity]),
            (None, None, Some(entities), None) => Base::These(entities.clone()),
            (None, None, None, Some((entity, link))) => Base::Related(entity, link),
            _ => return Err("one of `all`, `one`, `these` and `of` tells of whom".to_owned()),
        };
        let pool = EntityPool { base, tests: self.tests.clone(), top: self.top.clone() };
        Ok(Query { pool, ask: self.ask.clone() })
    }
}
