//! One notice: its text, its particulars, its versions, and what stood beside it.

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::{Date, NoticeId};

use super::country::crumbs;
use super::deed::{DeedPart, DeedWriter};
use super::lists::version_table;
use super::sheet::{scanned, typed};
use super::{GazettePage, HOST, NoticeAspect, first_sentence, of_notice};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, bank_of, is_act};
use crate::html::Html;
use crate::page::{ListPage, Narrator, PageBody, PageWriter, pager};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// Issues of years before this one are kept as scans.
const FIRST_TYPED_YEAR: i32 = 1990;
/// How many sheets a scan has.
const N_SHEETS: usize = 2;
/// How many other notices of the issue are named beside a notice.
const N_BESIDE: usize = 6;

/// Whether a notice is kept as a scan.
pub(super) fn is_scanned(web: &Web, notice: NoticeId) -> bool {
    web.atlas.notices.date[notice].year() < FIRST_TYPED_YEAR
}

/// A notice; `None` where it has no such sheet.
pub(super) fn notice(web: &Web, query: &SiteQuery, notice: NoticeId) -> Option<SiteResponse> {
    let n_sheets = if is_scanned(web, notice) { N_SHEETS } else { 1 };
    let range = ListPage { n_rows: n_sheets, rows_a_page: 1 }.range(query.page_number()?)?;
    let mut page = PageWriter::about(web, HOST, notice.into(), Date::TODAY);
    let mut main = Html::new();
    first_sentence(&mut page, notice.into(), &mut main);
    status(&mut page, notice, &mut main);
    let sheet = sheet(&mut page, notice, range.number);
    main.piece(&sheet);
    pager(&mut main, web.look(HOST).pager, range, &GazettePage::Notice(notice).path(web), &[]);
    history(&mut page, notice, &mut main);
    let aside = beside(&mut page, notice);
    let title = page.say(Fact::new(notice, Aspect::Name)).unwrap_or_default();
    let crumbs = crumbs(web, web.atlas.notices.country[notice]);
    Some(page.finish(&PageBody { title, crumbs, main, aside }))
}

/// The text, as of the day of issue: names are those of that day.
fn sheet(page: &mut PageWriter, notice: NoticeId, number: usize) -> Html {
    let today = std::mem::replace(&mut page.as_of, page.web.atlas.notices.date[notice]);
    let is_scan = is_scanned(page.web, notice);
    let mut deed = DeedWriter::new(page, notice);
    let last = deed.n_clauses() - 1;
    let parts: Vec<DeedPart> = match (is_scan, number) {
        (false, _) => [deed.head(), deed.clauses(|_| true), deed.end()].into_iter().flatten().collect(),
        (true, 1) => [deed.head(), deed.clauses(|at| at < last)].into_iter().flatten().collect(),
        (true, _) => [deed.running_head(), deed.clauses(|at| at == last), deed.end()].into_iter().flatten().collect(),
    };
    page.as_of = today;
    if is_scan { scanned(page, &parts) } else { typed(&parts) }
}

/// Whether an act holds, above its text.
fn status(page: &mut PageWriter, notice: NoticeId, main: &mut Html) {
    let key = match page.ask(of_notice(notice, NoticeAspect::Force)) {
        Some(quintain_atlas::Value::Term("in force")) => "gazette.status.force",
        Some(quintain_atlas::Value::Term("superseded")) => "gazette.status.superseded",
        Some(quintain_atlas::Value::Term("repealed")) => "gazette.status.repealed",
        Some(_) => "gazette.status.replaced",
        None => return,
    };
    let given =
        [("after", of_notice(notice, NoticeAspect::AmendedBy)), ("force", of_notice(notice, NoticeAspect::Force))];
    let mut note = Html::new();
    Narrator::new(page, notice.into(), "").sentence(key, &given).paragraph(&mut note);
    main.wrap("div", &[("class", "note")], &note);
}

/// All versions of an act, below its text.
fn history(page: &mut PageWriter, notice: NoticeId, main: &mut Html) {
    let web = page.web;
    if !is_act(&web.atlas.notices, notice) {
        return;
    }
    let versions = web.atlas.notices.versions(notice);
    main.leaf("h2", &[], "Versions");
    version_table(page, versions.iter().rev().copied(), main);
    if let Some(&first) = versions.first() {
        main.element("p", &[("class", "more")], |html| {
            html.link(&GazettePage::Act(first).path(web), "History of this act");
        });
    }
}

fn beside(page: &mut PageWriter, notice: NoticeId) -> Html {
    let web = page.web;
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Particulars");
        particulars(page, notice, html);
    });
    aside.element("div", &[("class", "box")], |html| same_issue(page, notice, html));
    if let Some((list, label)) = collection(web, notice) {
        aside.element("div", &[("class", "box")], |html| {
            html.leaf("h2", &[], "See also");
            html.link(&list.path(web), label);
        });
    }
    aside
}

/// Other notices of the day, and the issues around it.
fn same_issue(page: &mut PageWriter, notice: NoticeId, html: &mut Html) {
    let web = page.web;
    let issue = web.shelf.issue(&web.atlas.notices, notice);
    let others: Vec<NoticeId> = issue.iter().copied().filter(|&other| other != notice).take(N_BESIDE).collect();
    html.leaf("h2", &[], if others.is_empty() { "Issue" } else { "In the same issue" });
    let (before, after) = web.shelf.neighbours(&web.atlas.notices, notice);
    html.element("ul", &[("class", "plain")], |html| {
        for other in others {
            html.wrap("li", &[], &page.name(other));
        }
        for (label, issue) in [("This issue", Some(issue[0])), ("Issue before", before), ("Issue after", after)] {
            if let Some(issue) = issue {
                html.element("li", &[], |html| {
                    html.link(&GazettePage::Issue(issue).path(web), label);
                });
            }
        }
    });
}

fn particulars(page: &mut PageWriter, notice: NoticeId, html: &mut Html) {
    let rows = [
        ("Gazette of", Aspect::Country),
        ("Number", Aspect::Gazette(NoticeAspect::Number)),
        ("Date of issue", Aspect::Gazette(NoticeAspect::Date)),
        ("Kind", Aspect::Kind),
        ("Issued by", Aspect::Gazette(NoticeAspect::Issuer)),
        ("Region", Aspect::Region),
        ("Amends", Aspect::Gazette(NoticeAspect::Amends)),
        ("Amended by", Aspect::Gazette(NoticeAspect::AmendedBy)),
        ("Status", Aspect::Gazette(NoticeAspect::Force)),
    ];
    let is_repeal = |notice: NoticeId| matches!(page.web.atlas.notices.matter[notice], NoticeMatter::Repeal { .. });
    let repeals = is_repeal(notice);
    let is_repealed = page.web.atlas.notices.amended_by[notice].is_some_and(is_repeal);
    html.element("table", &[("class", "facts")], |html| {
        for (label, aspect) in rows {
            let label = match label {
                "Amends" if repeals => "Repeals",
                "Amended by" if is_repealed => "Repealed by",
                label => label,
            };
            if let Some(told) = page.tell(Fact::new(notice, aspect)) {
                html.element("tr", &[], |html| {
                    html.leaf("th", &[], label).wrap("td", &[], &told);
                });
            }
        }
    });
}

/// The list that a notice belongs to.
fn collection(web: &Web, notice: NoticeId) -> Option<(GazettePage, &'static str)> {
    let notices = &web.atlas.notices;
    let country = notices.country[notice];
    match notices.matter[notice] {
        NoticeMatter::RateDecision { .. } => Some((GazettePage::Rates(country), "All rate decisions of this bank")),
        NoticeMatter::ClimatePlan { .. } => Some((GazettePage::Plans(country), "All climate plans of this country")),
        NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } => {
            notices.region[notice].map(|region| (GazettePage::Region(region), "All ordinances of this region"))
        }
        NoticeMatter::Appointment { .. } => None,
        _ => bank_of(notices, notice).map(|bank| (GazettePage::Bank(bank), "All notices on this bank")),
    }
}
