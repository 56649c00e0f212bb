//! The steward: sees to it that every outstanding trial is on offer, that outcomes reach the archive, that limits hold
//! across hosts, and answers what workers ask.
//!
//! Several may be started; one of them leads. Whatever it knows it reads anew when it takes over, so it may die at any
//! moment.

mod answers;
mod bits;
mod compactor;
mod done;
mod election;
pub mod feeder;
pub mod grants;
mod outcome_shelf;
pub mod overseer;
mod reconciler;
mod standing;
mod term;
#[cfg(test)]
mod trials;
mod troubles;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::Client;
use quintain_runner::engine::EngineError;
use quintain_store::archive::Archive;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::bond::{ArchiveBond, NotBound, bind};
use crate::hosts::Hosts;
use crate::jetstream::NatsEngine;
use crate::metrics::Metrics;
use crate::names::FleetNames;
use answers::AnswerService;
use election::{LeaderSeat, Tenure};
use term::LeaderTerm;

pub use election::leader;
pub use feeder::{Feeder, FeederPick, QueueDepth};
pub use grants::Grants;
pub use overseer::{Overseer, OverseerOptions, OverseerRound};
pub use troubles::RunTroubles;

/// How a steward goes about it.
#[derive(Clone)]
pub struct StewardOptions {
    /// Its name, as it is shown to people.
    pub name: String,
    /// How long it takes at most until another one leads when this one dies.
    pub lives: Duration,
    /// How often outcomes are written to the archive.
    pub compact_every: Duration,
    /// How often server and archive are compared. What was shipped and not handed in by then is handed in the next time.
    pub sweep_every: Duration,
    /// How offers are made.
    pub overseer: OverseerOptions,
    /// Where things are counted.
    pub metrics: Arc<Metrics>,
    /// Who is told what an operator may want to know.
    pub tell: Arc<dyn Fn(&str) + Send + Sync>,
}

impl Default for StewardOptions {
    fn default() -> Self {
        Self {
            name: format!("steward-{}", std::process::id()),
            lives: Duration::from_secs(10),
            compact_every: Duration::from_secs(10),
            sweep_every: Duration::from_mins(1),
            overseer: OverseerOptions::default(),
            metrics: Arc::default(),
            tell: Arc::new(|_| {}),
        }
    }
}

/// A steward, leading or waiting to lead.
pub struct Steward {
    engine: Arc<NatsEngine>,
    client: Client,
    names: FleetNames,
    hosts: Hosts,
    archive: Archive,
    grants: Arc<dyn Grants>,
    options: StewardOptions,
}

impl Steward {
    /// A steward that does nothing yet. The engine must be one that may do everything.
    pub async fn new(
        engine: Arc<NatsEngine>,
        client: Client,
        names: FleetNames,
        archive: Archive,
        grants: Arc<dyn Grants>,
        options: StewardOptions,
    ) -> Result<Self, EngineError> {
        let hosts = Hosts::create(client.clone(), names.clone(), 1).await?;
        Ok(Self { engine, client, names, hosts, archive, grants, options })
    }

    /// Waits until no other one leads, leads until it cannot or is told to stop, and so on. What fails is tried again for
    /// as long as it takes.
    pub async fn serve(self, mut stop: watch::Receiver<bool>) -> Result<(), NotBound> {
        let steward = Arc::new(self);
        steward.options.metrics.ready();
        let seat =
            LeaderSeat::new(steward.client.clone(), &steward.names, &steward.options.name, steward.options.lives);
        while let Some((tenure, bond)) = steward.wait_for(&seat, &mut stop).await? {
            steward.options.metrics.leads();
            steward.say("leads");
            steward.lead(&seat, &tenure, &bond, &mut stop).await;
            steward.options.metrics.waits();
            steward.say("no longer leads");
            if *stop.borrow() {
                return Ok(seat.leave(&tenure).await?);
            }
        }
        Ok(())
    }

    /// Waits until the seat is free. Nothing means that it was told to stop. A steward of another archive never leads.
    async fn wait_for(
        &self,
        seat: &LeaderSeat,
        stop: &mut watch::Receiver<bool>,
    ) -> Result<Option<(Tenure, ArchiveBond)>, NotBound> {
        let mut known = None;
        while !*stop.borrow() {
            match self.take(seat, &mut known).await {
                Ok(Some(led)) => return Ok(Some(led)),
                Ok(None) => {}
                Err(other @ NotBound::Other { .. }) => return Err(other),
                Err(_) => self.begin_anew().await,
            }
            let pause = (self.options.lives / 10).min(Duration::from_secs(1));
            // A stop that nobody can give any more is as good as one that was given.
            if matches!(tokio::time::timeout(pause, stop.changed()).await, Ok(Err(_))) {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Takes the seat if nobody has it, once it is sure that the archive is the fleet's. `known` is what was found before.
    async fn take(
        &self,
        seat: &LeaderSeat,
        known: &mut Option<ArchiveBond>,
    ) -> Result<Option<(Tenure, ArchiveBond)>, NotBound> {
        let told = ArchiveBond::of(&self.client, &self.names).await?;
        let bond = match told.filter(|told| Some(told) == known.as_ref()) {
            Some(same) => same,
            None => bind(&self.client, &self.names, &self.archive).await?,
        };
        *known = Some(bond.clone());
        Ok(seat.take().await?.map(|tenure| (tenure, bond)))
    }

    /// A server that lost everything has no seat to take: what is missing there is made again.
    async fn begin_anew(&self) {
        self.options.metrics.engine_error();
        drop(tokio::time::timeout(self.options.lives, self.engine.begin_anew()).await);
    }

    /// Leads until one of its parts cannot go on, or until told to stop.
    async fn lead(
        self: &Arc<Self>,
        seat: &LeaderSeat,
        tenure: &Tenure,
        bond: &ArchiveBond,
        stop: &mut watch::Receiver<bool>,
    ) {
        let mut parts = JoinSet::new();
        let (seat, kept) = (seat.clone(), tenure.clone());
        parts.spawn(async move { seat.keep(&kept).await });
        let term = LeaderTerm::new(Arc::clone(self), tenure.clone());
        parts.spawn(async move { term.tend().await });
        let (steward, heard, bond) = (Arc::clone(self), tenure.clone(), bond.clone());
        parts.spawn(async move { steward.answer(&heard, bond).await });
        let (steward, shared, told) = (Arc::clone(self), tenure.clone(), stop.clone());
        parts.spawn(async move { steward.share_out(&shared, told).await });
        while !*stop.borrow() && tenure.holds() {
            tokio::select! {
                changed = stop.changed() => if changed.is_err() { break },
                _ended = parts.join_next() => break,
            }
        }
        parts.shutdown().await;
    }

    /// Answers workers for as long as the tenure holds.
    async fn answer(&self, tenure: &Tenure, bond: ArchiveBond) {
        let answers = AnswerService {
            engine: Arc::clone(&self.engine),
            archive: self.archive.clone(),
            bond,
            hosts: self.hosts.clone(),
            grants: Arc::clone(&self.grants),
            metrics: Arc::clone(&self.options.metrics),
            slices: Mutex::default(),
        };
        while tenure.holds() {
            if answers.serve(&self.client, &self.names, tenure).await.is_err() {
                self.options.metrics.engine_error();
                tokio::time::sleep(self.options.lives / 20).await;
            }
        }
    }

    /// Shares out limits for as long as the tenure holds.
    async fn share_out(&self, tenure: &Tenure, stop: watch::Receiver<bool>) {
        while tenure.holds() && !*stop.borrow() {
            if self.grants.lead(stop.clone()).await.is_err() {
                self.options.metrics.engine_error();
            }
            tokio::time::sleep(self.options.lives / 20).await;
        }
    }

    fn say(&self, what: &str) {
        (self.options.tell)(what);
    }
}
