//! What a pack holds, and what came of the attempts whose records are in it.

use quintain_core::trial::TrialResult;
use quintain_core::{Digest, TrialId};
use serde::{Deserialize, Serialize};

use super::error::ArchiveError;
use super::paths::sound;
use crate::run::{Book, LineRange};

/// The version of manifests. A newer one is refused.
pub const MANIFEST_VERSION: u32 = 2;

/// The version of manifests that name no large files: whoever knows nothing of those can read them.
pub(super) const WITHOUT_LARGE: u32 = 1;

/// What a pack holds. Offsets count from the beginning of the pack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackManifest {
    /// The version.
    pub v: u32,
    /// How many bytes the pack has.
    pub len: u64,
    /// The hash of the pack.
    pub digest: Digest,
    /// Lines of segments.
    #[serde(default)]
    pub segments: Vec<PackedLines>,
    /// Pictures that no earlier pack of this worker holds.
    #[serde(default)]
    pub frames: Vec<PackedFile>,
    /// Files that evidence names, and that no earlier pack of this worker holds.
    #[serde(default)]
    pub blobs: Vec<PackedFile>,
    /// Large files that evidence names: each is an object of its own, which is there before the manifest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub large: Vec<LargeFile>,
    /// Lines of books that no earlier pack of this session holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub books: Vec<PackedBook>,
    /// The attempts whose last lines are here.
    #[serde(default)]
    pub attempts: Vec<ShippedAttempt>,
}

/// Whole lines of a segment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedLines {
    /// Where they stand in the run.
    pub place: LineRange,
    /// Where they stand in the pack.
    pub offset: u64,
}

/// Whole lines of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PackedBookFields", into = "PackedBookFields")]
pub struct PackedBook {
    /// Which lines.
    pub place: BookPlace,
    /// Where they stand in the pack.
    pub offset: u64,
}

/// The same as it is stored: both places side by side.
#[derive(Serialize, Deserialize)]
struct PackedBookFields {
    file: Book,
    session: String,
    start: u64,
    end: u64,
    offset: u64,
}

impl From<PackedBookFields> for PackedBook {
    fn from(PackedBookFields { file, session, start, end, offset }: PackedBookFields) -> Self {
        Self { place: BookPlace { file, session, start, end }, offset }
    }
}

impl From<PackedBook> for PackedBookFields {
    fn from(PackedBook { place: BookPlace { file, session, start, end }, offset }: PackedBook) -> Self {
        Self { file, session, start, end, offset }
    }
}

/// Where lines stand in a book as one session keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookPlace {
    /// The book.
    pub file: Book,
    /// Whose.
    pub session: String,
    /// The first byte.
    pub start: u64,
    /// The byte after the last.
    pub end: u64,
}

/// A file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedFile {
    /// The name it is stored under.
    pub digest: Digest,
    /// Where it stands in the pack.
    pub offset: u64,
    /// How many bytes it has.
    pub len: u64,
}

/// A file that is too large for a pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LargeFile {
    /// The name it is stored under.
    pub digest: Digest,
    /// How many bytes it has.
    pub len: u64,
}

/// An attempt whose record is complete, as far as it goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShippedAttempt {
    /// The trial's place in the plan.
    pub idx: u32,
    /// The trial.
    pub trial: TrialId,
    /// The number of the attempt, from 1.
    pub attempt: u32,
    /// What only those know who were given the trial: without it, what is said here is not believed.
    #[serde(default)]
    pub ticket: String,
    /// Where its record stands, as the outcome says it.
    pub place: String,
    /// What it came to, where it came to something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TrialResult>,
    /// How it ended where it brought no outcome, in the words of the engine, which the archive does not look into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<serde_json::Value>,
}

impl BookPlace {
    /// How many bytes it takes; nothing if it makes no sense.
    pub(super) fn len(&self) -> Option<u64> {
        sound("a session", &self.session).ok()?;
        self.end.checked_sub(self.start)
    }
}

impl PackManifest {
    /// As it is stored.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(self).expect("a manifest holds nothing that JSON cannot");
        bytes.push(b'\n');
        bytes
    }

    /// Reads a manifest and checks that all it names lies within its pack.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> Result<Self, ArchiveError> {
        #[derive(Deserialize)]
        struct ManifestVersion {
            v: u32,
        }
        let ManifestVersion { v } = serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(name))?;
        if v > MANIFEST_VERSION {
            let why = format!("it is of version {v}, and this program reads up to {MANIFEST_VERSION}");
            return Err(ArchiveError::unreadable(name)(why));
        }
        let manifest: Self = serde_json::from_slice(bytes).map_err(ArchiveError::unreadable(name))?;
        if manifest.fits() {
            return Ok(manifest);
        }
        Err(ArchiveError::unreadable(name)("it names bytes that lie outside of its pack"))
    }

    fn fits(&self) -> bool {
        let within = |offset: u64, len: u64| offset.checked_add(len).is_some_and(|end| end <= self.len);
        self.segments.iter().all(|lines| within(lines.offset, lines.place.len()))
            && self.frames.iter().chain(&self.blobs).all(|file| within(file.offset, file.len))
            && self.books.iter().all(|book| book.place.len().is_some_and(|len| within(book.offset, len)))
    }
}
