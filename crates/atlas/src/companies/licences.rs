//! Licences of banks.

use serde::{Deserialize, Serialize};

use crate::date::Date;
use crate::dice::{Dice, Strand, WorldKey};
use crate::ids::CompanyId;

/// What a licence lets a bank do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LicenceKind {
    /// Everything that banks do.
    Full,
    /// Lending without deposits.
    Limited,
}

/// A licence, from the day of its grant to the day before its withdrawal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Licence {
    /// What it lets the bank do.
    pub kind: LicenceKind,
    /// The first day of its validity.
    pub granted: Date,
    /// The first day on which it was no longer valid.
    pub withdrawn: Option<Date>,
}

impl Licence {
    /// Whether it was valid on every day of a year.
    pub fn covers_year(&self, year: i32) -> bool {
        self.granted <= Date::year_start(year) && self.withdrawn.is_none_or(|day| day > Date::year_end(year))
    }

    /// Whether it was valid on any day of a year.
    pub fn touches_year(&self, year: i32) -> bool {
        self.granted <= Date::year_end(year) && self.withdrawn.is_none_or(|day| day > Date::year_start(year))
    }

    /// Whether it was valid on a day.
    pub fn covers(&self, day: Date) -> bool {
        self.granted <= day && self.withdrawn.is_none_or(|withdrawn| day < withdrawn)
    }
}

/// The licences of a bank: most hold a full one since long ago, some lost it, gained it late or only ever had a limited one.
pub(super) fn history(key: WorldKey, bank: CompanyId, founded: Date) -> Vec<Licence> {
    let mut dice = key.dice(Strand::Licence, u64::from(bank.0));
    let start = founded.max(Date(dice.days(Date::new(1990, 2, 1).0, Date::new(2006, 12, 1).0))).on_a_weekday();
    let turn = Date(dice.days(Date::new(2009, 3, 1).0, Date::new(2025, 10, 1).0)).on_a_weekday();
    let licence = |kind, granted, withdrawn| Licence { kind, granted, withdrawn };
    let (full, limited) = (LicenceKind::Full, LicenceKind::Limited);
    match dice.below(100) {
        0..64 => vec![licence(full, start, None)],
        64..74 => vec![licence(limited, start, Some(turn)), licence(full, turn, None)],
        74..82 => vec![licence(full, start, Some(turn))],
        82..88 => vec![licence(full, start, Some(turn)), licence(limited, turn, None)],
        88..95 => vec![licence(full, start, Some(turn)), licence(full, regrant(turn, &mut dice), None)],
        _ => vec![licence(limited, start, None)],
    }
}

fn regrant(withdrawn: Date, dice: &mut Dice) -> Date {
    Date(dice.days(withdrawn.0 + 45, withdrawn.0 + 420).min(Date::TODAY.0 - 5))
        .on_a_weekday()
        .max(withdrawn.plus_days(1))
}
