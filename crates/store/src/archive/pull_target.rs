//! A run directory that is being filled from packs, in any order, by someone who may be killed at any time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use quintain_core::Digest;
use quintain_core::lock::LockAlways as _;
use serde::{Deserialize, Serialize};

use super::bound;
use super::error::ArchiveError;
use super::manifest::BookPlace;
use super::pack::Pack;
use super::paths;
use crate::blobs::BlobStore;
use crate::error::StoreError;
use crate::file::{open_lines, write_whole};
use crate::frames::put_packed;
use crate::run::{Book, LineRange, RunDir, RunHeader, header_file};

/// The file that says which packs are in: one line for each, written when all of it is there.
const JOURNAL: &str = "pulled.jsonl";

/// How far one looks back for the end of a line.
const CHUNK: u64 = 1 << 16;

/// A run directory that is being filled. It is no run until its header is there.
#[derive(Debug)]
pub(super) struct PullTarget {
    path: PathBuf,
    frames: BlobStore,
    blobs: BlobStore,
    journal: Mutex<PullJournal>,
}

#[derive(Debug)]
struct PullJournal {
    file: File,
    packs: BTreeSet<String>,
    /// Which bytes of each segment are there.
    segments: BTreeMap<String, Vec<Range<u64>>>,
    /// Which bytes of each session's books are there.
    books: BTreeMap<(Book, String), Vec<Range<u64>>>,
    /// How many bytes each book had that were pulled, when it was last bound.
    bound: BTreeMap<Book, u64>,
}

/// A line of the journal.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum JournalEntry {
    /// The first: which run this is.
    Run { name: String, created: String },
    /// A pack that is in, and the lines it brought.
    Pack {
        name: String,
        lines: Vec<LineRange>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        books: Vec<BookPlace>,
    },
    /// A book is bound anew: so many of its bytes were pulled, and what is behind them was written here.
    Bound { file: Book, len: u64 },
}

impl PullTarget {
    /// Opens a directory for a run: a new one, one that was filled from the same run before, or the one that was made
    /// when the run was planned.
    pub(super) fn open(path: &Path, header: &RunHeader) -> Result<Self, StoreError> {
        let segments = path.join("segments");
        let file = path.join(JOURNAL);
        let in_use = fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some());
        if in_use && !file.exists() && !is_planned_here(path, header) {
            return Err(StoreError::AlreadyThere(path.to_owned()));
        }
        for folder in [segments, path.join("books")] {
            fs::create_dir_all(&folder).map_err(StoreError::io("create", &folder))?;
        }
        let journal = PullJournal::open(&file, path, header)?;
        header_file::remove(path)?;
        Ok(Self {
            path: path.to_owned(),
            frames: BlobStore::new(path.join("frames")),
            blobs: BlobStore::new(path.join("blobs")),
            journal: Mutex::new(journal),
        })
    }

    /// Where the files go that evidence names.
    pub(super) fn blobs(&self) -> &BlobStore {
        &self.blobs
    }

    /// The packs that are in.
    pub(super) fn packs(&self) -> BTreeSet<String> {
        self.journal.lock().always().packs.clone()
    }

    /// Takes in a pack. Taking one in again changes nothing. A pack that would write in another worker's record is noted
    /// as empty: nobody can spoil what others have shipped.
    pub(super) fn take(&self, name: &str, pack: &Pack) -> Result<(), StoreError> {
        if !is_honest(name, pack) {
            return self.note(name, Vec::new(), Vec::new());
        }
        for (digest, png) in pack.frames() {
            put_packed(&self.frames, digest, png).map_err(|error| match error {
                StoreError::Picture { why, .. } => wrong_file(name, "picture", digest, &why),
                other => other,
            })?;
        }
        for (digest, bytes) in pack.blobs() {
            if Digest::of(bytes) != digest {
                return Err(wrong_file(name, "file", digest, "its bytes are others"));
            }
            self.blobs.put_named(digest, "", || Ok(bytes.to_vec()))?;
        }
        let mut places = Vec::new();
        for (place, lines) in pack.lines() {
            let path = self.segment_path(&place.segment);
            write_at(&path, place.start, lines).map_err(StoreError::io("write", &path))?;
            places.push(place.clone());
        }
        let books = self.take_books(pack)?;
        self.note(name, places, books)
    }

    /// Notes that a pack is in.
    fn note(&self, name: &str, lines: Vec<LineRange>, books: Vec<BookPlace>) -> Result<(), StoreError> {
        let mut journal = self.journal.lock().always();
        let entry = JournalEntry::Pack { name: name.to_owned(), lines, books };
        journal.add(entry).map_err(StoreError::io("write", &self.path.join(JOURNAL)))
    }

    fn take_books(&self, pack: &Pack) -> Result<Vec<BookPlace>, StoreError> {
        let mut places = Vec::new();
        for (place, lines) in pack.books() {
            let path = bound::part(&self.path, place.file, &place.session);
            write_at(&path, place.start, lines).map_err(StoreError::io("write", &path))?;
            places.push(place.clone());
        }
        Ok(places)
    }

    /// Makes the segments readable: each ends with a whole line, and where lines are missing in the middle, a blank one
    /// stands. Returns the places that are missing.
    pub(super) fn close_segments(&self) -> Result<(usize, Vec<LineRange>), StoreError> {
        let mut journal = self.journal.lock().always();
        let mut missing = Vec::new();
        for (segment, ranges) in &mut journal.segments {
            let path = self.segment_path(segment);
            let holes = close_segment(&path, ranges).map_err(StoreError::io("write", &path))?;
            let named = |hole: Range<u64>| LineRange { segment: segment.clone(), start: hole.start, end: hole.end };
            missing.extend(holes.into_iter().map(named));
        }
        Ok((journal.segments.len(), missing))
    }

    /// Makes the books of what all sessions wrote in theirs, in the order of their names. What was written here since the
    /// last time stays, behind it. Returns the places that are missing.
    pub(super) fn bind_books(&self) -> Result<Vec<LineRange>, StoreError> {
        let mut journal = self.journal.lock().always();
        let (mut missing, mut parts) = (Vec::new(), BTreeMap::<Book, Vec<PathBuf>>::new());
        for ((book, session), ranges) in &mut journal.books {
            let path = bound::part(&self.path, *book, session);
            let holes = close_segment(&path, ranges).map_err(StoreError::io("write", &path))?;
            let segment = format!("{session}.{}", book.file_name());
            let named = |hole: Range<u64>| LineRange { segment: segment.clone(), start: hole.start, end: hole.end };
            missing.extend(holes.into_iter().map(named));
            parts.entry(*book).or_default().push(path);
        }
        for (book, parts) in parts {
            self.bind(&mut journal, book, &parts)?;
        }
        Ok(missing)
    }

    /// While the journal and the file might contradict each other there is no file.
    fn bind(&self, journal: &mut PullJournal, book: Book, parts: &[PathBuf]) -> Result<(), StoreError> {
        bound::unbind(&self.path, book, journal.bound.get(&book).copied().unwrap_or(0))?;
        let entry = JournalEntry::Bound { file: book, len: bound::n_bytes(parts)? };
        journal.add(entry).map_err(StoreError::io("write", &self.path.join(JOURNAL)))?;
        bound::bind(&self.path, book, parts)
    }

    /// Puts in a file that comes as it is; the header comes last and makes it a run.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<(), StoreError> {
        write_whole(&self.path.join(name), bytes)
    }

    fn segment_path(&self, segment: &str) -> PathBuf {
        self.path.join("segments").join(format!("{segment}.jsonl"))
    }
}

impl PullJournal {
    fn open(file: &Path, run: &Path, header: &RunHeader) -> Result<Self, StoreError> {
        let text = crate::file::read_if_there(file)?.unwrap_or_default();
        let opened = open_lines(file).map_err(StoreError::io("write", file))?;
        let mut journal = Self {
            file: opened,
            packs: BTreeSet::new(),
            segments: BTreeMap::new(),
            books: BTreeMap::new(),
            bound: BTreeMap::new(),
        };
        let this = (header.name.as_str(), header.created.as_str());
        let mut begun = false;
        // Half a line, where a killed process left one, is a pack that is not in.
        for entry in text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()) {
            match entry {
                JournalEntry::Run { name, created } if (name.as_str(), created.as_str()) == this => begun = true,
                JournalEntry::Run { .. } => return Err(StoreError::AlreadyThere(run.to_owned())),
                entry => journal.know(entry),
            }
        }
        if !begun {
            let entry = JournalEntry::Run { name: header.name.clone(), created: header.created.clone() };
            journal.write(&entry).map_err(StoreError::io("write", file))?;
        }
        Ok(journal)
    }

    fn add(&mut self, entry: JournalEntry) -> io::Result<()> {
        self.write(&entry)?;
        self.know(entry);
        Ok(())
    }

    fn know(&mut self, entry: JournalEntry) {
        match entry {
            JournalEntry::Run { .. } => {}
            JournalEntry::Pack { name, lines, books } => self.know_pack(name, lines, books),
            JournalEntry::Bound { file, len } => {
                self.bound.insert(file, len);
            }
        }
    }

    fn know_pack(&mut self, name: String, lines: Vec<LineRange>, books: Vec<BookPlace>) {
        self.packs.insert(name);
        for place in lines {
            self.segments.entry(place.segment).or_default().push(place.start..place.end);
        }
        for place in books {
            self.books.entry((place.file, place.session)).or_default().push(place.start..place.end);
        }
    }

    fn write(&mut self, entry: &JournalEntry) -> io::Result<()> {
        let mut line = serde_json::to_vec(entry)?;
        line.push(b'\n');
        self.file.write_all(&line)
    }
}

/// Whether a pack holds only what its worker wrote itself in that session, and halves of units that it goes on with.
fn is_honest(name: &str, pack: &Pack) -> bool {
    let Some((session, _number)) = name.rsplit_once('-') else { return false };
    let is_gone_on_with = |segment: &str| {
        let unit = segment.strip_prefix(paths::HALF).and_then(|rest| rest.split('-').next());
        unit.and_then(|unit| unit.parse().ok()).is_some_and(|idx| pack.tells_of(idx))
    };
    let is_own = |segment: &str| segment.rsplit_once('-').is_some_and(|(of, _)| of == session);
    pack.lines().all(|(place, _)| is_own(&place.segment) || is_gone_on_with(&place.segment))
        && pack.books().all(|(place, _)| place.session == session)
}

/// Whether a directory is the one that was made when the very run was planned, and holds no record of its own.
fn is_planned_here(path: &Path, header: &RunHeader) -> bool {
    RunDir::open(path).is_ok_and(|there| {
        let is_same = (&there.header().name, &there.header().created) == (&header.name, &header.created);
        is_same && there.segments().is_ok_and(|segments| segments.is_empty())
    })
}

fn wrong_file(pack: &str, kind: &str, digest: Digest, why: &str) -> StoreError {
    let why = format!("{kind} {} is not the one its name says: {why}", digest.short());
    ArchiveError::Unreadable { what: pack.to_owned(), why }.into()
}

fn write_at(path: &Path, start: u64, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
    file.seek(SeekFrom::Start(start))?;
    file.write_all(bytes)
}

/// Blanks out what is missing and cuts off half a line. Returns what is missing.
fn close_segment(path: &Path, ranges: &mut [Range<u64>]) -> io::Result<Vec<Range<u64>>> {
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    let (mut holes, mut end) = (Vec::new(), 0);
    for range in ranges.iter() {
        if range.start > end {
            holes.push(end..range.start);
        }
        end = end.max(range.end);
    }
    for hole in &holes {
        write_at(path, hole.start, &filler((hole.end - hole.start) as usize))?;
    }
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let whole = end_of_last_line(&mut file, end)?;
    file.set_len(whole)?;
    Ok(holes)
}

/// A blank line of so many bytes.
fn filler(len: usize) -> Vec<u8> {
    let mut line = vec![b' '; len];
    line.last_mut().into_iter().for_each(|last| *last = b'\n');
    line
}

/// Where the last whole line before a place ends.
fn end_of_last_line(file: &mut File, end: u64) -> io::Result<u64> {
    let mut before = end;
    while before > 0 {
        let from = before.saturating_sub(CHUNK);
        let mut chunk = vec![0; (before - from) as usize];
        file.seek(SeekFrom::Start(from))?;
        file.read_exact(&mut chunk)?;
        if let Some(newline_idx) = chunk.iter().rposition(|byte| *byte == b'\n') {
            return Ok(from + newline_idx as u64 + 1);
        }
        before = from;
    }
    Ok(0)
}
