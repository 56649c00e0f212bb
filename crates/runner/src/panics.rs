//! Panics of worlds, agents and judges: caught, and turned into words.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judgement};
use quintain_core::{Judge, Reference, VerifierCase, VerifierRunner};
use serde_json::Value;

use crate::scratch::WithScratch;

/// Runs what may panic, and returns the panic in words.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| format!("panicked: {}", words(panic.as_ref())))
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
}

/// A judge or verifier whose panics are faults of its own.
pub(crate) struct PanicGuard<T: ?Sized>(pub(crate) Box<T>);

impl Judge for PanicGuard<dyn Judge + Send + Sync> {
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let broken = |why| Err(BrokenJudge { check: "all".to_owned(), why });
        caught(|| self.0.judge(ended, reference)).unwrap_or_else(broken)
    }
}

impl VerifierRunner for PanicGuard<dyn VerifierRunner + Send + Sync> {
    fn derive(&self, case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        let broken = |why| Err(format!("a verifier {why}"));
        caught(|| WithScratch(self.0.as_ref()).derive(case)).unwrap_or_else(broken)
    }
}
