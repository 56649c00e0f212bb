//! A judge for the counter.

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judgement};
use quintain_core::{Finding, Judge, Reference, Score};
use serde_json::Value;

/// Judges whether the number is within a distance of the target.
#[derive(Clone, Copy, Debug, Default)]
pub struct TargetJudge {
    /// How far off it may be.
    pub tolerance: i64,
}

impl Judge for TargetJudge {
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let target = reference
            .parameters
            .get("target")
            .and_then(Value::as_i64)
            .ok_or_else(|| BrokenJudge { check: "target".to_owned(), why: "the reference has no target".to_owned() })?;
        let value = ended.evidence.select("documents/counter/value").and_then(|value| value.as_i64());
        let holds = value.is_some_and(|value| (value - target).abs() <= self.tolerance);
        let because = format!("{value:?} of {target}");
        Ok(Judgement {
            score: Score::of(holds),
            findings: vec![Finding::of("target", holds, because)],
            milestones: Vec::new(),
        })
    }
}
