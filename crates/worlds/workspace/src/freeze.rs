//! What an agent left, once nothing runs any more: regular files alone, under names that anybody can write, and only so many.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use quintain_core::files::{FileSource, is_safe_name};
use quintain_process::{FolderVisitor, SweptFolder, WalkStep, WalkedEntry, walk_folder};
use rustix::fs::{FileType, Mode, OFlags, open};

/// So many files are taken.
pub(crate) const MOST_FILES: usize = 100_000;
/// So many bytes are taken, all files together.
pub(crate) const MOST_BYTES: u64 = 8 << 30;
/// So deep folders are looked into.
const MOST_DEEP: usize = 32;
/// So much is told of a name.
const LONGEST_TOLD: usize = 200;
/// So many of those that are left out are named.
const MOST_NAMED: usize = 20;

/// What was left in a folder.
#[derive(Debug, Default)]
pub struct FrozenFiles {
    /// The files that are taken, by their path in the folder.
    pub files: BTreeMap<String, Arc<dyn FileSource>>,
    /// How many bytes they have.
    pub n_bytes: u64,
    /// What is not taken, and why; only the first are named.
    pub left_out: Vec<String>,
    /// How many are not taken.
    pub n_left_out: usize,
}

/// A file that lies in a folder, for as long as the folder is there.
#[derive(Debug)]
struct FrozenFile {
    path: PathBuf,
    _folder: Arc<SweptFolder>,
}

impl FileSource for FrozenFile {
    fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(Box::new(File::from(open(&self.path, flags, Mode::empty())?)))
    }

    fn path(&self) -> Option<&Path> {
        Some(&self.path)
    }
}

impl FrozenFiles {
    /// What is below a folder of a sandbox that is closed: nobody can change it any more.
    pub fn below(place: &Path, folder: &Arc<SweptFolder>) -> io::Result<Self> {
        let mut freezing = Freezing { frozen: Self::default(), place, folder };
        walk_folder(place, &mut freezing)?;
        Ok(freezing.frozen)
    }

    fn take_file(&mut self, path: String, place: PathBuf, n_bytes: u64, folder: &Arc<SweptFolder>) {
        if !is_safe_name(&path) || path.chars().any(char::is_control) {
            self.leave(&path, "its name is too long or cannot be printed");
        } else if self.files.len() >= MOST_FILES {
            self.leave(&path, "there are too many files");
        } else if self.n_bytes + n_bytes > MOST_BYTES {
            self.leave(&path, "there are too many bytes");
        } else if let Err(error) = rustix::fs::access(&place, rustix::fs::Access::READ_OK) {
            self.leave(&path, &format!("it cannot be read: {error}"));
        } else {
            self.n_bytes += n_bytes;
            self.files.insert(path, Arc::new(FrozenFile { path: place, _folder: Arc::clone(folder) }));
        }
    }

    fn leave(&mut self, path: &str, why: &str) {
        self.n_left_out += 1;
        if self.left_out.len() < MOST_NAMED {
            let path: String = path.chars().take(LONGEST_TOLD).filter(|c| !c.is_control()).collect();
            self.left_out.push(format!("{path}: {why}"));
        }
    }
}

/// Takes what is found.
struct Freezing<'a> {
    frozen: FrozenFiles,
    place: &'a Path,
    folder: &'a Arc<SweptFolder>,
}

impl FolderVisitor for Freezing<'_> {
    fn found(&mut self, entry: &WalkedEntry<'_>) -> io::Result<WalkStep> {
        let Some(path) = entry.path.to_str() else {
            self.frozen.leave(&entry.path.to_string_lossy(), "its name is no UTF-8");
            return Ok(WalkStep::Past);
        };
        match entry.kind {
            FileType::RegularFile => {
                let size = entry.stat.st_size.cast_unsigned();
                self.frozen.take_file(path.to_owned(), self.place.join(path), size, self.folder);
            }
            FileType::Directory if entry.depth < MOST_DEEP => return Ok(WalkStep::Into),
            FileType::Directory => self.frozen.leave(path, "it is nested too deep"),
            FileType::Symlink => self.frozen.leave(path, "it is a link"),
            _ => self.frozen.leave(path, "it is neither a file nor a folder"),
        }
        Ok(WalkStep::Past)
    }

    fn barred(&mut self, path: &Path, why: &io::Error) {
        self.frozen.leave(&path.to_string_lossy(), &format!("it cannot be looked into: {why}"));
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn only_regular_files_with_plain_names_are_taken() {
        let folder = Arc::new(SweptFolder::new("quintain-test-").unwrap());
        let output = folder.inner("output").unwrap();
        let at = |name: &str| output.join(name);
        fs::create_dir_all(at("a/b")).unwrap();
        fs::write(at("a/b/result.csv"), "x,y\n").unwrap();
        fs::write(at("empty"), "").unwrap();
        symlink("/etc/passwd", at("link")).unwrap();
        symlink("/etc", at("a/folder")).unwrap();
        let _socket = UnixListener::bind(at("socket")).unwrap();
        fs::write(output.join(OsStr::from_bytes(b"odd\xff")), "").unwrap();
        fs::write(at("line\nend"), "").unwrap();
        let frozen = FrozenFiles::below(&output, &folder).unwrap();
        assert_eq!(frozen.files.keys().collect::<Vec<_>>(), ["a/b/result.csv", "empty"]);
        let mut left = frozen.left_out.clone();
        left.sort();
        assert_eq!(
            left,
            [
                "a/folder: it is a link",
                "lineend: its name is too long or cannot be printed",
                "link: it is a link",
                "odd\u{fffd}: its name is no UTF-8",
                "socket: it is neither a file nor a folder",
            ]
        );
        let mut text = String::new();
        frozen.files["a/b/result.csv"].open().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!((text.as_str(), frozen.n_bytes), ("x,y\n", 4));
    }
}
