//! The way to the answers of a chain over the sites: where everything stands that a question is answered from.
//!
//! A way is worked out by going it: every page is asked for, every link and option must be there, and every figure that a
//! question needs must be stated on the page that is open, by the source that rules. So a way that can be worked out is a
//! proof that the question can be answered.

mod companies;
mod countries;
mod measures;
mod notices;
mod papers;
mod people;
mod pools;
mod relations;

use quintain_atlas::query::{Ask, Measure};
use quintain_atlas::{Atlas, Entity, Value};
use quintain_sites::Web;

use crate::premise::Premise;
use crate::solve::{ChainInstance, SolvedField};
use crate::walk::Walker;
use crate::waypoint::Waypoint;
use crate::worked::WorkedChain;

/// The way through one step, from anywhere, to the note of its fields. What tables of steps before it hold is known.
pub fn of_step(worked: &WorkedChain, step: usize) -> Result<Vec<Waypoint>, String> {
    Ok(walked(worked, step)?.take_way())
}

/// What pages have to say for the answers of a step: what is read on the way.
pub fn premises_of_step(worked: &WorkedChain, step: usize) -> Result<Vec<Premise>, String> {
    Ok(walked(worked, step)?.take_premises())
}

/// Somebody who has gone the way through one step.
fn walked(worked: &WorkedChain, step: usize) -> Result<Walker<'_>, String> {
    let WorkedChain { spec, web, instance } = worked;
    let mut walker = Walker::new(web);
    let mut known = KnownFigures::before(instance, step);
    for field in instance.fields.iter().filter(|field| field.step == step) {
        find(web, &mut walker, field, &mut known).map_err(|why| format!("`{}`: {why}", field.name))?;
    }
    walker.note(spec.steps[step].fields.iter().map(|field| field.name.clone()).collect());
    Ok(walker)
}

/// What is known already: figures of entities, by measure.
struct KnownFigures(Vec<(Entity, Measure)>);

impl KnownFigures {
    /// What the tables of the steps before tell.
    fn before(instance: &ChainInstance, step: usize) -> Self {
        let mut known = Self(Vec::new());
        for field in instance.fields.iter().filter(|field| field.step < step) {
            if let Ask::Table(measures) = &field.query.ask {
                known.learn(field, measures);
            }
        }
        known
    }

    fn learn(&mut self, field: &SolvedField, measures: &[Measure]) {
        let entities = field.outcome.candidates.iter().map(|candidate| candidate.entity);
        self.0.extend(entities.flat_map(|entity| measures.iter().map(move |measure| (entity, measure.clone()))));
    }

    fn has(&self, entity: Entity, measure: &Measure) -> bool {
        self.0.iter().any(|(known, by)| *known == entity && by == measure)
    }
}

/// Goes where a field's answer stands.
fn find(web: &Web, walker: &mut Walker<'_>, field: &SolvedField, known: &mut KnownFigures) -> Result<(), String> {
    pools::enter(&web.atlas, walker, &field.query.pool)?;
    let candidates: Vec<Entity> = field.outcome.candidates.iter().map(|candidate| candidate.entity).collect();
    match &field.query.ask {
        Ask::List => field.outcome.entities().into_iter().try_for_each(|entity| walker.see_name(entity)),
        Ask::Count => Ok(()),
        Ask::Best { by, .. } | Ask::Sum(by) => {
            measures::read_all(web, walker, &candidates, std::slice::from_ref(by), known)
        }
        Ask::Table(by) => {
            measures::read_all(web, walker, &candidates, by, known)?;
            known.learn(field, by);
            Ok(())
        }
        Ask::Follow(link) => {
            let of = candidates.first().copied().ok_or("nobody is asked about")?;
            let found = field.outcome.entities();
            found.into_iter().try_for_each(|entity| relations::read(web, walker, of, *link, entity))
        }
        Ask::RestatementReason => {
            let of = candidates.first().copied().ok_or("nobody is asked about")?;
            companies::restatement_note(web, walker, of)
        }
    }
}

/// What a measure of an entity comes to, as pages state it.
fn figure(atlas: &Atlas, entity: Entity, measure: &Measure) -> Option<Value> {
    let query = quintain_atlas::query::EntityPool::one(entity).ask(Ask::Table(vec![measure.clone()]));
    atlas.evaluate(&query).number().map(Value::from)
}
