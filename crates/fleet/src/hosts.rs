//! The hosts of a fleet: what each worker says of itself, and whether it is wished to drain.
//!
//! A worker writes its own entry (`$KV.<fleet>-hosts.<worker>`) and reads its own wish (a direct get of
//! `$KV.<fleet>-ctl.drain.<worker>`), and needs no other permission for either. An entry that is not written again within
//! [`LIVES`] is gone: who is listed is alive.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::jetstream::consumer::{DeliverPolicy, push};
use async_nats::jetstream::kv::{Config, Store};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, HeaderMap, StatusCode, Subscriber};
use futures_util::StreamExt;
use quintain_runner::engine::EngineError;
use serde::{Deserialize, Serialize};

use crate::names::{FleetNames, token};
use crate::server_failure::failed;

/// How long an entry lives when it is not written again.
pub const LIVES: Duration = Duration::from_mins(1);

/// How often a worker writes its entry again, unless its leases are short.
const LIST_EVERY: Duration = Duration::from_secs(5);

/// How often a worker whose leases last so long writes its entry again.
pub fn list_every(lease_for: Duration) -> Duration {
    LIST_EVERY.min(lease_for / 4)
}

/// A host that was not heard of for so long is silent: it may be dead, or cut off.
const SILENT_AFTER: Duration = Duration::from_secs(20);

/// How long a look at all hosts may take.
const WITHIN: Duration = Duration::from_secs(10);

/// A worker as it describes itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// What it can do.
    pub classes: Vec<String>,
    /// How many trials it plays at once.
    pub slots: usize,
    /// What it runs on: versions and builds, by name.
    pub fingerprint: BTreeMap<String, String>,
    /// The units that it holds.
    pub held: Vec<HeldUnit>,
    /// Whether it takes nothing new.
    pub draining: bool,
    /// Since when it works, in milliseconds since 1970.
    pub since: i64,
    /// The version of the program.
    pub version: String,
    /// Runs that it was given trials of and does not play for now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refuses: Vec<RefusedRun>,
    /// Names this start of it.
    #[serde(default)]
    pub session: String,
    /// When it was last heard of, in milliseconds since 1970 by the server's clock. Whoever lists hosts fills it in.
    #[serde(skip)]
    pub heard_ms: i64,
}

impl Host {
    /// Whether it was not heard of for so long that it may be dead, or cut off.
    pub fn is_silent(&self, now_ms: i64) -> bool {
        now_ms.saturating_sub(self.heard_ms) > SILENT_AFTER.as_millis() as i64
    }
}

/// A run that a worker does not play for now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedRun {
    /// The run.
    pub run: String,
    /// The class of its trials that are not played; nothing where none of the run are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Why, in a line.
    pub why: String,
}

/// A unit that a worker holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HeldUnit {
    /// The run.
    pub run: String,
    /// The unit's place in the plan.
    pub idx: u32,
    /// The number of the attempt.
    pub attempt: u32,
}

/// The list of hosts.
#[derive(Clone, Debug)]
pub struct Hosts {
    client: Client,
    context: Context,
    names: FleetNames,
}

impl Hosts {
    /// The hosts of a fleet whose list exists.
    #[expect(clippy::unused_async, reason = "the client starts a task of its own, which needs the runtime around it")]
    pub async fn open(client: Client, names: FleetNames) -> Self {
        Self { context: jetstream::new(client.clone()), client, names }
    }

    /// The same; what does not exist yet is made on so many servers.
    pub async fn create(client: Client, names: FleetNames, replicas: usize) -> Result<Self, EngineError> {
        let hosts = Self::open(client, names).await;
        hosts.make(replicas).await?;
        Ok(hosts)
    }

    /// The connection.
    pub(crate) fn client(&self) -> Client {
        self.client.clone()
    }

    /// The fleet's names.
    pub(crate) fn names(&self) -> &FleetNames {
        &self.names
    }

    /// Listens where everyone is told that something has changed.
    pub(crate) async fn changes(&self) -> Result<Subscriber, EngineError> {
        self.client.subscribe(self.names.control()).await.map_err(failed("listen for changes"))
    }

    /// Tells whoever listens what happens in a run.
    pub(crate) async fn tell(&self, run: &str, events: Vec<u8>) -> Result<(), EngineError> {
        let told = self.client.publish(self.names.events(run), events.into()).await;
        told.map_err(failed("tell what happens"))
    }

    async fn make(&self, replicas: usize) -> Result<(), EngineError> {
        let bucket = |name: &str, max_age| Config {
            bucket: self.names.bucket(name),
            history: 1,
            max_age,
            num_replicas: replicas,
            limit_markers: Some(LIVES),
            ..Config::default()
        };
        self.make_bucket(bucket("hosts", LIVES)).await?;
        self.make_bucket(bucket("ctl", Duration::ZERO)).await
    }

    /// A bucket that somebody else made meanwhile is as good.
    async fn make_bucket(&self, config: Config) -> Result<(), EngineError> {
        let name = config.bucket.clone();
        if self.context.get_key_value(&name).await.is_ok() {
            return Ok(());
        }
        let Err(error) = self.context.create_key_value(config).await else {
            return Ok(());
        };
        match self.context.get_key_value(&name).await {
            Ok(_) => Ok(()),
            Err(_) => Err(failed("make the list of hosts")(error)),
        }
    }

    /// Writes what a worker says of itself. It has to be written again before [`LIVES`] is over.
    pub async fn put(&self, host: &Host) -> Result<(), EngineError> {
        let body = serde_json::to_vec(host).map_err(failed("write down a host"))?;
        self.write("hosts", &key(&host.name), body, HeaderMap::new()).await
    }

    /// Takes a worker off the list.
    pub async fn withdraw(&self, name: &str) -> Result<(), EngineError> {
        let mut gone = HeaderMap::new();
        gone.insert("KV-Operation", "DEL");
        self.write("hosts", &key(name), Vec::new(), gone).await
    }

    /// Asks a worker to drain.
    pub async fn ask_to_drain(&self, name: &str) -> Result<(), EngineError> {
        self.wish_drain(name, "true").await
    }

    /// Asks a worker to drain no more.
    pub async fn undo_drain(&self, name: &str) -> Result<(), EngineError> {
        self.wish_drain(name, "false").await
    }

    async fn wish_drain(&self, name: &str, wish: &'static str) -> Result<(), EngineError> {
        self.write("ctl", &format!("drain.{}", key(name)), wish.into(), HeaderMap::new()).await?;
        let change = serde_json::json!({ "host": name }).to_string();
        self.client.publish(self.names.control(), change.into()).await.map_err(failed("tell of a wish to drain"))?;
        self.client.flush().await.map_err(failed("tell of a wish to drain"))
    }

    /// Whether a worker was asked to drain.
    pub async fn should_drain(&self, name: &str) -> Result<bool, EngineError> {
        let bucket = self.names.bucket("ctl");
        let subject = format!("$JS.API.DIRECT.GET.KV_{bucket}.$KV.{bucket}.drain.{}", key(name));
        let answer = self.client.request(subject, "".into()).await.map_err(failed("look for a wish to drain"))?;
        match answer.status {
            None | Some(StatusCode::OK) => Ok(&answer.payload[..] == b"true"),
            Some(StatusCode::NOT_FOUND) => Ok(false),
            Some(status) => Err(failed("look for a wish to drain")(status)),
        }
    }

    /// The living hosts, by name.
    pub async fn list(&self) -> Result<Vec<Host>, EngineError> {
        let listed = tokio::time::timeout(WITHIN, self.read_all()).await;
        let mut hosts = listed.map_err(failed("list the hosts"))??;
        hosts.sort_by(|a: &Host, b| a.name.cmp(&b.name));
        Ok(hosts)
    }

    async fn read_all(&self) -> Result<Vec<Host>, EngineError> {
        let store: Store =
            self.context.get_key_value(self.names.bucket("hosts")).await.map_err(failed("list the hosts"))?;
        let config = push::OrderedConfig {
            deliver_subject: self.client.new_inbox(),
            deliver_policy: DeliverPolicy::LastPerSubject,
            filter_subject: format!("{}>", store.prefix),
            ..push::OrderedConfig::default()
        };
        let consumer = store.stream.create_consumer(config).await.map_err(failed("list the hosts"))?;
        let (mut hosts, mut n_pending) = (Vec::new(), consumer.cached_info().num_pending);
        let mut messages = consumer.messages().await.map_err(failed("list the hosts"))?;
        while n_pending > 0 {
            let Some(message) = messages.next().await else { break };
            let message = message.map_err(failed("list the hosts"))?;
            let place = message.info().map_err(failed("list the hosts"))?;
            n_pending = place.pending;
            let heard_ms = (place.published.unix_timestamp_nanos() / 1_000_000) as i64;
            let host = serde_json::from_slice::<Host>(&message.payload).ok();
            hosts.extend(host.map(|host| Host { heard_ms, ..host }));
        }
        Ok(hosts)
    }

    async fn write(&self, bucket: &str, key: &str, body: Vec<u8>, headers: HeaderMap) -> Result<(), EngineError> {
        let subject = format!("$KV.{}.{key}", self.names.bucket(bucket));
        let sent = self.context.publish_with_headers(subject, headers, body.into()).await;
        sent.map_err(failed("write to the list of hosts"))?.await.map_err(failed("write to the list of hosts"))?;
        Ok(())
    }
}

/// A name as the key of a bucket: stricter than a token of a subject, and read back the same way.
pub fn key(name: &str) -> String {
    token(name).replace('+', "=2b").replace('~', "=7e")
}
