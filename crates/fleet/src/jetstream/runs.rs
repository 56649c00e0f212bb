//! What is known of the runs: direction, terms, the key of their tickets.

use std::collections::HashMap;

use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::steered::RunTerms;
use quintain_runner::engine::{EngineError, Lease, RunDirection, SystemClock, WallClock};

use super::NatsEngine;
use super::handle::LeaseHandle;
use super::server::MessagePut;
use super::tries::ServerTries;
use super::wire::RunEntry;
use crate::hosts::key;
use crate::server_failure::failed;

impl NatsEngine {
    /// The ticket of a unit. Only a steward can make one.
    pub async fn ticket(&self, run: &str, idx: u32) -> Result<String, EngineError> {
        match self.keyed(run).await? {
            Some(entry) => Ok(entry.ticket(idx)),
            None => Err(failed("make a ticket")(format!("there is no run `{run}`"))),
        }
    }

    /// A lease with which the outcome of an attempt can be handed in for the one who made it. Handing in twice has the
    /// effect of once. Only a steward can vouch.
    pub async fn vouch(&self, run: &str, idx: u32, unit: String, attempt: u32) -> Result<Lease, EngineError> {
        let (ack, nonce) = ("-".to_owned(), format!("archive-{attempt}"));
        let handle = LeaseHandle { ack, ticket: self.ticket(run, idx).await?, nonce, n_units: 1 };
        Ok(Lease {
            run: run.to_owned(),
            unit,
            key: idx.into(),
            attempt,
            n_faults: 0,
            n_lost: 0,
            deadline_ms: 0,
            handle: handle.to_string(),
        })
    }

    /// What the tickets of a run are made with. Only a steward can know.
    pub async fn key_of(&self, run: &str) -> Result<Option<String>, EngineError> {
        Ok(self.keyed(run).await?.map(|entry| entry.key))
    }

    /// Begins a run again that the server has lost, as it stood: with its key, its terms and its direction. One that has units
    /// keeps key and direction.
    pub async fn begin_again(
        &self,
        run: &str,
        run_key: Option<&str>,
        terms: &RunTerms,
        direction: RunDirection,
    ) -> Result<(), EngineError> {
        let change = |entry: &mut RunEntry| {
            (entry.priority, entry.chunk) = (terms.priority, terms.chunk);
            if entry.n_units == 0 {
                entry.direction = direction;
                entry.key = run_key.map_or_else(|| entry.key.clone(), str::to_owned);
            }
        };
        self.change_entry(run, change).await.map(|_entry| ())
    }

    /// What is known of a run, perhaps a while ago: enough for its key, which never changes.
    pub(super) async fn keyed(&self, run: &str) -> Result<Option<RunEntry>, EngineError> {
        let known = self.entries.lock().always().get(run).cloned();
        match known {
            Some(known) => Ok(Some(known)),
            None => self.entry(run).await,
        }
    }

    /// What is known of a run.
    pub(super) async fn entry(&self, run: &str) -> Result<Option<RunEntry>, EngineError> {
        Ok(self.entry_at(run).await?.map(|(_, entry)| entry))
    }

    /// What is known of all runs, in the order in which they changed last.
    pub(super) async fn all_entries(&self) -> Result<Vec<RunEntry>, EngineError> {
        let (stream, subject) = (self.runs_stream(), self.run_subject("*"));
        let stored = self.server.read(&stream, &subject, 0, usize::MAX).await?;
        let entries: Vec<RunEntry> =
            stored.iter().filter_map(|stored| serde_json::from_slice(&stored.body).ok()).collect();
        self.renew(&entries).await;
        Ok(entries)
    }

    /// Takes over what was read of all runs. Of one that was forgotten, and perhaps begun anew with another key, nothing
    /// holds any more.
    async fn renew(&self, entries: &[RunEntry]) {
        let now: HashMap<String, RunEntry> = entries.iter().map(|entry| (entry.run.clone(), entry.clone())).collect();
        let is_gone = |old: &&RunEntry| now.get(&old.run).is_none_or(|entry| entry.key != old.key);
        let gone: Vec<String> =
            self.entries.lock().always().values().filter(is_gone).map(|old| old.run.clone()).collect();
        *self.entries.lock().always() = now;
        for run in gone {
            self.registers.lock().await.remove(&run);
            self.tallies.lock().await.remove(&run);
        }
    }

    /// Changes what is known of a run. Where there is none of that name, it begins.
    pub(super) async fn change_entry(
        &self,
        run: &str,
        change: impl Fn(&mut RunEntry) + Send,
    ) -> Result<RunEntry, EngineError> {
        let mut tries = ServerTries::begin();
        loop {
            let found = self.entry_at(run).await?;
            let (seq, before) = found.map_or((0, None), |(seq, entry)| (seq, Some(entry)));
            let mut entry = before.clone().unwrap_or_else(|| RunEntry::new(run, SystemClock.now_ms()));
            change(&mut entry);
            if before.as_ref() == Some(&entry) {
                return Ok(entry);
            }
            let body = serde_json::to_vec(&entry).map_err(failed("write down a run"))?;
            let put = self.server.put(self.run_subject(&key(run)), Some(seq), body).await;
            if let MessagePut::At(_) = put {
                return Ok(entry);
            }
            tries.again(failed("write down a run")(format!("{put:?}"))).await?;
        }
    }

    async fn entry_at(&self, run: &str) -> Result<Option<(u64, RunEntry)>, EngineError> {
        let Some(found) = self.server.last(&self.runs_stream(), &self.run_subject(&key(run))).await? else {
            return Ok(None);
        };
        let unreadable =
            |why: serde_json::Error| EngineError::Unreadable { unit: run.to_owned(), why: why.to_string() };
        let entry: RunEntry = serde_json::from_slice(&found.body).map_err(unreadable)?;
        self.entries.lock().always().insert(run.to_owned(), entry.clone());
        Ok(Some((found.seq, entry)))
    }

    fn runs_stream(&self) -> String {
        format!("KV_{}", self.names.bucket("runs"))
    }

    fn run_subject(&self, key: &str) -> String {
        format!("$KV.{}.{key}", self.names.bucket("runs"))
    }
}
