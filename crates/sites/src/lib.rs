//! Web sites of a fictional world: a request in, a page and the facts it states out.
//!
//! [`Web::new`] makes the sites of a world once: the search index, the looks, the phrases. [`respond`] answers a request.
//! Nothing is said on a page that is not a fact of the world, or a marked falsehood with its source and date: pages
//! speak through [`PageWriter::tell`](page::PageWriter::tell), which looks the value up and keeps the list of what was
//! stated.
//!
//! # How to add a site
//! 1. `host.rs`: the host, whose [`Source`](quintain_atlas::provenance::Source) it speaks as, its possible brand names.
//! 2. `sites/<name>/pages.rs`: an enum of its pages that implements [`SitePage`](address::SitePage). Every page has the
//!    address `/<word>/<slug>-<code>`; only `/`, `/about` and forms are plain. `sites/registry/pages.rs` is the model.
//! 3. `sites/<name>/*.rs`: one file for each kind of page, a function from a [`PageWriter`](page::PageWriter) to a
//!    [`PageBody`](page::PageBody). Text goes in by `html.text`, facts by `page.tell`, sentences by `page.narrator`.
//! 4. `facts.rs` and `facts/`: a new [`Aspect`] where the site tells something that no other does.
//! 5. `phrases/<name>.txt`: wordings, at least four for each sentence; a star marks those that are held back.
//! 6. `sites.rs`: one line in each `match` (answer, address of an entity, what search knows).
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

pub use facts::{Aspect, Fact, FilingVersion, Office, told};
pub use host::{DOMAIN, SiteHost};
pub use html::visible_text;
pub use request::{SiteMethod, SiteRequest};
pub use response::{SiteResponse, Standing, Stated};
pub use search::{SearchFilter, SearchHit, SearchIndex, SearchPage};
pub use sites::respond;
pub use state::SiteState;
pub use voice::Voice;
pub use web::{Reserve, Web, WebSetup};
