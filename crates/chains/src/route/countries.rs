//! Countries: blocs, governments, statistics.

use quintain_atlas::government::Ministry;
use quintain_atlas::statistics::known;
use quintain_atlas::{Atlas, BlocId, CountryId, Date, Entity, IndicatorId, Value};
use quintain_sites::SiteHost;

use crate::walk::{Entry, Walker};

/// The members of a bloc, with the days on which they joined and left.
pub(super) fn members(walker: &mut Walker<'_>, bloc: BlocId) -> Result<(), String> {
    walker.look_up(SiteHost::Pedia, bloc.into())
}

/// Reads who headed a government. The article on the country lists them.
pub(super) fn office(walker: &mut Walker<'_>, country: Entity, value: &Value) -> Result<(), String> {
    walker.look_up(SiteHost::Pedia, country)?;
    walker.see(country, value)
}

/// Reads the value of an indicator.
pub(super) fn indicator(
    atlas: &Atlas,
    walker: &mut Walker<'_>,
    country: CountryId,
    (indicator, year): (IndicatorId, i32),
    value: &Value,
) -> Result<(), String> {
    if indicator == known::EXCHANGE_RATE {
        walker.visit(SiteHost::Numbers)?;
        walker.follow("rates", |link| link.to.ends_with("/rates"))?;
        walker.fill("Show", &[Entry::Choose("year", &year.to_string())])?;
    } else {
        walker.look_up(SiteHost::Numbers, indicator.into())?;
        walker.fill("Show all years", &[Entry::Choose("country1", &atlas.title(country.into()))])?;
    }
    walker.see(country.into(), value)
}

/// Reads the installed capacity of a renewable source off the chart, which shows all of them.
pub(super) fn capacity(walker: &mut Walker<'_>, country: CountryId, year: i32, value: &Value) -> Result<(), String> {
    if !walker.states(country.into(), value) {
        walker.look_up(SiteHost::Numbers, country.into())?;
        walker.follow("the chart of installed capacity", |link| link.to.contains("/energy/"))?;
        let entries = [Entry::Choose("year", &year.to_string()), Entry::Choose("group", "renewable sources")];
        walker.fill("Show", &entries)?;
    }
    walker.see(country.into(), value)
}

/// Reads whom the gazette appointed to lead a ministry.
pub(super) fn minister(
    atlas: &Atlas,
    walker: &mut Walker<'_>,
    country: CountryId,
    ministry: Ministry,
    day: Date,
) -> Result<(), String> {
    let term = atlas.governments.ministers(ministry).at(country, day).ok_or("nobody led that ministry then")?;
    let (name, year) = (atlas.title(country.into()), term.from.year().to_string());
    walker.visit(SiteHost::Gazette)?;
    walker.follow("the notices", |link| link.to.ends_with("/notices"))?;
    let entries =
        [Entry::Choose("country", &name), Entry::Choose("kind", "Appointments"), Entry::Choose("year", &year)];
    walker.fill("Show notices", &entries)?;
    walker.follow_telling("/notice/", &Value::Entity(term.person.into()))
}
