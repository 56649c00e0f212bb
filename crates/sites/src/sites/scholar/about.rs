//! The first page of the index, and what it says of itself.

use quintain_atlas::papers::Field;

use super::seek::PaperSearch;
use super::seek_form::form;
use super::{HOST, ScholarPage};
use crate::address::SitePage;
use crate::html::Html;
use crate::page::{PageBody, PageWriter, capitalised};
use crate::response::SiteResponse;
use crate::web::Web;

/// The first page: the search, fields and their topics.
pub(super) fn home(web: &Web) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("scholar.home.intro"));
    form(web, &PaperSearch::default(), &mut main);
    main.leaf("h2", &[], "Fields and topics");
    main.element("table", &[("class", "grid")], |html| {
        for field in Field::all() {
            html.element("tr", &[], |html| field_row(&mut page, field, html));
        }
    });
    let title = page.words("scholar.home.title");
    page.finish(&PageBody { title, main, ..PageBody::default() })
}

fn field_row(page: &mut PageWriter, field: Field, html: &mut Html) {
    let web = page.web;
    html.element("th", &[], |html| {
        html.link(&ScholarPage::Field(field).path(web), &capitalised(field.label()));
    });
    html.element("td", &[], |html| {
        for (nth, topic) in web.atlas.topics.field.find(|&of_topic| of_topic == field).enumerate() {
            if nth > 0 {
                html.text(" \u{b7} ");
            }
            html.piece(&page.name(topic));
        }
    });
}

/// The page about the index: whose word rules, how citations are counted, what is not told.
pub(super) fn about(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("scholar.about.intro"));
    for (title, key) in [
        ("Whose word counts", "ruling"),
        ("Citations", "citations"),
        ("Retractions", "retractions"),
        ("Searching", "search"),
        ("Years and days", "dates"),
        ("Authors of the same name", "names"),
        ("Institutions", "addresses"),
        ("What is not kept here", "outside"),
    ] {
        main.leaf("h2", &[], title).leaf("p", &[], &page.words(&format!("scholar.about.{key}")));
    }
    page.finish(&PageBody { title: "About this index".to_owned(), main, ..PageBody::default() })
}
