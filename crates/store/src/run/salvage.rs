//! Reading a run of which something is broken: whatever can be read is, and what cannot is noted with its cure.

use std::io;

use quintain_core::{Digest, Evidence, FileSet, Picture};

use super::attempt::{AttemptRecord, LenientRecord};
use super::dir::{ENGINE, RunDir};
use super::frame_keeper::KeptPictures;
use super::place::LineRange;
use super::scan::{AttemptSummary, Scan};
use super::{chain, plan};
use crate::damage::{Damage, segment_file};
use crate::error::{BadLine, StoreError};

/// What becomes of a trial that has lost a line.
const DONE_WITHOUT: &str = "the rest of its trial is read without it";

impl RunDir {
    /// Reads whatever can be read of one attempt; what cannot is noted.
    fn salvage(&self, place: &LineRange) -> Result<AttemptRecord, StoreError> {
        let bytes = self.lines(place)?;
        let LenientRecord { record, mut bad_lines } = AttemptRecord::salvage(place, &bytes, self.header().sums)
            .map_err(|error| self.by_lines_of_the_file(place, error))?;
        if record.torn {
            // Places are told once their lines are written: one of them has lost its end since.
            let line = bytes.split(|byte| *byte == b'\n').count() as u64;
            bad_lines.push(BadLine { file: segment_file(&place.segment), line, why: "its end is missing".to_owned() });
        }
        self.damage().note_lines(self.counted_from_the_top(place, bad_lines), DONE_WITHOUT);
        Ok(record)
    }

    /// What can be read of a whole trajectory, whatever is damaged; nothing where nothing can. What is missing is noted.
    pub fn salvaged(&self, place: &LineRange) -> Result<Option<AttemptRecord>, StoreError> {
        let error = match chain::joined(place, &mut |place| self.salvage(place)) {
            Ok(whole) => return Ok(Some(whole)),
            Err(error) => error,
        };
        self.damage().note_error(error, "its trial is told without it")?;
        // The last part alone still has the end.
        match self.salvage(place) {
            Ok(part) => Ok(Some(part)),
            Err(error) => self.damage().note_error(error, "its trial keeps its verdict alone").map(|()| None),
        }
    }

    pub(super) fn by_lines_of_the_file(&self, place: &LineRange, error: StoreError) -> StoreError {
        match error {
            StoreError::BadLines(bad) => StoreError::BadLines(self.counted_from_the_top(place, bad)),
            other => other,
        }
    }

    /// Lines that were counted from the beginning of a place, counted from the beginning of its file.
    fn counted_from_the_top(&self, place: &LineRange, mut bad: Vec<BadLine>) -> Vec<BadLine> {
        if bad.is_empty() || place.start == 0 {
            return bad;
        }
        let before = LineRange { start: 0, end: place.start, ..place.clone() };
        let n_before = self.lines(&before).map_or(0, |bytes| bytes.split(|byte| *byte == b'\n').count() - 1);
        for bad in &mut bad {
            bad.line += n_before as u64;
        }
        bad
    }

    /// Finds all attempts in all segments; what cannot be read is noted.
    pub fn salvaged_attempts(&self) -> Result<Vec<AttemptSummary>, StoreError> {
        let Scan { attempts, bad_lines } = self.scan()?;
        self.damage().note_lines(bad_lines, DONE_WITHOUT);
        Ok(attempts)
    }

    /// The pixels of a picture that events name. Where it is damaged, or is missing though all are kept, that is noted, and
    /// there are none.
    pub fn picture(&self, digest: Digest) -> Result<Option<Picture>, StoreError> {
        self.noted(digest, self.frames().get(digest))
    }

    /// The same as the PNG file that was shown.
    pub fn picture_png(&self, digest: Digest) -> Result<Option<Vec<u8>>, StoreError> {
        self.noted(digest, self.frames().get_png(digest))
    }

    /// Notes a picture that is gone though all are kept, or is not the one that its name says.
    pub(super) fn note_broken_picture(&self, digest: Digest) -> Result<(), StoreError> {
        let is_there = self.frame_file(digest).exists();
        let got = if is_there { self.frames().verify(digest).map(Some) } else { Ok(None) };
        self.noted(digest, got).map(drop)
    }

    fn noted<T>(&self, digest: Digest, got: Result<Option<T>, StoreError>) -> Result<Option<T>, StoreError> {
        if self.header().pictures != KeptPictures::All && matches!(got, Ok(None)) {
            return got;
        }
        let why = match got {
            Ok(Some(picture)) => return Ok(Some(picture)),
            Ok(None) => "it is not there".to_owned(),
            Err(StoreError::Picture { why, .. }) => why,
            Err(other) => return Err(other),
        };
        let file = self.name_within(&self.frame_file(digest));
        self.damage().note(Damage::of_file(file, why, "its trial is told without it"));
        Ok(None)
    }

    /// The same where all of them are here and hold what they did; where not, that is noted and there are none.
    pub fn whole_files_of(&self, evidence: &Evidence) -> Result<Option<FileSet>, StoreError> {
        let files = self.files_of(evidence)?;
        let mut n_broken = 0;
        for digest in evidence.files.values() {
            n_broken += u32::from(self.note_broken_file(*digest, "its trial keeps the verdict it has")?);
        }
        Ok((n_broken == 0).then_some(files))
    }

    /// Notes that the engine's file is damaged. It is no part of the record, which knows what it knew.
    pub fn note_engine(&self, why: impl Into<String>, cure: impl Into<String>) {
        self.damage().note(Damage::of_file(ENGINE, why, cure));
    }

    /// Whether the engine's file was found damaged.
    pub fn has_damaged_engine(&self) -> bool {
        self.damage().list().iter().any(|damage| damage.file == ENGINE)
    }

    /// Notes that the plan lacks trials.
    pub fn note_plan_gap(&self, why: impl Into<String>) {
        let cure = "`quintain doctor RUN --mend` adds those that are on record";
        self.damage().note(Damage::of_file(plan::FILE, why, cure));
    }

    /// Notes that trials are on no record, and that nothing is left that tells whether they ever were.
    pub fn note_lost_trials(&self, why: impl Into<String>) {
        self.damage().note(Damage::of_file("segments", why, "`quintain resume` plays them where the plan names them"));
    }

    /// Notes a file that evidence names and that is gone or holds something else, and says whether it does.
    pub(super) fn note_broken_file(&self, digest: Digest, cure: &str) -> Result<bool, StoreError> {
        let why = match self.blobs().handle(digest)? {
            None => "it is not there",
            Some(file) if file.copy_to(&mut io::sink()).is_err() => "it does not hold what it did",
            Some(_) => return Ok(false),
        };
        self.damage().note(Damage::of_file(self.name_within(&self.blob_file(digest)), why, cure));
        Ok(true)
    }
}
