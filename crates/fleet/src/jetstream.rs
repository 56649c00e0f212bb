//! The engine on NATS `JetStream`: any number of processes on any number of hosts share it.
//!
//! Units are registered in the stream `plan`, put on offer in parcels in the work queue `work`, and settled by the first
//! message on a unit's subject in `out`. Whoever is given a parcel is given a ticket for each unit in it; without it
//! nobody can hand in an outcome, so workers need no other trust. What one process holds it keeps in memory; everything
//! else is on the server, and a lease that dies with its process comes again.

mod assets;
mod commit;
mod direct;
mod fitting;
mod forget;
mod handle;
mod history;
mod holdings;
mod lease;
mod plan;
mod pull;
mod reading;
mod runs;
mod server;
mod steered;
mod tries;
mod wire;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use async_nats::Client;
use futures_util::StreamExt;
use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::{
    AttemptEnd, Committed, EndedAttempt, Engine, EngineError, Hold, Lease, LeaseOrder, Outcome, RecordedOutcome,
    Release, RunDirection, RunProgress, Unit,
};
use tokio::task::JoinHandle;

use crate::ask::UnitClaim;
use crate::hosts::{Host, Hosts};
use crate::names::FleetNames;
use crate::server_failure::failed;
use handle::LeaseHandle;
use holdings::{ClockMoment, QueueHoldings};
use plan::{LastSlice, Register};
use pull::Delivery;
use reading::SettledUnits;
use server::{MessagePut, QueueServer};
use wire::RunEntry;

pub use fitting::is_cut;
pub use wire::DirectionNotice;
pub(crate) use wire::heading;

/// How the engine is opened.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// How long a lease lasts without a beat.
    pub lease_for: Duration,
    /// On how many servers everything is kept.
    pub replicas: usize,
    /// What this process may do.
    pub role: ProcessRole,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { lease_for: Duration::from_mins(1), replicas: 1, role: ProcessRole::Steward }
    }
}

/// What a process may do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProcessRole {
    /// Everything: it makes what is missing on the server, and reads and writes all of it.
    Steward,
    /// Take work and hand in outcomes. What else it needs to know it asks the steward.
    Worker {
        /// Its name.
        name: String,
    },
}

/// The runs that do not go, as far as that was heard, and when.
type HaltedRuns = HashMap<String, (RunDirection, Instant)>;

/// The engine on a NATS server.
pub struct NatsEngine {
    server: QueueServer,
    names: FleetNames,
    options: EngineOptions,
    session: String,
    n_named: AtomicU64,
    holdings: Arc<Mutex<QueueHoldings>>,
    turned: Arc<Mutex<HaltedRuns>>,
    strays: Mutex<Vec<Delivery>>,
    parcel_sizes: Mutex<HashMap<String, usize>>,
    classes: Mutex<BTreeSet<String>>,
    entries: Mutex<HashMap<String, RunEntry>>,
    registers: tokio::sync::Mutex<HashMap<String, Register>>,
    last_slice: Mutex<LastSlice>,
    tallies: tokio::sync::Mutex<HashMap<String, SettledUnits>>,
    hosts: Hosts,
    listed: tokio::sync::Mutex<Option<(ClockMoment, Vec<Host>)>>,
    ears: JoinHandle<()>,
}

impl NatsEngine {
    /// Opens the engine of a fleet. What is missing on the server is made, if the role allows it.
    pub async fn open(client: Client, names: FleetNames, options: EngineOptions) -> Result<Self, EngineError> {
        let server = QueueServer::new(client.clone());
        if options.role == ProcessRole::Steward {
            assets::make(&server, &names, options.replicas).await?;
        }
        let hosts = Hosts::open(client.clone(), names.clone()).await;
        let (holdings, turned) = (Arc::default(), Arc::default());
        let ears = listen(&client, &names, Arc::clone(&holdings), Arc::clone(&turned)).await?;
        let session = client.new_inbox().rsplit('.').next().unwrap_or_default().to_owned();
        Ok(Self {
            server,
            names,
            options,
            session,
            n_named: AtomicU64::new(0),
            holdings,
            turned,
            strays: Mutex::default(),
            parcel_sizes: Mutex::default(),
            classes: Mutex::default(),
            entries: Mutex::default(),
            registers: tokio::sync::Mutex::default(),
            last_slice: Mutex::default(),
            tallies: tokio::sync::Mutex::default(),
            hosts,
            listed: tokio::sync::Mutex::default(),
            ears,
        })
    }

    /// How long a lease lasts without a beat.
    pub fn lease_for(&self) -> Duration {
        self.options.lease_for
    }

    /// How a lease's unit is named to the steward.
    pub fn claim(&self, lease: &Lease) -> UnitClaim {
        UnitClaim { run: lease.run.clone(), idx: lease.key as u32, ticket: LeaseHandle::of(lease).ticket }
    }

    /// Keeps what was recorded of an attempt that is not over, for whoever continues it.
    pub async fn keep(&self, lease: &Lease, lines: Vec<u8>) -> Result<(), EngineError> {
        let claim = self.claim(lease);
        let subject = self.names.half(&claim.run, claim.idx, &claim.ticket);
        match self.server.put(subject, None, lines).await {
            MessagePut::At(_) => Ok(()),
            MessagePut::Refused => Err(failed("keep an unfinished attempt")("the server refuses it")),
            MessagePut::Unsure(why) => Err(failed("keep an unfinished attempt")(why)),
        }
    }

    /// What was kept of a unit's attempts that were not over, oldest first.
    pub async fn half(&self, lease: &Lease) -> Result<Vec<Vec<u8>>, EngineError> {
        self.kept(&self.claim(lease)).await
    }

    /// Puts back what was received and not handed out: more may come in a parcel than was asked for.
    pub async fn put_back_unopened(&self) -> Result<(), EngineError> {
        let unopened = self.holdings().take_unopened(None);
        self.put_down(&unopened).await
    }

    /// The same of one run only, which this process cannot play.
    pub async fn put_back_unopened_of(&self, run: &str) -> Result<(), EngineError> {
        let unopened = self.holdings().take_unopened(Some(run));
        self.put_down(&unopened).await
    }

    /// Forgets what was read of the server, which may have lost everything since, and makes what is missing there.
    pub async fn begin_anew(&self) -> Result<(), EngineError> {
        self.classes.lock().always().clear();
        self.entries.lock().always().clear();
        *self.last_slice.lock().always() = None;
        self.registers.lock().await.clear();
        self.tallies.lock().await.clear();
        assets::make(&self.server, &self.names, self.options.replicas).await
    }

    async fn put_down(&self, leases: &[Lease]) -> Result<(), EngineError> {
        let untouched = Release { delay: Duration::ZERO, end: AttemptEnd::PutDown, place: None };
        for lease in leases {
            self.release(lease, &untouched).await?;
        }
        Ok(())
    }

    fn holdings(&self) -> MutexGuard<'_, QueueHoldings> {
        self.holdings.lock().always()
    }

    fn direction_heard(&self, run: &str) -> RunDirection {
        self.turned.lock().always().get(run).map_or(RunDirection::Go, |(direction, _)| *direction)
    }

    /// A name that nobody else has.
    fn new_nonce(&self) -> String {
        format!("{}-{}", self.session, self.n_named.fetch_add(1, Ordering::Relaxed))
    }
}

impl Drop for NatsEngine {
    fn drop(&mut self) {
        self.ears.abort();
    }
}

impl Engine for NatsEngine {
    async fn enqueue(&self, units: &[Unit]) -> Result<u64, EngineError> {
        self.register(units).await
    }

    async fn lease(&self, order: &LeaseOrder) -> Result<Vec<Lease>, EngineError> {
        self.take(order).await
    }

    async fn beat(&self, leases: &[Lease]) -> Result<Vec<Hold>, EngineError> {
        Ok(self.keep_alive(leases).await)
    }

    async fn commit(&self, results: &[(Lease, Outcome)]) -> Result<Vec<Committed>, EngineError> {
        self.hand_in(results).await
    }

    async fn release(&self, lease: &Lease, release: &Release) -> Result<Hold, EngineError> {
        self.put_back(lease, release).await
    }

    async fn outcomes(&self, run: &str, from: u64, max: usize) -> Result<Vec<RecordedOutcome>, EngineError> {
        Ok(self.outcomes_of(run, from, max).await?.into_iter().map(|(_, recorded)| recorded).collect())
    }

    async fn attempts(&self, run: &str) -> Result<Vec<EndedAttempt>, EngineError> {
        self.attempts_of(run).await
    }

    async fn direct(&self, run: &str, direction: RunDirection) -> Result<(), EngineError> {
        self.turn(run, direction).await
    }

    async fn progress(&self, run: &str) -> Result<RunProgress, EngineError> {
        self.progress_of(run).await
    }
}

/// Hears when the direction of a run changes.
async fn listen(
    client: &Client,
    names: &FleetNames,
    holdings: Arc<Mutex<QueueHoldings>>,
    turned: Arc<Mutex<HaltedRuns>>,
) -> Result<JoinHandle<()>, EngineError> {
    let mut told = client.subscribe(names.control()).await.map_err(failed("listen to its fleet"))?;
    Ok(tokio::spawn(async move {
        while let Some(message) = told.next().await {
            if let Ok(turn) = serde_json::from_slice::<DirectionNotice>(&message.payload) {
                hear(&turn, &holdings, &turned);
            }
        }
    }))
}

fn hear(turn: &DirectionNotice, holdings: &Mutex<QueueHoldings>, turned: &Mutex<HaltedRuns>) {
    match turn.direction {
        RunDirection::Go => turned.lock().always().remove(&turn.run),
        direction => turned.lock().always().insert(turn.run.clone(), (direction, Instant::now())),
    };
    if turn.direction == RunDirection::Cancel {
        holdings.lock().always().end_run(&turn.run);
    }
}
