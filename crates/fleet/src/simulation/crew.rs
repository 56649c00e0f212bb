//! Workers: they ask for work, play it, keep it alive, and hand in what came of it.

use std::time::Duration;

use quintain_core::verdict::Digests;
use quintain_core::{Boundary, Digest, Ending, Score, Spent, Verdict};
use quintain_runner::engine::{
    AttemptEnd, Committed, Engine as _, Hold, Lease, MemoryEngine, Outcome, Release, RunDirection,
};

use super::calls::LimitStock;
use super::events::{SimulatedEvent, WorkerIdx};
use super::ready;
use super::simulated_fleet::{LEASE_FOR, SimulatedFleet};

/// How often leases are kept alive.
const BEAT_EVERY_MS: i64 = 20_000;
/// After how long a worker asks again whom the server did not answer.
const RETRY_MS: i64 = 2_000;
/// How long a request for work waits at the server.
pub(super) const PULL_EXPIRES_MS: i64 = 30_000;
/// From the end of a trial to the next request: what is recorded is shipped.
const TURNAROUND_MS: i64 = 50;
/// Turns are kept about so often: what came after the last one is played again.
const KEPT_EVERY_MS: i64 = 2_000;
/// Recorded turns are played again so many times as fast: no model thinks.
const REPLAY_SPEED: i64 = 10;
/// After so many faults a unit's outcome is that it cannot be played.
const MAX_FAULTS: u32 = 3;

/// A worker.
pub(super) struct SimulatedWorker {
    pub(super) kind: usize,
    pub(super) engine: MemoryEngine,
    pub(super) state: WorkerHealth,
    /// Counts crashes and starts: what was foreseen for another epoch does not happen.
    pub(super) epoch: u32,
    /// What it holds, in the same order as what it plays.
    pub(super) leases: Vec<Lease>,
    pub(super) playing: Vec<SimulatedTrial>,
    /// When the server last heard it.
    confirmed_ms: i64,
    beats: bool,
    waits: bool,
    /// Its shares of limits, and the number of its last request for them.
    pub(super) stocks: Vec<LimitStock>,
    pub(super) n_asks: u64,
}

/// How a worker is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerHealth {
    /// It works.
    Up,
    /// It is not there.
    Down,
    /// It plays on, and neither hears nor is heard.
    CutOff,
}

/// A trial under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct SimulatedTrial {
    pub(super) stamp: u64,
    pub(super) run: u32,
    pub(super) idx: u32,
    pub(super) class: usize,
    pub(super) began_ms: i64,
    /// How far it had come before, of which the recorded turns are played again first.
    before_ms: i64,
    breaks: bool,
    /// Whether its next step fell into a time when nobody could be reached.
    pub(super) is_held_up: bool,
    pub(super) n_calls: u32,
    pub(super) gap_ms: i64,
}

impl SimulatedWorker {
    pub(super) fn new(kind: usize, engine: MemoryEngine) -> Self {
        Self {
            kind,
            engine,
            state: WorkerHealth::Down,
            epoch: 0,
            leases: Vec::new(),
            playing: Vec::new(),
            confirmed_ms: 0,
            beats: false,
            waits: false,
            stocks: Vec::new(),
            n_asks: 0,
        }
    }

    pub(super) fn find(&self, stamp: u64) -> Option<usize> {
        self.playing.iter().position(|playing| playing.stamp == stamp)
    }

    /// Begins anew, as a new process.
    pub(super) fn renew(&mut self, engine: MemoryEngine) {
        self.engine = engine;
        self.epoch += 1;
        (self.beats, self.waits, self.n_asks) = (false, false, 0);
        self.stocks.clear();
    }
}

impl SimulatedFleet<'_> {
    /// A worker asks for work; if there is none, it waits until it is woken or its request expires.
    pub(super) fn pull_or_wait(&mut self, worker: WorkerIdx) {
        let found = &mut self.workers[worker as usize];
        if found.state != WorkerHealth::Up || found.playing.len() == self.scenario.n_slots {
            return;
        }
        let epoch = found.epoch;
        if !self.switch.is_up() {
            return self.events.after(RETRY_MS, SimulatedEvent::Pull { worker, epoch });
        }
        self.pull(worker);
        let found = &mut self.workers[worker as usize];
        if found.playing.len() < self.scenario.n_slots && !found.waits {
            found.waits = true;
            self.waiting[found.kind].push_back(worker);
        }
    }

    /// Leases what there is for the free slots.
    fn pull(&mut self, worker: WorkerIdx) {
        let found = &self.workers[worker as usize];
        let order = &mut self.orders[found.kind];
        order.max = self.scenario.n_slots - found.playing.len();
        let leases = ready(found.engine.lease(order)).expect("memory leases");
        self.tally.counts.pulls += u64::from(!leases.is_empty());
        for lease in leases {
            self.begin(worker, lease);
        }
    }

    /// Wakes workers that wait, as long as there is something for them.
    pub(super) fn wake(&mut self) {
        if !self.switch.is_up() {
            return;
        }
        for kind in 0..self.waiting.len() {
            while let Some(worker) = self.waiting[kind].pop_front() {
                let found = &mut self.workers[worker as usize];
                found.waits = false;
                if found.state != WorkerHealth::Up || found.playing.len() == self.scenario.n_slots {
                    continue;
                }
                self.pull(worker);
                let found = &mut self.workers[worker as usize];
                if found.playing.len() < self.scenario.n_slots {
                    found.waits = true;
                    self.waiting[kind].push_front(worker);
                    break;
                }
            }
        }
    }

    fn begin(&mut self, worker: WorkerIdx, lease: Lease) {
        let (now, run) = (self.now(), self.numbers[&lease.run]);
        let state = &mut self.runs[run as usize];
        let idx = lease.key as u32;
        let class = state.plan.class_of(idx);
        state.begin(idx, now);
        state.counts[class].n_playing += 1;
        let before_ms = state.progress(idx);
        let length_ms =
            (state.length(idx, &self.scenario.classes[class]) - before_ms).max(1) + before_ms / REPLAY_SPEED;
        let breaks = now < self.scenario.mishaps.until_ms && self.rng.chance(self.scenario.mishaps.faults);
        let lasts_ms = if breaks { (length_ms as f64 * self.rng.unit()) as i64 + 1 } else { length_ms };
        let n_calls = if breaks { 0 } else { state.plan.n_calls };
        self.n_stamps += 1;
        let stamp = self.n_stamps;
        let gap_ms = lasts_ms / i64::from(n_calls + 1);
        let (began_ms, is_held_up) = (now, false);
        let playing =
            SimulatedTrial { stamp, run, idx, class, began_ms, before_ms, breaks, is_held_up, n_calls, gap_ms };
        let what =
            if n_calls > 0 { SimulatedEvent::Call { worker, stamp } } else { SimulatedEvent::Over { worker, stamp } };
        self.events.after(if n_calls > 0 { gap_ms } else { lasts_ms }, what);
        self.tally.replayed_ms[class] += before_ms / REPLAY_SPEED;
        self.n_playing += 1;
        self.hold(worker, lease, playing);
    }

    fn hold(&mut self, worker: WorkerIdx, lease: Lease, playing: SimulatedTrial) {
        let now = self.now();
        let found = &mut self.workers[worker as usize];
        found.leases.push(lease);
        found.playing.push(playing);
        if !std::mem::replace(&mut found.beats, true) {
            found.confirmed_ms = now;
            let epoch = found.epoch;
            self.events.after(BEAT_EVERY_MS, SimulatedEvent::Beat { worker, epoch });
        }
    }

    /// A worker keeps its leases alive, and lets go of those that it has lost.
    pub(super) fn beat(&mut self, worker: WorkerIdx) {
        let now = self.now();
        let found = &mut self.workers[worker as usize];
        if found.state != WorkerHealth::Up || found.leases.is_empty() {
            found.beats = false;
            return;
        }
        let epoch = found.epoch;
        if !self.switch.is_up() {
            if now - found.confirmed_ms >= LEASE_FOR.as_millis() as i64 {
                found.beats = false;
                self.let_all_go(worker);
                return self.events.after(RETRY_MS, SimulatedEvent::Pull { worker, epoch });
            }
            return self.events.after(RETRY_MS, SimulatedEvent::Beat { worker, epoch });
        }
        found.confirmed_ms = now;
        let holds = ready(found.engine.beat(&found.leases)).expect("memory beats");
        self.tally.counts.beats += holds.len() as u64;
        for at in (0..holds.len()).rev().filter(|at| holds[*at] == Hold::Lost) {
            self.let_go(worker, at);
        }
        self.events.after(BEAT_EVERY_MS, SimulatedEvent::Beat { worker, epoch });
        if holds.contains(&Hold::Lost) {
            self.events.after(TURNAROUND_MS, SimulatedEvent::Pull { worker, epoch });
        }
    }

    /// A trial is over, and handed in.
    pub(super) fn over(&mut self, worker: WorkerIdx, stamp: u64) {
        let found = &mut self.workers[worker as usize];
        let Some(at) = found.find(stamp) else { return };
        if found.state != WorkerHealth::Up {
            found.playing[at].is_held_up = true;
            return;
        }
        if !self.switch.is_up() {
            return self.events.after(RETRY_MS, SimulatedEvent::Over { worker, stamp });
        }
        let epoch = found.epoch;
        let (lease, playing) = self.take_out(worker, at);
        self.hand_in(worker, lease, playing);
        if self.scenario.runs[playing.run as usize].n_calls > 0 {
            self.give_back(worker);
        }
        self.events.after(TURNAROUND_MS, SimulatedEvent::Pull { worker, epoch });
    }

    fn hand_in(&mut self, worker: WorkerIdx, lease: Lease, playing: SimulatedTrial) {
        if playing.breaks && lease.n_faults + 1 < MAX_FAULTS {
            let fault = AttemptEnd::Faulted { ending: Ending::Fault(Boundary::World), why: "it broke".to_owned() };
            let delay = Duration::from_secs(5 << lease.n_faults);
            self.note_loss(&playing);
            return self.put_back(worker, &lease, &Release { delay, end: fault, place: None });
        }
        let outcome = outcome(playing.breaks, (self.now() - playing.began_ms) as u64);
        let committed = ready(self.workers[worker as usize].engine.commit(&[(lease, outcome)]));
        self.tally.counts.commits += 1;
        let now = self.now();
        match committed.expect("memory commits").remove(0) {
            Committed::Won => {
                self.runs[playing.run as usize].win(playing.idx, playing.class, now);
                self.tally.useful_ms[playing.class] += now - playing.began_ms;
            }
            Committed::Already(_) => {
                self.tally.n_late += 1;
                self.tally.replayed_ms[playing.class] += now - playing.began_ms;
            }
        }
    }

    pub(super) fn put_back(&mut self, worker: WorkerIdx, lease: &Lease, release: &Release) {
        self.tally.counts.releases += 1;
        ready(self.workers[worker as usize].engine.release(lease, release)).expect("memory takes units back");
    }

    /// A worker no longer plays a trial.
    pub(super) fn take_out(&mut self, worker: WorkerIdx, at: usize) -> (Lease, SimulatedTrial) {
        let found = &mut self.workers[worker as usize];
        let (lease, playing) = (found.leases.swap_remove(at), found.playing.swap_remove(at));
        self.n_playing -= 1;
        self.runs[playing.run as usize].counts[playing.class].n_playing -= 1;
        (lease, playing)
    }

    /// A worker stops a trial without a word.
    pub(super) fn let_go(&mut self, worker: WorkerIdx, at: usize) {
        let (_, playing) = self.take_out(worker, at);
        self.note_loss(&playing);
    }

    pub(super) fn let_all_go(&mut self, worker: WorkerIdx) {
        while !self.workers[worker as usize].leases.is_empty() {
            self.let_go(worker, 0);
        }
    }

    /// What was played and brought nothing: where turns are kept, what came after the last one; elsewhere all of it.
    pub(super) fn note_loss(&mut self, playing: &SimulatedTrial) {
        let played_ms = self.now() - playing.began_ms;
        let state = &mut self.runs[playing.run as usize];
        self.tally.n_cut += 1;
        if !self.scenario.classes[playing.class].resumes {
            self.tally.replayed_ms[playing.class] += played_ms;
            return;
        }
        let new_ms = (played_ms - playing.before_ms / REPLAY_SPEED).max(0);
        let kept_ms = new_ms - new_ms % KEPT_EVERY_MS;
        state.note_progress(playing.idx, playing.before_ms + kept_ms);
        self.tally.useful_ms[playing.class] += kept_ms;
        if state.direction != Some(RunDirection::Cancel) {
            self.tally.replayed_ms[playing.class] += new_ms - kept_ms;
        }
    }
}

/// An outcome of a trial that took so long.
fn outcome(broke: bool, elapsed_ms: u64) -> Outcome {
    let digest = Digest::of(b"");
    let (ending, score) =
        if broke { (Ending::Fault(Boundary::World), Score::ZERO) } else { (Ending::Done, Score::ONE) };
    let verdict = Verdict {
        ending,
        score,
        solved: !broke,
        findings: Vec::new(),
        milestones: Vec::new(),
        digests: Digests { task: digest, world: digest, instance: digest },
        source: None,
        fault: None,
        state_score: None,
        outside: false,
    };
    Outcome { verdict, spent: Spent { elapsed_ms, ..Spent::default() }, place: String::new() }
}
