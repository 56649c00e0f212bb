//! What is inside a sandbox.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::layered_tree::LayeredTree;

/// What a program in a sandbox sees and may use. Besides this there are a small `/dev`, a `/proc` of its own processes,
/// an empty `/tmp` and the few files of `/etc` that programs of the system read.
#[derive(Clone, Debug)]
pub struct SandboxPlan {
    /// The programs and libraries.
    pub system: SystemTree,
    /// What else of the host is seen, read-only, the later over the earlier and all over the work folder.
    pub bindings: Vec<Binding>,
    /// Small files that are there for it alone, read-only.
    pub files: BTreeMap<PathBuf, Vec<u8>>,
    /// Files and folders of what is seen that are covered by nothing.
    pub masked: Vec<PathBuf>,
    /// The one place whose files outlive it; nothing where there is none.
    pub work: Option<WorkFolder>,
    /// The whole environment, besides `PATH`, `HOME`, `LANG` and `TZ`, which it overrides.
    pub variables: BTreeMap<String, String>,
    /// The folder that programs begin in.
    pub folder: PathBuf,
    /// Ports of its own loopback, each leading to a socket of the host.
    pub relays: BTreeMap<u16, PathBuf>,
    /// What it may use.
    pub limits: SandboxLimits,
    /// Started by root it runs as root outside, without any of root's powers, and not as the user that owns nothing: for
    /// programs that lie where nobody else may read.
    pub keeps_user: bool,
}

/// Where the programs and libraries come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SystemTree {
    /// The `/usr` of this host, read-only.
    Host,
    /// A whole system in a folder, read-only.
    Tree(PathBuf),
    /// A whole system that whoever is inside may change as its `root`. Its `/tmp` and `/run` are covered by empty ones, its
    /// `/etc` is as it is. Only root can make it.
    Layered(LayeredTree),
}

/// Something of the host, seen inside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// What it is. Symbolic links on the way are followed, as the host sees them.
    pub host: PathBuf,
    /// Where it is seen.
    pub inside: PathBuf,
}

/// A folder of the host that can be written in, and how much of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkFolder {
    /// The folder of the host.
    pub host: PathBuf,
    /// Where it is seen.
    pub inside: PathBuf,
    /// How many bytes may be in it.
    pub max_bytes: u64,
    /// How many files and folders may be in it.
    pub max_files: u64,
}

/// What a sandbox may use. What each limit stops is what exceeds it, as far as the host lets us: see
/// [`super::LimitEnforcement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxLimits {
    /// The memory of all its processes, `/tmp` included.
    pub memory_bytes: u64,
    /// How many processes and threads there may be at once.
    pub n_processes: u64,
    /// How many thousandths of a core it may keep busy.
    pub cpu_millis: u64,
    /// How many seconds a core may work for any one of its processes; nothing where only the clock counts.
    pub cpu_seconds: Option<u64>,
    /// The size of `/tmp`.
    pub tmp_bytes: u64,
    /// The size of the largest file.
    pub file_bytes: u64,
}

impl Default for SandboxLimits {
    fn default() -> Self {
        Self {
            memory_bytes: 2 << 30,
            n_processes: 512,
            cpu_millis: 2000,
            cpu_seconds: None,
            tmp_bytes: 512 << 20,
            file_bytes: 4 << 30,
        }
    }
}

impl Default for SandboxPlan {
    fn default() -> Self {
        Self {
            system: SystemTree::Host,
            bindings: Vec::new(),
            files: BTreeMap::new(),
            masked: Vec::new(),
            work: None,
            variables: BTreeMap::new(),
            folder: PathBuf::from("/tmp"),
            relays: BTreeMap::new(),
            limits: SandboxLimits::default(),
            keeps_user: false,
        }
    }
}

impl Binding {
    /// Something that is seen where it is.
    pub fn in_place(path: impl AsRef<Path>) -> Self {
        Self { host: path.as_ref().to_owned(), inside: path.as_ref().to_owned() }
    }
}
