//! The engine on NATS keeps the same promises as the one on a laptop, on one node and on three.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use quintain_fleet::jetstream::{EngineOptions, NatsEngine};
use quintain_fleet::{FleetLink, FleetNames};
use quintain_runner::engine::conformance::Ground;
use quintain_testkit::servers::Nats;

/// How long a lease lasts as the suite reckons, and as it does: a busy machine may keep a test from beating for a while.
const LEASE_FOR: Duration = Duration::from_millis(2500);
const REALLY_FOR: Duration = Duration::from_secs(4);

/// A fleet of its own on a server that all tests share.
struct Fleet {
    urls: String,
    name: String,
    replicas: usize,
}

impl Fleet {
    fn on(server: &'static OnceLock<Nats>, n_nodes: usize) -> Self {
        static N_FLEETS: AtomicU32 = AtomicU32::new(0);
        let urls = server.get_or_init(|| Nats::start(n_nodes)).urls();
        let name = format!("fleet{}", N_FLEETS.fetch_add(1, Ordering::Relaxed));
        Self { urls, name, replicas: n_nodes }
    }
}

impl Ground for Fleet {
    type Engine = NatsEngine;

    async fn open(&self) -> NatsEngine {
        let client = FleetLink::to(&self.urls, "tests").connect().await.expect("the server is there");
        let options = EngineOptions { lease_for: REALLY_FOR, replicas: self.replicas, ..EngineOptions::default() };
        NatsEngine::open(client, FleetNames::of(&self.name), options).await.expect("the engine opens")
    }

    async fn pass(&self, time: Duration) {
        tokio::time::sleep(time).await;
    }

    fn lease_for(&self) -> Duration {
        LEASE_FOR
    }
}

mod on_one_node {
    use super::*;

    static SERVER: OnceLock<Nats> = OnceLock::new();

    quintain_runner::conformance_suite!(Fleet::on(&SERVER, 1));
}

mod on_three_nodes {
    use super::*;

    static SERVER: OnceLock<Nats> = OnceLock::new();

    quintain_runner::conformance_suite!(Fleet::on(&SERVER, 3));
}
