//! What is wrong with single runs, for whoever looks at the fleet: under a key of the bucket `ctl`.

use std::collections::{BTreeMap, BTreeSet};

use async_nats::Client;
use async_nats::jetstream::{self, kv::Store};
use quintain_core::words::count;
use quintain_runner::engine::EngineError;
use quintain_runner::engine::steered::SettledUnit;
use serde::{Deserialize, Serialize};

use crate::jetstream::is_cut;
use crate::names::FleetNames;
use crate::server_failure::failed;

/// The key under which they stand.
const KEY: &str = "troubles";

/// What is wrong with single runs. None of it keeps other runs from being played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunTroubles {
    /// Runs that could not be restored from the archive, or not wholly, and why.
    pub unrestored: BTreeMap<String, String>,
    /// Runs of which nothing can be put on offer, and why.
    pub unoffered: BTreeMap<String, String>,
    /// How many outcomes of a run were too large for a message, and are there with a part of their findings.
    pub n_cut: BTreeMap<String, u64>,
    /// Outcomes with smaller sequence numbers were counted.
    counted_to: u64,
}

impl RunTroubles {
    /// What was told last of a fleet.
    pub async fn of(client: &Client, names: &FleetNames) -> Result<Self, EngineError> {
        let found = bucket(client, names).await?.get(KEY).await.map_err(failed("see what is wrong with runs"))?;
        Ok(found.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default())
    }

    /// Tells of them.
    pub(super) async fn put(&self, client: &Client, names: &FleetNames) -> Result<(), EngineError> {
        let body = serde_json::to_vec(self).map_err(failed("tell what is wrong with runs"))?;
        let put = bucket(client, names).await?.put(KEY, body.into()).await;
        put.map(drop).map_err(failed("tell what is wrong with runs"))
    }

    /// Counts outcomes of which something was cut. What was counted before is not counted again.
    pub(super) fn count_cut(&mut self, settled: &[SettledUnit]) {
        for unit in settled.iter().filter(|unit| unit.recorded.seq >= self.counted_to) {
            if is_cut(&unit.recorded.outcome) {
                *self.n_cut.entry(unit.run.clone()).or_default() += 1;
            }
        }
        self.counted_to = settled.last().map_or(self.counted_to, |last| self.counted_to.max(last.recorded.seq + 1));
    }

    /// How many runs have any.
    pub(super) fn n_runs(&self) -> usize {
        let runs = self.unrestored.keys().chain(self.unoffered.keys()).chain(self.n_cut.keys());
        runs.collect::<BTreeSet<_>>().len()
    }

    /// Whether it tells the same as another.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        (&self.unrestored, &self.unoffered, &self.n_cut) == (&other.unrestored, &other.unoffered, &other.n_cut)
    }

    /// All of them: the run, and what is wrong.
    pub fn words(&self) -> Vec<(String, String)> {
        let unrestored = self.unrestored.iter().map(|(run, why)| (run, format!("it is not restored: {why}")));
        let unoffered = self.unoffered.iter().map(|(run, why)| (run, format!("nothing of it is put on offer: {why}")));
        let cut = self.n_cut.iter().map(|(run, n)| (run, cut_words(*n)));
        unrestored.chain(unoffered).chain(cut).map(|(run, why)| (run.clone(), why)).collect()
    }
}

fn cut_words(n: u64) -> String {
    let verb = if n == 1 { "was" } else { "were" };
    format!(
        "{} {verb} too large for a message and tell only a part of what was found; the record has all",
        count(n, "outcome")
    )
}

async fn bucket(client: &Client, names: &FleetNames) -> Result<Store, EngineError> {
    let found = jetstream::new(client.clone()).get_key_value(names.bucket("ctl")).await;
    found.map_err(failed("see what is wrong with runs"))
}
