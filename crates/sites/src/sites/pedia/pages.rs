//! The pages of the encyclopaedia.

use quintain_atlas::{CountryId, Entity, Kind, PersonId, RegionId, RowId};

use super::has_articles;
use crate::address::SitePage;
use crate::host::SiteHost;
use crate::web::Web;

/// A page of the encyclopaedia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PediaPage {
    /// An article.
    Article(Entity),
    /// People of one name.
    SameName(PersonId),
    /// All countries.
    Countries,
    /// All blocs.
    Blocs,
    /// Places of a region.
    PlacesOf(RegionId),
    /// Companies seated in a region.
    CompaniesOf(RegionId),
    /// Institutions of a country.
    InstitutionsOf(CountryId),
}

impl PediaPage {
    /// The article on an entity.
    pub(crate) fn of_entity(entity: Entity) -> Option<Self> {
        has_articles(entity.kind()).then_some(Self::Article(entity))
    }
}

fn number(entity: Entity) -> u32 {
    match entity {
        Entity::Country(id) => id.0,
        Entity::Region(id) => id.0,
        Entity::Place(id) => id.0,
        Entity::Person(id) => id.0,
        Entity::Company(id) => id.0,
        Entity::Institution(id) => id.0,
        Entity::Bloc(id) => id.0,
        _ => 0,
    }
}

impl SitePage for PediaPage {
    const HOST: SiteHost = SiteHost::Pedia;

    fn key(self) -> (u32, u32) {
        match self {
            Self::Article(entity) => (entity.kind() as u32, number(entity)),
            Self::SameName(person) => (20, person.0),
            Self::Countries => (21, 0),
            Self::Blocs => (22, 0),
            Self::PlacesOf(region) => (23, region.0),
            Self::CompaniesOf(region) => (24, region.0),
            Self::InstitutionsOf(country) => (25, country.0),
        }
    }

    fn of_key(web: &Web, kind: u32, subject: u32) -> Option<Self> {
        let is_below = |of: Kind| (subject as usize) < web.atlas.count(of);
        match kind {
            20 => is_below(Kind::Person).then_some(Self::SameName(PersonId(subject))),
            21 => Some(Self::Countries),
            22 => Some(Self::Blocs),
            23 => is_below(Kind::Region).then_some(Self::PlacesOf(RegionId(subject))),
            24 => is_below(Kind::Region).then_some(Self::CompaniesOf(RegionId(subject))),
            25 => is_below(Kind::Country).then_some(Self::InstitutionsOf(CountryId::from_index(subject as usize))),
            _ => {
                let of = *Kind::ALL.get(kind as usize).filter(|of| has_articles(**of))?;
                web.atlas.entity(of, subject as usize).map(Self::Article)
            }
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Article(_) => "article",
            Self::SameName(_) => "name",
            _ => "list",
        }
    }

    fn title(self, web: &Web) -> String {
        match self {
            Self::Article(entity) => web.atlas.title(entity),
            Self::SameName(person) => web.atlas.title(person.into()),
            Self::Countries => "List of countries".to_owned(),
            Self::Blocs => "List of blocs".to_owned(),
            Self::PlacesOf(region) => format!("Towns of {}", web.atlas.title(region.into())),
            Self::CompaniesOf(region) => format!("Companies of {}", web.atlas.title(region.into())),
            Self::InstitutionsOf(country) => format!("Institutions of {}", web.atlas.title(country.into())),
        }
    }
}
