//! Where it stands who is related to whom.

use quintain_atlas::query::Link;
use quintain_atlas::{Entity, Value};
use quintain_sites::Web;

use super::{companies, countries, notices, papers, people};
use crate::walk::Walker;

/// Reads that one entity is related to another.
pub(super) fn read(web: &Web, walker: &mut Walker<'_>, of: Entity, link: Link, found: Entity) -> Result<(), String> {
    let value = Value::Entity(found);
    if walker.states(of, &value) {
        return walker.see(of, &value);
    }
    match (of, link) {
        (Entity::Company(_), Link::Chair(_) | Link::ChiefExecutive(_)) => companies::officer(walker, of, found),
        (Entity::Company(_), Link::Auditor(year)) => companies::filed(web, walker, of, year, &value),
        (Entity::Company(company), Link::AuditorOfRestatedYear) => {
            let year = web.atlas.restatement(company).map(|again| again.first_year).ok_or("nothing was restated")?;
            companies::filed(web, walker, of, year, &value)
        }
        (
            Entity::Company(_) | Entity::Institution(_),
            Link::Rector(_) | Link::Parent(_) | Link::Seat | Link::Country,
        ) => companies::entry(walker, of, &value),
        (Entity::Person(_) | Entity::Place(_), _) if link != Link::Papers => people::article(walker, of, &value),
        (Entity::Country(_), Link::HeadOfGovernment(_)) => countries::office(walker, of, &value),
        (Entity::Country(country), Link::Minister(ministry, day)) => {
            countries::minister(&web.atlas, walker, country, ministry, day)
        }
        (Entity::Institution(institution), Link::Region) => {
            let seat = Entity::Place(web.atlas.institutions.seat[institution]);
            companies::entry(walker, of, &Value::Entity(seat))?;
            people::article(walker, seat, &value)
        }
        (Entity::Country(country), Link::RateDecision(_)) => notices::rate_decision(walker, country, found),
        (Entity::Country(country), Link::LatestPlan(_)) => notices::plan(walker, country, found),
        (Entity::Notice(_), Link::VersionBefore) => notices::version_before(&web.atlas, walker, of, found),
        (Entity::Paper(_), _) => papers::paper(walker, of, &value),
        _ => Err(format!("nobody knows where {link:?} of {of:?} stands")),
    }
}
