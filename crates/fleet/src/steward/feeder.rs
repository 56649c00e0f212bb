//! What to put on offer next: pure arithmetic over which units of which runs are done, out, or free.
//!
//! A unit is *out* while it is on offer, resting, or held by a worker; *free* when it is neither out nor done. Of every
//! class so many units are kept out that no worker waits for the steward, and not many more, because what is out is
//! played in the order it was offered and a run that comes later stands behind it. Who gets the next place is the run
//! that has the fewest units out for its weight.

mod lane;
mod pace;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;

use quintain_runner::engine::RunDirection;
use quintain_runner::engine::steered::{Priority, RunStanding, RunTerms};

use self::lane::ClassLane;
use self::pace::FeedPace;
use super::bits::UnitBits;

/// How many units of a class are kept out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueDepth {
    /// Parcels for each slot of the living workers.
    pub per_slot: u64,
    /// Units that are played in so many milliseconds, as measured.
    pub ahead_ms: u64,
    /// Units, however few workers there are.
    pub at_least: u64,
}

impl Default for QueueDepth {
    fn default() -> Self {
        Self { per_slot: 2, ahead_ms: 2_000, at_least: 64 }
    }
}

/// Units that the feeder wants to be offered together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeederPick {
    /// The run.
    pub run: String,
    /// The units' places in its plan.
    pub units: Range<u32>,
}

/// Decides what is put on offer. It does nothing by itself and knows only what it is told.
#[derive(Debug, Default)]
pub struct Feeder {
    depth: QueueDepth,
    runs: Vec<FedRun>,
    by_name: BTreeMap<String, usize>,
    classes: Vec<UnitClass>,
    /// Counts picks, so that equals take turns.
    n_picks: u64,
}

/// A run as the feeder sees it.
#[derive(Debug)]
struct FedRun {
    name: String,
    direction: RunDirection,
    terms: RunTerms,
    n_learnt: u32,
    done: UnitBits,
    n_done: u32,
    out: UnitBits,
    lanes: Vec<ClassLane>,
}

/// A class of units, whatever their run.
#[derive(Debug)]
struct UnitClass {
    name: String,
    n_slots: u64,
    pace: FeedPace,
}

impl Feeder {
    /// A feeder that knows of no run.
    pub fn new(depth: QueueDepth) -> Self {
        Self { depth, ..Self::default() }
    }

    /// Tells how a run stands. A run that is new has no units yet.
    pub fn stand(&mut self, standing: &RunStanding) {
        let at = *self.by_name.entry(standing.run.clone()).or_insert_with(|| {
            self.runs.push(FedRun::new(&standing.run));
            self.runs.len() - 1
        });
        self.runs[at].direction = standing.direction;
        self.runs[at].terms = standing.terms;
    }

    /// Tells of units of a run, which follow those that it was told of before. None is offered before it was told by
    /// [`Self::audit`] which of them are out.
    pub fn learn<'a>(&mut self, run: &str, classes: impl Iterator<Item = &'a str>) {
        let Some(&at) = self.by_name.get(run) else { return };
        for class in classes {
            let class = self.class(class);
            self.runs[at].learn(class);
        }
    }

    /// Tells how many slots the living workers have for each class.
    pub fn muster(&mut self, n_slots: &BTreeMap<String, u64>) {
        for class in n_slots.keys() {
            self.class(class);
        }
        for class in &mut self.classes {
            class.n_slots = n_slots.get(&class.name).copied().unwrap_or(0);
        }
    }

    /// Tells that a unit has an outcome. Says whether the run is known and the outcome was news.
    pub fn settle(&mut self, run: &str, idx: u32) -> bool {
        let Some(&at) = self.by_name.get(run) else { return false };
        let is_news = self.runs[at].settle(idx);
        if is_news && let Some(class) = self.runs[at].class_of(idx) {
            self.classes[class].pace.count();
        }
        is_news
    }

    /// Tells exactly which units of a run are out: on offer, or held by someone who lives. Whatever else has no outcome
    /// is free. Returns how many units that were out are free again.
    pub fn audit(&mut self, run: &str, on_offer: &[Range<u32>], held: impl Iterator<Item = u32>) -> u32 {
        let Some(&at) = self.by_name.get(run) else { return 0 };
        let out: UnitBits = on_offer.iter().cloned().flatten().chain(held).collect();
        self.runs[at].audit(&out)
    }

    /// Picks what should be offered now, at most so many parcels of each class, and counts it as out.
    pub fn feed(&mut self, now_ms: i64, max: usize) -> Vec<FeederPick> {
        let mut picks = Vec::new();
        for class in 0..self.classes.len() {
            self.classes[class].pace.pass(now_ms);
            self.feed_class(class, max, &mut picks);
        }
        picks
    }

    /// Tells that what was picked could not be offered: it is free again.
    pub fn give_back(&mut self, pick: &FeederPick) {
        let Some(&at) = self.by_name.get(&pick.run) else { return };
        for idx in pick.units.clone() {
            self.runs[at].give_back(idx);
        }
    }

    /// Forgets everything about a run.
    pub fn forget(&mut self, run: &str) {
        if let Some(at) = self.by_name.remove(run) {
            self.runs[at] = FedRun::new(run);
        }
    }

    /// How many units of a run it was told of.
    pub fn n_learnt(&self, run: &str) -> u32 {
        self.field(run).map_or(0, |field| field.n_learnt)
    }

    /// How many units of a run have an outcome.
    pub fn n_done(&self, run: &str) -> u32 {
        self.field(run).map_or(0, |field| field.n_done)
    }

    /// How many units of a run are out.
    pub fn n_out(&self, run: &str) -> u32 {
        self.field(run).map_or(0, |field| field.lanes.iter().map(|lane| lane.n_out).sum())
    }

    /// How many units of a run are neither done nor out.
    pub fn n_free(&self, run: &str) -> u32 {
        self.field(run).map_or(0, |field| field.lanes.iter().map(|lane| lane.n_free).sum())
    }

    /// Whether the unit has an outcome.
    pub fn is_done(&self, run: &str, idx: u32) -> bool {
        self.field(run).is_some_and(|field| field.done.has(idx))
    }

    fn field(&self, run: &str) -> Option<&FedRun> {
        self.by_name.get(run).map(|at| &self.runs[*at])
    }

    fn class(&mut self, name: &str) -> usize {
        self.classes.iter().position(|class| class.name == name).unwrap_or_else(|| {
            self.classes.push(UnitClass { name: name.to_owned(), n_slots: 0, pace: FeedPace::default() });
            self.classes.len() - 1
        })
    }

    fn feed_class(&mut self, class: usize, max: usize, picks: &mut Vec<FeederPick>) {
        let lanes = self.open_lanes(class);
        let target = self.target(class, &lanes);
        let mut n_out: u64 = lanes.iter().map(|&(run, lane)| u64::from(self.runs[run].lanes[lane].n_out)).sum();
        for _ in 0..max {
            let Some((run, lane)) = self.next_lane(&lanes).filter(|_| n_out < target) else { return };
            let chunk = self.chunk(class, run, lane);
            self.n_picks += 1;
            let units = self.runs[run].pick(lane, chunk, self.n_picks);
            n_out += units.len() as u64;
            picks.push(FeederPick { run: self.runs[run].name.clone(), units });
        }
    }

    /// The lanes of a class, as run and place in it, of runs that go.
    fn open_lanes(&self, class: usize) -> Vec<(usize, usize)> {
        let mut lanes = Vec::new();
        for (at, run) in self.runs.iter().enumerate().filter(|(_, run)| run.direction == RunDirection::Go) {
            lanes.extend(run.lanes.iter().position(|lane| lane.class == class).map(|lane| (at, lane)));
        }
        lanes
    }

    /// How many units of the class should be out.
    fn target(&self, class: usize, lanes: &[(usize, usize)]) -> u64 {
        let chunk = lanes.iter().map(|&(run, lane)| u64::from(self.chunk(class, run, lane))).max();
        let UnitClass { n_slots, pace, .. } = &self.classes[class];
        let for_slots = self.depth.per_slot * n_slots * chunk.unwrap_or(1);
        (for_slots + pace.within(self.depth.ahead_ms)).max(self.depth.at_least)
    }

    /// Of the lanes that have something free, the one with the fewest units out for its weight; of equals the one that
    /// waited longest.
    fn next_lane(&self, lanes: &[(usize, usize)]) -> Option<(usize, usize)> {
        let standing = |&(run, lane): &(usize, usize)| {
            let (field, lane) = (&self.runs[run], &self.runs[run].lanes[lane]);
            (u64::from(lane.n_out) * handicap(field.terms.priority), lane.last_pick)
        };
        let free = lanes.iter().filter(|&&(run, lane)| self.runs[run].lanes[lane].n_free > 0);
        free.min_by_key(|lane| standing(lane)).copied()
    }

    /// How many units travel together: as many as the run's terms say, but fewer towards the end, so that all workers
    /// have a part in the last ones.
    fn chunk(&self, class: usize, run: usize, lane: usize) -> u32 {
        let n_slots = self.classes[class].n_slots.max(self.depth.at_least / 4).max(1);
        let chunk = self.runs[run].terms.chunk.max(1);
        let even = u64::from(self.runs[run].lanes[lane].n_free) / (2 * n_slots);
        if even >= u64::from(chunk) { chunk } else { 1 << (even as u32).max(1).ilog2() }
    }
}

/// How much a unit that is out weighs: weights of 16, 4 and 1 turned upside down.
fn handicap(priority: Priority) -> u64 {
    match priority {
        Priority::High => 1,
        Priority::Normal => 4,
        Priority::Low => 16,
    }
}

impl FedRun {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            direction: RunDirection::Cancel,
            terms: RunTerms::default(),
            n_learnt: 0,
            done: UnitBits::default(),
            n_done: 0,
            out: UnitBits::default(),
            lanes: Vec::new(),
        }
    }

    fn learn(&mut self, class: usize) {
        let idx = self.n_learnt;
        self.n_learnt += 1;
        if let Some(lane) = self.lanes.iter_mut().find(|lane| lane.class == class) {
            lane.learn(idx);
            return;
        }
        let mut lane = ClassLane::of(class);
        lane.learn(idx);
        self.lanes.push(lane);
    }

    fn class_of(&self, idx: u32) -> Option<usize> {
        self.lanes.iter().find(|lane| lane.has(idx)).map(|lane| lane.class)
    }

    fn settle(&mut self, idx: u32) -> bool {
        if !self.done.put(idx) {
            return false;
        }
        self.n_done += 1;
        let was_out = self.out.take(idx);
        if let Some(lane) = self.lanes.iter_mut().find(|lane| lane.has(idx)) {
            lane.close(idx, was_out);
        }
        true
    }

    fn audit(&mut self, out: &UnitBits) -> u32 {
        let n_freed = self.out.without([out, &self.done]).count();
        self.out = out.without([&self.done, &UnitBits::default()]);
        for lane in &mut self.lanes {
            lane.audit(&self.out, &self.done);
        }
        n_freed
    }

    fn pick(&mut self, lane: usize, chunk: u32, turn: u64) -> Range<u32> {
        let units = self.lanes[lane].pick(chunk, turn);
        for idx in units.clone() {
            self.out.put(idx);
        }
        units
    }

    fn give_back(&mut self, idx: u32) {
        if !self.out.take(idx) {
            return;
        }
        if let Some(lane) = self.lanes.iter_mut().find(|lane| lane.has(idx)) {
            lane.give_back(idx);
        }
    }
}
