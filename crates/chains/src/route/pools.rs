//! Lists from which answers are chosen.

use quintain_atlas::companies::Sector;
use quintain_atlas::query::{Ask, Base, EntityPool, Link, Measure, Test};
use quintain_atlas::{Atlas, Entity, Kind};

use super::{companies, countries, notices, papers};
use crate::walk::Walker;

/// Opens the list of a pool. Those that are given already need none.
pub(super) fn enter(atlas: &Atlas, walker: &mut Walker<'_>, pool: &EntityPool) -> Result<(), String> {
    let related_to = |wanted: Link| {
        pool.tests.iter().find_map(|test| match test {
            Test::Is(link, entity) if *link == wanted => Some(*entity),
            _ => None,
        })
    };
    match &pool.base {
        Base::These(_) => Ok(()),
        Base::All(Kind::Company) => {
            match (related_to(Link::Sector), related_to(Link::Region), related_to(Link::Country)) {
                (Some(Entity::Sector(Sector::Banking)), None, Some(Entity::Country(country))) => {
                    companies::list_banks(atlas, walker, country)
                }
                (Some(sector), Some(Entity::Region(region)), _) => {
                    let year = pool.top.as_ref().and_then(|top| match top.by {
                        Measure::TotalAssets(year) => Some(year),
                        _ => None,
                    });
                    companies::list(atlas, walker, sector, region, year)
                }
                _ => Err("companies are listed by sector and region, banks by country".to_owned()),
            }
        }
        Base::All(Kind::Paper) => papers::list(atlas, walker, pool),
        Base::Related(Entity::Bloc(bloc), Link::Members(_)) => countries::members(walker, *bloc),
        Base::Related(paper @ Entity::Paper(_), link @ (Link::Cites | Link::CitedBy)) => {
            papers::citations(walker, *paper, *link)
        }
        Base::Related(person @ Entity::Person(_), Link::Papers) => papers::of_author(walker, *person),
        Base::Related(of @ Entity::Country(country), link @ Link::RateDecision(_)) => {
            let decision = atlas.evaluate(&EntityPool::one(*of).ask(Ask::Follow(*link))).entity();
            notices::rate_decision(walker, *country, decision.ok_or("no decision was in force")?)
        }
        other => Err(format!("no list of {other:?} is known")),
    }
}
