//! Accounts that were filed again.

use crate::companies::accounts;
use crate::date::Date;
use crate::dice::{Strand, WorldKey};
use crate::ids::CompanyId;

/// Why accounts were filed again, as the note says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RestatementReason {
    /// Revenue was counted before it was earned.
    RevenueRecognition,
    /// Stocks were valued wrongly.
    InventoryValuation,
    /// Leases were left out or counted twice.
    LeaseAccounting,
    /// A daughter was left out, or one was counted that had been sold.
    Consolidation,
    /// Amounts in other currencies were turned at wrong rates.
    CurrencyTranslation,
    /// Deals within the group were not taken out.
    IntragroupDeals,
    /// A rule changed, and the years before were counted again under the new one.
    ChangeOfPolicy,
    /// Somebody made an error in a sum.
    ClericalError,
}

impl RestatementReason {
    /// All reasons, as the register lists them.
    pub const ALL: [Self; 8] = [
        Self::RevenueRecognition,
        Self::InventoryValuation,
        Self::LeaseAccounting,
        Self::Consolidation,
        Self::CurrencyTranslation,
        Self::IntragroupDeals,
        Self::ChangeOfPolicy,
        Self::ClericalError,
    ];

    /// The term in the register's list.
    pub const fn label(self) -> &'static str {
        match self {
            Self::RevenueRecognition => "revenue recognition",
            Self::InventoryValuation => "valuation of inventories",
            Self::LeaseAccounting => "lease accounting",
            Self::Consolidation => "scope of consolidation",
            Self::CurrencyTranslation => "currency translation",
            Self::IntragroupDeals => "intragroup transactions",
            Self::ChangeOfPolicy => "change of accounting policy",
            Self::ClericalError => "clerical error",
        }
    }
}

/// One or more years of a company's accounts, filed again on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restatement {
    /// Whose accounts.
    pub company: CompanyId,
    /// The first year that was filed again.
    pub first_year: i32,
    /// The last year that was filed again.
    pub last_year: i32,
    /// The day of the new filing.
    pub filed: Date,
    /// Why.
    pub reason: RestatementReason,
    /// By how much revenue changed, in tenths of a percent.
    pub revenue_change_pm: i32,
    /// By how much total assets changed, in tenths of a percent.
    pub assets_change_pm: i32,
}

impl Restatement {
    /// Whether a year was filed again.
    pub fn covers_year(&self, year: i32) -> bool {
        (self.first_year..=self.last_year).contains(&year)
    }
}

/// The restatement of a company, if it has one: one in seven has, large companies more often than small ones, so
/// that among the largest of a sector several have.
pub(crate) fn restatement(key: WorldKey, company: CompanyId, founded: Date) -> Option<Restatement> {
    let mut dice = key.dice(Strand::Restating, u64::from(company.0));
    let per_mille = if accounts::revenue_2015_k(key, company) > accounts::MEDIAN_REVENUE_K { 260 } else { 15 };
    let is_restated = dice.chance(per_mille);
    let earliest = (founded.year() + 1).max(accounts::FIRST_YEAR);
    if !is_restated || earliest > 2022 {
        return None;
    }
    let first_year = dice.days(earliest, 2023);
    let last_year = (first_year + dice.days(0, 2)).min(2023);
    let filed = Date(dice.days(Date::new(last_year + 1, 8, 1).0, Date::new(last_year + 2, 11, 20).0)).on_a_weekday();
    let sign = if dice.chance(550) { 1 } else { -1 };
    Some(Restatement {
        company,
        first_year,
        last_year,
        filed,
        reason: *dice.choose(&RestatementReason::ALL),
        revenue_change_pm: sign * dice.days(45, 260),
        assets_change_pm: sign * dice.days(20, 120),
    })
}
