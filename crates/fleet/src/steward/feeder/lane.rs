//! The units of one run that are of one class.

use std::ops::Range;

use crate::steward::bits::UnitBits;

/// The units of a run that are of one class: the same workers play them.
#[derive(Debug)]
pub(super) struct ClassLane {
    /// Which class, by its place among all.
    pub(super) class: usize,
    /// How many of them are free.
    pub(super) n_free: u32,
    /// How many of them are out.
    pub(super) n_out: u32,
    /// When units of it were last picked.
    pub(super) last_pick: u64,
    mine: UnitBits,
    free: UnitBits,
    /// Nothing before it is free.
    cursor: u32,
}

impl ClassLane {
    /// A lane without units.
    pub(super) fn of(class: usize) -> Self {
        Self {
            class,
            n_free: 0,
            n_out: 0,
            last_pick: 0,
            mine: UnitBits::default(),
            free: UnitBits::default(),
            cursor: 0,
        }
    }

    /// Adds a unit. Whether it is free an audit says.
    pub(super) fn learn(&mut self, idx: u32) {
        self.mine.put(idx);
    }

    /// Whether the unit is of this lane.
    pub(super) fn has(&self, idx: u32) -> bool {
        self.mine.has(idx)
    }

    /// The unit has an outcome.
    pub(super) fn close(&mut self, idx: u32, was_out: bool) {
        self.n_out -= u32::from(was_out);
        self.n_free -= u32::from(self.free.take(idx));
    }

    /// Sets anew what is out and what is free.
    pub(super) fn audit(&mut self, out: &UnitBits, done: &UnitBits) {
        self.free = self.mine.without([out, done]);
        self.n_free = self.free.count();
        self.n_out = self.mine.both(out).count();
        self.cursor = 0;
    }

    /// Takes the first free units that follow each other, at most so many and none beyond a multiple of that number: what
    /// is picked again is cut in the same places. Something must be free.
    pub(super) fn pick(&mut self, chunk: u32, turn: u64) -> Range<u32> {
        let first = self.free.next(self.cursor).expect("it is only called when something is free");
        let limit = first - first % chunk + chunk;
        let end = (first..limit).take_while(|idx| self.free.take(*idx)).last().map_or(first, |last| last + 1);
        let n_picked = end - first;
        self.n_free -= n_picked;
        self.n_out += n_picked;
        self.last_pick = turn;
        self.cursor = end;
        first..end
    }

    /// A unit that was picked is free again.
    pub(super) fn give_back(&mut self, idx: u32) {
        if self.free.put(idx) {
            self.n_free += 1;
            self.n_out -= 1;
            self.cursor = self.cursor.min(idx);
        }
    }
}
