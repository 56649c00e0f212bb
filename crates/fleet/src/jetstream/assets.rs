//! The streams, consumers and buckets of a fleet: a fixed number, whatever runs and hosts there are.

use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::kv;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use quintain_runner::engine::EngineError;

use super::server::QueueServer;
use crate::hosts::Hosts;
use crate::names::{FleetNames, token};
use crate::server_failure::failed;

/// How long unfinished attempts are kept.
const HALF_LIVES: Duration = Duration::from_hours(24);

/// How many units of a class may be leased at once, and how many workers may wait for one.
const MOST_LEASED: i64 = 100_000;
const MOST_WAITING: i64 = 20_000;

/// How long it is tried to make them: a cluster that has just been started does not take orders at once.
const WITHIN: Duration = Duration::from_secs(30);

/// Makes whatever is not there yet. What is made last tells that all is there.
pub(super) async fn make(server: &QueueServer, names: &FleetNames, replicas: usize) -> Result<(), EngineError> {
    let started = Instant::now();
    loop {
        let runs = server.context.get_stream(format!("KV_{}", names.bucket("runs"))).await;
        if runs.is_ok() {
            return Ok(());
        }
        match make_all(server, names, replicas).await {
            Err(_) if started.elapsed() < WITHIN => tokio::time::sleep(Duration::from_millis(200)).await,
            made => return made,
        }
    }
}

async fn make_all(server: &QueueServer, names: &FleetNames, replicas: usize) -> Result<(), EngineError> {
    for stream in streams(names, replicas) {
        server.context.get_or_create_stream(stream).await.map_err(failed("make its streams"))?;
    }
    Hosts::create(server.client.clone(), names.clone(), replicas).await?;
    let limits = names.bucket("limits");
    if server.context.get_key_value(&limits).await.is_err() {
        let limits = kv::Config { bucket: limits, history: 1, num_replicas: replicas, ..kv::Config::default() };
        server.context.create_key_value(limits).await.map_err(failed("make its buckets"))?;
    }
    let runs = kv::Config { bucket: names.bucket("runs"), history: 1, num_replicas: replicas, ..kv::Config::default() };
    server.context.create_key_value(runs).await.map_err(failed("make its buckets"))?;
    Ok(())
}

fn streams(names: &FleetNames, replicas: usize) -> Vec<Config> {
    let fleet = names.fleet();
    let stream = |name: &str, subject: String| Config {
        name: names.stream(name),
        subjects: vec![subject],
        storage: StorageType::File,
        num_replicas: replicas,
        allow_direct: true,
        ..Config::default()
    };
    let one_of_each = |name: &str, subject: String| Config {
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        ..stream(name, subject)
    };
    vec![
        stream("plan", format!("{fleet}.plan.*")),
        Config { retention: RetentionPolicy::WorkQueue, ..one_of_each("work", format!("{fleet}.work.*.*.*")) },
        one_of_each("out", format!("{fleet}.out.*.*.*")),
        Config { max_messages_per_subject: 1, ..stream("attempts", format!("{fleet}.att.*.*.*")) },
        Config { max_age: HALF_LIVES, ..stream("half", format!("{fleet}.half.*.*.*")) },
    ]
}

/// Makes the consumer of a class, from which its workers pull.
pub(super) async fn make_consumer(
    server: &QueueServer,
    names: &FleetNames,
    class: &str,
    lease_for: Duration,
) -> Result<(), EngineError> {
    let config = pull::Config {
        durable_name: Some(token(class)),
        filter_subject: format!("{}.work.{}.>", names.fleet(), token(class)),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lease_for,
        max_deliver: -1,
        max_ack_pending: MOST_LEASED,
        max_waiting: MOST_WAITING,
        ..pull::Config::default()
    };
    let made = server.context.create_consumer_on_stream(config, names.stream("work")).await;
    made.map(drop).map_err(failed("make a queue for a class of worlds"))
}
