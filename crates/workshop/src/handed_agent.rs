//! Agents that a program brings along, rather than ones that a text names.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use anyhow::bail;
use quintain_core::{AgentIsolation, Event, Task};
use quintain_runner::{AgentMaker, Job, RunOptions, RunSummary, run_here};
use quintain_store::{AgentUsed, RunDir, RunHeader};

use crate::run_settings::{RunSettings, WorkSettings};
use crate::workshop::Workshop;
use crate::{guest, isolation, offers};

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

/// An agent that a program brings along.
pub struct HandedAgent {
    /// Its name in the trials' names.
    pub label: String,
    /// What it is, for the header of a run.
    pub about: String,
    /// Makes it for one attempt.
    pub make: AgentMaker,
}

impl HandedAgent {
    /// The agent as a run's header names it. Whoever hands it in has written it: its code runs in our own process.
    fn used(&self) -> AgentUsed {
        AgentUsed {
            label: self.label.clone(),
            spec: SPEC.to_owned(),
            version: Some(self.about.clone()),
            model: None,
            files: Vec::new(),
            isolation: Some(AgentIsolation::Unconfined),
        }
    }
}

/// Who looks on while a run is played, and may stop it.
#[derive(Clone, Copy)]
pub struct RunWatch<'a> {
    /// Set to put trials down between two turns.
    pub stop: &'a AtomicBool,
    /// Told everything that happens, from many threads.
    pub emit: &'a (dyn Fn(Event) + Sync),
    /// Told what a person may want to know.
    pub say: &'a (dyn Fn(&str) + Sync),
}

impl Workshop {
    /// Plays a run with an agent that is handed in, as `quintain run` plays one.
    pub fn run(
        &self,
        settings: &RunSettings,
        agent: &HandedAgent,
        watch: RunWatch<'_>,
    ) -> anyhow::Result<(RunDir, RunSummary)> {
        guest::check_label(&agent.label)?;
        let selections = self.select(settings, watch.say)?;
        let header = self.header(settings, vec![agent.used()], &selections)?;
        offers::check_tasks_of(&header.settings, &selections)?;
        let planned = self.plan(settings, &header, &selections, &self.judging()?)?;
        let dir = RunDir::create(&self.runs().join(&header.name), &header, &planned)?;
        let tasks: Vec<Task> = selections.into_iter().map(|selection| selection.task).collect();
        let summary = self.play_handed(&dir, &tasks, &settings.work.options(), agent, watch)?;
        Ok((dir, summary))
    }

    /// Goes on with a run whose agent was handed in, as `quintain resume` goes on with one.
    pub fn resume(
        &self,
        path: &Path,
        work: WorkSettings,
        agent: &HandedAgent,
        watch: RunWatch<'_>,
    ) -> anyhow::Result<(RunDir, RunSummary)> {
        let dir = RunDir::open(path)?;
        let labels: Vec<&str> = dir.header().agents.iter().map(|agent| agent.label.as_str()).collect();
        if labels != [agent.label.as_str()] {
            bail!("run `{}` is played by {}, not by `{}`", dir.header().name, labels.join(" and "), agent.label);
        }
        let tasks = self.tasks_for(&dir)?;
        let summary = self.play_handed(&dir, &tasks, &work.options(), agent, watch)?;
        Ok((dir, summary))
    }

    fn play_handed(
        &self,
        dir: &RunDir,
        tasks: &[Task],
        options: &RunOptions,
        agent: &HandedAgent,
        watch: RunWatch<'_>,
    ) -> anyhow::Result<RunSummary> {
        if let Some(warning) = isolation::unconfined(dir.header()) {
            (watch.say)(&format!("warning: agents {warning}"));
        }
        let mut cast = self.judging()?;
        cast.agents.insert(agent.label.clone(), AgentMaker::clone(&agent.make));
        let job = Job { run: dir, tasks, cast: &cast, options, stop: watch.stop, emit: watch.emit };
        Ok(run_here(&job)?)
    }
}
