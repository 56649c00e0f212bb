//! A large file goes in, is looked at, recorded, archived and pulled, and no process of ours ever holds much of it.
//!
//! Each part is played by a process of its own: this very test, started again, which tells at its end how much memory it
//! took at most. `QUINTAIN_FULL=1` makes the files 2 GiB each, as `just files` does.
#![expect(clippy::print_stdout, reason = "the proof tells what it found, and its parts tell it what they took")]

use std::fs::{self, File};
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use quintain_core::Task;
use quintain_core::variables;
use quintain_fleet::jetstream::ProcessRole;
use quintain_fleet::worker::{ArchiveAccess, work};
use quintain_runner::{Job, Ledger, RunOptions, run_here};
use quintain_store::archive::Archive;
use quintain_store::{RunDir, Suites};
use quintain_testkit::servers::Weed;
use quintain_testkit::{wait_long_for, workspace_files};
use tokio::runtime::Runtime;

use crate::files::{files_cast, hand_in, planned};
use crate::fleet::{Fleet, Served, connected, connected_as, options};

const CHILD: &str = variables::LARGE_TEST;
const RUN: &str = "large";
const LEASE: Duration = Duration::from_mins(1);

/// How large the files are, in MiB, and how much memory a process may take: less than one of them would.
fn sizes() -> (u32, u64) {
    if std::env::var_os(variables::FULL).is_some() { (2048, 300) } else { (160, 150) }
}

#[test]
fn a_large_file_takes_little_memory_on_its_way_through_a_directory() {
    if is_part() {
        return;
    }
    let fleet = Fleet::start(LEASE);
    let parts = Parts::of(&fleet, "directory", &[]);
    parts.play("laptop");
    parts.play("hand-in");
    parts.work(&fleet, "direct");
    parts.play("pull");
}

#[test]
fn a_large_file_takes_little_memory_on_its_way_through_a_bucket() {
    if is_part() {
        return;
    }
    let weed = Weed::start();
    let archive = Archive::open_with(&format!("s3://{}/large", weed.bucket), weed.environment()).unwrap();
    let fleet = Fleet::over(archive, tempfile::tempdir().unwrap(), LEASE);
    let _steward = Served::by_steward(&fleet);
    for how in ["direct", "signed"] {
        let parts = Parts::of(&fleet, &format!("bucket {how}"), &weed.environment());
        parts.play("hand-in");
        parts.work(&fleet, how);
        parts.play("pull");
        parts.clear();
    }
}

/// The parts of one way of a file.
struct Parts {
    test: &'static str,
    settings: Settings,
    environment: Vec<(&'static str, String)>,
}

/// What the processes are told: the server, the archive, a folder and the name of the run.
struct Settings {
    urls: String,
    archive: String,
    folder: PathBuf,
    run: String,
}

impl Parts {
    fn of(fleet: &Fleet, way: &str, environment: &[(&'static str, String)]) -> Self {
        let folder = fleet.folder.path().join(way.replace(' ', "-"));
        make_suite(&folder);
        let test = if environment.is_empty() { "a_directory" } else { "a_bucket" };
        let (archive, run) = (fleet.archive.url().to_owned(), format!("{RUN}-{}", way.replace(' ', "-")));
        let settings = Settings { urls: fleet.nats.urls(), archive, folder, run };
        Self { test, settings, environment: environment.to_vec() }
    }

    fn start(&self, part: &str) -> Child {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let test = format!("large::a_large_file_takes_little_memory_on_its_way_through_{}", self.test);
        command.args([test.as_str(), "--exact", "--nocapture"]).envs(self.environment.iter().cloned());
        command.env(CHILD, format!("{part} {}", self.settings.line()));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    }

    fn play(&self, part: &str) {
        let child = self.start(part);
        self.ended(part, child);
    }

    /// A worker, until the one trial is done.
    fn work(&self, fleet: &Fleet, how: &str) {
        let child = self.start(how);
        wait_long_for("the trial", Duration::from_mins(20), || fleet.n_done(&self.settings.run) >= 1);
        self.ended(how, child);
    }

    /// Waits for a process, which ends when nobody has anything to say to it any more, and looks at its memory.
    fn ended(&self, part: &str, mut child: Child) {
        drop(child.stdin.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{part}: {said}");
        let peak = said.lines().find_map(|line| line.strip_prefix("peak MiB: ")).unwrap();
        let (mebibytes, most) = sizes();
        println!("{}: {part}: {mebibytes} MiB passed, {peak} MiB of memory at most", self.settings.run);
        assert!(peak.parse::<u64>().unwrap() < most, "{part} took {peak} MiB");
    }

    fn clear(&self) {
        fs::remove_dir_all(&self.settings.folder).unwrap();
    }
}

impl Settings {
    fn line(&self) -> String {
        [&self.urls, &self.archive, self.folder.to_str().unwrap(), &self.run].map(ToString::to_string).join(" ")
    }

    fn read(line: &str) -> Self {
        let [urls, archive, folder, run] = line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let (urls, archive, run) = (urls.to_owned(), archive.to_owned(), run.to_owned());
        Self { urls, archive, folder: folder.into(), run }
    }

    fn tasks(&self) -> Vec<Task> {
        Suites::from_dir(self.folder.join("suites")).unwrap().tasks("test").unwrap()
    }

    fn archive(&self) -> Archive {
        Archive::open(&self.archive).unwrap()
    }
}

/// A suite with one task, whose input and reference are as large as what is to be left.
fn make_suite(folder: &Path) {
    let (mebibytes, _) = sizes();
    let task = folder.join("suites/test/deliver");
    let mut files = workspace_files("deliver", mebibytes);
    files.remove("input/notes.txt");
    files.remove("reference/report.txt");
    for (path, bytes) in files {
        let path = task.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    for path in ["input/notes.txt", "reference/report.txt"] {
        fs::create_dir_all(task.join(path).parent().unwrap()).unwrap();
        File::create(task.join(path)).unwrap().set_len(u64::from(mebibytes) << 20).unwrap();
    }
}

/// Plays a part, if this process was started to do so, and tells how much memory it took.
fn is_part() -> bool {
    let Ok(line) = std::env::var(CHILD) else { return false };
    let (part, settings) = line.split_once(' ').unwrap();
    let settings = Settings::read(settings);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    match part {
        "laptop" => be_a_laptop(&settings),
        "hand-in" => {
            let (engine, _hosts) = connected(&runtime, &settings.urls, "hand-in", LEASE);
            let tasks = settings.tasks();
            runtime.block_on(hand_in(&settings.archive(), &engine, &settings.run, &tasks[0], 1));
        }
        "pull" => pull(&settings, &runtime),
        how => be_a_worker(how, &settings, &runtime),
    }
    println!("peak MiB: {}", peak_mebibytes());
    true
}

fn be_a_laptop(settings: &Settings) {
    let (tasks, cast) = (settings.tasks(), files_cast());
    let (header, plan) = planned("laptop", &tasks[0], 1);
    let run = RunDir::create(&settings.folder.join("laptop"), &header, &plan).unwrap();
    let (options, stop) = (RunOptions { n_workers: 1, ..RunOptions::default() }, AtomicBool::new(false));
    run_here(&Job { run: &run, tasks: &tasks, cast: &cast, options: &options, stop: &stop, emit: &|_| {} }).unwrap();
    let ledger = Ledger::of(&run).unwrap();
    assert!(ledger.entries[0].finished.verdict.solved, "{:?}", ledger.entries[0].finished.verdict);
    fs::remove_dir_all(run.path()).unwrap();
}

/// Works until nobody says anything any more.
fn be_a_worker(how: &str, settings: &Settings, runtime: &Runtime) {
    let name = format!("worker-{how}");
    let (access, role) = match how {
        "signed" => (ArchiveAccess::Signed, ProcessRole::Worker { name: name.clone() }),
        _ => (ArchiveAccess::Direct(settings.archive()), ProcessRole::Steward),
    };
    let (engine, hosts) = connected_as(role, runtime, &settings.urls, &name, LEASE);
    let mut options = options(&name, settings.folder.join("scratch"), LEASE);
    options.classes = vec!["workspace".to_owned()];
    let (cast, stop) = (files_cast(), AtomicBool::new(false));
    let casting = |_: &RunDir, _| Ok(cast.clone());
    thread::scope(|scope| {
        scope.spawn(|| {
            drop(stdin().read_to_end(&mut Vec::new()));
            stop.store(true, Ordering::SeqCst);
        });
        work(&options, engine, hosts, access, &casting, &stop, &|_| {}).unwrap();
    });
}

fn pull(settings: &Settings, runtime: &Runtime) {
    let to = settings.folder.join("pulled");
    runtime.block_on(settings.archive().run(&settings.run).unwrap().pull(&to, &mut |_| {})).unwrap();
    let run = RunDir::open(&to).unwrap();
    let record = run.trajectory(&run.attempts().unwrap()[0].place).unwrap();
    assert!(record.verdict().unwrap().solved, "{:?}", record.verdict());
    let files = run.files_of(&record.evidence().unwrap()).unwrap();
    assert_eq!(files["out/large.bin"].n_bytes(), u64::from(sizes().0) << 20);
    files["out/large.bin"].copy_to(&mut std::io::sink()).unwrap();
}

/// The most memory that this process ever took.
fn peak_mebibytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() >> 10
}
