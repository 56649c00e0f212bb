//! Hidden scenarios: what the metrics do, and which alerts fire when. Every value is far from its threshold and every
//! moment far from where something changes, so that all right rules agree.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::policy::AlertPolicy;
use super::series::{AlertSeries, selector, steady};

/// When things begin to go wrong, in minutes.
pub(super) const ONSET: i64 = 20;

/// How long a step of a scenario is: what is scraped, evaluated and told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AlertStep {
    Minutes,
    /// Tests of promtool begin in 1970 and take every step. Years are steps that get to our days; nothing that needs two
    /// values of a window can be tested with them.
    Years,
}

/// Now, in years after 1970 of 365 days, and as it is told in seconds.
pub(super) const TODAY_YEARS: i64 = 55;
pub(super) const TODAY_SECONDS: i64 = TODAY_YEARS * 365 * 86_400;

/// Which alerts fire at a moment, each as `Name{label="value",…}` with its labels in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AlertMoment {
    /// How many steps after the start.
    pub(super) at: i64,
    pub(super) firing: BTreeSet<String>,
}

/// What the metrics do, and what follows.
#[derive(Clone, Debug)]
pub(super) struct AlertScenario {
    pub(super) name: String,
    pub(super) step: AlertStep,
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
        Self { name: format!("{alert} {number}"), step: AlertStep::Minutes, series, moments: Vec::new() }
    }

    pub(super) fn with(mut self, name: &str, labels: &[(&str, &str)], values: String) -> Self {
        self.series.push((selector(name, labels), values));
        self
    }

    /// The same with steps of a year.
    pub(super) fn in_years(self) -> Self {
        Self { step: AlertStep::Years, ..self }
    }

    /// What fires after so many steps.
    pub(super) fn at(mut self, at: i64, firing: &[String]) -> Self {
        self.moments.push(AlertMoment { at, firing: firing.iter().cloned().collect() });
        self
    }

    /// What happens, in a text.
    pub(super) fn outcome(&self) -> String {
        let told = |moment: &AlertMoment| {
            let firing: Vec<&str> = moment.firing.iter().map(String::as_str).collect();
            let firing = if firing.is_empty() { "none".to_owned() } else { firing.join(" ") };
            format!("{}{}: {firing}", moment.at, self.step.unit())
        };
        self.moments.iter().map(told).collect::<Vec<_>>().join(" | ")
    }

    /// A test of promtool that wants nothing to fire, so that it tells whatever does.
    pub(super) fn test_file(&self, alerts: &[&str]) -> Value {
        let series: Vec<Value> =
            self.series.iter().map(|(series, values)| json!({ "series": series, "values": values })).collect();
        let (mut named, mut others) = (Vec::new(), Vec::new());
        for moment in &self.moments {
            let at = format!("{}{}", moment.at, self.step.unit());
            let test = |alert: &&str| json!({ "eval_time": at, "alertname": alert, "exp_alerts": [] });
            named.extend(alerts.iter().map(test));
            let all = alerts.join("|");
            let expr = format!("count(ALERTS{{alertstate=\"firing\",alertname!~\"{all}\"}})");
            others.push(json!({ "expr": expr, "eval_time": at, "exp_samples": [] }));
        }
        let step = format!("1{}", self.step.unit());
        let tests =
            json!([{ "interval": step, "input_series": series, "alert_rule_test": named, "promql_expr_test": others }]);
        json!({ "rule_files": ["rules.yml"], "evaluation_interval": step, "tests": tests })
    }
}

impl AlertStep {
    /// Its unit, as promtool has it.
    fn unit(self) -> &'static str {
        match self {
            Self::Minutes => "m",
            Self::Years => "y",
        }
    }

    /// So many steps, as promtool writes the time: hours and minutes, and no part that is nothing.
    pub(super) fn told(self, steps: i64) -> String {
        let part = |n: i64, unit: &str| if n == 0 { String::new() } else { format!("{n}{unit}") };
        match self {
            Self::Minutes => part(steps / 1440, "d") + &part(steps / 60 % 24, "h") + &part(steps % 60, "m"),
            Self::Years => part(steps, "y"),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_promtool_has_them() {
        let minutes = [18, 60, 80, 1560, 1440].map(|n| AlertStep::Minutes.told(n));
        assert_eq!(minutes, ["18m", "1h", "1h20m", "1d2h", "1d"]);
        assert_eq!(AlertStep::Years.told(TODAY_YEARS), "55y");
    }
}
