//! Where figures stand.

use quintain_atlas::query::Measure;
use quintain_atlas::statistics::known as indicators;
use quintain_atlas::{CountryId, Entity};
use quintain_sites::Web;

use super::{KnownFigures, companies, countries, figure, notices, papers, people};
use crate::walk::Walker;

/// Reads everything that some measures of some entities are made of, unless it is known.
pub(super) fn read_all(
    web: &Web,
    walker: &mut Walker<'_>,
    entities: &[Entity],
    measures: &[Measure],
    known: &KnownFigures,
) -> Result<(), String> {
    for &entity in entities {
        for leaf in measures.iter().flat_map(leaves) {
            if !known.has(entity, &leaf) {
                read(web, walker, entity, &leaf)?;
            }
        }
    }
    Ok(())
}

/// The plain measures that a measure is made of.
fn leaves(measure: &Measure) -> Vec<Measure> {
    match measure {
        Measure::Growth(one, other) | Measure::Difference(one, other) | Measure::Ratio(one, other) => {
            [leaves(one), leaves(other)].concat()
        }
        Measure::Rank(by) => leaves(by),
        plain => vec![plain.clone()],
    }
}

fn read(web: &Web, walker: &mut Walker<'_>, entity: Entity, measure: &Measure) -> Result<(), String> {
    if let Measure::Converted { of, into, year } = measure {
        read(web, walker, entity, of)?;
        return rates(web, walker, entity, *into, *year);
    }
    let value = figure(&web.atlas, entity, measure).ok_or_else(|| format!("{entity:?} has no {measure:?}"))?;
    if walker.states(entity, &value) {
        return walker.see(entity, &value);
    }
    match (entity, measure) {
        (Entity::Company(_), Measure::Revenue(year) | Measure::TotalAssets(year) | Measure::InterestMargin(year)) => {
            companies::filed(web, walker, entity, *year, &value)
        }
        (Entity::Company(_), Measure::PressRevenue(year)) => companies::printed(web, walker, entity, *year, &value),
        (Entity::Company(_), Measure::RestatedYear) => companies::first_restated(walker, entity),
        (Entity::Company(_) | Entity::Institution(_), Measure::Founded) => companies::entry(walker, entity, &value),
        (Entity::Person(_), Measure::Born) | (Entity::Place(_), Measure::Population) => {
            people::article(walker, entity, &value)
        }
        (Entity::Paper(_), Measure::Dated | Measure::Citations) => papers::paper(walker, entity, &value),
        (Entity::Country(country), Measure::Indicator(indicator, year)) => {
            countries::indicator(&web.atlas, walker, country, (*indicator, *year), &value)
        }
        (Entity::EnergySource(_), Measure::CapacityIn(country, year)) => {
            countries::capacity(walker, *country, *year, &value)
        }
        (Entity::Notice(_), _) => notices::notice(&web.atlas, walker, entity, measure, &value),
        _ => Err(format!("nobody knows where {measure:?} of {entity:?} stands")),
    }
}

/// Reads the rates by which an amount of a company is converted.
fn rates(web: &Web, walker: &mut Walker<'_>, company: Entity, into: CountryId, year: i32) -> Result<(), String> {
    let Entity::Company(id) = company else { return Err("only amounts of companies are converted".to_owned()) };
    let rate = Measure::Indicator(indicators::EXCHANGE_RATE, year);
    for country in [web.atlas.companies.country[id], into] {
        read(web, walker, country.into(), &rate)?;
    }
    Ok(())
}
