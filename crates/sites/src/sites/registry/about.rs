//! What the register says of itself.

use super::HOST;
use crate::html::Html;
use crate::page::{PageBody, PageWriter};
use crate::response::SiteResponse;
use crate::web::Web;
use quintain_atlas::companies::RestatementReason;

/// The page about the register: whose word rules, what is kept, the list of reasons.
pub(super) fn about(web: &Web) -> SiteResponse {
    let page = PageWriter::new(web, HOST);
    let mut main = Html::new();
    main.leaf("p", &[], &page.words("registry.about.intro"));
    main.leaf("h2", &[], "Which figures count");
    main.leaf("p", &[], &page.words("registry.about.ruling"));
    main.leaf("h2", &[], "What is kept");
    main.leaf("p", &[], &page.words("registry.about.kept"));
    main.leaf("p", &[], "Accounts for financial years before 2014 were handed in on paper and are shown as scans.");
    main.leaf("h2", &[], "Reasons for a restatement");
    main.element("ul", &[], |html| {
        for reason in RestatementReason::ALL {
            html.leaf("li", &[], reason.label());
        }
    });
    page.finish(&PageBody { title: "About the register".to_owned(), main, ..PageBody::default() })
}
