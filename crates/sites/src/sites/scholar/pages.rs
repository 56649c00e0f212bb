//! The pages of the index of papers.

use quintain_atlas::papers::Field;
use quintain_atlas::{Atlas, Entity, InstitutionId, Kind, PaperId, PersonId, TopicId, VenueId};

use crate::address::SitePage;
use crate::host::SiteHost;
use crate::web::Web;

/// A page of the index of papers that is about something. Lists of papers take `sort` (`newest`, `oldest`,
/// `citations`), `retracted` (`hide`) and `page`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScholarPage {
    /// A paper: authors, dates, abstract, the works it cites, its retraction. It takes no parameters.
    Paper(PaperId),
    /// The papers that cite a paper; a list of papers.
    CitedBy(PaperId),
    /// Somebody who wrote papers, and these papers; a list of papers.
    Author(PersonId),
    /// The authors who bear one name, by the first of them. It takes no parameters.
    SameName(PersonId),
    /// The papers on a topic; a list of papers.
    Topic(TopicId),
    /// The papers of a journal; a list of papers.
    Venue(VenueId),
    /// The papers that give an institution for their corresponding author; a list of papers.
    Institution(InstitutionId),
    /// The authors who were last known to work at an institution. It takes `page`.
    People(InstitutionId),
    /// Topics and journals of a field. It takes no parameters.
    Field(Field),
}

impl ScholarPage {
    /// The whole address of the page.
    pub fn address(self, web: &Web) -> String {
        SitePage::address(self, web)
    }

    /// The main page of an entity; of people only those who wrote papers have one.
    pub(crate) fn of_entity(atlas: &Atlas, entity: Entity) -> Option<Self> {
        match entity {
            Entity::Paper(paper) => Some(Self::Paper(paper)),
            Entity::Person(person) => (!atlas.papers.of_person.of(person).is_empty()).then_some(Self::Author(person)),
            Entity::Topic(topic) => Some(Self::Topic(topic)),
            Entity::Venue(venue) => Some(Self::Venue(venue)),
            Entity::Institution(institution) => Some(Self::Institution(institution)),
            _ => None,
        }
    }

    /// The page of the authors who bear a person's name, where there are several.
    pub(super) fn of_namesakes(web: &Web, person: PersonId) -> Option<Self> {
        let mut authors = namesakes(web, person);
        let first = authors.next()?;
        authors.next().map(|_| Self::SameName(first))
    }
}

/// The authors who bear a person's name, the person included.
pub(super) fn namesakes(web: &Web, person: PersonId) -> impl Iterator<Item = PersonId> {
    let wrote = |person: &PersonId| !web.atlas.papers.of_person.of(*person).is_empty();
    web.namesakes(person).iter().copied().filter(wrote)
}

impl SitePage for ScholarPage {
    const HOST: SiteHost = SiteHost::Scholar;

    fn key(self) -> (u32, u32) {
        match self {
            Self::Paper(paper) => (0, paper.0),
            Self::CitedBy(paper) => (1, paper.0),
            Self::Author(person) => (2, person.0),
            Self::SameName(person) => (3, person.0),
            Self::Topic(topic) => (4, topic.0),
            Self::Venue(venue) => (5, venue.0),
            Self::Institution(institution) => (6, institution.0),
            Self::People(institution) => (7, institution.0),
            Self::Field(field) => (8, u32::from(field.0)),
        }
    }

    fn of_key(web: &Web, kind: u32, subject: u32) -> Option<Self> {
        let of = match kind {
            0 | 1 => Kind::Paper,
            2 | 3 => Kind::Person,
            4 => Kind::Topic,
            5 => Kind::Venue,
            6 | 7 => Kind::Institution,
            8 => return Field::all().nth(subject as usize).map(Self::Field),
            _ => return None,
        };
        let entity = web.atlas.entity(of, subject as usize)?;
        match (kind, Self::of_entity(&web.atlas, entity)?) {
            (1, Self::Paper(paper)) => Some(Self::CitedBy(paper)),
            (3, Self::Author(person)) => Self::of_namesakes(web, person).filter(|page| *page == Self::SameName(person)),
            (7, Self::Institution(institution)) => Some(Self::People(institution)),
            (_, page) => Some(page),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Paper(_) => "paper",
            Self::CitedBy(_) => "cited-by",
            Self::Author(_) => "author",
            Self::SameName(_) => "name",
            Self::Topic(_) => "topic",
            Self::Venue(_) => "journal",
            Self::Institution(_) => "institution",
            Self::People(_) => "people",
            Self::Field(_) => "field",
        }
    }

    fn title(self, web: &Web) -> String {
        web.atlas.title(match self {
            Self::Paper(paper) | Self::CitedBy(paper) => paper.into(),
            Self::Author(person) | Self::SameName(person) => person.into(),
            Self::Topic(topic) => topic.into(),
            Self::Venue(venue) => venue.into(),
            Self::Institution(institution) | Self::People(institution) => institution.into(),
            Self::Field(field) => return field.label().to_owned(),
        })
    }
}
