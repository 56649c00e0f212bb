//! Plain text: numbers as people read them, and aligned tables that fit a terminal.

use quintain_core::money::dollars_and_cents;

use crate::stats::{Clustered, Interval, Method};

/// The widest line of any text.
pub(crate) const WIDTH: usize = 100;

/// A share in percent: `54.2 %`.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.1} %", 100.0 * share))
}

/// A share in percent with its sign: `+3.1 %`.
pub(crate) fn signed(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:+.1} %", 100.0 * share))
}

/// An interval in percent: `[48.2, 60.0]`.
pub(crate) fn interval(interval: Option<Interval>) -> String {
    interval
        .map_or_else(|| "-".to_owned(), |Interval { low, high }| format!("[{:.1}, {:.1}]", 100.0 * low, 100.0 * high))
}

/// An interval over tasks, with how it was found.
pub(crate) fn clustered(clustered: Option<Clustered>) -> String {
    let Some(Clustered { interval: found, method, n_clusters }) = clustered else {
        return "needs at least two tasks".to_owned();
    };
    let how = match method {
        Method::Bootstrap => format!("bootstrap over {n_clusters} tasks"),
        Method::FewClusters => format!("t over {n_clusters} tasks"),
        Method::NoSpread => format!("{n_clusters} tasks, all alike"),
    };
    format!("{} ({how})", interval(Some(found)))
}

/// A number with about three digits that count, and thousands as `k` and `M`.
pub(crate) fn number(value: Option<f64>) -> String {
    let Some(value) = value else { return "-".to_owned() };
    match value.abs() {
        size if size >= 999_950.0 => format!("{:.1}M", value / 1e6),
        size if size >= 9_999.5 => format!("{:.1}k", value / 1e3),
        size if size >= 99.95 || value.fract() == 0.0 => format!("{value:.0}"),
        size if size >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

/// A time given in milliseconds.
pub(crate) fn duration(ms: Option<f64>) -> String {
    let Some(ms) = ms else { return "-".to_owned() };
    match ms {
        ms if ms < 999.5 => format!("{ms:.0} ms"),
        ms if ms < 99_950.0 => format!("{:.1} s", ms / 1e3),
        ms if ms < 5_997_000.0 => format!("{:.1} min", ms / 6e4),
        ms => format!("{:.1} h", ms / 3.6e6),
    }
}

/// Money in US dollars.
pub(crate) fn dollars(usd: Option<f64>) -> String {
    match usd {
        None => "-".to_owned(),
        Some(usd) if usd != 0.0 && usd.abs() < 0.995 => format!("${usd:.4}"),
        Some(usd) => dollars_and_cents(usd),
    }
}

/// Money in US dollars, of which more may have been spent where not all is known.
pub(crate) fn least_dollars(usd: f64, n_unknown: usize) -> String {
    let least = if n_unknown > 0 { "at least " } else { "" };
    format!("{least}{}", dollars(Some(usd)))
}

/// A p value.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// A text cut in the middle to fit.
pub(crate) fn shorten(text: &str, width: usize) -> String {
    let chars: Vec<char> = text.chars().collect();
    if chars.len() <= width {
        return text.to_owned();
    }
    let tail = width.saturating_sub(1) / 2;
    let head = width.saturating_sub(1) - tail;
    let (front, back) = (&chars[..head], &chars[chars.len() - tail..]);
    front.iter().chain(['…'].iter()).chain(back).collect()
}

/// A line of a headline: a name in its column, and what there is to say.
pub(crate) fn headline_row(name: &str, value: impl std::fmt::Display) -> String {
    format!("{name:<11}{value}\n")
}

/// An aligned table: the first column to the left, the others to the right. A name that leaves too little room for the
/// others has a line of its own: it is never cut, since two names that differ in what was cut would be told apart no more.
pub(crate) fn table(head: &[&str], lines: &[Vec<String>]) -> String {
    let head: Vec<String> = head.iter().map(|word| (*word).to_owned()).collect();
    let width = |column: usize| lines.iter().chain([&head]).map(|line| line[column].chars().count()).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..head.len()).map(width).collect();
    let others: usize = widths[1..].iter().map(|width| width + 2).sum();
    let room = WIDTH.saturating_sub(others).max(8);
    let fitting = lines.iter().chain([&head]).map(|line| line[0].chars().count()).filter(|width| *width <= room);
    widths[0] = fitting.max().unwrap_or(0);
    [&head].into_iter().chain(lines).map(|line| aligned(line, &widths)).collect()
}

fn aligned(line: &[String], widths: &[usize]) -> String {
    let (name, width) = (line[0].as_str(), widths[0]);
    let is_long = name.chars().count() > width;
    let (above, name) = if is_long { (format!("{name}\n"), "") } else { (String::new(), name) };
    let others = line[1..].iter().zip(&widths[1..]).map(|(cell, width)| format!("  {cell:>width$}"));
    let text: String = std::iter::once(format!("{name:<width$}")).chain(others).collect();
    format!("{above}{}\n", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        let shown: Vec<String> =
            [0.0, 0.5, 3.0, 12.345, 250.0, 9999.7, 1_250_000.0].map(|value| number(Some(value))).into();
        assert_eq!(shown, ["0", "0.50", "3", "12.3", "250", "10.0k", "1.2M"]);
        assert_eq!(duration(Some(1500.0)), "1.5 s");
        assert_eq!(dollars(Some(0.0123)), "$0.0123");
        assert_eq!(percent(None), "-");
        assert_eq!(shorten("puzzles/sliding-block", 11), "puzzl…block");
    }

    #[test]
    fn a_name_too_long_for_a_terminal_has_a_line_of_its_own() {
        let long = "x".repeat(300);
        let text = table(&["name", "n"], &[vec![long.clone(), "12345".to_owned()], vec!["y".into(), "1".into()]]);
        assert_eq!(text.lines().collect::<Vec<_>>(), ["name      n", &long, "      12345", "y         1"]);
    }
}
