//! Hidden scenarios: what the metrics do, and which alerts fire when. Every value is far from its threshold and every
//! moment far from where something changes, so that all right rules agree.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::policy::AlertPolicy;
use super::series::{AlertSeries, selector, steady};

/// When things begin to go wrong, in minutes.
pub(super) const ONSET: i64 = 20;

/// Which alerts fire at a moment, each as `Name{label="value",…}` with its labels in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AlertMoment {
    pub(super) minute: i64,
    pub(super) firing: BTreeSet<String>,
}

/// What the metrics do, and what follows.
#[derive(Clone, Debug)]
pub(super) struct AlertScenario {
    pub(super) name: String,
    pub(super) series: Vec<AlertSeries>,
    pub(super) moments: Vec<AlertMoment>,
}

impl AlertScenario {
    /// The scenario of an alert, over a background in which all jobs are well but for the targets that are told.
    pub(super) fn of(policy: &AlertPolicy, alert: &str, number: usize, changed: &[(usize, usize, &str)]) -> Self {
        let mut series = Vec::new();
        for (at, job) in policy.jobs.iter().enumerate() {
            for n in 0..3 {
                let other = changed.iter().find(|(of, target, _)| (*of, *target) == (at, n));
                let values = other.map_or_else(|| steady(1), |(_, _, values)| (*values).to_owned());
                let instance = target(job, n);
                let zone = format!("z{}", n + 1);
                let labels = [("job", *job), ("instance", instance.as_str()), ("zone", zone.as_str())];
                // A target without values never was there.
                if !values.is_empty() {
                    series.push((selector("up", &labels), values));
                }
            }
        }
        Self { name: format!("{alert} {number}"), series, moments: Vec::new() }
    }

    pub(super) fn with(mut self, name: &str, labels: &[(&str, &str)], values: String) -> Self {
        self.series.push((selector(name, labels), values));
        self
    }

    /// What fires at a minute.
    pub(super) fn at(mut self, minute: i64, firing: &[String]) -> Self {
        self.moments.push(AlertMoment { minute, firing: firing.iter().cloned().collect() });
        self
    }

    /// What happens, in a text.
    pub(super) fn outcome(&self) -> String {
        let told = |moment: &AlertMoment| {
            let firing: Vec<&str> = moment.firing.iter().map(String::as_str).collect();
            let firing = if firing.is_empty() { "none".to_owned() } else { firing.join(" ") };
            format!("{}m: {firing}", moment.minute)
        };
        self.moments.iter().map(told).collect::<Vec<_>>().join(" | ")
    }

    /// A test of promtool that wants nothing to fire, so that it tells whatever does.
    pub(super) fn test_file(&self, alerts: &[&str]) -> Value {
        let series: Vec<Value> =
            self.series.iter().map(|(series, values)| json!({ "series": series, "values": values })).collect();
        let (mut named, mut others) = (Vec::new(), Vec::new());
        for moment in &self.moments {
            let at = format!("{}m", moment.minute);
            let test = |alert: &&str| json!({ "eval_time": at, "alertname": alert, "exp_alerts": [] });
            named.extend(alerts.iter().map(test));
            let all = alerts.join("|");
            let expr = format!("count(ALERTS{{alertstate=\"firing\",alertname!~\"{all}\"}})");
            others.push(json!({ "expr": expr, "eval_time": at, "exp_samples": [] }));
        }
        let tests =
            json!([{ "interval": "1m", "input_series": series, "alert_rule_test": named, "promql_expr_test": others }]);
        json!({ "rule_files": ["rules.yml"], "evaluation_interval": "1m", "tests": tests })
    }
}

/// A target of a job.
pub(super) fn target(job: &str, n: usize) -> String {
    format!("{job}-{}.int:9100", n + 1)
}

/// An alert as it fires; labels are told in order of their names.
pub(super) fn fires(policy: &AlertPolicy, alert: &str, labels: &[(&str, &str)]) -> String {
    let severity = [("severity", policy.severity(alert))];
    let has_severity = labels.iter().any(|(name, _)| *name == "severity");
    let mut all: Vec<(&str, &str)> = labels.to_vec();
    all.extend(severity.iter().filter(|_| !has_severity));
    all.sort_unstable();
    selector(alert, &all)
}
