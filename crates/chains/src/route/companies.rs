//! The register of companies.

use quintain_atlas::{Atlas, CountryId, Entity, RegionId, Value};
use quintain_sites::{FilingVersion, RegistryPage, SiteHost, Web};

use crate::walk::{Entry, Trust, Walker};

const SHOW: &str = "Show entries";

/// The companies of a sector in a region, perhaps by total assets of a year.
pub(super) fn list(
    atlas: &Atlas,
    walker: &mut Walker<'_>,
    sector: Entity,
    region: RegionId,
    year: Option<i32>,
) -> Result<(), String> {
    let country = atlas.title(atlas.geography.regions.country[region].into());
    walker.visit(SiteHost::Registry)?;
    walker.fill(SHOW, &[Entry::Choose("country", &country)])?;
    let (region, sector) = (atlas.title(region.into()), atlas.title(sector));
    walker.fill(SHOW, &[Entry::Choose("region", &region), Entry::Choose("sector", &sector)])?;
    match year {
        Some(year) => walker.fill(SHOW, &[Entry::Choose("assets", &year.to_string())]),
        None => Ok(()),
    }
}

/// The banks of a country and their licences.
pub(super) fn list_banks(atlas: &Atlas, walker: &mut Walker<'_>, country: CountryId) -> Result<(), String> {
    let name = atlas.title(country.into());
    walker.visit(SiteHost::Registry)?;
    walker.follow("the banks of the country", |link| link.to.contains("/banks/") && link.text == name)
}

/// A tab of a company's entry.
fn tab(walker: &mut Walker<'_>, company: Entity, path: &str) -> Result<(), String> {
    walker.look_up(SiteHost::Registry, company)?;
    walker.follow(path, |link| link.to.contains(path))
}

/// Reads a figure off the last accounts that a company filed for a year.
pub(super) fn filed(
    web: &Web,
    walker: &mut Walker<'_>,
    company: Entity,
    year: i32,
    value: &Value,
) -> Result<(), String> {
    let Entity::Company(id) = company else { return Err("only companies file accounts".to_owned()) };
    if !walker.states(company, value) {
        tab(walker, company, "/filings/")?;
        let is_again = web.atlas.restatement(id).is_some_and(|again| again.covers_year(year));
        let version = if is_again { FilingVersion::Restated } else { FilingVersion::First };
        walker.follow_document(&RegistryPage::Filing(id, year, version).address(web), company, value)?;
    }
    walker.see(company, value)
}

/// Reads who holds or held a post.
pub(super) fn officer(walker: &mut Walker<'_>, company: Entity, person: Entity) -> Result<(), String> {
    tab(walker, company, "/officers/")?;
    walker.see(company, &Value::Entity(person))
}

/// Reads something off the first page of an entry.
pub(super) fn entry(walker: &mut Walker<'_>, of: Entity, value: &Value) -> Result<(), String> {
    walker.look_up(SiteHost::Registry, of)?;
    walker.see(of, value)
}

/// Reads why accounts were filed again.
pub(super) fn restatement_note(web: &Web, walker: &mut Walker<'_>, company: Entity) -> Result<(), String> {
    let Entity::Company(id) = company else { return Err("only companies file accounts".to_owned()) };
    let restatement = web.atlas.restatement(id).ok_or("nothing was restated")?;
    filed(web, walker, company, restatement.first_year, &Value::Term(restatement.reason.label()))
}

/// Reads what the newspaper printed of a company's revenue: it need not be right.
pub(super) fn printed(
    web: &Web,
    walker: &mut Walker<'_>,
    company: Entity,
    year: i32,
    value: &Value,
) -> Result<(), String> {
    // The figures of a year are printed early in the next.
    let (name, from, to) = (web.atlas.title(company), year.to_string(), (year + 1).to_string());
    walker.visit(SiteHost::Herald)?;
    walker.fill("Search", &[Entry::Write("words", &name)])?;
    walker.fill("Search", &[Entry::Choose("from", &from), Entry::Choose("to", &to)])?;
    walker.follow_stating("/story/", company, value, Trust::Anybody)?;
    walker.see_as(company, value, Trust::Anybody)
}

/// Reads which years were filed again.
pub(super) fn first_restated(walker: &mut Walker<'_>, company: Entity) -> Result<(), String> {
    tab(walker, company, "/filings/")?;
    walker.see_name(company)
}
