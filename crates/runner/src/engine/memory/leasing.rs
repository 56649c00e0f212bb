//! Leases: given, kept alive, put back, taken back.

use std::cmp::Reverse;

use super::parcel::{OfferedParcel, OpenedParcel, ParcelStage};
use super::state::{LeaseKey, MemoryState, RunNumber};
use crate::engine::{AttemptEnd, EngineError, Hold, Lease, LeaseOrder, Release};

/// Where a lease that ends without an outcome leaves its unit.
#[derive(Clone, Copy)]
enum LeaseAftermath {
    /// It is on offer again from then on.
    Again(i64),
    /// It is left alone.
    Nothing,
}

impl MemoryState {
    /// Leases what is due, class by class; of a class first what the opening was given before.
    pub(super) fn lease(
        &mut self,
        order: &LeaseOrder,
        opened: &mut Vec<OpenedParcel>,
        now: i64,
        deadline: i64,
    ) -> Vec<Lease> {
        self.take_back_expired(now);
        opened.retain(|cursor| self.is_current(cursor));
        let mut leases = Vec::new();
        for class in &order.classes {
            let Some(class) = self.class(class) else { continue };
            for cursor in opened.iter_mut().filter(|cursor| cursor.class == class) {
                self.hand_on(cursor, order.max, deadline, &mut leases);
            }
            while leases.len() < order.max {
                let Some(mut cursor) = self.take_parcel(class, now, deadline) else { break };
                self.hand_on(&mut cursor, order.max, deadline, &mut leases);
                opened.push(cursor);
            }
        }
        opened.retain(|cursor| cursor.next < cursor.end);
        leases
    }

    /// Takes the first parcel of a class that is due.
    fn take_parcel(&mut self, class: u16, now: i64, deadline: i64) -> Option<OpenedParcel> {
        let queue = &mut self.queues[class as usize];
        let key = queue.first().filter(|(due, _)| *due <= now)?.1;
        queue.pop_first();
        let parcel = self.parcels.get_mut(&key)?;
        parcel.stage = ParcelStage::Leased { deadline };
        parcel.n_deliveries += 1;
        self.deadlines.push(Reverse((deadline, key)));
        Some(OpenedParcel { parcel: key, class, delivery: parcel.n_deliveries, next: parcel.first, end: parcel.end() })
    }

    /// Hands units of a parcel on until there are enough. Settled ones and those that travel elsewhere are left out.
    fn hand_on(&mut self, cursor: &mut OpenedParcel, max: usize, deadline: i64, leases: &mut Vec<Lease>) {
        while leases.len() < max && cursor.next < cursor.end {
            let idx = cursor.next;
            cursor.next += 1;
            let Some(parcel) = self.parcels.get(&cursor.parcel) else { return };
            let run = parcel.run;
            if !parcel.moved.contains(&idx) && !self.runs[run as usize].unit(idx).is_done() {
                leases.push(self.give(run, idx, cursor.parcel, deadline));
            }
        }
        if cursor.next == cursor.end {
            self.drop_if_spent(cursor.parcel);
        }
    }

    fn give(&mut self, run: RunNumber, idx: u32, parcel: u64, deadline_ms: i64) -> Lease {
        let is_held = self.is_held(run, idx);
        let found = &mut self.runs[run as usize];
        if is_held {
            self.n_overlaps += 1;
        } else {
            found.n_leased += 1;
        }
        let unit = found.unit_mut(idx);
        unit.attempt += 1;
        let unit = *unit;
        self.live.insert((run, idx, unit.attempt), parcel);
        Lease {
            run: found.name.clone(),
            unit: found.ids.get(idx).to_owned(),
            key: u64::from(idx),
            attempt: unit.attempt,
            n_faults: u32::from(unit.n_faults),
            n_lost: u32::from(unit.n_lost),
            deadline_ms,
            handle: String::new(),
        }
    }

    /// Whether anybody holds a unit.
    pub(super) fn is_held(&self, run: RunNumber, idx: u32) -> bool {
        self.live.range((run, idx, 0)..=(run, idx, u32::MAX)).next().is_some()
    }

    /// The unit of a lease.
    pub(super) fn find(&self, lease: &Lease) -> Result<(RunNumber, u32), EngineError> {
        let found = self.numbers.get(&lease.run).copied();
        let idx = found.and_then(|run| self.runs[run as usize].idx(lease.key));
        found.zip(idx).ok_or_else(|| unknown(&lease.unit))
    }

    /// Keeps a lease alive, and with it the parcel that it came in.
    pub(super) fn beat(&mut self, lease: &Lease, deadline: i64) -> Hold {
        let Ok((run, idx)) = self.find(lease) else { return Hold::Lost };
        let Some(key) = self.live.get(&(run, idx, lease.attempt)) else { return Hold::Lost };
        if let Some(parcel) = self.parcels.get_mut(key) {
            parcel.keep_until(deadline);
        }
        Hold::Still
    }

    /// Puts a unit back. Of an attempt that was already counted as lost, it is only noted what really became of it.
    pub(super) fn release(&mut self, lease: &Lease, release: &Release, due: i64) -> Result<Hold, EngineError> {
        let (run, idx) = self.find(lease)?;
        let is_live = self.live.contains_key(&(run, idx, lease.attempt));
        let found = &mut self.runs[run as usize];
        if !is_live && !was_ended(found.notes.get(&(idx, lease.attempt))) {
            return Ok(Hold::Lost);
        }
        let n_faults = u16::from(matches!(release.end, AttemptEnd::Faulted { .. }));
        let unit = found.unit_mut(idx);
        unit.n_faults = unit.n_faults.saturating_add(n_faults);
        found.note(idx, lease.attempt, release.end.clone(), release.place.clone());
        if !is_live {
            return Ok(Hold::Lost);
        }
        self.end_lease((run, idx, lease.attempt), LeaseAftermath::Again(due));
        Ok(Hold::Still)
    }

    /// Ends a lease without an outcome. A unit alone in its parcel stays in it; one among others gets its own.
    fn end_lease(&mut self, held: LeaseKey, then: LeaseAftermath) {
        let (run, idx, _) = held;
        let Some(key) = self.live.remove(&held) else { return };
        if !self.is_held(run, idx) {
            self.runs[run as usize].n_leased -= 1;
        }
        let Some(parcel) = self.parcels.get_mut(&key) else { return };
        match (parcel.stage, then) {
            (ParcelStage::Leased { .. }, LeaseAftermath::Again(due)) if parcel.count == 1 => self.requeue(key, due),
            (ParcelStage::Leased { .. }, LeaseAftermath::Again(due)) => {
                parcel.moved.push(idx);
                let alone = OfferedParcel::of(run, parcel.class, idx, 1, due);
                self.drop_if_spent(key);
                self.put_on_offer(alone);
            }
            (ParcelStage::Purged { .. }, then) => {
                self.leave_purged(key);
                if let LeaseAftermath::Again(due) = then {
                    self.offer_at_once(run, idx, due);
                }
            }
            _ => {}
        }
    }

    /// Drops a parcel that the queue has forgotten and of which nobody holds anything.
    fn leave_purged(&mut self, key: u64) {
        if self.held_of(key).is_empty() {
            self.parcels.remove(&key);
        }
    }

    /// The leases that came in a parcel and are held.
    fn held_of(&self, key: u64) -> Vec<LeaseKey> {
        let Some(parcel) = self.parcels.get(&key) else { return Vec::new() };
        let span = (parcel.run, parcel.first, 0)..(parcel.run, parcel.end(), 0);
        self.live.range(span).filter(|(_, of)| **of == key).map(|(held, _)| *held).collect()
    }

    /// Takes back parcels that have run out, with all leases that came in them.
    fn take_back_expired(&mut self, now: i64) {
        while let Some(&Reverse((when, key))) = self.deadlines.peek()
            && when <= now
        {
            self.deadlines.pop();
            match self.parcels.get(&key).and_then(OfferedParcel::deadline) {
                Some(deadline) if deadline > now => self.deadlines.push(Reverse((deadline, key))),
                Some(_) => self.take_back(key),
                None => {}
            }
        }
    }

    fn take_back(&mut self, key: u64) {
        let is_known = matches!(self.parcels.get(&key).map(|parcel| parcel.stage), Some(ParcelStage::Leased { .. }));
        for held in self.held_of(key) {
            let (run, idx, attempt) = held;
            let found = &mut self.runs[run as usize];
            found.note(idx, attempt, AttemptEnd::Lost, None);
            found.unit_mut(idx).n_lost = found.unit(idx).n_lost.saturating_add(1);
            self.end_lease_of_parcel(held);
        }
        if is_known {
            self.requeue(key, 0);
        } else {
            self.parcels.remove(&key);
        }
    }

    /// Ends a lease whose parcel goes back as a whole, or not at all.
    fn end_lease_of_parcel(&mut self, held: LeaseKey) {
        let (run, idx, _) = held;
        let key = self.live.remove(&held);
        if self.is_held(run, idx) {
            return;
        }
        self.runs[run as usize].n_leased -= 1;
        let is_purged =
            key.and_then(|key| self.parcels.get(&key)).is_some_and(|of| matches!(of.stage, ParcelStage::Purged { .. }));
        if is_purged {
            self.offer_at_once(run, idx, 0);
        }
    }

    /// Ends all leases of a cancelled run, so that their holders learn it at the next beat.
    pub(super) fn end_leases(&mut self, run: RunNumber) {
        let held: Vec<LeaseKey> =
            self.live.range((run, 0, 0)..=(run, u32::MAX, u32::MAX)).map(|(held, _)| *held).collect();
        for held in held {
            self.runs[run as usize].note(held.1, held.2, AttemptEnd::PutDown, None);
            self.end_lease(held, LeaseAftermath::Nothing);
        }
    }

    /// Ends the leases of a unit that has just been settled. Those that did not win are late.
    pub(super) fn end_leases_of_unit(&mut self, run: RunNumber, idx: u32, winner: u32) {
        let span = (run, idx, 0)..=(run, idx, u32::MAX);
        let held: Vec<(LeaseKey, u64)> = self.live.range(span).map(|(held, key)| (*held, *key)).collect();
        if !held.is_empty() {
            self.runs[run as usize].n_leased -= 1;
        }
        for (held, key) in held {
            self.live.remove(&held);
            if held.2 != winner {
                self.runs[run as usize].note(idx, held.2, AttemptEnd::Late, None);
            }
            match self.parcels.get(&key).map(|parcel| parcel.stage) {
                Some(ParcelStage::Purged { .. }) => self.leave_purged(key),
                _ => self.drop_if_spent(key),
            }
        }
    }
}

/// Whether an attempt was closed behind the back of its holder.
fn was_ended(note: Option<&super::runs::AttemptNote>) -> bool {
    let closed = [AttemptEnd::Lost, AttemptEnd::Late, AttemptEnd::PutDown];
    note.is_some_and(|note| note.place.is_none() && closed.contains(&note.end))
}

pub(super) fn unknown(unit: &str) -> EngineError {
    EngineError::Unreadable { unit: unit.to_owned(), why: "no such unit was ever added".to_owned() }
}
