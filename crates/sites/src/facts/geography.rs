//! What is said of countries, regions, places and blocs.

use quintain_atlas::geography::StateForm;
use quintain_atlas::people::TermTable;
use quintain_atlas::statistics::known;
use quintain_atlas::{Atlas, BlocId, CountryId, Date, MeasureUnit, PlaceId, RegionId, Value};

use super::companies::{TermPart, past};
use super::{Aspect, Counted, Office, count, entity, number, year};

pub(super) fn told_of_country(atlas: &Atlas, country: CountryId, aspect: Aspect, as_of: Date) -> Option<Value> {
    let table = &atlas.geography.countries;
    let regions = atlas.geography.regions_of.of(country);
    match aspect {
        Aspect::Capital => Some(entity(table.capital[country])),
        Aspect::StateForm => {
            Some(Value::Text(format!("{} of {}", form(table.form[country]), atlas.title(country.into()))))
        }
        Aspect::Currency => Some(Value::Text(atlas.currency_name(country))),
        Aspect::CurrencyCode => Some(Value::Text(table.currency[country].code().to_owned())),
        Aspect::Area => Some(number(i64::from(table.area_km2[country]), MeasureUnit::Count)),
        Aspect::Population => Some(people(atlas, country, as_of.year() - 1)),
        Aspect::PopulationIn(year) if year < as_of.year() => Some(people(atlas, country, year)),
        Aspect::Count(Counted::Regions) => Some(count(regions.len())),
        Aspect::Count(Counted::Places) => {
            Some(count(regions.iter().map(|&region| atlas.geography.places_of.of(region).len()).sum()))
        }
        Aspect::Count(Counted::Companies) => Some(count(atlas.companies.country.find(|&of| of == country).count())),
        Aspect::Count(Counted::Institutions) => {
            Some(count(atlas.institutions.country.find(|&of| of == country).count()))
        }
        Aspect::Holder(office) => Some(entity(terms(atlas, office)?.at(country, as_of)?.person)),
        Aspect::PastHolder(office, nth) => past(terms(atlas, office)?, country, nth, as_of, TermPart::Holder),
        Aspect::HolderFrom(office, nth) => past(terms(atlas, office)?, country, nth, as_of, TermPart::From),
        Aspect::HolderTo(office, nth) => past(terms(atlas, office)?, country, nth, as_of, TermPart::To),
        _ => None,
    }
}

fn people(atlas: &Atlas, country: CountryId, year: i32) -> Value {
    number(atlas.observed(known::POPULATION, country, year).ruling() * 1000, MeasureUnit::Count)
}

fn terms(atlas: &Atlas, office: Office) -> Option<&TermTable<CountryId>> {
    match office {
        Office::HeadOfGovernment => Some(&atlas.governments.heads),
        Office::Minister(ministry) => Some(atlas.governments.ministers(ministry)),
        _ => None,
    }
}

fn form(form: StateForm) -> &'static str {
    match form {
        StateForm::Republic => "Republic",
        StateForm::Kingdom => "Kingdom",
        StateForm::Federation => "Federation",
        StateForm::Commonwealth => "Commonwealth",
    }
}

pub(super) fn told_of_region(atlas: &Atlas, region: RegionId, aspect: Aspect) -> Option<Value> {
    let table = &atlas.geography.regions;
    let places = atlas.geography.places_of.of(region);
    match aspect {
        Aspect::Country => Some(entity(table.country[region])),
        Aspect::Speciality(nth) => Some(entity(*table.specialities[region].get(usize::from(nth))?)),
        Aspect::LargestPlace => Some(entity(*places.first()?)),
        Aspect::Count(Counted::Places) => Some(count(places.len())),
        Aspect::Count(Counted::Companies) => {
            Some(count(atlas.companies.seat.find(|&seat| atlas.geography.places.region[seat] == region).count()))
        }
        _ => None,
    }
}

pub(super) fn told_of_place(atlas: &Atlas, place: PlaceId, aspect: Aspect) -> Option<Value> {
    let table = &atlas.geography.places;
    match aspect {
        Aspect::Country => Some(entity(atlas.geography.country_of_place(place))),
        Aspect::Region => Some(entity(table.region[place])),
        Aspect::Population => Some(number(i64::from(table.population[place]), MeasureUnit::Count)),
        Aspect::FirstNamed => Some(year(i32::from(table.first_named[place]))),
        // Of a town without companies nothing is said.
        Aspect::Count(Counted::Companies) => {
            Some(atlas.companies.seat.find(|&seat| seat == place).count()).filter(|n| *n > 0).map(count)
        }
        _ => None,
    }
}

pub(super) fn told_of_bloc(atlas: &Atlas, bloc: BlocId, aspect: Aspect, as_of: Date) -> Option<Value> {
    let member =
        |nth: u32| atlas.blocs.memberships.of(bloc).get(nth as usize).filter(|membership| membership.joined <= as_of);
    match aspect {
        Aspect::Founded => Some(Value::Date(atlas.blocs.founded[bloc])),
        Aspect::Member(nth) => Some(entity(member(nth)?.country)),
        Aspect::MemberJoined(nth) => Some(Value::Date(member(nth)?.joined)),
        Aspect::MemberLeft(nth) => member(nth)?.left.filter(|&left| left < as_of).map(Value::Date),
        Aspect::Count(Counted::Members) => Some(count(atlas.blocs.members(bloc, as_of).count())),
        _ => None,
    }
}
