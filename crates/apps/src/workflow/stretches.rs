//! Instances that begin or end after a milestone (ADR 0020).
//!
//! A milestone is reached after so many edits of the solution as its check asks for. An instance that begins after it opens
//! with the document that these edits give, new nodes standing where the app would put them, and its oracle goes on with
//! the rest. The judge goes by the start of the whole instance as ever, which is kept as `origin`.

use quintain_core::check::CheckKind;
use quintain_core::task::{CheckSpec, MilestoneSpec};
use quintain_core::{Stretch, Task};
use serde::Deserialize;
use serde_json::{Value, json};

use super::checks::{WorkflowGraph, n_edits};
use super::layout::lay_out;
use super::model::Document;
use super::model::edit::{DocumentDraft, Edit};

/// The start of a stretch, from that of the whole instance.
pub(super) fn start(task: &Task, whole: &Value, stretch: Stretch) -> Result<Value, String> {
    let SolutionPlan { origin, edits, .. } = SolutionPlan::read(whole)?;
    let reached = reached(task, edits.len())?;
    let after = |n_milestones: usize| n_milestones.checked_sub(1).map_or(0, |idx| reached[idx]);
    let given = after(stretch.n_given());
    let until = stretch.until.map_or(edits.len(), |until| after(until.get() as usize));
    let plan = SolutionPlan { origin, edits, given, until };
    let mut start = whole.clone();
    start["origin"] = whole["document"].clone();
    start["document"] = lay_out(&plan.origin, plan.draft()?.document).to_value();
    start["plan"]["given"] = json!(given);
    start["plan"]["until"] = json!(until);
    Ok(start)
}

/// The document at the right end of an instance: what is expected or, where it ends earlier, what the edits give until then.
pub(super) fn right_end(start: &Value) -> Option<Value> {
    if start.get("origin").is_none() {
        return start.get("expected").cloned();
    }
    let plan = SolutionPlan::read(start).ok()?;
    let draft = SolutionPlan { given: plan.until, ..plan }.draft().ok()?;
    Some(draft.document.to_value())
}

/// The edits of a solution, and which of them are an instance's own.
pub(super) struct SolutionPlan {
    /// The document before the first of them.
    origin: Document,
    edits: Vec<Edit>,
    /// So many are made before the instance begins.
    given: usize,
    /// So many are made when it ends.
    until: usize,
}

impl SolutionPlan {
    /// The plan in the start of an instance.
    pub(super) fn read(start: &Value) -> Result<Self, String> {
        let wrong = |why: serde_json::Error| format!("the plan: {why}");
        let origin = Document::read(start.get("origin").unwrap_or(&start["document"]))?;
        let plan = &start["plan"];
        let edits = Vec::<Edit>::deserialize(&plan["edit"]).map_err(wrong)?;
        let n_edits = edits.len();
        let number = |key: &str, usual: usize| plan.get(key).map_or(Ok(usual), usize::deserialize).map_err(wrong);
        let (given, until) = (number("given", 0)?, number("until", n_edits)?);
        if given > until || until > n_edits {
            return Err(format!("the plan: of {n_edits} edits {given} to {until} cannot be made"));
        }
        Ok(Self { origin, edits, given, until })
    }

    /// The document when the instance begins, with what the edits call the nodes they added.
    pub(super) fn draft(&self) -> Result<DocumentDraft, String> {
        let mut draft = DocumentDraft::new(self.origin.clone());
        for edit in &self.edits[..self.given] {
            draft.make(edit).map_err(|problem| problem.to_string())?;
        }
        Ok(draft)
    }

    /// The edits that are left to the instance.
    pub(super) fn own(&self) -> &[Edit] {
        &self.edits[self.given..self.until]
    }
}

/// After how many edits each milestone is reached: each later than the one before.
fn reached(task: &Task, n_edits: usize) -> Result<Vec<usize>, String> {
    let mut reached: Vec<usize> = Vec::new();
    for milestone in &task.spec.milestones {
        let wrong = |why: String| format!("milestone `{}` of task `{}`: {why}", milestone.name, task.id);
        let after = asked(milestone, n_edits).map_err(wrong)?;
        if after > n_edits {
            return Err(wrong(format!("it asks for {after} edits, and the solution has {n_edits}")));
        }
        if reached.last().is_some_and(|before| *before >= after) {
            return Err(wrong("it asks for no more edits than the one before it".to_owned()));
        }
        reached.push(after);
    }
    Ok(reached)
}

/// How many edits the checks of a milestone ask for.
fn asked(milestone: &MilestoneSpec, n_edits_of_all: usize) -> Result<usize, String> {
    let own = WorkflowGraph.kind();
    let counted = || milestone.checks.iter().filter(|spec| spec.counts());
    if let Some(CheckSpec { kind, .. }) = counted().find(|spec| spec.kind != own) {
        return Err(format!("`{kind}` judges it, but the Workflow Builder begins after milestones of `{own}` alone"));
    }
    let asked: Vec<usize> =
        counted().map(|spec| Ok(n_edits(spec)?.unwrap_or(n_edits_of_all))).collect::<Result<_, String>>()?;
    Ok(asked.into_iter().max().unwrap_or(n_edits_of_all))
}

#[cfg(test)]
mod tests;
