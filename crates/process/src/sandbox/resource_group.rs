//! The memory, processes and cores of one sandbox, counted and limited by a control group of the kernel.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Once};
use std::thread;
use std::time::{Duration, Instant};

use super::plan::SandboxLimits;

/// What our groups are called, before the number of our process.
const PREFIX: &str = "quintain-";
/// How long the last process of a group that was killed may take to be gone.
const EMPTY_LIMIT: Duration = Duration::from_secs(5);
/// How often it is looked whether it is.
const LOOK_EVERY: Duration = Duration::from_millis(5);
/// The stretch of time over which the work of cores is counted.
const PERIOD_MICROS: u64 = 100_000;

/// Where groups can be made on this host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum GroupHome {
    /// One hierarchy for all: the folder in which groups are made.
    Unified(PathBuf),
    /// One hierarchy for each thing that is counted.
    Divided { memory: PathBuf, processes: PathBuf, cores: PathBuf },
}

/// One control group. Dropping it removes it; whoever was in it must have been killed.
#[derive(Debug)]
pub(super) struct ResourceGroup {
    folders: Vec<PathBuf>,
    /// The file that counts those who were killed for want of memory.
    kills: PathBuf,
}

/// Where groups can be made here; nothing where we may not.
pub(super) fn home() -> Option<&'static GroupHome> {
    static HOME: LazyLock<Option<GroupHome>> = LazyLock::new(|| {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
        candidates(&own, &mounts).into_iter().find(works)
    });
    HOME.as_ref()
}

impl ResourceGroup {
    /// A group with nobody in it; nothing where none can be made.
    pub(super) fn make(limits: &SandboxLimits) -> Option<Self> {
        static SWEPT: Once = Once::new();
        let home = home()?;
        SWEPT.call_once(|| home.sweep());
        Self::make_in(home, limits).ok()
    }

    fn make_in(home: &GroupHome, limits: &SandboxLimits) -> io::Result<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let name = format!("{PREFIX}{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let folders: Vec<PathBuf> = home.folders().iter().map(|folder| folder.join(&name)).collect();
        for folder in &folders {
            fs::create_dir(folder)?;
        }
        // From here on dropping it takes the folders away.
        let group = Self { kills: home.kills(&name), folders };
        for (path, value) in home.settings(&name, limits) {
            set(&path, &value)?;
        }
        Ok(group)
    }

    /// Puts a process into it, and with it whatever that starts.
    pub(super) fn add(&self, process: u32) -> io::Result<()> {
        self.folders.iter().try_for_each(|folder| set(&folder.join("cgroup.procs"), &process.to_string()))
    }

    /// How many of its processes were killed for want of memory.
    pub(super) fn n_killed(&self) -> u64 {
        let counted = fs::read_to_string(&self.kills).unwrap_or_default();
        let count = counted.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
        count.unwrap_or_default()
    }
}

impl Drop for ResourceGroup {
    fn drop(&mut self) {
        for folder in &self.folders {
            remove(folder);
        }
    }
}

/// Writes to a file that is there: in a folder that is no group there is none.
fn set(path: &Path, value: &str) -> io::Result<()> {
    fs::OpenOptions::new().write(true).open(path)?.write_all(value.as_bytes())
}

/// Removes a group as soon as nobody is in it any more. One that stays is swept by the next process of ours.
fn remove(folder: &Path) {
    let deadline = Instant::now() + EMPTY_LIMIT;
    while let Err(error) = fs::remove_dir(folder) {
        if error.kind() == io::ErrorKind::NotFound || Instant::now() > deadline {
            return;
        }
        thread::park_timeout(LOOK_EVERY);
    }
}

impl GroupHome {
    fn folders(&self) -> Vec<&Path> {
        match self {
            Self::Unified(folder) => vec![folder],
            Self::Divided { memory, processes, cores } => vec![memory, processes, cores],
        }
    }

    fn kills(&self, name: &str) -> PathBuf {
        match self {
            Self::Unified(folder) => folder.join(name).join("memory.events"),
            Self::Divided { memory, .. } => memory.join(name).join("memory.oom_control"),
        }
    }

    fn settings(&self, name: &str, limits: &SandboxLimits) -> Vec<(PathBuf, String)> {
        let quota = limits.cpu_millis * PERIOD_MICROS / 1000;
        let (memory_bytes, n_processes) = (limits.memory_bytes.to_string(), limits.n_processes.to_string());
        match self {
            Self::Unified(folder) => {
                let file = |file: &str| folder.join(name).join(file);
                let mut settings = vec![
                    (file("memory.max"), memory_bytes),
                    (file("pids.max"), n_processes),
                    (file("cpu.max"), format!("{quota} {PERIOD_MICROS}")),
                ];
                settings.extend(file("memory.swap.max").exists().then(|| (file("memory.swap.max"), "0".to_owned())));
                settings
            }
            Self::Divided { memory, processes, cores } => vec![
                (memory.join(name).join("memory.limit_in_bytes"), memory_bytes),
                (processes.join(name).join("pids.max"), n_processes),
                (cores.join(name).join("cpu.cfs_period_us"), PERIOD_MICROS.to_string()),
                (cores.join(name).join("cpu.cfs_quota_us"), quota.to_string()),
            ],
        }
    }

    /// Removes what processes of ours left that were killed.
    fn sweep(&self) {
        for folder in self.folders() {
            let found = fs::read_dir(folder).into_iter().flatten().flatten();
            for left in found.filter(|entry| entry.file_name().to_str().is_some_and(is_ownerless)) {
                // Somebody else may sweep at the same time.
                fs::remove_dir(left.path()).ok();
            }
        }
    }
}

fn is_ownerless(name: &str) -> bool {
    let owner = name.strip_prefix(PREFIX).and_then(|rest| rest.split_once('-')?.0.parse::<u32>().ok());
    owner.is_some_and(|owner| !Path::new(&format!("/proc/{owner}")).exists())
}

/// Whether a group with all its limits can be made there.
fn works(home: &GroupHome) -> bool {
    ResourceGroup::make_in(home, &SandboxLimits::default()).is_ok()
}

/// Where groups could be made, best first: beside or below our own group, in the hierarchies that are mounted.
fn candidates(own: &str, mounts: &str) -> Vec<GroupHome> {
    let path_in = |controller: &str| {
        own.lines().find_map(|line| {
            let (_number, rest) = line.split_once(':')?;
            let (controllers, path) = rest.split_once(':')?;
            controllers.split(',').any(|one| one == controller).then_some(path)
        })
    };
    let below = |mount: &str, path: &str| Path::new(mount).join(path.trim_start_matches('/'));
    let divided = |controller: &str| Some(below(mount_of(mounts, "cgroup", controller)?, path_in(controller)?));
    let mut homes = Vec::new();
    if let Some((mount, path)) = mount_of(mounts, "cgroup2", "").zip(path_in("")) {
        let own = below(mount, path);
        let beside = own.parent().filter(|parent| parent.starts_with(mount)).map(Path::to_owned);
        homes.extend([Some(own.clone()), beside].into_iter().flatten().map(GroupHome::Unified));
    }
    if let (Some(memory), Some(processes), Some(cores)) = (divided("memory"), divided("pids"), divided("cpu")) {
        homes.push(GroupHome::Divided { memory, processes, cores });
    }
    homes
}

/// Where a hierarchy is mounted: a file system of that kind that has that option.
fn mount_of<'a>(mounts: &'a str, kind: &str, option: &str) -> Option<&'a str> {
    mounts.lines().find_map(|line| {
        let mut words = line.split(' ');
        let (_device, place, found, options) = (words.next()?, words.next()?, words.next()?, words.next()?);
        let fits = found == kind && (option.is_empty() || options.split(',').any(|one| one == option));
        fits.then_some(place)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_made_where_this_process_is() {
        let unified =
            candidates("0::/user.slice/app.slice/a.scope\n", "cgroup2 /sys/fs/cgroup cgroup2 rw,nsdelegate 0 0\n");
        let folder = |path: &str| GroupHome::Unified(PathBuf::from(path));
        assert_eq!(
            unified,
            [folder("/sys/fs/cgroup/user.slice/app.slice/a.scope"), folder("/sys/fs/cgroup/user.slice/app.slice")]
        );
        let own = "9:name=systemd:/\n4:memory:/a/b\n3:pids:/\n2:cpu,cpuacct:/c\n";
        let mounts =
            "m /g/memory cgroup rw,memory 0 0\np /g/pids cgroup rw,pids 0 0\nc /g/cpu cgroup rw,cpu,cpuacct 0 0\n";
        let [GroupHome::Divided { memory, processes, cores }] = &candidates(own, mounts)[..] else {
            panic!("one hierarchy each")
        };
        assert_eq!(
            [memory, processes, cores].map(|path| path.to_str().unwrap()),
            ["/g/memory/a/b", "/g/pids/", "/g/cpu/c"]
        );
        assert_eq!(candidates("", ""), []);
    }

    #[test]
    fn what_nobody_owns_any_more_is_known_by_its_name() {
        assert!(!is_ownerless(&format!("{PREFIX}{}-3", std::process::id())));
        assert!(is_ownerless("quintain-4294967294-0"));
        assert!(!is_ownerless("quintain-x-0") && !is_ownerless("somebody-4294967294-0"));
    }
}
