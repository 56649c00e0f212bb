//! Calls of the limited model: a worker takes them from its shares, and asks the allocator when those are used up.

use std::collections::BTreeMap;
use std::time::Duration;

use quintain_runner::engine::{AttemptEnd, Release};

use super::crew::{SimulatedWorker, WorkerHealth};
use super::events::{SimulatedEvent, WorkerIdx};
use super::leading::timed;
use super::simulated_fleet::SimulatedFleet;
use crate::ask::ShareRequest;

/// After how long a worker asks again whom nobody answered.
const RETRY_MS: i64 = 1_000;

/// What a worker has of one limit.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LimitStock {
    held: f64,
    until_ms: i64,
    used: f64,
    /// When the allocator said to come again.
    not_before_ms: i64,
}

impl LimitStock {
    fn has_one(&self, now_ms: i64) -> bool {
        self.held >= 1.0 && now_ms < self.until_ms
    }

    fn take_one(&mut self) {
        self.held = (self.held - 1.0).max(0.0);
        self.used += 1.0;
    }
}

/// What came of asking.
enum AskResult {
    /// There is enough now.
    Enough,
    /// Come again after so many milliseconds.
    Later(i64),
    /// There will never be any.
    Never,
}

impl SimulatedFleet<'_> {
    /// A trial wants to call its model.
    pub(super) fn call(&mut self, worker: WorkerIdx, stamp: u64) {
        let now = self.now();
        let n_limits = self.lead.limits.len();
        let found = &mut self.workers[worker as usize];
        let Some(at) = found.find(stamp) else { return };
        if found.state != WorkerHealth::Up {
            found.playing[at].is_held_up = true;
            return;
        }
        found.stocks.resize(n_limits, LimitStock::default());
        let limits = self.lead.limits_of(self.scenario.runs[found.playing[at].run as usize].name);
        let answer = if limits.iter().all(|limit| found.stocks[*limit].has_one(now)) {
            AskResult::Enough
        } else {
            self.ask(worker, &limits)
        };
        match answer {
            AskResult::Enough => self.make_call(worker, at, &limits),
            AskResult::Later(ms) => {
                self.tally.waited_ms += ms;
                self.events.after(ms, SimulatedEvent::Call { worker, stamp });
            }
            AskResult::Never => {
                let (lease, playing) = self.take_out(worker, at);
                self.note_loss(&playing);
                let release = Release { delay: Duration::from_mins(1), end: AttemptEnd::PutDown, place: None };
                self.put_back(worker, &lease, &release);
                self.give_back(worker);
                let epoch = self.workers[worker as usize].epoch;
                self.events.after(1, SimulatedEvent::Pull { worker, epoch });
            }
        }
    }

    fn make_call(&mut self, worker: WorkerIdx, at: usize, limits: &[usize]) {
        let now = self.now();
        let found = &mut self.workers[worker as usize];
        for limit in limits {
            found.stocks[*limit].take_one();
        }
        let playing = &mut found.playing[at];
        playing.n_calls -= 1;
        let (stamp, is_last, gap_ms) = (playing.stamp, playing.n_calls == 0, playing.gap_ms);
        self.tally.count_call(now, playing.run as usize);
        self.events.after(
            gap_ms,
            if is_last { SimulatedEvent::Over { worker, stamp } } else { SimulatedEvent::Call { worker, stamp } },
        );
    }

    /// Asks for shares of these limits.
    fn ask(&mut self, worker: WorkerIdx, limits: &[usize]) -> AskResult {
        let now = self.now();
        let Some(allocator) = self.lead.allocator.as_mut().filter(|_| self.switch.is_up()) else {
            return AskResult::Later(RETRY_MS);
        };
        let found = &mut self.workers[worker as usize];
        let not_before_ms = limits.iter().map(|limit| found.stocks[*limit].not_before_ms).max().unwrap_or(0);
        if now < not_before_ms {
            return AskResult::Later(not_before_ms - now);
        }
        let request = found.request(limits, &self.lead.limits, now);
        self.tally.counts.asks += 1;
        let (grant, cpu) = timed(|| allocator.grant(&format!("w{worker}"), &request, now as u64));
        self.lead.allocator_cpu += cpu;
        let mut answer = AskResult::Enough;
        for limit in limits {
            let (name, stock) = (&self.lead.limits[*limit].0, &mut found.stocks[*limit]);
            let Some(share) = grant.shares.get(name) else { return AskResult::Later(RETRY_MS) };
            if share.amount > 0.0 {
                stock.held += share.amount;
                stock.until_ms = now + share.for_ms as i64;
            }
            if share.amount > 0.0 || stock.has_one(now) {
                continue; // What is less than a call is the last of a budget, and lets one pass.
            }
            let Some(again_ms) = share.again_ms else { return AskResult::Never };
            answer = AskResult::Later(again_ms.max(1) as i64);
            stock.not_before_ms = now + again_ms as i64;
            if *limit > 0 {
                stock.held = 0.0; // What is too little for a call here may be what another one lacks.
            }
        }
        answer
    }

    /// A worker that plays no trial of a limited run any more tells so, and gives back what it has of budgets.
    pub(super) fn give_back(&mut self, worker: WorkerIdx) {
        let now = self.now();
        let found = &mut self.workers[worker as usize];
        let is_idle = found.playing.iter().all(|playing| playing.n_calls == 0);
        let Some(allocator) = self.lead.allocator.as_mut().filter(|_| self.switch.is_up() && is_idle) else { return };
        if found.stocks.is_empty() {
            return;
        }
        found.stocks.iter_mut().skip(1).for_each(|stock| stock.held = 0.0);
        let request = found.request(&[], &self.lead.limits, now);
        self.tally.counts.asks += 1;
        let (_, cpu) = timed(|| allocator.grant(&format!("w{worker}"), &request, now as u64));
        self.lead.allocator_cpu += cpu;
    }
}

impl SimulatedWorker {
    /// A request for one call at least, and one for each trial at best.
    fn request(&mut self, limits: &[usize], names: &[(String, crate::limits::Rule)], now_ms: i64) -> ShareRequest {
        self.n_asks += 1;
        for stock in self.stocks.iter_mut().filter(|stock| stock.until_ms <= now_ms) {
            stock.held = 0.0;
        }
        let told = |amount: &dyn Fn(&LimitStock) -> f64, of: &[usize]| -> BTreeMap<String, f64> {
            of.iter().map(|limit| (names[*limit].0.clone(), amount(&self.stocks[*limit]))).collect()
        };
        let all: Vec<usize> = (0..names.len()).collect();
        let n_wanted = self.playing.iter().filter(|playing| playing.n_calls > 0).count() as f64;
        let missing = |stock: &LimitStock, n: f64| (n - stock.held).max(0.0);
        ShareRequest {
            session: self.epoch.to_string(),
            n: self.n_asks,
            want: told(&|stock| missing(stock, n_wanted), limits),
            least: told(&|stock| missing(stock, 1.0), limits),
            used: told(&|stock| stock.used, &all),
            held: told(&|stock| stock.held, &all),
            over: false,
        }
    }
}
