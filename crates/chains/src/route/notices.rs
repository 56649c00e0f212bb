//! The gazettes.

use quintain_atlas::query::{Ask, EntityPool, Link, Measure};
use quintain_atlas::{Atlas, CountryId, Entity, Value};
use quintain_sites::SiteHost;

use super::figure;
use crate::walk::{Trust, Walker};

/// Opens a notice: by a link of the page that is open, or by the gazette of its country.
fn open(atlas: &Atlas, walker: &mut Walker<'_>, notice: Entity) -> Result<(), String> {
    let Entity::Notice(id) = notice else { return Err(format!("{notice:?} is no notice")) };
    if walker.is_at(SiteHost::Gazette, notice) || walker.look_nearby(SiteHost::Gazette, notice).is_ok() {
        return Ok(());
    }
    walker.look_up(SiteHost::Gazette, atlas.notices.country[id].into())?;
    for list in ["/plans/", "/rates/"] {
        let found = walker.links().iter().find(|link| link.to.contains(list)).map(|link| link.to.clone());
        if let Some(to) = found.filter(|to| walker.leads_to(to, SiteHost::Gazette, notice)) {
            walker.follow_to(&to)?;
            return walker.look_through(SiteHost::Gazette, notice);
        }
    }
    walker.look_up(SiteHost::Gazette, notice)
}

/// Reads something off a notice. What it says holds for it, whatever came after it.
pub(super) fn notice(
    atlas: &Atlas,
    walker: &mut Walker<'_>,
    notice: Entity,
    measure: &Measure,
    value: &Value,
) -> Result<(), String> {
    open(atlas, walker, notice)?;
    if *measure != Measure::TargetChange {
        return walker.see_as(notice, value, Trust::Anybody);
    }
    // A change of the target is the difference between two versions.
    let target = figure(atlas, notice, &Measure::Target).ok_or("the plan has no target")?;
    walker.see_as(notice, &target, Trust::Anybody)?;
    let before = EntityPool::one(notice).ask(Ask::Follow(Link::VersionBefore));
    let before = atlas.evaluate(&before).entity().ok_or("the plan has no version before it")?;
    let target = figure(atlas, before, &Measure::Target).ok_or("the version before has no target")?;
    open(atlas, walker, before)?;
    walker.see_as(before, &target, Trust::Anybody)
}

/// Opens the decision on the rate that was in force on a day.
pub(super) fn rate_decision(walker: &mut Walker<'_>, country: CountryId, decision: Entity) -> Result<(), String> {
    walker.look_up(SiteHost::Gazette, country.into())?;
    walker.follow("the decisions on rates", |link| link.to.contains("/rates/"))?;
    walker.look_through(SiteHost::Gazette, decision)?;
    walker.see_name(decision)
}

/// Opens a climate plan of a country.
pub(super) fn plan(walker: &mut Walker<'_>, country: CountryId, plan: Entity) -> Result<(), String> {
    walker.look_up(SiteHost::Gazette, country.into())?;
    walker.follow("the climate plans", |link| link.to.contains("/plans/"))?;
    walker.look_through(SiteHost::Gazette, plan)?;
    walker.see_name(plan)
}

/// Opens the version before a notice.
pub(super) fn version_before(
    atlas: &Atlas,
    walker: &mut Walker<'_>,
    notice: Entity,
    before: Entity,
) -> Result<(), String> {
    open(atlas, walker, notice)?;
    open(atlas, walker, before)?;
    walker.see_name(before)
}
