//! Runs and their units, packed: a million units are a few dozen megabytes.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::engine::steered::RunTerms;
use crate::engine::{AttemptEnd, RunDirection};

/// A run.
pub(super) struct Run {
    pub(super) name: String,
    pub(super) direction: RunDirection,
    pub(super) terms: RunTerms,
    pub(super) ids: UnitNames,
    pub(super) units: Vec<KeptUnit>,
    /// Parcels by first unit and count: only one of each can be on offer.
    pub(super) parcels: BTreeMap<(u32, u32), u64>,
    /// What became of attempts that brought no outcome, by unit and number.
    pub(super) notes: BTreeMap<(u32, u32), AttemptNote>,
    pub(super) n_done: u64,
    pub(super) n_leased: u64,
}

/// What is kept of a unit.
#[derive(Clone, Copy)]
pub(super) struct KeptUnit {
    pub(super) class: u16,
    pub(super) n_faults: u16,
    pub(super) n_lost: u16,
    /// How many attempts were on record when it was added.
    pub(super) n_before: u32,
    /// The number of the last attempt.
    pub(super) attempt: u32,
    /// The number of its outcome in the order of all; 0 while there is none.
    pub(super) seq: u32,
}

impl KeptUnit {
    pub(super) fn is_done(self) -> bool {
        self.seq > 0
    }
}

/// How an attempt ended, and where its record lies.
pub(super) struct AttemptNote {
    pub(super) end: AttemptEnd,
    pub(super) place: Option<String>,
}

impl Run {
    pub(super) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            direction: RunDirection::Go,
            terms: RunTerms::default(),
            ids: UnitNames::default(),
            units: Vec::new(),
            parcels: BTreeMap::new(),
            notes: BTreeMap::new(),
            n_done: 0,
            n_leased: 0,
        }
    }

    /// The place in the plan that a lease's key stands for.
    pub(super) fn idx(&self, key: u64) -> Option<u32> {
        u32::try_from(key).ok().filter(|idx| (*idx as usize) < self.units.len())
    }

    pub(super) fn unit(&self, idx: u32) -> &KeptUnit {
        &self.units[idx as usize]
    }

    pub(super) fn unit_mut(&mut self, idx: u32) -> &mut KeptUnit {
        &mut self.units[idx as usize]
    }

    pub(super) fn note(&mut self, idx: u32, attempt: u32, end: AttemptEnd, place: Option<String>) {
        self.notes.insert((idx, attempt), AttemptNote { end, place });
    }
}

/// The names of a run's units, one after the other in one text.
#[derive(Default)]
pub(super) struct UnitNames {
    text: String,
    ends: Vec<usize>,
    /// Where the name with that hash is; one whose slot is taken has the next.
    slots: HashMap<u64, u32>,
}

impl UnitNames {
    pub(super) fn get(&self, idx: u32) -> &str {
        let idx = idx as usize;
        let start = if idx == 0 { 0 } else { self.ends[idx - 1] };
        &self.text[start..self.ends[idx]]
    }

    /// The place of a name, and whether it is there for the first time.
    pub(super) fn enter(&mut self, id: &str) -> (u32, bool) {
        let mut slot = hash(id);
        while let Some(idx) = self.slots.get(&slot) {
            if self.get(*idx) == id {
                return (*idx, false);
            }
            slot = slot.wrapping_add(1);
        }
        let idx = self.ends.len() as u32;
        self.text.push_str(id);
        self.ends.push(self.text.len());
        self.slots.insert(slot, idx);
        (idx, true)
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}
