//! Files that were never left: nearly right ones, which must fail, and others that are right, which must pass. They go through
//! the verifiers as any others do.

use std::collections::BTreeMap;

use quintain_core::{Evidence, FileHandle, FileSet, Instance, Reference};

use super::CertificateSubject;
use super::certificate::Reason;
use super::rehearsal::LeftFiles;
use super::twists::{TwistResults, first_of, score};

/// Judges what the world makes of the files that a right solution left.
pub(super) fn twist_files(
    subject: CertificateSubject<'_>,
    instance: &Instance,
    right: &Evidence,
    (left, reference): (&LeftFiles, &Reference),
) -> TwistResults {
    let handle = |(path, digest): (&String, _)| Some((path.clone(), left.get(digest)?.clone()));
    let altered = subject.world.altered_files(instance, &right.files.iter().filter_map(handle).collect());
    let judging = FileJudging { subject, right, reference };
    let mut results = TwistResults {
        n_near_misses: altered.wrong.len() as u32,
        n_variations: altered.right.len() as u32,
        refusals: judging.wrongly(&altered.wrong, Reason::NearMissPasses),
    };
    results.refusals.extend(judging.wrongly(&altered.right, Reason::VariationFails));
    results
}

struct FileJudging<'a> {
    subject: CertificateSubject<'a>,
    right: &'a Evidence,
    reference: &'a Reference,
}

impl FileJudging<'_> {
    /// One refusal for each sort of thing that comes out wrong, with the first of it.
    fn wrongly(&self, all: &[(String, FileSet)], reason: Reason) -> Vec<(Reason, String)> {
        let (mut wrong, mut broken) = (Vec::new(), Vec::new());
        for (how, files) in all {
            let (evidence, left) = with_files(Evidence { derived: BTreeMap::new(), ..self.right.clone() }, files);
            match score(self.subject, &evidence, &left, self.reference) {
                Ok(score) if score.is_full() == (reason == Reason::NearMissPasses) => wrong.push(how.clone()),
                Ok(_) => {}
                Err(why) => broken.push(format!("{how} ({why})")),
            }
        }
        let what = match reason {
            Reason::NearMissPasses => "nearly right files pass",
            _ => "files that are right in another way fail",
        };
        let wrong = first_of(&wrong, all.len(), (reason, what));
        wrong
            .into_iter()
            .chain(first_of(&broken, all.len(), (Reason::Breaks, "altered files break the judge")))
            .collect()
    }
}

/// An end state in which these files were left, and the files by what they hold.
pub(super) fn with_files(evidence: Evidence, files: &FileSet) -> (Evidence, LeftFiles) {
    let digests = files.iter().map(|(path, file)| (path.clone(), FileHandle::digest(file))).collect();
    let left = files.values().map(|file| (file.digest(), file.clone())).collect();
    (Evidence { files: digests, ..evidence }, left)
}
