//! Who says what, whose word rules, and everything that is said wrongly.

use serde::{Deserialize, Serialize};

use crate::atlas::Atlas;
use crate::companies::accounts;
use crate::date::Date;
use crate::entity::Entity;
use crate::ids::{CompanyId, CountryId, IndicatorId, InstitutionId};
use crate::statistics::known;
use crate::value::{MeasureUnit, Number, Value};

/// Somebody who says something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The register of companies and institutions.
    Registry,
    /// The statistics portal.
    Numbers,
    /// The gazette of a country.
    Gazette,
    /// The index of papers.
    Scholar,
    /// A newspaper.
    Herald,
    /// Another newspaper.
    Courier,
    /// The encyclopaedia.
    Encyclopaedia,
    /// The forum, which never rules.
    Forum,
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FactKind {
    /// Accounts of companies, as last restated.
    Accounts,
    /// Who holds a post in a company.
    Officer,
    /// Names, seats, owners, auditors and foundations of companies and institutions.
    Registration,
    /// Licences of banks.
    Licence,
    /// Values of indicators: final before provisional, today's definition before the old one.
    Statistic,
    /// Decisions of central banks.
    RateDecision,
    /// Ordinances and plans: the last amendment before earlier text.
    Regulation,
    /// Who holds a post of the state.
    PublicOffice,
    /// Papers, their dates, authors, institutions, citations and retractions.
    Publication,
    /// Births and lives of people.
    Biography,
    /// Where places lie and how many people they have.
    Geography,
}

impl FactKind {
    /// Who is believed first, then who, and so on. Whoever is not named is never believed.
    pub const fn ruling(self) -> &'static [Source] {
        match self {
            Self::Accounts | Self::Officer | Self::Registration => {
                &[Source::Registry, Source::Herald, Source::Courier, Source::Encyclopaedia]
            }
            Self::Licence | Self::RateDecision | Self::Regulation | Self::PublicOffice => &[
                Source::Gazette,
                Source::Registry,
                Source::Numbers,
                Source::Herald,
                Source::Courier,
                Source::Encyclopaedia,
            ],
            Self::Statistic => &[Source::Numbers, Source::Herald, Source::Courier, Source::Encyclopaedia],
            Self::Publication => &[Source::Scholar, Source::Herald, Source::Courier, Source::Encyclopaedia],
            Self::Biography | Self::Geography => &[Source::Encyclopaedia, Source::Herald, Source::Courier],
        }
    }

    /// Whose word rules.
    pub const fn official(self) -> Source {
        self.ruling()[0]
    }

    /// Whether one source rules over another.
    pub fn rules_over(self, one: Source, other: Source) -> bool {
        let rank = |source| self.ruling().iter().position(|&ruling| ruling == source).unwrap_or(usize::MAX);
        rank(one) < rank(other)
    }
}

/// In which way something that is said is not what rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FalsehoodKind {
    /// Accounts as they were filed before they were restated.
    Unrestated,
    /// A figure that the press rounded or printed too early.
    PressFigure,
    /// A first estimate.
    Provisional,
    /// A value by the definition before the break.
    BeforeBreak,
    /// A year of foundation that the encyclopaedia has wrong.
    WrongFoundation,
    /// An office holder of an article that was not looked at for years.
    OutdatedArticle,
}

/// Something that is said wrongly: itself a fact, with who said it and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Falsehood {
    /// In which way.
    pub kind: FalsehoodKind,
    /// What is said wrongly.
    pub fact: FactKind,
    /// Of whom or what.
    pub about: Entity,
    /// By whom.
    pub source: Source,
    /// When.
    pub dated: Date,
    /// What is said.
    pub said: Value,
    /// What rules.
    pub truth: Value,
}

impl Atlas {
    /// Everything that is said wrongly of an entity, but for indicators: see [`Atlas::wrong_values`].
    pub fn falsehoods(&self, entity: Entity) -> Vec<Falsehood> {
        match entity {
            Entity::Company(company) => {
                self.wrong_accounts(company).into_iter().chain(self.wrong_chair(company)).collect()
            }
            Entity::Institution(institution) => self.wrong_foundation(institution).into_iter().collect(),
            Entity::Country(country) => {
                let wrong = self.wrong_head(country).into_iter();
                wrong.chain(self.wrong_values(known::EMISSIONS_A_HEAD, country, 2024)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn wrong_accounts(&self, company: CompanyId) -> Vec<Falsehood> {
        let money =
            |amount| Value::Number(Number::whole(amount, MeasureUnit::Thousands(self.companies.country[company])));
        let mut wrong = Vec::new();
        for year in accounts::FIRST_YEAR..=accounts::LAST_YEAR {
            let Some(filed) = self.accounts(company, year) else { continue };
            let truth = filed.ruling().revenue_k;
            let mut add = |kind, source, dated, said| {
                let (fact, about) = (FactKind::Accounts, company.into());
                wrong.push(Falsehood { kind, fact, about, source, dated, said: money(said), truth: money(truth) });
            };
            if filed.restated.is_some() {
                add(FalsehoodKind::Unrestated, Source::Registry, self.filed(company, year), filed.first.revenue_k);
            }
            if let Some(figure) = self.press_figure(company, year).filter(|figure| figure.revenue_k != truth) {
                add(FalsehoodKind::PressFigure, Source::Herald, figure.printed, figure.revenue_k);
            }
        }
        wrong
    }

    fn wrong_chair(&self, company: CompanyId) -> Option<Falsehood> {
        let dated = self.article_checked(company.into());
        let said = self.companies.chairs.at(company, dated)?.person;
        let truth = self.companies.chairs.at(company, Date::TODAY)?.person;
        outdated(company.into(), FactKind::Officer, dated, (said.into(), truth.into()))
    }

    fn wrong_head(&self, country: CountryId) -> Option<Falsehood> {
        let dated = self.article_checked(country.into());
        let said = self.governments.heads.at(country, dated)?.person;
        let truth = self.governments.heads.at(country, Date::TODAY)?.person;
        outdated(country.into(), FactKind::PublicOffice, dated, (said.into(), truth.into()))
    }

    fn wrong_foundation(&self, institution: InstitutionId) -> Option<Falsehood> {
        let said = self.institutions.founded_by_encyclopaedia[institution]?;
        let year = |year: i16| Value::Number(Number::whole(i64::from(year), MeasureUnit::Year));
        Some(Falsehood {
            kind: FalsehoodKind::WrongFoundation,
            fact: FactKind::Registration,
            about: institution.into(),
            source: Source::Encyclopaedia,
            dated: self.article_checked(institution.into()),
            said: year(said),
            truth: year(self.institutions.founded[institution]),
        })
    }

    /// Values of an indicator that do not rule: first estimates and the old definition.
    pub fn wrong_values(&self, indicator: IndicatorId, country: CountryId, year: i32) -> Vec<Falsehood> {
        let seen = self.observed(indicator, country, year);
        let number = |scaled| Value::Number(Number { scaled, digits: seen.digits, unit: MeasureUnit::Of(indicator) });
        let wrong = |kind, source, dated, said| Falsehood {
            kind,
            fact: FactKind::Statistic,
            about: country.into(),
            source,
            dated,
            said: number(said),
            truth: number(seen.ruling()),
        };
        let first = seen.settled.filter(|&settled| settled != seen.provisional);
        let first =
            first.map(|_| wrong(FalsehoodKind::Provisional, Source::Herald, seen.provisional_out, seen.provisional));
        let old = seen.old_definition.filter(|&old| old != seen.ruling());
        let old = old.map(|old| wrong(FalsehoodKind::BeforeBreak, Source::Numbers, seen.settled_out, old));
        first.into_iter().chain(old).collect()
    }
}

fn outdated(about: Entity, fact: FactKind, dated: Date, (said, truth): (Entity, Entity)) -> Option<Falsehood> {
    let (kind, source) = (FalsehoodKind::OutdatedArticle, Source::Encyclopaedia);
    let (said, truth) = (Value::Entity(said), Value::Entity(truth));
    (said != truth).then_some(Falsehood { kind, fact, about, source, dated, said, truth })
}
