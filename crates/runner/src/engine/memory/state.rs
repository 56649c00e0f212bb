//! All that the engine holds, and how units and directions enter it.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::sync::Arc;

use quintain_core::Verdict;

use super::Offers;
use super::outcomes::KeptOutcome;
use super::parcel::OfferedParcel;
use super::runs::{KeptUnit, Run};
use crate::engine::{RunDirection, RunProgress, Unit};

/// A run's number.
pub(super) type RunNumber = u32;

/// A lease by run, unit and attempt.
pub(super) type LeaseKey = (RunNumber, u32, u32);

/// All that the engine holds.
pub(super) struct MemoryState {
    pub(super) offers: Offers,
    pub(super) runs: Vec<Run>,
    pub(super) numbers: HashMap<String, RunNumber>,
    pub(super) classes: Vec<String>,
    /// Of each class, what is on offer: by when it is due, then by when it was put there.
    pub(super) queues: Vec<BTreeSet<(i64, u64)>>,
    pub(super) parcels: HashMap<u64, OfferedParcel>,
    pub(super) last_parcel: u64,
    /// The leases that are held, with the parcel that each came in.
    pub(super) live: BTreeMap<LeaseKey, u64>,
    /// When to look whether a parcel has run out: at the earliest time it could have.
    pub(super) deadlines: BinaryHeap<Reverse<(i64, u64)>>,
    pub(super) rows: Vec<KeptOutcome>,
    /// Verdicts seen lately: most trials share one with others, and need not keep it twice.
    pub(super) verdicts: VecDeque<Arc<Verdict>>,
    pub(super) n_overlaps: u64,
}

impl MemoryState {
    pub(super) fn new(offers: Offers) -> Self {
        Self {
            offers,
            runs: Vec::new(),
            numbers: HashMap::new(),
            classes: Vec::new(),
            queues: Vec::new(),
            parcels: HashMap::new(),
            last_parcel: 0,
            live: BTreeMap::new(),
            deadlines: BinaryHeap::new(),
            rows: Vec::new(),
            verdicts: VecDeque::new(),
            n_overlaps: 0,
        }
    }

    /// The number of a run, which begins if there is none of that name.
    pub(super) fn enter_run(&mut self, name: &str) -> RunNumber {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.runs.len() as RunNumber;
        self.runs.push(Run::named(name));
        self.numbers.insert(name.to_owned(), number);
        number
    }

    fn enter_class(&mut self, name: &str) -> u16 {
        let found = self.class(name);
        found.unwrap_or_else(|| {
            self.classes.push(name.to_owned());
            self.queues.push(BTreeSet::new());
            (self.classes.len() - 1) as u16
        })
    }

    /// The number of a class, if there is any unit of it.
    pub(super) fn class(&self, name: &str) -> Option<u16> {
        self.classes.iter().position(|class| class == name).map(|class| class as u16)
    }

    /// Adds units that are not there yet. Those that are only learn of attempts that they did not know.
    pub(super) fn enqueue(&mut self, units: &[Unit]) -> u64 {
        units.iter().map(|unit| u64::from(self.enqueue_one(unit))).sum()
    }

    fn enqueue_one(&mut self, unit: &Unit) -> bool {
        let (run, class) = (self.enter_run(&unit.run), self.enter_class(&unit.class));
        let (idx, is_new) = self.runs[run as usize].ids.enter(&unit.id);
        if !is_new {
            self.learn(run, idx, unit.n_before);
            return false;
        }
        let kept = KeptUnit { class, n_faults: 0, n_lost: 0, n_before: unit.n_before, attempt: unit.n_before, seq: 0 };
        self.runs[run as usize].units.push(kept);
        self.offer_at_once(run, idx, 0);
        true
    }

    /// Learns of attempts at a unit that is neither settled nor held by anybody.
    pub(super) fn learn(&mut self, run: RunNumber, idx: u32, n_before: u32) {
        if self.is_held(run, idx) {
            return;
        }
        let unit = self.runs[run as usize].unit_mut(idx);
        if !unit.is_done() {
            unit.attempt = unit.attempt.max(n_before);
        }
    }

    /// Puts a unit on offer alone, where the engine does that itself and the run goes on.
    pub(super) fn offer_at_once(&mut self, run: RunNumber, idx: u32, due: i64) {
        let found = &self.runs[run as usize];
        if self.offers == Offers::AtOnce && found.direction == RunDirection::Go {
            let parcel = OfferedParcel::of(run, found.unit(idx).class, idx, 1, due);
            self.put_on_offer(parcel);
        }
    }

    /// Holds a run's units, or lets them go. When it is cancelled, leases end too.
    pub(super) fn direct(&mut self, name: &str, direction: RunDirection) {
        let run = self.enter_run(name);
        self.runs[run as usize].direction = direction;
        if direction == RunDirection::Go {
            return self.offer_outstanding(run);
        }
        self.purge(run);
        if direction == RunDirection::Cancel {
            self.end_leases(run);
        }
    }

    fn offer_outstanding(&mut self, run: RunNumber) {
        if self.offers == Offers::BySteward {
            return;
        }
        for idx in 0..self.runs[run as usize].units.len() as u32 {
            if !self.runs[run as usize].unit(idx).is_done() && !self.is_held(run, idx) {
                self.offer_at_once(run, idx, 0);
            }
        }
    }

    /// How far a run is.
    pub(super) fn progress(&self, name: &str) -> RunProgress {
        let Some(&run) = self.numbers.get(name) else { return RunProgress::default() };
        let run = &self.runs[run as usize];
        let n_units = run.units.len() as u64;
        let rest = n_units - run.n_done - run.n_leased;
        let (n_waiting, n_held) = if run.direction == RunDirection::Go { (rest, 0) } else { (0, rest) };
        RunProgress { n_units, n_done: run.n_done, n_leased: run.n_leased, n_waiting, n_held }
    }
}
