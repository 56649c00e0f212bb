//! The end of a trial: collect the evidence, derive, judge.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::act::Stop;
use super::{Played, Stage, Trial};
use crate::ending::{Boundary, Ending};
use crate::event::{KeepError, Record, RecordError, TrialEvent};
use crate::evidence::Evidence;
use crate::files::{FileSet, FileSource};
use crate::judge::{Ended, Judge, Snapshot, VerifierCase};
use crate::limits::Spent;
use crate::reference::Reference;
use crate::score::Score;
use crate::verdict::Verdict;
use crate::world::{Collected, World, WorldError};

/// What was handed over: the evidence, and where the files can be read that it names.
pub(super) struct HandedOver {
    evidence: Evidence,
    files: FileSet,
}

/// Collects the evidence. A world that cannot hand it over has broken, unless something else broke before.
pub(super) fn hand_over(
    world: &mut dyn World,
    stage: &mut Stage<'_>,
    answer: Option<serde_json::Value>,
    ending: Ending,
    fault: Option<String>,
) -> Result<(HandedOver, Ending, Option<String>), RecordError> {
    let (collected, ending, fault) = match world.collect(stage.call_limit) {
        Ok(collected) => (collected, ending, fault),
        Err(error) if ending.is_fault() => (Collected::default(), ending, fault.or(Some(error.to_string()))),
        Err(error) => {
            let (ending, fault) = Stop::from(error).ending();
            (Collected::default(), ending, fault)
        }
    };
    let Collected { mut evidence, screen, files } = collected;
    if let Some(screen) = screen {
        let digest = screen.digest();
        stage.record.frame(digest, &screen)?;
        evidence.screen = Some(digest);
    }
    let (files, unread) = keep_files(stage.record, &files)?;
    evidence.files.extend(files.iter().map(|(name, file)| (name.clone(), file.digest())));
    let (ending, fault) = match unread {
        Some(error) if !ending.is_fault() => Stop::from(error).ending(),
        _ => (ending, fault),
    };
    evidence.answer = answer;
    stage.record.event(TrialEvent::Collected { evidence: evidence.clone() })?;
    Ok((HandedOver { evidence, files }, ending, fault))
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
    stage: &mut Stage<'_>,
    handed: HandedOver,
    snapshots: &[Snapshot],
    ending: Ending,
    fault: Option<String>,
) -> Result<Verdict, RecordError> {
    let HandedOver { mut evidence, files } = handed;
    let judged = (stage.reference)().and_then(|reference| {
        let case = VerifierCase { files: &files, within: stage.call_limit, ..VerifierCase::of(&evidence, &reference) };
        let derived = stage.derive.derive(case)?;
        Ok((reference, derived))
    });
    let verdict = match judged {
        Ok((reference, derived)) => {
            if !derived.is_empty() {
                stage.record.event(TrialEvent::Derived { derived: derived.clone() })?;
                evidence.derived.extend(derived);
            }
            let ended = Ended { evidence: &evidence, snapshots, stretch: trial.id.instance.pick.stretch() };
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
