//! Pausing, cancelling and letting go on.

use std::collections::BTreeMap;

use quintain_runner::engine::steered::{RegisteredUnit, SteeredEngine};
use quintain_runner::engine::{EngineError, RunDirection};

use super::plan::parcels;
use super::wire::{DirectionNotice, RunEntry};
use super::{NatsEngine, hear};
use crate::names::token;
use crate::server_failure::failed;

/// Runs up to this size are offered again at once; the steward takes care of larger ones.
const SMALL: u32 = 4096;

impl NatsEngine {
    pub(super) async fn turn(&self, run: &str, direction: RunDirection) -> Result<(), EngineError> {
        let entry = self.change_entry(run, |entry| entry.direction = direction).await?;
        hear(&DirectionNotice { run: run.to_owned(), direction }, &self.holdings, &self.turned);
        if direction != RunDirection::Go {
            self.purge_offers(run).await?;
        }
        // The steward looks at what is on offer when it hears of it, and offers nothing of that again.
        if direction == RunDirection::Go && entry.n_units <= SMALL {
            self.offer_outstanding(&entry).await?;
        }
        self.tell_all(run, direction).await
    }

    /// Takes back what is on offer of a run that does not go: offers may have been on their way when it was stopped.
    pub async fn take_back(&self, run: &str) -> Result<(), EngineError> {
        match self.entry(run).await? {
            Some(entry) if entry.direction != RunDirection::Go => self.purge_offers(run).await,
            _ => Ok(()),
        }
    }

    async fn purge_offers(&self, run: &str) -> Result<(), EngineError> {
        let filter = format!("{}.work.*.{}.*", self.names.fleet(), token(run));
        self.server.purge(&self.names.stream("work"), &filter).await
    }

    async fn tell_all(&self, run: &str, direction: RunDirection) -> Result<(), EngineError> {
        let turned = DirectionNotice { run: run.to_owned(), direction };
        let body = serde_json::to_vec(&turned).map_err(failed("tell the fleet"))?;
        self.server.client.publish(self.names.control(), body.into()).await.map_err(failed("tell the fleet"))
    }

    /// Offers what is registered and neither settled, nor on offer, nor held.
    async fn offer_outstanding(&self, entry: &RunEntry) -> Result<(), EngineError> {
        let run = &entry.run;
        let registered = self.registered_of(run, 0, entry.n_units as usize).await?;
        let (offered, held, numbers) = (self.on_offer(run).await?, self.held(run).await?, self.numbers(run).await?);
        let is_open = |unit: &RegisteredUnit| {
            !held.contains_key(&unit.idx) && !offered.iter().any(|range| range.contains(&unit.idx))
        };
        let open: Vec<RegisteredUnit> = registered.into_iter().filter(is_open).collect();
        let mut open = self
            .tally(entry, |done| open.into_iter().filter(|unit| !done.contains(&unit.idx)).collect::<Vec<_>>())
            .await?;
        for unit in &mut open {
            unit.n_before = unit.n_before.max(numbers.get(&unit.idx).copied().unwrap_or(0));
        }
        self.offer(&parcels(run, open, entry.terms().chunk)).await?;
        Ok(())
    }

    /// After which attempt the next one of each unit is numbered, as far as anything is known of it.
    async fn numbers(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        let mut numbers = self.n_attempts(run).await?;
        for (idx, attempt) in self.holdings().numbers(run) {
            let known = numbers.entry(idx).or_default();
            *known = attempt.max(*known);
        }
        Ok(numbers)
    }
}
