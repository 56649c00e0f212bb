//! What a run counts as it goes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::allowance::Allowance;
use crate::run::RunSummary;

/// What a run counts as it goes.
#[derive(Default)]
pub(crate) struct RunTally {
    faulted: AtomicU64,
    continued: AtomicU64,
    turns_recovered: AtomicU64,
    started_over: AtomicU64,
    turns_lost: AtomicU64,
    denied: AtomicBool,
    pub(crate) allowance: Allowance,
}

impl RunTally {
    /// Counts what is used up of an allowance.
    pub(crate) fn within(allowance: Allowance) -> Self {
        Self { allowance, ..Self::default() }
    }

    /// Whether nobody was denied before.
    pub(crate) fn is_first_denial(&self) -> bool {
        !self.denied.swap(true, Ordering::Relaxed)
    }

    pub(crate) fn faulted(&self) {
        self.faulted.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn continued(&self, n_turns: usize) {
        self.continued.fetch_add(1, Ordering::Relaxed);
        self.turns_recovered.fetch_add(n_turns as u64, Ordering::Relaxed);
    }

    pub(crate) fn started_over(&self, n_turns: usize) {
        self.started_over.fetch_add(1, Ordering::Relaxed);
        self.turns_lost.fetch_add(n_turns as u64, Ordering::Relaxed);
    }

    pub(crate) fn summary(&self, n_done: u64, n_left: u64) -> RunSummary {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        RunSummary {
            n_done,
            n_left,
            n_faulted: read(&self.faulted),
            n_continued: read(&self.continued),
            n_turns_recovered: read(&self.turns_recovered),
            n_started_over: read(&self.started_over),
            n_turns_lost: read(&self.turns_lost),
            exhausted: self.allowance.exhausted().filter(|_| n_left > 0),
        }
    }
}
