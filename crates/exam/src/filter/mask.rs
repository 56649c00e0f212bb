//! What a filter has to do: limits of its gain in a pass band and a stop band.

use serde::{Deserialize, Serialize};

/// How many steps a decade has where a filter is measured, and over how many decades a band goes.
pub(super) const STEPS_PER_DECADE: usize = 50;
const DECADES: usize = 2;

/// The limits of a low-pass filter. The pass band begins two decades below its edge, the stop band ends two decades above its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct FilterMask {
    pub(super) pass_edge_hz: f64,
    pub(super) stop_edge_hz: f64,
    pub(super) pass_min_db: f64,
    pub(super) pass_max_db: f64,
    pub(super) stop_max_db: f64,
}

/// The extremes of a filter's gain in both bands, in decibels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BandExtremes {
    pub(super) pass_lowest: f64,
    pub(super) pass_highest: f64,
    pub(super) stop_highest: f64,
}

impl BandExtremes {
    /// What is reached by nothing yet.
    pub(super) const NONE: Self =
        Self { pass_lowest: f64::INFINITY, pass_highest: f64::NEG_INFINITY, stop_highest: f64::NEG_INFINITY };

    /// The extremes of gains in decibels.
    pub(super) fn of(pass_db: &[f64], stop_db: &[f64]) -> Self {
        let highest = |all: &[f64]| all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Self {
            pass_lowest: pass_db.iter().copied().fold(f64::INFINITY, f64::min),
            pass_highest: highest(pass_db),
            stop_highest: highest(stop_db),
        }
    }

    /// The extremes of both.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            pass_lowest: self.pass_lowest.min(other.pass_lowest),
            pass_highest: self.pass_highest.max(other.pass_highest),
            stop_highest: self.stop_highest.max(other.stop_highest),
        }
    }
}

impl FilterMask {
    /// The first and the last frequency of both bands.
    pub(super) fn pass_ends_hz(&self) -> (f64, f64) {
        (self.pass_edge_hz / 100.0, self.pass_edge_hz)
    }

    pub(super) fn stop_ends_hz(&self) -> (f64, f64) {
        (self.stop_edge_hz, self.stop_edge_hz * 100.0)
    }

    /// Where a filter is measured.
    pub(super) fn pass_hz(&self) -> Vec<f64> {
        frequencies(self.pass_ends_hz().0)
    }

    pub(super) fn stop_hz(&self) -> Vec<f64> {
        frequencies(self.stop_ends_hz().0)
    }

    /// How far what was reached is inside the limits; negative where it is outside.
    pub(super) fn margin_db(&self, reached: BandExtremes) -> f64 {
        let pass = (reached.pass_lowest - self.pass_min_db).min(self.pass_max_db - reached.pass_highest);
        pass.min(self.stop_max_db - reached.stop_highest)
    }

    /// How far down a maximally flat filter of as many pole pairs is in the stop band, if it uses up the pass band.
    pub(super) fn flat_stop_db(&self, n_pairs: usize) -> f64 {
        let down = libm::pow(10.0, (self.pass_max_db - self.pass_min_db) / 10.0) - 1.0;
        let ratio = libm::pow(self.stop_edge_hz / self.pass_edge_hz, 4.0 * n_pairs as f64);
        self.pass_max_db - 10.0 * libm::log10(1.0 + down * ratio)
    }

    /// The table that is given out.
    pub(super) fn written(&self) -> String {
        let ((pass_from, pass_to), (stop_from, stop_to)) = (self.pass_ends_hz(), self.stop_ends_hz());
        format!(
            "band,from_hz,to_hz,min_db,max_db\npass,{pass_from},{pass_to},{:.2},{:.2}\nstop,{stop_from},{stop_to},,{:.2}\n",
            self.pass_min_db, self.pass_max_db, self.stop_max_db
        )
    }
}

fn frequencies(from_hz: f64) -> Vec<f64> {
    let step = |at: usize| from_hz * libm::pow(10.0, at as f64 / STEPS_PER_DECADE as f64);
    (0..=DECADES * STEPS_PER_DECADE).map(step).collect()
}
