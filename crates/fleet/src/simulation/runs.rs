//! Runs as the simulation keeps them: an account of its own, beside the engine's.

use std::collections::HashMap;

use quintain_core::Rng;
use quintain_runner::engine::RunDirection;

use super::scenario::{RunPlan, TrialClass};

/// A run and what became of it.
pub(super) struct RunState<'a> {
    pub(super) plan: &'a RunPlan,
    pub(super) seed: u64,
    pub(super) direction: Option<RunDirection>,
    /// How often an outcome of each unit was told to count.
    pub(super) wins: Vec<u8>,
    /// The units whose outcome reached a leading steward.
    pub(super) seen: Vec<bool>,
    started: Vec<bool>,
    pub(super) n_started: u32,
    pub(super) n_done: u32,
    pub(super) n_leases: u64,
    /// Of each class: units, of which done, of which being played.
    pub(super) counts: Vec<ClassCount>,
    /// How far units came that were cut, in milliseconds.
    progress: HashMap<u32, i64>,
    pub(super) first_ms: Option<i64>,
    pub(super) all_started_ms: Option<i64>,
    pub(super) done_ms: Option<i64>,
    pub(super) is_spent: bool,
}

/// How many units of a run are of a class, and where they are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClassCount {
    pub(super) n: u32,
    pub(super) n_done: u32,
    pub(super) n_playing: u32,
}

impl ClassCount {
    /// Slots that could play it.
    pub(super) fn usable(self) -> u32 {
        self.n_playing + self.backlog()
    }

    /// Units that nobody plays yet.
    pub(super) fn backlog(self) -> u32 {
        self.n.saturating_sub(self.n_done + self.n_playing)
    }
}

impl<'a> RunState<'a> {
    pub(super) fn new(plan: &'a RunPlan, n_classes: usize, seed: u64) -> Self {
        let mut counts = vec![ClassCount::default(); n_classes];
        plan.n_trials.iter().for_each(|(class, n)| counts[*class].n += n);
        let n = plan.n_units() as usize;
        Self {
            plan,
            seed,
            direction: None,
            wins: vec![0; n],
            seen: vec![false; n],
            started: vec![false; n],
            n_started: 0,
            n_done: 0,
            n_leases: 0,
            counts,
            progress: HashMap::new(),
            first_ms: None,
            all_started_ms: None,
            done_ms: None,
            is_spent: false,
        }
    }

    /// Whether nothing more will come of it.
    pub(super) fn is_over(&self) -> bool {
        self.done_ms.is_some() || self.is_spent || self.direction == Some(RunDirection::Cancel)
    }

    pub(super) fn goes(&self) -> bool {
        self.direction == Some(RunDirection::Go) && self.done_ms.is_none()
    }

    /// A unit is begun, for the first time or again.
    pub(super) fn begin(&mut self, idx: u32, now_ms: i64) {
        self.n_leases += 1;
        self.first_ms.get_or_insert(now_ms);
        if std::mem::replace(&mut self.started[idx as usize], true) {
            return;
        }
        self.n_started += 1;
        if self.n_started == self.plan.n_units() {
            self.all_started_ms = Some(now_ms);
        }
    }

    /// An outcome of a unit counts.
    pub(super) fn win(&mut self, idx: u32, class: usize, now_ms: i64) {
        let wins = &mut self.wins[idx as usize];
        *wins = wins.saturating_add(1);
        if *wins > 1 {
            return;
        }
        self.n_done += 1;
        self.counts[class].n_done += 1;
        self.progress.remove(&idx);
        if self.n_done == self.plan.n_units() {
            self.done_ms = Some(now_ms);
        }
    }

    /// How long the unit takes from beginning to end: the same in every attempt.
    pub(super) fn length(&self, idx: u32, class: &TrialClass) -> i64 {
        let mut rng = Rng::new(self.seed ^ (u64::from(idx) << 20));
        let factor = if rng.chance(class.straggles) { class.straggle_factor } else { 1 };
        (class.mean_ms as f64 * rng.uniform(0.5, 1.5)) as i64 * factor
    }

    /// How far a unit came before.
    pub(super) fn progress(&self, idx: u32) -> i64 {
        self.progress.get(&idx).copied().unwrap_or(0)
    }

    /// Notes how far a unit came that was cut.
    pub(super) fn note_progress(&mut self, idx: u32, ms: i64) {
        let kept = self.progress.entry(idx).or_default();
        *kept = ms.max(*kept);
    }
}
