//! The steps of a recipe, done one after the other in a system that is seen over the base.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use quintain_process::SpawnOptions;
use quintain_process::sandbox::LayeredTree;
use rustix::fs::{Mode, OFlags, open, openat};

use crate::build_host::{BuildHost, HANDED};
use crate::context_files::{StagedSource, open_beneath};
use crate::fault::TreeFault;
use crate::recipe::{RecipeAction, RecipeStep, TreeRecipe};
use crate::tree_record::installed_packages;
use crate::watched_run::{BuildListener, BuildProgress, FailedRun, run};

/// What root may do in a build: own files, become the users of packages, and nothing to the host.
const POWERS: [&str; 9] = [
    "CAP_CHOWN",
    "CAP_DAC_OVERRIDE",
    "CAP_FOWNER",
    "CAP_FSETID",
    "CAP_KILL",
    "CAP_SETGID",
    "CAP_SETUID",
    "CAP_SETFCAP",
    "CAP_SYS_CHROOT",
];
/// Copies what was put aside, by the programs of the tree: links are followed as those inside see them, and none leads out.
const COPY: &str = r#"
target=$1; shift
while [ $# -gt 0 ]; do
    from=$1 name=$2 kind=$3; shift 3
    if [ "$kind" = folder ]; then
        mkdir -p "$target"; cd "$from"
        for entry in * .[!.]* ..?*; do
            if [ -e "$entry" ] || [ -L "$entry" ]; then cp -a -- "$entry" "$target/"; fi
        done
    else
        mkdir -p "${target%/*}/"
        if [ -d "$target" ]; then cp -a -- "$from" "$target/$name"; else cp -a -- "$from" "$target"; fi
    fi
done
"#;
/// What nobody needs who has no network, and what a sandbox covers.
const TIDY: &str = "rm -rf /var/lib/apt/lists/* /var/cache/apt/archives/*.deb /var/cache/apt/*.bin /tmp/* /tmp/.[!.]*";
/// The longest list of packages that is read.
const MAX_STATUS: u64 = 64 << 20;

/// A build under way.
pub(crate) struct TreeBuild<'a> {
    /// What runs a program in a system.
    pub(crate) bwrap: PathBuf,
    pub(crate) layered: LayeredTree,
    pub(crate) host: BuildHost,
    /// Where the files lie that are copied.
    pub(crate) aside: PathBuf,
    pub(crate) deadline: Instant,
    pub(crate) tell: &'a mut BuildListener<'a>,
}

/// What the steps so far have settled for the next.
struct BuildState {
    variables: BTreeMap<String, String>,
    folder: String,
}

impl TreeBuild<'_> {
    /// Does all steps, and tidies up.
    pub(crate) fn run(&mut self, recipe: &TreeRecipe, sources: &[Vec<StagedSource>]) -> Result<(), TreeFault> {
        let mut state = self.first_state();
        for (idx, (step, sources)) in recipe.steps.iter().zip(sources).enumerate() {
            let what = step.action.to_string();
            (self.tell)(BuildProgress::Step { number: idx + 1, n_steps: recipe.steps.len(), what: &what });
            let failed = |failed: FailedRun| TreeFault::Step {
                line: step.line,
                what: format!("{}: {}", shortened(&what), failed.what),
                last_words: failed.last_words,
            };
            self.step(step, sources, &mut state).map_err(failed)?;
        }
        let tidy = ["/bin/sh", "-c", TIDY].map(str::to_owned);
        self.inside(&tidy, &self.first_state()).map_err(|failed| TreeFault::Step {
            line: recipe.steps.last().map_or(1, |step| step.line),
            what: format!("tidying up afterwards: {}", failed.what),
            last_words: failed.last_words,
        })
    }

    /// As it is before the first step.
    fn first_state(&self) -> BuildState {
        BuildState { variables: self.base_variables(), folder: "/".to_owned() }
    }

    fn step(&mut self, step: &RecipeStep, sources: &[StagedSource], state: &mut BuildState) -> Result<(), FailedRun> {
        match &step.action {
            RecipeAction::Run(words) => self.inside(words, state),
            RecipeAction::Copy(copy) => {
                let mut words = ["/bin/sh", "-euc", COPY, "copy", &copy.target].map(str::to_owned).to_vec();
                for source in sources {
                    let kind = if source.is_folder { "folder" } else { "file" };
                    words.extend([format!("{HANDED}/copy/{}", source.staged), source.name.clone(), kind.to_owned()]);
                }
                self.inside(&words, &self.first_state())
            }
            RecipeAction::Variable(name, value) | RecipeAction::Argument(name, value) => {
                state.variables.insert(name.clone(), value.clone());
                Ok(())
            }
            RecipeAction::Folder(folder) => {
                let make = ["mkdir", "-p", "--", folder].map(str::to_owned);
                self.inside(&make, &self.first_state())?;
                state.folder.clone_from(folder);
                Ok(())
            }
        }
    }

    /// Runs a program in the system as it is so far.
    fn inside(&mut self, words: &[String], state: &BuildState) -> Result<(), FailedRun> {
        let fail = |error: std::io::Error| FailedRun { what: error.to_string(), last_words: Vec::new() };
        let none: [(&str, &str); 0] = [];
        let options = SpawnOptions::new(&self.bwrap).args(self.line(words, state)).only_env(none);
        let options = options.over(&self.layered).map_err(fail)?;
        run(options, self.deadline, self.tell)
    }

    fn line(&self, words: &[String], state: &BuildState) -> Vec<OsString> {
        let mut line: Vec<OsString> = vec!["--bind".into(), self.layered.merged().into(), "/".into()];
        let fixed = ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/run", "--unshare-pid", "--unshare-ipc"];
        line.extend(fixed.map(OsString::from));
        let fixed = ["--unshare-uts", "--hostname", "build", "--die-with-parent", "--new-session", "--clearenv"];
        line.extend(fixed.map(OsString::from));
        line.extend(["--cap-drop", "ALL"].map(OsString::from));
        line.extend(POWERS.iter().flat_map(|power| ["--cap-add".into(), OsString::from(power)]));
        let copied = (self.aside.clone(), format!("{HANDED}/copy"));
        for (host, inside) in self.host.files.iter().chain([&copied]) {
            line.extend(["--ro-bind".into(), host.clone().into_os_string(), inside.into()]);
        }
        for (name, value) in &state.variables {
            line.extend(["--setenv".into(), name.into(), OsString::from(value)]);
        }
        line.extend(["--chdir".into(), OsString::from(&state.folder), "--".into()]);
        line.extend(words.iter().map(OsString::from));
        line
    }

    /// What every program of a build has in its environment, besides what the recipe says.
    fn base_variables(&self) -> BTreeMap<String, String> {
        let mut variables = self.host.variables.clone();
        let own = [
            ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
            ("HOME", "/root"),
            ("LANG", "C.UTF-8"),
            ("DEBIAN_FRONTEND", "noninteractive"),
            // Images of Python let everybody install beside the system; Debian wants to be told that this is meant.
            ("PIP_BREAK_SYSTEM_PACKAGES", "1"),
            ("PIP_ROOT_USER_ACTION", "ignore"),
            ("PIP_NO_CACHE_DIR", "1"),
            ("PIP_DISABLE_PIP_VERSION_CHECK", "1"),
        ];
        variables.extend(own.map(|(name, value)| (name.to_owned(), value.to_owned())));
        variables
    }
}

/// The packages that a layer says are installed; nothing where it says nothing about that.
pub(crate) fn packages(root: &Path) -> Option<BTreeMap<String, String>> {
    let flags = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let top = open(root, flags, Mode::empty()).ok()?;
    let folder = open_beneath(&top, &["var", "lib", "dpkg"]).ok()?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(openat(&folder, "status", flags, Mode::empty()).ok()?);
    let mut status = Vec::new();
    file.take(MAX_STATUS).read_to_end(&mut status).ok()?;
    Some(installed_packages(&String::from_utf8_lossy(&status)))
}

/// Settles what every system has that was made here: it knows itself by one name, nobody else, and has the folders that
/// sandboxes cover.
pub(crate) fn settle_base(root: &Path) -> Result<(), TreeFault> {
    let files = [
        ("etc/hosts", "127.0.0.1 localhost sandbox\n::1 localhost\n"),
        ("etc/hostname", "sandbox\n"),
        ("etc/resolv.conf", ""),
    ];
    for folder in ["etc", "proc", "dev", "run", "tmp", "root"] {
        let folder = root.join(folder);
        fs::create_dir_all(&folder).map_err(TreeFault::io(&folder))?;
    }
    let tmp = root.join("tmp");
    fs::set_permissions(&tmp, fs::Permissions::from_mode(0o1777)).map_err(TreeFault::io(&tmp))?;
    for (name, text) in files {
        let path = root.join(name);
        // What was there may be a link, through which nothing is to be written.
        drop(fs::remove_file(&path));
        fs::write(&path, text).map_err(TreeFault::io(&path))?;
    }
    drop(fs::remove_file(root.join("etc/apt/apt.conf.d/99mmdebstrap")));
    Ok(())
}

fn shortened(what: &str) -> String {
    let short: String = what.chars().take(100).collect();
    if short.len() < what.len() { format!("{short}…") } else { short }
}
