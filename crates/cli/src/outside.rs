//! Runs of one trial that takes place outside of the surface that we control: its verdict is marked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use quintain_bridge::{OutsideSource, OutsideWorld};
use quintain_core::limits::LimitOverrides;
use quintain_core::{Agent, AgentError, Instance, Offering, Task, TrialId};
use quintain_runner::{Cast, Grid, RunOptions, plan};
use quintain_store::{PlannedTrial, RunDir, RunHeader, Selection, StoreError};
use quintain_workshop::{Workshop, WrongWord, check_name, fingerprint, now, suites_used};

use crate::commands::show::pick_of;
use crate::guest;

/// Who plays, in the run's records.
pub(crate) const OUTSIDE: &str = "outside";

/// One instance of one task, to be played outside.
pub(crate) struct OutsideTrial<'a> {
    workshop: &'a Workshop,
    selections: Vec<Selection>,
    pub(crate) instance: Instance,
}

impl<'a> OutsideTrial<'a> {
    /// What a user names: one task, with its preset and seed where they matter.
    pub(crate) fn of(text: &str, workshop: &'a Workshop) -> anyhow::Result<Self> {
        let mut selections = workshop.suites()?.select(text)?;
        let [selection] = selections.as_mut_slice() else {
            bail!(WrongWord(format!(
                "`{text}` names {} tasks\nhint: name one; `quintain list tasks` lists them",
                selections.len()
            )));
        };
        let pick = pick_of(selection);
        (selection.preset, selection.seed) = (pick.preset.clone(), pick.seed);
        let offerings = workshop.offerings()?;
        let instance = offerings.world_of(&selection.task)?.instantiate(&selection.task, &pick)?;
        Ok(Self { workshop, selections, instance })
    }

    pub(crate) fn task(&self) -> &Task {
        &self.selections[0].task
    }

    /// What is known of its kind of world.
    pub(crate) fn offering(&self) -> anyhow::Result<&Offering> {
        Ok(self.workshop.offerings()?.of(self.task())?)
    }

    /// The name of its one trial.
    pub(crate) fn trial(&self) -> TrialId {
        TrialId { instance: self.instance.id.clone(), agent: OUTSIDE.to_owned(), repeat: 0 }
    }

    /// Everyone that takes part: the usual judges, the world as it is elsewhere, and the agent.
    pub(crate) fn cast(
        &self,
        venue: Arc<dyn OutsideSource>,
        agent: impl Fn() -> Result<Box<dyn Agent + Send>, AgentError> + Send + Sync + 'static,
    ) -> anyhow::Result<Cast> {
        let elsewhere = OutsideWorld::new(Arc::clone(&self.offering()?.world), venue);
        let cast = self.workshop.judging()?.with_world(Arc::new(elsewhere));
        Ok(cast.with_agent(OUTSIDE, move |_context| agent()))
    }

    /// Makes the run that keeps the trial: under the given name, or the next free one that begins so.
    pub(crate) fn make_run(
        &self,
        name: Option<&str>,
        stem: &str,
        limits: LimitOverrides,
        cast: &Cast,
    ) -> anyhow::Result<RunDir> {
        let (workshop, mut header) = (self.workshop, self.header(limits)?);
        let agents = [OUTSIDE.to_owned()];
        let grid = Grid { selections: &self.selections, seeds: &[], agents: &agents, repeats: 1, after: &[] };
        let planned: Vec<PlannedTrial> = plan(&grid, cast)?;
        loop {
            header.name = name.map_or_else(|| workshop.free_name(stem, '-'), str::to_owned);
            check_name(&header.name)?;
            let path: PathBuf = workshop.runs().join(&header.name);
            match RunDir::create(&path, &header, &planned) {
                // Somebody else took the name in between: take the next.
                Err(StoreError::AlreadyThere(_)) if name.is_none() => {}
                Err(StoreError::AlreadyThere(_)) => {
                    bail!("run `{}` is already there\nhint: choose another --name", header.name)
                }
                made => return Ok(made?),
            }
        }
    }

    fn header(&self, limits: LimitOverrides) -> anyhow::Result<RunHeader> {
        let mut header = RunHeader::new("", now());
        header.selectors = vec![self.instance.id.to_string()];
        header.suites = suites_used(self.workshop.suites()?, &self.selections);
        header.agents = vec![guest::used(OUTSIDE)];
        header.settings.outside = true;
        header.limits = limits;
        header.fingerprint = fingerprint::here(self.workshop.offerings()?, &self.selections);
        Ok(header)
    }
}

/// One trial, one attempt, and as long as its limits allow.
pub(crate) fn options() -> RunOptions {
    RunOptions { n_workers: 1, max_attempts: 1, call_limit: Duration::from_hours(24), ..RunOptions::default() }
}
