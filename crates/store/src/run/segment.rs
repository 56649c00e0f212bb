//! Writing: one segment file for each worker, one line for each event, one write for each line.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_core::event::{KeepError, Record, RecordError};
use quintain_core::{Digest, FileHandle, FileSource, Screen, TrialEvent, TrialId};

use super::dir::RunFiles;
use super::frame_keeper::{FrameKeeper, KeptPictures};
use super::line;
use super::place::LineRange;
use crate::blobs::PutError;
use crate::error::StoreError;

/// A segment that has grown beyond this is closed and another one begun.
const FULL_AT: u64 = 64 << 20;

/// Writes the attempts of one worker into segments of its own. What it has written survives the death of the process.
#[derive(Debug)]
pub struct SegmentWriter {
    shelves: Arc<RunFiles>,
    segment: OpenSegment,
    buffer: Vec<u8>,
    between: FileBetween,
    frames: FrameKeeper,
}

/// What becomes of a segment's file between two lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FileBetween {
    /// It stays open.
    Open,
    /// It is closed: the next line may be a long time coming, and thousands may be waiting for theirs.
    Closed,
}

/// The segment that is being written.
#[derive(Debug)]
struct OpenSegment {
    name: String,
    path: PathBuf,
    /// Nothing while it is closed.
    file: Option<File>,
    between: FileBetween,
    /// The end of the last whole line.
    offset: u64,
    /// Half a line stands at the end and could not be taken back: nothing may follow it.
    torn: bool,
}

/// Writes one attempt.
#[derive(Debug)]
pub struct AttemptWriter<'a> {
    writer: &'a mut SegmentWriter,
    prefix: Vec<u8>,
    continues: Option<LineRange>,
    start: u64,
}

impl SegmentWriter {
    pub(super) fn new(shelves: Arc<RunFiles>, between: FileBetween, kept: KeptPictures) -> Result<Self, StoreError> {
        let segment = OpenSegment::claim(&shelves, between)?;
        Ok(Self { shelves, segment, buffer: Vec::new(), between, frames: FrameKeeper::new(kept) })
    }

    /// The file that is being written, and where the next line will stand in it.
    pub fn position(&self) -> (&Path, u64) {
        (&self.segment.path, self.segment.offset)
    }

    /// Begins an attempt. Nothing is written before its first event.
    pub fn begin(&mut self, trial: &TrialId, attempt: u32) -> Result<AttemptWriter<'_>, StoreError> {
        self.start(trial, attempt, None)
    }

    /// Begins an attempt that goes on where an earlier one was cut off. Its first line names the place of that one.
    pub fn begin_continuing(
        &mut self,
        trial: &TrialId,
        attempt: u32,
        earlier: &LineRange,
    ) -> Result<AttemptWriter<'_>, StoreError> {
        self.start(trial, attempt, Some(earlier.clone()))
    }

    fn start(
        &mut self,
        trial: &TrialId,
        attempt: u32,
        continues: Option<LineRange>,
    ) -> Result<AttemptWriter<'_>, StoreError> {
        if self.segment.torn || self.segment.offset >= FULL_AT {
            self.segment = OpenSegment::claim(&self.shelves, self.between)?;
        }
        let start = self.segment.offset;
        self.frames.begin();
        Ok(AttemptWriter { prefix: line::prefix(trial, attempt), continues, start, writer: self })
    }
}

impl OpenSegment {
    fn claim(shelves: &RunFiles, between: FileBetween) -> Result<Self, StoreError> {
        let (name, path, file) = shelves.claim_segment()?;
        let file = (between == FileBetween::Open).then_some(file);
        Ok(Self { name, path, file, between, offset: 0, torn: false })
    }

    /// Appends a line with one write, or takes half a line back.
    fn append(&mut self, line: &[u8]) -> Result<(), StoreError> {
        if self.torn {
            let source = io::Error::other("an earlier line could not be finished");
            return Err(StoreError::Io { doing: "write", path: self.path.clone(), source });
        }
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.open_again().map_err(StoreError::io("open", &self.path))?,
        };
        let written = file.write_all(line);
        if written.is_err() {
            self.torn = take_back(&mut file, self.offset).is_err();
        }
        self.file = (self.between == FileBetween::Open).then_some(file);
        written.map_err(StoreError::io("write", &self.path))?;
        self.offset += line.len() as u64;
        Ok(())
    }

    fn open_again(&self) -> io::Result<File> {
        let mut file = OpenOptions::new().write(true).open(&self.path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        Ok(file)
    }
}

/// Cuts a file back to its last whole line.
fn take_back(file: &mut File, offset: u64) -> io::Result<()> {
    file.set_len(offset)?;
    file.seek(SeekFrom::Start(offset)).map(drop)
}

impl AttemptWriter<'_> {
    /// Where this attempt stands, so far.
    pub fn place(&self) -> LineRange {
        let segment = &self.writer.segment;
        LineRange { segment: segment.name.clone(), start: self.start, end: segment.offset }
    }

    /// Writes one event.
    pub fn write(&mut self, event: &TrialEvent) -> Result<(), StoreError> {
        let SegmentWriter { segment, buffer, frames, shelves, .. } = &mut *self.writer;
        frames.note(shelves, event)?;
        buffer.clear();
        line::write(buffer, &self.prefix, self.continues.as_ref(), event)
            .map_err(StoreError::malformed(&segment.path))?;
        segment.append(buffer)?;
        self.continues = None;
        Ok(())
    }
}

impl Record for AttemptWriter<'_> {
    fn frame(&mut self, digest: Digest, screen: &Screen) -> Result<(), RecordError> {
        let SegmentWriter { frames, shelves, .. } = &mut *self.writer;
        frames.take(shelves, digest, screen).map_err(unwritten)
    }

    fn file(&mut self, source: &Arc<dyn FileSource>) -> Result<FileHandle, KeepError> {
        self.writer.shelves.put_file(source.as_ref()).map_err(|error| match error {
            PutError::File(error) => KeepError::File(error),
            PutError::Store(error) => KeepError::Record(unwritten(error)),
        })
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        self.write(&event).map_err(unwritten)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn unwritten(error: StoreError) -> RecordError {
    RecordError(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{RunDir, RunHeader};

    const RESUMED: TrialEvent = TrialEvent::Resumed { after_turns: 0 };

    fn run(folder: &tempfile::TempDir) -> RunDir {
        RunDir::create(&folder.path().join("run"), &RunHeader::new("test", "now"), &[]).unwrap()
    }

    fn trial() -> TrialId {
        "test/dial~lines~0".parse().unwrap()
    }

    #[test]
    fn a_full_segment_is_followed_by_another() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = run(&folder).segment_writer().unwrap();
        writer.segment.offset = FULL_AT;
        assert_eq!(writer.begin(&trial(), 1).unwrap().place().to_string(), "0001-0001:0-0");
    }

    #[test]
    fn nothing_is_written_behind_half_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        let mut writer = run.segment_writer().unwrap();
        // A file that can only be read stands for a disk that is full and cannot even be cut back.
        writer.segment.file = Some(File::open(&writer.segment.path).unwrap());
        let mut attempt = writer.begin(&trial(), 1).unwrap();
        assert!(attempt.write(&RESUMED).is_err());
        assert!(attempt.write(&RESUMED).unwrap_err().to_string().contains("could not be finished"));
        assert!(attempt.place().is_empty());
        let mut attempt = writer.begin(&trial(), 2).unwrap();
        attempt.write(&RESUMED).unwrap();
        assert_eq!(run.read(&attempt.place()).unwrap().attempt, 2);
        assert_eq!(attempt.place().segment, "0001-0001");
    }

    #[test]
    fn half_a_line_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        let mut writer = run.segment_writer().unwrap();
        let mut attempt = writer.begin(&trial(), 1).unwrap();
        attempt.write(&RESUMED).unwrap();
        let segment = &mut attempt.writer.segment;
        let file = segment.file.as_mut().unwrap();
        file.write_all(b"{\"v\":1,\"tri").unwrap();
        take_back(file, segment.offset).unwrap();
        attempt.write(&RESUMED).unwrap();
        assert_eq!(run.read(&attempt.place()).unwrap().events, [RESUMED, RESUMED]);
    }

    #[test]
    fn a_patient_writer_holds_no_file_between_its_lines() {
        let folder = tempfile::tempdir().unwrap();
        let run = run(&folder);
        let mut writer = run.patient_writer().unwrap();
        let mut attempt = writer.begin(&trial(), 1).unwrap();
        for _ in 0..3 {
            attempt.write(&RESUMED).unwrap();
            assert!(attempt.writer.segment.file.is_none());
        }
        assert_eq!(run.read(&attempt.place()).unwrap().events, [RESUMED, RESUMED, RESUMED]);
    }
}
