//! Programs that play by themselves and that we only start.

use std::sync::Arc;

use quintain_agents::AgentSpec;
use quintain_bridge::{LoopbackServer, Outside, Proxy};
use quintain_models::providers::Connections;
use quintain_runner::Cast;
use quintain_store::{RunDir, RunHeader};

/// Whether a program that we only start plays in this run.
pub fn takes_part(header: &RunHeader) -> bool {
    header.agents.iter().any(|agent| matches!(agent.spec.parse(), Ok(AgentSpec::Outside { .. })))
}

/// What programs need that play by themselves: a server for their trials' addresses, and a way to models.
#[derive(Clone)]
pub struct OutsideServices {
    house: Arc<LoopbackServer>,
    proxy: Proxy,
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
        Ok(Some(Self { house: Arc::new(LoopbackServer::open(0)?), proxy }))
    }

    /// Lets a program play.
    pub fn join(&self, cast: Cast, label: &str, argv: &[String]) -> Cast {
        let (Self { house, proxy }, argv) = (self.clone(), argv.to_vec());
        cast.with_agent(label, move |context| {
            let (trial, attempt) = (context.trial.clone(), context.attempt);
            Ok(Box::new(Outside::new(argv.clone(), trial, attempt, Arc::clone(&house), proxy.clone())))
        })
    }
}
