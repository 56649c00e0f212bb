//! A fleet as the command line reaches it.

pub(crate) mod bring;
pub(crate) mod follow;
pub(crate) mod hand_in;
pub(crate) mod look;
pub(crate) mod play;
pub(crate) mod probe;
pub(crate) mod status;

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use futures_util::{Stream, StreamExt};
use quintain_core::{Event, suggest};
use quintain_fleet::bond::{ArchiveBond, bind};
use quintain_fleet::jetstream::{EngineOptions, NatsEngine, ProcessRole};
use quintain_fleet::metrics::{self, Metrics, ServedMetrics};
use quintain_fleet::{Client, FleetLink, FleetNames, Hosts};
use quintain_runner::engine::steered::{RunStanding, SteeredEngine};
use quintain_store::StoreError;
use quintain_store::archive::{Archive, ArchiveError};
use tokio::runtime::Runtime;

use crate::args::FleetArgs;
use crate::printer::Printer;

/// How long a server may take to answer before it is said not to be there.
const WITHIN: Duration = Duration::from_secs(15);

/// A fleet that was reached.
pub(crate) struct Fleet {
    runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) names: FleetNames,
    pub(crate) engine: Arc<NatsEngine>,
    pub(crate) hosts: Hosts,
}

impl Fleet {
    /// Reaches a fleet as one who may do everything. What it needs on the server is made where it is not there yet.
    pub(crate) fn reach(args: &FleetArgs) -> anyhow::Result<Self> {
        Self::reach_as(args, &here(), ProcessRole::Steward)
    }

    /// The same in a role. A worker makes nothing.
    pub(crate) fn reach_as(args: &FleetArgs, name: &str, role: ProcessRole) -> anyhow::Result<Self> {
        let (link, runtime) = (link(args, name)?, runtime()?);
        let names = link.names();
        let options = EngineOptions { lease_for: lease_for(args), replicas: args.replicas.into(), role };
        let reached = async {
            let client = connect(&link).await?;
            let engine = NatsEngine::open(client.clone(), names.clone(), options).await?;
            let hosts = Hosts::open(client.clone(), names.clone()).await;
            anyhow::Ok((client, Arc::new(engine), hosts))
        };
        let (client, engine, hosts) = runtime.block_on(reached)?;
        Ok(Self { runtime, client, names, engine, hosts })
    }

    /// Waits for something.
    pub(crate) fn wait<T>(&self, something: impl Future<Output = T>) -> T {
        self.runtime.block_on(something)
    }

    /// Whether the server knows a run.
    pub(crate) async fn knows(&self, run: &str) -> anyhow::Result<bool> {
        Ok(self.engine.runs().await?.iter().any(|standing| standing.run == run))
    }

    /// The run of that name on the server.
    pub(crate) async fn standing(&self, run: &str) -> anyhow::Result<RunStanding> {
        let runs = self.engine.runs().await?;
        if let Some(standing) = runs.iter().find(|standing| standing.run == run) {
            return Ok(standing.clone());
        }
        let hint = suggest::hint(run, runs.iter().map(|standing| standing.run.as_str()));
        bail!("the fleet `{}` has no run `{run}`\nhint: {hint}", self.names.fleet())
    }

    /// What workers tell of a run, as they tell it.
    pub(crate) async fn events(&self, run: &str) -> anyhow::Result<impl Stream<Item = Vec<Event>> + use<>> {
        let heard = self.client.subscribe(self.names.events(run)).await.context("cannot listen to the run")?;
        Ok(heard.map(|message| serde_json::from_slice(&message.payload).unwrap_or_default()))
    }
}

/// How long a silent worker keeps what it was given.
pub(crate) fn lease_for(args: &FleetArgs) -> Duration {
    Duration::from_secs(args.lease.into())
}

/// What calls of servers run on.
pub(crate) fn runtime() -> anyhow::Result<Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.context("cannot start threads")
}

/// How the fleet's server is reached, from what was typed.
pub(crate) fn link(args: &FleetArgs, name: &str) -> anyhow::Result<FleetLink> {
    let Some(servers) = &args.nats else {
        bail!("no fleet is named\nhint: --nats URL, or set QUINTAIN_NATS; docs/fleet.md tells how to start one")
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if args.fleet.is_empty() || !args.fleet.chars().all(plain) {
        bail!("`{}` cannot name a fleet\nhint: letters, digits, `-` and `_`", args.fleet);
    }
    let mut link = FleetLink::to(servers, name);
    link.fleet.clone_from(&args.fleet);
    link.credentials.clone_from(&args.credentials);
    link.ca.clone_from(&args.ca);
    Ok(link)
}

/// Connects, and gives up on a server that says nothing at all.
pub(crate) async fn connect(link: &FleetLink) -> anyhow::Result<Client> {
    match tokio::time::timeout(WITHIN, link.connect()).await {
        Ok(connected) => Ok(connected?),
        Err(_late) => {
            bail!("the server at {} says nothing\nhint: is it a NATS server, and is the address right?", link.servers)
        }
    }
}

/// The address of the archive, which has to be named.
pub(crate) fn store_url(args: &FleetArgs) -> anyhow::Result<&str> {
    let Some(url) = &args.store else {
        bail!("no archive is named\nhint: --store URL, or set QUINTAIN_STORE: a folder that all hosts see, or s3://...")
    };
    Ok(url)
}

/// The archive, from what was typed. It has to be there.
pub(crate) fn archive(args: &FleetArgs) -> anyhow::Result<Archive> {
    Ok(Archive::open(store_url(args)?)?)
}

/// The archive of a fleet, for one who hands in runs: made where the fleet has none yet.
pub(crate) fn archive_of(fleet: &Fleet, args: &FleetArgs) -> anyhow::Result<Archive> {
    let archive = match archive(args) {
        Err(error) if is_absent(&error) => first_archive(fleet, args)?,
        found => found?,
    };
    fleet.wait(bind(&fleet.client, &fleet.names, &archive))?;
    Ok(archive)
}

fn is_absent(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(StoreError::Archive(ArchiveError::Absent { .. })))
}

/// Makes the archive of a fleet that has none. One that has one already has it elsewhere.
fn first_archive(fleet: &Fleet, args: &FleetArgs) -> anyhow::Result<Archive> {
    let url = store_url(args)?;
    match fleet.wait(ArchiveBond::of(&fleet.client, &fleet.names))? {
        Some(bond) => Err(bond.other(url, "which does not exist".to_owned(), &fleet.names).into()),
        None => Ok(Archive::make(url)?),
    }
}

/// Serves metrics where that is asked for, for as long as what is returned is kept.
pub(crate) fn serve_metrics(
    fleet: &Fleet,
    address: Option<&str>,
    metrics: &Arc<Metrics>,
    printer: Printer,
) -> anyhow::Result<Option<ServedMetrics>> {
    let Some(address) = address else { return Ok(None) };
    let served = fleet.wait(metrics::serve(address, Arc::clone(metrics)))?;
    printer.say(format!("metrics: http://{}/metrics", served.address));
    Ok(Some(served))
}

/// Who is here: the host and the process.
pub(crate) fn here() -> String {
    format!("{}-{}", host_name(), std::process::id())
}

/// The name of this host.
pub(crate) fn host_name() -> String {
    let told = std::fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let told = told.or_else(|| std::env::var("HOSTNAME").ok());
    told.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).unwrap_or_else(|| "host".to_owned())
}
