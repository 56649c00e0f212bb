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
mod term;
#[cfg(test)]
mod trials;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_nats::Client;
use quintain_runner::engine::EngineError;
use quintain_store::archive::Archive;
use tokio::sync::watch;
use tokio::task::JoinSet;

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
    pub async fn serve(self, mut stop: watch::Receiver<bool>) -> Result<(), EngineError> {
        let steward = Arc::new(self);
        steward.options.metrics.ready();
        let seat =
            LeaderSeat::new(steward.client.clone(), &steward.names, &steward.options.name, steward.options.lives);
        while let Some(tenure) = steward.wait_for(&seat, &mut stop).await {
            steward.options.metrics.leads();
            steward.say("leads");
            steward.lead(&seat, &tenure, &mut stop).await;
            steward.options.metrics.waits();
            steward.say("no longer leads");
            if *stop.borrow() {
                return seat.leave(&tenure).await;
            }
        }
        Ok(())
    }

    /// Waits until the seat is free. Nothing means that it was told to stop.
    async fn wait_for(&self, seat: &LeaderSeat, stop: &mut watch::Receiver<bool>) -> Option<Tenure> {
        while !*stop.borrow() {
            match seat.take().await {
                Ok(Some(tenure)) => return Some(tenure),
                Ok(None) => {}
                Err(_) => self.options.metrics.engine_error(),
            }
            let pause = (self.options.lives / 10).min(Duration::from_secs(1));
            // A stop that nobody can give any more is as good as one that was given.
            if matches!(tokio::time::timeout(pause, stop.changed()).await, Ok(Err(_))) {
                return None;
            }
        }
        None
    }

    /// Leads until one of its parts cannot go on, or until told to stop.
    async fn lead(self: &Arc<Self>, seat: &LeaderSeat, tenure: &Tenure, stop: &mut watch::Receiver<bool>) {
        let mut parts = JoinSet::new();
        let (seat, kept) = (seat.clone(), tenure.clone());
        parts.spawn(async move { seat.keep(&kept).await });
        let term = LeaderTerm::new(Arc::clone(self), tenure.clone());
        parts.spawn(async move { term.tend().await });
        let (steward, heard) = (Arc::clone(self), tenure.clone());
        parts.spawn(async move { steward.answer(&heard).await });
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
    async fn answer(&self, tenure: &Tenure) {
        let answers = AnswerService {
            engine: Arc::clone(&self.engine),
            archive: self.archive.clone(),
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
