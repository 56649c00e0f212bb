//! What this process holds: parcels, the units in them, and when the server last heard of each.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::time::{Duration, Instant};

use quintain_runner::engine::{Hold, Lease, SystemClock, WallClock};

use super::handle::LeaseHandle;
use super::wire::History;

/// A point in time by both clocks: one stops while the machine sleeps, the other may be set.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClockMoment {
    pub(super) at: Instant,
    pub(super) wall_ms: i64,
}

impl ClockMoment {
    pub(super) fn now() -> Self {
        Self { at: Instant::now(), wall_ms: SystemClock.now_ms() }
    }

    /// How long ago it was, by the clock that says more.
    pub(super) fn age(&self, now: Self) -> Duration {
        let by_wall = Duration::from_millis(now.wall_ms.saturating_sub(self.wall_ms).max(0) as u64);
        now.at.saturating_duration_since(self.at).max(by_wall)
    }
}

/// What is to be told to the server when nothing is left to do in a parcel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ParcelClose {
    /// All its units are settled.
    Done(String),
    /// Some were put back, and rest so long.
    Again(String, Duration),
}

/// The history of a unit with the number of the message that held it; 0 where there was none.
pub(super) type UnitHistory = (u64, History);

/// All that is held.
#[derive(Default)]
pub(super) struct QueueHoldings {
    units: HashMap<(String, u32), QueueUnit>,
    parcels: BTreeMap<String, HeldParcel>,
    unopened: VecDeque<(String, Lease)>,
    prune_at: usize,
}

struct QueueUnit {
    attempt: u32,
    ack: String,
    is_over: bool,
    known: UnitHistory,
    since: ClockMoment,
}

struct HeldParcel {
    run: String,
    open: BTreeSet<u32>,
    /// Until when those rest that were put back.
    again: Option<Instant>,
    heard: ClockMoment,
}

impl QueueHoldings {
    /// Takes note of a parcel that was received, with those of its units that are not settled. The server heard of it
    /// last when it gave it out.
    pub(super) fn receive(
        &mut self,
        ack: &str,
        units: &[(Lease, UnitHistory)],
        heard: ClockMoment,
        lease_for: Duration,
    ) {
        self.prune(heard, lease_for);
        let Some(((first, _), open)) = units.first().map(|first| (first, units)) else { return };
        let open = open.iter().map(|(lease, _)| lease.key as u32).collect();
        self.parcels.insert(ack.to_owned(), HeldParcel { run: first.run.clone(), open, again: None, heard });
        for (lease, known) in units {
            let (ack, known) = (ack.to_owned(), known.clone());
            let unit = QueueUnit { attempt: lease.attempt, ack, is_over: false, known, since: heard };
            self.units.insert(key(lease), unit);
        }
    }

    /// Keeps leases for later: more came than were asked for.
    pub(super) fn keep_unopened(&mut self, class: &str, leases: impl IntoIterator<Item = Lease>) {
        self.unopened.extend(leases.into_iter().map(|lease| (class.to_owned(), lease)));
    }

    /// Takes leases that were kept for later and are still held, at most so many.
    pub(super) fn open(&mut self, classes: &[String], max: usize, now: ClockMoment, lease_for: Duration) -> Vec<Lease> {
        let (mut opened, mut rest) = (Vec::new(), VecDeque::new());
        for (class, lease) in std::mem::take(&mut self.unopened) {
            if opened.len() >= max || !classes.contains(&class) {
                rest.push_back((class, lease));
            } else if self.hold(&lease, now, lease_for) == Hold::Still {
                opened.push(lease);
            }
        }
        self.unopened = rest;
        opened
    }

    /// Takes out leases that were kept for later, of one run or of all.
    pub(super) fn take_unopened(&mut self, run: Option<&str>) -> Vec<Lease> {
        let all = std::mem::take(&mut self.unopened);
        let (taken, rest) = all.into_iter().partition(|(_, lease)| run.is_none_or(|run| lease.run == run));
        self.unopened = rest;
        let taken: VecDeque<(String, Lease)> = taken;
        taken.into_iter().map(|(_, lease)| lease).collect()
    }

    /// The runs of which leases are kept for later.
    pub(super) fn unopened_runs(&self) -> BTreeSet<String> {
        self.unopened.iter().map(|(_, lease)| lease.run.clone()).collect()
    }

    /// Whether a lease is held: only while it is sure that the server has not given the unit to another.
    pub(super) fn hold(&self, lease: &Lease, now: ClockMoment, lease_for: Duration) -> Hold {
        let is_held = match self.units.get(&key(lease)) {
            Some(unit) if unit.attempt == lease.attempt => {
                let heard = self.parcels.get(&unit.ack).map_or(unit.since, |parcel| parcel.heard);
                !unit.is_over && heard.age(now) < sure(lease_for)
            }
            Some(unit) if unit.attempt > lease.attempt => false,
            _ => now.wall_ms < lease.deadline_ms,
        };
        if is_held { Hold::Still } else { Hold::Lost }
    }

    /// The server has heard of a parcel: of what was sent at that moment.
    pub(super) fn heard(&mut self, ack: &str, at: ClockMoment) {
        if let Some(parcel) = self.parcels.get_mut(ack) {
            parcel.heard = at;
        }
    }

    /// The parcels of which leases are kept for later.
    pub(super) fn unopened_parcels(&self) -> BTreeSet<String> {
        self.unopened.iter().map(|(_, lease)| LeaseHandle::of(lease).ack).collect()
    }

    /// What is known of a unit's history.
    pub(super) fn known(&self, lease: &Lease) -> Option<UnitHistory> {
        self.units.get(&key(lease)).map(|unit| unit.known.clone())
    }

    /// Takes note of a unit's history.
    pub(super) fn learn(&mut self, lease: &Lease, known: UnitHistory) {
        if let Some(unit) = self.units.get_mut(&key(lease)) {
            unit.known = known;
        }
    }

    /// A unit is settled, whoever settled it: all parcels that it is in are done with it.
    pub(super) fn settle(&mut self, lease: &Lease) -> Vec<ParcelClose> {
        let mut acks = BTreeSet::from([LeaseHandle::of(lease).ack]);
        if let Some(unit) = self.units.get_mut(&key(lease)) {
            unit.is_over = true;
            acks.insert(unit.ack.clone());
        }
        acks.into_iter().filter_map(|ack| self.leave(&ack, lease, None)).collect()
    }

    /// A unit is put back, to rest until then.
    pub(super) fn put_back(&mut self, lease: &Lease, until: Instant) -> Option<ParcelClose> {
        if let Some(unit) = self.units.get_mut(&key(lease)) {
            unit.is_over = true;
        }
        self.leave(&LeaseHandle::of(lease).ack, lease, Some(until))
    }

    /// Forgets all leases of a run.
    pub(super) fn end_run(&mut self, run: &str) {
        self.parcels.retain(|_, parcel| parcel.run != run);
        self.unopened.retain(|(_, lease)| lease.run != run);
        self.units.iter_mut().for_each(|((of, _), unit)| unit.is_over |= of == run);
    }

    /// The units of a run that are held, with the number of the attempt.
    pub(super) fn held(&self, run: &str, now: ClockMoment, lease_for: Duration) -> BTreeMap<u32, u32> {
        let is_held = |unit: &QueueUnit| {
            let parcel = self.parcels.get(&unit.ack);
            !unit.is_over && parcel.is_some_and(|parcel| parcel.heard.age(now) < sure(lease_for))
        };
        let units = self.units.iter().filter(|((of, _), unit)| of == run && is_held(unit));
        units.map(|((_, idx), unit)| (*idx, unit.attempt)).collect()
    }

    /// The highest number of an attempt that was held here, for units of a run.
    pub(super) fn numbers(&self, run: &str) -> BTreeMap<u32, u32> {
        let units = self.units.iter().filter(|((of, _), _)| of == run);
        units.map(|((_, idx), unit)| (*idx, unit.attempt)).collect()
    }

    fn leave(&mut self, ack: &str, lease: &Lease, until: Option<Instant>) -> Option<ParcelClose> {
        let Some(parcel) = self.parcels.get_mut(ack) else {
            return self.close_of_another(ack, lease, until);
        };
        if !parcel.open.remove(&(lease.key as u32)) {
            return None;
        }
        parcel.again = parcel.again.max(until);
        if !parcel.open.is_empty() {
            return None;
        }
        let again = self.parcels.remove(ack).and_then(|parcel| parcel.again);
        Some(close(ack, again))
    }

    /// Of a parcel that another process received nothing is known; if the unit was alone in it, it is over with it.
    fn close_of_another(&self, ack: &str, lease: &Lease, until: Option<Instant>) -> Option<ParcelClose> {
        let is_ours = self.units.get(&key(lease)).is_some_and(|unit| unit.ack == ack);
        let handle = LeaseHandle::of(lease);
        let is_alone = handle.ack == ack && handle.n_units == 1 && ack != "-";
        (!is_ours && is_alone).then(|| close(ack, until))
    }

    /// Forgets what ran out long ago, now and then.
    fn prune(&mut self, now: ClockMoment, lease_for: Duration) {
        if self.units.len() < self.prune_at.max(1_000) {
            return;
        }
        self.parcels.retain(|_, parcel| parcel.heard.age(now) < lease_for * 2);
        let parcels = &self.parcels;
        self.units.retain(|_, unit| parcels.contains_key(&unit.ack) || unit.since.age(now) < lease_for * 2);
        self.prune_at = self.units.len() * 2;
    }
}

fn close(ack: &str, again: Option<Instant>) -> ParcelClose {
    match again {
        Some(until) => ParcelClose::Again(ack.to_owned(), until.saturating_duration_since(Instant::now())),
        None => ParcelClose::Done(ack.to_owned()),
    }
}

fn key(lease: &Lease) -> (String, u32) {
    (lease.run.clone(), lease.key as u32)
}

/// The server counts from when it gives a unit out, or hears of it, and we from a little later or earlier.
fn sure(lease_for: Duration) -> Duration {
    lease_for.saturating_sub((lease_for / 10).min(Duration::from_secs(2)))
}

#[cfg(test)]
mod tests;
