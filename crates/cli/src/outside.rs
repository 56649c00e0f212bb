//! Runs of one trial that takes place outside of the surface that we control: its verdict is marked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use quintain_agents::AgentSpec;
use quintain_agents::bridge::{Elsewhere, House, Outside, Proxy, Venue};
use quintain_agents::providers::Connections;
use quintain_core::world::WorldKind;
use quintain_core::{Agent, AgentError, Instance, Task, TrialId};
use quintain_runner::{Cast, Grid, RunOptions, plan};
use quintain_store::{AgentUsed, LimitOverrides, PlannedTrial, RunDir, RunHeader, Selection, StoreError, Suites};

use crate::args::Common;
use crate::commands::run::{now, suites_used};
use crate::commands::show::pick_of;
use crate::{cast, files, fingerprint, guest};

/// Who plays, in the run's records.
pub(crate) const OUTSIDE: &str = "outside";

/// One instance of one task, to be played outside.
pub(crate) struct Outing {
    suites: Suites,
    selections: Vec<Selection>,
    kind: Arc<dyn WorldKind>,
    pub(crate) instance: Instance,
}

impl Outing {
    /// What a user names: one task, with its preset and seed where they matter.
    pub(crate) fn of(text: &str, common: &Common) -> anyhow::Result<Self> {
        let suites = cast::suites(common)?;
        let mut selections = suites.select(text)?;
        let [selection] = selections.as_mut_slice() else {
            bail!("`{text}` names {} tasks\nhint: name one; `quintain list tasks` lists them", selections.len());
        };
        let pick = pick_of(selection);
        (selection.preset, selection.seed) = (pick.preset.clone(), pick.seed);
        let kind = Arc::clone(cast::world_of(&cast::worlds(common)?, &selection.task)?);
        let instance = kind.instantiate(&selection.task, &pick)?;
        Ok(Self { suites, selections, kind, instance })
    }

    pub(crate) fn task(&self) -> &Task {
        &self.selections[0].task
    }

    /// The name of its one trial.
    pub(crate) fn trial(&self) -> TrialId {
        TrialId { instance: self.instance.id.clone(), agent: OUTSIDE.to_owned(), repeat: 0 }
    }

    /// Everyone that takes part: the usual judges, the world as it is elsewhere, and the agent.
    pub(crate) fn cast(
        &self,
        venue: Arc<dyn Venue>,
        agent: impl Fn() -> Result<Box<dyn Agent + Send>, AgentError> + Send + Sync + 'static,
        common: &Common,
    ) -> anyhow::Result<Cast> {
        let elsewhere = Elsewhere::new(Arc::clone(&self.kind), venue);
        let cast = cast::without_agents(common)?.with_world(Arc::new(elsewhere));
        Ok(cast.with_agent(OUTSIDE, move |_context| agent()))
    }

    /// Makes the run that keeps the trial: under the given name, or the next free one that begins so.
    pub(crate) fn make_run(
        &self,
        name: Option<&str>,
        stem: &str,
        limits: LimitOverrides,
        cast: &Cast,
        common: &Common,
    ) -> anyhow::Result<RunDir> {
        let mut header = self.header(limits, common);
        let agents = [OUTSIDE.to_owned()];
        let grid = Grid { selections: &self.selections, seeds: &[], agents: &agents, repeats: 1 };
        let planned: Vec<PlannedTrial> = plan(&grid, cast)?;
        loop {
            header.name = name.map_or_else(|| files::free_name(stem, '-', common), str::to_owned);
            files::check_name(&header.name)?;
            let path: PathBuf = common.runs.join(&header.name);
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

    fn header(&self, limits: LimitOverrides, common: &Common) -> RunHeader {
        let mut header = RunHeader::new("", now());
        header.selectors = vec![self.instance.id.to_string()];
        header.suites = suites_used(&self.suites, &self.selections);
        header.agents =
            vec![AgentUsed { label: OUTSIDE.to_owned(), spec: guest::SPEC.to_owned(), ..AgentUsed::default() }];
        header.settings.outside = true;
        header.limits = limits;
        header.fingerprint = fingerprint::here(common, &self.selections);
        header
    }
}

/// One trial, one attempt, and as long as its limits allow.
pub(crate) fn options() -> RunOptions {
    RunOptions { n_workers: 1, max_attempts: 1, call_limit: Duration::from_hours(24), ..RunOptions::default() }
}

/// Whether a program that we only start plays in this run.
pub(crate) fn takes_part(header: &RunHeader) -> bool {
    header.agents.iter().any(|agent| matches!(agent.spec.parse(), Ok(AgentSpec::Outside { .. })))
}

/// What programs need that play by themselves: a server for their trials' addresses, and a way to models.
#[derive(Clone)]
pub(crate) struct Outdoors {
    house: Arc<House>,
    proxy: Proxy,
}

impl Outdoors {
    /// For a run; nothing where no such program plays.
    pub(crate) fn of(run: &RunDir, models: &Connections) -> anyhow::Result<Option<Self>> {
        if !takes_part(run.header()) {
            return Ok(None);
        }
        let catalogue = Arc::new(models.catalogue().clone());
        let exchanges = Arc::new(run.exchange_book());
        let proxy = Proxy::new(Arc::clone(models.meter()), catalogue, exchanges).map_err(anyhow::Error::msg)?;
        let proxy = proxy.rationed(Arc::clone(models.ration()));
        Ok(Some(Self { house: Arc::new(House::open(0)?), proxy }))
    }

    /// Lets a program play.
    pub(crate) fn join(&self, cast: Cast, label: &str, argv: &[String]) -> Cast {
        let (Self { house, proxy }, argv) = (self.clone(), argv.to_vec());
        cast.with_agent(label, move |context| {
            let (trial, attempt) = (context.trial.clone(), context.attempt);
            Ok(Box::new(Outside::new(argv.clone(), trial, attempt, Arc::clone(&house), proxy.clone())))
        })
    }
}
