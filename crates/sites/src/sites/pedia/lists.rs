//! Lists: countries, blocs, towns, companies, institutions, people of one name.

use quintain_atlas::{Date, Entity, Kind, PersonId};

use super::{HOST, PediaPage, lead_key};
use crate::address::SitePage;
use crate::html::Html;
use crate::page::{ListPage, Narrator, PageBody, PageWriter, pager};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

const ROWS_A_PAGE: usize = 50;

/// A list of articles; `None` where it has no such page.
pub(super) fn list(web: &Web, query: &SiteQuery, list: PediaPage) -> Option<SiteResponse> {
    let mut entities = entries(web, list);
    entities.sort_by_cached_key(|&entity| web.atlas.title(entity));
    let range = ListPage { n_rows: entities.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.element("ul", &[("class", "wide")], |html| {
        for &entity in &entities[range.first..range.end] {
            html.wrap("li", &[], &page.name(entity));
        }
    });
    pager(&mut main, web.look(HOST).pager, range, &list.path(web), &[]);
    Some(page.finish(&PageBody { title: list.title(web), main, ..PageBody::default() }))
}

fn entries(web: &Web, list: PediaPage) -> Vec<Entity> {
    let atlas = &web.atlas;
    match list {
        PediaPage::Countries => atlas.entities(Kind::Country).collect(),
        PediaPage::Blocs => atlas.entities(Kind::Bloc).collect(),
        PediaPage::PlacesOf(region) => atlas.geography.places_of.of(region).iter().map(|&place| place.into()).collect(),
        PediaPage::CompaniesOf(region) => {
            let places = &atlas.geography.places.region;
            atlas.companies.seat.find(|&seat| places[seat] == region).map(Entity::from).collect()
        }
        PediaPage::InstitutionsOf(country) => {
            atlas.institutions.country.find(|&of| of == country).map(Entity::from).collect()
        }
        PediaPage::Article(_) | PediaPage::SameName(_) => Vec::new(),
    }
}

/// People of one name, each with the first sentence of the article.
pub(super) fn same_name(web: &Web, person: PersonId) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("pedia.same_name"));
    main.element("ul", &[], |html| {
        for &other in web.namesakes(person).iter().take(ROWS_A_PAGE) {
            page.as_of = Date::TODAY;
            page.draw = page.draw.fork(u64::from(other.0));
            let name = page.name(other);
            let mut sentence = Html::new();
            Narrator::new(&mut page, other.into(), "")
                .sentence(lead_key(web, other.into()), &[])
                .paragraph(&mut sentence);
            html.element("li", &[], |html| {
                html.piece(&name).piece(&sentence);
            });
        }
    });
    page.finish(&PageBody { title: web.atlas.title(person.into()), main, ..PageBody::default() })
}
