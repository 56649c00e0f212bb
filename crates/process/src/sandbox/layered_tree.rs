//! A system that can be written in: trees that stay as they are, and over them a folder that takes what is changed.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, chown};
use std::path::{Path, PathBuf};
use std::{fs, fs::DirBuilder};

use rustix::process::geteuid;

use super::fault::SandboxFault;
use super::plan::SandboxPlan;
use crate::layered_root::LayeredRoot;
use crate::swept_folder::NOBODY;

/// What the kernel takes as options of one mount, with the zero at its end.
const MAX_OPTIONS: usize = 4096;

/// Trees that stay as they are, with a layer of changes over them. Whoever is inside is `root` there, and outside the user
/// that owns nothing: what they may change are the files of that user, which a tree therefore belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayeredTree {
    /// Whole systems in folders, the upper over the lower. The last is the lowest.
    pub trees: Vec<PathBuf>,
    /// A folder that the user that owns nothing can get to. What is changed is in its folder `upper`, and is found again by
    /// the next sandbox that is given it; one at a time.
    pub changes: PathBuf,
    /// How many bytes the changes may have.
    pub max_bytes: u64,
    /// How many files and folders may be among the changes, deletions included.
    pub max_files: u64,
}

impl LayeredTree {
    /// The folder of the changes: new files as they are, deletions as character devices of number zero.
    pub fn upper(&self) -> PathBuf {
        self.changes.join("upper")
    }

    /// Where the whole is seen, by those alone for whom it is mounted.
    pub fn merged(&self) -> PathBuf {
        self.changes.join("merged")
    }

    /// Makes the folders of the changes, and says how they are mounted.
    pub(crate) fn prepared(&self, user: Option<u32>) -> io::Result<LayeredRoot> {
        for (folder, mode) in [(self.upper(), 0o755), (self.changes.join("work"), 0o700), (self.merged(), 0o755)] {
            if !folder.is_dir() {
                DirBuilder::new().mode(mode).create(&folder)?;
                chown(&folder, Some(NOBODY), Some(NOBODY))?;
            }
        }
        let target = CString::new(self.merged().as_os_str().as_bytes())?;
        Ok(LayeredRoot { target, options: self.options()?, user })
    }

    /// Folders that are renamed are copied, and no file is there in part only: the changes alone say what was changed.
    fn options(&self) -> io::Result<CString> {
        let trees: io::Result<Vec<Vec<u8>>> = self.trees.iter().map(|tree| escaped(tree)).collect();
        let mut options = b"redirect_dir=off,metacopy=off,index=off,lowerdir=".to_vec();
        options.extend(trees?.join(&b':'));
        for (name, folder) in [("upperdir", self.upper()), ("workdir", self.changes.join("work"))] {
            options.extend(format!(",{name}=").into_bytes());
            options.extend(escaped(&folder)?);
        }
        if options.len() >= MAX_OPTIONS {
            return Err(io::Error::other(format!("the names of {} trees are too long together", self.trees.len())));
        }
        Ok(CString::new(options)?)
    }
}

/// Why a plan cannot be made here, if it cannot.
pub(super) fn check(plan: &SandboxPlan, layered: &LayeredTree) -> Result<(), SandboxFault> {
    if !geteuid().is_root() {
        return Err(SandboxFault::Unavailable(
            "only root can put a layer of changes over a tree; run it as root (`sudo`)".to_owned(),
        ));
    }
    let refused = |why: &str| Err(SandboxFault::Refused(why.to_owned()));
    if layered.trees.is_empty() {
        return refused("a layer of changes needs a tree below it");
    }
    if plan.keeps_user {
        return refused("whoever is root inside cannot be root outside as well");
    }
    Ok(())
}

/// A path as the options of a mount have it, where colons and commas mean something.
fn escaped(path: &Path) -> io::Result<Vec<u8>> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    let path = fs::canonicalize(path).map_err(named)?;
    let bytes = path.as_os_str().as_bytes();
    if bytes.contains(&b',') {
        // What divides options cannot be escaped on every kernel.
        return Err(io::Error::other(format!("{}: a comma in the name of a folder that is mounted", path.display())));
    }
    let special = |byte: u8| if matches!(byte, b':' | b'\\') { vec![b'\\', byte] } else { vec![byte] };
    Ok(bytes.iter().copied().flat_map(special).collect())
}
