//! Lists: notices by date, ordinances of a region, versions of an act, rate decisions, climate plans.

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::{CountryId, Date, NoticeId, RegionId};

use super::country::crumbs;
use super::{GazettePage, HOST, NoticeAspect, ROWS_A_PAGE, of_notice};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact};
use crate::html::Html;
use crate::page::{ListPage, Narrator, PageBody, PageWriter, pager};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

/// Notices with their days, their countries and their kinds. Where all are of one country, who issued each is told
/// instead.
pub(super) fn notice_table(page: &mut PageWriter, notices: &[NoticeId], into: &mut Html) {
    let country = |notice: &NoticeId| page.web.atlas.notices.country[*notice];
    let is_mixed = notices.iter().any(|notice| country(notice) != country(&notices[0]));
    let (label, whose) =
        if is_mixed { ("Gazette", Aspect::Country) } else { ("Issued by", Aspect::Gazette(NoticeAspect::Issuer)) };
    into.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Date of issue</th><th>Notice</th>").leaf("th", &[], label).markup("<th>Kind</th></tr>");
        for &notice in notices {
            let date = page.say(of_notice(notice, NoticeAspect::Date)).unwrap_or_default();
            let name = page.name(notice);
            let whose = page.tell(Fact::new(notice, whose)).unwrap_or_default();
            let kind = page.say(Fact::new(notice, Aspect::Kind)).unwrap_or_default();
            html.element("tr", &[], |html| {
                html.leaf("td", &[("class", "day")], &date).wrap("td", &[], &name);
                html.wrap("td", &[], &whose).leaf("td", &[], &kind);
            });
        }
    });
}

/// Versions of acts with their days and whether they hold.
pub(super) fn version_table(page: &mut PageWriter, versions: impl Iterator<Item = NoticeId>, into: &mut Html) {
    into.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Version</th><th>Date of issue</th><th>Status</th></tr>");
        for version in versions {
            let name = page.name(version);
            let date = page.say(of_notice(version, NoticeAspect::Date)).unwrap_or_default();
            let force = page.say(of_notice(version, NoticeAspect::Force)).unwrap_or_else(|| "\u{2013}".to_owned());
            html.element("tr", &[], |html| {
                html.wrap("td", &[], &name).leaf("td", &[("class", "day")], &date).leaf("td", &[], &force);
            });
        }
    });
}

/// The history of an act.
pub(super) fn act(web: &Web, first: NoticeId) -> SiteResponse {
    let notices = &web.atlas.notices;
    let mut page = PageWriter::about(web, HOST, first.into(), Date::TODAY);
    page.about = None;
    let mut main = Html::new();
    Narrator::new(&mut page, first.into(), "").sentence("gazette.act.intro", &[]).paragraph(&mut main);
    let versions = notices.versions(first);
    version_table(&mut page, versions.into_iter().rev(), &mut main);
    let note = page.words("gazette.act.note");
    main.leaf("p", &[("class", "small")], &note);
    let name = page.say(Fact::new(first, Aspect::Name)).unwrap_or_default();
    let mut crumbs = crumbs(web, notices.country[first]);
    if let Some(region) = notices.region[first] {
        crumbs.push((web.atlas.title(region.into()), GazettePage::Region(region).path(web)));
    }
    page.finish(&PageBody { title: format!("History: {name}"), crumbs, main, ..PageBody::default() })
}

/// The ordinances of a region, the youngest first; `None` where the list has no such page.
pub(super) fn region(web: &Web, query: &SiteQuery, region: RegionId) -> Option<SiteResponse> {
    let acts = web.atlas.notices.ordinances.of(region);
    let range = ListPage { n_rows: acts.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::about(web, HOST, region.into(), Date::TODAY);
    let mut main = Html::new();
    Narrator::new(&mut page, region.into(), "").sentence("gazette.region.intro", &[]).paragraph(&mut main);
    main.element("table", &[("class", "grid")], |html| {
        html.markup("<tr><th>Ordinance</th><th>First issued</th><th>Status</th><th></th></tr>");
        for &act in acts.iter().rev().skip(range.first).take(range.end - range.first) {
            act_row(&mut page, act, html);
        }
    });
    pager(&mut main, web.look(HOST).pager, range, &GazettePage::Region(region).path(web), &[]);
    let name = page.say(Fact::new(region, Aspect::Name)).unwrap_or_default();
    let crumbs = crumbs(web, web.atlas.geography.regions.country[region]);
    Some(page.finish(&PageBody { title: format!("Ordinances of {name}"), crumbs, main, ..PageBody::default() }))
}

fn act_row(page: &mut PageWriter, act: NoticeId, html: &mut Html) {
    let name = page.name(act);
    let date = page.say(of_notice(act, NoticeAspect::Date)).unwrap_or_default();
    let last = last_text(page.web, act);
    let force = page.say(of_notice(last, NoticeAspect::Force)).unwrap_or_default();
    let path = GazettePage::Act(act).path(page.web);
    html.element("tr", &[], |html| {
        html.wrap("td", &[], &name).leaf("td", &[("class", "day")], &date).leaf("td", &[], &force);
        html.element("td", &[], |html| {
            html.link(&path, "History");
        });
    });
}

/// The last version of an act that has a text: a repeal has none.
fn last_text(web: &Web, act: NoticeId) -> NoticeId {
    let notices = &web.atlas.notices;
    let has_text = |notice: &NoticeId| !matches!(notices.matter[*notice], NoticeMatter::Repeal { .. });
    notices.versions(act).into_iter().rev().find(has_text).unwrap_or(act)
}

/// The days of a central bank's decisions, the last one first; `None` where the list has no such page.
pub(super) fn rates(web: &Web, query: &SiteQuery, country: CountryId) -> Option<SiteResponse> {
    let decisions = web.atlas.notices.rate_decisions.of(country);
    let range = ListPage { n_rows: decisions.len(), rows_a_page: ROWS_A_PAGE }.range(query.page_number()?)?;
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    let bank = ("central_bank", Fact::new(country, Aspect::Gazette(NoticeAspect::CentralBank)));
    Narrator::new(&mut page, country.into(), "").sentence("gazette.rates.intro", &[bank]).paragraph(&mut main);
    main.element("ul", &[("class", "wide")], |html| {
        for &notice in decisions.iter().rev().skip(range.first).take(range.end - range.first) {
            let date = page.say(of_notice(notice, NoticeAspect::Date)).unwrap_or_default();
            html.element("li", &[], |html| {
                html.link(&GazettePage::Notice(notice).path(web), &date);
            });
        }
    });
    let note = page.words("gazette.rates.note");
    main.leaf("p", &[("class", "small")], &note);
    pager(&mut main, web.look(HOST).pager, range, &GazettePage::Rates(country).path(web), &[]);
    let bank = page.say(bank.1).unwrap_or_default();
    let title = format!("Rate decisions of the {bank}");
    Some(page.finish(&PageBody { title, crumbs: crumbs(web, country), main, ..PageBody::default() }))
}

/// The climate plans of a country, the last one first.
pub(super) fn plans(web: &Web, country: CountryId) -> SiteResponse {
    let notices = &web.atlas.notices;
    let mut page = PageWriter::about(web, HOST, country.into(), Date::TODAY);
    let mut main = Html::new();
    Narrator::new(&mut page, country.into(), "").sentence("gazette.plans.intro", &[]).paragraph(&mut main);
    for &plan in notices.climate_plans.of(country).iter().rev() {
        let name = page.say(Fact::new(plan, Aspect::Name)).unwrap_or_default();
        main.leaf("h2", &[], &name);
        version_table(&mut page, notices.versions(plan).into_iter().rev(), &mut main);
        main.element("p", &[("class", "more")], |html| {
            html.link(&GazettePage::Act(plan).path(web), "History of this plan");
        });
    }
    let note = page.words("gazette.act.note");
    main.leaf("p", &[("class", "small")], &note);
    let name = page.say(Fact::new(country, Aspect::Name)).unwrap_or_default();
    let title = format!("Climate plans of {name}");
    page.finish(&PageBody { title, crumbs: crumbs(web, country), main, ..PageBody::default() })
}
