//! Days of the world.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A day of the proleptic Gregorian calendar, counted from 1 January 1970. It is written as `2024-12-31`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(pub i32);

impl Date {
    /// The world's today: nothing in it is younger.
    pub const TODAY: Self = Self::new(2026, 1, 1);

    /// The day of a year, month (1 to 12) and day of the month (from 1).
    pub const fn new(year: i32, month: i32, day: i32) -> Self {
        let shifted = if month <= 2 { year - 1 } else { year };
        let era = shifted.div_euclid(400);
        let of_era = shifted.rem_euclid(400);
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        Self(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
    }

    /// The last day of a year.
    pub const fn year_end(year: i32) -> Self {
        Self::new(year, 12, 31)
    }

    /// The first day of a year.
    pub const fn year_start(year: i32) -> Self {
        Self::new(year, 1, 1)
    }

    /// The year, the month (1 to 12) and the day of the month.
    pub const fn parts(self) -> (i32, i32, i32) {
        let days = self.0 + 719_468;
        let era = days.div_euclid(146_097);
        let of_era = days.rem_euclid(146_097);
        let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year + year / 4 - year / 100);
        let shifted = (5 * of_year + 2) / 153;
        let day = of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        (year + era * 400 + if month <= 2 { 1 } else { 0 }, month, day)
    }

    /// The year of this day.
    pub const fn year(self) -> i32 {
        self.parts().0
    }

    /// The day that comes so many days later, or earlier.
    #[must_use]
    pub const fn plus_days(self, days: i32) -> Self {
        Self(self.0 + days)
    }

    /// The day of the week, from 0 for Monday to 6 for Sunday.
    pub const fn weekday(self) -> i32 {
        (self.0 + 3).rem_euclid(7)
    }

    /// The same day, or the Monday after it where it falls on a weekend.
    #[must_use]
    pub const fn on_a_weekday(self) -> Self {
        match self.weekday() {
            5 => self.plus_days(2),
            6 => self.plus_days(1),
            _ => self,
        }
    }

    /// Reads `2024-12-31`.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '-');
        let mut next = || parts.next()?.parse::<i32>().ok();
        let (year, month, day) = (next()?, next()?, next()?);
        let date = (1..=12).contains(&month).then(|| Self::new(year, month, day))?;
        (date.parts() == (year, month, day)).then_some(date)
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = self.parts();
        write!(f, "{year:04}-{month:02}-{day:02}")
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no day such as 2024-12-31")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_of_two_centuries_is_told_and_read_back() {
        assert_eq!(Date::new(1970, 1, 1), Date(0));
        assert_eq!(Date::TODAY.to_string(), "2026-01-01");
        assert_eq!(Date::TODAY.weekday(), 3);
        let (first, last) = (Date::new(1830, 1, 1), Date::TODAY);
        for day in first.0..=last.0 {
            assert_eq!(Date::parse(&Date(day).to_string()), Some(Date(day)));
        }
        assert_eq!(Date::parse("2023-02-29"), None);
    }
}
