//! Web sites of a fictional world: a request in, a page and the facts it states out.
//!
//! [`Web::new`] makes the sites of a world once: the search index, the looks, the phrases. [`respond`] answers a request.
//! Nothing is said on a page that is not a fact of the world, or a marked falsehood with its source and date: pages
//! speak through `PageWriter::tell` and `PageWriter::say`, which look the value up and keep the list of what was stated.
//!
//! # How to add a site
//! 1. `host.rs`: the host, whose [`Source`](quintain_atlas::provenance::Source) it speaks as, its possible brand names.
//! 2. `facts.rs` and `facts/`: a new [`Aspect`] where the site tells something that no other does, what each source says
//!    of it (`told`), and which kind of fact it is (`Fact::kind`), which decides whose word rules.
//! 3. `sites/<name>/pages.rs`: an enum of its pages that implements `SitePage`. Every page has the address
//!    `/<word>/<slug>-<code>`; only `/`, `/about` and forms are plain. `sites/registry/pages.rs` is the model.
//! 4. `sites/<name>.rs`: `get` (routes; parameters that are not offered lead to no page), `links` of the header, `lead`,
//!    the first sentence, which search shows.
//! 5. `sites/<name>/*.rs`: one file for each kind of page. Each makes a `PageWriter`, writes a `PageBody` and ends with
//!    `page.finish(&body)`. Text goes in by `html.text`, facts by `page.tell` (linked) or `page.say`, what is only drawn
//!    by `page.state_as`, sentences by a `Narrator`. The five kinds have a model each: entity `registry/company.rs`,
//!    list with filters `registry/seek.rs`, tables and charts `pedia/article.rs` and `pedia/charts.rs`, documents and
//!    scans `registry/filing.rs`, a form that changes the state `registry.rs`.
//! 6. `phrases/<name>.txt`, and a line in `phrases.rs`: four to twelve wordings for each sentence; a star marks those
//!    that are held back. `<name>.footer.first` and `<name>.footer.second` are the footer. A new slot that is no aspect
//!    of the page's subject is given to `Narrator::sentence`; others get a line in `slot_aspect`.
//! 7. `sites.rs`: one line in each `match`: who answers, the page of an entity, what search knows, the header.
//!
//! `QUINTAIN_PAGES=/tmp/pages cargo nextest run -p quintain-sites pages_can` writes pages of sixteen worlds to look at.
//!
//! This crate does no I/O, reads no clock (today is 1 January 2026) and draws nothing but from the world's seed.
#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod address;
mod draw;
mod facts;
mod host;
mod html;
mod look;
mod page;
mod phrases;
mod pictures;
mod request;
mod response;
mod search;
mod sites;
mod state;
mod voice;
mod web;

pub use facts::{
    Aspect, Fact, FilingVersion, NewsAspect, NoticeAspect, Office, PaperAspect, SeriesVersion, StatisticTheme,
    licence_notices, told,
};
pub use host::{DOMAIN, SiteHost};
pub use html::visible_text;
pub use request::{SiteMethod, SiteRequest};
pub use response::{SiteResponse, Standing, Stated};
pub use search::{SearchFilter, SearchHit, SearchIndex, SearchPage};
pub use sites::{
    EnergyGroup, GazettePage, HeraldPage, NewsSection, NumbersPage, OrderEnd, PaperOrder, PaperSearch, RegistryPage,
    RetractedShown, ScholarPage, SeriesLayout, SeriesOrder, SeriesSelection, YearStep, respond, respond_in_words,
    search_address,
};
pub use state::SiteState;
pub use voice::Voice;
pub use web::{Reserve, Web, WebSetup};
