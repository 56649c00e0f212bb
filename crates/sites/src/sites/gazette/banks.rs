//! The register of supervised banks, and the notices on each bank's licences.

use quintain_atlas::{CompanyId, CountryId, Date};

use super::country::crumbs;
use super::{GazettePage, HOST, NoticeAspect, ROWS_A_PAGE, of_notice};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, licence_notices};
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{ListPage, Narrator, PageBody, PageWriter, pager};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::sites::entity_address;
use crate::web::Web;

/// The banks of a country by name; `None` where the list has no such page.
pub(super) fn banks(web: &Web, query: &SiteQuery, country: CountryId) -> Option<SiteResponse> {
    let banks = web.atlas.companies.banks.iter().copied();
    let mut banks: Vec<CompanyId> = banks.filter(|&bank| web.atlas.companies.country[bank] == country).collect();
    banks.sort_by_cached_key(|&bank| web.atlas.title(bank.into()));
    let range = ListPage { n_rows: banks.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    let supervisor = ("supervisor", Fact::new(country, Aspect::Gazette(NoticeAspect::Supervisor)));
    Narrator::new(&mut page, country.into(), "").sentence("gazette.banks.intro", &[supervisor]).paragraph(&mut main);
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Bank</th><th>Seat</th></tr>");
        for &bank in &banks[range.first..range.end] {
            let name = page.name(bank);
            let seat = page.say(Fact::new(bank, Aspect::Seat)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &name).leaf("td", &[], &seat);
            });
        }
    });
    let note = page.words("gazette.licences.note");
    main.leaf("p", &[("class", "small")], &note);
    pager(&mut main, web.look(HOST).pager, range, &GazettePage::Banks(country).path(web), &[]);
    let name = page.say(Fact::new(country, Aspect::Name)).unwrap_or_default();
    let title = format!("Banks under supervision in {name}");
    Some(page.finish(&PageBody { title, crumbs: crumbs(web, country), main, ..PageBody::default() }))
}

/// A bank and the notices on its licences, the oldest first.
pub(super) fn bank(web: &Web, bank: CompanyId) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, bank.into(), Date::TODAY);
    let mut main = Html::new();
    let country = web.atlas.companies.country[bank];
    let supervisor = ("supervisor", Fact::new(country, Aspect::Gazette(NoticeAspect::Supervisor)));
    Narrator::new(&mut page, bank.into(), "the bank")
        .sentence("gazette.bank.intro", &[supervisor])
        .paragraph(&mut main);
    main.leaf("h2", &[], "Notices on licences");
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Date of issue</th><th>Notice</th></tr>");
        for notice in licence_notices(&web.atlas, bank) {
            let date = page.say(of_notice(notice, NoticeAspect::Date)).unwrap_or_default();
            let name = page.name(notice);
            html.element("tr", &[], |html| {
                html.leaf("td", &[("class", "day")], &date).wrap("td", &[], &name);
            });
        }
    });
    former_names(&mut page, bank, &mut main);
    let note = page.words("gazette.licences.note");
    main.leaf("p", &[("class", "small")], &note);
    if let Some(address) = entity_address(web, SiteHost::Registry, bank.into()) {
        main.element("p", &[("class", "more")], |html| {
            html.link(&address, &format!("Entry in {}", web.look(SiteHost::Registry).brand));
        });
    }
    let name = page.say(Fact::new(bank, Aspect::Name)).unwrap_or_default();
    let aside = bank_box(&mut page, bank, supervisor.1);
    let mut crumbs = crumbs(web, country);
    crumbs.push(("Banks".to_owned(), GazettePage::Banks(country).path(web)));
    page.finish(&PageBody { title: name, crumbs, main, aside })
}

fn bank_box(page: &mut PageWriter, bank: CompanyId, supervisor: Fact) -> Html {
    let mut aside = Html::new();
    let country = page.web.atlas.companies.country[bank];
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Register of banks");
        html.element("table", &[("class", "facts")], |html| {
            let rows = [("Seat", Fact::new(bank, Aspect::Seat)), ("Country", Fact::new(bank, Aspect::Country))];
            for (label, fact) in rows.into_iter().chain([("Supervised by", supervisor)]) {
                let told = page.tell(fact).unwrap_or_default();
                html.element("tr", &[], |html| {
                    html.leaf("th", &[], label).wrap("td", &[], &told);
                });
            }
        });
        html.link(&GazettePage::Banks(country).path(page.web), "All banks of this register");
    });
    aside
}

/// Names under which older notices were issued.
fn former_names(page: &mut PageWriter, bank: CompanyId, main: &mut Html) {
    let mut narrator = Narrator::new(page, bank.into(), "the bank");
    for nth in 0..narrator.page.web.atlas.companies.former_names.of(bank).len() as u32 {
        let former = Fact::new(bank, Aspect::FormerName(nth));
        let until = Fact::new(bank, Aspect::FormerNameUntil(nth));
        narrator.sentence("gazette.bank.former", &[("former", former), ("until", until)]);
    }
    narrator.paragraph(main);
}
