//! The pages of the newspapers.

use quintain_atlas::{Entity, Kind, NewsId, RowId};

use super::archive::years;
use super::headline::plain_headline;
use super::{HOST, NewsSection};
use crate::address::{SitePage, slug};
use crate::host::SiteHost;
use crate::voice::MONTHS;
use crate::web::Web;

/// A page of the newspapers that has an address of its own. Lists take `page` as a parameter.
///
/// The front page is `/`, the page about the papers `/about`; the archive is searched by
/// `/search?words=&from=&to=&section=&paper=&order=&page=`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeraldPage {
    /// An item, or a correction.
    Item(NewsId),
    /// The latest items of a section.
    Section(NewsSection),
    /// All years of the archive.
    Archive,
    /// The months of a year, by section.
    Year(i32),
    /// The items of a month (1 to 12), of one section or of all.
    Month(i32, u8, Option<NewsSection>),
    /// The items about something.
    Topic(Entity),
    /// All corrections.
    Corrections,
}

/// Kinds of things that topic pages are about; the place in this list is part of their addresses.
const TOPICS: [Kind; 8] = [
    Kind::Country,
    Kind::Region,
    Kind::Place,
    Kind::Person,
    Kind::Company,
    Kind::Institution,
    Kind::Topic,
    Kind::Indicator,
];
const FIRST_TOPIC: u32 = 10;
/// Stands for all sections in the address of a month.
const ALL_SECTIONS: u32 = 7;

impl HeraldPage {
    /// The whole address.
    pub fn address(self, web: &Web) -> String {
        SitePage::address(self, web)
    }

    /// The path of an item whose headline is at hand: lists need not make it twice.
    pub(super) fn item_path(web: &Web, news: NewsId, headline: &str) -> String {
        let (kind, subject) = Self::Item(news).key();
        format!("/{}/{}-{}", Self::Item(news).word(), slug(headline), web.codes.code(HOST, kind, subject))
    }

    /// The page of an entity: an item, or the items about it where there are any.
    pub(crate) fn of_entity(web: &Web, entity: Entity) -> Option<Self> {
        match entity {
            Entity::News(news) => Some(Self::Item(news)),
            entity => {
                TOPICS.contains(&entity.kind()).then_some(())?;
                (web.archive.about(entity).len() > 0).then_some(Self::Topic(entity))
            }
        }
    }
}

fn row(entity: Entity) -> u32 {
    match entity {
        Entity::Country(id) => id.0,
        Entity::Region(id) => id.0,
        Entity::Place(id) => id.0,
        Entity::Person(id) => id.0,
        Entity::Company(id) => id.0,
        Entity::Institution(id) => id.0,
        Entity::Topic(id) => id.0,
        Entity::Indicator(id) => id.0,
        _ => 0,
    }
}

impl SitePage for HeraldPage {
    const HOST: SiteHost = HOST;

    fn key(self) -> (u32, u32) {
        match self {
            Self::Item(news) => (0, news.0),
            Self::Section(section) => (1, section as u32),
            Self::Archive => (2, 0),
            Self::Year(year) => (3, year as u32),
            Self::Month(year, month, section) => {
                let section = section.map_or(ALL_SECTIONS, |section| section as u32);
                (4, (year as u32 * 16 + u32::from(month)) * 8 + section)
            }
            Self::Corrections => (5, 0),
            Self::Topic(entity) => {
                let kind = TOPICS.iter().position(|&kind| kind == entity.kind()).unwrap_or_default() as u32;
                (FIRST_TOPIC + kind, row(entity))
            }
        }
    }

    fn of_key(web: &Web, kind: u32, subject: u32) -> Option<Self> {
        let section = |number: u32| NewsSection::ALL.into_iter().find(|&section| section as u32 == number);
        let year = |number: u32| years(&web.atlas).find(|&year| year as u32 == number);
        match kind {
            0 => ((subject as usize) < web.atlas.news.len()).then(|| Self::Item(NewsId::from_index(subject as usize))),
            1 => section(subject).map(Self::Section),
            2 => Some(Self::Archive),
            3 => year(subject).map(Self::Year),
            4 => {
                let month = (1..=12).find(|&month| u32::from(month) == subject / 8 % 16)?;
                let wanted = subject % 8;
                let section = if wanted == ALL_SECTIONS { None } else { Some(section(wanted)?) };
                Some(Self::Month(year(subject / 128)?, month, section))
            }
            5 => Some(Self::Corrections),
            _ => {
                let kind = *TOPICS.get(kind.checked_sub(FIRST_TOPIC)? as usize)?;
                Self::of_entity(web, web.atlas.entity(kind, subject as usize)?)
            }
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Item(_) => "story",
            Self::Section(_) => "section",
            Self::Archive | Self::Year(_) | Self::Month(..) => "archive",
            Self::Topic(_) => "topic",
            Self::Corrections => "corrections",
        }
    }

    fn title(self, web: &Web) -> String {
        match self {
            Self::Item(news) => plain_headline(web, news),
            Self::Section(section) => section.label().to_owned(),
            Self::Archive => "Archive".to_owned(),
            Self::Year(year) => format!("The year {year}"),
            Self::Month(year, month, section) => {
                let month = MONTHS[usize::from(month.clamp(1, 12)) - 1];
                let of = section.map(|section| format!(": {}", section.label())).unwrap_or_default();
                format!("{month} {year}{of}")
            }
            Self::Topic(entity) => web.atlas.title(entity),
            Self::Corrections => "Corrections".to_owned(),
        }
    }
}
