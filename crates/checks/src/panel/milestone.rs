//! The milestones of a task: when each was reached, and where the agent went wrong.

use quintain_core::check::{BrokenJudge, Case, Check, Finding};
use quintain_core::judge::{EndedTrial, Snapshot};
use quintain_core::reference::Reference;
use quintain_core::task::{CheckSpec, MilestoneHold, MilestoneSpec};
use quintain_core::verdict::{MilestoneReached, MilestoneState};

use super::make_all;
use crate::compose::{ChainLink, counts};
use crate::palette::Palette;

/// A milestone and its checks.
pub(super) struct Milestone {
    pub(super) name: String,
    needs: Vec<String>,
    weight: f64,
    gate: bool,
    hold: MilestoneHold,
    /// Those of its checks that count.
    pub(super) specs: Vec<CheckSpec>,
    pub(super) checks: Vec<Box<dyn Check>>,
}

impl Milestone {
    pub(super) fn new(spec: &MilestoneSpec, palette: &Palette, problems: &mut Vec<String>) -> Self {
        let place = format!("milestone `{}`: ", spec.name);
        if !spec.checks.iter().any(counts) {
            problems.push(format!("{place}no check counts: it would be reached by anything"));
        }
        let specs: Vec<CheckSpec> = spec.checks.iter().filter(|check| counts(check)).cloned().collect();
        let checks = make_all(&specs, palette, &place, problems);
        let MilestoneSpec { name, needs, weight, gate, .. } = spec.clone();
        Self { name, needs, weight, gate, hold: spec.holds(), specs, checks }
    }

    /// That the trial began after it.
    pub(super) fn given(&self) -> MilestoneReached {
        MilestoneReached { name: self.name.clone(), given: true, ..MilestoneReached::default() }
    }

    /// What became of it in a trial that it was asked for in. The final evidence counts as of the last snapshot, or of the
    /// start if nothing was ever changed.
    pub(super) fn reached(
        &self,
        ended: EndedTrial<'_>,
        reference: &Reference,
    ) -> Result<MilestoneReached, BrokenJudge> {
        let last = ended.snapshots.last().map_or(0, |snapshot| snapshot.after_steps);
        let along_the_way = ended.snapshots.iter().map(|Snapshot { after_steps, evidence }| (*after_steps, evidence));
        let mut since = None;
        let mut findings = Vec::new();
        let mut judged = None;
        for (after_steps, evidence) in along_the_way.chain([(last, ended.evidence)]) {
            // Pages come and go while the sheet stays as it is: what looks at nothing else is not judged again.
            if !(self.looks_at_answer_alone() && judged == Some(&evidence.answer)) {
                findings = self.findings(Case { evidence, reference })?;
                judged = Some(&evidence.answer);
            }
            let holds = findings.iter().all(|finding| finding.score.is_full());
            since = since.or(Some(after_steps)).filter(|_| holds);
            if holds && self.hold == MilestoneHold::Ever {
                break;
            }
        }
        let findings = self.explained(Case { evidence: ended.evidence, reference }, findings);
        Ok(MilestoneReached { name: self.name.clone(), after_steps: since, findings, ..MilestoneReached::default() })
    }

    /// The findings on the final evidence with what more can be told of them. One that held on the way and is judged no
    /// longer has nothing more to tell.
    fn explained(&self, case: Case<'_>, findings: Vec<Finding>) -> Vec<Finding> {
        let named = self.checks.iter().zip(findings);
        named.map(|(check, finding)| check.explain(case, finding)).collect()
    }

    /// Whether its checks look at the answer and at nothing else.
    fn looks_at_answer_alone(&self) -> bool {
        self.specs.iter().all(|spec| spec.selector.as_deref().is_some_and(|selector| selector == "answer"))
    }

    /// What its checks find.
    pub(super) fn findings(&self, case: Case<'_>) -> Result<Vec<Finding>, BrokenJudge> {
        let named = self.specs.iter().zip(&self.checks);
        named.map(|(spec, check)| Ok(Finding { check: spec.name.clone(), ..check.judge(case)? })).collect()
    }

    /// Whether everything that it needs was reached or given.
    fn is_ready(&self, reached: &[MilestoneReached]) -> bool {
        let is_there = |need: &String| {
            let found = reached.iter().find(|milestone| milestone.name == *need);
            found.is_some_and(|milestone| milestone.state() != MilestoneState::Missed)
        };
        self.needs.iter().all(is_there)
    }
}

/// Marks where the agent went wrong: at the first milestone that was missed though everything it needs was there.
pub(super) fn mark_break(milestones: &[Milestone], reached: &mut [MilestoneReached]) {
    let is_missed = |idx: usize| reached[idx].state() == MilestoneState::Missed && milestones[idx].is_ready(reached);
    if let Some(first) = (0..reached.len()).find(|idx| is_missed(*idx)) {
        reached[first].broke = true;
    }
}

/// What the milestones that were asked for are worth. One that was reached without what it needs is luck and counts as
/// missed, and so does what builds on it.
pub(super) fn links(milestones: &[Milestone], reached: &[MilestoneReached]) -> Vec<ChainLink> {
    let mut counted: Vec<MilestoneReached> = Vec::with_capacity(reached.len());
    let mut links = Vec::new();
    for (milestone, came) in milestones.iter().zip(reached) {
        let counts = came.state() == MilestoneState::Reached && milestone.is_ready(&counted);
        if came.state() != MilestoneState::Given {
            links.push(ChainLink { weight: milestone.weight, gate: milestone.gate, holds: counts });
        }
        let after_steps = came.after_steps.filter(|_| counts);
        counted.push(MilestoneReached {
            name: came.name.clone(),
            after_steps,
            given: came.given,
            ..Default::default()
        });
    }
    links
}
