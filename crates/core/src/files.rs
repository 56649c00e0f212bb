//! Handles to bytes that lie somewhere else: in a suite, in a run, in a world. Whoever passes one on holds none of them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Cursor, Read, Write};
use std::path::Path;
use std::sync::Arc;

use crate::digest::Digest;

/// Bytes are passed on in pieces of this size: what a file takes of the memory, whatever its length.
const PIECE: usize = 128 << 10;

/// The longest name of a file, in bytes.
const LONGEST_NAME: usize = 1024;

/// Files by their path in the folder they belong to, with `/` between its parts.
pub type FileSet = BTreeMap<String, FileHandle>;

/// Where the bytes of a file come from. They can be read as often as one likes, for as long as this is held.
pub trait FileSource: fmt::Debug + Send + Sync {
    /// Begins to read.
    fn open(&self) -> io::Result<Box<dyn Read + Send>>;

    /// Where they lie on a disk of this machine, if they do: for programs that want a path.
    fn path(&self) -> Option<&Path> {
        None
    }
}

/// A handle to a file: what it holds by its hash, how long it is, and where to read it.
#[derive(Clone)]
pub struct FileHandle {
    digest: Digest,
    n_bytes: u64,
    source: Arc<dyn FileSource>,
}

/// Why a file cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("it cannot be read: {0}")]
    Read(io::Error),
    /// What is read cannot be put where it was wanted.
    #[error("it cannot be written: {0}")]
    Write(io::Error),
    /// It is larger than what is taken into memory.
    #[error("it has {n_bytes} bytes, and at most {max_bytes} are read at once")]
    TooLarge {
        /// How large it is.
        n_bytes: u64,
        /// How large it may be.
        max_bytes: u64,
    },
    /// It holds something else than when its handle was made.
    #[error("it was changed meanwhile: {wanted:?} was wanted, and {found:?} is there")]
    Changed {
        /// What its handle says.
        wanted: Digest,
        /// What was read.
        found: Digest,
    },
}

/// Bytes that are held in memory after all: small files, and those in the binary.
struct HeldBytes<B>(B);

impl<B: AsRef<[u8]> + Clone + Send + Sync + 'static> FileSource for HeldBytes<B> {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(Cursor::new(self.0.clone())))
    }
}

impl<B: AsRef<[u8]>> fmt::Debug for HeldBytes<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes in memory", self.0.as_ref().len())
    }
}

/// A source of bytes that are held in memory.
pub fn held(bytes: impl Into<Arc<[u8]>>) -> Arc<dyn FileSource> {
    Arc::new(HeldBytes::<Arc<[u8]>>(bytes.into()))
}

impl FileHandle {
    /// A handle to what a source holds, which is read once for it.
    pub fn of(source: Arc<dyn FileSource>) -> Result<Self, FileError> {
        let (digest, n_bytes) = copy_hashed(&mut *source.open().map_err(FileError::Read)?, &mut io::sink())?;
        Ok(Self { digest, n_bytes, source })
    }

    /// A handle to a source of which one knows already what it holds.
    pub fn known(digest: Digest, n_bytes: u64, source: Arc<dyn FileSource>) -> Self {
        Self { digest, n_bytes, source }
    }

    /// A handle to bytes that are held in memory.
    pub fn held(bytes: impl Into<Arc<[u8]>>) -> Self {
        let bytes = bytes.into();
        Self { digest: Digest::of(&bytes), n_bytes: bytes.len() as u64, source: held(bytes) }
    }

    /// A handle to bytes of the program itself.
    pub fn embedded(bytes: &'static [u8]) -> Self {
        Self { digest: Digest::of(bytes), n_bytes: bytes.len() as u64, source: Arc::new(HeldBytes(bytes)) }
    }

    /// The hash of what it holds.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// How many bytes it has.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Where its bytes come from.
    pub fn source(&self) -> &Arc<dyn FileSource> {
        &self.source
    }

    /// Begins to read. What is read is not held against the hash; [`Self::copy_to`] does that.
    pub fn open(&self) -> Result<Box<dyn Read + Send>, FileError> {
        self.source.open().map_err(FileError::Read)
    }

    /// Copies it piece by piece, and finds out whether it was what it should be.
    pub fn copy_to(&self, to: &mut dyn Write) -> Result<(), FileError> {
        let (found, _n_bytes) = copy_hashed(&mut *self.open()?, to)?;
        if found == self.digest { Ok(()) } else { Err(FileError::Changed { wanted: self.digest, found }) }
    }

    /// All of a small file.
    pub fn whole(&self, max_bytes: u64) -> Result<Vec<u8>, FileError> {
        if self.n_bytes > max_bytes {
            return Err(FileError::TooLarge { n_bytes: self.n_bytes, max_bytes });
        }
        let mut bytes = Vec::with_capacity(self.n_bytes as usize);
        // One more than there should be: a file that has grown is seen to, and cannot fill the memory.
        self.open()?.take(self.n_bytes + 1).read_to_end(&mut bytes).map_err(FileError::Read)?;
        match Digest::of(&bytes) {
            found if found == self.digest => Ok(bytes),
            found => Err(FileError::Changed { wanted: self.digest, found }),
        }
    }
}

/// Two handles are the same if what they lead to is.
impl PartialEq for FileHandle {
    fn eq(&self, other: &Self) -> bool {
        (self.digest, self.n_bytes) == (other.digest, other.n_bytes)
    }
}

impl Eq for FileHandle {}

impl fmt::Debug for FileHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FileHandle({}, {} bytes)", self.digest.short(), self.n_bytes)
    }
}

impl From<Vec<u8>> for FileHandle {
    fn from(bytes: Vec<u8>) -> Self {
        Self::held(bytes)
    }
}

/// Copies bytes piece by piece and returns what they were: their hash and their number.
pub fn copy_hashed(from: &mut dyn Read, to: &mut dyn Write) -> Result<(Digest, u64), FileError> {
    let mut hasher = blake3::Hasher::new();
    let n_bytes = copy_pieces(from, &mut |piece| {
        hasher.update(piece);
        to.write_all(piece)
    })?;
    Ok((Digest::from(*hasher.finalize().as_bytes()), n_bytes))
}

/// Passes bytes on piece by piece, and returns how many there were.
pub fn copy_pieces(from: &mut dyn Read, each: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> Result<u64, FileError> {
    let mut buffer = vec![0; PIECE];
    let mut n_bytes = 0;
    loop {
        let n_read = match from.read(&mut buffer) {
            Ok(0) => return Ok(n_bytes),
            Ok(n_read) => n_read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(FileError::Read(error)),
        };
        each(&buffer[..n_read]).map_err(FileError::Write)?;
        n_bytes += n_read as u64;
    }
}

/// Whether a name stays in the folder that it is put in: parts with `/` between, none of them empty, `.` or `..`.
pub fn is_safe_name(name: &str) -> bool {
    let is_safe_part = |part: &str| !part.is_empty() && part != "." && part != "..";
    name.len() <= LONGEST_NAME && !name.contains(['\0', '\\']) && name.split('/').all(is_safe_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_tells_what_it_leads_to_and_leads_there_as_often_as_one_likes() {
        let handle = FileHandle::held(*b"two pieces");
        assert_eq!((handle.digest(), handle.n_bytes()), (Digest::of(b"two pieces"), 10));
        assert_eq!(handle.whole(10).unwrap(), b"two pieces");
        let mut copy = Vec::new();
        handle.copy_to(&mut copy).unwrap();
        assert_eq!(copy, b"two pieces");
        assert_eq!(handle.whole(9).unwrap_err().to_string(), "it has 10 bytes, and at most 9 are read at once");
        assert_eq!(FileHandle::of(held(copy)).unwrap(), handle);
        assert_eq!(FileHandle::embedded(b"two pieces"), handle);
    }

    #[test]
    fn a_file_that_was_changed_meanwhile_is_not_taken_for_the_one_that_was_meant() {
        for now in ["other", "longer than it was"] {
            let handle = FileHandle::known(Digest::of(b"once!"), 5, held(now.as_bytes()));
            assert!(matches!(handle.whole(100), Err(FileError::Changed { .. })), "{now}");
            assert!(matches!(handle.copy_to(&mut io::sink()), Err(FileError::Changed { .. })), "{now}");
        }
    }

    #[test]
    fn names_stay_in_their_folder() {
        for name in ["a", "a/b.txt", "..a", "a..", "a b", "ä"] {
            assert!(is_safe_name(name), "{name}");
        }
        let long = "a".repeat(LONGEST_NAME + 1);
        for name in ["", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/.", "a\\b", "a\0", &long] {
            assert!(!is_safe_name(name), "{name}");
        }
    }
}
