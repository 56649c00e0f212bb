//! The check `reward`: the score is the reward that tests gave, from 0 to 1.

use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Finding};
use quintain_core::task::CheckSpec;
use quintain_core::{Evidence, Score};
use serde_json::{Value, json};

/// The kind `reward`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RewardJudging;

struct RewardCheck {
    name: String,
    /// Where the reward is: `derived/NAME` of a verifier of kind `harbor-tests`.
    selector: String,
}

impl CheckKind for RewardJudging {
    fn kind(&self) -> &'static str {
        "reward"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The score is the reward that tests in Harbor's format gave, from 0 to 1.",
            selector: Some("what a verifier of kind `harbor-tests` derived: `derived/reward`"),
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        let selector = spec.selector.clone().ok_or("a check of kind `reward` needs a `selector`: derived/reward")?;
        if spec.expect.is_some() || !spec.options.is_empty() {
            return Err("a check of kind `reward` has neither `expect` nor `options`".to_owned());
        }
        Ok(Box::new(RewardCheck { name: spec.name.clone(), selector }))
    }
}

impl RewardCheck {
    fn told(&self, evidence: &Evidence) -> Value {
        evidence.select(&self.selector).unwrap_or_default()
    }

    /// The same end state with another reward.
    fn altered(&self, case: Case<'_>, how: &str, alter: impl FnOnce(&mut Value)) -> Option<AlteredState> {
        let mut told = self.told(case.evidence);
        alter(&mut told);
        Some(AlteredState { how: how.to_owned(), evidence: case.evidence.with(&self.selector, told)? })
    }
}

impl Check for RewardCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        let told = self.told(case.evidence);
        let Some(reward) = told["reward"].as_f64() else {
            let problem = told["steps"].as_array().into_iter().flatten().find_map(|step| step["problem"].as_str());
            let why = problem.unwrap_or("the tests gave no reward");
            return Ok(Finding::of(&self.name, false, why));
        };
        let score = Score::clamped(reward);
        let stopped = told["stopped"].as_str().map_or_else(String::new, |why| format!("; no step after that: {why}"));
        let finding = Finding::of(&self.name, score.is_full(), format!("the tests gave {reward}{stopped}"));
        Ok(Finding { score, ..finding })
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let rewards = [
            ("the reward is 0", json!(0)),
            ("the reward is just below 1", json!(0.999)),
            ("the reward is negative", json!(-1)),
            ("the reward is a text", json!("1")),
            ("there is no reward", Value::Null),
        ];
        rewards
            .into_iter()
            .filter_map(|(how, reward)| self.altered(case, how, |told| told["reward"] = reward))
            .collect()
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        let rewards = [("the reward is 1 as a whole number", json!(1)), ("the reward is more than 1", json!(2.5))];
        rewards
            .into_iter()
            .filter_map(|(how, reward)| self.altered(case, how, |told| told["reward"] = reward))
            .collect()
    }
}
