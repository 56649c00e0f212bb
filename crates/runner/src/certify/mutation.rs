//! Whether every clause of a task's checks is put to the test: each is forgotten in turn, and some near miss must pass then.

use quintain_checks::{CheckClause, Twist};
use quintain_core::check::Case;
use quintain_core::{Evidence, InstanceId, Pick, Reference, Score};
use serde::Serialize;

use super::CertificateSubject;
use super::rehearsal::{LeftFiles, all_parts};
use super::twists::{derived, distinct, spread};

/// How many near misses of each check are judged besides the usual ones where a program has to verify each; else all.
const MORE_VERIFIED: usize = 20;

/// What came of forgetting each clause of a task's checks, in one instance.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MutationProof {
    /// The instance.
    pub instance: InstanceId,
    /// How many wrong end states were judged.
    pub n_near_misses: usize,
    /// What became of each clause.
    pub clauses: Vec<ForgottenClause>,
}

/// What came of forgetting one clause.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ForgottenClause {
    /// The kind of check.
    pub kind: String,
    /// The check's name in the task.
    pub check: String,
    /// The clause.
    pub clause: String,
    /// The first near miss that passes without it; nothing where all fail as before.
    pub found_by: Option<String>,
    /// Where it only backs up other clauses: why no end state can need it alone.
    pub spare: Option<String>,
}

impl ForgottenClause {
    /// Whether nothing shows that the clause is there, though it should.
    pub fn is_untested(&self) -> bool {
        self.found_by.is_none() && self.spare.is_none()
    }
}

/// A right end state to begin with.
struct RightEnd {
    evidence: Evidence,
    left: LeftFiles,
}

/// Forgets each clause of the task's checks in turn.
pub fn mutate(subject: CertificateSubject<'_>, pick: &Pick) -> Result<MutationProof, String> {
    let instance = subject.world.instantiate(subject.task, pick).map_err(|error| error.to_string())?;
    let reference = instance.reference(subject.task);
    let right = right_end(subject, &instance)?;
    let case = Case { evidence: &right.evidence, reference: &reference };
    let mut near = subject.panel.near_misses(case);
    let more = if subject.task.spec.derive.is_empty() { usize::MAX } else { MORE_VERIFIED };
    near.extend(spread(subject.panel.all_near_misses(case), more));
    let near = distinct(near);
    let near: Vec<Twist> =
        near.into_iter().map(|twist| verified(subject, twist, &right, &reference)).collect::<Result<_, _>>()?;
    let clauses = subject.panel.clauses(case);
    let clauses = clauses.into_iter().map(|clause| forgotten(subject, clause, &near, &reference)).collect();
    Ok(MutationProof { instance: instance.id, n_near_misses: near.len(), clauses })
}

/// The right end state as the world knows it, or as the oracle brings it about.
fn right_end(subject: CertificateSubject<'_>, instance: &quintain_core::Instance) -> Result<RightEnd, String> {
    if let Some(evidence) = subject.world.right_end(subject.task, instance) {
        return Ok(RightEnd { evidence, left: LeftFiles::new() });
    }
    let mut oracle = subject.oracle(instance)?;
    let rehearsal = subject.rehearse(instance, ("oracle", 0), all_parts(), oracle.as_mut())?;
    if !rehearsal.verdict().solved {
        return Err(format!("the oracle does not solve {}", instance.id));
    }
    Ok(RightEnd { evidence: rehearsal.evidence, left: rehearsal.left })
}

/// A near miss with what verifiers make of it.
fn verified(
    subject: CertificateSubject<'_>,
    twist: Twist,
    right: &RightEnd,
    reference: &Reference,
) -> Result<Twist, String> {
    let evidence = derived(subject, &twist.evidence, &right.left, reference)?;
    Ok(Twist { evidence, ..twist })
}

fn forgotten(
    subject: CertificateSubject<'_>,
    clause: CheckClause,
    near: &[Twist],
    reference: &Reference,
) -> ForgottenClause {
    let passes = |twist: &&Twist| {
        let score = subject.panel.score_without(Case { evidence: &twist.evidence, reference }, &clause);
        score.is_ok_and(Score::is_full)
    };
    let found_by = near.iter().find(passes).map(|twist| twist.how.clone());
    let CheckClause { kind, check, clause } = clause;
    ForgottenClause { kind, check, clause: clause.name, found_by, spare: clause.spare }
}
