//! Programs that play by themselves and that we only start.

use std::sync::Arc;

use quintain_agents::AgentSpec;
use quintain_bridge::{LoopbackServer, Outside, OutsideHost, Proxy};
use quintain_models::providers::Connections;
use quintain_process::sandbox::{HostRelay, ProgramAccess};
use quintain_runner::Cast;
use quintain_store::{RunDir, RunHeader};

use crate::isolation::is_sandboxed;

/// Whether a program that we only start plays in this run.
pub fn takes_part(header: &RunHeader) -> bool {
    header.agents.iter().any(|agent| matches!(agent.spec.parse(), Ok(AgentSpec::Outside { .. })))
}

/// What programs need that play by themselves: a server for their trials' addresses, and a way to models.
#[derive(Clone)]
pub struct OutsideServices {
    house: Arc<LoopbackServer>,
    proxy: Proxy,
    /// The way to the server out of sandboxes, where there are such.
    relay: Option<Arc<HostRelay>>,
}

impl OutsideServices {
    /// For a run; nothing where no such program plays.
    pub fn of(run: &RunDir, models: &Connections) -> anyhow::Result<Option<Self>> {
        if !takes_part(run.header()) {
            return Ok(None);
        }
        let catalogue = Arc::new(models.catalogue().clone());
        let exchanges = Arc::new(run.exchange_book());
        let proxy = Proxy::new(Arc::clone(models.meter()), catalogue, exchanges).map_err(anyhow::Error::msg)?;
        let proxy = proxy.rationed(Arc::clone(models.ration()));
        let house = LoopbackServer::open(0)?;
        let has_sandboxes = run.header().agents.iter().any(is_sandboxed);
        let relay = has_sandboxes.then(|| HostRelay::to(house.port()).map(Arc::new)).transpose()?;
        Ok(Some(Self { house: Arc::new(house), proxy, relay }))
    }

    /// Lets a program play that may see so much.
    pub fn join(&self, cast: Cast, label: &str, argv: &[String], access: ProgramAccess) -> Cast {
        let (Self { house, proxy, relay }, argv) = (self.clone(), argv.to_vec());
        let relay = relay.filter(|_| access.is_sandbox());
        let host = OutsideHost { house, proxy, access, relay };
        cast.with_agent(label, move |context| {
            let (trial, attempt) = (context.trial.clone(), context.attempt);
            Ok(Box::new(Outside::new(argv.clone(), trial, attempt, host.clone())))
        })
    }
}
