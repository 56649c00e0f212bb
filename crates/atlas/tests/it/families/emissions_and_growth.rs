//! Family 9: members of a bloc that grew, where emissions fell most, its head of government, energy and climate plan.

use quintain_atlas::query::{Answer, Ask, Comparison, EntityPool, Link, Measure, Misreading, QueryOutcome, Test};
use quintain_atlas::statistics::{EnergySource, known};
use quintain_atlas::{Atlas, BlocId, Date, Entity, RowId};
use quintain_core::Rng;

use super::clear;

pub(super) fn draw(atlas: &Atlas, rng: &mut Rng, variant: u64) -> Option<Vec<QueryOutcome>> {
    let bloc = BlocId::from_index(rng.below(atlas.blocs.name.len()));
    let from = rng.between(2000, 2016) as i32;
    let to = (from + rng.between(5, 10) as i32).min(2024);
    let bound = rng.between(1, 10) as f64 * 5.0;
    let growth = Measure::indicator_growth(known::OUTPUT_REAL, from, to);
    let grown = EntityPool::related(
        bloc,
        Link::Members(Date::year_end(to)),
        vec![Test::Compare(growth, Comparison::Above, bound)],
    );
    let grew = clear(atlas, &grown.clone().ask(Ask::List))?;
    if !(4..=9).contains(&grew.entities().len()) {
        return None;
    }
    let fall = grown.least(Measure::indicator_growth(known::EMISSIONS_A_HEAD, from, to));
    let cleanest = clear(atlas, &fall)?;
    let (Answer::Best(Entity::Country(country), percent), true) =
        (cleanest.answer.clone(), cleanest.candidates.len() > 3)
    else {
        return None;
    };
    let day = Date(rng.between(i64::from(Date::year_start(to).0), i64::from(Date::year_end(to).0)) as i32);
    let head = EntityPool::one(country).ask(Ask::Follow(Link::HeadOfGovernment(day)));
    let renewable = EnergySource::RENEWABLE.into_iter().map(Entity::EnergySource).collect();
    let source = clear(atlas, &EntityPool::these(renewable).most(Measure::CapacityIn(country, to)))?;
    let plan = EntityPool::one(country).ask(Ask::Follow(Link::LatestPlan(Date::TODAY)));
    let latest = clear(atlas, &plan)?;
    let change = Ask::Table(vec![Measure::TargetChange]);
    let change =
        clear(atlas, &EntityPool::one(latest.entity()?).ask(change)).filter(|change| change.number().is_some())?;
    let changes = |query, misreading| atlas.evaluate_misread(query, misreading).answer != atlas.evaluate(query).answer;
    let is_trap = percent.scaled < 0
        && changes(&plan, Misreading::SupersededAmendment)
        && match variant % 3 {
            0 => changes(&fall, Misreading::BeforeBreak),
            1 => changes(&fall, Misreading::Provisional),
            _ => changes(&head, Misreading::OutdatedEncyclopaedia),
        };
    let outcomes = vec![grew, cleanest, clear(atlas, &head)?, source, latest, change];
    is_trap.then_some(outcomes)
}
