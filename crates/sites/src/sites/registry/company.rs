//! The entry of a company: overview, officers, filings, names, licences.

use quintain_atlas::companies::{Sector, accounts};
use quintain_atlas::{CompanyId, Date, Entity};

use super::{HOST, RegistryPage, first_sentence};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, FilingVersion, Office};
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::pictures::logo;
use crate::response::SiteResponse;
use crate::sites::entity_address;
use crate::state::SiteState;
use crate::web::Web;

/// The overview.
pub(super) fn overview(web: &Web, state: &SiteState, company: CompanyId) -> SiteResponse {
    let (mut page, mut main) = start(web, company, "Overview");
    first_sentence(&mut page, company.into(), &mut main);
    let mut rows = vec![
        ("Name", Aspect::Name),
        ("Legal form", Aspect::LegalForm),
        ("Sector", Aspect::Sector),
        ("Seat", Aspect::Seat),
        ("Region", Aspect::Region),
        ("Country of registration", Aspect::Country),
        ("First entry", Aspect::Founded),
        ("Owned by", Aspect::Parent),
        ("Owned since", Aspect::ParentSince),
    ];
    if web.atlas.companies.sector[company] != Sector::Auditing {
        rows.push(("Auditor for the last year filed", Aspect::Auditor(accounts::LAST_YEAR)));
    }
    fact_table(&mut page, company.into(), &rows, &mut main);
    follow_form(web, state, company, &mut main);
    let aside = beside(web, &page, company);
    finish(page, company, main, aside)
}

/// Facts of an entity as a table of two columns; facts that are not known are left out.
pub(super) fn fact_table(page: &mut PageWriter, about: Entity, rows: &[(&str, Aspect)], into: &mut Html) {
    into.element("table", &[("class", "grid")], |html| {
        for (label, aspect) in rows {
            if let Some(told) = page.tell(Fact::new(about, *aspect)) {
                html.element("tr", &[], |html| {
                    html.leaf("th", &[], label).wrap("td", &[], &told);
                });
            }
        }
    });
}

fn follow_form(web: &Web, state: &SiteState, company: CompanyId, into: &mut Html) {
    let action = RegistryPage::Follow(company).path(web);
    let label = if state.followed.contains(&company) { "Stop following this entry" } else { "Follow this entry" };
    into.element("form", &[("method", "post"), ("action", &action)], |html| {
        html.leaf("button", &[("type", "submit")], label);
    });
}

fn beside(web: &Web, page: &PageWriter, company: CompanyId) -> Html {
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.piece(&logo(web.draw.fork(u64::from(company.0)).fork_text("logo"), 84));
        html.leaf("p", &[("class", "caption")], "Mark as deposited");
    });
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Elsewhere");
        if let Some(address) = entity_address(web, SiteHost::Pedia, company.into()) {
            html.link(&address, &format!("Article in {}", web.look(SiteHost::Pedia).brand));
        }
        html.leaf("p", &[("class", "small")], &page.words("registry.elsewhere"));
    });
    aside
}

/// Officers, now and before.
pub(super) fn officers(web: &Web, company: CompanyId) -> SiteResponse {
    let (mut page, mut main) = start(web, company, "Officers");
    for (label, office) in [("Chair of the board", Office::Chair), ("Chief executive", Office::ChiefExecutive)] {
        main.leaf("h2", &[], label);
        let terms =
            if office == Office::Chair { &web.atlas.companies.chairs } else { &web.atlas.companies.chief_executives };
        term_table(&mut page, company.into(), office, terms.of(company).len(), &mut main);
    }
    let note = page.words("registry.officers.note");
    main.leaf("p", &[("class", "small")], &note);
    finish(page, company, main, Html::new())
}

/// The holders of a post, the last one first.
pub(super) fn term_table(page: &mut PageWriter, about: Entity, office: Office, n_terms: usize, into: &mut Html) {
    into.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Name</th><th>From</th><th>To</th></tr>");
        for nth in (0..n_terms as u32).rev().take(50) {
            let told = |page: &mut PageWriter, aspect| page.tell(Fact::new(about, aspect));
            let Some(holder) = told(page, Aspect::PastHolder(office, nth)) else { continue };
            let from = told(page, Aspect::HolderFrom(office, nth)).unwrap_or_default();
            let to = told(page, Aspect::HolderTo(office, nth)).unwrap_or_else(|| Html::of_text("in office"));
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &holder).wrap("td", &[], &from).wrap("td", &[], &to);
            });
        }
    });
}

/// Filings by year, the last one first.
pub(super) fn filings(web: &Web, company: CompanyId) -> SiteResponse {
    let (mut page, mut main) = start(web, company, "Filings");
    let hint = page.words("registry.filings.note");
    main.leaf("p", &[], &hint);
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Year</th><th>Document</th><th>Filed on</th><th></th></tr>");
        for year in (accounts::FIRST_YEAR..=accounts::LAST_YEAR).rev() {
            for (version, label) in
                [(FilingVersion::Restated, "Annual accounts, restated"), (FilingVersion::First, "Annual accounts")]
            {
                filing_row(&mut page, company, year, version, label, html);
            }
        }
    });
    finish(page, company, main, Html::new())
}

fn filing_row(
    page: &mut PageWriter,
    company: CompanyId,
    year: i32,
    version: FilingVersion,
    label: &str,
    html: &mut Html,
) {
    let Some(filed) = page.tell(Fact::new(company, Aspect::Filed(year, version))) else { return };
    let path = RegistryPage::Filing(company, year, version).path(page.web);
    html.element("tr", &[], |html| {
        html.leaf("td", &[], &year.to_string()).leaf("td", &[], label).wrap("td", &[], &filed);
        html.element("td", &[], |html| {
            html.link(&path, "View document");
        });
    });
}

/// Names, the last one first.
pub(super) fn names(web: &Web, company: CompanyId) -> SiteResponse {
    let (mut page, mut main) = start(web, company, "Names");
    let n_former = web.atlas.companies.former_names.of(company).len() as u32;
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Name</th><th>Last day of use</th></tr>");
        let today = page.say(Fact::new(company, Aspect::Name)).unwrap_or_default();
        html.element("tr", &[], |html| {
            html.leaf("td", &[], &today).leaf("td", &[], "current name");
        });
        for nth in (0..n_former).rev() {
            let name = page.say(Fact::new(company, Aspect::FormerName(nth))).unwrap_or_default();
            let until = page.say(Fact::new(company, Aspect::FormerNameUntil(nth))).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.leaf("td", &[], &name).leaf("td", &[], &until);
            });
        }
    });
    if n_former == 0 {
        main.leaf("p", &[], &page.words("registry.names.none"));
    }
    finish(page, company, main, Html::new())
}

/// A bank's licences.
pub(super) fn licences(web: &Web, company: CompanyId) -> SiteResponse {
    let (mut page, mut main) = start(web, company, "Licences");
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Licence</th><th>Granted</th><th>Withdrawn with effect from</th></tr>");
        for nth in 0..web.atlas.companies.licences.of(company).len() as u32 {
            html.element("tr", &[], |html| licence_cells(&mut page, company, nth, html));
        }
    });
    main.leaf("p", &[("class", "small")], &page.words("registry.licences.note"));
    main.element("p", &[], |html| {
        let country = web.atlas.companies.country[company];
        html.link(&RegistryPage::Banks(country).path(web), "All banks registered in the same country");
    });
    finish(page, company, main, Html::new())
}

/// The cells of a licence: what, from, to.
pub(super) fn licence_cells(page: &mut PageWriter, bank: CompanyId, nth: u32, html: &mut Html) {
    for aspect in [Aspect::LicenceKind(nth), Aspect::LicenceGranted(nth), Aspect::LicenceWithdrawn(nth)] {
        let told = page.say(Fact::new(bank, aspect)).unwrap_or_else(|| "\u{2013}".to_owned());
        html.leaf("td", &[], &told);
    }
}

fn start<'w>(web: &'w Web, company: CompanyId, tab: &str) -> (PageWriter<'w>, Html) {
    let page = PageWriter::about(web, HOST, company.into(), Date::TODAY);
    let mut main = Html::new();
    main.element("nav", &[("class", "tabs")], |html| {
        for (label, page) in RegistryPage::tabs(web, company) {
            if label == tab {
                html.leaf("b", &[], label);
            } else {
                html.link(&page.path(web), label);
            }
        }
    });
    (page, main)
}

fn finish(page: PageWriter, company: CompanyId, main: Html, aside: Html) -> SiteResponse {
    let title = page.web.atlas.title(company.into());
    let crumbs = vec![("Register".to_owned(), "/".to_owned()), ("Companies".to_owned(), "/search".to_owned())];
    page.finish(&PageBody { title, crumbs, main, aside })
}
