//! What a steward sees and moves.

use std::collections::BTreeMap;
use std::ops::Range;

use super::MemoryEngine;
use super::leasing::unknown;
use super::parcel::OfferedParcel as Kept;
use super::runs::Run;
use super::state::MemoryState;
use crate::engine::steered::{Parcel, RegisteredUnit, RunStanding, RunTerms, SettledUnit, SteeredEngine};
use crate::engine::{EngineError, RunDirection};

impl SteeredEngine for MemoryEngine {
    async fn set_terms(&self, run: &str, terms: &RunTerms) -> Result<(), EngineError> {
        let mut state = self.state();
        let run = state.enter_run(run);
        state.runs[run as usize].terms = *terms;
        Ok(())
    }

    async fn runs(&self) -> Result<Vec<RunStanding>, EngineError> {
        let standing = |run: &Run| RunStanding {
            run: run.name.clone(),
            direction: run.direction,
            terms: run.terms,
            n_units: run.units.len() as u32,
        };
        Ok(self.state().runs.iter().map(standing).collect())
    }

    async fn registered(&self, run: &str, from: u32, max: usize) -> Result<Vec<RegisteredUnit>, EngineError> {
        Ok(self.state().registered(run, from, max))
    }

    async fn on_offer(&self, run: &str) -> Result<Vec<Range<u32>>, EngineError> {
        let state = self.state();
        let Some(&run) = state.numbers.get(run) else { return Ok(Vec::new()) };
        let mut spans: Vec<Range<u32>> = Vec::new();
        for &(first, count) in state.runs[run as usize].parcels.keys() {
            match spans.last_mut() {
                Some(last) if first <= last.end => last.end = last.end.max(first + count),
                _ => spans.push(first..first + count),
            }
        }
        Ok(spans)
    }

    async fn held(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        let state = self.state();
        let Some(&run) = state.numbers.get(run) else { return Ok(BTreeMap::new()) };
        let held = state.live.range((run, 0, 0)..=(run, u32::MAX, u32::MAX));
        Ok(held.map(|((_, idx, attempt), _)| (*idx, *attempt)).collect())
    }

    async fn n_attempts(&self, run: &str) -> Result<BTreeMap<u32, u32>, EngineError> {
        let state = self.state();
        let Some(&run) = state.numbers.get(run) else { return Ok(BTreeMap::new()) };
        Ok(state.runs[run as usize].notes.keys().copied().collect())
    }

    async fn offer(&self, parcels: &[Parcel]) -> Result<u64, EngineError> {
        let mut n_new = 0;
        for parcel in parcels {
            n_new += u64::from(self.state().offer(parcel)?);
        }
        self.shared.put_back.notify_waiters();
        Ok(n_new)
    }

    async fn settled(&self, from: u64, max: usize) -> Result<Vec<SettledUnit>, EngineError> {
        let state = self.state();
        let seqs = from.max(1)..=state.rows.len() as u64;
        Ok(seqs.take(max).map(|seq| state.settled(seq as u32)).collect())
    }
}

impl MemoryState {
    fn registered(&self, run: &str, from: u32, max: usize) -> Vec<RegisteredUnit> {
        let Some(&run) = self.numbers.get(run) else { return Vec::new() };
        let run = &self.runs[run as usize];
        let registered = |idx: u32| RegisteredUnit {
            idx,
            id: run.ids.get(idx).to_owned(),
            class: self.classes[run.unit(idx).class as usize].clone(),
            n_before: run.unit(idx).n_before,
        };
        (from..run.units.len() as u32).take(max).map(registered).collect()
    }

    /// Puts a parcel on offer. Nothing of a run that is stopped is offered.
    fn offer(&mut self, parcel: &Parcel) -> Result<bool, EngineError> {
        let (Some(first), Some(last)) = (parcel.units.first(), parcel.units.last()) else { return Ok(false) };
        let Some(&run) = self.numbers.get(&parcel.run) else { return Err(unknown(&first.id)) };
        let found = &self.runs[run as usize];
        if last.idx as usize >= found.units.len() {
            return Err(unknown(&last.id));
        }
        if found.direction != RunDirection::Go {
            return Ok(false);
        }
        let kept = Kept::of(run, found.unit(first.idx).class, first.idx, last.idx + 1 - first.idx, 0);
        if !self.put_on_offer(kept) {
            return Ok(false);
        }
        parcel.units.iter().for_each(|unit| self.learn(run, unit.idx, unit.n_before));
        Ok(true)
    }

    fn settled(&self, seq: u32) -> SettledUnit {
        let row = &self.rows[seq as usize - 1];
        SettledUnit { run: self.runs[row.run as usize].name.clone(), idx: row.idx, recorded: self.recorded(seq) }
    }
}
