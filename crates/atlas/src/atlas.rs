//! The whole world.

use crate::blocs::BlocTable;
use crate::column::{Column, Grouped};
use crate::companies::{CompanySources, CompanyTable};
use crate::dice::WorldKey;
use crate::gazette::{GazetteSources, NoticeTable};
use crate::geography::Geography;
use crate::government::GovernmentTable;
use crate::ids::{IndicatorId, PersonId};
use crate::institutions::InstitutionTable;
use crate::names::Words;
use crate::names::coining::Coiner;
use crate::news::{NewsSources, NewsTable};
use crate::papers::{Employment, PaperTable, Scholars, TopicTable, VenueTable, Vocabulary};
use crate::people::{PersonTable, PostHeld, tenures};
use crate::search_terms::add_labels;
use crate::size::{Edition, Size};
use crate::statistics::{Economy, Indicator, indicators};

/// A whole consistent world: the same for the same edition, seed and size, on every machine.
///
/// Relations stand in columns; texts, accounts and series are computed when they are asked for.
#[derive(Clone, Debug)]
pub struct Atlas {
    /// Which generator made it.
    pub edition: Edition,
    /// The seed it was made from.
    pub seed: u64,
    /// How large it is.
    pub size: Size,
    /// Every word of every name and title.
    pub words: Words,
    /// Countries, regions, places.
    pub geography: Geography,
    /// People.
    pub people: PersonTable,
    /// The posts of each person.
    pub tenures: Grouped<PersonId, PostHeld>,
    /// Where scholars work; others have no entry.
    pub employments: Grouped<PersonId, Employment>,
    /// Companies.
    pub companies: CompanyTable,
    /// Institutions.
    pub institutions: InstitutionTable,
    /// Topics of science.
    pub topics: TopicTable,
    /// Journals.
    pub venues: VenueTable,
    /// Papers.
    pub papers: PaperTable,
    /// Governments.
    pub governments: GovernmentTable,
    /// Blocs of countries.
    pub blocs: BlocTable,
    /// The core series and the decisions of central banks.
    pub economy: Economy,
    /// Official notices.
    pub notices: NoticeTable,
    /// News items.
    pub news: NewsTable,
    /// What is counted.
    pub indicators: Column<IndicatorId, Indicator>,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) key: WorldKey,
}

impl Atlas {
    /// Makes a world.
    pub fn new(edition: Edition, seed: u64, size: Size) -> Self {
        let key = WorldKey::new(edition, seed);
        let counts = size.counts();
        let mut coiner = Coiner::new();
        add_labels(&mut coiner.words);
        let vocabulary = Vocabulary::new(&mut coiner.words);
        let indicators = indicators(key, &mut coiner.words);
        let topics = TopicTable::new(&counts, &mut coiner.words);
        let blocs = BlocTable::new(key, counts.countries, &mut coiner.words);
        let geography = Geography::new(key, &counts, &mut coiner);
        let venues = VenueTable::new(key, &counts, &geography.countries, &mut coiner.words);
        let economy = Economy::new(key, &geography.countries);
        let people = PersonTable::new(key, &counts, &geography, &mut coiner);
        let from = CompanySources { key, counts, geography: &geography, people: &people };
        let companies = CompanyTable::new(&from, &mut coiner);
        let institutions = InstitutionTable::new(key, &counts, &geography, &people, &mut coiner.words);
        let governments = GovernmentTable::new(key, counts.countries, &people);
        let scholars = Scholars::new(key, &people, &institutions, topics.name.len());
        let papers = PaperTable::new(key, &counts, &topics, &venues, &scholars);
        let employments = scholars.into_employments();
        let tenures = tenures(counts.people, governments.posts().chain(companies.posts()).chain(institutions.posts()));
        let from = GazetteSources {
            key,
            n_notices: counts.notices,
            geography: &geography,
            companies: &companies,
            institutions: &institutions,
            governments: &governments,
            economy: &economy,
        };
        let notices = NoticeTable::new(&from);
        let from = NewsSources {
            key,
            n_items: counts.news,
            n_indicators: indicators.len(),
            geography: &geography,
            companies: &companies,
            papers: &papers,
            notices: &notices,
        };
        let news = NewsTable::new(&from);
        Self {
            edition,
            seed,
            size,
            words: coiner.words,
            geography,
            people,
            tenures,
            employments,
            companies,
            institutions,
            topics,
            venues,
            papers,
            governments,
            blocs,
            economy,
            notices,
            news,
            indicators,
            vocabulary,
            key,
        }
    }
}
