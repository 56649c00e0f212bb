//! The proof of an instance without a browser: that it can be answered, that its judge is strict, and that nothing gives it
//! away.

mod attacks;

use std::sync::Arc;

use quintain_checks::{Palette, Panel};
use quintain_core::check::{Case, Check, CheckKind as _};
use quintain_core::world::DryFigures;
use quintain_core::{Evidence, Instance, Task};
use serde_json::{Map, Value};

use crate::chain::QuestionChain;
use crate::check::{ChainAnswer, KeptChain};
use crate::route;
use crate::solve::ChainInstance;
use crate::told::answered;
use crate::waypoint::Waypoint;

/// Proves an instance, or tells everything that is wrong with it. What was right of another instance must be wrong here.
pub fn prove(task: &Task, instance: &Instance, by_heart: Option<&Value>) -> Result<DryFigures, Vec<String>> {
    let one = |why: String| vec![why];
    let kept = KeptChain::of_start(&instance.start).ok_or_else(|| one("the start holds no chain".to_owned()))?;
    let web = kept.web();
    let solved = kept.instance(&web).ok_or_else(|| one("the chain has no answers".to_owned()))?;
    let palette = Palette::standard().with(Arc::new(ChainAnswer));
    let panel = Panel::new(task, &palette)?;
    let mut proof = ChainProof { task, instance, panel, wrong: Vec::new(), figures: DryFigures::new() };
    let fields = kept.chain.fields().zip(&solved.fields);
    let right: Map<String, Value> =
        fields.map(|(field, of)| (field.name.clone(), answered(&web.atlas, field, &of.value))).collect();
    proof.ways(&web, &kept, &solved);
    proof.right(&right);
    proof.starts(&kept, &right);
    let chain = QuestionChain { spec: kept.chain.clone(), settles: Vec::new(), draws: Vec::new() };
    for wrong in chain.wrong_sheets(&web.atlas, &solved) {
        let step = kept.chain.steps.iter().find(|step| step.fields.iter().any(|field| field.name == wrong.field));
        let sheet: Map<String, Value> = wrong.sheet.into_iter().collect();
        proof.refused(step.map_or("", |step| &step.name), &sheet, &format!("{} at `{}`", wrong.how, wrong.field));
        proof.count("wrong sheets");
    }
    if let Some(sheet) = by_heart.and_then(Value::as_object) {
        proof.by_heart(sheet);
    }
    for found in attacks::leaks(&web, &kept.chain, &solved, &instance.instruction, &mut proof.figures) {
        proof.wrong.push(found);
    }
    if proof.wrong.is_empty() { Ok(proof.figures) } else { Err(proof.wrong) }
}

struct ChainProof<'a> {
    task: &'a Task,
    instance: &'a Instance,
    panel: Panel,
    wrong: Vec<String>,
    figures: DryFigures,
}

impl ChainProof<'_> {
    fn count(&mut self, what: &str) {
        *self.figures.entry(what.to_owned()).or_default() += 1.0;
    }

    /// Every step has a way on which everything that it needs is stated.
    fn ways(&mut self, web: &quintain_sites::Web, kept: &KeptChain, solved: &ChainInstance) {
        for step in 0..kept.chain.steps.len() {
            match route::of_step(web, &kept.chain, solved, step) {
                Ok(way) => way.iter().for_each(|waypoint| self.count(word(waypoint))),
                Err(why) => self.wrong.push(format!("there is no way to `{}`: {why}", kept.chain.steps[step].name)),
            }
        }
    }

    /// The right sheet is right.
    fn right(&mut self, sheet: &Map<String, Value>) {
        for name in self.steps() {
            if !self.holds(&name, sheet) {
                self.wrong.push(format!("the right sheet is refused at `{name}`"));
            }
        }
        if !self.is_solved(sheet) {
            self.wrong.push("the right sheet does not solve it".to_owned());
        }
    }

    /// Whoever is given the first answers and does nothing has nothing but those.
    fn starts(&mut self, kept: &KeptChain, right: &Map<String, Value>) {
        for n_given in 0..kept.chain.steps.len() {
            let given = kept.chain.steps.iter().take(n_given).flat_map(|step| &step.fields);
            let sheet: Map<String, Value> =
                given.filter_map(|field| Some((field.name.clone(), right.get(&field.name)?.clone()))).collect();
            for step in kept.chain.steps.iter().skip(n_given) {
                if self.holds(&step.name, &sheet) {
                    self.wrong.push(format!("`{}` holds where nothing was handed in after {n_given}", step.name));
                }
            }
            if self.is_solved(&sheet) {
                self.wrong.push(format!("it is solved by the first {n_given} answers"));
            }
            self.count("starts");
        }
    }

    /// A sheet is wrong at a step, and as a whole.
    fn refused(&mut self, step: &str, sheet: &Map<String, Value>, how: &str) {
        if self.holds(step, sheet) {
            self.wrong.push(format!("`{step}` accepts what is wrong: {how}"));
        }
        if self.is_solved(sheet) {
            self.wrong.push(format!("a wrong sheet solves it: {how}"));
        }
    }

    /// What was right elsewhere does not solve it. Single steps may come to the same: there are only so many reasons.
    fn by_heart(&mut self, sheet: &Map<String, Value>) {
        if self.is_solved(sheet) {
            self.wrong.push("what is right of another instance solves it".to_owned());
        }
        let n_same = self.steps().iter().filter(|step| self.holds(step, sheet)).count();
        self.figures.insert("steps by heart".to_owned(), n_same as f64);
    }

    fn steps(&self) -> Vec<String> {
        self.task.spec.milestones.iter().map(|milestone| milestone.name.clone()).collect()
    }

    fn holds(&self, step: &str, sheet: &Map<String, Value>) -> bool {
        let evidence = Evidence { answer: Some(Value::Object(sheet.clone())), ..Evidence::default() };
        let reference = self.instance.reference(self.task);
        self.panel.milestone_holds(step, Case { evidence: &evidence, reference: &reference }).unwrap_or(false)
    }

    fn is_solved(&self, sheet: &Map<String, Value>) -> bool {
        let evidence = Evidence { answer: Some(Value::Object(sheet.clone())), ..Evidence::default() };
        let reference = self.instance.reference(self.task);
        let case = Case { evidence: &evidence, reference: &reference };
        let checks = self.task.spec.checks.iter().map(|spec| ChainAnswer.make(spec));
        let holds = |check: Result<Box<dyn Check>, String>| {
            check.is_ok_and(|check| check.judge(case).is_ok_and(|finding| finding.score.is_full()))
        };
        checks.into_iter().all(holds)
    }
}

/// What a waypoint is counted as.
fn word(waypoint: &Waypoint) -> &'static str {
    match waypoint {
        Waypoint::Visit { .. } => "addresses",
        Waypoint::Search { .. } => "searches",
        Waypoint::Follow { .. } => "links",
        Waypoint::Fill { .. } => "forms",
        Waypoint::See { .. } => "readings",
        Waypoint::Note { .. } => "notes",
    }
}
