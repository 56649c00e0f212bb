//! The end of a trial: collect the evidence, derive, judge.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use super::{Judges, Trial, TrialEnd, TrialResult};
use crate::check::Finding;
use crate::ending::{Boundary, Ending};
use crate::event::{KeepError, Record, RecordError, TrialEvent};
use crate::evidence::Evidence;
use crate::files::{FileSet, FileSource};
use crate::instance::ContentSource;
use crate::judge::{EndedTrial, Judge, Snapshot, VerifierCase};
use crate::limits::Spent;
use crate::reference::Reference;
use crate::score::Score;
use crate::verdict::{Digests, Verdict};
use crate::world::{Collected, World, WorldError};

/// What was handed over: the evidence, and where the files can be read that it names.
pub(super) struct HandedOver {
    evidence: Evidence,
    files: FileSet,
}

/// What the end of a trial needs.
pub(super) struct EndStage<'a> {
    /// Fetches the reference.
    pub(super) reference: &'a dyn Fn() -> Result<Reference, String>,
    /// Who says what it came to.
    pub(super) judges: Judges<'a>,
    /// Takes everything down.
    pub(super) record: &'a mut dyn Record,
    /// The longest that one call may take.
    pub(super) call_limit: Duration,
}

/// What a verdict says of its trial, whatever it came to.
#[derive(Clone, Debug, PartialEq)]
pub struct TrialMarks {
    /// What was played.
    pub digests: Digests,
    /// The outside source that the instance draws from.
    pub source: Option<ContentSource>,
    /// Whether it took place outside of the surface that we control.
    pub outside: bool,
}

/// Collects the evidence. A world that cannot hand it over has broken, unless something else broke before.
pub(super) fn hand_over(
    world: &mut dyn World,
    stage: &mut EndStage<'_>,
    answer: Option<serde_json::Value>,
    over: TrialEnd,
) -> Result<(HandedOver, TrialEnd), RecordError> {
    let (collected, over) = match world.collect(stage.call_limit) {
        Ok(collected) => (collected, over),
        Err(error) if over.ending.is_fault() => {
            (Collected::default(), TrialEnd { fault: over.fault.or(Some(error.to_string())), ..over })
        }
        Err(error) => (Collected::default(), TrialEnd::from(error)),
    };
    let Collected { mut evidence, screen, files } = collected;
    if let Some(screen) = screen {
        let digest = screen.digest();
        stage.record.frame(digest, &screen)?;
        evidence.screen = Some(digest);
    }
    let (files, unread) = keep_files(stage.record, &files)?;
    evidence.files.extend(files.iter().map(|(name, file)| (name.clone(), file.digest())));
    let over = match unread {
        Some(error) if !over.ending.is_fault() => TrialEnd::from(error),
        _ => over,
    };
    evidence.answer = answer;
    stage.record.event(TrialEvent::Collected { evidence: evidence.clone() })?;
    Ok((HandedOver { evidence, files }, over))
}

/// Takes files into the record. One that cannot be read is the world's fault, and the others are kept all the same.
fn keep_files(
    record: &mut dyn Record,
    sources: &BTreeMap<String, Arc<dyn FileSource>>,
) -> Result<(FileSet, Option<WorldError>), RecordError> {
    let (mut kept, mut unread) = (FileSet::new(), None);
    for (name, source) in sources {
        match record.file(source) {
            Ok(handle) => drop(kept.insert(name.clone(), handle)),
            Err(KeepError::File(error)) => unread = Some(WorldError::world(format!("the file `{name}`: {error}"))),
            Err(KeepError::Record(error)) => return Err(error),
        }
    }
    Ok((kept, unread))
}

/// Derives and judges. The reference is fetched here and nowhere earlier.
pub(super) fn conclude(
    trial: &Trial<'_>,
    stage: &mut EndStage<'_>,
    handed: HandedOver,
    snapshots: &[Snapshot],
    over: TrialEnd,
) -> Result<Verdict, RecordError> {
    let HandedOver { mut evidence, files } = handed;
    let judged = (stage.reference)().and_then(|reference| {
        let case = VerifierCase { files: &files, within: stage.call_limit, ..VerifierCase::of(&evidence, &reference) };
        let derived = stage.judges.derive.derive(case)?;
        Ok((reference, derived))
    });
    let verdict = match judged {
        Ok((reference, derived)) => {
            if !derived.is_empty() {
                stage.record.event(TrialEvent::Derived { derived: derived.clone() })?;
                evidence.derived.extend(derived);
            }
            let ended = EndedTrial { evidence: &evidence, snapshots, stretch: trial.id.instance.pick.stretch() };
            pronounce(trial, stage.judges.judge, ended, &reference, over)
        }
        Err(why) => broken_judge(trial.marks(), why, over),
    };
    stage.record.event(TrialEvent::Judged { verdict: verdict.clone() })?;
    Ok(verdict)
}

/// The verdict on an ended trial: pure, so that it can be pronounced again years later from the record.
pub fn pronounce(
    trial: &Trial<'_>,
    judge: &dyn Judge,
    ended: EndedTrial<'_>,
    reference: &Reference,
    over: TrialEnd,
) -> Verdict {
    let judgement = match judge.judge(ended, reference) {
        Ok(judgement) => judgement,
        Err(broken) => return broken_judge(trial.marks(), broken.to_string(), over),
    };
    let TrialEnd { ending, fault } = over;
    let TrialMarks { digests, source, outside } = trial.marks();
    let infeasible = trial.task.spec.result.infeasible;
    let score = match (&ending, infeasible) {
        (Ending::GaveUp, true) => Score::ONE,
        (_, true) | (Ending::GaveUp | Ending::Broke(_) | Ending::Cheated(_), _) => Score::ZERO,
        _ => judgement.score,
    };
    let rightly_ended =
        if infeasible { ending == Ending::GaveUp } else { matches!(ending, Ending::Done | Ending::Answered) };
    let mut findings = judgement.findings;
    if infeasible && !rightly_ended {
        findings.push(Finding::of("give_up", false, "it cannot be done, and only giving up is right"));
    }
    Verdict {
        solved: score.is_full() && rightly_ended,
        ending,
        score,
        state_score: (!infeasible && judgement.score != score).then_some(judgement.score),
        findings,
        milestones: judgement.milestones,
        digests,
        source,
        fault,
        outside,
    }
}

/// No judgement: the judge's fault, unless something broke before it.
fn broken_judge(marks: TrialMarks, why: String, over: TrialEnd) -> Verdict {
    if over.ending.is_fault() {
        return unjudged(marks, over.ending, over.fault.unwrap_or(why));
    }
    unjudged(marks, Ending::Fault(Boundary::Judge), why)
}

fn unjudged(marks: TrialMarks, ending: Ending, why: String) -> Verdict {
    let TrialMarks { digests, source, outside } = marks;
    Verdict {
        ending,
        score: Score::ZERO,
        state_score: None,
        solved: false,
        findings: Vec::new(),
        milestones: Vec::new(),
        digests,
        source,
        fault: Some(why),
        outside,
    }
}

/// Ends the record of a trial that could not be played: it has no judgement, and what broke is told.
pub fn break_off(marks: TrialMarks, record: &mut dyn Record, error: &WorldError) -> Result<TrialResult, RecordError> {
    let TrialEnd { ending, fault } = TrialEnd::from(error.clone());
    let why = fault.unwrap_or_else(|| error.to_string());
    let spent = Spent::default();
    record.event(TrialEvent::Stopped { ending: ending.clone(), feedback: None, fault: Some(why.clone()), spent })?;
    let verdict = unjudged(marks, ending, why);
    record.event(TrialEvent::Judged { verdict: verdict.clone() })?;
    Ok(TrialResult { verdict, spent })
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read};

    use super::*;
    use crate::digest::Digest;
    use crate::files::held;
    use crate::observation::Screen;

    #[derive(Debug)]
    struct Gone;

    impl FileSource for Gone {
        fn open(&self) -> io::Result<Box<dyn Read + Send>> {
            Err(io::Error::other("it is gone"))
        }
    }

    /// A record that keeps nothing; where it is full, not even that.
    struct Notebook {
        is_full: bool,
    }

    impl Record for Notebook {
        fn frame(&mut self, _digest: Digest, _screen: &Screen) -> Result<(), RecordError> {
            Ok(())
        }

        fn file(&mut self, source: &Arc<dyn FileSource>) -> Result<crate::files::FileHandle, KeepError> {
            if self.is_full {
                return Err(RecordError("no space left".to_owned()).into());
            }
            Ok(crate::files::FileHandle::of(Arc::clone(source))?)
        }

        fn event(&mut self, _event: TrialEvent) -> Result<(), RecordError> {
            Ok(())
        }
    }

    #[test]
    fn a_file_that_cannot_be_read_is_the_worlds_fault_and_the_others_are_kept() {
        let left = BTreeMap::from([
            ("a.txt".to_owned(), held(*b"one")),
            ("b.txt".to_owned(), Arc::new(Gone) as Arc<dyn FileSource>),
            ("c.txt".to_owned(), held(*b"three")),
        ]);
        let (kept, unread) = keep_files(&mut Notebook { is_full: false }, &left).unwrap();
        assert_eq!(kept.keys().collect::<Vec<_>>(), ["a.txt", "c.txt"]);
        insta::assert_snapshot!(unread.unwrap(), @"world fault: the file `b.txt`: it cannot be read: it is gone");
        insta::assert_snapshot!(keep_files(&mut Notebook { is_full: true }, &left).unwrap_err(), @"the record could not be written: no space left");
    }
}
