//! Reading the world, rightly or in one wrong way.

use super::{Link, Misreading, Test};
use crate::atlas::Atlas;
use crate::companies::Accounts;
use crate::date::Date;
use crate::entity::Entity;
use crate::gazette::NoticeMatter;
use crate::ids::{CompanyId, CountryId, NoticeId, PersonId, PlaceId};

/// The world as somebody reads it.
pub(super) struct Reader<'a> {
    pub(super) atlas: &'a Atlas,
    pub(super) misreading: Option<Misreading>,
}

impl Reader<'_> {
    pub(super) fn reads(&self, misreading: Misreading) -> bool {
        self.misreading == Some(misreading)
    }

    /// What is related to an entity; nothing where the relation does not fit.
    pub(super) fn related(&self, entity: Entity, link: Link) -> Vec<Entity> {
        let entity = self.mistaken(entity);
        let papers = &self.atlas.papers;
        let entities = |ids: &[_]| ids.iter().copied().map(Entity::Paper).collect();
        match (entity, link) {
            (Entity::Paper(id), Link::Authors) => papers.authors.of(id).iter().copied().map(Entity::Person).collect(),
            (Entity::Paper(id), Link::Cites) => entities(papers.cites.of(id)),
            (Entity::Paper(id), Link::CitedBy) => entities(papers.cited_by.of(id)),
            (Entity::Person(id), Link::Papers) => entities(papers.of_person.of(id)),
            (Entity::Person(id), Link::Namesakes) => self.atlas.people.namesakes(id).map(Entity::Person).collect(),
            (Entity::Bloc(id), Link::Members(day)) => self.atlas.blocs.members(id, day).map(Entity::Country).collect(),
            _ => self.one(entity, link).into_iter().collect(),
        }
    }

    /// The one entity that another is related to.
    fn one(&self, entity: Entity, link: Link) -> Option<Entity> {
        match entity {
            Entity::Company(id) => self.of_company(id, link),
            Entity::Country(id) => self.of_country(id, link),
            Entity::Paper(id) => match link {
                Link::Topic => Some(self.atlas.papers.topic[id].into()),
                Link::Venue => Some(self.atlas.papers.venue[id].into()),
                Link::CorrespondingAuthor => Some(self.atlas.papers.corresponding[id].into()),
                Link::GivenInstitution => Some(self.atlas.papers.institution[id].into()),
                _ => None,
            },
            Entity::Person(id) => self.of_person(id, link),
            Entity::Institution(id) => match link {
                Link::Seat => Some(self.atlas.institutions.seat[id].into()),
                Link::Region | Link::Country => self.of_place(self.atlas.institutions.seat[id], link),
                Link::Rector(day) => {
                    let term = self.atlas.institutions.rectors.at(id, self.as_of(entity, day))?;
                    Some(term.person.into())
                }
                _ => None,
            },
            Entity::Place(id) => self.of_place(id, link),
            Entity::Region(id) if link == Link::Country => Some(self.atlas.geography.regions.country[id].into()),
            Entity::Notice(id) if link == Link::VersionBefore => Some(self.atlas.notices.amends[id]?.into()),
            Entity::Notice(id) if link == Link::Country => Some(self.atlas.notices.country[id].into()),
            _ => None,
        }
    }

    fn of_company(&self, id: CompanyId, link: Link) -> Option<Entity> {
        let companies = &self.atlas.companies;
        match link {
            Link::Seat => Some(companies.seat[id].into()),
            Link::Sector => Some(companies.sector[id].into()),
            Link::Country => Some(companies.country[id].into()),
            Link::Region => Some(self.atlas.region_of_company(id).into()),
            Link::Parent(day) => companies.parent[id].filter(|parent| parent.since <= day).map(|it| it.company.into()),
            Link::Chair(day) => Some(companies.chairs.at(id, self.as_of(id.into(), day))?.person.into()),
            Link::ChiefExecutive(day) => {
                Some(companies.chief_executives.at(id, self.as_of(id.into(), day))?.person.into())
            }
            Link::Auditor(year) => Some(self.atlas.auditor(id, year).into()),
            Link::AuditorOfRestatedYear => {
                let restatement = self.atlas.restatement(id)?;
                Some(self.atlas.auditor(id, restatement.first_year).into())
            }
            _ => None,
        }
    }

    fn of_country(&self, id: CountryId, link: Link) -> Option<Entity> {
        let day = |day| self.as_of(id.into(), day);
        match link {
            Link::Country => Some(id.into()),
            Link::HeadOfGovernment(at) => Some(self.atlas.governments.heads.at(id, day(at))?.person.into()),
            Link::Minister(ministry, at) => {
                Some(self.atlas.governments.ministers(ministry).at(id, day(at))?.person.into())
            }
            Link::LatestPlan(at) => Some(self.latest_plan(id, at)?.into()),
            Link::RateDecision(at) => Some(self.atlas.notices.rate_decision_at(id, at)?.into()),
            _ => None,
        }
    }

    fn of_person(&self, id: PersonId, link: Link) -> Option<Entity> {
        match link {
            Link::Birthplace => Some(self.atlas.people.birthplace[id].into()),
            Link::Country => Some(self.atlas.people.country[id].into()),
            Link::Employer(day) => Some(self.atlas.employer(id, day)?.into()),
            _ => None,
        }
    }

    fn of_place(&self, id: PlaceId, link: Link) -> Option<Entity> {
        let region = self.atlas.geography.places.region[id];
        match link {
            Link::Region => Some(region.into()),
            Link::Country => Some(self.atlas.geography.regions.country[region].into()),
            _ => None,
        }
    }

    fn latest_plan(&self, country: CountryId, day: Date) -> Option<NoticeId> {
        let notices = &self.atlas.notices;
        let plans = notices.climate_plans.of(country);
        let plan = plans.iter().rev().copied().find(|&plan| notices.date[plan] <= day)?;
        if self.reads(Misreading::SupersededAmendment) { Some(plan) } else { notices.version_at(plan, day) }
    }

    /// The day as of which the world is read: in an article, that of its last check.
    fn as_of(&self, entity: Entity, day: Date) -> Date {
        if self.reads(Misreading::OutdatedEncyclopaedia) { self.atlas.article_checked(entity) } else { day }
    }

    /// The person who is taken for another of the same name.
    fn mistaken(&self, entity: Entity) -> Entity {
        let Entity::Person(person) = entity else { return entity };
        if !self.reads(Misreading::Homonym) {
            return entity;
        }
        self.atlas.people.namesakes(person).find(|&other| other != person).map_or(entity, Entity::Person)
    }

    /// The accounts of a company's year.
    pub(super) fn accounts(&self, company: CompanyId, year: i32) -> Option<Accounts> {
        let filed = self.atlas.accounts(company, year)?;
        let mut accounts = if self.reads(Misreading::Unrestated) { filed.first } else { filed.ruling() };
        if self.reads(Misreading::PressFigure)
            && let Some(figure) = self.atlas.press_figure(company, year)
        {
            accounts.revenue_k = figure.revenue_k;
        }
        Some(accounts)
    }

    /// Whether an entity passes a test that needs no number of the pool.
    pub(super) fn passes(&self, entity: Entity, test: &Test) -> bool {
        match test {
            Test::Is(link, other) => self.is_related(entity, *link, *other),
            Test::Compare(measure, comparison, bound) => {
                let comparison =
                    if self.reads(Misreading::OtherBounds) { comparison.with_other_bound() } else { *comparison };
                self.measured(entity, measure, None).is_some_and(|number| comparison.holds(number.value(), *bound))
            }
            Test::Years(from, to) => self.year(entity).is_some_and(|year| self.year_range(*from, *to).contains(&year)),
            Test::NotRetracted => match entity {
                Entity::Paper(id) => {
                    self.reads(Misreading::RetractedCounted) || self.atlas.papers.retracted[id].is_none()
                }
                _ => false,
            },
            Test::HeldLicence(kind, year) => self.held_licence(entity, *kind, *year),
        }
    }

    fn is_related(&self, entity: Entity, link: Link, other: Entity) -> bool {
        self.one(entity, link) == Some(other) || is_one_of_many(link) && self.related(entity, link).contains(&other)
    }

    fn year_range(&self, from: i32, to: i32) -> std::ops::RangeInclusive<i32> {
        if self.reads(Misreading::OtherBounds) { from + 1..=to - 1 } else { from..=to }
    }

    fn year(&self, entity: Entity) -> Option<i32> {
        match entity {
            Entity::Paper(id) => Some(self.atlas.papers.date[id].year()),
            Entity::Notice(id) => Some(self.atlas.notices.date[id].year()),
            Entity::News(id) => Some(self.atlas.news.date[id].year()),
            Entity::Company(id) => Some(self.atlas.companies.founded[id].year()),
            Entity::Institution(id) => Some(i32::from(self.atlas.institutions.founded[id])),
            Entity::Person(id) => Some(self.atlas.people.born[id].year()),
            _ => None,
        }
    }

    fn held_licence(&self, entity: Entity, kind: crate::companies::LicenceKind, year: i32) -> bool {
        let Entity::Company(bank) = entity else { return false };
        let mut licences = self.atlas.companies.licences.of(bank).iter().filter(|licence| licence.kind == kind);
        if self.reads(Misreading::WithdrawnLicenceCounted) {
            licences.any(|licence| licence.touches_year(year))
        } else {
            licences.any(|licence| licence.covers_year(year))
        }
    }

    /// What a notice decides, if it is one.
    pub(super) fn matter(&self, entity: Entity) -> Option<NoticeMatter> {
        match entity {
            Entity::Notice(id) => Some(self.atlas.notices.matter[id]),
            _ => None,
        }
    }
}

const fn is_one_of_many(link: Link) -> bool {
    matches!(link, Link::Authors | Link::Cites | Link::CitedBy | Link::Papers | Link::Namesakes | Link::Members(_))
}
