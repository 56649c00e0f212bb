//! Numbers as people write them, read strictly.
//!
//! A point is the decimal mark; a comma, an apostrophe or a space parts groups of three digits, the same mark throughout:
//! `1,234.5`, `1'234.5`, `1 234.5`. So `1,234` is one thousand two hundred and thirty-four, and `1,23` is no number. Only
//! where points part the groups and a comma follows them is it the other way round: `1.234,5`. Nothing need stand before
//! the point: `.5`.

/// What parts groups of three digits: comma, apostrophes, and spaces of four widths.
const GROUP_MARKS: &[char] = &[',', '\'', '’', ' ', '\u{a0}', '\u{2009}', '\u{202f}'];

/// What stands before a number below zero.
pub(crate) const MINUS_SIGNS: [char; 3] = ['-', '−', '–'];

/// Words that follow a number and make it greater.
pub(crate) const SCALE_WORDS: &[(&str, f64)] = &[
    ("thousand", 1e3),
    ("million", 1e6),
    ("mn", 1e6),
    ("mln", 1e6),
    ("billion", 1e9),
    ("bn", 1e9),
    ("trillion", 1e12),
    ("tn", 1e12),
];

/// No number is written longer than this.
const MAX_LEN: usize = 400;

/// What a text says without white space around it and without the full stop of a sentence.
pub(crate) fn bare_text(text: &str) -> &str {
    let text = text.trim();
    text.strip_suffix('.').unwrap_or(text).trim_end()
}

/// The number that a text begins with, and what follows it. Never infinite.
pub(crate) fn leading_number(text: &str) -> Option<(f64, &str)> {
    let (sign, unsigned) = match text.strip_prefix(MINUS_SIGNS) {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let (mantissa, rest) = with_points_between(unsigned)
        .or_else(|| with_point_at_end(unsigned))
        .or_else(|| with_fraction("0", unsigned, '.'))?;
    let (exponent, rest) = exponent(rest).unwrap_or(("", rest));
    if mantissa.len() > MAX_LEN {
        return None;
    }
    let number: f64 = format!("{sign}{mantissa}{exponent}").parse().ok()?;
    number.is_finite().then_some((number, rest))
}

/// Whether a comma is the decimal mark of the number that a text begins with: `1.234,5`.
pub(crate) fn has_decimal_comma(text: &str) -> bool {
    let unsigned = text.strip_prefix(MINUS_SIGNS).or_else(|| text.strip_prefix('+')).unwrap_or(text);
    with_points_between(unsigned).is_some()
}

/// The number that a text begins with, a word that makes it greater included, and what follows.
pub(crate) fn scaled_number<'a>(text: &'a str, words: &[(&str, f64)]) -> Option<(f64, &'a str)> {
    let (number, rest) = leading_number(text)?;
    let after = rest.trim_start();
    let word = &after[..after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len())];
    let Some((_, factor)) = words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word)) else {
        return Some((number, rest));
    };
    let scaled = number * factor;
    scaled.is_finite().then(|| (scaled, &after[word.len()..]))
}

/// A number written in full, without an exponent.
pub(crate) fn in_digits(number: f64) -> String {
    // Nothing below zero is written `-0`.
    format!("{}", number + 0.0)
}

/// A written number with a mark between groups of three digits before the point.
pub(crate) fn with_groups(number: &str, mark: &str) -> String {
    let (sign, unsigned) = number.strip_prefix('-').map_or(("", number), |rest| ("-", rest));
    let (whole, fraction) = unsigned.find('.').map_or((unsigned, ""), |at| unsigned.split_at(at));
    let mut grouped = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push_str(mark);
        }
        grouped.push(digit);
    }
    grouped + fraction
}

/// `1,234.5` and everything like it.
fn with_point_at_end(text: &str) -> Option<(String, &str)> {
    let (whole, rest) = groups(text, GROUP_MARKS)?;
    Some(with_fraction(&whole, rest, '.').unwrap_or((whole, rest)))
}

/// `1.234,5`: only with both marks.
fn with_points_between(text: &str) -> Option<(String, &str)> {
    let (whole, rest) = groups(text, &['.'])?;
    // Without a group, it is a whole number before a comma.
    text[..text.len() - rest.len()].contains('.').then(|| with_fraction(&whole, rest, ','))?
}

fn with_fraction<'a>(whole: &str, rest: &'a str, mark: char) -> Option<(String, &'a str)> {
    let (fraction, rest) = digits(rest.strip_prefix(mark)?)?;
    Some((format!("{whole}.{fraction}"), rest))
}

/// Digits, parted into groups of three by one of the marks or not at all.
fn groups<'a>(text: &'a str, marks: &[char]) -> Option<(String, &'a str)> {
    let (first, mut rest) = digits(text)?;
    let mut whole = first.to_owned();
    let mark = rest.chars().next().filter(|mark| marks.contains(mark));
    let Some(mark) = mark.filter(|_| first.len() <= 3 && !first.starts_with('0')) else {
        return Some((whole, rest));
    };
    while let Some((group, after)) = rest.strip_prefix(mark).and_then(digits).filter(|(group, _)| group.len() == 3) {
        whole.push_str(group);
        rest = after;
    }
    Some((whole, rest))
}

/// The digits that a text begins with.
fn digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// `e6`, `E-3`.
fn exponent(text: &str) -> Option<(&str, &str)> {
    let after = text.strip_prefix(['e', 'E'])?;
    let (_, rest) = digits(after.strip_prefix(['-', '+']).unwrap_or(after))?;
    Some(text.split_at(text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn whole_number(text: &str) -> Option<f64> {
        leading_number(text).filter(|(_, rest)| rest.is_empty()).map(|(number, _)| number)
    }

    #[test]
    fn numbers_are_read_in_the_ways_that_are_told() {
        let read = [
            ("0", 0.0),
            ("12", 12.0),
            ("+12.50", 12.5),
            ("−3.2", -3.2),
            ("1,234", 1234.0),
            ("1,234.5", 1234.5),
            ("1 234.5", 1234.5),
            ("1'234'567", 1_234_567.0),
            ("12\u{2009}300\u{2009}000", 12_300_000.0),
            ("1.234", 1.234),
            ("1.234,5", 1234.5),
            ("1.234.567,25", 1_234_567.25),
            ("1.5e3", 1500.0),
            ("2E-3", 0.002),
            (".5", 0.5),
            ("-.5", -0.5),
            (".25e1", 2.5),
        ];
        for (text, number) in read {
            assert_eq!(whole_number(text), Some(number), "{text}");
        }
    }

    #[test]
    fn what_is_no_number_or_not_surely_one_is_not_read() {
        let wrong = [
            "",
            "-",
            "NaN",
            "inf",
            "infinity",
            "1,23",
            "1,2345",
            "12,34,567",
            "1,234 567",
            "0,123",
            "1234,567",
            "1.2.3",
            "1.234.567",
            "1,234,5",
            "3,2",
            ".",
            "-.",
            ". 5",
            "..5",
            ".5.",
            ".5,5",
            "5.",
            "1e",
            "1e999",
            "٣",
            "1_000",
            "0x10",
            "--1",
            "- 1",
            "1 23",
            "½",
        ];
        for text in wrong {
            assert_eq!(whole_number(text), None, "{text}");
        }
    }

    #[test]
    fn decimal_commas_are_told() {
        assert!(["1.234,5", "-1.733,62", "+1.234.567,25"].into_iter().all(has_decimal_comma));
        assert!(!["1,234.5", "1.234", "-1733.62", "1 234", ".5", ""].into_iter().any(has_decimal_comma));
    }

    #[test]
    fn words_make_numbers_greater() {
        assert_eq!(scaled_number("12.5 million KYM", SCALE_WORDS), Some((12.5e6, " KYM")));
        assert_eq!(scaled_number("3bn", SCALE_WORDS), Some((3e9, "")));
        assert_eq!(scaled_number("3 millionaires", SCALE_WORDS), Some((3.0, " millionaires")));
        assert_eq!(scaled_number("1e307 thousand", SCALE_WORDS), None);
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(number in -1e15..1e15, decimals in 0_usize..6, mark in prop::sample::select(GROUP_MARKS)) {
            let written = format!("{number:.decimals$}");
            let meant: f64 = written.parse().unwrap();
            prop_assert_eq!(whole_number(&written), Some(meant));
            prop_assert_eq!(whole_number(&with_groups(&written, &mark.to_string())), Some(meant));
            prop_assert_eq!(whole_number(&in_digits(meant)), Some(meant));
            prop_assert_eq!(whole_number(&written.replacen("0.", ".", usize::from(meant.abs() < 1.0))), Some(meant));
        }

        #[test]
        fn nothing_panics(text in "\\PC{0,12}", near in "[-+0-9.,' eE]{0,12}") {
            for text in [text, near] {
                if let Some((number, rest)) = scaled_number(&text, SCALE_WORDS) {
                    prop_assert!(number.is_finite() && text.ends_with(rest));
                }
            }
        }
    }
}
