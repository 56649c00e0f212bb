//! What stands in a file of rules, as far as its words are judged rather than what they do.

use std::collections::BTreeSet;

use quintain_workspace::VerifierRoom;
use serde_json::Value;

use super::rule_tests::{RULES, WITHIN};

/// Reads YAML and tells it as JSON, all values as texts.
const READ: &str = include_str!("read_rules.py");
/// What tells the time of an evaluation.
const CLOCKS: [&str; 10] = [
    "timestamp",
    "minute",
    "hour",
    "day_of_week",
    "day_of_month",
    "day_of_year",
    "days_in_month",
    "month",
    "year",
    "time",
];
/// The alerts that are about what ends or ages.
const AGEING: [&str; 2] = ["BackupStale", "CertificateExpires"];

/// A file of rules that promtool has accepted.
pub(super) struct RuleFile {
    groups: Vec<Value>,
}

/// Reads the rules in a room; inside, why they cannot be read.
pub(super) fn read(room: &mut VerifierRoom) -> Result<Result<RuleFile, String>, String> {
    room.put("read.py", READ.as_bytes())?;
    let report = room.run(&["python3", "-I", "read.py", RULES], WITHIN)?;
    let read = match serde_json::from_str::<Value>(&report.output) {
        Ok(all) if report.succeeded => Ok(RuleFile { groups: listed(&all["groups"]).to_vec() }),
        _ => Err("it cannot be read as plain YAML".to_owned()),
    };
    Ok(read)
}

fn listed(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

impl RuleFile {
    /// Whether nothing is there that the instruction rules out; else what.
    pub(super) fn obeys(&self, alerts: &[&str]) -> Result<(), String> {
        self.groups.iter().try_for_each(|group| {
            if group.get("interval").is_some() {
                return Err("a group has an interval".to_owned());
            }
            listed(&group["rules"]).iter().try_for_each(|rule| rule_obeys(rule, alerts))
        })?;
        self.records_before_use()
    }

    /// What is recorded stands above the rules that need it, in the same group.
    fn records_before_use(&self) -> Result<(), String> {
        let recorded = |rules: &[Value]| -> BTreeSet<String> {
            rules.iter().filter_map(|rule| rule["record"].as_str()).map(str::to_owned).collect()
        };
        let all: BTreeSet<String> = self.groups.iter().flat_map(|group| recorded(listed(&group["rules"]))).collect();
        for group in &self.groups {
            let rules = listed(&group["rules"]);
            for (at, rule) in rules.iter().enumerate() {
                let above = recorded(&rules[..at]);
                let needed = bare(text(rule, "expr"));
                let is_late = |word: &&str| all.contains(*word) && !above.contains(*word);
                if let Some(late) = needed.split(|c| !is_of_word(c)).find(is_late) {
                    return Err(format!("{late} is not recorded above a rule that needs it"));
                }
            }
        }
        Ok(())
    }
}

fn text<'a>(rule: &'a Value, key: &str) -> &'a str {
    rule[key].as_str().unwrap_or_default()
}

fn rule_obeys(rule: &Value, alerts: &[&str]) -> Result<(), String> {
    let name = text(rule, "alert");
    if rule.get("alert").is_some() && !alerts.contains(&name) {
        return Err("an alert is written that the policy does not name".to_owned());
    }
    if rule.get("keep_firing_for").is_some() {
        return Err("an alert has keep_firing_for".to_owned());
    }
    let labels = rule["labels"].as_object().into_iter().flat_map(|labels| labels.values().filter_map(Value::as_str));
    // Templates of labels may hold queries in quotes.
    let in_labels = labels.flat_map(clocks_in);
    let mut clocks = clocks_in(&bare(text(rule, "expr"))).into_iter().chain(in_labels);
    let is_ruled_out = |clock: &&str| *clock != "time" || !AGEING.contains(&name);
    clocks.find(is_ruled_out).map_or(Ok(()), |clock| Err(format!("{clock}() is used where it may not be")))
}

/// The clocks that are called in a text.
fn clocks_in(code: &str) -> Vec<&'static str> {
    let is_called = |clock: &&str| {
        code.match_indices(*clock).any(|(at, _)| {
            let is_part = code[..at].ends_with(is_of_word);
            !is_part && code[at + clock.len()..].trim_start().starts_with('(')
        })
    };
    CLOCKS.into_iter().filter(is_called).collect()
}

fn is_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
}

/// An expression without its quoted texts and remarks.
fn bare(expr: &str) -> String {
    let (mut out, mut rest) = (String::new(), expr);
    while let Some(at) = rest.find(['"', '\'', '`', '#']) {
        out.push_str(&rest[..at]);
        out.push(' ');
        let after = &rest[at + 1..];
        rest = match rest.as_bytes()[at] {
            b'#' => after.find('\n').map_or("", |end| &after[end..]),
            quote => &after[quoted_length(after, char::from(quote))..],
        };
    }
    out + rest
}

/// How long a quoted text is, with the quote that ends it. Between backticks nothing is escaped.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if quote != '`' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn judged(groups: &Value) -> Result<(), String> {
        RuleFile { groups: listed(groups).to_vec() }.obeys(&["Down", "BackupStale"])
    }

    #[test]
    fn what_the_instruction_rules_out_is_found() {
        let down = json!({ "alert": "Down", "expr": "up == 0" });
        let with = |rule: Value| judged(&json!([{ "name": "a", "rules": [down, rule] }]));
        let odd = [
            json!({ "alert": "Watchdog", "expr": "up == 2" }),
            json!({ "alert": "Down", "expr": "up == 0", "keep_firing_for": "5m" }),
            json!({ "alert": "Down", "expr": "up == 0 and on () vector(time ()) < 1e9" }),
            json!({ "alert": "BackupStale", "expr": "timestamp(up) > 1" }),
            json!({ "record": "age", "expr": "time() - up" }),
            json!({ "alert": "Down", "expr": "up", "labels": { "a": "{{ query \"time() < 1\" }}" } }),
            json!({ "alert": "Down", "expr": "a:b == 0" }),
        ];
        for rule in odd {
            let record = json!({ "record": "a:b", "expr": "up" });
            assert!(judged(&json!([{ "rules": [rule.clone(), record] }])).is_err(), "{rule}");
        }
        assert!(judged(&json!([{ "interval": "1m", "rules": [] }])).is_err());
        assert_eq!(with(json!({ "alert": "BackupStale", "expr": "time() - x > 60" })), Ok(()));
        assert_eq!(with(json!({ "alert": "Down", "expr": "up{a=\"time()\"} # time()\n == 0" })), Ok(()));
        assert_eq!(with(json!({ "alert": "Down", "expr": "up_time(x)" })), Ok(()));
        assert_eq!(
            judged(&json!([{ "rules": [{ "record": "a:b", "expr": "up" }, { "alert": "Down", "expr": "a:b" }] }])),
            Ok(())
        );
    }
}
