//! What a run counts as it goes.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::run::RunSummary;

/// What a run counts as it goes.
#[derive(Default)]
pub(crate) struct Tally {
    n_faulted: AtomicU64,
    n_continued: AtomicU64,
    n_turns_recovered: AtomicU64,
    n_started_over: AtomicU64,
    n_turns_lost: AtomicU64,
}

impl Tally {
    pub(crate) fn faulted(&self) {
        self.n_faulted.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn continued(&self, n_turns: usize) {
        self.n_continued.fetch_add(1, Ordering::Relaxed);
        self.n_turns_recovered.fetch_add(n_turns as u64, Ordering::Relaxed);
    }

    pub(crate) fn started_over(&self, n_turns: usize) {
        self.n_started_over.fetch_add(1, Ordering::Relaxed);
        self.n_turns_lost.fetch_add(n_turns as u64, Ordering::Relaxed);
    }

    pub(crate) fn summary(&self, n_done: u64, n_left: u64) -> RunSummary {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        RunSummary {
            n_done,
            n_left,
            n_faulted: read(&self.n_faulted),
            n_continued: read(&self.n_continued),
            n_turns_recovered: read(&self.n_turns_recovered),
            n_started_over: read(&self.n_started_over),
            n_turns_lost: read(&self.n_turns_lost),
        }
    }
}
