//! What an index needs to know of every entity, as words of the word list: nothing is spelled out.

use crate::atlas::Atlas;
use crate::column::RowId;
use crate::companies::Sector;
use crate::entity::{Entity, Kind};
use crate::gazette::NoticeMatter;
use crate::ids::{
    BlocId, CompanyId, CountryId, IndicatorId, InstitutionId, NewsId, NoticeId, PaperId, PersonId, PlaceId, RegionId,
    TopicId, VenueId, WordId,
};
use crate::names::Words;
use crate::news::{LOCAL_THEMES, NewsMatter};
use crate::people::Post;
use crate::statistics::EnergySource;

/// Which part of a page's head a word stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermField {
    /// The title.
    Title,
    /// What kind of thing it is.
    Kind,
    /// Where it is.
    Place,
}

/// The words for kinds of things.
const KIND_WORDS: &str = "country region town person company institution topic journal paper statistics bloc notice news \
                          sector energy gazette climate plan ordinance licence rate decision appointment ministry \
                          head government minister chair chief executive rector auditor encyclopaedia research";

/// Puts every word into the list that titles of notices and kinds of things are told with.
pub(crate) fn add_labels(words: &mut Words) {
    let sectors = Sector::ALL.into_iter().map(Sector::label);
    let sources = EnergySource::ALL.into_iter().map(EnergySource::label);
    let labels = sectors.chain(sources).chain(LOCAL_THEMES).chain(crate::gazette::labels()).chain([KIND_WORDS]);
    for label in labels {
        words.add_all(&label.to_lowercase());
    }
    for year in 1990..=2026 {
        words.add(&year.to_string());
    }
}

impl Atlas {
    /// How many entities of a kind there are.
    pub fn count(&self, kind: Kind) -> usize {
        match kind {
            Kind::Country => self.geography.countries.name.len(),
            Kind::Region => self.geography.regions.name.len(),
            Kind::Place => self.geography.places.name.len(),
            Kind::Person => self.people.given.len(),
            Kind::Company => self.companies.name.len(),
            Kind::Institution => self.institutions.name.len(),
            Kind::Topic => self.topics.name.len(),
            Kind::Venue => self.venues.name.len(),
            Kind::Paper => self.papers.topic.len(),
            Kind::Indicator => self.indicators.len(),
            Kind::Bloc => self.blocs.name.len(),
            Kind::Notice => self.notices.len(),
            Kind::News => self.news.len(),
            Kind::Sector => Sector::ALL.len(),
            Kind::EnergySource => EnergySource::ALL.len(),
        }
    }

    /// The entity of a kind with a number below [`Atlas::count`].
    pub fn entity(&self, kind: Kind, index: usize) -> Option<Entity> {
        (index < self.count(kind)).then(|| match kind {
            Kind::Country => CountryId::from_index(index).into(),
            Kind::Region => RegionId::from_index(index).into(),
            Kind::Place => PlaceId::from_index(index).into(),
            Kind::Person => PersonId::from_index(index).into(),
            Kind::Company => CompanyId::from_index(index).into(),
            Kind::Institution => InstitutionId::from_index(index).into(),
            Kind::Topic => TopicId::from_index(index).into(),
            Kind::Venue => VenueId::from_index(index).into(),
            Kind::Paper => PaperId::from_index(index).into(),
            Kind::Indicator => IndicatorId::from_index(index).into(),
            Kind::Bloc => BlocId::from_index(index).into(),
            Kind::Notice => NoticeId::from_index(index).into(),
            Kind::News => NewsId::from_index(index).into(),
            Kind::Sector => Sector::ALL[index].into(),
            Kind::EnergySource => EnergySource::ALL[index].into(),
        })
    }

    /// All entities of a kind.
    pub fn entities(&self, kind: Kind) -> impl Iterator<Item = Entity> {
        (0..self.count(kind)).filter_map(move |index| self.entity(kind, index))
    }

    /// Hands over every word that an index should find an entity by. Names and figures that are asked for elsewhere,
    /// such as who holds a post, are not among them.
    pub fn search_terms(&self, entity: Entity, found: &mut impl FnMut(TermField, WordId)) {
        self.title_words(entity).into_iter().for_each(|word| found(TermField::Title, word));
        self.kind_words(entity).into_iter().for_each(|word| found(TermField::Kind, word));
        self.place_words(entity).into_iter().flatten().for_each(|word| found(TermField::Place, word));
    }

    fn kind_words(&self, entity: Entity) -> Vec<WordId> {
        match entity {
            Entity::Company(id) => self.known_words(self.companies.sector[id].label()),
            Entity::Institution(id) => self.known_words(self.institutions.kind[id].label()),
            Entity::Paper(id) => self.topics.name[self.papers.topic[id]].clone(),
            Entity::Topic(id) => self.known_words(self.topics.field[id].label()),
            Entity::Venue(id) => self.known_words(self.venues.field[id].label()),
            Entity::Notice(id) => self.known_words(match self.notices.matter[id] {
                NoticeMatter::Ordinance { .. } | NoticeMatter::Repeal { .. } => "ordinance",
                NoticeMatter::ClimatePlan { .. } => "climate plan",
                NoticeMatter::LicenceGranted { .. } | NoticeMatter::LicenceWithdrawn { .. } => "licence",
                NoticeMatter::RateDecision { .. } => "rate decision",
                NoticeMatter::Appointment { .. } => "appointment",
            }),
            Entity::News(id) => [self.known_words("news"), self.matter_words(self.news.matter[id])].concat(),
            _ => self.known_words(kind_label(entity.kind())),
        }
    }

    /// The words for what a news item tells of.
    fn matter_words(&self, matter: NewsMatter) -> Vec<WordId> {
        let of_post = |post: Post| match post {
            Post::Chair(_) => "appointment chair",
            Post::ChiefExecutive(_) => "appointment chief executive",
            Post::HeadOfGovernment(_) => "appointment head of government",
            Post::Minister(..) => "appointment minister",
            Post::Rector(_) => "appointment rector",
        };
        match matter {
            NewsMatter::Results { .. } => self.known_words("company revenue"),
            NewsMatter::Restated { .. } | NewsMatter::Renamed { .. } => self.known_words("company"),
            NewsMatter::Appointed { post, .. } => self.known_words(of_post(post)),
            NewsMatter::Published { .. } | NewsMatter::Retracted { .. } => self.known_words("paper research"),
            NewsMatter::Notice { notice } => self.kind_words(notice.into()),
            NewsMatter::Estimate { .. } => self.known_words("statistics"),
            NewsMatter::Local { .. } => self.known_words("town"),
        }
    }

    /// The names of the place, region and country that an entity belongs to.
    fn place_words(&self, entity: Entity) -> [Option<WordId>; 3] {
        let geography = &self.geography;
        let country = |id: CountryId| Some(geography.countries.name[id]);
        let region = |id: RegionId| [None, Some(geography.regions.name[id]), country(geography.regions.country[id])];
        let place = |id: PlaceId| {
            let [_, of_region, of_country] = region(geography.places.region[id]);
            [Some(geography.places.name[id]), of_region, of_country]
        };
        match entity {
            Entity::Region(id) => [None, None, country(geography.regions.country[id])],
            Entity::Place(id) => region(geography.places.region[id]),
            Entity::Person(id) => [None, None, country(self.people.country[id])],
            Entity::Company(id) => place(self.companies.seat[id]),
            Entity::Institution(id) => place(self.institutions.seat[id]),
            Entity::Notice(id) => match self.notices.region[id] {
                Some(of) => region(of),
                None => [None, None, country(self.notices.country[id])],
            },
            Entity::News(id) => match self.news.matter[id] {
                NewsMatter::Local { place: at, .. } => place(at),
                NewsMatter::Estimate { country: of, .. } => [None, None, country(of)],
                NewsMatter::Results { company, .. }
                | NewsMatter::Restated { company }
                | NewsMatter::Renamed { company } => place(self.companies.seat[company]),
                NewsMatter::Notice { notice } => self.place_words(notice.into()),
                NewsMatter::Published { paper } | NewsMatter::Retracted { paper } => {
                    self.place_words(self.papers.institution[paper].into())
                }
                NewsMatter::Appointed { post, .. } => match post {
                    Post::Chair(company) | Post::ChiefExecutive(company) => place(self.companies.seat[company]),
                    Post::HeadOfGovernment(of) | Post::Minister(of, _) => [None, None, country(of)],
                    Post::Rector(institution) => place(self.institutions.seat[institution]),
                },
            },
            _ => [None; 3],
        }
    }

    pub(crate) fn known_words(&self, text: &str) -> Vec<WordId> {
        text.split_whitespace().filter_map(|word| self.words.find(word)).collect()
    }
}

const fn kind_label(kind: Kind) -> &'static str {
    match kind {
        Kind::Country => "country",
        Kind::Region => "region",
        Kind::Place => "town",
        Kind::Person => "person",
        Kind::Company => "company",
        Kind::Institution => "institution",
        Kind::Topic => "topic",
        Kind::Venue => "journal",
        Kind::Paper => "paper",
        Kind::Indicator => "statistics",
        Kind::Bloc => "bloc",
        Kind::Notice => "notice",
        Kind::News => "news",
        Kind::Sector => "sector",
        Kind::EnergySource => "energy",
    }
}
