//! What the archive is ordered by: sections and subjects. Made once for a world.

use std::ops::Range;

use quintain_atlas::gazette::NoticeMatter;
use quintain_atlas::news::NewsMatter;
use quintain_atlas::people::Post;
use quintain_atlas::{Atlas, Date, Entity, NewsId};

use super::NewsSection;

/// Which items stand in which section, and which are about whom.
#[derive(Clone, Debug)]
pub(crate) struct NewsArchive {
    sections: Vec<NewsSection>,
    // In order, so that the items of a subject stand together, the oldest first.
    by_subject: Vec<(Entity, NewsId)>,
    corrections: Vec<NewsId>,
}

impl NewsArchive {
    pub(crate) fn new(atlas: &Atlas) -> Self {
        let sections = atlas.news.ids().map(|news| NewsSection::of(atlas, news)).collect();
        let about = |news| subjects(atlas, news).into_iter().flatten().map(move |subject| (subject, news));
        let mut by_subject: Vec<(Entity, NewsId)> = atlas.news.ids().flat_map(about).collect();
        by_subject.sort_unstable();
        let corrections = atlas.news.ids().filter(|&news| atlas.news.corrects[news].is_some()).collect();
        Self { sections, by_subject, corrections }
    }

    /// The section of an item.
    pub(crate) fn section(&self, news: NewsId) -> NewsSection {
        self.sections[news.0 as usize]
    }

    /// The items of a section, the latest first.
    pub(crate) fn latest_of(&self, section: NewsSection) -> impl Iterator<Item = NewsId> {
        let all = self.sections.iter().enumerate().rev();
        all.filter(move |(_, of)| **of == section).map(|(at, _)| NewsId(at as u32))
    }

    /// The items about something, the oldest first.
    pub(crate) fn about(&self, subject: Entity) -> impl DoubleEndedIterator<Item = NewsId> + ExactSizeIterator {
        let first = self.by_subject.partition_point(|(other, _)| *other < subject);
        let n = self.by_subject[first..].partition_point(|(other, _)| *other == subject);
        self.by_subject[first..first + n].iter().map(|(_, news)| *news)
    }

    /// All items that put others right, the oldest first.
    pub(crate) fn corrections(&self) -> &[NewsId] {
        &self.corrections
    }
}

/// The numbers of the items that were printed from a day to the day before another.
pub(crate) fn printed_between(atlas: &Atlas, from: Date, end: Date) -> Range<usize> {
    let before = |day: Date| atlas.news.date.as_slice().partition_point(|&date| date < day);
    before(from)..before(end).max(before(from))
}

/// The years of the archive.
pub(crate) fn years(atlas: &Atlas) -> std::ops::RangeInclusive<i32> {
    let dates = atlas.news.date.as_slice();
    let year = |date: Option<&Date>| date.map_or(Date::TODAY.year() - 1, |date| date.year());
    year(dates.first())..=year(dates.last())
}

/// Whom and what an item is about; what is first comes first.
pub(crate) fn subjects(atlas: &Atlas, news: NewsId) -> [Option<Entity>; 2] {
    let pair = |first: Entity, second: Entity| [Some(first), Some(second)];
    let one = |only: Entity| [Some(only), None];
    match atlas.news.matter[news] {
        NewsMatter::Results { company, .. } | NewsMatter::Restated { company } | NewsMatter::Renamed { company } => {
            one(company.into())
        }
        NewsMatter::Appointed { person, post } => pair(whose(post), person.into()),
        NewsMatter::Published { paper } | NewsMatter::Retracted { paper } => {
            pair(atlas.papers.topic[paper].into(), atlas.papers.institution[paper].into())
        }
        NewsMatter::Estimate { indicator, country, .. } => pair(country.into(), indicator.into()),
        NewsMatter::Local { place, .. } => one(place.into()),
        NewsMatter::Notice { notice } => match atlas.notices.matter[notice] {
            NoticeMatter::LicenceGranted { bank, .. } | NoticeMatter::LicenceWithdrawn { bank, .. } => one(bank.into()),
            NoticeMatter::Appointment { person, post } => pair(whose(post), person.into()),
            _ => one(atlas.notices.region[notice].map_or(atlas.notices.country[notice].into(), Entity::from)),
        },
    }
}

fn whose(post: Post) -> Entity {
    match post {
        Post::Chair(company) | Post::ChiefExecutive(company) => company.into(),
        Post::HeadOfGovernment(country) | Post::Minister(country, _) => country.into(),
        Post::Rector(institution) => institution.into(),
    }
}
