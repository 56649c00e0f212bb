//! Days, months and years, and the ways in which they are written.

use std::fmt;

/// The months, by name.
pub(crate) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A day, a month or a year of the Gregorian calendar, of the years 1 to 9999. A day has a month.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CalendarDate {
    pub(crate) year: u16,
    pub(crate) month: Option<u8>,
    pub(crate) day: Option<u8>,
}

impl CalendarDate {
    /// Reads `2024-12-31`, `2024-12` or `2024`, and nothing else.
    pub(crate) fn from_iso(text: &str) -> Option<Self> {
        let parts: Vec<&str> = text.split('-').collect();
        let sizes: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        matches!(sizes[..], [4] | [4, 2] | [4, 2, 2]).then(|| Self::from_year_first(&parts))?
    }

    /// Reads a date in any of the ways that can mean only one: in digits with the year first, in digits and points with
    /// the day first, in digits and strokes where the day is no possible month, or with the month in words.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_suffix('.').unwrap_or(text);
        if text.contains(|c: char| c.is_alphabetic()) { Self::from_words(text) } else { Self::from_digits(text) }
    }

    fn from_digits(text: &str) -> Option<Self> {
        let mark = text.chars().find(|c| ['-', '/', '.'].contains(c));
        let parts: Vec<&str> = mark.map_or_else(|| vec![text], |mark| text.split(mark).map(str::trim).collect());
        match parts[..] {
            [year, ..] if year.len() == 4 => Self::from_year_first(&parts),
            [month, year] => Self::of(year, Some(month), None),
            [day, month, year] if mark == Some('.') => Self::of(year, Some(month), Some(day)),
            [a, b, year] => Self::only_one(Self::of(year, Some(b), Some(a)), Self::of(year, Some(a), Some(b))),
            _ => None,
        }
    }

    fn from_words(text: &str) -> Option<Self> {
        let parts = text.split(|c: char| c.is_whitespace() || [',', '-'].contains(&c));
        let parts = parts.map(|part| part.trim_matches('.'));
        let parts: Vec<&str> = parts.filter(|part| !["", "of", "the"].contains(part)).collect();
        match parts[..] {
            [month, year] => Self::of(year, Some(month_number(month)?), None),
            [a, b, year] if year.len() == 4 => match (month_number(a), month_number(b)) {
                (Some(month), None) => Self::of(year, Some(month), Some(without_ending(b))),
                (None, Some(month)) => Self::of(year, Some(month), Some(without_ending(a))),
                _ => None,
            },
            [year, month, day] => Self::of(year, Some(month_number(month)?), Some(without_ending(day))),
            _ => None,
        }
    }

    fn from_year_first(parts: &[&str]) -> Option<Self> {
        match *parts {
            [year] => Self::of(year, None, None),
            [year, month] => Self::of(year, Some(month), None),
            [year, month, day] => Self::of(year, Some(month), Some(day)),
            _ => None,
        }
    }

    fn of(year: &str, month: Option<&str>, day: Option<&str>) -> Option<Self> {
        let year = digits(year, 4).filter(|_| year.len() == 4)?;
        let small = |part: Option<&str>| part.map_or(Some(None), |part| Some(Some(digits(part, 2)? as u8)));
        Self { year, month: small(month)?, day: small(day)? }.if_real()
    }

    /// The one that is real, or what both are.
    fn only_one(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        match (a, b) {
            (Some(a), Some(b)) => (a == b).then_some(a),
            (a, b) => a.or(b),
        }
    }

    fn if_real(self) -> Option<Self> {
        let month_is_real = self.month.is_none_or(|month| (1..=12).contains(&month));
        let day_is_real =
            self.day.is_none_or(|day| self.month.is_some_and(|month| (1..=n_days(self.year, month)).contains(&day)));
        (self.year > 0 && self.year <= 9999 && month_is_real && day_is_real).then_some(self)
    }

    /// The same in another year.
    pub(crate) fn in_year(self, by: i16) -> Option<Self> {
        Self { year: self.year.checked_add_signed(by)?, ..self }.if_real()
    }

    /// The one before (-1) or after (1), at the same precision.
    pub(crate) fn beside(self, by: i8) -> Option<Self> {
        let Some(month) = self.month else { return self.in_year(by.into()) };
        let Some(day) = self.day else {
            let other = Self { month: month.checked_add_signed(by), ..self };
            let turned = Self { month: Some(if by < 0 { 12 } else { 1 }), ..self };
            return other.if_real().or_else(|| turned.in_year(by.into()));
        };
        if let Some(other) = (Self { day: day.checked_add_signed(by), ..self }).if_real() {
            return Some(other);
        }
        let next = Self { day: None, ..self }.beside(by)?;
        let day = if by < 0 { n_days(next.year, next.month?) } else { 1 };
        Some(Self { day: Some(day), ..next })
    }

    /// The month of a day, the year of a month.
    pub(crate) fn coarser(self) -> Option<Self> {
        match self {
            Self { day: Some(_), .. } => Some(Self { day: None, ..self }),
            Self { month: Some(_), .. } => Some(Self { month: None, ..self }),
            _ => None,
        }
    }

    /// The first day of a month, the first month of a year.
    pub(crate) fn finer(self) -> Option<Self> {
        match self {
            Self { month: None, .. } => Some(Self { month: Some(1), ..self }),
            Self { day: None, .. } => Some(Self { day: Some(1), ..self }),
            _ => None,
        }
    }

    /// The number of a day, counted through all years.
    pub(crate) fn day_number(self) -> Option<u32> {
        let (month, day) = (self.month?, self.day?);
        let past = u32::from(self.year) - 1;
        let in_year: u32 = (1..month).map(|month| u32::from(n_days(self.year, month))).sum();
        Some(past * 365 + past / 4 - past / 100 + past / 400 + in_year + u32::from(day))
    }
}

impl fmt::Display for CalendarDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        self.month.map_or(Ok(()), |month| write!(f, "-{month:02}"))?;
        self.day.map_or(Ok(()), |day| write!(f, "-{day:02}"))
    }
}

/// A number of at most so many digits.
fn digits(text: &str, at_most: usize) -> Option<u16> {
    let sound = (1..=at_most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    sound.then(|| text.parse().ok())?
}

/// The number of a month by its name, or by its first three letters.
fn month_number(name: &str) -> Option<&'static str> {
    const NUMBERS: [&str; 12] = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];
    let is_it = |month: &str| {
        month.eq_ignore_ascii_case(name)
            || month[..3].eq_ignore_ascii_case(name)
            || (month == "September" && name.eq_ignore_ascii_case("Sept"))
    };
    MONTHS.iter().position(|month| is_it(month)).map(|at| NUMBERS[at])
}

/// `31` of `31st`.
fn without_ending(day: &str) -> &str {
    let ending = ["st", "nd", "rd", "th"].into_iter().find_map(|ending| day.strip_suffix(ending));
    ending.unwrap_or(day)
}

fn n_days(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_each_other() {
        let mut date = CalendarDate::from_iso("1899-12-30").unwrap();
        let mut n_days = 0;
        while date.year < 1905 {
            let next = date.beside(1).unwrap();
            assert_eq!(next.beside(-1), Some(date));
            assert_eq!(next.day_number().unwrap(), date.day_number().unwrap() + 1);
            assert_eq!(CalendarDate::from_text(&next.to_string()), Some(next));
            (date, n_days) = (next, n_days + 1);
        }
        assert_eq!(n_days, 2 + 5 * 365 + 1, "1904 is a leap year and 1900 is none");
    }

    #[test]
    fn the_calendar_ends_somewhere() {
        let date = |text| CalendarDate::from_iso(text).unwrap();
        assert_eq!(date("9999-12-31").beside(1), None);
        assert_eq!(date("0001-01").beside(-1), None);
        assert_eq!(date("2024-02-29").in_year(1), None);
        for wrong in ["0000", "2023-02-29", "2024-13", "2024-00-01", "2024-1-1", "24", "2024-12-31-1", "+024", "2024-"]
        {
            assert_eq!(CalendarDate::from_iso(wrong), None, "{wrong}");
        }
    }
}
