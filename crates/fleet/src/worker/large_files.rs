//! Large files of tasks: fetched from the archive when somebody opens one, kept on disk for as long as anybody needs it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use quintain_core::lock::LockAlways as _;
use quintain_core::{FileHandle, FileSet, FileSource, TaskId};
use quintain_store::BlobStore;
use quintain_store::archive::fetched_apart;
use tokio::runtime::Handle;

use super::ArchiveTrouble;
use super::retry::while_worth_waiting;
use super::source::{RunSource, TaskFile, TaskFolder};
use crate::ask::UnitClaim;

/// Where fetched files lie: a folder that goes when the last of its files is let go of.
#[derive(Debug)]
pub(super) struct FileCache {
    blobs: BlobStore,
    folder: PathBuf,
    /// One fetches at a time: two who want the same file fetch it once.
    fetching: Mutex<()>,
}

impl FileCache {
    pub(super) fn new(folder: PathBuf) -> Arc<Self> {
        Arc::new(Self { blobs: BlobStore::new(&folder), folder, fetching: Mutex::default() })
    }
}

impl Drop for FileCache {
    fn drop(&mut self) {
        // What cannot be removed now is removed with the scratch directory that it lies in.
        drop(fs::remove_dir_all(&self.folder));
    }
}

/// How large files are fetched.
#[derive(Clone, Debug)]
pub(super) struct FetchWay {
    pub(super) source: RunSource,
    pub(super) claim: UnitClaim,
    pub(super) runtime: Handle,
    pub(super) cache: Arc<FileCache>,
}

impl FetchWay {
    /// The same files; those that lie in the archive come from there when they are opened.
    pub(super) fn apart(&self, task: &TaskId, folder: TaskFolder, files: &FileSet) -> FileSet {
        let handle = |file: &FileHandle| match fetched_apart(file) {
            None => file.clone(),
            Some(large) => {
                let wanted = TaskFile { of: self.claim.clone(), task: task.clone(), folder, file: large };
                let path = self.cache.blobs.file(large.digest);
                let source = ArchivedFile { way: self.clone(), wanted, path };
                FileHandle::known(large.digest, large.len, Arc::new(source))
            }
        };
        files.iter().map(|(name, file)| (name.clone(), handle(file))).collect()
    }
}

/// A large file that lies in the archive until it is opened.
#[derive(Debug)]
struct ArchivedFile {
    way: FetchWay,
    wanted: TaskFile,
    path: PathBuf,
}

impl ArchivedFile {
    /// Fetches it. A network that is away for a while is waited for.
    async fn fetch(&self) -> Result<(), ArchiveTrouble> {
        let fetch = || self.way.source.fetch(&self.wanted, &self.way.cache.blobs);
        while_worth_waiting(fetch, ArchiveTrouble::worth_waiting).await
    }
}

impl FileSource for ArchivedFile {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        let alone = self.way.cache.fetching.lock().always();
        if !self.path.exists() {
            let fetched = self.way.runtime.block_on(self.fetch());
            fetched.map_err(|trouble| io::Error::other(trouble.to_string()))?;
        }
        drop(alone);
        Ok(Box::new(File::open(&self.path)?))
    }

    fn path(&self) -> Option<&Path> {
        self.path.exists().then_some(&*self.path)
    }
}
