//! Files named by the hash of what they hold.

use std::fs;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

use quintain_core::files::{FileError, copy_hashed};
use quintain_core::{Digest, FileHandle, FileSource};

use crate::disk::DiskFile;
use crate::error::StoreError;
use crate::file::{FilePut, create_in, draft_in, make_dir, read_if_there, write_whole_into};

/// What is shorter is held in memory on its way: whether it is stored already is then known before anything is written.
const SMALL: u64 = 256 << 10;

/// A directory of files named by their BLAKE3 hash: `ab/<digest>`, `ab` being the first two digits.
#[derive(Clone, Debug)]
pub struct BlobStore {
    root: PathBuf,
}

impl BlobStore {
    /// The store in a directory, which is made when the first file is put in.
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Stores bytes under their hash. The same bytes are stored once.
    pub fn put(&self, bytes: &[u8]) -> Result<Digest, StoreError> {
        let digest = Digest::of(bytes);
        self.put_named(digest, "", || Ok(bytes.to_vec()))?;
        Ok(digest)
    }

    /// The bytes stored under a name, if there are any.
    pub fn get(&self, digest: Digest) -> Result<Option<Vec<u8>>, StoreError> {
        read_if_there(&self.path(digest, ""))
    }

    /// A handle to what is stored under a name, if there is anything. What is read through it is held against the name.
    pub fn handle(&self, digest: Digest) -> Result<Option<FileHandle>, StoreError> {
        let path = self.path(digest, "");
        match fs::metadata(&path) {
            Ok(found) => Ok(Some(DiskFile::at(path).known_as(digest, found.len()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(StoreError::io("read", &path)(error)),
        }
    }

    /// Stores what a source holds under its hash, piece by piece: a file of any length takes the same memory.
    pub(crate) fn put_source(&self, source: &dyn FileSource) -> Result<(FileHandle, FilePut), PutError> {
        let mut rest = source.open().map_err(FileError::Read)?;
        let mut head = Vec::new();
        rest.by_ref().take(SMALL).read_to_end(&mut head).map_err(FileError::Read)?;
        let (digest, n_bytes, put) = if (head.len() as u64) < SMALL {
            let (digest, n_bytes) = (Digest::of(&head), head.len() as u64);
            (digest, n_bytes, self.put_named(digest, "", || Ok(head))?)
        } else {
            self.put_large(&mut Cursor::new(head).chain(rest), None)?
        };
        Ok((DiskFile::at(self.path(digest, "")).known_as(digest, n_bytes), put))
    }

    /// Stores what comes under a name that it must turn out to have.
    pub(crate) fn put_checked(&self, wanted: Digest, from: &mut dyn Read) -> Result<(), PutError> {
        self.put_large(from, Some(wanted)).map(drop)
    }

    /// Its name is known only when all of it is written.
    fn put_large(&self, from: &mut dyn Read, wanted: Option<Digest>) -> Result<(Digest, u64, FilePut), PutError> {
        let draft = draft_in(&self.root);
        let put = self.copied(from, &draft, wanted);
        if !matches!(put, Ok((.., FilePut::New))) {
            // The draft is hidden and named after this process: leaving it behind harms nobody.
            drop(fs::remove_file(&draft));
        }
        put
    }

    fn copied(
        &self,
        from: &mut dyn Read,
        draft: &Path,
        wanted: Option<Digest>,
    ) -> Result<(Digest, u64, FilePut), PutError> {
        let mut file = create_in(&self.root, draft)?;
        let (digest, n_bytes) = copy_hashed(from, &mut file).map_err(|error| match error {
            FileError::Write(source) => PutError::Store(StoreError::io("write", draft)(source)),
            other => PutError::File(other),
        })?;
        drop(file);
        if let Some(wanted) = wanted.filter(|wanted| *wanted != digest) {
            return Err(FileError::Changed { wanted, found: digest }.into());
        }
        let path = self.path(digest, "");
        if path.exists() {
            return Ok((digest, n_bytes, FilePut::AlreadyThere));
        }
        let folder = path.parent().unwrap_or(&self.root);
        self.make_folder(folder).map_err(StoreError::io("create", folder))?;
        fs::rename(draft, &path).map_err(StoreError::io("write", &path))?;
        Ok((digest, n_bytes, FilePut::New))
    }

    /// Stores what `make` makes under a name, unless that name is taken already.
    pub(crate) fn put_named(
        &self,
        digest: Digest,
        suffix: &str,
        make: impl FnOnce() -> Result<Vec<u8>, StoreError>,
    ) -> Result<FilePut, StoreError> {
        let path = self.path(digest, suffix);
        if path.exists() {
            return Ok(FilePut::AlreadyThere);
        }
        write_whole_into(&path, &make()?, |folder| self.make_folder(folder))?;
        Ok(FilePut::New)
    }

    /// Makes a folder for names, and the store's own. What the store lies in is never made: where it was moved away, half
    /// a store would grow in its old place.
    fn make_folder(&self, folder: &Path) -> io::Result<()> {
        make_dir(&self.root)?;
        make_dir(folder)
    }

    /// Whether anything is stored under a name.
    pub fn has(&self, digest: Digest) -> bool {
        self.path(digest, "").exists()
    }

    /// Where a file is stored, or would be.
    pub fn file(&self, digest: Digest) -> PathBuf {
        self.path(digest, "")
    }

    /// Everything that is stored under names with one of these endings. Drafts, and files that lie where no name is
    /// stored, are none of it.
    pub(crate) fn stored(&self, suffixes: &[&str]) -> Result<Vec<(Digest, PathBuf)>, StoreError> {
        let mut stored = Vec::new();
        for folder in entries(&self.root)?.into_iter().filter(|path| path.is_dir()) {
            for path in entries(&folder)? {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let digest: Option<Digest> = name.split('.').next().and_then(|digits| digits.parse().ok());
                let is_here = |digest: &Digest| suffixes.iter().any(|suffix| self.path(*digest, suffix) == path);
                stored.extend(digest.filter(is_here).map(|digest| (digest, path)));
            }
        }
        Ok(stored)
    }

    /// Where a name is stored.
    pub(crate) fn path(&self, digest: Digest, suffix: &str) -> PathBuf {
        let name = digest.to_string();
        self.root.join(&name[..2]).join(format!("{name}{suffix}"))
    }
}

/// What lies in a folder; nothing where there is none.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, StoreError> {
    let listed = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect()),
    };
    listed.map_err(StoreError::io("read", folder))
}

/// Why a file was not stored.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PutError {
    /// It could not be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It could not be written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

#[cfg(test)]
mod tests {
    use quintain_core::files::held;

    use super::*;

    #[test]
    fn files_of_any_length_are_stored_once_and_leave_no_drafts() {
        let folder = tempfile::tempdir().unwrap();
        let blobs = BlobStore::new(folder.path().join("blobs"));
        for n_bytes in [0, 1, SMALL as usize - 1, SMALL as usize, 3 * SMALL as usize + 7] {
            let bytes: Vec<u8> = (0..n_bytes).map(|idx| (idx % 251) as u8).collect();
            let (handle, put) = blobs.put_source(&*held(bytes.clone())).unwrap();
            assert_eq!((handle.digest(), handle.n_bytes(), put), (Digest::of(&bytes), n_bytes as u64, FilePut::New));
            assert_eq!(blobs.put_source(&*held(bytes.clone())).unwrap().1, FilePut::AlreadyThere);
            assert_eq!(blobs.handle(handle.digest()).unwrap().unwrap().whole(u64::MAX).unwrap(), bytes);
        }
        let hidden = fs::read_dir(folder.path().join("blobs"))
            .unwrap()
            .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().starts_with('.')));
        assert_eq!(hidden.count(), 0);
    }

    #[test]
    fn what_is_stored_is_listed_without_what_only_lies_there() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("blobs");
        let blobs = BlobStore::new(&root);
        assert_eq!(blobs.stored(&[""]).unwrap(), []);
        let digest = blobs.put(b"a").unwrap();
        let path = blobs.file(digest);
        fs::create_dir(root.join("zz")).unwrap();
        for other in [root.join(".draft-1-0"), path.with_file_name("notes"), root.join("zz").join(digest.to_string())] {
            fs::write(other, b"a").unwrap();
        }
        fs::write(path.with_extension("webp"), b"a").unwrap();
        assert_eq!(blobs.stored(&[""]).unwrap(), [(digest, path.clone())]);
        assert_eq!(blobs.stored(&[".webp"]).unwrap(), [(digest, path.with_extension("webp"))]);
    }

    /// A file that can be read up to a point.
    #[derive(Debug)]
    struct Broken;

    impl FileSource for Broken {
        fn open(&self) -> std::io::Result<Box<dyn Read + Send>> {
            Ok(Box::new(std::io::repeat(7).take(2 * SMALL).chain(Self)))
        }
    }

    impl Read for Broken {
        fn read(&mut self, _to: &mut [u8]) -> std::io::Result<usize> {
            Err(std::io::Error::other("the disk came off"))
        }
    }

    #[test]
    fn a_file_that_breaks_off_is_not_stored() {
        let folder = tempfile::tempdir().unwrap();
        let why = BlobStore::new(folder.path()).put_source(&Broken).unwrap_err();
        assert_eq!(why.to_string(), "it cannot be read: the disk came off");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
