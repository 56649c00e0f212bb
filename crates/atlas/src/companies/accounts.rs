//! Yearly accounts, computed when they are asked for.

use super::Sector;
use crate::dice::{Strand, WorldKey};
use crate::ids::{CompanyId, CountryId};
use crate::statistics::Economy;

/// The first year of which the register keeps accounts.
pub const FIRST_YEAR: i32 = 2008;
/// The last year of which accounts are filed.
pub const LAST_YEAR: i32 = 2024;

/// Half of all companies took more than this in 2015, in thousands of clearing units.
pub(crate) const MEDIAN_REVENUE_K: f64 = 30_000.0;

/// The accounts of a company for a year. Amounts are in thousands of the company's currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accounts {
    /// The year.
    pub year: i32,
    /// What was taken.
    pub revenue_k: i64,
    /// What is owned.
    pub total_assets_k: i64,
    /// A bank's net interest margin, in hundredths of a percent.
    pub interest_margin_bp: Option<i32>,
}

/// Something that was filed, and perhaps filed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edited<T> {
    /// As it was filed first.
    pub first: T,
    /// As it was filed again, where it was.
    pub restated: Option<T>,
}

impl<T: Copy> Edited<T> {
    /// What rules: the last filing.
    pub fn ruling(&self) -> T {
        self.restated.unwrap_or(self.first)
    }
}

/// What accounts are computed from.
pub(crate) struct AccountSources<'a> {
    pub(crate) key: WorldKey,
    pub(crate) economy: &'a Economy,
    pub(crate) company: CompanyId,
    pub(crate) country: CountryId,
    pub(crate) sector: Sector,
}

impl AccountSources<'_> {
    /// The accounts of a year as they were filed first.
    pub(crate) fn first_filed(&self, year: i32) -> Accounts {
        let revenue_k = self.revenue_k(year);
        let mut dice = self.key.dice(Strand::Assets, u64::from(self.company.0));
        let (low, high) = if self.sector == Sector::Banking { (11.0, 19.0) } else { (0.6, 2.2) };
        let ratio = dice.uniform(low, high);
        let wobble = |year: i32| self.key.dice_of_pair(Strand::Assets, u64::from(self.company.0), year as u64).bell();
        let drift = 1.0 + 0.05 * (wobble(year) + wobble(year - 1) + wobble(year - 2));
        let interest_margin_bp = (self.sector == Sector::Banking).then(|| self.interest_margin_bp(year));
        Accounts { year, revenue_k, total_assets_k: (revenue_k as f64 * ratio * drift) as i64, interest_margin_bp }
    }

    /// Revenue follows prices, the sector, the company's own trend and chance; it walks from 2015 to the year.
    fn revenue_k(&self, year: i32) -> i64 {
        let rate = self.economy.rate_2015(self.country);
        let mut revenue = revenue_2015_k(self.key, self.company) * rate;
        let trend = self.key.dice(Strand::Revenue, u64::from(self.company.0)).bell() * 0.03 + 0.015;
        (2016..=year).for_each(|walked| revenue *= 1.0 + self.growth(trend, walked));
        (year + 1..=2015).for_each(|walked| revenue /= 1.0 + self.growth(trend, walked));
        (revenue as i64).max(50)
    }

    fn growth(&self, trend: f64, year: i32) -> f64 {
        let own = self.key.dice_of_pair(Strand::Revenue, u64::from(self.company.0), year as u64).bell() * 0.065;
        let of_sector = self.key.dice_of_pair(Strand::SectorCycle, self.sector as u64, year as u64).bell() * 0.03;
        let prices = f64::from(self.economy.inflation_bp(self.country, year)) / 10_000.0;
        (trend + own + of_sector + prices).max(-0.4)
    }

    /// Margins move slowly, and a little with the rates of the central bank.
    fn interest_margin_bp(&self, year: i32) -> i32 {
        let company = u64::from(self.company.0);
        let base = self.key.dice(Strand::InterestMargin, company).uniform(130.0, 390.0);
        let wobble = |year: i32| self.key.dice_of_pair(Strand::InterestMargin, company, year as u64).bell();
        let slow: f64 = (0..5).map(|back| wobble(year - back)).sum::<f64>() * 14.0 + wobble(year) * 9.0;
        let rates = f64::from(self.economy.policy_rate_bp(self.country, year) - 350) * 0.08;
        (base + slow + rates).clamp(35.0, 690.0) as i32
    }
}

/// A company's revenue of 2015, in thousands of clearing units.
pub(crate) fn revenue_2015_k(key: WorldKey, company: CompanyId) -> f64 {
    key.dice_of_pair(Strand::Revenue, u64::from(company.0), 0).log_bell(MEDIAN_REVENUE_K, 1.45)
}
