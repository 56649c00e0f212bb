//! Infrastructure: write the alerting rules that a policy asks for; they are judged by what they do.

mod cases;
mod edges;
mod metrics;
mod policy;
mod report;
mod rule_file;
mod rule_tests;
mod scenario;
mod series;
mod traffic;
mod traffic_edges;

use std::collections::BTreeMap;
use std::sync::Arc;

use quintain_core::offering::WorldNeed;
use quintain_core::verifier::VerifierKind;
use quintain_core::world::AlteredFiles;
use quintain_core::{Action, Digest, FileSet, Rng};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, Software, WorkParameters, alterations};
use serde_json::{Value, json};

use crate::CODE;
use crate::plan::{seed_of, seeded, size_of};
use crate::scripted::scripted;
use crate::software::PYTHON;
use crate::texts::texts;
use policy::{ALERTS, AlertPolicy};
use rule_tests::{RULES, RuleTesting};

const NAME: &str = "alerting-rules";
/// The solution, as an agent would write it, with the ways to go wrong behind switches.
const SOLUTION: &str = include_str!("alerts/solution.py");
/// What is added to rules to see that nothing else may fire, and that annotations do not count.
const ONE_MORE: &str = "      - alert: Watchdog\n        expr: vector(1)\n";
const ONE_SILENT: &str = "      - alert: Watchdog\n        expr: up == 2\n";
const REMARK: &str = "# Reviewed by the team on call.\n";

/// Write the alerting rules that a policy asks for.
pub(crate) struct AlertingRules;

impl Assignment for AlertingRules {
    fn name(&self) -> &'static str {
        NAME
    }

    fn version(&self) -> u32 {
        2
    }

    fn prepare(&self, parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        let most = ALERTS.len() as u64;
        let n_alerts = parameters.number("n_alerts", 4..=most)?;
        let plan = seeded(rng.next_u64(), [("n_alerts", n_alerts)]);
        let scenarios = cases::of(&policy_of(&plan)?);
        let fields: BTreeMap<String, String> =
            scenarios.iter().map(|scenario| (scenario.name.clone(), scenario.outcome())).collect();
        Ok(PreparedWork::of(plan, json!({ "outcomes": { "fields": fields } })))
    }

    fn inputs(&self, plan: &Value) -> Result<InputFiles, String> {
        let policy = policy_of(plan)?;
        let files = [("alerts.md", policy.in_words()), ("metrics.txt", metrics::sample(&policy))];
        Ok(texts(files))
    }

    fn solution(&self, _plan: &Value, wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        let way = wrong_way.unwrap_or("right");
        Ok(scripted(
            "cat input/alerts.md; head -60 input/metrics.txt",
            ("rules.py", SOLUTION),
            format!("python3 rules.py {way} && promtool check rules output/rules.yml"),
        ))
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &[
            "no-waiting",
            "dead-jobs-unseen",
            "by-instance",
            "raw-counters",
            "average-latency",
            "owners-by-hand",
            "short-windows",
            "seen-codes-only",
            "health-by-prefix",
        ]
    }

    fn altered(&self, _plan: &Value, left: &FileSet) -> AlteredFiles {
        let mut altered = alterations::usual(left);
        let Some(text) = alterations::text_of(left, RULES) else { return altered };
        let whole = |text: &str| text.replace("        for: ", "        for: 1").into_bytes();
        let wrong = [
            ("ten minutes more to wait", whole(&text)),
            ("another severity", text.replacen("severity: ", "severity: un", 1).into_bytes()),
            ("a label more", text.replacen("severity: ", "origin: me\n          severity: ", 1).into_bytes()),
            ("an alert under another name", text.replacen("alert: JobAbsent", "alert: JobGone", 1).into_bytes()),
            ("one alert more that always fires", format!("{text}{ONE_MORE}").into_bytes()),
            (
                "maintenance forgotten",
                text.replacen("maintenance_active == 1", "maintenance_active == 2", 1).into_bytes(),
            ),
            ("an expression that does not parse", text.replacen("up == 0", "up === 0", 1).into_bytes()),
            ("a group with an interval", text.replacen("    rules:", "    interval: 1m\n    rules:", 1).into_bytes()),
            (
                "an alert that fires on",
                text.replacen("        labels:", "        keep_firing_for: 15m\n        labels:", 1).into_bytes(),
            ),
            ("one alert more that never fires", format!("{text}{ONE_SILENT}").into_bytes()),
            (
                "a rule that fires in tests only",
                text.replacen("(up == 0)", "(up == 0 and on () vector(time()) < 1e9)", 1).into_bytes(),
            ),
            ("what is recorded below", recorded_below(&text).into_bytes()),
            ("one rule twice as a test of ours", format!("rule_files: [x]\n{text}").into_bytes()),
        ];
        altered.wrong.extend(wrong.into_iter().map(|(how, bytes)| alterations::with(left, RULES, how, bytes)));
        let noted = "        annotations: {summary: \"see the runbook: {{ $value }}\"}\n        labels:\n";
        let right = [
            ("a remark above", format!("{REMARK}{text}").into_bytes()),
            ("annotations", text.replace("        labels:\n", noted).into_bytes()),
            ("a group of another name", text.replacen("name: ", "name: our-", 1).into_bytes()),
            ("lines that end in CRLF", text.replace('\n', "\r\n").into_bytes()),
        ];
        altered.right.extend(right.into_iter().map(|(how, bytes)| alterations::with(left, RULES, how, bytes)));
        altered
    }

    fn verifiers(&self) -> Vec<Arc<dyn VerifierKind>> {
        vec![Arc::new(RuleTesting)]
    }

    fn needs(&self) -> Vec<WorldNeed> {
        let promtool = Software { program: "promtool", package: "prometheus", mend: "apt install prometheus" };
        let yaml = Software { program: "python3", package: "python3-yaml", mend: "apt install python3-yaml" };
        [promtool, PYTHON, yaml].map(|software| software.need(NAME)).to_vec()
    }

    fn code(&self) -> Option<Digest> {
        CODE.of("alerts")
    }
}

/// The same rules, with the targets that are down recorded after they are needed.
fn recorded_below(text: &str) -> String {
    let record = "      - record: target:down\n        expr: max by (job, instance) (up == 0)\n";
    text.replacen("max by (job, instance) (up == 0)", "target:down", 1) + record
}

/// The policy of a plan.
fn policy_of(plan: &Value) -> Result<AlertPolicy, String> {
    let seed = seed_of(plan)?;
    let n_alerts = size_of(plan, "n_alerts")?;
    Ok(AlertPolicy::drawn(seed, (n_alerts).min(ALERTS.len())))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn plan(seed: u64) -> Value {
        json!({ "seed": seed.to_string(), "n_alerts": 9 })
    }

    #[test]
    fn the_same_seed_gives_the_same_files_and_others_give_others() {
        assert_eq!(AlertingRules.inputs(&plan(5)), AlertingRules.inputs(&plan(5)));
        let told = |seed: u64| {
            let scenarios = cases::of(&policy_of(&plan(seed)).unwrap());
            scenarios.iter().map(cases_outcome).collect::<String>()
        };
        let all: BTreeSet<String> = (0..50).map(told).collect();
        assert_eq!(all.len(), 50);
        assert!(AlertingRules.inputs(&json!({})).is_err());
    }

    fn cases_outcome(scenario: &scenario::AlertScenario) -> String {
        scenario.outcome()
    }

    /// Rules that never fire get nothing right but quiet times, and there is no scenario of those alone.
    #[test]
    fn something_fires_in_every_scenario() {
        for seed in 0..20 {
            for scenario in cases::of(&policy_of(&plan(seed)).unwrap()) {
                assert!(scenario.moments.iter().any(|moment| !moment.firing.is_empty()), "{}", scenario.name);
            }
        }
    }

    /// Where a right rule waits, one that does not wait fires too early.
    #[test]
    fn waiting_makes_a_difference() {
        for seed in 0..20 {
            let scenarios = cases::of(&policy_of(&plan(seed)).unwrap());
            let waits = |name: &str| {
                let scenario = scenarios.iter().find(|scenario| scenario.name == name).unwrap();
                scenario.moments[0].at > scenario::ONSET && scenario.moments[0].firing.is_empty()
            };
            assert!(waits("InstanceDown 1") && waits("JobAbsent 1") && waits("QueueStuck 1"), "seed {seed}");
        }
    }
}
