//! Sandboxes of bubblewrap: what is inside, as the arguments of `bwrap`.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Write as _};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Instant;
use std::{env, fs};

use quintain_sandbox_init::PROGRAM;
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::process::geteuid;

use super::fault::SandboxFault;
use super::host_examination::{HostExamination, LimitEnforcement};
use super::layered_tree;
use super::open::OpenSandbox;
use super::plan::{SandboxPlan, SystemTree};
use super::provider::{Sandbox, SandboxCommand, SandboxProvider};
use super::resource_group::{self, GroupHome};
use super::seccomp;
use super::start::{FENCED, FencedStart};
use crate::options::SpawnOptions;
use crate::search_path::on_search_path;
use crate::swept_folder::NOBODY;

/// The variable that names another `bwrap`.
const BWRAP_VARIABLE: &str = "QUINTAIN_BWRAP";
/// The user and group that whoever is inside believes to be.
const INSIDE_USER: &str = "1000";
/// And where the system can be written in.
const INSIDE_ROOT: &str = "0";
/// The size of `/run` where it can be written in.
const RUN_BYTES: &str = "67108864";
/// Where the first program is inside.
const INIT: &str = "/run/sandbox-init";
/// The first number for descriptors that are handed over.
const FIRST_DESCRIPTOR: i32 = 10;
/// Folders and files of `/etc` that programs of Debian and its kin read and that say nothing about the host.
const ETC: [&str; 12] = [
    "alternatives",
    "fonts",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "mime.types",
    "magic",
    "R",
    "libreoffice",
    "ImageMagick-6",
    "java-17-openjdk",
    "ssl/openssl.cnf",
];
const PASSWD: &str = "root:x:0:0:root:/:/bin/false\nagent:x:1000:1000::/work:/bin/sh\n";
const GROUP: &str = "root:x:0:\nagent:x:1000:\n";
const HOSTS: &str = "127.0.0.1 localhost sandbox\n::1 localhost\n";

/// Makes sandboxes with bubblewrap.
#[derive(Clone, Debug)]
pub struct Bubblewrap {
    program: PathBuf,
}

impl Bubblewrap {
    /// The `bwrap` of this host.
    pub fn find() -> Result<Self, SandboxFault> {
        let named = env::var_os(BWRAP_VARIABLE).map(PathBuf::from);
        let missing = || {
            SandboxFault::Unavailable(format!(
                "`bwrap` was not found; install `bubblewrap`, or name it in {BWRAP_VARIABLE}"
            ))
        };
        let program = named.filter(|path| path.is_file()).or_else(|| on_search_path("bwrap")).ok_or_else(missing)?;
        Ok(Self { program })
    }

    /// The program that makes them.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A program behind the fence, to be started like any other. Its environment and its folder are the plan's.
    pub fn options(&self, plan: &SandboxPlan, argv: &[impl AsRef<OsStr>]) -> Result<SpawnOptions, SandboxFault> {
        let mut words: Vec<OsString> = vec!["run".into()];
        words.extend(argv.iter().map(|word| word.as_ref().to_owned()));
        self.fenced(plan, words)
    }

    /// The first program of a sandbox, told what to do.
    pub(super) fn fenced(&self, plan: &SandboxPlan, told: Vec<OsString>) -> Result<SpawnOptions, SandboxFault> {
        if let SystemTree::Layered(layered) = &plan.system {
            layered_tree::check(plan, layered)?;
        }
        self.line(plan, told).map_err(SandboxFault::broken)
    }

    fn line(&self, plan: &SandboxPlan, told: Vec<OsString>) -> io::Result<SpawnOptions> {
        let mut handed = GivenDescriptors::default();
        let (start, given) = FencedStart::new(plan)?;
        let mut line = BwrapLine::default();
        line.fixed(&plan.system);
        line.words(&["--info-fd", &handed.give(given.info), "--block-fd", &handed.give(given.go)]);
        for filter in seccomp::filters() {
            line.words(&["--add-seccomp-fd", &handed.give(memory_file(filter)?)]);
        }
        line.system(&plan.system)?;
        line.made_up(&plan.system, &mut handed)?;
        line.room(plan);
        if let Some(work) = &plan.work {
            line.word("--bind").word(there(&work.host)?).word(&work.inside);
        }
        for binding in &plan.bindings {
            line.word("--ro-bind").word(there(&binding.host)?).word(&binding.inside);
        }
        for (path, bytes) in &plan.files {
            line.words(&["--perms", "0444", "--ro-bind-data", &handed.give(memory_file(bytes)?)]).word(path);
        }
        for (port, socket) in &plan.relays {
            line.word("--ro-bind").word(there(socket)?).word(relay_socket(*port));
        }
        for masked in &plan.masked {
            if masked.is_dir() {
                line.words(&["--perms", "0555", "--tmpfs"]).word(masked).word("--remount-ro").word(masked);
            } else {
                line.words(&["--ro-bind", "/dev/null"]).word(masked);
            }
        }
        line.word("--dir").word(&plan.folder);
        line.closed(&plan.system);
        line.environment(plan);
        line.word("--chdir").word(&plan.folder);
        // Those inside can read the command line of their first process: what is of the host is not in it.
        let arguments = handed.give(memory_file(&line.packed())?);
        let options = SpawnOptions::new(&self.program).args(["--args", &arguments, "--", INIT]);
        let ready = handed.give(given.ready);
        let options = options.args(["--ready", &ready]).args(init_words(plan, start.has_group()));
        let mut options = options.args(told);
        if let SystemTree::Layered(layered) = &plan.system {
            options = options.mounted(layered.prepared(Some(NOBODY))?);
        } else if geteuid().is_root() && !plan.keeps_user {
            options = options.user(NOBODY);
        }
        Ok(options.only_env(NO_VARIABLES).descriptors(handed.0)?.fenced(start))
    }
}

const NO_VARIABLES: [(&str, &str); 0] = [];

impl SandboxProvider for Bubblewrap {
    fn examine(&self) -> Result<HostExamination, SandboxFault> {
        let unavailable = |fault: SandboxFault| match fault {
            SandboxFault::Broken(why) => SandboxFault::Unavailable(hinted(&why)),
            other => other,
        };
        let began = Instant::now();
        let mut sandbox = self.open(&SandboxPlan::default()).map_err(unavailable)?;
        sandbox.exec(&SandboxCommand::of(["/bin/true"])).map_err(unavailable)?;
        let start_millis = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        sandbox.close();
        let asked = SpawnOptions::new(&self.program).args(["--version"]).ask(FENCED, 100);
        Ok(HostExamination {
            provider: asked.map_err(SandboxFault::broken)?.output.trim().to_owned(),
            enforcement: match resource_group::home() {
                Some(GroupHome::Unified(_)) => LimitEnforcement::ControlGroup2,
                Some(GroupHome::Divided { .. }) => LimitEnforcement::ControlGroup1,
                None => LimitEnforcement::ProcessLimits,
            },
            filters_calls: !seccomp::filters().is_empty(),
            user: geteuid().is_root().then_some(NOBODY),
            start_millis,
        })
    }

    fn open(&self, plan: &SandboxPlan) -> Result<Box<dyn Sandbox>, SandboxFault> {
        Ok(Box::new(OpenSandbox::start(self, plan)?))
    }
}

/// Why `bwrap` usually fails, for whoever can change that.
fn hinted(why: &str) -> String {
    let is_forbidden = ["uid map", "No permissions to create", "namespace"].iter().any(|sign| why.contains(sign));
    let hint = "; unprivileged user namespaces seem to be off (`sysctl user.max_user_namespaces`, \
                `kernel.apparmor_restrict_unprivileged_userns`)";
    format!("{why}{}", if is_forbidden { hint } else { "" })
}

/// Descriptors of ours that `bwrap` is given, with their numbers there.
#[derive(Default)]
struct GivenDescriptors(Vec<(OwnedFd, i32)>);

impl GivenDescriptors {
    /// Its number, as an argument.
    fn give(&mut self, descriptor: OwnedFd) -> String {
        let number = FIRST_DESCRIPTOR + i32::try_from(self.0.len()).unwrap_or(i32::MAX);
        self.0.push((descriptor, number));
        number.to_string()
    }
}

/// The arguments of `bwrap`.
#[derive(Default)]
struct BwrapLine(Vec<OsString>);

impl BwrapLine {
    fn word(&mut self, word: impl AsRef<OsStr>) -> &mut Self {
        self.0.push(word.as_ref().to_owned());
        self
    }

    fn words(&mut self, words: &[&str]) -> &mut Self {
        self.0.extend(words.iter().map(OsString::from));
        self
    }

    fn fixed(&mut self, system: &SystemTree) {
        let user = if is_layered(system) { INSIDE_ROOT } else { INSIDE_USER };
        self.words(&["--unshare-all", "--unshare-user", "--disable-userns", "--uid", user, "--gid", user]);
        self.words(&["--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv"]);
    }

    /// The programs and libraries.
    fn system(&mut self, system: &SystemTree) -> io::Result<()> {
        let (top, names): (&Path, Vec<OsString>) = match system {
            SystemTree::Host => {
                let names = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32"].map(OsString::from);
                (Path::new("/"), names.into())
            }
            SystemTree::Tree(tree) => (tree, entries(tree)?),
            SystemTree::Layered(layered) => {
                self.word("--bind").word(layered.merged()).word("/");
                return Ok(());
            }
        };
        let own = ["proc", "dev", "sys", "run", "tmp"];
        for name in names.iter().filter(|name| !own.iter().any(|own| name == own)) {
            let (found, inside) = (top.join(name), Path::new("/").join(name));
            match fs::symlink_metadata(&found) {
                Ok(data) if data.is_symlink() => self.word("--symlink").word(fs::read_link(&found)?).word(inside),
                Ok(_) => self.word("--ro-bind").word(found).word(inside),
                // Not every system has all of them.
                Err(_) => self,
            };
        }
        if *system == SystemTree::Host {
            for name in ETC {
                let path = Path::new("/etc").join(name);
                self.word("--ro-bind-try").word(&path).word(&path);
            }
        }
        Ok(())
    }

    /// What is there in every sandbox: who one is, the first program, places to write.
    fn made_up(&mut self, system: &SystemTree, handed: &mut GivenDescriptors) -> io::Result<()> {
        self.words(&["--proc", "/proc", "--dev", "/dev"]);
        if is_layered(system) {
            // A mount, which those who may write beside it can neither change nor take away.
            self.words(&["--perms", "0755", "--size", RUN_BYTES, "--tmpfs", "/run"]);
            self.words(&["--perms", "0555", "--ro-bind-data", &handed.give(first_program()?), INIT]);
            return Ok(());
        }
        for (path, text) in [("/etc/passwd", PASSWD), ("/etc/group", GROUP), ("/etc/hosts", HOSTS)] {
            self.words(&["--perms", "0444", "--ro-bind-data", &handed.give(memory_file(text.as_bytes())?), path]);
        }
        self.words(&["--tmpfs", "/run", "--perms", "0555", "--file", &handed.give(first_program()?), INIT]);
        Ok(())
    }

    /// What cannot be written in once it is there.
    fn closed(&mut self, system: &SystemTree) {
        let closed: &[&str] = if is_layered(system) { &["/dev"] } else { &["/run", "/dev", "/"] };
        for place in closed {
            self.words(&["--remount-ro", place]);
        }
    }

    fn room(&mut self, plan: &SandboxPlan) {
        let bytes = plan.limits.tmp_bytes.to_string();
        self.words(&["--perms", "1777", "--size", &bytes, "--tmpfs", "/tmp"]);
        self.words(&["--perms", "1777", "--size", &bytes, "--tmpfs", "/dev/shm"]);
    }

    fn environment(&mut self, plan: &SandboxPlan) {
        let (path, home) = if is_layered(&plan.system) {
            ("/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "/root")
        } else {
            ("/usr/local/bin:/usr/bin:/bin:/usr/games", "/tmp")
        };
        let home = plan.work.as_ref().map_or(Path::new(home), |work| &work.inside);
        for (name, value) in [("PATH", path), ("LANG", "C.UTF-8"), ("TZ", "UTC")] {
            self.words(&["--setenv", name, value]);
        }
        self.words(&["--setenv", "HOME"]);
        self.word(home);
        for (name, value) in &plan.variables {
            self.words(&["--setenv", name, value]);
        }
    }

    /// As `--args` reads them.
    fn packed(&self) -> Vec<u8> {
        self.0.iter().flat_map(|word| word.as_bytes().iter().copied().chain([0])).collect()
    }
}

/// Whether whoever is inside may write everywhere, as root.
fn is_layered(system: &SystemTree) -> bool {
    matches!(system, SystemTree::Layered(_))
}

/// What the first program is told besides what to do. Limits of processes hold together with those of a group: where
/// there is none, each process alone may have as much as all together may.
fn init_words(plan: &SandboxPlan, has_group: bool) -> Vec<String> {
    let limits = &plan.limits;
    let mut set = vec![("core", 0), ("nofile", 4096), ("fsize", limits.file_bytes), ("nproc", limits.n_processes)];
    set.extend(limits.cpu_seconds.map(|seconds| ("cpu", seconds)));
    set.extend((!has_group).then_some(("data", limits.memory_bytes)));
    let limited = set.into_iter().map(|(name, number)| ["--limit".to_owned(), format!("{name}={number}")]);
    let relayed = plan.relays.keys().map(|port| ["--relay".to_owned(), format!("{port}={}", relay_socket(*port))]);
    limited.chain(relayed).flatten().collect()
}

/// Where the socket behind a port is inside.
fn relay_socket(port: u16) -> String {
    format!("/run/relay-{port}")
}

fn entries(folder: &Path) -> io::Result<Vec<OsString>> {
    fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.file_name())).collect()
}

/// A place of the host, if it is there: it is told better than `bwrap` does if it is not.
fn there(path: &Path) -> io::Result<&Path> {
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(path),
        Err(error) => Err(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
    }
}

/// Bytes as a file that is nowhere.
fn memory_file(bytes: &[u8]) -> io::Result<OwnedFd> {
    let mut file = File::from(memfd_create("sandbox", MemfdFlags::CLOEXEC)?);
    file.write_all(bytes)?;
    reopened(&file)
}

/// The first program, written once.
fn first_program() -> io::Result<OwnedFd> {
    static WRITTEN: LazyLock<io::Result<OwnedFd>> = LazyLock::new(|| memory_file(PROGRAM));
    match &*WRITTEN {
        Ok(file) => reopened(file),
        Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
    }
}

/// The same file, to be read from its start.
fn reopened(file: &impl AsRawFd) -> io::Result<OwnedFd> {
    Ok(File::open(format!("/proc/self/fd/{}", file.as_raw_fd()))?.into())
}
