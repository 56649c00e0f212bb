//! Whether an agent put the pointer where the oracle puts it, to the pixel.
//!
//! Two agents that look at the same screen agree on buttons, hardly ever on pixels. `docs/isolation.md` is the page for users.

use std::collections::BTreeSet;

use quintain_core::action::{Action, Place, Point};
use quintain_core::trajectory::Step;
use quintain_core::trial::TrialId;
use quintain_core::words::count;
use serde::{Deserialize, Serialize};

use crate::row::TrialRow;

/// With fewer pointer actions than this, the same places may well be chance.
const FEWEST_ACTIONS: usize = 5;

/// How many trials are listed by name; the others are only counted.
const MOST_LISTED: usize = 100;

/// Where the pointer was put in a trial.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PointerTrail {
    /// The pointer actions that say where.
    n_actions: usize,
    /// Where that was, in whole pixels: each once, in order.
    pixels: Vec<(i32, i32)>,
    /// How many of them name an element rather than a pixel.
    n_by_mark: usize,
}

/// How the places of a trial compare with the oracle's on the same instance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrailMatch {
    /// There is nothing to compare: too few pointer actions, or the oracle itself.
    #[default]
    TooShort,
    /// No trial of the oracle on that instance is on record.
    NotCompared,
    /// The agent went to other places than the oracle, or to elements by their numbers.
    Different,
    /// Every place is one of the oracle's, to the pixel.
    Same,
}

/// The trials that were held against the oracle's, condensed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TrailSummary {
    /// How many trials were compared.
    pub n_compared: usize,
    /// How many could not be: no trial of the oracle on their instances is on record.
    pub n_not_compared: usize,
    /// How many put the pointer on the oracle's very pixels and nowhere else.
    pub n_same: usize,
    /// Those by name, as many as are listed.
    pub same: Vec<TrialId>,
}

impl PointerTrail {
    /// Where the pointer was put in these steps. Actions that leave it where it is say nothing.
    pub fn of(steps: &[Step]) -> Self {
        let actions = steps.iter().filter_map(|step| step.action.as_ref()).flat_map(Action::in_order);
        let placed: Vec<Vec<Place>> = actions.map(Action::places).filter(|places| !places.is_empty()).collect();
        let points = || placed.iter().flatten().map(|place| place.point());
        let pixels: BTreeSet<(i32, i32)> = points().flatten().map(pixel).collect();
        let n_by_mark = points().filter(Option::is_none).count();
        Self { n_actions: placed.len(), pixels: pixels.into_iter().collect(), n_by_mark }
    }

    /// How it compares with what oracles did on the same instance.
    pub fn against(&self, oracles: &[Self]) -> TrailMatch {
        if self.n_actions < FEWEST_ACTIONS {
            return TrailMatch::TooShort;
        }
        if oracles.is_empty() {
            return TrailMatch::NotCompared;
        }
        let same = self.n_by_mark == 0 && oracles.iter().any(|oracle| self.lies_on(oracle));
        if same { TrailMatch::Same } else { TrailMatch::Different }
    }

    fn lies_on(&self, oracle: &Self) -> bool {
        self.pixels.iter().all(|pixel| oracle.pixels.binary_search(pixel).is_ok())
    }
}

/// Recorded points are fractions where an agent's screen was scaled: the pixel counts.
fn pixel(Point { x, y }: Point) -> (i32, i32) {
    (x.round() as i32, y.round() as i32)
}

impl TrailSummary {
    /// What the rows say together.
    pub fn of(rows: &[&TrialRow]) -> Self {
        let n = |of: TrailMatch| rows.iter().filter(|row| row.trail == of).count();
        let same = rows.iter().filter(|row| row.trail == TrailMatch::Same);
        Self {
            n_compared: n(TrailMatch::Different) + n(TrailMatch::Same),
            n_not_compared: n(TrailMatch::NotCompared),
            n_same: n(TrailMatch::Same),
            same: same.take(MOST_LISTED).map(|row| row.trial.clone()).collect(),
        }
    }

    /// Says that pointers went where the oracle's goes; nothing where none did.
    pub fn same_words(&self) -> Option<String> {
        let Self { n_compared, n_same, .. } = self;
        let words = format!(
            "{n_same} of {n_compared} trials with {FEWEST_ACTIONS} pointer actions or more used the oracle's pixels alone"
        );
        (*n_same > 0).then_some(words)
    }

    /// Says that trials were not compared; nothing where all were.
    pub(crate) fn uncompared_words(&self) -> Option<String> {
        let trials = count(self.n_not_compared, "trial");
        let words = format!("not held against the oracle, which is not on record there: {trials} with pointer actions");
        (self.n_not_compared > 0).then_some(words)
    }
}

#[cfg(test)]
mod tests;
