//! The directory of a run.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use quintain_core::lock::LockAlways as _;
use quintain_core::{Digest, Evidence, FileHandle, FileSet, FileSource, Screen};

use super::attempt::AttemptRecord;
use super::header::{PlannedTrial, RunHeader};
use super::place::LineRange;
use super::scan::{AttemptSummary, Scan};
use super::segment::{FileBetween, SegmentWriter};
use super::{chain, header_file, plan};
use crate::blobs::{BlobStore, PutError};
use crate::damage::{Damage, DamageLog};
use crate::error::StoreError;
use crate::file::{FilePut, draft_in, write_whole};
use crate::frames::{FrameStore, KeyFrame};

/// The file of an engine that needs only one.
pub(super) const ENGINE: &str = "engine.sqlite";

/// A run on disk. Many threads may write to it, each through a [`SegmentWriter`] of its own, while others read.
#[derive(Debug)]
pub struct RunDir {
    header: RunHeader,
    shelves: Arc<RunFiles>,
    damage: Arc<DamageLog>,
}

/// What writers share.
#[derive(Debug)]
pub(super) struct RunFiles {
    path: PathBuf,
    pub(super) frames: FrameStore,
    pub(super) blobs: BlobStore,
    session: Mutex<Option<RecordSession>>,
    fresh: Option<Mutex<FreshFiles>>,
    planning: Mutex<()>,
}

/// The segments that this process has begun: `session-n`.
#[derive(Debug)]
struct RecordSession {
    name: String,
    next: u32,
}

/// What can be read of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadablePlan {
    /// The trials, in the order of the plan.
    pub trials: Vec<PlannedTrial>,
    /// How many lines are damaged.
    pub n_damaged: u64,
}

/// Pictures and files that were new to a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FreshFiles {
    /// The pictures.
    pub frames: Vec<Digest>,
    /// The files that evidence names.
    pub blobs: Vec<Digest>,
}

impl RunDir {
    /// Makes a run. It appears whole or not at all: everything is written beside it first, then renamed.
    pub fn create(path: &Path, header: &RunHeader, plan: &[PlannedTrial]) -> Result<Self, StoreError> {
        if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) || path.is_file() {
            return Err(StoreError::AlreadyThere(path.to_owned()));
        }
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(StoreError::io("create", parent))?;
        let draft = draft_in(parent);
        let n_trials = (!plan.is_empty()).then_some(plan.len() as u64);
        let header = RunHeader { n_trials, ..header.clone() };
        let filled = fill(&draft, &header, plan);
        let made = filled.and_then(|()| fs::rename(&draft, path).map_err(|error| in_the_way(path, error)));
        if let Err(error) = made {
            // The draft is hidden and is no run until it is renamed: leaving it behind harms nobody.
            drop(fs::remove_dir_all(&draft));
            return Err(error);
        }
        Ok(Self::at(path, header, None))
    }

    /// Makes a run whose record will be taken elsewhere: its segments are named after the session, which nobody else
    /// has, and it knows what is new in it.
    pub fn create_as(session: &str, path: &Path, header: &RunHeader) -> Result<Self, StoreError> {
        Self::create(path, header, &[])?;
        Ok(Self::at(path, header.clone(), Some(session)))
    }

    /// Opens a run, to read it or to go on with it. A damaged header is read from its copy.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let (header, damage) = header_file::read(path)?;
        let run = Self::at(path, header, None);
        for damage in damage {
            run.damage.note(damage);
        }
        Ok(run)
    }

    fn at(path: &Path, header: RunHeader, session: Option<&str>) -> Self {
        let shelves = RunFiles {
            path: path.to_owned(),
            frames: FrameStore::new(path.join("frames")),
            blobs: BlobStore::new(path.join("blobs")),
            session: Mutex::new(session.map(|name| RecordSession { name: name.to_owned(), next: 0 })),
            fresh: session.map(|_named| Mutex::default()),
            planning: Mutex::new(()),
        };
        Self { header, shelves: Arc::new(shelves), damage: Arc::default() }
    }

    /// What writers share.
    pub(super) fn shelves(&self) -> Arc<RunFiles> {
        Arc::clone(&self.shelves)
    }

    /// Whether a run lies there, readable or not.
    pub fn is_at(path: &Path) -> bool {
        header_file::is_in(path)
    }

    /// What was found to be broken in it so far.
    pub fn damage(&self) -> &Arc<DamageLog> {
        &self.damage
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.shelves.path
    }

    /// Where an engine that needs only a file keeps it.
    pub fn engine_path(&self) -> PathBuf {
        self.path().join(ENGINE)
    }

    /// Where its report lies unless somebody wants it elsewhere.
    pub fn report_path(&self) -> PathBuf {
        self.path().join("report.html")
    }

    /// Keeps verdicts made later beside the run, never over the old ones, and returns where: the file is named by its
    /// content.
    pub fn keep_rescored(&self, lines: &[u8]) -> Result<PathBuf, StoreError> {
        let path = self.path().join("rescored").join(format!("{}.jsonl", Digest::of(lines)));
        write_whole(&path, lines)?;
        Ok(path)
    }

    /// What it says of itself.
    pub fn header(&self) -> &RunHeader {
        &self.header
    }

    /// Lets it say something else of itself, from now on.
    pub(super) fn set_header(&mut self, header: RunHeader) -> Result<(), StoreError> {
        header_file::write(self.path(), &header)?;
        self.header = header;
        Ok(())
    }

    /// The pictures.
    pub fn frames(&self) -> &FrameStore {
        &self.shelves.frames
    }

    /// The files that evidence names.
    pub fn blobs(&self) -> &BlobStore {
        &self.shelves.blobs
    }

    /// The trials that were planned, in the order of the plan. A line that was cut off in the middle of writing was
    /// never promised to anybody and is left out; lines that are damaged are left out and noted.
    pub fn plan(&self) -> Result<Vec<PlannedTrial>, StoreError> {
        Ok(self.readable_plan()?.trials)
    }

    /// The same, with the number of lines that are damaged.
    pub fn readable_plan(&self) -> Result<ReadablePlan, StoreError> {
        let path = self.path().join(plan::FILE);
        if !path.exists() {
            let cure = "`quintain doctor RUN --mend` makes one of the trials on record";
            self.damage.note(Damage::of_file(plan::FILE, "it is not there", cure));
            return Ok(ReadablePlan::default());
        }
        let (trials, bad) = plan::read(&path, self.header.sums)?;
        let n_damaged = bad.len() as u64;
        self.damage.note_lines(bad, "its trial is left out unless it is on record");
        Ok(ReadablePlan { trials, n_damaged })
    }

    /// Adds trials to the plan. They are on disk when this returns.
    pub fn extend_plan(&self, more: &[PlannedTrial]) -> Result<(), StoreError> {
        let _alone = self.shelves.planning.lock().always();
        plan::extend(&self.path().join(plan::FILE), more)
    }

    /// A writer with a fresh segment of its own, for one worker thread.
    pub fn segment_writer(&self) -> Result<SegmentWriter, StoreError> {
        SegmentWriter::new(Arc::clone(&self.shelves), FileBetween::Open, self.header.pictures)
    }

    /// The same for one who waits long between lines, among thousands who do: it holds no file open meanwhile.
    pub fn patient_writer(&self) -> Result<SegmentWriter, StoreError> {
        SegmentWriter::new(Arc::clone(&self.shelves), FileBetween::Closed, self.header.pictures)
    }

    /// The names of all segments, in order.
    pub fn segments(&self) -> Result<Vec<String>, StoreError> {
        self.shelves.segments()
    }

    /// Takes in a segment that was written elsewhere, and returns the attempts in it.
    pub fn add_segment(&self, name: &str, lines: &[u8]) -> Result<Vec<AttemptSummary>, StoreError> {
        let path = self.shelves.segment_path(name);
        write_whole(&path, lines)?;
        let mut scan = Scan::default();
        scan.segment(name, self.header.sums, lines).map_err(StoreError::io("read", &path))?;
        if scan.bad_lines.is_empty() { Ok(scan.attempts) } else { Err(StoreError::BadLines(scan.bad_lines)) }
    }

    /// The pictures and files that are new since this was last asked. Only a run that was made for a session knows.
    pub fn take_fresh(&self) -> FreshFiles {
        let fresh = self.shelves.fresh.as_ref();
        fresh.map(|fresh| std::mem::take(&mut *fresh.lock().always())).unwrap_or_default()
    }

    /// Where a picture is stored.
    pub fn frame_file(&self, digest: Digest) -> PathBuf {
        self.shelves.frames.path(digest)
    }

    /// Where a file that evidence names is stored.
    pub fn blob_file(&self, digest: Digest) -> PathBuf {
        self.shelves.blobs.path(digest, "")
    }

    /// The files that evidence names, as far as they are here.
    pub fn files_of(&self, evidence: &Evidence) -> Result<FileSet, StoreError> {
        let mut files = FileSet::new();
        for (name, digest) in &evidence.files {
            files.extend(self.shelves.blobs.handle(*digest)?.map(|file| (name.clone(), file)));
        }
        Ok(files)
    }

    /// Reads one attempt as it was recorded.
    pub fn read(&self, place: &LineRange) -> Result<AttemptRecord, StoreError> {
        let read = AttemptRecord::parse(place, &self.lines(place)?, self.header.sums);
        read.map_err(|error| self.by_lines_of_the_file(place, error))
    }

    /// The recorded lines of one attempt, as they stand.
    pub fn lines(&self, place: &LineRange) -> Result<Vec<u8>, StoreError> {
        let path = self.shelves.segment_path(&place.segment);
        let segment = place.segment.clone();
        let mut file = match File::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(StoreError::SegmentGone { segment }),
            opened => opened.map_err(StoreError::io("read", &path))?,
        };
        let size = file.metadata().map_err(StoreError::io("read", &path))?.len();
        if place.end > size {
            return Err(StoreError::SegmentCut { segment, n_bytes: size });
        }
        let mut bytes = vec![0; place.len() as usize];
        file.seek(SeekFrom::Start(place.start)).map_err(StoreError::io("read", &path))?;
        file.read_exact(&mut bytes).map_err(StoreError::io("read", &path))?;
        Ok(bytes)
    }

    /// Reads one attempt together with the turns of the earlier attempts that it continues: one whole trajectory.
    pub fn trajectory(&self, place: &LineRange) -> Result<AttemptRecord, StoreError> {
        chain::joined(place, &mut |place| self.read(place))
    }

    /// Finds all attempts in all segments. Lines that cannot be read are an error; see [`Self::scan`] to go on without.
    pub fn attempts(&self) -> Result<Vec<AttemptSummary>, StoreError> {
        let Scan { attempts, bad_lines } = self.scan()?;
        if bad_lines.is_empty() { Ok(attempts) } else { Err(StoreError::BadLines(bad_lines)) }
    }

    /// Finds all attempts in all segments, and all lines that cannot be read.
    pub fn scan(&self) -> Result<Scan, StoreError> {
        let mut scan = Scan::default();
        for segment in self.segments()? {
            let path = self.shelves.segment_path(&segment);
            let file = File::open(&path).map_err(StoreError::io("read", &path))?;
            let lines = BufReader::with_capacity(1 << 16, file);
            scan.segment(&segment, self.header.sums, lines).map_err(StoreError::io("read", &path))?;
        }
        Ok(scan)
    }
}

impl RunFiles {
    /// Stores a picture, and notes it where it is new.
    pub(super) fn put_frame(&self, digest: Digest, screen: &Screen, over: Option<&KeyFrame>) -> Result<(), StoreError> {
        if self.frames.put_if_new(digest, screen, over)? == FilePut::New {
            self.note_fresh(|fresh| fresh.frames.push(digest));
        }
        Ok(())
    }

    /// Whether pictures may be laid over one another. What is taken elsewhere piece by piece must be whole by itself.
    pub(super) fn lays_over(&self) -> bool {
        self.fresh.is_none()
    }

    /// Stores a file under its hash, and notes it where it is new.
    pub(super) fn put_blob(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(bytes);
        if self.blobs.put_named(digest, "", || Ok(bytes.to_vec()))? == FilePut::New {
            self.note_fresh(|fresh| fresh.blobs.push(digest));
        }
        Ok(digest)
    }

    /// Stores a file under its hash, piece by piece, and notes it where it is new.
    pub(super) fn put_file(&self, source: &dyn FileSource) -> Result<FileHandle, PutError> {
        let (handle, put) = self.blobs.put_source(source)?;
        if put == FilePut::New {
            self.note_fresh(|fresh| fresh.blobs.push(handle.digest()));
        }
        Ok(handle)
    }

    fn note_fresh(&self, note: impl FnOnce(&mut FreshFiles)) {
        if let Some(fresh) = &self.fresh {
            note(&mut fresh.lock().always());
        }
    }

    fn segment_path(&self, name: &str) -> PathBuf {
        self.path.join("segments").join(format!("{name}.jsonl"))
    }

    fn segments(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.path.join("segments");
        let entries = fs::read_dir(&folder).map_err(StoreError::io("read", &folder))?;
        let mut names = Vec::new();
        for entry in entries {
            let name = entry.map_err(StoreError::io("read", &folder))?.file_name();
            names.extend(name.to_str().and_then(|name| name.strip_suffix(".jsonl")).map(str::to_owned));
        }
        names.sort();
        Ok(names)
    }

    /// A segment file that nobody else writes to. Every process takes a session number of its own, so that nothing is
    /// ever appended to what an earlier process may have left torn.
    pub(super) fn claim_segment(&self) -> Result<(String, PathBuf, File), StoreError> {
        let mut session = self.session.lock().always();
        if let Some(session) = session.as_mut() {
            let name = format!("{}-{:04}", session.name, session.next);
            let path = self.segment_path(&name);
            let file = File::create_new(&path).map_err(StoreError::io("create", &path))?;
            session.next += 1;
            return Ok((name, path, file));
        }
        let mut number = self.segments()?.iter().filter_map(|name| session_of(name)).max().unwrap_or(0);
        loop {
            number += 1;
            let name = format!("{number:04}-0000");
            let path = self.segment_path(&name);
            match File::create_new(&path) {
                Ok(file) => {
                    *session = Some(RecordSession { name: format!("{number:04}"), next: 1 });
                    return Ok((name, path, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::io("create", &path)(error)),
            }
        }
    }
}

fn session_of(segment: &str) -> Option<u32> {
    segment.split_once('-')?.0.parse().ok()
}

/// Writes everything that a new run holds.
fn fill(draft: &Path, header: &RunHeader, planned: &[PlannedTrial]) -> Result<(), StoreError> {
    let segments = draft.join("segments");
    fs::create_dir_all(&segments).map_err(StoreError::io("create", &segments))?;
    write_synced(&draft.join(plan::FILE), |out| plan::write(out, planned))?;
    let text = header_file::text(header).map_err(StoreError::malformed(&draft.join(header_file::FILE)))?;
    [header_file::COPY, header_file::FILE]
        .into_iter()
        .try_for_each(|name| write_synced(&draft.join(name), |out| out.write_all(&text)))
}

fn write_synced(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> Result<(), StoreError> {
    let write = || {
        let mut out = BufWriter::new(File::create_new(path)?);
        fill(&mut out)?;
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()
    };
    write().map_err(StoreError::io("write", path))
}

/// Renaming fails where someone else made the directory meanwhile.
fn in_the_way(path: &Path, error: io::Error) -> StoreError {
    if path.exists() { StoreError::AlreadyThere(path.to_owned()) } else { StoreError::io("create", path)(error) }
}
