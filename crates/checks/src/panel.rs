//! The panel: all checks of one task, and the verdict they come to together.

mod milestone;

use std::collections::BTreeSet;
use std::fmt;

use quintain_core::check::{AlteredState, BrokenJudge, Case, Check, Clause, Finding};
use quintain_core::evidence::Evidence;
use quintain_core::instance::Stretch;
use quintain_core::judge::{EndedTrial, Judge, Judgement};
use quintain_core::reference::Reference;
use quintain_core::score::Score;
use quintain_core::task::{CheckSpec, ComposeHow, Task};
use quintain_core::verdict::MilestoneReached;

use crate::compose::{chain, compose, counts, file_of};
use crate::palette::Palette;
use milestone::{Milestone, links, mark_break};

/// All checks of one task.
pub struct Panel {
    how: ComposeHow,
    specs: Vec<CheckSpec>,
    checks: Vec<Box<dyn Check>>,
    milestones: Vec<Milestone>,
}

/// An end state that one check thought of.
#[derive(Clone, Debug)]
pub struct Twist {
    /// The check.
    pub check: String,
    /// What was altered.
    pub how: String,
    /// The evidence as it would be.
    pub evidence: Evidence,
}

/// An end state that a check of a milestone thought of.
#[derive(Clone, Debug)]
pub struct MilestoneTwist {
    /// The milestone.
    pub milestone: String,
    /// The end state.
    pub twist: Twist,
}

/// A clause of one of a task's checks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckClause {
    /// The check's kind.
    pub kind: String,
    /// The check's name in the task.
    pub check: String,
    /// The clause.
    pub clause: Clause,
}

impl Panel {
    /// The panel of a task, or everything that is wrong with its checks.
    pub fn new(task: &Task, palette: &Palette) -> Result<Self, Vec<String>> {
        let mut problems = Vec::new();
        let specs = task.spec.checks.clone();
        let checks = make_all(&specs, palette, "", &mut problems);
        let declared = task.spec.milestones.iter();
        let milestones: Vec<Milestone> = declared.map(|spec| Milestone::new(spec, palette, &mut problems)).collect();
        if !specs.iter().any(counts) {
            problems.push("no check counts: give at least one a weight above 0".to_owned());
        }
        if task.spec.compose.how == ComposeHow::PairwiseFiles {
            problems.extend(unpaired(task));
        }
        if problems.is_empty() {
            Ok(Self { how: task.spec.compose.how, specs, checks, milestones })
        } else {
            Err(problems)
        }
    }

    /// End states that look nearly right and must not be full marks, from every check that counts. The case is a
    /// right one.
    pub fn near_misses(&self, case: Case<'_>) -> Vec<Twist> {
        self.twists(|check| check.near_misses(case))
    }

    /// The same sorts of near misses at every place where one can be made.
    pub fn all_near_misses(&self, case: Case<'_>) -> Vec<Twist> {
        self.twists(|check| check.all_near_misses(case))
    }

    /// The given end state in other clothes, right or wrong as it is.
    pub fn disguises(&self, case: Case<'_>) -> Vec<Twist> {
        self.twists(|check| check.disguises(case))
    }

    /// End states that look different and must be full marks, from every check that counts. The case is a right one.
    pub fn variations(&self, case: Case<'_>) -> Vec<Twist> {
        self.twists(|check| check.variations(case))
    }

    /// The same for the checks of milestones, by milestone: end states in which it must not hold. The case is one in which
    /// all of them do.
    pub fn milestone_near_misses(&self, case: Case<'_>) -> Vec<MilestoneTwist> {
        self.milestone_twists(|check| check.near_misses(case))
    }

    /// End states in which a milestone must hold as before.
    pub fn milestone_variations(&self, case: Case<'_>) -> Vec<MilestoneTwist> {
        self.milestone_twists(|check| check.variations(case))
    }

    /// Whether a milestone holds in an end state.
    pub fn milestone_holds(&self, name: &str, case: Case<'_>) -> Result<bool, BrokenJudge> {
        let Some(milestone) = self.milestones.iter().find(|milestone| milestone.name == name) else {
            return Ok(false);
        };
        Ok(milestone.findings(case)?.iter().all(|finding| finding.score.is_full()))
    }

    fn milestone_twists(&self, altered: impl Fn(&dyn Check) -> Vec<AlteredState>) -> Vec<MilestoneTwist> {
        let twists = self.milestones.iter().flat_map(|milestone| {
            let checks = milestone.specs.iter().zip(milestone.checks.iter().map(AsRef::as_ref));
            let of_milestone = |twist| MilestoneTwist { milestone: milestone.name.clone(), twist };
            twists_of(checks, &altered).into_iter().map(of_milestone)
        });
        twists.collect()
    }

    /// The names of the checks that count, in order.
    pub fn counted(&self) -> impl Iterator<Item = &str> {
        self.specs.iter().filter(|spec| counts(spec)).map(|spec| spec.name.as_str())
    }

    /// The clauses of every check that counts: the check's kind, its name and the clause.
    pub fn clauses(&self, case: Case<'_>) -> Vec<CheckClause> {
        let clauses = self.counted_checks().flat_map(|(spec, check)| {
            let named = |clause| CheckClause { kind: spec.kind.clone(), check: spec.name.clone(), clause };
            check.clauses(case).into_iter().map(named)
        });
        clauses.collect()
    }

    /// The score of an end state as if one clause of one check had been forgotten.
    pub fn score_without(&self, case: Case<'_>, forgotten: &CheckClause) -> Result<Score, BrokenJudge> {
        let (score, _findings) = self.closing(Stretch::WHOLE)?.judge_by(|spec, check| {
            if spec.name == forgotten.check {
                check.judge_without(case, &forgotten.clause.name)
            } else {
                check.judge(case)
            }
        })?;
        Ok(score)
    }

    fn counted_checks(&self) -> impl Iterator<Item = (&CheckSpec, &dyn Check)> {
        let checks = self.specs.iter().zip(self.checks.iter().map(AsRef::as_ref));
        checks.filter(|(spec, _)| counts(spec))
    }

    fn twists(&self, altered: impl Fn(&dyn Check) -> Vec<AlteredState>) -> Vec<Twist> {
        twists_of(self.counted_checks(), &altered)
    }

    /// What judges the end of a stretch: the task's own checks, or those of the milestone that it ends with.
    fn closing(&self, stretch: Stretch) -> Result<ClosingChecks<'_>, BrokenJudge> {
        let Some(until) = stretch.until else {
            return Ok(ClosingChecks { how: self.how, specs: &self.specs, checks: &self.checks });
        };
        let milestone = self.milestones.get(until.get() as usize - 1).ok_or_else(|| BrokenJudge {
            check: format!("milestone {until}"),
            why: format!("the task has {} milestones", self.milestones.len()),
        })?;
        Ok(ClosingChecks { how: ComposeHow::All, specs: &milestone.specs, checks: &milestone.checks })
    }
}

/// The end states that some checks think of, each with its check's name in the task.
fn twists_of<'a>(
    checks: impl Iterator<Item = (&'a CheckSpec, &'a dyn Check)>,
    altered: &impl Fn(&dyn Check) -> Vec<AlteredState>,
) -> Vec<Twist> {
    let twists = checks.flat_map(|(spec, check)| {
        let named = |AlteredState { how, evidence }| Twist { check: spec.name.clone(), how, evidence };
        altered(check).into_iter().map(named)
    });
    twists.collect()
}

/// The checks that decide a trial, and how they do.
struct ClosingChecks<'a> {
    how: ComposeHow,
    specs: &'a [CheckSpec],
    checks: &'a [Box<dyn Check>],
}

impl ClosingChecks<'_> {
    fn judge(&self, case: Case<'_>) -> Result<(Score, Vec<Finding>), BrokenJudge> {
        self.judge_by(|_, check| check.judge(case))
    }

    /// What they come to together if each finds what it is asked for.
    fn judge_by(
        &self,
        find: impl Fn(&CheckSpec, &dyn Check) -> Result<Finding, BrokenJudge>,
    ) -> Result<(Score, Vec<Finding>), BrokenJudge> {
        let mut findings = Vec::with_capacity(self.checks.len());
        for (spec, check) in self.specs.iter().zip(self.checks) {
            // The verdict tells findings apart by the name in the task, whatever a check calls itself.
            findings.push(Finding { check: spec.name.clone(), ..find(spec, check.as_ref())? });
        }
        Ok((compose(self.how, self.specs, &findings), findings))
    }
}

impl Judge for Panel {
    fn judge(&self, ended: EndedTrial<'_>, reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let (score, findings) = self.closing(ended.stretch)?.judge(Case { evidence: ended.evidence, reference })?;
        let n_covered = ended.stretch.n_covered(self.milestones.len()).min(self.milestones.len());
        let covered = &self.milestones[..n_covered];
        let came_of = |(idx, milestone): (usize, &Milestone)| {
            if idx < ended.stretch.n_given() { Ok(milestone.given()) } else { milestone.reached(ended, reference) }
        };
        let mut milestones: Vec<MilestoneReached> =
            covered.iter().enumerate().map(came_of).collect::<Result<_, _>>()?;
        mark_break(covered, &mut milestones);
        let is_chain = self.how == ComposeHow::Chain && ended.stretch.until.is_none();
        let score = if is_chain { chain(&links(covered, &milestones), &self.specs, &findings) } else { score };
        Ok(Judgement { score, findings, milestones })
    }
}

fn make_all(specs: &[CheckSpec], palette: &Palette, place: &str, problems: &mut Vec<String>) -> Vec<Box<dyn Check>> {
    let mut checks = Vec::new();
    for spec in specs {
        match palette.make(spec) {
            Ok(check) => checks.push(check),
            Err(problem) => problems.push(format!("{place}{problem}")),
        }
    }
    checks
}

/// What is wrong with a composition by files: every file of the reference needs a check, every check that counts a file.
fn unpaired(task: &Task) -> Vec<String> {
    let files: BTreeSet<&str> =
        task.reference.keys().map(String::as_str).filter(|file| *file != "canary.txt").collect();
    let counted = || task.spec.checks.iter().filter(|spec| counts(spec));
    let checked: BTreeSet<&str> = counted().filter_map(file_of).collect();
    let without_check = files.difference(&checked).map(|file| format!("no check belongs to reference/{file}"));
    let without_file = counted()
        .filter(|spec| !file_of(spec).is_some_and(|file| files.contains(file)))
        .map(|spec| format!("check `{}` belongs to no file of the reference: name one in `options.file`", spec.name));
    without_check.chain(without_file).collect()
}

impl fmt::Debug for Panel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Panel").field("how", &self.how).field("specs", &self.specs).finish_non_exhaustive()
    }
}
