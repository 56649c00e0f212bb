//! What is drawn for an instance.

use quintain_atlas::query::{Ask, EntityPool, Link, Measure, Test};
use quintain_atlas::{Atlas, Date, Entity, Kind};
use quintain_core::Rng;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::fill::filled;
use crate::find::Variables;

/// Something that is drawn, under a name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct DrawSpec {
    /// What it is called.
    pub(crate) name: String,
    /// How it is drawn, with places for what was drawn before.
    pub(crate) take: Value,
}

/// How something is drawn.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum DrawRule {
    /// Any entity of a kind that passes some tests.
    Pick {
        /// The kind.
        all: Kind,
        /// The tests.
        #[serde(default, rename = "where")]
        tests: Vec<Test>,
        /// A number that it must have.
        #[serde(default)]
        with: Option<Measure>,
        /// Those that it must not be.
        #[serde(default)]
        besides: Vec<Entity>,
    },
    /// Whatever is related to an entity: one of several.
    Follow(Entity, Link),
    /// The one thing that is related to an entity; nothing where there are several.
    Only(Entity, Link),
    /// A number of an entity.
    Measure(Entity, Measure),
    /// The year in which a paper, a notice or a news item appeared.
    YearOf(Entity),
    /// A whole number, both ends counted in.
    Between(i64, i64),
    /// The sum of whole numbers.
    Sum(Vec<i64>),
    /// One of these.
    OneOf(Vec<Value>),
    /// Any day of a year.
    DayOf(i32),
}

/// So many entities are looked at for one that passes.
const MOST_LOOKED_AT: usize = 4_000;

impl DrawSpec {
    /// Draws it; nothing where there is nothing to be drawn, so that the whole draw begins again.
    pub(crate) fn draw(&self, atlas: &Atlas, variables: &Variables, rng: &mut Rng) -> Result<Option<Value>, String> {
        let filled = filled(&self.take, variables)?;
        let rule: DrawRule = serde_json::from_value(filled.clone())
            .map_err(|error| format!("`{}` cannot be drawn: {error} in {filled}", self.name))?;
        Ok(rule.draw(atlas, rng))
    }
}

impl DrawRule {
    fn draw(&self, atlas: &Atlas, rng: &mut Rng) -> Option<Value> {
        match self {
            Self::Pick { all, tests, with, besides } => {
                let passes =
                    |entity: &Entity| !besides.contains(entity) && passes(atlas, *entity, tests, with.as_ref());
                pick(atlas, *all, passes, rng).map(|entity| json!(entity))
            }
            Self::Follow(entity, link) => {
                let related = atlas.evaluate(&EntityPool::one(*entity).ask(Ask::Follow(*link))).entities();
                (!related.is_empty()).then(|| json!(rng.choose(&related)))
            }
            Self::Only(entity, link) => {
                let related = atlas.evaluate(&EntityPool::one(*entity).ask(Ask::Follow(*link)));
                related.entity().map(|entity| json!(entity))
            }
            Self::Measure(entity, measure) => Some(json!(measured(atlas, *entity, measure)?)),
            Self::YearOf(entity) => {
                let day = i32::try_from(measured(atlas, *entity, &Measure::Dated)?).ok()?;
                Some(json!(Date(day).year()))
            }
            Self::Between(low, high) => (low <= high).then(|| json!(rng.between(*low, *high))),
            Self::Sum(parts) => Some(json!(parts.iter().sum::<i64>())),
            Self::OneOf(choices) => (!choices.is_empty()).then(|| rng.choose(choices).clone()),
            Self::DayOf(year) => {
                let (first, last) = (Date::year_start(*year).0, Date::year_end(*year).0);
                Some(json!(Date(rng.between(i64::from(first), i64::from(last)) as i32)))
            }
        }
    }
}

/// A number of an entity, in units of its last digit.
fn measured(atlas: &Atlas, entity: Entity, measure: &Measure) -> Option<i64> {
    let table = EntityPool::one(entity).ask(Ask::Table(vec![measure.clone()]));
    atlas.evaluate(&table).number().map(|number| number.scaled)
}

/// An entity of a kind that passes, found by trying.
fn pick(atlas: &Atlas, kind: Kind, passes: impl Fn(&Entity) -> bool, rng: &mut Rng) -> Option<Entity> {
    let n = atlas.count(kind);
    let mut tries = (0..MOST_LOOKED_AT).filter_map(|_| atlas.entity(kind, rng.below(n)));
    tries.find(passes)
}

/// Whether an entity passes all tests and has a number, where one is wanted.
fn passes(atlas: &Atlas, entity: Entity, tests: &[Test], with: Option<&Measure>) -> bool {
    let pool = EntityPool { tests: tests.to_vec(), ..EntityPool::one(entity) };
    let ask = with.map_or(Ask::Count, |measure| Ask::Sum(measure.clone()));
    atlas.evaluate(&pool.ask(ask)).number().is_some_and(|number| with.is_some() || number.scaled == 1)
}

#[cfg(test)]
mod tests {
    use quintain_atlas::{Edition, PaperId, Size};

    use super::*;

    #[test]
    fn those_that_are_left_out_are_not_picked() {
        let atlas = Atlas::new(Edition::FIRST, 1, Size::Small);
        let countries: Vec<Entity> = atlas.entities(Kind::Country).collect();
        let (besides, rest) = countries.split_at(countries.len() - 2);
        let rule: DrawRule =
            serde_json::from_value(json!({ "pick": { "all": "country", "besides": besides } })).unwrap();
        let mut rng = Rng::for_purpose(1, "draws");
        for _ in 0..20 {
            let drawn = rule.draw(&atlas, &mut rng).unwrap();
            assert!(rest.contains(&serde_json::from_value(drawn).unwrap()));
        }
    }

    #[test]
    fn a_sole_author_and_the_year_of_a_paper_can_be_drawn() {
        let atlas = Atlas::new(Edition::FIRST, 1, Size::Small);
        let mut rng = Rng::for_purpose(1, "draws");
        let mut with_authors = |wanted: usize| {
            let papers = (0..atlas.count(Kind::Paper) as u32).map(PaperId);
            let paper = papers.into_iter().find(|&paper| atlas.papers.authors.of(paper).len() == wanted).unwrap();
            let drawn = DrawRule::Only(paper.into(), Link::Authors).draw(&atlas, &mut rng);
            (paper, drawn)
        };
        let (alone, author) = with_authors(1);
        assert_eq!(author, Some(json!(Entity::Person(atlas.papers.authors.of(alone)[0]))));
        assert_eq!(with_authors(2).1, None);
        let year = DrawRule::YearOf(alone.into()).draw(&atlas, &mut rng);
        assert_eq!(year, Some(json!(atlas.papers.date[alone].year())));
        assert_eq!(DrawRule::YearOf(Entity::Person(atlas.papers.corresponding[alone])).draw(&atlas, &mut rng), None);
    }
}
