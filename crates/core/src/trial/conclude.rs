//! The end of a trial: collect the evidence, derive, judge.

use super::act::Stop;
use super::{Played, Stage, Trial};
use crate::ending::{Boundary, Ending};
use crate::event::{RecordError, TrialEvent};
use crate::evidence::Evidence;
use crate::judge::{Ended, Judge, Snapshot};
use crate::limits::Spent;
use crate::reference::Reference;
use crate::score::Score;
use crate::verdict::Verdict;
use crate::world::{Collected, World, WorldError};

/// Collects the evidence. A world that cannot hand it over has broken, unless something else broke before.
pub(super) fn hand_over(
    world: &mut dyn World,
    stage: &mut Stage<'_>,
    answer: Option<serde_json::Value>,
    ending: Ending,
    fault: Option<String>,
) -> Result<(Evidence, Ending, Option<String>), RecordError> {
    let (collected, ending, fault) = match world.collect(stage.call_limit) {
        Ok(collected) => (collected, ending, fault),
        Err(error) if ending.is_fault() => (Collected::default(), ending, fault.or(Some(error.to_string()))),
        Err(error) => {
            let (ending, fault) = Stop::from(error).ending();
            (Collected::default(), ending, fault)
        }
    };
    let Collected { mut evidence, screen, blobs } = collected;
    if let Some(screen) = screen {
        let digest = screen.digest();
        stage.record.frame(digest, &screen)?;
        evidence.screen = Some(digest);
    }
    for blob in &blobs {
        stage.record.blob(blob)?;
    }
    evidence.answer = answer;
    stage.record.event(TrialEvent::Collected { evidence: evidence.clone() })?;
    Ok((evidence, ending, fault))
}

/// Derives and judges. The reference is fetched here and nowhere earlier.
pub(super) fn conclude(
    trial: &Trial<'_>,
    stage: &mut Stage<'_>,
    mut evidence: Evidence,
    snapshots: &[Snapshot],
    ending: Ending,
    fault: Option<String>,
) -> Result<Verdict, RecordError> {
    let judged = (stage.reference)().and_then(|reference| {
        let derived = stage.derive.derive(&evidence, &reference)?;
        Ok((reference, derived))
    });
    let verdict = match judged {
        Ok((reference, derived)) => {
            if !derived.is_empty() {
                stage.record.event(TrialEvent::Derived { derived: derived.clone() })?;
                evidence.derived.extend(derived);
            }
            let ended = Ended { evidence: &evidence, snapshots };
            pronounce(trial, stage.judge, ended, &reference, ending, fault)
        }
        Err(why) => broken_judge(trial, why, ending, fault),
    };
    stage.record.event(TrialEvent::Judged { verdict: verdict.clone() })?;
    Ok(verdict)
}

/// The verdict on an ended trial: pure, so that it can be pronounced again years later from the record.
pub fn pronounce(
    trial: &Trial<'_>,
    judge: &dyn Judge,
    ended: Ended<'_>,
    reference: &Reference,
    ending: Ending,
    fault: Option<String>,
) -> Verdict {
    let judgement = match judge.judge(ended, reference) {
        Ok(judgement) => judgement,
        Err(broken) => return broken_judge(trial, broken.to_string(), ending, fault),
    };
    let infeasible = trial.task.spec.result.infeasible;
    let score = match (&ending, infeasible) {
        (Ending::GaveUp, true) => Score::ONE,
        (_, true) | (Ending::Cheated(_), _) => Score::ZERO,
        _ => judgement.score,
    };
    let rightly_ended =
        if infeasible { ending == Ending::GaveUp } else { matches!(ending, Ending::Done | Ending::Answered) };
    Verdict {
        solved: score.is_full() && rightly_ended,
        ending,
        score,
        findings: judgement.findings,
        milestones: judgement.milestones,
        digests: trial.digests(),
        source: trial.instance.source.clone(),
        fault,
        outside: trial.settings.outside,
    }
}

/// No judgement: the judge's fault, unless something broke before it.
fn broken_judge(trial: &Trial<'_>, why: String, ending: Ending, fault: Option<String>) -> Verdict {
    if ending.is_fault() {
        return unjudged(trial, ending, fault.unwrap_or(why));
    }
    unjudged(trial, Ending::Fault(Boundary::Judge), why)
}

fn unjudged(trial: &Trial<'_>, ending: Ending, why: String) -> Verdict {
    Verdict {
        ending,
        score: Score::ZERO,
        solved: false,
        findings: Vec::new(),
        milestones: Vec::new(),
        digests: trial.digests(),
        source: trial.instance.source.clone(),
        fault: Some(why),
        outside: trial.settings.outside,
    }
}

pub(super) fn conclude_without_world(
    trial: &Trial<'_>,
    stage: &mut Stage<'_>,
    error: &WorldError,
) -> Result<Played, RecordError> {
    let (ending, fault) = Stop::from(error.clone()).ending();
    let why = fault.unwrap_or_else(|| error.to_string());
    let spent = Spent::default();
    stage.record.event(TrialEvent::Stopped {
        ending: ending.clone(),
        feedback: None,
        fault: Some(why.clone()),
        spent,
    })?;
    let verdict = unjudged(trial, ending, why);
    stage.record.event(TrialEvent::Judged { verdict: verdict.clone() })?;
    Ok(Played::Ended { verdict, spent })
}
