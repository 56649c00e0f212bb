//! Runs with an agent written in Python: the same runner, plan and record as `quintain run`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use quintain_core::limits::LimitOverrides;
use quintain_runner::RunSummary;
use quintain_store::RunDir;
use quintain_workshop::{HandedAgent, RunSettings, RunWatch, WorkSettings};

use crate::agent::handed;
use crate::error::{because, raised};
use crate::recorded::RecordedRun;
use crate::settings::{SourceFolders, UserSeeds, at_least_one, chosen_seeds, shown, workshop};

/// How often Python is asked whether somebody pressed Ctrl-C.
const LOOK_EVERY: Duration = Duration::from_millis(50);

type PlayResult = anyhow::Result<(RunDir, RunSummary)>;

/// Plays a run with an agent that is handed in.
#[pyfunction]
#[pyo3(signature = (tasks, agent, *, label, seeds, private, repeats, out, workers, attempts, show, steps, sources))]
#[expect(clippy::too_many_arguments, reason = "Python's keywords become arguments here")]
pub(crate) fn run(
    py: Python<'_>,
    tasks: Vec<String>,
    agent: &Bound<'_, PyAny>,
    label: Option<String>,
    seeds: Option<UserSeeds>,
    private: Option<PathBuf>,
    repeats: u32,
    out: Option<PathBuf>,
    workers: Option<usize>,
    attempts: u32,
    show: Option<Vec<String>>,
    steps: Option<u32>,
    sources: SourceFolders,
) -> PyResult<RecordedRun> {
    let agent = handed(agent, label)?;
    let (runs, name) = out.as_deref().map(place).transpose()?.unzip();
    let meant = || {
        anyhow::Ok(RunSettings {
            name,
            seeds: chosen_seeds(seeds, private.as_deref())?,
            repeats: at_least_one("repeats", repeats)?,
            settings: shown(show)?,
            limits: LimitOverrides {
                steps: steps.map(|n| at_least_one("steps", n)).transpose()?,
                ..LimitOverrides::default()
            },
            work: working(workers, attempts)?,
            ..RunSettings::of(tasks)
        })
    };
    let settings = meant().map_err(raised)?;
    let workshop = workshop(sources, runs)?;
    carry_out(py, move |watch| workshop.run(&settings, &agent, watch))
}

/// Goes on with a run whose agent was handed in.
#[pyfunction]
#[pyo3(signature = (run, agent, *, label, workers, attempts, sources))]
pub(crate) fn resume(
    py: Python<'_>,
    run: PathBuf,
    agent: &Bound<'_, PyAny>,
    label: Option<String>,
    workers: Option<usize>,
    attempts: u32,
    sources: SourceFolders,
) -> PyResult<RecordedRun> {
    let agent: HandedAgent = handed(agent, label)?;
    let working = working(workers, attempts).map_err(raised)?;
    let workshop = workshop(sources, None)?;
    carry_out(py, move |watch| workshop.resume(&run, working, &agent, watch))
}

/// How the work is done.
fn working(n_workers: Option<usize>, attempts: u32) -> anyhow::Result<WorkSettings> {
    Ok(WorkSettings { n_workers, max_attempts: at_least_one("attempts", attempts)? })
}

/// The folder that keeps the run, and its name in there.
fn place(out: &Path) -> PyResult<(PathBuf, String)> {
    let name = out.file_name().ok_or_else(|| because(format!("`{}` names no folder for a run", out.display())))?;
    let runs = out.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok((runs.to_owned(), name.to_string_lossy().into_owned()))
}

/// Has a run played by threads of its own, so that Python's main thread hears Ctrl-C: trials are then put down between
/// two turns. Who presses it a second time does not wait for that.
fn carry_out(py: Python<'_>, play: impl FnOnce(RunWatch<'_>) -> PlayResult + Send + 'static) -> PyResult<RecordedRun> {
    let stop = Arc::new(AtomicBool::new(false));
    let (told, mut hears) = channel();
    let stopped = Arc::clone(&stop);
    thread::spawn(move || {
        // Nobody hears it where Ctrl-C was pressed twice.
        drop(told.send(play(RunWatch { stop: &stopped, emit: &|_event| {}, say: &told_to_user })));
    });
    let mut pressed = None;
    let played = loop {
        match wait(py, &mut hears) {
            Some(played) => break played,
            None => match (py.check_signals(), &pressed) {
                (Ok(()), _) => {}
                (Err(error), None) => {
                    stop.store(true, Ordering::SeqCst);
                    pressed = Some(error);
                }
                (Err(again), Some(_)) => return Err(again),
            },
        }
    };
    let (run, _summary) = played.map_err(raised)?;
    pressed.map_or_else(|| Ok(RecordedRun::from(run)), Err)
}

/// What came of the run, if that is known within a moment.
fn wait(py: Python<'_>, hears: &mut Receiver<PlayResult>) -> Option<PlayResult> {
    match py.detach(move || hears.recv_timeout(LOOK_EVERY)) {
        Ok(played) => Some(played),
        Err(RecvTimeoutError::Timeout) => None,
        Err(RecvTimeoutError::Disconnected) => Some(Err(anyhow::anyhow!("the run broke off"))),
    }
}

/// Words that a person may want to know go where Python's own warnings go.
#[expect(clippy::print_stderr, reason = "a run in Python has no other place for words")]
fn told_to_user(words: &str) {
    eprintln!("{words}");
}
