//! The check `workflow-graph`: the Workflow Builder's document says what it should.
//!
//! What should be there is the `expected` document of the instance's start. The score of a document that differs is the
//! share of the way from the start document that was gone: doing nothing is worth nothing, and so is making it worse.
//! Only a document in which nothing is missing, extra or other than expected, in any workflow, has full marks.
//!
//! With `edits = 4`, which is for milestones, no more is asked than what the first four edits of the solution make, and
//! what later ones do is not looked at.

use quintain_checks::options;
use quintain_core::check::{
    AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Clause, ClauseSwitch, Finding, Measures,
};
use quintain_core::reference::Reference;
use quintain_core::score::Score;
use quintain_core::task::CheckSpec;
use serde::Deserialize;
use serde_json::Value;

use super::compare::{DocumentComparison, compare_until};
use super::part::AskedDocument;
use super::{clause, near, variations};
use crate::workflow::model::Document;
use crate::workflow::model::edit::{Edit, apply};

/// Where the document is, unless a task says otherwise.
const SELECTOR: &str = "documents/workflow-builder";
/// The most that a document with a mistake is worth.
const NEARLY: f64 = 0.99;
/// How many near misses of a kind are made for random draws.
const MANY: usize = 40;
/// How many mistakes are told.
const N_TOLD: usize = 3;

/// The option that asks for no more than the first edits make.
const EDITS: &str = "edits";
const EDITS_SAYS: &str = "For milestones: so many of the first edits count. What they make and no later edit changes has \
     to be there; what later edits do is not looked at, and neither is a node, an edge or a workflow too many as long as \
     later edits add or take away such; all of it unless told.";

/// How many of the first edits of a solution a check asks for; nothing where it asks for all of it.
pub(in crate::workflow) fn n_edits(spec: &CheckSpec) -> Result<Option<usize>, String> {
    let Some(value) = spec.options.get(EDITS) else { return Ok(None) };
    let number = value.as_u64().filter(|number| *number > 0).and_then(|number| usize::try_from(number).ok());
    number.map(Some).ok_or_else(|| format!("`{EDITS}` must be a whole number of 1 or more, not {value}"))
}

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
            options: &[(EDITS, EDITS_SAYS)],
            ..CheckManual::default()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        options::refuse_others(spec, &self.manual())?;
        let selector = spec.selector.as_ref().map_or_else(|| Ok(SELECTOR.to_owned()), |_| options::selector(spec))?;
        Ok(Box::new(ExpectedWorkflow { name: spec.name.clone(), selector, n_edits: n_edits(spec)? }))
    }
}

struct ExpectedWorkflow {
    name: String,
    selector: String,
    n_edits: Option<usize>,
}

impl ExpectedWorkflow {
    fn asked(&self, reference: &Reference) -> Result<AskedDocument, BrokenJudge> {
        let expected = self.document(reference, "expected")?.ok_or_else(|| self.broken("nothing is expected"))?;
        if let Some(problem) = expected.problems().first() {
            return Err(self.broken(format!("what is expected is not sound: {problem}")));
        }
        match self.n_edits {
            None => Ok(AskedDocument::whole(expected)),
            Some(n_edits) => Ok(AskedDocument::after_some(&self.after(n_edits, reference)?, &expected)),
        }
    }

    /// The document after the first edits.
    fn after(&self, n_edits: usize, reference: &Reference) -> Result<Document, BrokenJudge> {
        let edits = Vec::<Edit>::deserialize(&reference.start["plan"]["edit"]);
        let edits = edits.map_err(|why| self.broken(format!("the plan: {why}")))?;
        let first = edits.get(..n_edits).ok_or_else(|| {
            self.broken(format!("the solution has {} edits, and {n_edits} are asked for", edits.len()))
        })?;
        apply(&self.start(reference)?, first).map_err(|problem| self.broken(problem.to_string()))
    }

    /// The document at the start of the whole instance; an empty one where the instance has none.
    fn start(&self, reference: &Reference) -> Result<Document, BrokenJudge> {
        self.document(reference, "origin")?.map_or_else(|| self.opened(reference), Ok)
    }

    /// The document that the trial began with: another one where milestones were given.
    fn opened(&self, reference: &Reference) -> Result<Document, BrokenJudge> {
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
        self.states(case, alter(&start, &document))
    }

    fn states(&self, case: Case<'_>, documents: Vec<(String, Document)>) -> Vec<AlteredState> {
        let evidence = |document: Document| case.evidence.with(&self.selector, document.to_value());
        let states = documents.into_iter();
        states.filter_map(|(how, document)| Some(AlteredState { how, evidence: evidence(document)? })).collect()
    }

    fn judge_with(&self, case: Case<'_>, clauses: ClauseSwitch<'_>) -> Result<Finding, BrokenJudge> {
        let AskedDocument { document: expected, ahead } = self.asked(case.reference)?;
        let start = self.start(case.reference)?;
        let Some(actual) = case.evidence.select(&self.selector) else {
            return Ok(Finding::of(&self.name, false, format!("there is nothing at `{}`", self.selector)));
        };
        let actual = match Document::read(&actual) {
            Ok(actual) => actual,
            Err(why) => return Ok(Finding::of(&self.name, false, why)),
        };
        let mut comparison = compare_until(&start, &expected, &ahead, &actual);
        comparison.mistakes.retain(|mistake| clauses.holds(mistake.clause));
        let opened = self.opened(case.reference)?;
        let score = score(&comparison, &compare_until(&start, &expected, &ahead, &opened));
        let measures: Measures = [("mistakes".to_owned(), comparison.mistakes.len() as f64)].into();
        Ok(Finding { check: self.name.clone(), score, because: told(&comparison), measures })
    }

    /// Near misses of the document that is right or, where only a part is asked for, of that part: in the whole there is
    /// more, and what is wrong with that does not count.
    fn near(&self, case: Case<'_>, most: usize) -> Vec<AlteredState> {
        let Ok(AskedDocument { document: asked, ahead }) = self.asked(case.reference) else { return Vec::new() };
        let mut near = self.altered(case, |start, right| {
            let right = if self.n_edits.is_some() { &asked } else { right };
            near::near_misses(start, right, &ahead, most)
        });
        if let Some(evidence) = case.evidence.with(&self.selector, Value::Null) {
            near.push(AlteredState { how: "no document".to_owned(), evidence });
        }
        near
    }

    /// The document in which no more than what is asked for has been done.
    fn no_more(&self, case: Case<'_>) -> Vec<AlteredState> {
        let after = self.n_edits.and_then(|n_edits| self.after(n_edits, case.reference).ok());
        let documents = after.map(|document| ("no more than what is asked for".to_owned(), document));
        self.states(case, documents.into_iter().collect())
    }
}

impl Check for ExpectedWorkflow {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.judge_with(case, ClauseSwitch::ALL)
    }

    fn clauses(&self, case: Case<'_>) -> Vec<Clause> {
        let (asked, start) = (self.asked(case.reference), self.start(case.reference));
        asked.and_then(|asked| Ok(clause::clauses(&start?, &asked.document))).unwrap_or_default()
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
        let mut all = self.altered(case, variations::variations);
        all.extend(self.no_more(case));
        all
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
