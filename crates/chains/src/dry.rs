//! The proof of an instance without a browser: that it can be answered, that its judge is strict, and that nothing gives it
//! away.

mod attacks;

use std::sync::Arc;

use quintain_checks::{Palette, Panel};
use quintain_core::check::{Case, Check};
use quintain_core::task::ChainSpec;
use quintain_core::world::DryFigures;
use quintain_core::{Evidence, Instance, Reference, Task};
use serde_json::{Map, Value};

use crate::check::ChainAnswer;
use crate::waypoint::Waypoint;
use crate::worked::WorkedChain;

/// Proves an instance, or tells everything that is wrong with it. What was right of another instance must be wrong here.
pub fn prove(task: &Task, instance: &Instance, by_heart: Option<&Value>) -> Result<DryFigures, Vec<String>> {
    let worked = WorkedChain::of_start(&instance.start).map_err(|why| vec![why])?;
    let right =
        instance.start["plan"]["sheet"].as_object().ok_or_else(|| vec!["the start holds no sheet".to_owned()])?;
    let mut proof = ChainProof::new(task, instance)?;
    proof.ways(&worked);
    proof.right(right);
    proof.starts(&worked.spec, right);
    for wrong in worked.wrong_sheets() {
        let step = worked.spec.steps.iter().find(|step| step.fields.iter().any(|field| field.name == wrong.field));
        let sheet: Map<String, Value> = wrong.sheet.into_iter().collect();
        proof.refused(step.map_or("", |step| &step.name), &sheet, &format!("{} at `{}`", wrong.how, wrong.field));
        proof.count("wrong sheets");
    }
    if let Some(sheet) = by_heart.and_then(Value::as_object) {
        proof.by_heart(sheet);
    }
    proof.wrong.extend(attacks::leaks(&worked, &instance.instruction, &mut proof.figures));
    if proof.wrong.is_empty() { Ok(proof.figures) } else { Err(proof.wrong) }
}

struct ChainProof<'a> {
    task: &'a Task,
    panel: Panel,
    /// The checks of the whole answer.
    checks: Vec<Box<dyn Check>>,
    reference: Reference,
    wrong: Vec<String>,
    figures: DryFigures,
}

impl<'a> ChainProof<'a> {
    fn new(task: &'a Task, instance: &Instance) -> Result<Self, Vec<String>> {
        let palette = Palette::standard().with(Arc::new(ChainAnswer));
        let checks = task.spec.checks.iter().map(|spec| palette.make(spec)).collect::<Result<_, _>>();
        Ok(Self {
            task,
            panel: Panel::new(task, &palette)?,
            checks: checks.map_err(|why| vec![why])?,
            reference: instance.reference(task),
            wrong: Vec::new(),
            figures: DryFigures::new(),
        })
    }

    fn count(&mut self, what: &str) {
        *self.figures.entry(what.to_owned()).or_default() += 1.0;
    }

    /// Every step has a way on which everything that it needs is stated.
    fn ways(&mut self, worked: &WorkedChain) {
        match worked.ways() {
            Ok(ways) => ways.iter().flatten().for_each(|waypoint| self.count(word(waypoint))),
            Err(why) => self.wrong.push(why),
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

    /// Whoever is given the first answers and does nothing has nothing but those: neither the next one nor the whole. What
    /// comes after the next one is looked at from its own start.
    fn starts(&mut self, chain: &ChainSpec, right: &Map<String, Value>) {
        for (n_given, next) in chain.steps.iter().enumerate() {
            let given = chain.steps.iter().take(n_given).flat_map(|step| &step.fields);
            let sheet: Map<String, Value> =
                given.filter_map(|field| Some((field.name.clone(), right.get(&field.name)?.clone()))).collect();
            if self.holds(&next.name, &sheet) {
                self.wrong.push(format!("`{}` holds where nothing was handed in after {n_given}", next.name));
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
        let case = Case { evidence: &handed_in(sheet), reference: &self.reference };
        self.panel.milestone_holds(step, case).unwrap_or(false)
    }

    /// Begins with the last step: whoever went wrong is mostly wrong there, and no other has to be looked at then.
    fn is_solved(&self, sheet: &Map<String, Value>) -> bool {
        let case = Case { evidence: &handed_in(sheet), reference: &self.reference };
        self.checks.iter().rev().all(|check| check.judge(case).is_ok_and(|finding| finding.score.is_full()))
    }
}

/// The evidence of a trial that handed in a sheet.
fn handed_in(sheet: &Map<String, Value>) -> Evidence {
    Evidence { answer: Some(Value::Object(sheet.clone())), ..Evidence::default() }
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
