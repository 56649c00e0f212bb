//! Registering units: their order, their names, and the first few offers.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use quintain_core::lock::LockAlways as _;
use quintain_runner::engine::steered::{Parcel, RegisteredUnit, SteeredEngine};
use quintain_runner::engine::{EngineError, RunDirection, Unit};

use super::NatsEngine;
use super::server::MessagePut;
use super::tries::ServerTries;
use super::wire::{PlanSlice, RunEntry};
use crate::server_failure::failed;

/// How many units are registered in one message, and how long their names may be together.
const SLICE: usize = 4096;
const SLICE_BYTES: usize = 512 << 10;

/// How many parcels of a run are offered by the one who registers. The steward offers the rest.
pub(super) const N_OFFERED: usize = 1024;

/// What is registered of a run, as far as it was read.
#[derive(Default)]
pub(super) struct Register {
    places: HashMap<[u8; 16], u32>,
    slices: Vec<(std::ops::Range<u32>, u64)>,
    /// For units of which attempts are on record, how many.
    n_before: BTreeMap<u32, u32>,
    last_seq: u64,
    n_units: u32,
}

/// The slice that was read last: readers go on where they were.
pub(super) type LastSlice = Option<(String, u64, Arc<PlanSlice>)>;

/// What was registered.
#[derive(Default)]
struct AppendedUnits {
    /// The place of the first unit that was not there before.
    first: Option<u32>,
    n_added: u64,
    /// How many units there are now in all.
    n_units: u32,
    /// Those that were there, with fewer attempts than are on record.
    raised: Vec<u32>,
}

/// What of some units has to be registered.
#[derive(Default)]
struct UnregisteredUnits<'a> {
    fresh: Vec<&'a Unit>,
    raised: Vec<(u32, u32)>,
}

impl Register {
    fn take_in(&mut self, slice: &PlanSlice, seq: u64) {
        for (place, (id, _, n_before)) in (slice.first..).zip(&slice.units) {
            self.places.insert(name(id), place);
            if *n_before > 0 {
                self.n_before.insert(place, *n_before);
            }
        }
        for (place, n_before) in &slice.raised {
            let known = self.n_before.entry(*place).or_default();
            *known = (*known).max(*n_before);
        }
        let end = slice.first + slice.units.len() as u32;
        self.slices.push((slice.first..end, seq));
        (self.last_seq, self.n_units) = (seq, end);
    }

    /// What is not registered yet, as much as goes into one message.
    fn news<'a>(&self, units: &[&'a Unit]) -> UnregisteredUnits<'a> {
        let (mut news, mut named, mut n_bytes) = (UnregisteredUnits::default(), HashSet::new(), 0);
        for unit in units {
            match self.places.get(&name(&unit.id)) {
                Some(place) if unit.n_before > self.n_before.get(place).copied().unwrap_or(0) => {
                    news.raised.push((*place, unit.n_before));
                }
                None if named.insert(&unit.id) => {
                    news.fresh.push(unit);
                    n_bytes += unit.id.len() + unit.class.len() + 16;
                }
                Some(_) | None => {}
            }
            if news.fresh.len() + news.raised.len() >= SLICE || n_bytes > SLICE_BYTES {
                break;
            }
        }
        news
    }
}

/// A unit's name, short: a million of them are kept.
fn name(id: &str) -> [u8; 16] {
    let mut name = [0; 16];
    name.copy_from_slice(&blake3::hash(id.as_bytes()).as_bytes()[..16]);
    name
}

impl NatsEngine {
    pub(super) async fn register(&self, units: &[Unit]) -> Result<u64, EngineError> {
        let mut runs: Vec<(&str, Vec<&Unit>)> = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        for unit in units {
            let place = *places.entry(&unit.run).or_insert_with(|| {
                runs.push((&unit.run, Vec::new()));
                runs.len() - 1
            });
            runs[place].1.push(unit);
        }
        let mut n_added = 0;
        for (run, units) in runs {
            n_added += self.register_run(run, &units).await?;
        }
        Ok(n_added)
    }

    async fn register_run(&self, run: &str, units: &[&Unit]) -> Result<u64, EngineError> {
        self.change_entry(run, |_| {}).await?;
        let AppendedUnits { first, n_added, n_units, raised } = self.append(run, units).await?;
        let entry = self.change_entry(run, |entry| entry.n_units = entry.n_units.max(n_units)).await?;
        if entry.direction == RunDirection::Go {
            self.offer_raised(run, &raised).await?;
            self.offer_first(run, first, &entry).await?;
        }
        Ok(n_added)
    }

    /// Appends units that are not registered yet.
    async fn append(&self, run: &str, units: &[&Unit]) -> Result<AppendedUnits, EngineError> {
        let mut registers = self.registers.lock().await;
        let register = registers.entry(run.to_owned()).or_default();
        let (mut appended, mut rest) = (AppendedUnits::default(), units);
        self.catch_up(run, register).await?;
        while !rest.is_empty() {
            let news = register.news(rest);
            if news.fresh.is_empty() && news.raised.is_empty() {
                break;
            }
            let slice = self.append_slice(run, register, &news).await?;
            if let Some(slice) = slice {
                appended.n_added += slice.units.len() as u64;
                appended.first = appended.first.or((!slice.units.is_empty()).then_some(slice.first));
                appended.raised.extend(slice.raised.iter().map(|(place, _)| *place));
            }
            let is_known = |unit: &&&Unit| register.places.contains_key(&name(&unit.id));
            if appended.raised.is_empty() {
                rest = &rest[rest.iter().take_while(is_known).count()..];
            }
        }
        appended.n_units = register.n_units;
        Ok(appended)
    }

    /// Writes one slice, unless somebody else has written meanwhile; then there is something to read first.
    async fn append_slice(
        &self,
        run: &str,
        register: &mut Register,
        news: &UnregisteredUnits<'_>,
    ) -> Result<Option<PlanSlice>, EngineError> {
        let units = news.fresh.iter().map(|unit| (unit.id.clone(), unit.class.clone(), unit.n_before)).collect();
        let (nonce, first) = (self.new_nonce(), register.n_units);
        let slice = PlanSlice { nonce, first, units, raised: news.raised.clone() };
        let body = serde_json::to_vec(&slice).map_err(failed("write down units"))?;
        let (mut tries, expected) = (ServerTries::begin(), register.last_seq);
        loop {
            let put = self.server.put(self.names.plan(run), Some(expected), body.clone()).await;
            if let MessagePut::At(seq) = put {
                register.take_in(&slice, seq);
                return Ok(Some(slice));
            }
            let others = self.catch_up(run, register).await?;
            if !others.is_empty() {
                return Ok(others.contains(&slice.nonce).then_some(slice));
            }
            tries.again(failed("register units")(format!("{put:?}"))).await?;
        }
    }

    /// Reads what was registered since, and returns the nonces of what was read.
    async fn catch_up(&self, run: &str, register: &mut Register) -> Result<Vec<String>, EngineError> {
        let (stream, subject) = (self.names.stream("plan"), self.names.plan(run));
        let mut nonces = Vec::new();
        for stored in self.server.read(&stream, &subject, register.last_seq + 1, usize::MAX).await? {
            let slice = read_slice(run, &stored.body)?;
            register.take_in(&slice, stored.seq);
            nonces.push(slice.nonce);
        }
        Ok(nonces)
    }

    /// Units of a run by their places.
    pub(super) async fn registered_of(
        &self,
        run: &str,
        from: u32,
        max: usize,
    ) -> Result<Vec<RegisteredUnit>, EngineError> {
        let (slices, n_before) = self.slices(run, from, max).await?;
        let end = u64::from(from) + max as u64;
        let mut units = Vec::new();
        for (range, seq) in slices {
            let slice = self.slice(run, seq).await?;
            let placed = (range.start..).zip(&slice.units);
            let wanted = placed.filter(|(idx, _)| *idx >= from && u64::from(*idx) < end);
            units.extend(wanted.map(|(idx, (id, class, registered))| RegisteredUnit {
                idx,
                id: id.clone(),
                class: class.clone(),
                n_before: n_before.get(&idx).copied().unwrap_or(*registered),
            }));
        }
        Ok(units)
    }

    /// Which slices hold units from a place on, and for which of them attempts are on record.
    async fn slices(
        &self,
        run: &str,
        from: u32,
        max: usize,
    ) -> Result<(Vec<(std::ops::Range<u32>, u64)>, BTreeMap<u32, u32>), EngineError> {
        let mut registers = self.registers.lock().await;
        let register = registers.entry(run.to_owned()).or_default();
        let end = u64::from(from) + max as u64;
        if end > u64::from(register.n_units) {
            self.catch_up(run, register).await?;
        }
        let holds = |range: &std::ops::Range<u32>| range.end > from && u64::from(range.start) < end;
        let slices = register.slices.iter().filter(|(range, _)| holds(range) && !range.is_empty()).cloned().collect();
        let n_before = register.n_before.range(from..).take_while(|(idx, _)| u64::from(**idx) < end);
        Ok((slices, n_before.map(|(idx, n)| (*idx, *n)).collect()))
    }

    async fn slice(&self, run: &str, seq: u64) -> Result<Arc<PlanSlice>, EngineError> {
        let cached = self.last_slice.lock().always().clone();
        if let Some((of, at, slice)) = cached
            && of == run
            && at == seq
        {
            return Ok(slice);
        }
        let stored = self.server.read(&self.names.stream("plan"), &self.names.plan(run), seq, 1).await?;
        let gone = || failed("read the plan")(format!("a part of run `{run}` is gone"));
        let slice = Arc::new(read_slice(run, &stored.first().ok_or_else(gone)?.body)?);
        *self.last_slice.lock().always() = Some((run.to_owned(), seq, Arc::clone(&slice)));
        Ok(slice)
    }

    async fn offer_first(&self, run: &str, first: Option<u32>, entry: &RunEntry) -> Result<(), EngineError> {
        let Some(first) = first else { return Ok(()) };
        let chunk = entry.terms().chunk;
        let left = (N_OFFERED * chunk as usize).saturating_sub(first as usize);
        if left == 0 {
            return Ok(());
        }
        // Of a run that comes back to a server that lost it, outcomes are there before its units.
        let settled = self.tally(entry, BTreeSet::clone).await?;
        let mut units = self.registered_of(run, first, left).await?;
        units.retain(|unit| !settled.contains(&unit.idx));
        self.offer(&parcels(run, units, chunk)).await?;
        Ok(())
    }

    /// Units that are on offer with too low a number are taken back and offered anew, each for itself.
    async fn offer_raised(&self, run: &str, raised: &[u32]) -> Result<(), EngineError> {
        if raised.is_empty() {
            return Ok(());
        }
        let held = self.held(run).await?;
        for range in self.on_offer(run).await? {
            let is_raised = raised.iter().any(|idx| range.contains(idx));
            if !is_raised || range.clone().any(|idx| held.contains_key(&idx)) {
                continue;
            }
            let units = self.registered_of(run, range.start, range.len()).await?;
            let Some(class) = units.first().map(|unit| unit.class.clone()) else { continue };
            let subject = self.names.work(&class, run, range.start, range.len() as u32);
            self.server.purge(&self.names.stream("work"), &subject).await?;
            self.offer(&parcels(run, units, 1)).await?;
        }
        Ok(())
    }
}

/// Packs units into parcels: those that follow each other and are of one class, up to so many together.
pub(super) fn parcels(run: &str, units: Vec<RegisteredUnit>, chunk: u32) -> Vec<Parcel> {
    let mut parcels: Vec<Parcel> = Vec::new();
    for unit in units {
        let fits = |parcel: &&mut Parcel| {
            let follows = parcel.units.last().is_some_and(|last| last.idx + 1 == unit.idx && last.class == unit.class);
            follows && parcel.units.len() < chunk.max(1) as usize
        };
        match parcels.last_mut().filter(fits) {
            Some(parcel) => parcel.units.push(unit),
            None => parcels.push(Parcel { run: run.to_owned(), units: vec![unit] }),
        }
    }
    parcels.truncate(N_OFFERED);
    parcels
}

fn read_slice(run: &str, body: &[u8]) -> Result<PlanSlice, EngineError> {
    let unreadable =
        |why: serde_json::Error| EngineError::Unreadable { unit: format!("plan of {run}"), why: why.to_string() };
    serde_json::from_slice(body).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parcels_hold_units_of_one_class_that_follow_each_other() {
        let unit =
            |idx: u32, class: &str| RegisteredUnit { idx, id: format!("u{idx}"), class: class.to_owned(), n_before: 0 };
        let units =
            vec![unit(0, "a"), unit(1, "a"), unit(2, "a"), unit(3, "b"), unit(5, "b"), unit(6, "b"), unit(7, "a")];
        let packed = parcels("run", units, 2);
        let packed: Vec<Vec<u32>> =
            packed.iter().map(|parcel| parcel.units.iter().map(|unit| unit.idx).collect()).collect();
        assert_eq!(packed, [vec![0, 1], vec![2], vec![3], vec![5, 6], vec![7]]);
    }
}
