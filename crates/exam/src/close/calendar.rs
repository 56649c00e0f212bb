//! Days of 2025, the year that all books are of.

const MONTH_DAYS: [i64; 12] = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// The month that is closed. Days are counted from 1 January, which is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClosingPeriod {
    pub(super) first: i64,
    pub(super) last: i64,
}

impl ClosingPeriod {
    /// A month, 1 to 12.
    pub(super) fn of_month(month: usize) -> Self {
        let before: i64 = MONTH_DAYS[..month - 1].iter().sum();
        Self { first: before + 1, last: before + MONTH_DAYS[month - 1] }
    }
}

/// Month and day of a day of the year.
pub(super) fn month_and_day(day: i64) -> (usize, i64) {
    let mut left = day;
    for (at, days) in MONTH_DAYS.iter().enumerate() {
        if left <= *days {
            return (at + 1, left);
        }
        left -= days;
    }
    (12, 31)
}

/// As a journal has it: `2025-03-31`.
pub(super) fn iso(day: i64) -> String {
    let (month, day) = month_and_day(day);
    format!("2025-{month:02}-{day:02}")
}

/// Banks and markets rest on Saturday and Sunday; 1 January was a Wednesday.
pub(super) fn is_weekend(day: i64) -> bool {
    (day + 1).rem_euclid(7) >= 5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_2025() {
        let march = ClosingPeriod::of_month(3);
        assert_eq!((iso(march.first), iso(march.last)), ("2025-03-01".to_owned(), "2025-03-31".to_owned()));
        assert_eq!(month_and_day(365), (12, 31));
        // 1 and 2 March 2025 were a Saturday and a Sunday.
        assert!(is_weekend(march.first) && is_weekend(march.first + 1) && !is_weekend(march.first + 2));
    }
}
