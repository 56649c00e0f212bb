//! What a worker or a steward counts, and the page on which Prometheus reads it.
//!
//! Counting is an addition to an atomic number and can neither wait nor fail, so it is done in the midst of the work.

pub mod instruments;
mod page;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::ask::{StewardAnswer, StewardRequest};
use crate::hosts::Host;
use instruments::{Counter, Gauge, Histogram, MetricsText};

pub use page::{NotServed, ServedMetrics, serve};

/// What one process counts. A worker leaves at zero what only a steward counts, and the other way round.
#[derive(Debug, Default)]
pub struct Metrics {
    leased: Counter,
    committed: Counter,
    late: Counter,
    faulted: Counter,
    put_down: Counter,
    leases_lost: Counter,
    packs: Counter,
    pack_bytes: Counter,
    commit: Histogram,
    ship: Histogram,
    slots: Gauge,
    slots_busy: Gauge,
    offers: Counter,
    compacted: Counter,
    outstanding: Mutex<BTreeMap<String, u64>>,
    hosts: [Gauge; HOST_STATES.len()],
    refusals: Gauge,
    troubled: Gauge,
    asks: [[Counter; 2]; KINDS.len()],
    shares: [Counter; 2],
    leading: Gauge,
    engine_errors: Counter,
    is_ready: AtomicBool,
}

/// How hosts are, in the order of their gauges.
const HOST_STATES: [&str; 3] = ["working", "draining", "silent"];

/// The kinds of question, in the order of their counters.
const KINDS: [&str; 6] = ["last", "half", "read", "write", "grant", "join"];

impl Metrics {
    /// So many trials were leased.
    pub fn leased(&self, n: usize) {
        self.leased.add(n as u64);
    }

    /// An outcome was handed in and is the one that counts.
    pub fn committed(&self) {
        self.committed.add(1);
    }

    /// An outcome was handed in after another one.
    pub fn late(&self) {
        self.late.add(1);
    }

    /// An attempt ended in a fault.
    pub fn faulted(&self) {
        self.faulted.add(1);
    }

    /// A trial was put down, to be continued elsewhere or later.
    pub fn put_down(&self) {
        self.put_down.add(1);
    }

    /// A lease was lost while its trial was played.
    pub fn lease_lost(&self) {
        self.leases_lost.add(1);
    }

    /// A pack of so many bytes reached the archive, and it took so long.
    pub fn shipped(&self, n_bytes: u64, took: Duration) {
        self.packs.add(1);
        self.pack_bytes.add(n_bytes);
        self.ship.observe(took);
    }

    /// Handing in outcomes took so long, once.
    pub fn commit_took(&self, took: Duration) {
        self.commit.observe(took);
    }

    /// So many of so many slots are playing now.
    pub fn slots(&self, busy: usize, all: usize) {
        self.slots_busy.set(i64::try_from(busy).unwrap_or(i64::MAX));
        self.slots.set(i64::try_from(all).unwrap_or(i64::MAX));
    }

    /// So many parcels were put on offer that were not there yet.
    pub fn offered(&self, n_parcels: u64) {
        self.offers.add(n_parcels);
    }

    /// So many outcomes were written to the archive for analysis.
    pub fn compacted(&self, n_outcomes: u64) {
        self.compacted.add(n_outcomes);
    }

    /// So many trials of each run have no outcome yet. Runs that are not named any more leave the page.
    pub fn outstanding(&self, by_run: BTreeMap<String, u64>) {
        *self.outstanding.lock().expect("nobody panics while holding it") = by_run;
    }

    /// The hosts that are listed: how many of them work, drain and are silent, and how many refusals of runs they tell of.
    pub fn mustered(&self, hosts: &[Host], now_ms: i64) {
        let state = |host: &Host| match host.draining {
            _ if host.is_silent(now_ms) => 2,
            true => 1,
            false => 0,
        };
        for (place, gauge) in self.hosts.iter().enumerate() {
            gauge.set(hosts.iter().filter(|host| state(host) == place).count() as i64);
        }
        self.refusals.set(hosts.iter().map(|host| host.refuses.len()).sum::<usize>() as i64);
    }

    /// So many runs have a trouble of their own.
    pub fn troubled(&self, n_runs: usize) {
        self.troubled.set(n_runs as i64);
    }

    /// A worker's question was answered.
    pub fn answered(&self, ask: &StewardRequest, answer: &StewardAnswer) {
        let is_refused = matches!(answer, StewardAnswer::Refused { .. });
        self.asks[kind_of(ask)][usize::from(is_refused)].add(1);
        if let StewardAnswer::Granted(grant) = answer {
            for share in grant.shares.values() {
                self.shares[usize::from(share.amount <= 0.0)].add(1);
            }
        }
    }

    /// This steward leads from now on.
    pub fn leads(&self) {
        self.leading.set(1);
    }

    /// This steward waits its turn from now on.
    pub fn waits(&self) {
        self.leading.set(0);
    }

    /// The engine could not do what it was asked.
    pub fn engine_error(&self) {
        self.engine_errors.add(1);
    }

    /// The process is connected and does its work from now on: `/readyz` says so.
    pub fn ready(&self) {
        self.is_ready.store(true, Relaxed);
    }

    /// The process takes no more work, or cannot: `/readyz` says so.
    pub fn unready(&self) {
        self.is_ready.store(false, Relaxed);
    }

    /// Whether the process does its work.
    pub fn is_ready(&self) -> bool {
        self.is_ready.load(Relaxed)
    }

    /// The page as Prometheus reads it (text format 0.0.4).
    pub fn text(&self) -> String {
        let mut page = MetricsText::default();
        let version = vec![("version", env!("CARGO_PKG_VERSION"))];
        page.labelled("quintain_build_info", ("gauge", "What this process is."), [(version, 1)]);
        self.write_work(&mut page);
        self.write_records(&mut page);
        self.write_stewardship(&mut page);
        page.counter("quintain_engine_errors_total", "Calls that the engine could not carry out.", &self.engine_errors);
        page.text()
    }

    fn write_work(&self, page: &mut MetricsText) {
        page.counter("quintain_trials_leased_total", "Trials that this worker was given.", &self.leased);
        page.counter("quintain_trials_committed_total", "Outcomes that count.", &self.committed);
        page.counter("quintain_trials_late_total", "Outcomes that came after another one.", &self.late);
        page.counter("quintain_trials_faulted_total", "Attempts that ended in a fault.", &self.faulted);
        page.counter("quintain_trials_put_down_total", "Trials put down to be continued.", &self.put_down);
        page.counter("quintain_leases_lost_total", "Leases lost while their trial was played.", &self.leases_lost);
        page.gauge("quintain_slots", "Trials that this worker can play at once.", &self.slots);
        page.gauge("quintain_slots_busy", "Trials that this worker plays now.", &self.slots_busy);
    }

    fn write_records(&self, page: &mut MetricsText) {
        page.counter("quintain_packs_shipped_total", "Packs that reached the archive.", &self.packs);
        page.counter("quintain_pack_bytes_total", "Bytes of those packs.", &self.pack_bytes);
        page.histogram("quintain_ship_seconds", "How long shipping a pack took.", &self.ship);
        page.histogram("quintain_commit_seconds", "How long handing in outcomes took.", &self.commit);
    }

    fn write_stewardship(&self, page: &mut MetricsText) {
        page.gauge("quintain_steward_leading", "1 where this steward leads, 0 where it waits.", &self.leading);
        page.counter("quintain_offers_total", "Parcels that this steward put on offer.", &self.offers);
        page.counter("quintain_outcomes_archived_total", "Outcomes written for analysis.", &self.compacted);
        let runs = self.outstanding.lock().expect("nobody panics while holding it").clone();
        let rows = runs.iter().map(|(run, n)| (vec![("run", run.as_str())], *n));
        page.labelled("quintain_trials_outstanding", ("gauge", "Trials of a run without an outcome."), rows);
        let hosts = HOST_STATES.iter().zip(&self.hosts);
        let hosts = hosts.map(|(state, n)| (vec![("state", *state)], n.get().unsigned_abs()));
        page.labelled("quintain_hosts", ("gauge", "Hosts that are listed, by how they are."), hosts);
        page.gauge("quintain_refusals", "Runs that a host does not play for now, over all hosts.", &self.refusals);
        page.gauge("quintain_runs_troubled", "Runs with a trouble of their own.", &self.troubled);
        let asks = KINDS.iter().zip(&self.asks).flat_map(|(kind, counters)| {
            ["given", "refused"]
                .into_iter()
                .zip(counters)
                .map(move |(answer, n)| (vec![("kind", *kind), ("answer", answer)], n.get()))
        });
        page.labelled("quintain_asks_total", ("counter", "Questions of workers that were answered."), asks);
        let shares = ["granted", "withheld"].into_iter().zip(&self.shares);
        let shares = shares.map(|(answer, n)| (vec![("answer", answer)], n.get()));
        page.labelled("quintain_shares_total", ("counter", "Shares of limits that were asked for."), shares);
    }
}

fn kind_of(ask: &StewardRequest) -> usize {
    match ask {
        StewardRequest::Last { .. } => 0,
        StewardRequest::Half { .. } => 1,
        StewardRequest::Read { .. } => 2,
        StewardRequest::Write { .. } | StewardRequest::WriteFile { .. } => 3,
        StewardRequest::Grant(_) => 4,
        StewardRequest::Join {} => 5,
    }
}

#[cfg(test)]
mod tests;
