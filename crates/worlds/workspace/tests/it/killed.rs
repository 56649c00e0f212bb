//! Workspaces whose runner is killed go on with the files that they had.
//!
//! The test starts itself again as a child that plays, kills the child without warning, and starts another one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use quintain_core::action::Dialect;
use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judge, Judgement};
use quintain_core::task::TaskFiles;
use quintain_core::{
    Action, Agent, AgentError, Briefing, Digest, Reference, Reply, Rng, Score, Task, TrialEvent, Turn, variables,
};
use quintain_runner::{Cast, Grid, Job, RunOptions, plan, run_here};
use quintain_store::{AttemptSummary, RunDir, RunHeader, Selection};
use quintain_workspace::{Assignment, InputFiles, PreparedWork, WorkParameters, Workspace};
use serde_json::{Value, json};

const NAME: &str = "killed::files_are_as_they_were_after_the_last_recorded_turn";
const N_TURNS: u32 = 8;
const N_WORKERS: usize = 4;
/// How long the agent thinks about a turn: so long that most kills come between two turns and not while a workspace opens.
const THINKING: Duration = Duration::from_millis(15);
/// What runs in the background of every workspace, under a name of its own.
const BACKGROUND: &str = "sleep 86397";

/// Trials and kills: few in the gate, many in the full form.
fn size() -> (u64, u64) {
    if std::env::var_os(variables::FULL).is_some() { (500, 10) } else { (24, 3) }
}

/// Writes a line a turn.
struct Diary;

impl Assignment for Diary {
    fn name(&self) -> &'static str {
        "diary"
    }

    fn version(&self) -> u32 {
        1
    }

    fn prepare(&self, _parameters: &WorkParameters<'_>, rng: &mut Rng) -> Result<PreparedWork, String> {
        Ok(PreparedWork::of(json!({}), json!(rng.next_u64().to_string())))
    }

    fn inputs(&self, _plan: &Value) -> Result<InputFiles, String> {
        Ok(InputFiles::new())
    }

    fn solution(&self, _plan: &Value, _wrong_way: Option<&str>) -> Result<Vec<Action>, String> {
        Ok(Vec::new())
    }

    fn wrong_ways(&self) -> &'static [&'static str] {
        &[]
    }
}

/// Says what its turn wants, and remembers nothing.
struct Diarist;

impl Agent for Diarist {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        thread::sleep(THINKING);
        let step = turn.step_idx;
        let command = match step {
            0 => format!("{BACKGROUND} & mkdir -p a/b; echo 0 > a/b/diary; ln -s a/b/diary diary"),
            _ if step < N_TURNS => format!("echo {step} >> diary"),
            _ if step == N_TURNS => "cp diary output/diary; test -L diary && touch output/linked".to_owned(),
            _ => return Ok(said(&Action::Done)),
        };
        Ok(said(&Action::Shell { command }))
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}

fn said(action: &Action) -> Reply {
    let text = serde_json::to_string(action).expect("an action");
    Reply { dialect: Some(Dialect::Canonical), ..Reply::text(text) }
}

/// Every line once, in the order of the turns.
struct WholeDiary;

impl Judge for WholeDiary {
    fn judge(&self, ended: EndedTrial<'_>, _reference: &Reference) -> Result<Judgement, BrokenJudge> {
        let whole = (0..N_TURNS).map(|n| format!("{n}\n")).collect::<Vec<_>>().concat();
        let files = &ended.evidence.files;
        let holds = files.get("diary") == Some(&Digest::of(whole.as_bytes())) && files.contains_key("linked");
        Ok(Judgement { score: Score::of(holds), findings: Vec::new(), milestones: Vec::new() })
    }
}

fn task() -> Task {
    let toml = "[task]\nid = \"test/diary\"\ntitle = \"A diary\"\nversion = 1\ndifficulty = \"easy\"\n\
        [world]\nkind = \"workspace\"\napp = \"diary\"\nobserve = [\"text\"]\nact = [\"shell\"]\nclock = \"wall\"\n\
        [parameters.n]\nvalue = 1\n[result]\nkind = \"files\"\n[limits]\nsteps = 20\nminutes = 30\n\
        [chance]\nscore = 0.0\nwhy = \"lines are counted\"\n[[checks]]\nname = \"any\"\nkind = \"exact\"\nselector = \"answer\"\nexpect = 1\n";
    let files: TaskFiles = [("task.toml", toml), ("instruction.md", "Keep a diary.\n"), ("reference/canary.txt", "?")]
        .map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))
        .into();
    Task::from_files("test", &files).unwrap_or_else(|problems| panic!("{problems}"))
}

fn cast() -> Cast {
    Cast::judged_by(|_| Ok(Box::new(WholeDiary)))
        .with_world(Arc::new(Workspace::new(&[&Diary])))
        .with_agent("diarist", |_| Ok(Box::new(Diarist)))
}

/// What the child does: goes on with the run until it is over, or until it is killed.
fn play(folder: &Path) {
    let run = RunDir::open(&folder.join("run")).expect("a run");
    let options = RunOptions { n_workers: N_WORKERS, ..RunOptions::default() };
    let (tasks, cast, stop) = ([task()], cast(), AtomicBool::new(false));
    let job = Job { run: &run, tasks: &tasks, cast: &cast, options: &options, stop: &stop, emit: &|_| {} };
    assert_eq!(run_here(&job).expect("a run that ends").n_left, 0);
}

struct KilledRun {
    folder: PathBuf,
    n_trials: u64,
}

impl KilledRun {
    fn new(folder: &Path, n_trials: u64) -> Self {
        let selections = [Selection { task: task(), preset: None, seed: None, stretch: None }];
        let (seeds, agents) = ((0..n_trials).collect::<Vec<u64>>(), ["diarist".to_owned()]);
        let grid = Grid { selections: &selections, seeds: &seeds, agents: &agents, repeats: 1, after: &[] };
        let plan = plan(&grid, &cast()).expect("a plan");
        let header = RunHeader::new("ordeal", "2026-01-01T00:00:00Z");
        RunDir::create(&folder.join("run"), &header, &plan).expect("a run");
        Self { folder: folder.to_owned(), n_trials }
    }

    fn start(&self) -> Child {
        let mut command = Command::new(std::env::current_exe().expect("a test"));
        command.args([NAME, "--exact", "--nocapture"]).env(variables::WORKSPACE_KILL_TEST, &self.folder);
        command.stdout(Stdio::null()).spawn().expect("a child")
    }

    fn run(&self) -> RunDir {
        RunDir::open(&self.folder.join("run")).expect("a run")
    }

    fn n_turns(&self) -> usize {
        self.run().attempts().map_or(0, |attempts| attempts.iter().map(|attempt| attempt.n_turns as usize).sum())
    }

    /// How many attempts have no end and some turns.
    fn n_half_done(&self) -> usize {
        let is_half = |attempt: &&AttemptSummary| !attempt.finished && attempt.n_turns > 2;
        self.run().attempts().map_or(0, |attempts| attempts.iter().filter(is_half).count())
    }

    /// Lets a child play until it has recorded so many turns more and is in the midst of a trial, then kills it.
    fn kill_after(&self, n_more: usize) {
        let (wanted, n_before) = (self.n_turns() + n_more, self.n_half_done());
        let mut child = self.start();
        let deadline = Instant::now() + Duration::from_mins(5);
        while self.n_turns() < wanted || self.n_half_done() <= n_before {
            assert!(child.try_wait().expect("a child").is_none(), "the child ended before its kill");
            assert!(Instant::now() < deadline, "the child does not get on");
            thread::park_timeout(Duration::from_millis(5));
        }
        child.kill().expect("killed");
        assert!(!child.wait().expect("a child").success(), "the child ended by itself");
    }
}

/// How many programs of workspaces are there.
fn n_background() -> usize {
    let line = |entry: fs::DirEntry| fs::read(entry.path().join("cmdline")).unwrap_or_default();
    let wanted = BACKGROUND.replace(' ', "\0");
    let entries = fs::read_dir("/proc").expect("processes").flatten();
    entries.map(line).filter(|line| line.starts_with(wanted.as_bytes())).count()
}

#[test]
fn files_are_as_they_were_after_the_last_recorded_turn() {
    if let Some(folder) = std::env::var_os(variables::WORKSPACE_KILL_TEST) {
        return play(Path::new(&folder));
    }
    let (n_trials, n_kills) = size();
    let folder = tempfile::tempdir().expect("a folder");
    let killed = KilledRun::new(folder.path(), n_trials);
    // Half of the run is left after the last kill, so that no child comes to the end before its kill.
    let n_each = (n_trials * u64::from(N_TURNS) / 2 / n_kills) as usize;
    for _ in 0..n_kills {
        killed.kill_after(n_each);
    }
    assert!(killed.start().wait().expect("a child").success());
    let deadline = Instant::now() + Duration::from_mins(1);
    while n_background() > 0 {
        assert!(Instant::now() < deadline, "programs of workspaces outlive their runner");
        thread::park_timeout(Duration::from_millis(20));
    }
    let told = found(&killed);
    println!("{n_kills} kills: {told}");
}

/// Each trial counts once, is whole, and began anew only where nothing had been kept.
fn found(killed: &KilledRun) -> String {
    let run = killed.run();
    let attempts = run.attempts().expect("attempts");
    let mut solved = BTreeSet::new();
    let (mut n_put_back, mut n_half, mut n_continued) = (0, 0, 0);
    for attempt in &attempts {
        let record = run.read(&attempt.place).expect("a record");
        n_half += usize::from(!attempt.finished && attempt.n_turns > 1);
        n_continued += usize::from(attempt.continues.is_some());
        n_put_back += record.events.iter().filter(|event| matches!(event, TrialEvent::PutBack { .. })).count();
        if let Some(verdict) = record.verdict() {
            assert!(verdict.solved, "{}: {:?} {:?}", attempt.trial, verdict.ending, verdict.fault);
            assert!(solved.insert(attempt.trial.to_string()), "{} counts twice", attempt.trial);
            let whole = run.trajectory(&attempt.place).expect("a trajectory");
            assert_eq!(whole.n_turns() as u32, N_TURNS + 2, "{}", attempt.trial);
        }
    }
    assert_eq!(solved.len() as u64, killed.n_trials);
    assert!(
        n_put_back > 0,
        "no workspace was put back: {} attempts, {n_half} cut off, {n_continued} went on",
        attempts.len()
    );
    format!(
        "{} trials, {n_half} attempts cut off after a turn or more, {n_continued} went on, {n_put_back} put back",
        solved.len()
    )
}
