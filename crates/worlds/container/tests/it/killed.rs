//! Systems whose runner is killed go on with what was changed of them.
//!
//! The test starts itself again as a child that plays, kills the child without warning, and starts another one.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use quintain_container::HarborPlay;
use quintain_core::action::Dialect;
use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judge, Judgement};
use quintain_core::settings::Settings;
use quintain_core::world::OpenContext;
use quintain_core::{
    Action, Agent, AgentError, Briefing, Digest, FileHandle, Pick, Reference, Reply, Score, Task, TrialEvent, Turn,
    variables,
};
use quintain_harbor::into_suite;
use quintain_root_tree::TreeStore;
use quintain_runner::{Cast, Grid, Job, RunOptions, plan, run_here};
use quintain_store::{RunDir, RunHeader, Selection};
use rustix::process::geteuid;

use super::{WITHIN, build, tasks};

const NAME: &str = "killed::systems_are_as_they_were_after_the_last_recorded_turn";
const N_TURNS: u32 = 8;
const N_TRIALS: u64 = 8;
const N_KILLS: usize = 3;
/// How long the agent thinks about a turn: so long that most kills come between two turns and not while a system opens.
const THINKING: Duration = Duration::from_millis(40);

/// Writes a line a turn, deletes and replaces what was there, and goes to the next step halfway.
fn wanted(step_idx: u32) -> Action {
    let shell = |command: String| Action::Shell { command };
    match step_idx {
        0 => shell("sleep 86393 & mkdir -p /data/a; echo 0 > /data/a/diary; ln -s a/diary /data/link".to_owned()),
        1 => shell(
            "rm /usr/bin/awk; rm -r /usr/lib/python3.11/json; mkdir /usr/lib/python3.11/json; echo 1 >> /data/link"
                .to_owned(),
        ),
        4 => Action::call("next_step", []),
        step if step < N_TURNS => shell(format!("echo {step} >> /data/link; chmod 600 /data/a/diary")),
        _ => Action::Done,
    }
}

/// Does what its turn wants, and remembers nothing.
struct Diarist;

impl Agent for Diarist {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        thread::sleep(THINKING);
        let text = serde_json::to_string(&wanted(turn.step_idx)).expect("an action");
        Ok(Reply { dialect: Some(Dialect::Canonical), ..Reply::text(text) })
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}

/// What was left is looked at when all is over.
struct Patient;

impl Judge for Patient {
    fn judge(&self, _ended: EndedTrial<'_>, _reference: &Reference) -> Result<Judgement, BrokenJudge> {
        Ok(Judgement { score: Score::of(true), findings: Vec::new(), milestones: Vec::new() })
    }
}

struct KilledRun {
    folder: PathBuf,
    task: Task,
}

impl KilledRun {
    fn in_(folder: &Path) -> Self {
        let (_, task) = tasks().into_iter().find(|(_, task)| task.name == "two-drafts").expect("a task of two steps");
        let task = Task::from_folder("terminal", &into_suite("terminal", &task).expect("a folder")).expect("a task");
        Self { folder: folder.to_owned(), task }
    }

    fn prepare(&self) {
        let (folder, task) = tasks().into_iter().find(|(_, task)| task.name == "two-drafts").expect("a task");
        build(&self.trees(), &folder, &task);
        let selections = [Selection { task: self.task.clone(), preset: None, seed: None, stretch: None }];
        let agents = ["diarist".to_owned()];
        let grid = Grid { selections: &selections, seeds: &[0], agents: &agents, repeats: N_TRIALS as u32, after: &[] };
        let plan = plan(&grid, &self.cast()).expect("a plan");
        let header = RunHeader::new("ordeal", "2026-01-01T00:00:00Z");
        RunDir::create(&self.folder.join("run"), &header, &plan).expect("a run");
    }

    fn trees(&self) -> TreeStore {
        TreeStore::at(self.folder.join("trees"))
    }

    fn cast(&self) -> Cast {
        Cast::judged_by(|_| Ok(Box::new(Patient)))
            .with_world(HarborPlay::over(Some(self.trees())).world)
            .with_agent("diarist", |_| Ok(Box::new(Diarist)))
    }

    fn run(&self) -> RunDir {
        RunDir::open(&self.folder.join("run")).expect("a run")
    }

    fn play(&self) {
        let options = RunOptions { n_workers: 2, ..RunOptions::default() };
        let (run, tasks, cast, stop) = (self.run(), [self.task.clone()], self.cast(), AtomicBool::new(false));
        let job = Job { run: &run, tasks: &tasks, cast: &cast, options: &options, stop: &stop, emit: &|_| {} };
        assert_eq!(run_here(&job).expect("a run that ends").n_left, 0);
    }

    fn start(&self) -> Child {
        let mut command = Command::new(std::env::current_exe().expect("a test"));
        command.args([NAME, "--exact", "--nocapture"]).env(variables::WORKSPACE_KILL_TEST, &self.folder);
        command.stdout(Stdio::null()).spawn().expect("a child")
    }

    /// How many turns are recorded, and how many attempts are in the midst of theirs.
    fn n_recorded(&self) -> (usize, usize) {
        let attempts = self.run().attempts().unwrap_or_default();
        let n_half = attempts.iter().filter(|attempt| !attempt.finished && attempt.n_turns > 2).count();
        (attempts.iter().map(|attempt| attempt.n_turns as usize).sum(), n_half)
    }

    /// Lets a child play until it has recorded so many turns more and is in the midst of a trial, then kills it.
    fn kill_after(&self, n_more: usize) {
        let before = self.n_recorded();
        let mut child = self.start();
        let deadline = Instant::now() + Duration::from_mins(5);
        loop {
            let now = self.n_recorded();
            if now.0 >= before.0 + n_more && now.1 > before.1 {
                break;
            }
            assert!(child.try_wait().expect("a child").is_none(), "the child ended before its kill");
            assert!(Instant::now() < deadline, "the child does not get on");
            thread::park_timeout(Duration::from_millis(5));
        }
        child.kill().expect("killed");
        assert!(!child.wait().expect("a child").success(), "the child ended by itself");
    }

    /// What is left of a trial that nobody cuts off.
    fn undisturbed(&self) -> BTreeMap<String, Digest> {
        let offering = HarborPlay::over(Some(self.trees()));
        let instance = offering.world.instantiate(&self.task, &Pick::default()).expect("an instance");
        let settings = Settings::default();
        let mut world = offering.world.open_with(&instance, &OpenContext::of(&self.task, &settings)).expect("a world");
        for action in (0..N_TURNS).map(wanted) {
            world.apply(&action, WITHIN).expect("it is carried out");
        }
        let left = world.collect(WITHIN).expect("evidence").files;
        left.into_iter().map(|(path, file)| (path, FileHandle::of(file).expect("a file").digest())).collect()
    }
}

#[test]
fn systems_are_as_they_were_after_the_last_recorded_turn() {
    if !geteuid().is_root() {
        return;
    }
    if let Some(folder) = std::env::var_os(variables::WORKSPACE_KILL_TEST) {
        return KilledRun::in_(Path::new(&folder)).play();
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("rights");
    let killed = KilledRun::in_(folder.path());
    killed.prepare();
    // Half of the run is left after the last kill, so that no child comes to the end before its kill.
    let n_each = N_TRIALS as usize * N_TURNS as usize / 2 / N_KILLS;
    for _ in 0..N_KILLS {
        killed.kill_after(n_each);
    }
    assert!(killed.start().wait().expect("a child").success());
    println!("{N_KILLS} kills: {}", found(&killed));
}

/// Each trial counts once, and left what it leaves when nobody cuts it off.
fn found(killed: &KilledRun) -> String {
    let (run, wanted) = (killed.run(), killed.undisturbed());
    assert_eq!(wanted.keys().collect::<Vec<_>>(), ["step-1.tar", "step-2.tar"]);
    let (mut counted, mut n_put_back) = (BTreeSet::new(), 0);
    for attempt in run.attempts().expect("attempts") {
        let record = run.read(&attempt.place).expect("a record");
        n_put_back += record.events.iter().filter(|event| matches!(event, TrialEvent::PutBack { .. })).count();
        if record.verdict().is_some() {
            let evidence = record.evidence().expect("evidence");
            assert_eq!(evidence.files, wanted, "{}", attempt.trial);
            assert!(counted.insert(attempt.trial.to_string()), "{} counts twice", attempt.trial);
        }
    }
    assert_eq!(counted.len() as u64, N_TRIALS);
    assert!(n_put_back > 0, "no system was put back");
    format!("{} trials, {n_put_back} put back", counted.len())
}
