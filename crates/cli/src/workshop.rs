//! What another front than the command line has to work with: the same suites, worlds, judges and runs.
//!
//! Options are given in the words of the command line and read by its own reader, so that they mean the same.

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::{anyhow, bail};
use clap::Parser;
use quintain_core::{Event, Task};
use quintain_runner::{AgentMaker, Cast, Grid, Job, RunOptions, RunSummary, plan, run_here};
use quintain_store::{AgentUsed, RunDir, RunHeader, Suites};

use crate::args::{Common, RunArgs, WorkingArgs};
use crate::commands::run;
use crate::diagnosis::offers;
use crate::printer::Printer;
use crate::{cast, guest};

/// How a run's header names an agent that was handed in.
pub(crate) const SPEC: &str = "handed";

/// Refuses to play a run whose agent only the program that handed it in can bring.
pub(crate) fn check_absence(header: &RunHeader) -> anyhow::Result<()> {
    match header.agents.iter().find(|agent| agent.spec == SPEC) {
        None => Ok(()),
        Some(agent) => bail!(
            "agent `{}` was handed in by a program and is not here\nhint: go on from there: `quintain.resume(run, agent)` in Python",
            agent.label
        ),
    }
}

/// The suites, worlds and judges that the options of every command give.
pub struct Workshop {
    common: Common,
}

/// An agent that a program brings along, rather than one that a text names.
pub struct Handed {
    /// Its name in the trials' names.
    pub label: String,
    /// What it is, for the header of a run.
    pub about: String,
    /// Makes it for one attempt.
    pub make: AgentMaker,
}

/// Who looks on while a run is played, and may stop it.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    /// Set to put trials down between two turns.
    pub stop: &'a AtomicBool,
    /// Told everything that happens, from many threads.
    pub emit: &'a (dyn Fn(Event) + Sync),
}

impl Workshop {
    /// From the options that every command takes, as they are typed: `--photos DIR`, `--suites DIR`.
    pub fn new(options: &[OsString]) -> anyhow::Result<Self> {
        Ok(Self { common: read::<Options>(options)?.common })
    }

    /// The suites.
    pub fn suites(&self) -> anyhow::Result<Suites> {
        cast::suites(&self.common)
    }

    /// Worlds, judges and verifiers; no agents.
    pub fn cast(&self) -> anyhow::Result<Cast> {
        cast::without_agents(&self.common)
    }

    /// Plays a run with an agent that is handed in, as `quintain run` plays one: what follows `run` is given as it is
    /// typed, without `--agent`.
    pub fn run(&self, words: &[OsString], agent: &Handed, watch: Watch<'_>) -> anyhow::Result<(RunDir, RunSummary)> {
        guest::check_label(&agent.label)?;
        let args = run_args(words)?;
        let suites = self.suites()?;
        let selections = run::select(&suites, &args, Printer { json: false, quiet: false })?;
        let about = Some(agent.about.clone());
        let used = AgentUsed { label: agent.label.clone(), spec: SPEC.to_owned(), version: about, model: None };
        let header = run::header(&args, vec![used], &suites, &selections, &self.common)?;
        offers::check_tasks_of(&header.settings, &selections)?;
        let agents = [agent.label.clone()];
        let grid = Grid { selections: &selections, seeds: &header.seeds, agents: &agents, repeats: header.repeats };
        let dir = RunDir::create(&self.common.runs.join(&header.name), &header, &plan(&grid, &self.cast()?)?)?;
        let tasks: Vec<Task> = selections.into_iter().map(|selection| selection.task).collect();
        let summary = self.play(&dir, &tasks, &run::options(&args.working), agent, watch)?;
        Ok((dir, summary))
    }

    /// Goes on with a run whose agent was handed in, as `quintain resume` goes on with one: how the work is done is given
    /// as it is typed, `--workers 2 --attempts 1`.
    pub fn resume(
        &self,
        path: &Path,
        words: &[OsString],
        agent: &Handed,
        watch: Watch<'_>,
    ) -> anyhow::Result<(RunDir, RunSummary)> {
        let options = run::options(&read::<ResumeWords>(words)?.working);
        let dir = RunDir::open(path)?;
        let labels: Vec<&str> = dir.header().agents.iter().map(|agent| agent.label.as_str()).collect();
        if labels != [agent.label.as_str()] {
            bail!("run `{}` is played by {}, not by `{}`", dir.header().name, labels.join(" and "), agent.label);
        }
        let tasks = run::tasks_for(&dir, &self.common)?;
        let summary = self.play(&dir, &tasks, &options, agent, watch)?;
        Ok((dir, summary))
    }

    fn play(
        &self,
        dir: &RunDir,
        tasks: &[Task],
        options: &RunOptions,
        agent: &Handed,
        watch: Watch<'_>,
    ) -> anyhow::Result<RunSummary> {
        let mut cast = self.cast()?;
        cast.agents.insert(agent.label.clone(), AgentMaker::clone(&agent.make));
        let job = Job { run: dir, tasks, cast: &cast, options, stop: watch.stop, emit: watch.emit };
        Ok(run_here(&job)?)
    }
}

/// The options of every command, without a command.
#[derive(Debug, Parser)]
#[command(name = "quintain", no_binary_name = true)]
struct Options {
    #[command(flatten)]
    common: Common,
}

/// What follows `quintain run`.
#[derive(Debug, Parser)]
#[command(name = "quintain run", no_binary_name = true)]
struct RunWords {
    #[command(flatten)]
    args: RunArgs,
}

/// What follows `quintain resume` and the name of a run.
#[derive(Debug, Parser)]
#[command(name = "quintain resume", no_binary_name = true)]
struct ResumeWords {
    #[command(flatten)]
    working: WorkingArgs,
}

/// Words, as the command line's own reader reads them.
fn read<P: Parser>(words: &[OsString]) -> anyhow::Result<P> {
    P::try_parse_from(words).map_err(|error| anyhow!("{}", error.render().to_string().trim_end()))
}

/// What follows `run`. The reader wants an agent's name: it is not used.
fn run_args(words: &[OsString]) -> anyhow::Result<RunArgs> {
    let agent = ["--agent", "idle"].map(OsString::from);
    Ok(read::<RunWords>(&[&agent, words].concat())?.args)
}
