//! Moments and spans of time as headers write them.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// `Sun, 06 Nov 1994 08:49:37 GMT`
pub(super) fn from_http_date(text: &str) -> Option<SystemTime> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let [_weekday, day, month, year, clock, "GMT"] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as u64 + 1;
    at(year.parse().ok()?, month, day.parse().ok()?, seconds_of_day(clock)?)
}

/// `2026-11-15T07:30:00Z`, `2026-11-15T07:30:00.5+01:00`. Fractions are left out.
pub(super) fn from_rfc3339(text: &str) -> Option<SystemTime> {
    let (date, rest) = text.trim().split_once(['T', 't'])?;
    let mut parts = date.splitn(3, '-').map(|part| part.parse::<u64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let (clock, zone) = rest.split_at(rest.find(['Z', 'z', '+', '-'])?);
    let moment = at(year, month, day, seconds_of_day(clock.split('.').next()?)?)?;
    let Some(sign) = zone.chars().next().filter(|sign| matches!(sign, '+' | '-')) else { return Some(moment) };
    let ahead = Duration::from_secs(seconds_of_day(&format!("{}:00", &zone[1..]))?);
    if sign == '+' { moment.checked_sub(ahead) } else { moment.checked_add(ahead) }
}

/// `6m0s`, `1h2m3.5s`, `20ms`, `2.5s`, `3`
pub(super) fn span(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let n_digits = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(n_digits);
        let n_letters = behind.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(behind.len());
        let (unit, behind) = behind.split_at(n_letters);
        let seconds = number.parse::<f64>().ok()? * seconds_in(unit)?;
        total = total.checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
        rest = behind;
    }
    (!text.trim().is_empty()).then_some(total)
}

fn seconds_in(unit: &str) -> Option<f64> {
    match unit {
        "ms" => Some(0.001),
        "s" | "" => Some(1.0),
        "m" => Some(60.0),
        "h" => Some(3600.0),
        "d" => Some(86_400.0),
        _ => None,
    }
}

fn seconds_of_day(clock: &str) -> Option<u64> {
    let mut parts = clock.splitn(3, ':').map(|part| part.parse::<u64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next()??, parts.next()??);
    (hours < 24 && minutes < 60 && seconds <= 60).then_some(hours * 3600 + minutes * 60 + seconds)
}

/// A second of a day by the calendar, from 1970 on.
fn at(year: u64, month: u64, day: u64, seconds: u64) -> Option<SystemTime> {
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // Years are counted from March, so that the leap day is the last of its year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + day_of_year;
    let since_1970 = days.checked_sub(719_468)?;
    Some(UNIX_EPOCH + Duration::from_secs(since_1970 * 86_400 + seconds))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seconds(moment: Option<SystemTime>) -> Option<u64> {
        moment.map(|moment| moment.duration_since(UNIX_EPOCH).unwrap().as_secs())
    }

    #[test]
    fn moments_are_right() {
        assert_eq!(seconds(from_http_date("Sun, 06 Nov 1994 08:49:37 GMT")), Some(784_111_777));
        assert_eq!(seconds(from_rfc3339("1970-01-01T00:00:00Z")), Some(0));
        assert_eq!(seconds(from_rfc3339("2000-02-29T12:34:56Z")), Some(951_827_696));
        assert_eq!(seconds(from_rfc3339("2026-11-15T02:23:45.25+01:00")), Some(1_794_705_825));
        assert_eq!(seconds(from_rfc3339("2026-13-15T02:23:45Z")), None);
    }

    #[test]
    fn spans_are_right() {
        let read = |text: &str| span(text).map(|span| span.as_millis());
        assert_eq!(read("6m0s"), Some(360_000));
        assert_eq!(read("20ms"), Some(20));
        assert_eq!(read("1h0m2.5s"), Some(3_602_500));
        assert_eq!(read("3"), Some(3000));
        assert_eq!((read(""), read("soon"), read("1x")), (None, None, None));
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[-0-9TZ:.+a-zA-Zé ,]{0,40}") {
            let (_, _, _) = (from_http_date(&text), from_rfc3339(&text), span(&text));
        }
    }
}
