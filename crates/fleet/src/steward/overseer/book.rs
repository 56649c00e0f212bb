//! What an overseer keeps about one run besides bits.

use std::collections::BTreeMap;
use std::ops::Range;

use quintain_runner::engine::EngineError;
use quintain_runner::engine::steered::{RegisteredUnit, RunStanding, SteeredEngine};

use crate::steward::feeder::Feeder;

/// How many units are read at once.
const SLICE: u32 = 4_096;

/// Which units of a run were seen to be out.
pub(super) struct OutUnits {
    /// On offer or leased.
    pub(super) on_offer: Vec<Range<u32>>,
    /// Held by someone who lives, with the number of the attempt.
    pub(super) held: BTreeMap<u32, u32>,
}

impl OutUnits {
    /// Looks what is out.
    pub(super) async fn take<F: SteeredEngine>(floor: &F, run: &str) -> Result<Self, EngineError> {
        Ok(Self { on_offer: floor.on_offer(run).await?, held: floor.held(run).await? })
    }
}

/// What is known of one run.
pub(super) struct RunKnowledge {
    /// How it stood when it was last looked at.
    pub(super) standing: RunStanding,
    /// How many of its units were read.
    pub(super) n_learnt: u32,
    /// Whether the history of its attempts was read.
    pub(super) knows_attempts: bool,
    /// Whether every unit has an outcome.
    pub(super) is_over: bool,
    /// The highest number of an attempt known, of units that had any.
    attempts: BTreeMap<u32, u32>,
    /// The units that were read last, and the place of the first.
    slice: (u32, Vec<RegisteredUnit>),
}

impl RunKnowledge {
    /// A book with nothing in it.
    pub(super) fn of(standing: RunStanding) -> Self {
        Self {
            standing,
            n_learnt: 0,
            knows_attempts: false,
            is_over: false,
            attempts: BTreeMap::new(),
            slice: (0, Vec::new()),
        }
    }

    /// Reads units that are new and tells the feeder of them. Returns how many.
    pub(super) async fn learn<F: SteeredEngine>(&mut self, floor: &F, feeder: &mut Feeder) -> Result<u32, EngineError> {
        let before = self.n_learnt;
        while self.n_learnt < self.standing.n_units {
            let units = floor.registered(&self.standing.run, self.n_learnt, SLICE as usize).await?;
            if units.is_empty() {
                break;
            }
            feeder.learn(&self.standing.run, units.iter().map(|unit| unit.class.as_str()));
            self.n_learnt += units.len() as u32;
        }
        self.close_if_over(feeder);
        Ok(self.n_learnt - before)
    }

    /// Notes that units had attempts of such numbers.
    pub(super) fn note(&mut self, attempts: impl IntoIterator<Item = (u32, u32)>) {
        for (idx, attempt) in attempts {
            let highest = self.attempts.entry(idx).or_default();
            *highest = attempt.max(*highest);
        }
    }

    /// Notes that a unit has an outcome.
    pub(super) fn close(&mut self, idx: u32, feeder: &mut Feeder) {
        self.attempts.remove(&idx);
        self.close_if_over(feeder);
    }

    fn close_if_over(&mut self, feeder: &Feeder) {
        let run = &self.standing.run;
        self.is_over = self.n_learnt >= self.standing.n_units && feeder.n_done(run) >= self.n_learnt;
        if self.is_over {
            self.attempts.clear();
            self.slice = (0, Vec::new());
        }
    }

    /// The units at these places, numbered after the attempts that are known.
    pub(super) async fn units<F: SteeredEngine>(
        &mut self,
        floor: &F,
        places: Range<u32>,
    ) -> Result<Vec<RegisteredUnit>, EngineError> {
        let mut units = Vec::with_capacity(places.len());
        while units.len() < places.len() {
            let next = places.start + units.len() as u32;
            let here = self.slice_with(floor, next).await?;
            units.extend(here.iter().take(places.len() - units.len()).cloned());
        }
        for unit in &mut units {
            unit.n_before = unit.n_before.max(self.attempts.get(&unit.idx).copied().unwrap_or(0));
        }
        Ok(units)
    }

    /// Units that follow each other, of which this is the first.
    async fn slice_with<F: SteeredEngine>(&mut self, floor: &F, idx: u32) -> Result<&[RegisteredUnit], EngineError> {
        let (first, units) = &self.slice;
        if idx < *first || idx - first >= units.len() as u32 {
            let first = idx - idx % SLICE;
            self.slice = (first, floor.registered(&self.standing.run, first, SLICE as usize).await?);
        }
        let (first, units) = &self.slice;
        let missing = || EngineError::Unreadable {
            unit: format!("{} {idx}", self.standing.run),
            why: "it was registered once and is not any more".to_owned(),
        };
        units.get((idx - first) as usize..).filter(|units| !units.is_empty()).ok_or_else(missing)
    }
}
