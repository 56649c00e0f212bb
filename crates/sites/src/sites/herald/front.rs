//! The front page, and what the papers say of themselves.

use quintain_atlas::NewsId;
use quintain_atlas::news::NewsMatter;

use super::headline::headline;
use super::item::writer;
use super::lists::{StoryRow, rows};
use super::telling::tell_lead;
use super::{HOST, HeraldPage, NewsSection};
use crate::address::SitePage;
use crate::facts::{Aspect, Fact, NewsAspect};
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::response::SiteResponse;
use crate::web::Web;

/// How many items stand on top of the page.
const N_LEADERS: usize = 4;
/// How many items of a section it names.
const OF_A_SECTION: usize = 5;

/// The front page: one item in full view, some more with their first sentences, and the latest of each section.
pub(super) fn front(web: &Web) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    issue_line(&mut page, &mut main);
    let told = leaders(web);
    if let Some((first, others)) = told.split_first() {
        main.element("div", &[("class", "leader")], |html| teaser(&mut page, *first, "h2", html));
        main.element("div", &[("class", "teasers")], |html| {
            for &news in others {
                html.element("div", &[], |html| teaser(&mut page, news, "h3", html));
            }
        });
    }
    main.element("div", &[("class", "sections")], |html| {
        for section in NewsSection::ALL {
            html.element("section", &[], |html| latest_of(&mut page, section, &told, html));
        }
    });
    let aside = beside(web, &mut page);
    page.finish(&PageBody { main, aside, ..PageBody::default() })
}

fn issue_line(page: &mut PageWriter, main: &mut Html) {
    let last = page.web.atlas.news.ids().last();
    let day = last.and_then(|news| page.say(Fact::new(news, Aspect::News(NewsAspect::Printed)))).unwrap_or_default();
    let motto = page.words("herald.motto");
    main.element("p", &[("class", "byline")], |html| {
        html.leaf("b", &[], &format!("Last issue: {day}")).text(&format!(" \u{b7} {motto}"));
    });
}

/// The items on top of the page: the latest of four sections, no corrections, what happens in towns last.
fn leaders(web: &Web) -> Vec<NewsId> {
    let news = &web.atlas.news;
    let first = |section| web.archive.latest_of(section).find(|&item| news.corrects[item].is_none());
    let sections = NewsSection::ALL.into_iter().filter(|&section| section != NewsSection::Figures);
    let mut chosen: Vec<NewsId> = sections.filter_map(first).collect();
    chosen.sort_by_key(|&item| (matches!(news.matter[item], NewsMatter::Local { .. }), std::cmp::Reverse(item)));
    chosen.truncate(N_LEADERS);
    chosen
}

fn teaser(page: &mut PageWriter, news: NewsId, tag: &'static str, html: &mut Html) {
    let web = page.web;
    let title = headline(page, news);
    html.leaf("div", &[("class", "kicker")], web.archive.section(news).label());
    html.element(tag, &[], |html| {
        html.link(&HeraldPage::item_path(web, news, &title), &title);
    });
    let mut piece = writer(web, news);
    tell_lead(&mut piece, news, html);
    page.take_in(piece);
}

fn latest_of(page: &mut PageWriter, section: NewsSection, told: &[NewsId], html: &mut Html) {
    let web = page.web;
    html.element("h2", &[], |html| {
        html.link(&HeraldPage::Section(section).path(web), section.label());
    });
    let of = web.archive.latest_of(section).filter(|news| !told.contains(news));
    rows(page, of.take(OF_A_SECTION), StoryRow::Plain, html);
}

fn beside(web: &Web, page: &mut PageWriter) -> Html {
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "The archive");
        html.leaf("p", &[], &page.words("herald.archive.intro"));
        html.element("p", &[], |html| {
            html.link(&HeraldPage::Archive.path(web), "Browse by year and month");
        });
    });
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Corrections");
        let corrections = web.archive.corrections().iter().rev().copied();
        rows(page, corrections.take(3), StoryRow::Plain, html);
        html.element("p", &[], |html| {
            html.link(&HeraldPage::Corrections.path(web), "All corrections");
        });
    });
    aside
}

/// The page about the papers: whose word rules, how figures are printed, how errors are put right.
pub(super) fn about(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("herald.about.intro"));
    main.leaf("h2", &[], "Whose word counts");
    main.leaf("p", &[], &page.words("herald.about.ruling"));
    main.element("ol", &[], |html| {
        for rule in [
            "For companies, their officers and their accounts: the register before the press.",
            "For statistics: final figures before first estimates.",
            "For ordinances, plans, rates and licences: the gazette, and there the later text before the earlier one.",
            "For papers: the index of papers, retractions included.",
        ] {
            html.leaf("li", &[], rule);
        }
    });
    main.leaf("h2", &[], "Figures in the Herald");
    main.leaf("p", &[], &page.words("herald.about.figures"));
    main.leaf("p", &[], "A billion is a thousand millions. Amounts are in the currency of the company's country.");
    main.leaf("h2", &[], "Corrections");
    main.leaf("p", &[], &page.words("herald.about.corrections"));
    main.element("p", &[], |html| {
        html.link(&HeraldPage::Corrections.path(web), "All corrections");
    });
    page.finish(&PageBody { title: "About the papers".to_owned(), main, ..PageBody::default() })
}
