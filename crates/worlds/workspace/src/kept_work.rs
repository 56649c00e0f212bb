//! What is in the folder that an agent works in, kept after every turn, so that a trial can go on after a crash.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _, symlink};
use std::path::Path;
use std::sync::Arc;

use quintain_core::event::{KeepError, Record, RecordError};
use quintain_core::files::{FileSource, is_safe_name};
use quintain_core::{Digest, FileSet};
use quintain_process::{FolderVisitor, WalkStep, WalkedEntry, give_away, walk_folder};
use rustix::fs::{FileType, Stat};
use serde::{Deserialize, Serialize};

use crate::screen_start::is_of_programs;

/// More than this is not kept after every turn: such a trial begins anew after a crash.
const MOST_BYTES: u64 = 2 << 30;
const MOST_FILES: usize = 20_000;

/// Everything in a folder but the bytes of its files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WorkTree {
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    folders: BTreeSet<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    links: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    programs: BTreeSet<String>,
}

/// A folder as it was last kept, so that only what changed is read again.
#[derive(Debug)]
pub(crate) struct KeptWork {
    names: KeptNames,
    known: BTreeMap<String, (FileStamp, Digest)>,
}

/// What of a folder is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeptNames {
    /// Everything.
    All,
    /// Not what programs on a screen keep for themselves: they would find themselves locked out, or ask what to recover.
    OfAgents,
}

/// What a file looks like from outside. One that was written since looks otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    inode: u64,
    size: i64,
    modified: (i64, u64),
    changed: (i64, u64),
}

impl FileStamp {
    fn of(stat: &Stat) -> Self {
        Self {
            inode: stat.st_ino,
            size: stat.st_size,
            modified: (stat.st_mtime, stat.st_mtime_nsec),
            changed: (stat.st_ctime, stat.st_ctime_nsec),
        }
    }
}

impl KeptWork {
    /// Nothing is kept yet.
    pub(crate) fn new(names: KeptNames) -> Self {
        Self { names, known: BTreeMap::new() }
    }

    /// Keeps what is in a folder in a record. Nothing where there is more in it than is kept, or what has no plain name.
    pub(crate) fn keep(&mut self, folder: &Path, record: &mut dyn Record) -> Result<Option<WorkTree>, KeepError> {
        let known = std::mem::take(&mut self.known);
        let (found, tree) = (BTreeMap::new(), WorkTree::default());
        let mut keeping = KeepingWalk { names: self.names, known, found, tree, n_bytes: 0, record, broken: None };
        let is_whole = walk_folder(folder, &mut keeping);
        if let Some(broken) = keeping.broken {
            return Err(KeepError::Record(broken));
        }
        self.known = keeping.found;
        Ok(matches!(is_whole, Ok(true)).then_some(keeping.tree))
    }

    /// The files that were kept last.
    pub(crate) fn files(&self) -> BTreeMap<String, Digest> {
        self.known.iter().map(|(path, (_, digest))| (path.clone(), *digest)).collect()
    }
}

/// Goes through a folder and keeps what it comes by.
struct KeepingWalk<'a> {
    names: KeptNames,
    known: BTreeMap<String, (FileStamp, Digest)>,
    found: BTreeMap<String, (FileStamp, Digest)>,
    tree: WorkTree,
    n_bytes: u64,
    record: &'a mut dyn Record,
    broken: Option<RecordError>,
}

impl FolderVisitor for KeepingWalk<'_> {
    fn found(&mut self, entry: &WalkedEntry<'_>) -> io::Result<WalkStep> {
        let Some(path) = entry.path.to_str().filter(|path| is_safe_name(path)) else { return Ok(WalkStep::End) };
        if self.names == KeptNames::OfAgents && is_of_programs(path) {
            return Ok(WalkStep::Past);
        }
        let n_all = self.found.len() + self.tree.folders.len() + self.tree.links.len();
        if n_all >= MOST_FILES {
            return Ok(WalkStep::End);
        }
        match entry.kind {
            FileType::RegularFile => self.keep_file(entry, path),
            FileType::Directory => {
                self.tree.folders.insert(path.to_owned());
                Ok(WalkStep::Into)
            }
            FileType::Symlink => {
                let Ok(target) = String::from_utf8(entry.link()?) else { return Ok(WalkStep::End) };
                self.tree.links.insert(path.to_owned(), target);
                Ok(WalkStep::Past)
            }
            // Sockets and pipes go with the programs that made them.
            _ => Ok(WalkStep::Past),
        }
    }
}

impl KeepingWalk<'_> {
    fn keep_file(&mut self, entry: &WalkedEntry<'_>, path: &str) -> io::Result<WalkStep> {
        self.n_bytes += entry.stat.st_size.cast_unsigned();
        if self.n_bytes > MOST_BYTES {
            return Ok(WalkStep::End);
        }
        if entry.stat.st_mode & 0o100 != 0 {
            self.tree.programs.insert(path.to_owned());
        }
        let stamp = FileStamp::of(entry.stat);
        let known = self.known.get(path).filter(|(known, _)| *known == stamp).map(|(_, digest)| *digest);
        let Some(digest) = known.map_or_else(|| self.take_down(entry), |digest| Ok(Some(digest)))? else {
            return Ok(WalkStep::End);
        };
        self.found.insert(path.to_owned(), (stamp, digest));
        Ok(WalkStep::Past)
    }

    /// What a file holds, once that is in the record; nothing where the record is broken.
    fn take_down(&mut self, entry: &WalkedEntry<'_>) -> io::Result<Option<Digest>> {
        let source: Arc<dyn FileSource> = Arc::new(OpenedFile(Arc::new(entry.open()?)));
        match self.record.file(&source) {
            Ok(handle) => Ok(Some(handle.digest())),
            Err(KeepError::File(why)) => Err(io::Error::other(why)),
            Err(KeepError::Record(broken)) => {
                self.broken = Some(broken);
                Ok(None)
            }
        }
    }
}

/// A file that is open: whatever becomes of its name, it is the one that was found.
#[derive(Debug)]
struct OpenedFile(Arc<File>);

struct OpenedReader {
    file: Arc<File>,
    at: u64,
}

impl FileSource for OpenedFile {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(OpenedReader { file: Arc::clone(&self.0), at: 0 }))
    }
}

impl Read for OpenedReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read_at(buffer, self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}

impl WorkTree {
    /// Puts everything back into an empty folder that nobody works in yet.
    pub(crate) fn put_back(&self, files: &FileSet, folder: &Path) -> io::Result<()> {
        for path in &self.folders {
            fs::create_dir_all(folder.join(path))?;
            give_away(&folder.join(path))?;
        }
        for (path, file) in files {
            let place = folder.join(path);
            let mut to = File::create(&place)?;
            file.copy_to(&mut to).map_err(io::Error::other)?;
            let mode = if self.programs.contains(path) { 0o755 } else { 0o644 };
            fs::set_permissions(&place, fs::Permissions::from_mode(mode))?;
            give_away(&place)?;
        }
        for (path, target) in &self.links {
            symlink(target, folder.join(path))?;
            give_away(&folder.join(path))?;
        }
        Ok(())
    }
}
