//! The judge of a chain's fields.

use std::collections::BTreeSet;

use quintain_checks::kinds::JsonFields;
use quintain_core::Reference;
use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Clause, Finding};
use quintain_core::task::{CHAIN_ANSWER, CheckSpec};
use serde_json::{Map, Value};

use crate::follow::expected_from_own;
use crate::premise::shown_share;
use crate::solve::SolvedField;
use crate::worked::WorkedChain;
use crate::wrong::WrongSheet;

/// Fields of a chain's answer, compared by their types. What is wrong is held against what somebody comes to who reads the
/// world wrongly, and against what follows from the agent's own earlier answers.
#[derive(Clone, Copy, Debug)]
pub struct ChainAnswer;

impl CheckKind for ChainAnswer {
    fn kind(&self) -> &'static str {
        CHAIN_ANSWER
    }

    fn manual(&self) -> CheckManual {
        CheckManual {
            says: "The fields of a chain's answer hold, as in `json-fields`. Tasks with a `chain.toml` get it by themselves. \
                   `follows` is measured: 1 where the fields are right by the agent's own earlier answers, whatever those were; \
                   `read.…` where a wrong field is what that wrong reading of the world gives; `shown`, where the fields are right, \
                   the share of what they rest on that stood on a page which was opened.",
            ..JsonFields.manual()
        }
    }

    fn make(&self, spec: &CheckSpec) -> Result<Box<dyn Check>, String> {
        let fields = JsonFields.make(&CheckSpec { kind: JsonFields.kind().to_owned(), ..spec.clone() })?;
        let names = spec.expect.as_ref().and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned().collect();
        Ok(Box::new(ChainCheck { fields, names }))
    }
}

struct ChainCheck {
    fields: Box<dyn Check>,
    /// The fields that it looks at.
    names: Vec<String>,
}

impl ChainCheck {
    /// The step whose fields these are, all of them; nothing where they are those of several.
    fn step(&self, right: &[SolvedField]) -> Option<usize> {
        let mut steps = right.iter().filter(|field| self.names.contains(&field.name)).map(|field| field.step);
        let first = steps.next()?;
        steps.all(|step| step == first).then_some(first)
    }

    /// Whether the fields are right by the agent's own earlier answers.
    fn follows(&self, case: Case<'_>, worked: &WorkedChain) -> Option<bool> {
        let step = self.step(&worked.instance.fields)?;
        let sheet = case.evidence.select("answer")?.as_object()?.clone();
        let own = expected_from_own(worked, step, &sheet);
        let Some(own) = own else { return Some(false) };
        let mut start = case.reference.start.clone();
        start["expected"] = Value::Object(own);
        let reference = Reference { start, ..case.reference.clone() };
        let finding = self.fields.judge(Case { evidence: case.evidence, reference: &reference });
        Some(finding.is_ok_and(|finding| finding.score.is_full()))
    }

    /// How much of what right fields rest on stood on a page that was opened.
    fn shown(&self, case: Case<'_>) -> Option<f64> {
        let visits = case.evidence.select("documents/visits")?;
        let is_answered = |visit: &&Value| visit["method"] == "GET" && visit["status"] == 200;
        let answered = visits.as_array()?.iter().filter(is_answered);
        let pages: BTreeSet<&str> = answered.filter_map(|visit| visit["address"].as_str()).collect();
        let worked = WorkedChain::of_start(&case.reference.start).ok()?;
        shown_share(&worked, self.step(&worked.instance.fields)?, &pages)
    }

    /// The wrong reading by which the first field that is wrong came about.
    fn reading(&self, case: Case<'_>, sheets: &[WrongSheet]) -> Option<String> {
        let sheet = case.evidence.select("answer")?;
        let by = |wrong: &&WrongSheet| {
            self.names.contains(&wrong.field) && sheet.get(&wrong.field) == wrong.sheet.get(&wrong.field)
        };
        sheets.iter().find(by).map(|wrong| wrong.how.clone())
    }

    /// The evidence with another sheet in these fields.
    fn altered(&self, case: Case<'_>, wrong: &WrongSheet) -> Option<AlteredState> {
        let mut sheet = case.evidence.select("answer")?;
        let fields = sheet.as_object_mut()?;
        for name in &self.names {
            match wrong.sheet.get(name) {
                Some(value) => drop(fields.insert(name.clone(), value.clone())),
                None => drop(fields.remove(name)),
            }
        }
        let evidence = case.evidence.with("answer", sheet)?;
        Some(AlteredState { how: format!("{}: {}", wrong.field, wrong.how), evidence })
    }
}

impl Check for ChainCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.fields.judge(case)
    }

    fn explain(&self, case: Case<'_>, mut finding: Finding) -> Finding {
        if finding.score.is_full() {
            finding.measures.insert("follows".to_owned(), 1.0);
            finding.measures.extend(self.shown(case).map(|share| ("shown".to_owned(), share)));
            return finding;
        }
        // What was not handed in follows from nothing.
        let handed_in = |name: &String| case.evidence.answer.as_ref().is_some_and(|sheet| sheet.get(name).is_some());
        if !self.names.iter().all(handed_in) {
            return finding;
        }
        let Ok(worked) = WorkedChain::of_start(&case.reference.start) else { return finding };
        if let Some(follows) = self.follows(case, &worked) {
            finding.measures.insert("follows".to_owned(), f64::from(u8::from(follows)));
            if follows {
                finding.because.push_str("; it follows from the answers before it");
            }
        }
        if let Some(how) = self.reading(case, &worked.wrong_sheets()) {
            finding.because = format!("{}; this is what `{how}` gives", finding.because);
            finding.measures.insert(format!("read.{how}"), 1.0);
        }
        finding
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut near = self.fields.near_misses(case);
        let Ok(worked) = WorkedChain::of_start(&case.reference.start) else { return near };
        let sheets = worked.wrong_sheets();
        let sheets = sheets.iter().filter(|wrong| self.names.contains(&wrong.field));
        near.extend(sheets.filter_map(|wrong| self.altered(case, wrong)));
        near
    }

    fn variations(&self, case: Case<'_>) -> Vec<AlteredState> {
        self.fields.variations(case)
    }

    fn clauses(&self, case: Case<'_>) -> Vec<Clause> {
        self.fields.clauses(case)
    }

    fn judge_without(&self, case: Case<'_>, clause: &str) -> Result<Finding, BrokenJudge> {
        self.fields.judge_without(case, clause)
    }
}
