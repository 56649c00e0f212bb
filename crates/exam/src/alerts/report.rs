//! What promtool reports of tests that want nothing to fire: which alerts did. Every line is one that promtool writes, or the
//! report is refused, so that no text of an agent can pass for another line.

use std::collections::{BTreeMap, BTreeSet};

/// Which alerts fired in the files of a report, by file and moment.
pub(super) type FiredAlerts = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// What stands for alerts that nobody asked for.
pub(super) const OTHERS: &str = "others";

/// Reads a report, or tells the line that is none of promtool's.
pub(super) fn read(report: &str) -> Result<FiredAlerts, String> {
    let mut fired = FiredAlerts::new();
    let (mut file, mut moment) = (String::new(), String::new());
    for line in report.lines() {
        let word = line.trim();
        if let Some(name) = line.strip_prefix("Unit Testing:  ") {
            name.clone_into(&mut file);
            fired.insert(file.clone(), BTreeMap::new());
        } else if let Some(time) = time_of(line, "    alertname: ").or_else(|| time_of(line, "    expr: ")) {
            moment = time;
        } else if let Some(labels) = line.strip_prefix("              Labels:") {
            put(&mut fired, &file, &moment, alert(labels).ok_or_else(|| refused(line))?);
        } else if let Some(samples) = line.strip_prefix("        got: ") {
            if samples != "nil" {
                put(&mut fired, &file, &moment, OTHERS.to_owned());
            }
        } else if !is_frame(word) {
            return Err(refused(line));
        }
    }
    Ok(fired)
}

fn put(fired: &mut FiredAlerts, file: &str, moment: &str, alert: String) {
    fired.entry(file.to_owned()).or_default().entry(moment.to_owned()).or_default().insert(alert);
}

fn refused(line: &str) -> String {
    format!("promtool says: {}", line.trim().chars().take(200).collect::<String>())
}

/// Lines that tell nothing: the frame around the others.
fn is_frame(word: &str) -> bool {
    let is_number = || word.strip_suffix(':').is_some_and(|number| number.parse::<u32>().is_ok());
    ["", "SUCCESS", "FAILED:", "exp:[],", "exp: nil", "got:[", "]", "exp:[", "],"].contains(&word)
        || word.starts_with("Annotations:{")
        || is_number()
}

/// The moment in the line of a test, which ends in `, time: 23m,`.
fn time_of(line: &str, begin: &str) -> Option<String> {
    let rest = line.strip_prefix(begin)?.trim_end().strip_suffix(',')?;
    let (_, time) = rest.rsplit_once(", time: ")?;
    time.chars().all(|c| c.is_ascii_alphanumeric()).then(|| time.to_owned())
}

/// An alert of its labels: `{alertname="A", b="c"}` becomes `A{b="c"}`, with labels in order.
fn alert(labels: &str) -> Option<String> {
    let mut rest = labels.trim().strip_prefix('{')?;
    let mut all: BTreeMap<&str, &str> = BTreeMap::new();
    while let Some((name, after)) = rest.split_once("=\"") {
        let end = quoted_end(after)?;
        all.insert(name.trim_start_matches([',', ' ']), &after[..end]);
        rest = &after[end + 1..];
    }
    if rest != "}" {
        return None;
    }
    let name = all.remove("alertname")?;
    let labels: Vec<String> = all.iter().map(|(name, value)| format!("{name}=\"{value}\"")).collect();
    Some(format!("{name}{{{}}}", labels.join(",")))
}

/// Where a quoted text ends.
fn quoted_end(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return Some(at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = r#"Unit Testing:  case-01.yml
  FAILED:
    alertname: Down, time: 5m, 
        exp:[], 
        got:[
            0:
              Labels:{alertname="Down", instance="a\"}b", job="api"}
              Annotations:{summary="x, time: 1m,"}
            ]
    expr: "count(ALERTS{alertstate=\"firing\"})", time: 7m,
        exp: nil
        got: {} 1E+00
Unit Testing:  case-02.yml
  SUCCESS

"#;

    #[test]
    fn what_fired_is_read_by_file_and_moment() {
        let fired = read(REPORT).unwrap();
        assert_eq!(
            format!("{fired:?}"),
            r#"{"case-01.yml": {"5m": {"Down{instance=\"a\\\"}b\",job=\"api\"}"}, "7m": {"others"}}, "case-02.yml": {}}"#
        );
    }

    #[test]
    fn what_promtool_does_not_write_is_refused() {
        for odd in ["rule: X, time: 1m, err: many-to-many", "  Labels:{}", "              Labels:{a=\"b", "\u{fffd}"] {
            assert!(read(&format!("{REPORT}{odd}\n")).unwrap_err().starts_with("promtool says: "), "{odd}");
        }
        assert_eq!(alert("{a=\"b\"}"), None);
        assert_eq!(alert("{alertname=\"A\"} trailing"), None);
    }
}
