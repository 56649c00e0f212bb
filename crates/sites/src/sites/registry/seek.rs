//! Finding entries: a form with a name, a country, a region, a sector, and a list of what fits.

use quintain_atlas::companies::{Sector, accounts};
use quintain_atlas::{CompanyId, CountryId, Entity, InstitutionId, RegionId};

use super::{HOST, RegistryPage};
use crate::address::{SitePage, slug};
use crate::facts::{Aspect, Fact, FilingVersion};
use crate::html::Html;
use crate::page::{ListPage, PageBody, PageRange, PageWriter, or_any, pager, select};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// What the form asks for.
#[derive(Clone, Debug, Default)]
struct EntryFilter {
    name: String,
    country: Option<CountryId>,
    region: Option<RegionId>,
    sector: Option<Sector>,
    kind: EntryKind,
    /// The year by whose total assets the list is ordered.
    assets_of: Option<i32>,
}

/// What kind of entry is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum EntryKind {
    #[default]
    Company,
    Institution,
}

const OFFERED: [&str; 7] = ["name", "country", "region", "sector", "kind", "assets", "page"];
const ROWS_A_PAGE: usize = 50;
// Kinds of codes that options have; no page has them.
const COUNTRY_OPTION: u32 = 30;
const REGION_OPTION: u32 = 31;

/// The first page.
pub(super) fn home(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("registry.home.intro"));
    main.leaf("h2", &[], "Find an entry");
    form(web, &EntryFilter::default(), &mut main);
    main.leaf("h2", &[], "Banks and their licences");
    main.element("ul", &[("class", "wide")], |html| {
        let mut countries: Vec<CountryId> = web.atlas.geography.countries.name.ids().collect();
        countries.sort_by_key(|&country| web.atlas.title(country.into()));
        for country in countries.into_iter().take(ROWS_A_PAGE) {
            html.element("li", &[], |html| {
                html.link(&RegistryPage::Banks(country).path(web), &web.atlas.title(country.into()));
            });
        }
    });
    page.finish(&PageBody { title: page_title(web), main, ..PageBody::default() })
}

fn page_title(web: &Web) -> String {
    PageWriter::new(web, HOST).words("registry.home.title")
}

/// What fits; `None` where the form does not offer what is asked for.
pub(super) fn results(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    let filter = EntryFilter::read(web, query)?;
    let found = filter.found(web);
    let range = ListPage { n_rows: found.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    form(web, &filter, &mut main);
    let count = match found.len() {
        0 => "No entry fits.".to_owned(),
        1 => "One entry fits.".to_owned(),
        n => format!("{} entries fit.", page.voice().whole(n as i64)),
    };
    main.leaf("p", &[("class", "small")], &count);
    if !found.is_empty() {
        table(&mut page, &filter, &found[range.first..range.end], range, &mut main);
    }
    let kept: Vec<(&str, &str)> = query
        .parameters
        .iter()
        .filter(|(name, _)| name != "page")
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect();
    pager(&mut main, web.look(HOST).pager, range, "/search", &kept);
    let crumbs = vec![("Register".to_owned(), "/".to_owned())];
    Some(page.finish(&PageBody { title: "Entries".to_owned(), crumbs, main, ..PageBody::default() }))
}

impl EntryFilter {
    fn read(web: &Web, query: &SiteQuery) -> Option<Self> {
        if !query.takes_only(&OFFERED) {
            return None;
        }
        let option = |name: &str, kind: u32| -> Option<Option<u32>> {
            let Some(code) = query.parameter(name) else { return Some(None) };
            web.codes.read(HOST, code).filter(|(of, _)| *of == kind).map(|(_, subject)| Some(subject))
        };
        let country = option("country", COUNTRY_OPTION)?.map(CountryId);
        let region = option("region", REGION_OPTION)?.map(RegionId);
        let region = region.filter(|&region| Some(web.atlas.geography.regions.country[region]) == country);
        let sector = match query.parameter("sector") {
            Some(name) => Some(Sector::ALL.into_iter().find(|sector| slug(sector.label()) == name)?),
            None => None,
        };
        let kind = match query.parameter("kind") {
            None | Some("company") => EntryKind::Company,
            Some("institution") => EntryKind::Institution,
            Some(_) => return None,
        };
        let years = accounts::FIRST_YEAR..=accounts::LAST_YEAR;
        let assets_of = match query.parameter("assets") {
            Some(year) => Some(years.into_iter().find(|offered| offered.to_string() == year)?),
            None => None,
        };
        let name = query.parameter("name").unwrap_or_default().to_lowercase();
        Some(Self {
            name,
            country,
            region,
            sector,
            kind,
            assets_of: assets_of.filter(|_| region.is_some() && sector.is_some()),
        })
    }

    fn found(&self, web: &Web) -> Vec<Entity> {
        match self.kind {
            EntryKind::Company => self.companies(web).into_iter().map(Entity::from).collect(),
            EntryKind::Institution => self.institutions(web).into_iter().map(Entity::from).collect(),
        }
    }

    fn companies(&self, web: &Web) -> Vec<CompanyId> {
        let table = &web.atlas.companies;
        let wanted = self.wanted_words(web);
        let fits = |company: &CompanyId| {
            self.country.is_none_or(|country| table.country[*company] == country)
                && self.region.is_none_or(|region| web.atlas.region_of_company(*company) == region)
                && self.sector.is_none_or(|sector| table.sector[*company] == sector)
                && wanted
                    .iter()
                    .all(|word| has_word(web, &table.name[*company], word) || Self::had_word(web, *company, word))
        };
        let mut found: Vec<CompanyId> = table.name.ids().filter(fits).collect();
        if let Some(year) = self.assets_of {
            let assets = |company: CompanyId| {
                web.atlas.accounts(company, year).map_or(i64::MIN, |filed| filed.ruling().total_assets_k)
            };
            found.sort_by_cached_key(|&company| (std::cmp::Reverse(assets(company)), company));
        }
        found
    }

    fn had_word(web: &Web, company: CompanyId, word: &str) -> bool {
        web.atlas.companies.former_names.of(company).iter().any(|former| has_word(web, &former.name, word))
    }

    fn institutions(&self, web: &Web) -> Vec<InstitutionId> {
        let table = &web.atlas.institutions;
        let wanted = self.wanted_words(web);
        let fits = |institution: &InstitutionId| {
            let region = web.atlas.geography.places.region[table.seat[*institution]];
            self.country.is_none_or(|country| table.country[*institution] == country)
                && self.region.is_none_or(|wanted| region == wanted)
                && wanted.iter().all(|word| has_word(web, &table.name[*institution], word))
        };
        table.name.ids().filter(fits).collect()
    }

    /// The words of the name that is looked for; legal forms and small words tell nothing.
    fn wanted_words(&self, web: &Web) -> Vec<String> {
        let words = self
            .name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.len() > 2 || web.atlas.words.contains(word));
        words.filter(|word| !word.is_empty()).take(6).map(str::to_owned).collect()
    }
}

fn has_word(web: &Web, name: &[quintain_atlas::WordId], word: &str) -> bool {
    let begins = |spelling: &str| {
        spelling.len() >= word.len()
            && spelling.is_char_boundary(word.len())
            && spelling[..word.len()].eq_ignore_ascii_case(word)
    };
    name.iter().filter(|id| id.0 != 0).any(|&id| begins(web.atlas.words.spelling(id)))
}

fn form(web: &Web, filter: &EntryFilter, into: &mut Html) {
    let atlas = &web.atlas;
    into.element("form", &[("class", "query"), ("method", "get"), ("action", "/search")], |html| {
        html.element("label", &[], |html| {
            html.text("Name").open("input", &[("type", "text"), ("name", "name"), ("value", &filter.name)]);
        });
        let kinds = [("company", "Companies"), ("institution", "Institutions")]
            .map(|(value, label)| (value.to_owned(), label.to_owned()));
        select(html, "Kind", "kind", &kinds, if filter.kind == EntryKind::Company { "company" } else { "institution" });
        let mut countries: Vec<_> = atlas
            .geography
            .countries
            .name
            .ids()
            .map(|id| (web.codes.code(HOST, COUNTRY_OPTION, id.0), atlas.title(id.into())))
            .collect();
        countries.sort_by(|a, b| a.1.cmp(&b.1));
        let chosen = filter.country.map(|id| web.codes.code(HOST, COUNTRY_OPTION, id.0)).unwrap_or_default();
        select(html, "Country", "country", &or_any("All countries", countries), &chosen);
        if let Some(country) = filter.country {
            let regions = atlas.geography.regions_of.of(country).iter();
            let regions = regions.map(|&id| (web.codes.code(HOST, REGION_OPTION, id.0), atlas.title(id.into())));
            let chosen = filter.region.map(|id| web.codes.code(HOST, REGION_OPTION, id.0)).unwrap_or_default();
            select(html, "Region", "region", &or_any("All regions", regions), &chosen);
        }
        let sectors = Sector::ALL.into_iter().map(|sector| (slug(sector.label()), sector.label().to_owned()));
        let chosen = filter.sector.map(|sector| slug(sector.label())).unwrap_or_default();
        select(html, "Sector", "sector", &or_any("All sectors", sectors), &chosen);
        if filter.region.is_some() && filter.sector.is_some() {
            let years =
                (accounts::FIRST_YEAR..=accounts::LAST_YEAR).rev().map(|year| (year.to_string(), year.to_string()));
            let chosen = filter.assets_of.map(|year| year.to_string()).unwrap_or_default();
            select(html, "Order by total assets of", "assets", &or_any("no order", years), &chosen);
        }
        html.leaf("button", &[("type", "submit")], "Show entries");
    });
}

fn table(page: &mut PageWriter, filter: &EntryFilter, rows: &[Entity], range: PageRange, into: &mut Html) {
    let assets_of = filter.assets_of.filter(|_| filter.kind == EntryKind::Company);
    if let (Some(_), Some(country)) = (assets_of, filter.country) {
        let currency = page.web.atlas.currency_name(country);
        page.state_as(Fact::new(country, Aspect::Currency), &currency);
        into.leaf("p", &[("class", "small")], &format!("Total assets in thousands of {currency}s, as last filed."));
    }
    into.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Entry</th><th>Kind</th><th>Seat</th><th>Country</th>");
        if let Some(year) = assets_of {
            html.leaf("th", &[("class", "num")], &format!("Total assets {year}"));
        }
        html.markup("</tr>");
        for &entity in rows.iter().take(range.end - range.first) {
            row(page, entity, assets_of, html);
        }
    });
}

fn row(page: &mut PageWriter, entity: Entity, assets_of: Option<i32>, html: &mut Html) {
    let name = page.name(entity);
    let kind = if matches!(entity, Entity::Company(_)) { Aspect::Sector } else { Aspect::Kind };
    html.element("tr", &[], |html| {
        html.wrap("td", &[], &name);
        for aspect in [kind, Aspect::Seat, Aspect::Country] {
            html.wrap("td", &[], &page.tell(Fact::new(entity, aspect)).unwrap_or_default());
        }
        if let Some(year) = assets_of {
            let told = page.say(Fact::new(entity, Aspect::TotalAssets(year, FilingVersion::Last)));
            html.leaf("td", &[("class", "num")], &told.unwrap_or_else(|| "not filed".to_owned()));
        }
    });
}
