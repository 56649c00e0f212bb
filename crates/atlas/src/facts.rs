//! Facts that are computed when they are asked for.

use crate::atlas::Atlas;
use crate::companies::accounts::{self, AccountSources};
use crate::companies::{Accounts, Edited, PressFigure, Restatement, press_figure_of, restatement_of};
use crate::date::Date;
use crate::dice::Strand;
use crate::ids::{CompanyId, CountryId, IndicatorId, InstitutionId, PersonId, RegionId};
use crate::papers::employer;
use crate::statistics::{Observed, SeriesSources};

impl Atlas {
    /// The accounts of a company for a year, as filed first and as restated. There are none before 2008, after 2024 and
    /// for the year of foundation and before.
    pub fn accounts(&self, company: CompanyId, year: i32) -> Option<Edited<Accounts>> {
        let is_kept = (accounts::FIRST_YEAR..=accounts::LAST_YEAR).contains(&year);
        if !is_kept || year <= self.companies.founded[company].year() {
            return None;
        }
        let sources = AccountSources {
            key: self.key,
            economy: &self.economy,
            company,
            country: self.companies.country[company],
            sector: self.companies.sector[company],
        };
        let first = sources.first_filed(year);
        let restatement = self.restatement(company).filter(|restatement| restatement.covers_year(year));
        let changed = |amount: i64, change_pm: i32| amount + amount * i64::from(change_pm) / 1000;
        let restated = restatement.map(|restatement| Accounts {
            revenue_k: changed(first.revenue_k, restatement.revenue_change_pm),
            total_assets_k: changed(first.total_assets_k, restatement.assets_change_pm),
            ..first
        });
        Some(Edited { first, restated })
    }

    /// The day on which a company filed its accounts for a year first.
    pub fn filed(&self, company: CompanyId, year: i32) -> Date {
        let mut dice = self.key.dice_of_pair(Strand::Assets, u64::from(company.0), 10_000 + year as u64);
        Date(dice.days(Date::new(year + 1, 4, 1).0, Date::new(year + 1, 6, 28).0)).on_a_weekday()
    }

    /// The restatement of a company, if it has one.
    pub fn restatement(&self, company: CompanyId) -> Option<Restatement> {
        restatement_of(self.key, company, self.companies.founded[company])
    }

    /// What the press printed of a company's revenue before it was filed, if it did.
    pub fn press_figure(&self, company: CompanyId, year: i32) -> Option<PressFigure> {
        press_figure_of(self.key, company, &self.accounts(company, year)?)
    }

    /// Who audited a company's accounts of a year. Auditors are changed every seven years; none audits itself.
    pub fn auditor(&self, company: CompanyId, year: i32) -> CompanyId {
        let offset = self.key.dice(Strand::Auditor, u64::from(company.0)).days(0, 6);
        let period = ((year + offset) / 7) as u64;
        let auditors = &self.companies.auditors;
        let mut nth = self.key.dice_of_pair(Strand::Auditor, u64::from(company.0), period).below(auditors.len());
        if auditors[nth] == company {
            nth = (nth + 1) % auditors.len();
        }
        auditors[nth]
    }

    /// Everything published of an indicator for a country and a year; years outside of the series are taken as its ends.
    pub fn observed(&self, indicator: IndicatorId, country: CountryId, year: i32) -> Observed {
        let sources = SeriesSources {
            key: self.key,
            economy: &self.economy,
            id: indicator,
            indicator: &self.indicators[indicator],
        };
        sources.observed(country, year)
    }

    /// Where a scholar works on a day; nobody else has an employer.
    pub fn employer(&self, person: PersonId, day: Date) -> Option<InstitutionId> {
        employer(self.employments.of(person), day)
    }

    /// The region of a company's seat.
    pub fn region_of_company(&self, company: CompanyId) -> RegionId {
        self.geography.places.region[self.companies.seat[company]]
    }
}
