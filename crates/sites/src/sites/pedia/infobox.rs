//! The box beside an article: a picture and the main facts.

use quintain_atlas::Entity;

use crate::facts::{Aspect, Counted, Fact, Office};
use crate::html::Html;
use crate::page::PageWriter;
use crate::pictures::{flag, locator_map, logo};

/// The box of an article.
pub(super) fn infobox(page: &mut PageWriter, entity: Entity) -> Html {
    let title = page.web.atlas.title(entity);
    let mut html = Html::new();
    html.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], &title);
        picture(page, entity, html);
        html.element("table", &[("class", "facts")], |html| {
            for &(label, aspect) in rows(entity) {
                row(page, Fact::new(entity, aspect), label, html);
            }
        });
    });
    html
}

fn row(page: &mut PageWriter, fact: Fact, label: &str, html: &mut Html) {
    let Some(told) = page.tell(fact) else { return };
    let unit = if fact.aspect == Aspect::Area { " km\u{b2}" } else { "" };
    html.element("tr", &[], |html| {
        html.leaf("th", &[], label).open("td", &[]).piece(&told).text(unit).close("td");
    });
}

fn picture(page: &PageWriter, entity: Entity, html: &mut Html) {
    let atlas = &page.web.atlas;
    let geography = &atlas.geography;
    let coast = |country: quintain_atlas::CountryId| page.web.draw.fork_text("coast").fork(u64::from(country.0));
    match entity {
        Entity::Country(country) => {
            html.piece(&flag(page.web.draw.fork_text("flag").fork(u64::from(country.0)), 150));
            html.leaf("p", &[("class", "caption")], "Flag");
            html.piece(&locator_map(
                atlas,
                country,
                Some(geography.places.point[geography.countries.capital[country]]),
                coast(country),
            ));
            html.leaf("p", &[("class", "caption")], "The capital on the map");
        }
        Entity::Region(region) => {
            let country = geography.regions.country[region];
            html.piece(&locator_map(atlas, country, Some(geography.regions.middle[region]), coast(country)));
        }
        Entity::Place(place) => {
            let country = geography.country_of_place(place);
            html.piece(&locator_map(atlas, country, Some(geography.places.point[place]), coast(country)));
        }
        Entity::Company(company) => {
            html.piece(&logo(page.web.draw.fork(u64::from(company.0)).fork_text("logo"), 96));
        }
        _ => {}
    }
}

fn rows(entity: Entity) -> &'static [(&'static str, Aspect)] {
    match entity {
        Entity::Country(_) => &[
            ("Official name", Aspect::StateForm),
            ("Capital", Aspect::Capital),
            ("Head of government", Aspect::Holder(Office::HeadOfGovernment)),
            ("Currency", Aspect::Currency),
            ("Code", Aspect::CurrencyCode),
            ("Area", Aspect::Area),
            ("Population", Aspect::Population),
            ("Regions", Aspect::Count(Counted::Regions)),
        ],
        Entity::Region(_) => &[
            ("Country", Aspect::Country),
            ("Largest town", Aspect::LargestPlace),
            ("Towns", Aspect::Count(Counted::Places)),
            ("Main trade", Aspect::Speciality(0)),
        ],
        Entity::Place(_) => &[
            ("Country", Aspect::Country),
            ("Region", Aspect::Region),
            ("Inhabitants", Aspect::Population),
            ("First named", Aspect::FirstNamed),
        ],
        Entity::Person(_) => &[
            ("Born", Aspect::Born),
            ("Place of birth", Aspect::Birthplace),
            ("Died", Aspect::Died),
            ("Citizen of", Aspect::Country),
            ("Known as", Aspect::Kind),
            ("Also called", Aspect::OtherName),
        ],
        Entity::Company(_) => &[
            ("Sector", Aspect::Sector),
            ("Seat", Aspect::Seat),
            ("Country", Aspect::Country),
            ("Chair", Aspect::Holder(Office::Chair)),
            ("Chief executive", Aspect::Holder(Office::ChiefExecutive)),
            ("Parent", Aspect::Parent),
        ],
        Entity::Institution(_) => &[
            ("Kind", Aspect::Kind),
            ("Seat", Aspect::Seat),
            ("Country", Aspect::Country),
            ("Founded", Aspect::Founded),
            ("Director", Aspect::Holder(Office::Rector)),
        ],
        Entity::Bloc(_) => &[("Founded", Aspect::Founded), ("Members", Aspect::Count(Counted::Members))],
        _ => &[],
    }
}
