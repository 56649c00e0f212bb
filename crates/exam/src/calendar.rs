//! Days of the calendar that is in use, as whole numbers since 1970.

const MONTHS: [&str; 12] = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// A day of the calendar that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CivilDate {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: i64,
    /// From 1.
    pub(crate) day: i64,
}

impl CivilDate {
    /// The date of a day since 1970.
    pub(crate) fn of(day: i64) -> Self {
        let day = day + 719_468;
        let era = day.div_euclid(146_097);
        let of_era = day.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted = (5 * of_year + 2) / 153;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year_of_era + era * 400 + i64::from(month <= 2);
        Self { year, month, day: of_year - (153 * shifted + 2) / 5 + 1 }
    }

    /// `2024-02-29`.
    pub(crate) fn iso(self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// `2024-02`.
    pub(crate) fn iso_month(self) -> String {
        format!("{:04}-{:02}", self.year, self.month)
    }

    /// `29FEB2024`.
    pub(crate) fn clinical(self) -> String {
        format!("{:02}{}{:04}", self.day, MONTHS[(self.month - 1) as usize], self.year)
    }
}

/// The day since 1970 on which a month begins; months may be counted past the ends of a year.
pub(crate) fn month_begins(year: i64, month: i64) -> i64 {
    let (year, month) = (year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
    // Years begin in March, so that the odd day is their last.
    let shifted = (month + 9) % 12;
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * shifted + 2) / 5 - 719_468
}

/// The first day of the month that a day lies in.
pub(crate) fn first_of_month(day: i64) -> i64 {
    day - CivilDate::of(day).day + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        assert_eq!(CivilDate::of(0).iso(), "1970-01-01");
        assert_eq!(CivilDate::of(19_782).clinical(), "29FEB2024");
        assert_eq!(CivilDate::of(19_783).iso_month(), "2024-03");
        for (year, month, told) in
            [(1970, 1, "1970-01-01"), (2024, 3, "2024-03-01"), (2000, 14, "2001-02-01"), (1999, 0, "1998-12-01")]
        {
            assert_eq!(CivilDate::of(month_begins(year, month)).iso(), told);
        }
        assert_eq!(CivilDate::of(first_of_month(19_782)).iso(), "2024-02-01");
    }
}
