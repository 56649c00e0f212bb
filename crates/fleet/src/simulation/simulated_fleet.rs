//! The simulation itself: all that there is at a moment, and what each event does to it.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use quintain_core::Rng;
use quintain_runner::engine::memory::Offers;
use quintain_runner::engine::steered::{RunTerms, SteeredEngine as _};
use quintain_runner::engine::{Engine as _, LeaseOrder, MemoryEngine, RunDirection, Unit};

use super::crew::SimulatedWorker;
use super::events::{EventQueue, SimulatedEvent, WorkerIdx, direction};
use super::leading::LeadershipCost;
use super::ready;
use super::report::SimulationReport;
use super::runs::RunState;
use super::scenario::Scenario;
use super::server::{SimulatedServer, Switch};
use super::tally::SimulationTally;

/// How long a lease lasts.
pub(super) const LEASE_FOR: Duration = Duration::from_mins(1);
/// How often the leading steward looks.
pub(super) const ROUND_EVERY_MS: i64 = 200;
/// How many units are handed in at once.
const SLICE: u32 = 4_096;

/// All that there is at a moment.
pub(super) struct SimulatedFleet<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) events: EventQueue,
    pub(super) engine: MemoryEngine,
    pub(super) switch: Arc<Switch>,
    pub(super) workers: Vec<SimulatedWorker>,
    /// What hosts of each kind ask for.
    pub(super) orders: Vec<LeaseOrder>,
    /// Of each kind, the workers that wait for work.
    pub(super) waiting: Vec<VecDeque<WorkerIdx>>,
    pub(super) runs: Vec<RunState<'a>>,
    pub(super) numbers: HashMap<String, u32>,
    pub(super) lead: LeadershipCost,
    pub(super) rng: Rng,
    pub(super) tally: SimulationTally,
    pub(super) n_playing: u64,
    pub(super) n_stamps: u64,
    pub(super) is_over: bool,
}

impl<'a> SimulatedFleet<'a> {
    pub(super) fn new(scenario: &'a Scenario) -> Self {
        let events = EventQueue::default();
        let engine = MemoryEngine::with(Offers::BySteward, LEASE_FOR, events.clock());
        let n_classes = scenario.classes.len();
        let run = |(i, plan)| RunState::new(plan, n_classes, scenario.seed.wrapping_add((i as u64 + 1) << 44));
        let kinds = scenario.hosts.iter().enumerate();
        let workers = kinds.flat_map(|(kind, host)| (0..host.n).map(move |_| kind));
        let name = |class: &usize| scenario.classes[*class].name.to_owned();
        let order = |kind: &super::scenario::HostKind| LeaseOrder {
            classes: kind.classes.iter().map(name).collect(),
            max: 0,
            wait: Duration::ZERO,
        };
        Self {
            workers: workers.map(|kind| SimulatedWorker::new(kind, engine.open())).collect(),
            orders: scenario.hosts.iter().map(order).collect(),
            waiting: vec![VecDeque::new(); scenario.hosts.len()],
            runs: scenario.runs.iter().enumerate().map(run).collect(),
            numbers: scenario.runs.iter().zip(0..).map(|(run, i)| (run.name.to_owned(), i)).collect(),
            lead: LeadershipCost::new(scenario),
            rng: Rng::new(scenario.seed),
            tally: SimulationTally::new(scenario),
            switch: Switch::new(),
            scenario,
            events,
            engine,
            n_playing: 0,
            n_stamps: 0,
            is_over: false,
        }
    }

    /// Plays everything to its end.
    pub(super) fn play(mut self) -> SimulationReport {
        self.foresee();
        while !self.is_over {
            let Some(what) = self.events.next() else { break };
            if self.now() > self.scenario.give_up_ms {
                break;
            }
            self.happen(what);
        }
        self.conclude()
    }

    pub(super) fn now(&self) -> i64 {
        self.events.now()
    }

    /// The server as a steward reaches it.
    pub(super) fn server(&self) -> Arc<SimulatedServer> {
        Arc::new(SimulatedServer { engine: self.engine.open(), switch: Arc::clone(&self.switch) })
    }

    /// What is known from the beginning to happen.
    fn foresee(&mut self) {
        for (run, plan) in (0..).zip(&self.scenario.runs) {
            self.events.at(plan.at_ms, SimulatedEvent::Submit { run });
            if let Some((at_ms, for_ms)) = plan.pause {
                self.events.at(at_ms, SimulatedEvent::Direct { run, to: 1 });
                self.events.at(at_ms + for_ms, SimulatedEvent::Direct { run, to: 0 });
            }
            if let Some(at_ms) = plan.cancel_ms {
                self.events.at(at_ms, SimulatedEvent::Direct { run, to: 2 });
            }
        }
        self.events.at(1, SimulatedEvent::TakeOver);
        self.events.at(1, SimulatedEvent::Sample);
        for worker in 0..self.workers.len() as WorkerIdx {
            self.start(worker);
        }
        self.foresee_mishaps();
    }

    fn happen(&mut self, what: SimulatedEvent) {
        match what {
            SimulatedEvent::Submit { run } => self.submit(run),
            SimulatedEvent::Direct { run, to } => self.direct(run, direction(to)),
            SimulatedEvent::Round { term } => self.round(term),
            SimulatedEvent::Pull { worker, epoch } if self.is_current(worker, epoch) => self.pull_or_wait(worker),
            SimulatedEvent::Beat { worker, epoch } if self.is_current(worker, epoch) => self.beat(worker),
            SimulatedEvent::Over { worker, stamp } => self.over(worker, stamp),
            SimulatedEvent::Call { worker, stamp } => self.call(worker, stamp),
            SimulatedEvent::Crash { worker, epoch } if self.is_current(worker, epoch) => self.crash(worker),
            SimulatedEvent::Start { worker, epoch } if self.is_current(worker, epoch) => self.start(worker),
            SimulatedEvent::Freeze { worker, epoch } if self.is_current(worker, epoch) => self.freeze(worker),
            SimulatedEvent::Thaw { worker, epoch } if self.is_current(worker, epoch) => self.thaw(worker),
            SimulatedEvent::MassFailure => self.fail_together(),
            SimulatedEvent::StewardDies => self.steward_dies(),
            SimulatedEvent::TakeOver => self.take_over(),
            SimulatedEvent::OutageBegins => self.outage_begins(),
            SimulatedEvent::OutageEnds => self.outage_ends(),
            SimulatedEvent::Sample => self.sample(),
            _ => {} // It was foreseen for a worker that has crashed meanwhile.
        }
    }

    fn is_current(&self, worker: WorkerIdx, epoch: u32) -> bool {
        self.workers[worker as usize].epoch == epoch
    }

    /// A run is handed in: its units are registered, and wait for the steward.
    fn submit(&mut self, run: u32) {
        let plan = self.runs[run as usize].plan;
        let terms = RunTerms { priority: plan.priority, chunk: plan.chunk };
        ready(self.engine.set_terms(plan.name, &terms)).expect("memory takes terms");
        let n_units = plan.n_units();
        for first in (0..n_units).step_by(SLICE as usize) {
            let unit = |idx| Unit {
                run: plan.name.to_owned(),
                id: format!("{}-{idx:07}", plan.name),
                class: self.scenario.classes[plan.class_of(idx)].name.to_owned(),
                n_before: 0,
            };
            let units: Vec<Unit> = (first..n_units.min(first + SLICE)).map(unit).collect();
            ready(self.engine.enqueue(&units)).expect("memory takes units");
        }
        self.runs[run as usize].direction = Some(RunDirection::Go);
    }

    fn direct(&mut self, run: u32, direction: RunDirection) {
        let state = &mut self.runs[run as usize];
        if state.is_over() {
            return;
        }
        state.direction = Some(direction);
        ready(self.engine.direct(state.plan.name, direction)).expect("memory takes directions");
    }
}
