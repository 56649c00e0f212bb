//! A web of server pages: many hosts that answer requests, shown in one browser with tabs, a history and a drawn frame.

mod address;
mod dom;
mod frame;
mod gate;
mod notices;
mod server;
mod text;
mod visits;
mod world;

pub(crate) use gate::SiteGate;
pub use server::{OpenSites, PageMedium, ServerMethod, ServerRequest, ServerResponse, SiteContent, SiteServer};
pub(crate) use text::{TEXT_VERSION, TextWorld};
pub(crate) use world::{SiteWorld, SitesOpening};

/// Counts up whenever a web of sites behaves differently: what a step is, what is shown around its pages.
pub(crate) const SITES_VERSION: u32 = 1;

/// What every page finds before it is read: what keeps the browser from hanging, and what tells where things are.
pub(crate) const PRELUDE: &str =
    concat!(include_str!("sites/prelude.js"), include_str!("sites/places.js"), include_str!("sites/dom.js"));
