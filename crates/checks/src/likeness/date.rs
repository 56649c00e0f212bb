//! Dates: a day, a month or a year, however it is written.

use serde_json::Value;

use super::expectation::{no_answers, say};
use super::{Likeness, LikenessResult};
use crate::calendar::{CalendarDate, MONTHS};
use crate::value::{Variant, brief};

/// The same date, told to the same precision: a day is no answer where a month is asked for, nor the reverse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SameDate;

impl Likeness for SameDate {
    fn fits(&self, expected: &Value) -> Result<(), String> {
        let date = expected.as_str().and_then(CalendarDate::from_iso);
        let why =
            || format!("a date such as \"2024-12-31\", \"2024-12\" or \"2024\" is expected, not {}", brief(expected));
        date.map(drop).ok_or_else(why)
    }

    fn compare(&self, expected: &Value, actual: &Value) -> LikenessResult {
        let Some(wanted) = expected.as_str().and_then(CalendarDate::from_iso) else {
            return LikenessResult::of(false, "nothing that is expected is a date".to_owned());
        };
        let Some(found) = read(actual) else {
            return LikenessResult::of(false, format!("it is {}, which is no date or not surely one", brief(actual)));
        };
        if found == wanted {
            return LikenessResult::of(true, format!("it is {found}"));
        }
        let result = LikenessResult::of(false, format!("it is {found}, not {wanted}"));
        match (wanted.day_number(), found.day_number()) {
            (Some(wanted), Some(found)) => result.with("days_off", wanted.abs_diff(found).into()),
            _ => result,
        }
    }

    fn near(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        let Some(date) = expected.as_str().and_then(CalendarDate::from_iso) else { return Vec::new() };
        let mut near = no_answers(expected);
        let others = [("the year before", date.in_year(-1)), ("the year after", date.in_year(1))];
        let beside = [("just before", date.beside(-1)), ("just after", date.beside(1))];
        for (how, other) in others.into_iter().chain(beside) {
            near.extend(other.filter(|other| *other != date).map(|other| say(how, other.to_string())));
        }
        near.extend(date.coarser().map(|other| say("coarser than asked", other.to_string())));
        near.extend(date.finer().map(|other| say("finer than asked", other.to_string())));
        near.push(say("the year in two digits", format!("{}{:02}", worded_day(date), date.year % 100)));
        if let (Some(month), Some(day)) = (date.month, date.day) {
            near.extend(misread_days(date, month, day));
        }
        near
    }

    fn like(&self, expected: &Value, _actual: &Value) -> Vec<Variant> {
        let Some(date) = expected.as_str().and_then(CalendarDate::from_iso) else { return Vec::new() };
        let year = format!("{:04}", date.year);
        let mut like = vec![say("more space", format!(" {date} ")), say("with a full stop", format!("{date}."))];
        let Some(month) = date.month else { return like };
        let name = MONTHS[usize::from(month) - 1];
        let short = &name[..3];
        let Some(day) = date.day else {
            like.push(say("in words", format!("{name} {year}")));
            like.push(say("the month cut short", format!("{short} {year}")));
            like.push(say("with a stroke", format!("{month:02}/{year}")));
            return like;
        };
        like.push(say("in words", format!("{day} {name} {year}")));
        like.push(say("the month first", format!("{name} {day}, {year}")));
        like.push(say("the month cut short", format!("{day:02} {short} {year}")));
        like.push(say("in capitals", format!("{}. {day}, {year}", short.to_uppercase())));
        like.push(say("counted", format!("{day}{} of {name} {year}", ordinal_ending(day))));
        like.push(say("with points", format!("{day:02}.{month:02}.{year}")));
        if day > 12 || day == month {
            like.push(say("with strokes, the day first", format!("{day:02}/{month:02}/{year}")));
            like.push(say("with strokes, the month first", format!("{month}/{day}/{year}")));
        }
        like
    }
}

/// The date a value is. A year may be a number.
fn read(actual: &Value) -> Option<CalendarDate> {
    match actual {
        Value::String(text) => CalendarDate::from_text(text),
        Value::Number(number) => CalendarDate::from_text(&number.as_u64()?.to_string()),
        _ => None,
    }
}

/// The day and month in front of a year, as far as they are told.
fn worded_day(date: CalendarDate) -> String {
    let month = date.month.map(|month| format!("{} ", MONTHS[usize::from(month) - 1]));
    let day = date.day.map(|day| format!("{day} "));
    format!("{}{}", day.unwrap_or_default(), month.unwrap_or_default())
}

/// Month and day in each other's place, and a writing that could be either.
fn misread_days(date: CalendarDate, month: u8, day: u8) -> Vec<Variant> {
    if month == day {
        return Vec::new();
    }
    let year = date.year;
    let mut near = vec![
        say("month and day exchanged", format!("{year:04}-{day:02}-{month:02}")),
        say("month and day exchanged, with points", format!("{month:02}.{day:02}.{year:04}")),
    ];
    if day <= 12 {
        near.push(say("it could be either way round", format!("{day:02}/{month:02}/{year:04}")));
    }
    near
}

fn ordinal_ending(day: u8) -> &'static str {
    match day {
        1 | 21 | 31 => "st",
        2 | 22 => "nd",
        3 | 23 => "rd",
        _ => "th",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::proof::{hold_both_ways, odd_json, survive};
    use super::*;

    #[test]
    fn a_date_is_read_however_it_is_written() {
        let holds = |expected: &str, actual: Value| SameDate.compare(&json!(expected), &actual).score.is_full();
        for right in [
            "2024-12-31",
            "31 December 2024",
            "December 31, 2024",
            "31 Dec 2024",
            "Dec. 31 2024",
            "31.12.2024",
            "31/12/2024",
            "12/31/2024",
            "31st December, 2024",
            "2024/12/31",
            "31-Dec-2024",
            "31-12-2024",
        ] {
            assert!(holds("2024-12-31", json!(right)), "{right}");
        }
        for wrong in
            ["2024-12", "2024", "30 December 2024", "31.12.24", "2024-12-31T00:00", "about 31 December 2024", ""]
        {
            assert!(!holds("2024-12-31", json!(wrong)), "{wrong}");
        }
        assert!(!holds("2024-05-06", json!("05/06/2024")) && !holds("2024-05-06", json!("06/05/2024")));
        assert!(holds("2024-05-05", json!("05/05/2024")) && holds("2024-05-06", json!("6.5.2024")));
        assert!(holds("2024", json!("2024")) && holds("2024", json!(2024)) && !holds("2024", json!("2024-12")));
        assert!(holds("2024-12", json!("December 2024")) && !holds("2024-12", json!("2024-12-31")));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 500, ..ProptestConfig::default() })]

        #[test]
        fn near_fails_and_like_passes(year in 1..=9999_u16, month in 1..=12_u8, day in 1..=31_u8, precision in 0..3) {
            let text = match precision {
                0 => format!("{year:04}"),
                1 => format!("{year:04}-{month:02}"),
                _ => format!("{year:04}-{month:02}-{day:02}"),
            };
            prop_assume!(CalendarDate::from_iso(&text).is_some());
            let (n_near, n_like) = hold_both_ways(&SameDate, &json!(text));
            prop_assert!(n_near >= 7 && n_like >= 2, "{n_near} {n_like}");
        }

        #[test]
        fn nothing_panics(expected in odd_json(), actual in odd_json()) {
            survive(&SameDate, &expected, &actual);
        }
    }
}
