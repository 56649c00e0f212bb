//! The verifier `alerting-rules`: runs an agent's rules through hidden scenarios with promtool and tells which alerts fired
//! when. The tests are written by us beside the rules; nothing else that an agent left is looked at.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_core::task::DeriveSpec;
use quintain_core::verifier::{VerifierHook, VerifierKind};
use quintain_core::{FileHandle, VerifierCase, VerifierRunner};
use quintain_workspace::{VerifierRoom, complaints};
use serde_json::{Value, json};

use super::policy::AlertPolicy;
use super::report::{self, FiredAlerts};
use super::rule_file;
use super::scenario::{AlertMoment, AlertScenario};

/// The kind, and the file that it reads.
pub(super) const KIND: &str = "alerting-rules";
pub(super) const RULES: &str = "rules.yml";
/// The largest file of rules, and the largest report.
const LARGEST: u64 = 256 << 10;
const LARGEST_REPORT: u64 = 4 << 20;
/// A busy machine takes ten times as long as one that is not.
pub(super) const WITHIN: Duration = Duration::from_mins(5);

/// The kind `alerting-rules`.
pub(super) struct RuleTesting;

struct RuleTests {
    name: String,
}

impl VerifierKind for RuleTesting {
    fn kind(&self) -> &'static str {
        KIND
    }

    fn make(&self, spec: &DeriveSpec) -> Result<VerifierHook, String> {
        if let Some(option) = spec.options.keys().next() {
            return Err(format!("a verifier of kind `{KIND}` has no option `{option}`"));
        }
        Ok(Box::new(RuleTests { name: spec.name.clone() }))
    }
}

impl VerifierRunner for RuleTests {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let policy = super::policy_of(&case.reference.start["plan"])?;
        let outcome = match case.files.get(RULES) {
            None => Err(complaints::missing(RULES)),
            Some(rules) => tested(&policy, rules)?,
        };
        let value = outcome.map_or_else(complaints::problem, |outcomes| json!(outcomes));
        Ok(vec![(self.name.clone(), value)])
    }
}

/// What happens in each scenario; inside, why the rules cannot be tested.
fn tested(policy: &AlertPolicy, rules: &FileHandle) -> Result<Result<BTreeMap<String, String>, String>, String> {
    let mut room = VerifierRoom::open()?;
    let version = room.run(&["promtool", "--version"], WITHIN)?;
    if !version.succeeded {
        return Err(format!("promtool cannot be run: {}", version.errors.trim()));
    }
    if let Err(why) = room.put_left(RULES, rules, LARGEST)? {
        return Ok(Err(complaints::faulty(RULES, why)));
    }
    let check = room.run(&["promtool", "check", "rules", RULES], WITHIN)?;
    if !check.succeeded {
        let told: String = format!("{} {}", check.output.trim(), check.errors.trim()).chars().take(300).collect();
        return Ok(Err(complaints::faulty(RULES, told)));
    }
    if let Err(problem) = rule_file::read(&mut room)?.and_then(|file| file.obeys(policy.alerts())) {
        return Ok(Err(complaints::faulty(RULES, problem)));
    }
    let scenarios = super::cases::of(policy);
    for (at, scenario) in scenarios.iter().enumerate() {
        room.put(&file_name(at), scenario.test_file(policy.alerts()).to_string().as_bytes())?;
    }
    // Each test has a database of its own, and one that is slow sets room aside for more than `/tmp` has.
    let line = "mkdir databases; TMPDIR=$PWD/databases GOGC=400 promtool test rules case-*.yml >report.txt 2>&1";
    room.run(&["sh", "-c", line], WITHIN)?;
    let report = room.get("report.txt", LARGEST_REPORT)?.unwrap_or_default();
    let fired = report::read(&String::from_utf8_lossy(&report));
    Ok(fired.and_then(|fired| outcomes(&scenarios, &fired)))
}

fn file_name(at: usize) -> String {
    format!("case-{:02}.yml", at + 1)
}

/// What happened in each scenario, told as its expectation is.
fn outcomes(scenarios: &[AlertScenario], fired: &FiredAlerts) -> Result<BTreeMap<String, String>, String> {
    let told = |(at, scenario): (usize, &AlertScenario)| {
        let fired = fired.get(&file_name(at)).ok_or("promtool did not get through all tests")?;
        let moment = |moment: &AlertMoment| AlertMoment {
            at: moment.at,
            firing: fired.get(&scenario.step.told(moment.at)).cloned().unwrap_or_default(),
        };
        let moments = scenario.moments.iter().map(moment).collect();
        let found = AlertScenario { name: scenario.name.clone(), step: scenario.step, series: Vec::new(), moments };
        Ok((scenario.name.clone(), found.outcome()))
    };
    scenarios.iter().enumerate().map(told).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_that_ends_early_is_told() {
        let scenarios = super::super::cases::of(&AlertPolicy::drawn(1, 4));
        let fired = FiredAlerts::from([("case-01.yml".to_owned(), BTreeMap::new())]);
        assert!(outcomes(&scenarios, &fired).unwrap_err().contains("did not get through"));
    }

    #[test]
    fn a_declaration_is_checked() {
        let make = |options: Value| {
            let options = serde_json::from_value(options).unwrap();
            RuleTesting.make(&DeriveSpec { name: "t".to_owned(), kind: KIND.to_owned(), options }).err()
        };
        assert_eq!(make(json!({})), None);
        assert!(make(json!({ "file": "x" })).unwrap().contains("no option `file`"));
    }
}
