//! Series as promtool's tests have them: a selector and a value for each minute.

/// A series: its name with labels, and its values.
pub(super) type AlertSeries = (String, String);

/// How long a series goes on where nothing else is said: longer than the longest test.
pub(super) const ENDLESS: i64 = 200;

/// One value for all time.
pub(super) fn steady(value: i64) -> String {
    format!("{value}x{ENDLESS}")
}

/// A value for so many minutes, then the next; the last for ever.
pub(super) fn stepped(steps: &[(i64, i64)], last: i64) -> String {
    let mut words: Vec<String> =
        steps.iter().filter(|(_, n)| *n > 0).map(|(value, n)| format!("{value}x{}", n - 1)).collect();
    words.push(steady(last));
    words.join(" ")
}

/// A counter from a start, with so much more each minute for so many minutes; the last rate for two hours.
pub(super) fn counter(start: i64, rates: &[(i64, i64)], last: i64) -> String {
    let (mut at, mut words) = (start, Vec::new());
    for (rate, n) in rates.iter().filter(|(_, n)| *n > 0) {
        words.push(format!("{at}+{rate}x{}", n - 1));
        at += rate * n;
    }
    words.push(format!("{at}+{last}x120"));
    words.join(" ")
}

/// Falls by so much each minute for so many minutes.
pub(super) fn falling(start: i64, each: i64, n: i64) -> String {
    format!("{start}-{each}x{n}")
}

/// One of 0 and 1 from a start on, then the other at each of these minutes, in order.
pub(super) fn toggled((start, first): (i64, i64), changes: &[i64]) -> String {
    let (mut words, mut at, mut value) = (Vec::new(), start, first);
    words.extend((start > 0).then(|| format!("_x{start}")));
    for change in changes {
        words.push(format!("{value}x{}", change - at - 1));
        (at, value) = (*change, 1 - value);
    }
    words.push(steady(value));
    words.join(" ")
}

/// A selector: `name{a="b",c="d"}`.
pub(super) fn selector(name: &str, labels: &[(&str, &str)]) -> String {
    let labels: Vec<String> = labels.iter().map(|(label, value)| format!("{label}=\"{value}\"")).collect();
    format!("{name}{{{}}}", labels.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_promtool_reads_them() {
        assert_eq!(stepped(&[(1, 20), (0, 3)], 1), "1x19 0x2 1x200");
        assert_eq!(counter(5, &[(10, 2)], 0), "5+10x1 25+0x120");
        assert_eq!(toggled((18, 0), &[20, 21, 25]), "_x18 0x1 1x0 0x3 1x200");
        assert_eq!(selector("up", &[("job", "a"), ("instance", "b:1")]), "up{job=\"a\",instance=\"b:1\"}");
    }
}
