//! The first page of the encyclopaedia, and what it says of itself.

use quintain_atlas::{Entity, Kind};

use super::{HOST, PediaPage, lead};
use crate::address::SitePage;
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::response::SiteResponse;
use crate::web::Web;

/// The first page.
pub(super) fn home(web: &Web) -> SiteResponse {
    let mut page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("pedia.home.intro"));
    main.leaf("h2", &[], "Articles to begin with");
    for kind in [Kind::Country, Kind::Place, Kind::Institution, Kind::Company] {
        let n = web.atlas.count(kind);
        let drawn = web.draw.fork_text("first page").fork(kind as u64).below(n);
        if let Some(entity) = web.atlas.entity(kind, drawn) {
            teaser(&mut page, entity, &mut main);
        }
    }
    let mut aside = Html::new();
    aside.element("div", &[("class", "box")], |html| {
        html.leaf("h2", &[], "Lists");
        html.element("ul", &[("class", "plain")], |html| {
            for list in [PediaPage::Countries, PediaPage::Blocs] {
                html.element("li", &[], |html| {
                    html.link(&list.path(web), &list.title(web));
                });
            }
        });
    });
    page.finish(&PageBody { title: format!("Welcome to {}", web.look(HOST).brand), main, aside, ..PageBody::default() })
}

fn teaser(page: &mut PageWriter, entity: Entity, main: &mut Html) {
    let name = page.name(entity);
    main.wrap("h3", &[], &name);
    lead(page.web, entity, main);
}

/// The page about the encyclopaedia: whose word rules.
pub(super) fn about(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("pedia.about.intro"));
    main.leaf("h2", &[], "Which source to believe");
    main.leaf("p", &[], &page.words("pedia.about.ruling"));
    main.element("ol", &[], |html| {
        for rule in [
            "The register of companies rules over newspapers and over this encyclopaedia.",
            "Final figures rule over provisional ones, and today's definition over an older one.",
            "A later amendment rules over the earlier text.",
            "Whoever issued something rules over whoever repeats it.",
            "A forum is never a source.",
        ] {
            html.leaf("li", &[], rule);
        }
    });
    main.leaf("h2", &[], "When articles are checked");
    main.leaf("p", &[], &page.words("pedia.about.checked"));
    page.finish(&PageBody { title: "About this encyclopaedia".to_owned(), main, ..PageBody::default() })
}
