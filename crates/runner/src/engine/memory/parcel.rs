//! Parcels: units that travel together, as one message does on a fleet's server.

use super::state::{MemoryState, RunNumber};

/// Units that were put on offer together.
pub(super) struct OfferedParcel {
    pub(super) run: RunNumber,
    pub(super) class: u16,
    pub(super) first: u32,
    pub(super) count: u32,
    /// Units that travel on in a parcel of their own.
    pub(super) moved: Vec<u32>,
    /// How often it was handed out.
    pub(super) n_deliveries: u32,
    pub(super) stage: ParcelStage,
}

/// Where a parcel is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ParcelStage {
    /// On offer from then on.
    Waiting { due: i64 },
    /// With somebody, until then.
    Leased { deadline: i64 },
    /// With somebody until then, and no longer known to the queue, because its run was stopped meanwhile.
    Purged { deadline: i64 },
}

/// A parcel that an opening holds and hands on bit by bit.
pub(super) struct OpenedParcel {
    pub(super) parcel: u64,
    pub(super) class: u16,
    pub(super) delivery: u32,
    /// The next unit to hand on, and the end.
    pub(super) next: u32,
    pub(super) end: u32,
}

impl OfferedParcel {
    pub(super) fn of(run: RunNumber, class: u16, first: u32, count: u32, due: i64) -> Self {
        Self { run, class, first, count, moved: Vec::new(), n_deliveries: 0, stage: ParcelStage::Waiting { due } }
    }

    pub(super) fn end(&self) -> u32 {
        self.first + self.count
    }

    pub(super) fn deadline(&self) -> Option<i64> {
        match self.stage {
            ParcelStage::Waiting { .. } => None,
            ParcelStage::Leased { deadline } | ParcelStage::Purged { deadline } => Some(deadline),
        }
    }

    pub(super) fn keep_until(&mut self, until: i64) {
        if let ParcelStage::Leased { deadline } | ParcelStage::Purged { deadline } = &mut self.stage {
            *deadline = until;
        }
    }
}

impl MemoryState {
    /// Puts a parcel on offer, unless the same is there.
    pub(super) fn put_on_offer(&mut self, parcel: OfferedParcel) -> bool {
        let ParcelStage::Waiting { due } = parcel.stage else { return false };
        let (span, class) = ((parcel.first, parcel.count), parcel.class);
        let parcels = &mut self.runs[parcel.run as usize].parcels;
        if parcels.contains_key(&span) {
            return false;
        }
        self.last_parcel += 1;
        parcels.insert(span, self.last_parcel);
        self.queues[class as usize].insert((due, self.last_parcel));
        self.parcels.insert(self.last_parcel, parcel);
        true
    }

    /// Puts a parcel back in the queue that somebody had.
    pub(super) fn requeue(&mut self, key: u64, due: i64) {
        let Some(parcel) = self.parcels.get_mut(&key) else { return };
        parcel.stage = ParcelStage::Waiting { due };
        self.queues[parcel.class as usize].insert((due, key));
    }

    /// Takes a parcel from the queue and from the list of what is on offer.
    pub(super) fn drop_parcel(&mut self, key: u64) {
        let Some(parcel) = self.parcels.remove(&key) else { return };
        if let ParcelStage::Waiting { due } = parcel.stage {
            self.queues[parcel.class as usize].remove(&(due, key));
        }
        let parcels = &mut self.runs[parcel.run as usize].parcels;
        if parcels.get(&(parcel.first, parcel.count)) == Some(&key) {
            parcels.remove(&(parcel.first, parcel.count));
        }
    }

    /// Takes a parcel away whose units are all settled or travel elsewhere.
    pub(super) fn drop_if_spent(&mut self, key: u64) {
        let Some(parcel) = self.parcels.get(&key) else { return };
        let units = &self.runs[parcel.run as usize].units[parcel.first as usize..parcel.end() as usize];
        let is_open = |(i, unit): (usize, &super::runs::KeptUnit)| {
            !unit.is_done() && !parcel.moved.contains(&(parcel.first + i as u32))
        };
        if !units.iter().enumerate().any(is_open) {
            self.drop_parcel(key);
        }
    }

    /// Whether an opening still has a parcel that it was given.
    pub(super) fn is_current(&self, opened: &OpenedParcel) -> bool {
        self.parcels.get(&opened.parcel).is_some_and(|parcel| {
            parcel.n_deliveries == opened.delivery && matches!(parcel.stage, ParcelStage::Leased { .. })
        })
    }

    /// Keeps a parcel alive of which an opening has units that it has not handed on.
    pub(super) fn keep_opened(&mut self, opened: &OpenedParcel, deadline: i64) {
        if self.is_current(opened)
            && let Some(parcel) = self.parcels.get_mut(&opened.parcel)
        {
            parcel.keep_until(deadline);
        }
    }

    /// Puts what an opening has not handed on back on offer, as a parcel of its own.
    pub(super) fn put_back_unopened(&mut self, opened: &OpenedParcel) -> u32 {
        if !self.is_current(opened) {
            return 0;
        }
        let Some(parcel) = self.parcels.get_mut(&opened.parcel) else { return 0 };
        parcel.moved.extend(opened.next..opened.end);
        let rest = OfferedParcel::of(parcel.run, parcel.class, opened.next, opened.end - opened.next, 0);
        self.drop_if_spent(opened.parcel);
        self.put_on_offer(rest);
        opened.end - opened.next
    }

    /// Forgets all parcels of a run that are on offer. Those that somebody has are forgotten by the queue alone.
    pub(super) fn purge(&mut self, run: RunNumber) {
        for key in std::mem::take(&mut self.runs[run as usize].parcels).into_values() {
            let Some(parcel) = self.parcels.get_mut(&key) else { continue };
            match parcel.stage {
                ParcelStage::Waiting { .. } => self.drop_parcel(key),
                ParcelStage::Leased { deadline } | ParcelStage::Purged { deadline } => {
                    parcel.stage = ParcelStage::Purged { deadline }
                }
            }
        }
    }

    /// Forgets the parcels of a run that nobody has.
    pub(super) fn forget_offers(&mut self, run: &str) {
        let Some(&run) = self.numbers.get(run) else { return };
        let is_waiting = |key: &u64| matches!(self.parcels[key].stage, ParcelStage::Waiting { .. });
        let waiting: Vec<u64> = self.runs[run as usize].parcels.values().copied().filter(is_waiting).collect();
        for key in waiting {
            self.drop_parcel(key);
        }
    }
}
