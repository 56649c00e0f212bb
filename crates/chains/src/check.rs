//! The judge of a chain's fields.

use std::sync::Arc;

use quintain_checks::kinds::JsonFields;
use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, CheckKind, CheckManual, Clause, Finding};
use quintain_core::task::{CHAIN_ANSWER, ChainSpec, CheckSpec};
use quintain_core::{Evidence, Reference};
use quintain_sites::Web;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::chain::QuestionChain;
use crate::find::Variables;
use crate::follow::expected_from_own;
use crate::solve::{ChainInstance, SolvedField, solve};
use crate::world::{WORLDS, WorldAddress};
use crate::wrong::WrongSheet;

/// What an instance of a chain keeps in its start state, under `plan`, beside the expected values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct KeptChain {
    /// Which world it is in.
    pub world: WorldAddress,
    /// What `chain.toml` says.
    pub chain: ChainSpec,
    /// Parameters and what was drawn.
    pub drawn: Variables,
}

impl KeptChain {
    /// What a start state keeps.
    pub fn of_start(start: &Value) -> Option<Self> {
        serde_json::from_value(start.get("plan")?.get("chain")?.clone()).ok()
    }

    /// The sites of its world.
    pub fn web(&self) -> Arc<Web> {
        WORLDS.web(self.world)
    }

    /// The instance, worked out again.
    pub fn instance(&self, web: &Web) -> Option<ChainInstance> {
        let fields = solve(&web.atlas, &self.chain, &self.drawn).ok()?;
        Some(ChainInstance { drawn: self.drawn.clone(), fields })
    }
}

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
                   `read.…` where a wrong field is what that wrong reading of the world gives.",
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
    fn follows(&self, case: Case<'_>, kept: &KeptChain, web: &Web, right: &[SolvedField]) -> Option<bool> {
        let step = self.step(right)?;
        let sheet = case.evidence.select("answer")?.as_object()?.clone();
        let own = expected_from_own(&web.atlas, &kept.chain, &kept.drawn, right, step, &sheet);
        let Some(own) = own else { return Some(false) };
        let mut start = case.reference.start.clone();
        start["expected"] = Value::Object(own);
        let reference = Reference { start, ..case.reference.clone() };
        let finding = self.fields.judge(Case { evidence: case.evidence, reference: &reference });
        Some(finding.is_ok_and(|finding| finding.score.is_full()))
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
        let evidence: Evidence = case.evidence.with("answer", sheet)?;
        Some(AlteredState { how: format!("{}: {}", wrong.field, wrong.how), evidence })
    }

    fn wrong_sheets(kept: &KeptChain, web: &Web, instance: &ChainInstance) -> Vec<WrongSheet> {
        let chain = QuestionChain { spec: kept.chain.clone(), settles: Vec::new(), draws: Vec::new() };
        chain.wrong_sheets(&web.atlas, instance)
    }
}

impl Check for ChainCheck {
    fn judge(&self, case: Case<'_>) -> Result<Finding, BrokenJudge> {
        self.fields.judge(case)
    }

    fn explain(&self, case: Case<'_>, mut finding: Finding) -> Finding {
        if finding.score.is_full() {
            finding.measures.insert("follows".to_owned(), 1.0);
            return finding;
        }
        // What was not handed in follows from nothing.
        let handed_in = |name: &String| case.evidence.answer.as_ref().is_some_and(|sheet| sheet.get(name).is_some());
        let kept = KeptChain::of_start(&case.reference.start).filter(|_| self.names.iter().all(handed_in));
        let Some(kept) = kept else { return finding };
        let web = kept.web();
        let Some(instance) = kept.instance(&web) else { return finding };
        if let Some(follows) = self.follows(case, &kept, &web, &instance.fields) {
            finding.measures.insert("follows".to_owned(), f64::from(u8::from(follows)));
            if follows {
                finding.because.push_str("; it follows from the answers before it");
            }
        }
        if let Some(how) = self.reading(case, &Self::wrong_sheets(&kept, &web, &instance)) {
            finding.because = format!("{}; this is what `{how}` gives", finding.because);
            finding.measures.insert(format!("read.{how}"), 1.0);
        }
        finding
    }

    fn near_misses(&self, case: Case<'_>) -> Vec<AlteredState> {
        let mut near = self.fields.near_misses(case);
        let Some(kept) = KeptChain::of_start(&case.reference.start) else { return near };
        let web = kept.web();
        let Some(instance) = kept.instance(&web) else { return near };
        let sheets = Self::wrong_sheets(&kept, &web, &instance);
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
