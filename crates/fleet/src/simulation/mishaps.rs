//! What goes wrong: with hosts, with stewards, with the server.

use super::crew::WorkerHealth;
use super::events::{SimulatedEvent, WorkerIdx};
use super::simulated_fleet::SimulatedFleet;

impl SimulatedFleet<'_> {
    /// When something happens that happens about so often.
    fn some_time(&mut self, every_ms: i64) -> i64 {
        (-(1.0 - self.rng.unit()).ln() * every_ms as f64) as i64 + 1
    }

    /// Foresees something that happens about so often, unless it is after the time of mishaps.
    fn perhaps(&mut self, every_ms: i64, what: SimulatedEvent) {
        let after_ms = self.some_time(every_ms);
        if self.now() + after_ms < self.scenario.mishaps.until_ms {
            self.events.after(after_ms, what);
        }
    }

    pub(super) fn foresee_mishaps(&mut self) {
        let mishaps = &self.scenario.mishaps;
        if let Some((at_ms, _)) = mishaps.mass {
            self.events.at(at_ms, SimulatedEvent::MassFailure);
        }
        self.perhaps(mishaps.steward_every_ms, SimulatedEvent::StewardDies);
        self.perhaps(mishaps.outage_every_ms, SimulatedEvent::OutageBegins);
    }

    /// A worker starts, as a new process.
    pub(super) fn start(&mut self, worker: WorkerIdx) {
        let engine = self.engine.open();
        let found = &mut self.workers[worker as usize];
        found.renew(engine);
        found.state = WorkerHealth::Up;
        let epoch = found.epoch;
        let mishaps = &self.scenario.mishaps;
        self.perhaps(mishaps.crash_every_ms, SimulatedEvent::Crash { worker, epoch });
        self.perhaps(mishaps.freeze_every_ms, SimulatedEvent::Freeze { worker, epoch });
        self.events.after(2 + i64::from(worker % 1_000), SimulatedEvent::Pull { worker, epoch });
    }

    /// A worker dies without a word.
    pub(super) fn crash(&mut self, worker: WorkerIdx) {
        self.tally.n_crashes += 1;
        self.let_all_go(worker);
        let engine = self.engine.open();
        let found = &mut self.workers[worker as usize];
        found.renew(engine);
        found.state = WorkerHealth::Down;
        let epoch = found.epoch;
        let down_ms = self.some_time(self.scenario.mishaps.down_ms);
        self.events.after(down_ms, SimulatedEvent::Start { worker, epoch });
    }

    /// A part of all hosts dies at once.
    pub(super) fn fail_together(&mut self) {
        let part = self.scenario.mishaps.mass.map_or(0.0, |(_, part)| part);
        for worker in 0..self.workers.len() as WorkerIdx {
            if self.workers[worker as usize].state == WorkerHealth::Up && self.rng.chance(part) {
                self.crash(worker);
            }
        }
    }

    /// A worker is cut off from the server and plays on.
    pub(super) fn freeze(&mut self, worker: WorkerIdx) {
        let found = &mut self.workers[worker as usize];
        if found.state != WorkerHealth::Up {
            return;
        }
        found.state = WorkerHealth::CutOff;
        let epoch = found.epoch;
        self.tally.n_cut_off += 1;
        let frozen_ms = self.some_time(self.scenario.mishaps.frozen_ms);
        self.events.after(frozen_ms, SimulatedEvent::Thaw { worker, epoch });
    }

    /// It is back, and first of all hands in what is over, however late.
    pub(super) fn thaw(&mut self, worker: WorkerIdx) {
        let now = self.now();
        let found = &mut self.workers[worker as usize];
        found.state = WorkerHealth::Up;
        let epoch = found.epoch;
        for playing in found.playing.iter_mut().filter(|playing| playing.is_held_up) {
            playing.is_held_up = false;
            let stamp = playing.stamp;
            let calls = playing.n_calls > 0;
            self.events.at(
                now,
                if calls { SimulatedEvent::Call { worker, stamp } } else { SimulatedEvent::Over { worker, stamp } },
            );
        }
        self.events.after(1, SimulatedEvent::Beat { worker, epoch });
        self.events.after(2, SimulatedEvent::Pull { worker, epoch });
        let every_ms = self.scenario.mishaps.freeze_every_ms;
        self.perhaps(every_ms, SimulatedEvent::Freeze { worker, epoch });
    }

    /// The leading steward dies. Every second time it was only slow, and acts once more when another leads already.
    pub(super) fn steward_dies(&mut self) {
        if self.rng.chance(0.5) {
            self.lead.linger();
        } else {
            self.lead.fall();
        }
        let mishaps = &self.scenario.mishaps;
        self.events.after(mishaps.failover_ms, SimulatedEvent::TakeOver);
        self.perhaps(mishaps.steward_every_ms + mishaps.failover_ms, SimulatedEvent::StewardDies);
    }

    pub(super) fn outage_begins(&mut self) {
        self.tally.n_outages += 1;
        self.switch.go_down();
        let (least, most) = self.scenario.mishaps.outage_ms;
        let away_ms = self.rng.between(least, most);
        self.events.after(away_ms, SimulatedEvent::OutageEnds);
    }

    /// The server is back. Every second time it has lost what was on offer and not leased.
    pub(super) fn outage_ends(&mut self) {
        self.switch.go_up();
        if self.tally.n_outages.is_multiple_of(2) {
            for run in &self.scenario.runs {
                self.engine.forget_offers(run.name);
            }
        }
        self.perhaps(self.scenario.mishaps.outage_every_ms, SimulatedEvent::OutageBegins);
    }
}
