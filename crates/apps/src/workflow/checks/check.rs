//! The check `workflow-graph`: the Workflow Builder's document says what it should.
//!
//! What should be there is the `expected` document of the instance's start. The score of a document that differs is the
//! share of the way from the start document that was gone: doing nothing is worth nothing, and so is making it worse.
//! Only a document in which nothing is missing, extra or other than expected, in any workflow, has full marks.

use quintain_checks::options;
use quintain_core::check::{
    AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Clause, ClauseSwitch, Finding, Measures,
};
use quintain_core::reference::Reference;
use quintain_core::score::Score;
use quintain_core::task::CheckSpec;
use serde_json::Value;

use super::compare::{DocumentComparison, compare_since};
use super::{clause, near, variations};
use crate::workflow::model::Document;

/// Where the document is, unless a task says otherwise.
const SELECTOR: &str = "documents/workflow-builder";
/// The most that a document with a mistake is worth.
const NEARLY: f64 = 0.99;
/// How many near misses of a kind are made for random draws.
const MANY: usize = 40;
/// How many mistakes are told.
const N_TOLD: usize = 3;

/// The kind `workflow-graph`.
#[derive(Clone, Copy, Debug)]
pub struct WorkflowGraph;

impl CheckKind for WorkflowGraph {
    fn kind(&self) -> &'static str {
        "workflow-graph"
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The document of the Workflow Builder is the one that the edits of `oracle.toml` give: nothing missing, \
                   nothing extra, all else as it was.",
            selector: Some("Where the document is; `documents/workflow-builder` unless told."),
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let selector = spec.selector.as_ref().map_or_else(|| Ok(SELECTOR.to_owned()), |_| options::selector(spec))?;
        Ok(Box::new(ExpectedWorkflow { name: spec.name.clone(), selector }))
    }
}

struct ExpectedWorkflow {
    name: String,
    selector: String,
}

impl ExpectedWorkflow {
    fn expected(&self, reference: &Reference) -> Result<Document, BrokenJudge> {
        let expected = self.document(reference, "expected")?.ok_or_else(|| self.broken("nothing is expected"))?;
        match expected.problems().first() {
            Some(problem) => Err(self.broken(format!("what is expected is not sound: {problem}"))),
            None => Ok(expected),
        }
    }

    /// The document at the start; an empty one where the instance has none.
    fn start(&self, reference: &Reference) -> Result<Document, BrokenJudge> {
        Ok(self.document(reference, "document")?.unwrap_or_default())
    }

    fn document(&self, reference: &Reference, which: &str) -> Result<Option<Document>, BrokenJudge> {
        let read = |value| Document::read(value).map_err(|why| self.broken(format!("`{which}`: {why}")));
        reference.start.get(which).filter(|value| !value.is_null()).map(read).transpose()
    }

    fn broken(&self, why: impl Into<String>) -> BrokenJudge {
        BrokenJudge { check: self.name.clone(), why: why.into() }
    }

    fn altered(
        &self,
        case: Case<'_>,
        alter: impl Fn(&Document, &Document) -> Vec<(String, Document)>,
    ) -> Vec<AlteredState> {
        let document = case.evidence.select(&self.selector).and_then(|value| Document::read(&value).ok());
        let (Some(document), Ok(start)) = (document, self.start(case.reference)) else { return Vec::new() };
        let evidence = |document: Document| case.evidence.with(&self.selector, document.to_value());
        let altered = alter(&start, &document).into_iter();
        altered.filter_map(|(how, document)| Some(AlteredState { how, evidence: evidence(document)? })).collect()
    }

    fn judge_with(&self, case: Case<'_>, clauses: ClauseSwitch<'_>) -> Result<Finding, BrokenJudge> {
        let expected = self.expected(case.reference)?;
        let start = self.start(case.reference)?;
        let Some(actual) = case.evidence.select(&self.selector) else {
            return Ok(Finding::of(&self.name, false, format!("there is nothing at `{}`", self.selector)));
        };
        let actual = match Document::read(&actual) {
            Ok(actual) => actual,
            Err(why) => return Ok(Finding::of(&self.name, false, why)),
        };
        let mut comparison = compare_since(&start, &expected, &actual);
        comparison.mistakes.retain(|mistake| clauses.holds(mistake.clause));
        let score = score(&comparison, &compare_since(&start, &expected, &start));
        let measures: Measures = [("mistakes".to_owned(), comparison.mistakes.len() as f64)].into();
        Ok(Finding { check: self.name.clone(), score, because: told(&comparison), measures })
    }

    fn near(&self, case: Case<'_>, most: usize) -> Vec<AlteredState> {
        let mut near = self.altered(case, |start, right| near::near_misses(start, right, most));
        if let Some(evidence) = case.evidence.with(&self.selector, Value::Null) {
            near.push(AlteredState { how: "no document".to_owned(), evidence });
        }
        near
    }
}

impl Check for ExpectedWorkflow {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::ALL)
    }

    fn clauses(&self, case: Case<'_>) -> Vec<Clause> {
        let (expected, start) = (self.expected(case.reference), self.start(case.reference));
        expected.and_then(|expected| Ok(clause::clauses(&start?, &expected))).unwrap_or_default()
    }

    fn judge_without(&self, case: Case<'_>, clause: &str) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::without(clause))
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.near(case, near::MOST)
    }

    fn all_near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.near(case, MANY)
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, variations::variations)
    }

    fn disguises(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.altered(case, variations::disguises)
    }
}

/// Full marks for what is equal, else the share of the start's mistakes that are mended.
fn score(actual: &DocumentComparison, start: &DocumentComparison) -> Score {
    if actual.is_equal() {
        return Score::ONE;
    }
    let share = 1.0 - actual.weight() / start.weight();
    Score::clamped(share.min(NEARLY))
}

fn told(comparison: &DocumentComparison) -> String {
    if comparison.is_equal() {
        return "the document is as expected".to_owned();
    }
    let sentences = comparison.mistakes.iter().take(N_TOLD).map(|mistake| mistake.sentence.as_str());
    let told = sentences.collect::<Vec<_>>().join("; ");
    match comparison.mistakes.len().saturating_sub(N_TOLD) {
        0 => told,
        n_more => format!("{told}; and {n_more} more"),
    }
}
