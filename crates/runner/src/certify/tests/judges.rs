//! Judges that are no good.

use quintain_checks::kinds::Exact;
use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, Finding};
use quintain_core::task::CheckSpec;

/// Judges like `exact`, but for one thing.
struct Bent {
    right: Box<dyn Check>,
    verdict: Option<bool>,
    knows_near_misses: bool,
}

impl Check for Bent {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        match self.verdict {
            Some(holds) => Ok(Finding::of("bent", holds, "because I say so")),
            None => self.right.judge(case),
        }
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        if self.knows_near_misses { self.right.near_misses(case) } else { Vec::new() }
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.right.variations(case)
    }
}

fn bent(spec: &CheckSpec, verdict: Option<bool>, knows_near_misses: bool) -> Result<Box<dyn Check>, String> {
    let right = Exact.make(&CheckSpec { kind: "exact".to_owned(), ..spec.clone() })?;
    Ok(Box::new(Bent { right, verdict, knows_near_misses }))
}

pub(super) struct AcceptsAll;

impl CheckKind for AcceptsAll {
    fn kind(&self) -> &'static str {
        "accepts-all"
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        bent(spec, Some(true), true)
    }
}

pub(super) struct AcceptsNothing;

impl CheckKind for AcceptsNothing {
    fn kind(&self) -> &'static str {
        "accepts-nothing"
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        bent(spec, Some(false), true)
    }
}

pub(super) struct KnowsNoNearMiss;

impl CheckKind for KnowsNoNearMiss {
    fn kind(&self) -> &'static str {
        "knows-no-near-miss"
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        bent(spec, None, false)
    }
}
