//! Stewards: one leads, dies, and another takes over what it finds.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_runner::engine::{Engine as _, RunDirection};
use rustix::time::{ClockId, clock_gettime};

use super::crew::WorkerHealth;
use super::events::SimulatedEvent;
use super::ready;
use super::scenario::Scenario;
use super::server::SimulatedServer;
use super::simulated_fleet::{ROUND_EVERY_MS, SimulatedFleet};
use super::tally::resident_kb;
use crate::limits::{Allocator, Rule, rule};
use crate::steward::{Overseer, OverseerOptions};

/// How often the allocator's state is kept.
const KEEP_EVERY_MS: i64 = 1_000;
/// For how long an allocator grants without its state being kept.
const FENCE_MS: u64 = 2_000;
/// The model whose rate is limited.
const MODEL: &str = "sim/model";

/// Who leads, and what it has cost.
pub(super) struct LeadershipCost {
    pub(super) overseer: Option<Overseer<SimulatedServer>>,
    /// One that led before and has not noticed yet that it does so no longer.
    late: Option<Overseer<SimulatedServer>>,
    pub(super) allocator: Option<Allocator>,
    term: u32,
    /// The limits: the first is the model's rate, the others are budgets.
    pub(super) limits: Vec<(String, Rule)>,
    kept: BTreeMap<String, String>,
    next_keep_ms: i64,
    /// The slots of living workers, by class.
    pub(super) n_slots: BTreeMap<String, u64>,
    pub(super) overseer_cpu: Duration,
    pub(super) allocator_cpu: Duration,
    pub(super) longest_round: Duration,
    pub(super) longest_takeover: Duration,
    pub(super) n_rounds: u64,
    pub(super) n_takeovers: u64,
    pub(super) n_offered: u64,
    pub(super) n_reoffered: u64,
    pub(super) n_keeps: u64,
    /// How much larger the process was after the first takeover, in kilobytes.
    pub(super) grown_kb: u64,
}

impl LeadershipCost {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let rate = (rule::requests(MODEL), Rule::per_minute(scenario.calls_per_minute));
        let budgets =
            scenario.runs.iter().filter_map(|run| Some((budget_of(run.name), Rule::Budget { amount: run.budget? })));
        Self {
            overseer: None,
            late: None,
            allocator: None,
            term: 0,
            limits: std::iter::once(rate).chain(budgets).collect(),
            kept: BTreeMap::new(),
            next_keep_ms: 0,
            n_slots: BTreeMap::new(),
            overseer_cpu: Duration::ZERO,
            allocator_cpu: Duration::ZERO,
            longest_round: Duration::ZERO,
            longest_takeover: Duration::ZERO,
            n_rounds: 0,
            n_takeovers: 0,
            n_offered: 0,
            n_reoffered: 0,
            n_keeps: 0,
            grown_kb: 0,
        }
    }

    /// Which of the limits bind calls of a run.
    pub(super) fn limits_of(&self, run: &str) -> Vec<usize> {
        let budget = budget_of(run);
        let budgets = self.limits.iter().enumerate().skip(1).filter(|(_, (name, _))| *name == budget);
        std::iter::once(0).chain(budgets.map(|(i, _)| i)).collect()
    }

    /// It leads no more, and does not come back.
    pub(super) fn fall(&mut self) {
        self.overseer = None;
        self.late = None;
        self.allocator = None;
        self.term += 1;
    }

    /// It leads no more, and acts once more before it notices.
    pub(super) fn linger(&mut self) {
        let fallen = self.overseer.take();
        self.fall();
        self.late = fallen;
    }
}

/// The name of the budget of a run's calls.
fn budget_of(run: &str) -> String {
    rule::budget(run, quintain_core::ending::Exhausted::Steps)
}

/// What work took of the processor.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let now = || {
        let spec = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(spec.tv_sec.cast_unsigned(), spec.tv_nsec as u32)
    };
    let before = now();
    let done = work();
    (done, now().saturating_sub(before))
}

impl SimulatedFleet<'_> {
    /// Another steward leads: it reads everything anew.
    pub(super) fn take_over(&mut self) {
        let options = OverseerOptions { depth: self.scenario.depth, ..OverseerOptions::default() };
        self.muster();
        let before_kb = resident_kb();
        self.lead.overseer = Some(Overseer::new(self.server(), options));
        self.lead.n_takeovers += 1;
        let cpu_before = self.lead.overseer_cpu;
        self.restore_limits();
        self.round(self.lead.term);
        self.lead.longest_takeover = self.lead.longest_takeover.max(self.lead.overseer_cpu.saturating_sub(cpu_before));
        if self.lead.n_takeovers == 1 {
            self.lead.grown_kb = resident_kb().saturating_sub(before_kb);
        }
    }

    fn restore_limits(&mut self) {
        let now = self.now() as u64;
        let mut allocator = Allocator::kept(now, FENCE_MS);
        for (limit, rule) in &self.lead.limits {
            match self.lead.kept.get(limit) {
                Some(text) => allocator.restore(limit, *rule, text, now).expect("it was written by an allocator"),
                None => allocator.set(limit, *rule, now),
            }
        }
        self.lead.allocator = Some(allocator);
    }

    /// The leading steward looks, and offers what should be on offer.
    pub(super) fn round(&mut self, term: u32) {
        if term != self.lead.term || self.lead.overseer.is_none() {
            return;
        }
        self.events.after(ROUND_EVERY_MS, SimulatedEvent::Round { term });
        self.catch_up();
        if let Some(mut late) = self.lead.late.take() {
            // Whatever it does, and whether it works at all, must not matter.
            drop(ready(late.round(self.now(), &self.lead.n_slots)));
        }
        self.keep_limits();
        self.wake();
    }

    /// Lets the leading steward read to the end.
    pub(super) fn catch_up(&mut self) {
        while !self.look() {}
    }

    /// One round. Says whether there is nothing more to be read.
    fn look(&mut self) -> bool {
        let now = self.now();
        let Some(overseer) = &mut self.lead.overseer else { return true };
        let (round, cpu) = timed(|| ready(overseer.round(now, &self.lead.n_slots)));
        self.lead.n_rounds += 1;
        self.lead.overseer_cpu += cpu;
        self.lead.longest_round = self.lead.longest_round.max(cpu);
        let Ok(round) = round else { return true };
        self.lead.n_offered += round.n_offered;
        self.lead.n_reoffered += round.n_reoffered;
        for settled in &round.settled {
            let run = self.numbers[&settled.run];
            self.runs[run as usize].seen[settled.idx as usize] = true;
        }
        round.is_caught_up
    }

    /// Keeps the allocator's state, and stops runs that have nothing left.
    fn keep_limits(&mut self) {
        let now = self.now();
        let Some(allocator) = &mut self.lead.allocator else { return };
        if !self.switch.is_up() || (now < self.lead.next_keep_ms && !allocator.is_short()) {
            return;
        }
        self.lead.next_keep_ms = now + KEEP_EVERY_MS;
        self.lead.n_keeps += 1;
        let kept = &mut self.lead.kept;
        let (spent, cpu) = timed(|| {
            let drafts = allocator.propose(now as u64);
            kept.extend(drafts.iter().map(|draft| (draft.limit.clone(), draft.text.clone())));
            allocator.confirm(&drafts, now as u64);
            allocator.spent_runs(now as u64)
        });
        self.lead.allocator_cpu += cpu;
        for run in &spent {
            self.stop_spent(run);
        }
    }

    fn stop_spent(&mut self, name: &str) {
        let state = &mut self.runs[self.numbers[name] as usize];
        if !std::mem::replace(&mut state.is_spent, true) {
            state.direction = Some(RunDirection::Pause);
            ready(self.engine.direct(name, RunDirection::Pause)).expect("memory takes directions");
        }
    }

    /// Counts the slots of living workers.
    pub(super) fn muster(&mut self) {
        self.lead.n_slots.clear();
        for worker in self.workers.iter().filter(|worker| worker.state == WorkerHealth::Up) {
            for class in &self.scenario.hosts[worker.kind].classes {
                let name = self.scenario.classes[*class].name;
                match self.lead.n_slots.get_mut(name) {
                    Some(n) => *n += self.scenario.n_slots as u64,
                    None => drop(self.lead.n_slots.insert(name.to_owned(), self.scenario.n_slots as u64)),
                }
            }
        }
    }
}
