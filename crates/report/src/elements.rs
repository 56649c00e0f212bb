//! The elements of a chain of subtasks: the fields that the checks of its milestones expect.

use quintain_core::check::Finding;
use quintain_core::task::{CHAIN_ANSWER, CheckSpec, MilestoneSpec};
use quintain_core::verdict::{MilestoneReached, Verdict};
use serde::{Deserialize, Serialize};

/// The kinds of checks that tell the share of their fields that hold.
const FIELDS: [&str; 2] = ["json-fields", CHAIN_ANSWER];

/// How many elements were asked for in a trial, and how many hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ElementCount {
    /// How many hold.
    pub held: f64,
    /// Of how many.
    pub n: u32,
}

impl ElementCount {
    /// The elements of a trial, from what the checks of the milestones found that were asked for. A check of
    /// fields has as many elements as it expects fields, of which its score is the share that holds; any other check is one
    /// element, which holds in full or not at all. Nothing where the verdict does not tell what was found, or the task's
    /// milestones do not have the check.
    pub fn of(verdict: &Verdict, milestones: &[MilestoneSpec]) -> Option<Self> {
        let mut counted = Self::default();
        for reached in verdict.asked() {
            let spec = milestones.iter().find(|spec| spec.name == reached.name)?;
            counted = counted.plus(Self::of_milestone(reached, spec)?);
        }
        (counted.n > 0).then_some(counted)
    }

    fn of_milestone(reached: &MilestoneReached, spec: &MilestoneSpec) -> Option<Self> {
        let check = |finding: &Finding| {
            let spec = spec.checks.iter().find(|check| check.name == finding.check)?;
            Some(Self::of_check(finding, spec))
        };
        let counts: Option<Vec<Self>> = reached.findings.iter().map(check).collect();
        counts?.into_iter().reduce(Self::plus)
    }

    fn of_check(finding: &Finding, spec: &CheckSpec) -> Self {
        let fields =
            spec.expect.as_ref().filter(|_| FIELDS.contains(&spec.kind.as_str())).and_then(|expect| expect.as_object());
        match fields {
            Some(fields) => Self { held: finding.score.value() * fields.len() as f64, n: fields.len() as u32 },
            None => Self { held: f64::from(u8::from(finding.score.is_full())), n: 1 },
        }
    }

    fn plus(self, other: Self) -> Self {
        Self { held: self.held + other.held, n: self.n + other.n }
    }

    /// The share that holds.
    pub fn share(self) -> f64 {
        if self.n == 0 { 0.0 } else { (self.held / f64::from(self.n)).min(1.0) }
    }
}

#[cfg(test)]
mod tests {
    use quintain_core::score::Score;
    use serde_json::json;

    use super::*;
    use crate::row::tests::row;

    fn specs() -> Vec<MilestoneSpec> {
        let firm = json!({ "name": "firm", "kind": "exact", "selector": "answer/firm", "expect": "Ash" });
        let fields = json!({ "a": 1, "b": 2, "c": 3, "d": 4 });
        let figures = json!({ "name": "figures", "kind": "json-fields", "selector": "answer", "expect": fields });
        let milestones = json!([{ "name": "firm", "checks": [firm] }, { "name": "figures", "checks": [figures] }]);
        serde_json::from_value(milestones).unwrap()
    }

    fn milestone(name: &str, score: f64) -> MilestoneReached {
        let finding = Finding { score: Score::new(score).unwrap(), ..Finding::of(name, true, "because") };
        let after_steps = (score >= 1.0).then_some(1);
        MilestoneReached { name: name.to_owned(), after_steps, findings: vec![finding], ..Default::default() }
    }

    #[test]
    fn fields_count_one_by_one_and_other_checks_once() {
        let mut verdict = row("p/t#1~a~0 done 0.5 3").verdict;
        verdict.milestones = vec![milestone("firm", 1.0), milestone("figures", 0.5)];
        let counted = ElementCount::of(&verdict, &specs()).unwrap();
        assert_eq!((counted, counted.share()), (ElementCount { held: 3.0, n: 5 }, 0.6));
        verdict.milestones[0] = milestone("firm", 0.9);
        assert_eq!(ElementCount::of(&verdict, &specs()), Some(ElementCount { held: 2.0, n: 5 }), "nearly is not held");
        verdict.milestones[0].given = true;
        assert_eq!(ElementCount::of(&verdict, &specs()), Some(ElementCount { held: 2.0, n: 4 }), "given is not asked");
    }

    #[test]
    fn what_is_not_told_is_not_made_up() {
        let mut verdict = row("p/t#1~a~0 done 0.5 3").verdict;
        assert_eq!(ElementCount::of(&verdict, &specs()), None);
        verdict.milestones = vec![milestone("firm", 1.0), milestone("figures", 0.5)];
        verdict.milestones[1].findings.clear();
        assert_eq!(ElementCount::of(&verdict, &specs()), None, "an older verdict");
        verdict.milestones = vec![milestone("another", 1.0)];
        assert_eq!(ElementCount::of(&verdict, &specs()), None, "another task");
    }
}
