//! The sites of a world of facts, to be read by a person.

use std::sync::Arc;

use quintain_atlas::{Atlas, Edition};
use quintain_bridge::{ServedPage, ServedSites};
use quintain_sites::{SiteHost, SiteRequest, SiteState, Web, WebSetup, respond};

pub use quintain_atlas::Size as WorldSize;

/// The sites of one world.
pub struct BrowsedWorld {
    web: Web,
}

impl BrowsedWorld {
    /// Makes the world of a seed, and its sites.
    pub fn new(seed: u64, size: WorldSize) -> Self {
        let atlas = Arc::new(Atlas::new(Edition::FIRST, seed, size));
        Self { web: Web::new(atlas, WebSetup::of_seed(seed)) }
    }
}

impl ServedSites for BrowsedWorld {
    /// Those that have a first page.
    fn hosts(&self) -> Vec<String> {
        let has_home = |host: &SiteHost| self.page(&host.home()).status == 200;
        SiteHost::ALL.into_iter().filter(has_home).map(SiteHost::name).collect()
    }

    /// Nothing that is read here changes anything.
    fn page(&self, address: &str) -> ServedPage {
        let answer = respond(&self.web, &mut SiteState::default(), &SiteRequest::get(address));
        ServedPage {
            status: answer.status,
            mime: answer.content_type.to_owned(),
            body: answer.html,
            location: answer.location,
        }
    }
}
