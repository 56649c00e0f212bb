//! What a recipe copies: found below its context by descriptors, put aside and hashed, before anything is built.
//!
//! Nothing is followed that could lead out of the context. What was hashed is what is copied, whatever becomes of the context
//! in the meantime.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use blake3::Hasher;
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, open, openat, readlinkat, statat};

use crate::fault::TreeFault;
use crate::recipe::{CopyStep, RecipeAction, TreeRecipe};

/// How much may be copied.
const MAX_BYTES: u64 = 8 << 30;
const MAX_FILES: u64 = 200_000;
const MAX_DEPTH: usize = 64;
const FOLDER: OFlags = OFlags::DIRECTORY.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// One source, put aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StagedSource {
    /// Its name, below the folder of all that is put aside.
    pub(crate) staged: String,
    /// What it is called in the context.
    pub(crate) name: String,
    /// Of a folder its contents are copied, of anything else itself.
    pub(crate) is_folder: bool,
}

/// All that a recipe copies: for each step its sources.
#[derive(Debug)]
pub(crate) struct ContextFiles {
    pub(crate) by_step: Vec<Vec<StagedSource>>,
    /// Of names, kinds, rights and bytes.
    pub(crate) digest: blake3::Hash,
}

impl ContextFiles {
    /// Puts aside into a folder what the steps of a recipe copy from a context.
    pub(crate) fn stage(recipe: &TreeRecipe, context: Option<&Path>, aside: &Path) -> Result<Self, TreeFault> {
        let mut stager = ContextStager { aside, hasher: Hasher::new(), bytes: 0, n_files: 0, n_staged: 0 };
        let mut by_step = Vec::new();
        for step in &recipe.steps {
            let RecipeAction::Copy(copy) = &step.action else {
                by_step.push(Vec::new());
                continue;
            };
            let fault = |what: String| TreeFault::Context { line: step.line, what };
            let context = context.ok_or_else(|| fault("there is no folder to copy from".to_owned()))?;
            let top = open(context, FOLDER, Mode::empty()).map_err(|error| TreeFault::io(context)(error.into()))?;
            by_step.push(stager.step(&top, copy).map_err(fault)?);
        }
        Ok(Self { by_step, digest: stager.hasher.finalize() })
    }
}

struct ContextStager<'a> {
    aside: &'a Path,
    hasher: Hasher,
    bytes: u64,
    n_files: u64,
    n_staged: usize,
}

impl ContextStager<'_> {
    fn step(&mut self, top: &OwnedFd, copy: &CopyStep) -> Result<Vec<StagedSource>, String> {
        let mut staged = Vec::new();
        for source in &copy.sources {
            let found = matches(top, source).map_err(|error| format!("{source}: {error}"))?;
            if found.is_empty() {
                return Err(format!("`{source}` is not in the context"));
            }
            for path in found {
                let source = self.source(top, &path, copy.mode).map_err(|error| format!("{path}: {error}"))?;
                staged.push(source);
            }
        }
        if staged.len() > 1 && !copy.target.ends_with('/') {
            return Err(format!("several files are copied into a folder: write `{}/`", copy.target));
        }
        Ok(staged)
    }

    fn source(&mut self, top: &OwnedFd, path: &str, mode: Option<u32>) -> io::Result<StagedSource> {
        let parts: Vec<&str> = path.split('/').filter(|part| *part != ".").collect();
        let staged = self.n_staged.to_string();
        self.n_staged += 1;
        let place = self.aside.join(&staged);
        let Some((name, above)) = parts.split_last() else {
            fs::create_dir(&place)?;
            self.contents(&open_beneath(top, &[])?, &place, mode, 0)?;
            return Ok(StagedSource { staged, name: String::new(), is_folder: true });
        };
        let folder = open_beneath(top, above)?;
        let is_folder = self.one(&folder, OsStr::new(name), &place, mode, 0)?;
        Ok(StagedSource { staged, name: (*name).to_owned(), is_folder })
    }

    /// Whether it is a folder.
    fn one(&mut self, folder: &OwnedFd, name: &OsStr, to: &Path, mode: Option<u32>, depth: usize) -> io::Result<bool> {
        self.n_files += 1;
        if self.n_files > MAX_FILES || depth > MAX_DEPTH {
            return Err(io::Error::other("there is too much in it to be copied"));
        }
        let stat = statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
        let kept = mode.unwrap_or(stat.st_mode & 0o1777);
        let kind = FileType::from_raw_mode(stat.st_mode);
        self.tell(kind, name.as_bytes(), kept);
        match kind {
            FileType::Directory => {
                fs::create_dir(to)?;
                self.contents(&openat(folder, name, FOLDER, Mode::empty())?, to, mode, depth + 1)?;
                // Read back by those who copy it further: what its owner could not read, root can.
                fs::set_permissions(to, fs::Permissions::from_mode(kept))?;
                return Ok(true);
            }
            FileType::RegularFile => self.file(folder, name, to, kept)?,
            FileType::Symlink => {
                let target = readlinkat(folder, name, Vec::new())?.into_bytes();
                self.tell(kind, &target, 0);
                symlink(OsStr::from_bytes(&target), to)?;
            }
            _ => return Err(io::Error::other("it is no file, no folder and no link")),
        }
        Ok(false)
    }

    fn contents(&mut self, folder: &OwnedFd, to: &Path, mode: Option<u32>, depth: usize) -> io::Result<()> {
        for name in names(folder)? {
            let inner = OsStr::from_bytes(&name);
            self.one(folder, inner, &to.join(inner), mode, depth)?;
        }
        self.tell(FileType::Unknown, b"", 0);
        Ok(())
    }

    fn file(&mut self, folder: &OwnedFd, name: &OsStr, to: &Path, mode: u32) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let mut from = File::from(openat(folder, name, flags, Mode::empty())?);
        let mut copy = File::create_new(to)?;
        let (mut n_bytes, mut chunk) = (0, vec![0; 64 << 10]);
        loop {
            let n_read = from.read(&mut chunk)?;
            if n_read == 0 {
                break;
            }
            n_bytes += n_read as u64;
            self.bytes += n_read as u64;
            if self.bytes > MAX_BYTES {
                return Err(io::Error::other("there is too much to be copied"));
            }
            self.hasher.update(&chunk[..n_read]);
            copy.write_all(&chunk[..n_read])?;
        }
        self.hasher.update(&n_bytes.to_le_bytes());
        copy.set_permissions(fs::Permissions::from_mode(mode))
    }

    /// With lengths, so that nothing can be taken for something else.
    fn tell(&mut self, kind: FileType, name: &[u8], mode: u32) {
        self.hasher.update(format!("{kind:?} {mode:o} {} ", name.len()).as_bytes());
        self.hasher.update(name);
    }
}

/// The paths that a pattern stands for, sorted.
fn matches(top: &OwnedFd, pattern: &str) -> io::Result<Vec<String>> {
    let mut found = vec![String::new()];
    for part in pattern.split('/') {
        let mut next = Vec::new();
        for above in &found {
            let path = |name: &str| if above.is_empty() { name.to_owned() } else { format!("{above}/{name}") };
            if !part.contains(['*', '?']) {
                next.push(path(part));
                continue;
            }
            let parts: Vec<&str> = above.split('/').filter(|part| !part.is_empty()).collect();
            // What is no folder has nothing in it.
            let Ok(folder) = open_beneath(top, &parts) else { continue };
            let names = names(&folder)?.into_iter().filter_map(|name| String::from_utf8(name).ok());
            next.extend(names.filter(|name| is_like(name, part)).map(|name| path(&name)));
        }
        found = next;
    }
    let is_there = |path: &String| {
        let parts: Vec<&str> = path.split('/').filter(|part| *part != ".").collect();
        let Some((name, above)) = parts.split_last() else { return true };
        open_beneath(top, above).is_ok_and(|folder| statat(&folder, *name, AtFlags::SYMLINK_NOFOLLOW).is_ok())
    };
    found.retain(is_there);
    Ok(found)
}

/// Whether a name is one of those that a pattern stands for.
fn is_like(name: &str, pattern: &str) -> bool {
    let (name, pattern): (Vec<char>, Vec<char>) = (name.chars().collect(), pattern.chars().collect());
    // Which beginnings of the name the pattern so far stands for.
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for sign in pattern {
        let mut next = vec![false; name.len() + 1];
        for length in 0..=name.len() {
            next[length] = match sign {
                '*' => reached[length] || length > 0 && next[length - 1],
                '?' => length > 0 && reached[length - 1],
                _ => length > 0 && reached[length - 1] && name[length - 1] == sign,
            };
        }
        reached = next;
    }
    reached[name.len()]
}

/// A folder below another, no part of whose path is a link.
pub(crate) fn open_beneath(top: &OwnedFd, parts: &[&str]) -> io::Result<OwnedFd> {
    let mut folder = top.try_clone()?;
    for part in parts {
        if ["", ".", ".."].contains(part) {
            return Err(io::Error::other("no path below the context"));
        }
        folder = openat(&folder, *part, FOLDER, Mode::empty())?;
    }
    Ok(folder)
}

fn names(folder: &OwnedFd) -> io::Result<Vec<Vec<u8>>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(folder)? {
        let name = entry?.file_name().to_bytes().to_vec();
        if name != b"." && name != b".." {
            names.push(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Whether a context has a list of files that would be left out elsewhere.
pub(crate) fn has_ignore_list(context: Option<&Path>) -> bool {
    context.is_some_and(|context| context.join(".dockerignore").exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn staged(context: &Path, lines: &str) -> Result<ContextFiles, String> {
        let recipe = TreeRecipe::read(&format!("FROM debian:12\n{lines}")).expect("a recipe");
        let aside = tempfile::tempdir().expect("a folder");
        ContextFiles::stage(&recipe, Some(context), aside.path()).map_err(|fault| fault.to_string())
    }

    #[test]
    fn patterns_stand_for_names() {
        for (name, pattern, is_one) in [
            ("a.txt", "*.txt", true),
            ("a.txt", "?.tx?", true),
            ("ab", "a*b*", true),
            ("ab", "b*", false),
            ("", "*", true),
        ] {
            assert_eq!(is_like(name, pattern), is_one, "{name} {pattern}");
        }
    }

    #[test]
    fn what_is_copied_stays_below_the_context_and_has_a_digest() {
        let above = tempfile::tempdir().unwrap();
        let context = above.path().join("context");
        fs::create_dir_all(context.join("app/inner")).unwrap();
        fs::write(above.path().join("secret"), "!").unwrap();
        fs::write(context.join("app/a.txt"), "a").unwrap();
        fs::write(context.join("app/b.txt"), "b").unwrap();
        symlink("..", context.join("up")).unwrap();
        symlink("../secret", context.join("link")).unwrap();
        let names = |lines: &str| {
            let files = staged(&context, lines).unwrap();
            files.by_step.concat().into_iter().map(|source| (source.name, source.is_folder)).collect::<Vec<_>>()
        };
        assert_eq!(names("COPY app/*.txt /x/"), [("a.txt".to_owned(), false), ("b.txt".to_owned(), false)]);
        assert_eq!(names("COPY . /x"), [(String::new(), true)]);
        assert_eq!(names("COPY link /x"), [("link".to_owned(), false)], "a link is copied as it is");
        assert!(staged(&context, "COPY up/secret /x").unwrap_err().contains("is not in the context"));
        assert!(staged(&context, "COPY up/* /x/").unwrap_err().contains("is not in the context"));
        assert_eq!(staged(&context, "COPY none /x").unwrap_err(), "line 2: `none` is not in the context");
        let digest = |lines: &str| staged(&context, lines).unwrap().digest;
        let before = digest("COPY app /x");
        assert_eq!(digest("COPY app /x"), before);
        assert_ne!(digest("COPY --chmod=700 app /x"), before);
        fs::write(context.join("app/b.txt"), "c").unwrap();
        assert_ne!(digest("COPY app /x"), before);
    }
}
