//! What a steward sees and moves.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use futures_util::{StreamExt, TryStreamExt, stream};
use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::EngineError;
use quintain_runner::engine::steered::{Parcel, RegisteredUnit, RunStanding, RunTerms, SettledUnit, SteeredEngine};

use super::server::MessagePut;
use super::tries::ServerTries;
use super::wire::{ParcelWork, WorkUnit};
use super::{NatsEngine, assets};
use crate::names::{text, token};
use crate::server_failure::failed;

/// How many offers are under way at once.
const AT_ONCE: usize = 256;

impl SteeredEngine for NatsEngine {
    async fn set_terms(&self, run: &str, terms: &RunTerms) -> Result<(), EngineError> {
        self.change_entry(run, |entry| (entry.priority, entry.chunk) = (terms.priority, terms.chunk)).await?;
        Ok(())
    }

    async fn runs(&self) -> Result<Vec<RunStanding>, EngineError> {
        let entries = self.all_entries().await?;
        let standing = entries.into_iter().map(|entry| RunStanding {
            terms: entry.terms(),
            run: entry.run,
            direction: entry.direction,
            n_units: entry.n_units,
        });
        Ok(standing.collect())
    }

    async fn registered(&self, run: &str, from: u32, max: usize) -> Result<Vec<RegisteredUnit>, EngineError> {
        self.registered_of(run, from, max).await
    }

    async fn on_offer(&self, run: &str) -> Result<Vec<Range<u32>>, EngineError> {
        let filter = format!("{}.work.*.{}.*", self.names.fleet(), token(run));
        let subjects = self.server.subjects(&self.names.stream("work"), &filter).await?;
        let mut ranges: Vec<Range<u32>> = subjects.iter().filter_map(|subject| range(subject)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        Ok(ranges)
    }

    async fn held(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        self.held_by_all(run).await
    }

    async fn n_attempts(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        let histories = self.histories(run).await?;
        Ok(histories.into_iter().map(|(idx, history)| (idx, history.highest())).collect())
    }

    async fn offer(&self, parcels: &[Parcel]) -> Result<u64, EngineError> {
        for parcel in parcels {
            if let Some(first) = parcel.units.first() {
                self.make_queue(&first.class).await?;
            }
        }
        let offers: Vec<_> = parcels.iter().map(|parcel| self.offer_one(parcel)).collect();
        let offers = stream::iter(offers).buffered(AT_ONCE);
        offers.try_fold(0, |n_new, is_new| async move { Ok(n_new + u64::from(is_new)) }).await
    }

    async fn settled(&self, from: u64, max: usize) -> Result<Vec<SettledUnit>, EngineError> {
        self.settled_on(&format!("{}.out.>", self.names.fleet()), from, max).await
    }
}

impl NatsEngine {
    /// The classes of which something of a run is on offer or leased.
    pub async fn classes_on_offer(&self, run: &str) -> Result<BTreeSet<String>, EngineError> {
        let filter = format!("{}.work.*.{}.*", self.names.fleet(), token(run));
        let subjects = self.server.subjects(&self.names.stream("work"), &filter).await?;
        Ok(subjects.iter().filter_map(|subject| text(subject.split('.').nth(2)?)).collect())
    }

    async fn make_queue(&self, class: &str) -> Result<(), EngineError> {
        if self.classes.lock().always().contains(class) {
            return Ok(());
        }
        assets::make_consumer(&self.server, &self.names, class, self.options.lease_for).await?;
        self.classes.lock().always().insert(class.to_owned());
        Ok(())
    }

    /// Puts a parcel on offer, and says whether it was not there before.
    async fn offer_one(&self, parcel: &Parcel) -> Result<bool, EngineError> {
        let Some(first) = parcel.units.first() else { return Ok(false) };
        let work = self.work(parcel, &first.class).await?;
        let subject = self.names.work(&first.class, &parcel.run, first.idx, parcel.units.len() as u32);
        let body = serde_json::to_vec(&work).map_err(failed("write down an offer"))?;
        let (mut tries, mut was_silent) = (ServerTries::begin(), false);
        loop {
            let why = match self.server.put(subject.clone(), None, body.clone()).await {
                MessagePut::At(_) => return Ok(true),
                // After a silence it may be ours that is there.
                MessagePut::Refused => return Ok(was_silent),
                MessagePut::Unsure(why) => why,
            };
            was_silent = true;
            tries.again(failed("put units on offer")(why)).await?;
        }
    }

    async fn work(&self, parcel: &Parcel, class: &str) -> Result<ParcelWork, EngineError> {
        let entry = self.keyed(&parcel.run).await?;
        let entry = entry.ok_or_else(|| failed("put units on offer")(format!("there is no run `{}`", parcel.run)))?;
        let unit = |unit: &RegisteredUnit| WorkUnit {
            idx: unit.idx,
            id: unit.id.clone(),
            n_before: unit.n_before,
            ticket: entry.ticket(unit.idx),
        };
        let units = parcel.units.iter().map(unit).collect();
        Ok(ParcelWork { run: parcel.run.clone(), class: class.to_owned(), units })
    }
}

/// `<fleet>.work.<class>.<run>.<first>-<count>`.
fn range(subject: &str) -> Option<Range<u32>> {
    let (first, count) = subject.rsplit('.').next()?.split_once('-')?;
    let first: u32 = first.parse().ok()?;
    Some(first..first + count.parse::<u32>().ok()?)
}
