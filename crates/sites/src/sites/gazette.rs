//! The official gazettes of all countries.

mod banks;
mod browse;
mod country;
mod deed;
mod home;
mod lists;
mod notice;
mod pages;
mod sheet;
mod shelf;

pub use pages::GazettePage;
pub(crate) use shelf::GazetteShelf;

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::{Date, Entity, NoticeId};

use crate::address::SitePage;
use crate::facts::{Aspect, Fact, NoticeAspect};
use crate::host::SiteHost;
use crate::html::Html;
use crate::page::{Narrator, PageWriter};
use crate::request::SiteQuery;
use crate::response::SiteResponse;
use crate::web::Web;

const HOST: SiteHost = SiteHost::Gazette;
const ROWS_A_PAGE: usize = 50;

/// Answers a request; `None` where there is no such page.
pub(crate) fn get(web: &Web, query: &SiteQuery) -> Option<SiteResponse> {
    match query.path.as_str() {
        "/" if query.parameters.is_empty() => Some(home::home(web)),
        "/about" if query.parameters.is_empty() => Some(home::about(web)),
        "/notices" => browse::results(web, query),
        "/search" if query.takes_only(&["q", "page"]) => home::found(web, query),
        path => page(web, query, GazettePage::of_path(web, path)?),
    }
}

fn page(web: &Web, query: &SiteQuery, page: GazettePage) -> Option<SiteResponse> {
    let is_paged = match page {
        GazettePage::Notice(notice) => notice::is_scanned(web, notice),
        GazettePage::Rates(_) | GazettePage::Region(_) | GazettePage::Banks(_) => true,
        _ => false,
    };
    if !query.takes_only(if is_paged { &["page"] } else { &[] }) {
        return None;
    }
    match page {
        GazettePage::Notice(notice) => notice::notice(web, query, notice),
        GazettePage::Act(act) => Some(lists::act(web, act)),
        GazettePage::Country(country) => Some(country::country(web, country)),
        GazettePage::Region(region) => lists::region(web, query, region),
        GazettePage::Issue(first) => Some(country::issue(web, first)),
        GazettePage::Rates(country) => lists::rates(web, query, country),
        GazettePage::Plans(country) => Some(lists::plans(web, country)),
        GazettePage::Banks(country) => banks::banks(web, query, country),
        GazettePage::Bank(bank) => Some(banks::bank(web, bank)),
    }
}

/// Links of the header.
pub(crate) fn links() -> Vec<(&'static str, String)> {
    vec![("Latest issues", "/".to_owned()), ("Browse notices", "/notices".to_owned()), ("About", "/about".to_owned())]
}

/// The first sentence of a page: kind, place and era.
pub(crate) fn lead(web: &Web, entity: Entity, into: &mut Html) {
    let mut page = PageWriter::about(web, HOST, entity, Date::TODAY);
    first_sentence(&mut page, entity, into);
}

fn first_sentence(page: &mut PageWriter, entity: Entity, into: &mut Html) {
    let Entity::Notice(notice) = entity else {
        Narrator::new(page, entity, "").sentence("gazette.country.lead", &[]).paragraph(into);
        return;
    };
    let key = match page.web.atlas.notices.matter[notice] {
        NoticeMatter::Ordinance { .. } => "gazette.lead.ordinance",
        NoticeMatter::Repeal { .. } => "gazette.lead.repeal",
        NoticeMatter::ClimatePlan { .. } => "gazette.lead.plan",
        NoticeMatter::LicenceGranted { .. } | NoticeMatter::LicenceWithdrawn { .. } => "gazette.lead.licence",
        NoticeMatter::RateDecision { .. } => "gazette.lead.rate",
        NoticeMatter::Appointment { .. } => "gazette.lead.appointment",
    };
    let given =
        [("decade", of_notice(notice, NoticeAspect::Decade)), ("issuer", of_notice(notice, NoticeAspect::Issuer))];
    Narrator::new(page, entity, "").sentence(key, &given).paragraph(into);
}

/// Something that is said of a notice.
fn of_notice(notice: NoticeId, aspect: NoticeAspect) -> Fact {
    Fact::new(notice, Aspect::Gazette(aspect))
}
