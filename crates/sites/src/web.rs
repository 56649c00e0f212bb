//! The sites of a world: what is made once and shared by all requests.

use std::sync::Arc;

use quintain_atlas::{Atlas, Entity, Kind, NewsId, PersonId};
use quintain_core::seed_key::is_private;

use crate::address::PageCodes;
use crate::draw::Draw;
use crate::host::SiteHost;
use crate::look::{Look, looks};
use crate::phrases::PhraseBook;
use crate::search::SearchIndex;
use crate::sites::{GazetteShelf, NewsArchive, entity_address, lead, plain_headline, searchable};
use crate::voice::Voice;

/// Whether phrases and styles that are held back from public worlds are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reserve {
    /// They are not: what everybody may see and learn.
    #[default]
    HeldBack,
    /// They are, for private keys.
    Used,
}

/// How sites are set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WebSetup {
    /// Whether what is held back is used.
    pub reserve: Reserve,
}

impl WebSetup {
    /// The sites of a world with this seed: what is held back is shown where only who has a key knows the seed.
    pub fn of_seed(seed: u64) -> Self {
        Self { reserve: if is_private(seed) { Reserve::Used } else { Reserve::HeldBack } }
    }
}

/// The sites of a world.
#[derive(Clone, Debug)]
pub struct Web {
    /// The world.
    pub atlas: Arc<Atlas>,
    /// The search index.
    pub index: SearchIndex,
    pub(crate) codes: PageCodes,
    pub(crate) phrases: PhraseBook,
    pub(crate) draw: Draw,
    looks: Vec<Look>,
    // People by name, so that namesakes stand together.
    by_name: Vec<PersonId>,
    pub(crate) shelf: GazetteShelf,
    /// What the archive of the newspapers is ordered by.
    pub(crate) archive: NewsArchive,
}

impl Web {
    /// Makes the sites of a world.
    pub fn new(atlas: Arc<Atlas>, setup: WebSetup) -> Self {
        let people = &atlas.people;
        let mut by_name: Vec<PersonId> = people.given.ids().collect();
        by_name.sort_unstable_by_key(|&person| (people.family[person], people.given[person], person));
        Self {
            index: SearchIndex::new(&atlas),
            codes: PageCodes::new(atlas.seed),
            phrases: PhraseBook::new(setup.reserve),
            draw: Draw::of_world(atlas.seed, "sites"),
            looks: looks(atlas.seed, setup.reserve),
            by_name,
            shelf: GazetteShelf::new(&atlas.notices, atlas.count(Kind::Country)),
            archive: NewsArchive::new(&atlas),
            atlas,
        }
    }

    /// The whole address of an entity's page on a host, where it has one.
    pub fn address(&self, host: SiteHost, entity: Entity) -> Option<String> {
        entity_address(self, host, entity)
    }

    /// The first sentence of an entity's page on a host, which is also what search shows of it.
    pub fn lead(&self, host: SiteHost, entity: Entity) -> String {
        lead(self, host, entity)
    }

    /// The headline of a news item.
    pub fn headline(&self, news: NewsId) -> String {
        plain_headline(self, news)
    }

    /// The kinds of entities that have a page on a host; of people, [`SiteHost::Scholar`] has those who wrote papers.
    pub fn kinds(host: SiteHost) -> &'static [Kind] {
        searchable(host)
    }

    /// How a host writes numbers and dates in this world.
    pub fn voice(&self, host: SiteHost) -> Voice {
        self.look(host).voice
    }

    /// The look of a host in this world.
    pub(crate) fn look(&self, host: SiteHost) -> &Look {
        &self.looks[host as usize]
    }

    /// Everybody who bears a person's name, the person included.
    pub(crate) fn namesakes(&self, person: PersonId) -> &[PersonId] {
        let people = &self.atlas.people;
        let name = |person: PersonId| (people.family[person], people.given[person]);
        let first = self.by_name.partition_point(|&other| name(other) < name(person));
        let n = self.by_name[first..].partition_point(|&other| name(other) == name(person));
        &self.by_name[first..first + n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_back_is_shown_in_worlds_of_private_seeds_alone() {
        let reserves = [0, 1, u64::from(u32::MAX), 1 << 62].map(|seed| WebSetup::of_seed(seed).reserve);
        assert_eq!(reserves, [Reserve::HeldBack, Reserve::HeldBack, Reserve::HeldBack, Reserve::Used]);
    }
}
