//! What the press said of a company's revenue before the accounts were filed.

use super::{Accounts, Edited};
use crate::date::Date;
use crate::dice::{Strand, WorldKey};
use crate::ids::CompanyId;

/// In which way a press figure is not the figure that was filed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PressManner {
    /// It is the first figure, rounded to two digits.
    Rounded,
    /// It was printed before the company had added up, and is a few percent off.
    Premature,
}

/// A press report of a year's revenue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PressFigure {
    /// The revenue as printed, in thousands of the company's currency.
    pub revenue_k: i64,
    /// The day of the report.
    pub printed: Date,
    /// In which way it is not what was filed.
    pub manner: PressManner,
}

/// The day on which the press printed a year's revenue, if it did: of every year that was later restated, and of one in
/// fourteen others.
pub(crate) fn press_date(key: WorldKey, company: CompanyId, year: i32, restated: Option<()>) -> Option<Date> {
    let mut dice = key.dice_of_pair(Strand::Press, u64::from(company.0), year as u64);
    let printed = Date::new(year + 1, 2, 1).plus_days(dice.days(0, 50));
    (restated.is_some() || dice.chance(70)).then_some(printed)
}

/// What the press printed of a year, if it did.
pub(crate) fn press_figure(key: WorldKey, company: CompanyId, filed: &Edited<Accounts>) -> Option<PressFigure> {
    let year = filed.first.year;
    let printed = press_date(key, company, year, filed.restated.map(|_| ()))?;
    let mut dice = key.dice_of_pair(Strand::PressFigure, u64::from(company.0), year as u64);
    let manner = if dice.chance(500) { PressManner::Rounded } else { PressManner::Premature };
    let first = filed.first.revenue_k;
    let revenue_k = match manner {
        PressManner::Rounded => rounded(first, 2),
        PressManner::Premature => rounded((first as f64 * (1.0 + 0.04 * dice.bell())) as i64, 3),
    };
    Some(PressFigure { revenue_k, printed, manner })
}

/// The number with so many leading digits and noughts after them.
fn rounded(number: i64, digits: u32) -> i64 {
    let n_digits = number.max(1).ilog10() + 1;
    let step = 10_i64.pow(n_digits.saturating_sub(digits));
    (number + step / 2) / step * step
}
