//! The entry of an institution, and the banks of a country.

use quintain_atlas::{CompanyId, CountryId, Date, InstitutionId};

use super::company::{fact_table, licence_cells, term_table};
use super::{HOST, first_sentence};
use crate::facts::{Aspect, Fact, Office};
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::response::SiteResponse;
use crate::web::Web;

/// The entry of an institution.
pub(super) fn institution(web: &Web, institution: InstitutionId) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, institution.into(), Date::TODAY);
    let mut main = Html::new();
    first_sentence(&mut page, institution.into(), &mut main);
    let rows = [
        ("Name", Aspect::Name),
        ("Kind", Aspect::Kind),
        ("Seat", Aspect::Seat),
        ("Region", Aspect::Region),
        ("Country", Aspect::Country),
        ("Year of foundation", Aspect::Founded),
    ];
    fact_table(&mut page, institution.into(), &rows, &mut main);
    main.leaf("h2", &[], "Directors");
    let n_terms = web.atlas.institutions.rectors.of(institution).len();
    term_table(&mut page, institution.into(), Office::Rector, n_terms, &mut main);
    let crumbs = vec![
        ("Register".to_owned(), "/".to_owned()),
        ("Institutions".to_owned(), "/search?kind=institution".to_owned()),
    ];
    let title = web.atlas.title(institution.into());
    page.finish(&PageBody { title, crumbs, main, ..PageBody::default() })
}

/// The banks of a country with their licences.
pub(super) fn banks(web: &Web, country: CountryId) -> SiteResponse {
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("registry.licences.note"));
    let banks = web.atlas.companies.banks.iter().copied().filter(|&bank| web.atlas.companies.country[bank] == country);
    let mut banks: Vec<CompanyId> = banks.collect();
    banks.sort_by_key(|&bank| web.atlas.title(bank.into()));
    main.element("table", &[("class", "grid")], |html| {
        html.markup(
            "<tr><th>Bank</th><th>Seat</th><th>Licence</th><th>Granted</th><th>Withdrawn with effect from</th></tr>",
        );
        for &bank in banks.iter().take(50) {
            bank_rows(&mut page, bank, html);
        }
    });
    let name = page.say(Fact::new(country, Aspect::Name)).unwrap_or_default();
    let crumbs = vec![("Register".to_owned(), "/".to_owned())];
    page.finish(&PageBody { title: format!("Banks registered in {name}"), crumbs, main, ..PageBody::default() })
}

fn bank_rows(page: &mut PageWriter, bank: CompanyId, html: &mut Html) {
    for nth in 0..page.web.atlas.companies.licences.of(bank).len() as u32 {
        let name = page.name(bank);
        let seat = page.tell(Fact::new(bank, Aspect::Seat)).unwrap_or_default();
        html.element("tr", &[], |html| {
            html.wrap("td", &[], &name).wrap("td", &[], &seat);
            licence_cells(page, bank, nth, html);
        });
    }
}
