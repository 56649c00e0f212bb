//! What is measured along the way.

use super::crew::{PULL_EXPIRES_MS, WorkerHealth};
use super::events::SimulatedEvent;
use super::scenario::Scenario;
use super::simulated_fleet::SimulatedFleet;
use quintain_runner::engine::steered::Priority;

/// How often things are measured.
pub(super) const SAMPLE_EVERY_MS: i64 = 10_000;

/// Requests that the server has seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RequestCounts {
    pub(super) offers: u64,
    pub(super) pulls: u64,
    pub(super) beats: u64,
    pub(super) commits: u64,
    pub(super) releases: u64,
    pub(super) asks: u64,
    pub(super) adverts: u64,
    pub(super) reads: u64,
}

impl RequestCounts {
    /// Each with its name.
    pub(super) fn named(&self) -> [(&'static str, u64); 8] {
        [
            ("offers", self.offers),
            ("pulls", self.pulls),
            ("beats", self.beats),
            ("commits", self.commits),
            ("releases", self.releases),
            ("asks", self.asks),
            ("adverts", self.adverts),
            ("steward's reads", self.reads),
        ]
    }
}

/// How much of a class a run had, and how much was due to it, while others wanted it too.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FairShare {
    pub(super) had: f64,
    pub(super) due: f64,
    pub(super) off: f64,
    pub(super) n: u32,
}

/// Everything that was measured.
pub(super) struct SimulationTally {
    pub(super) counts: RequestCounts,
    last: RequestCounts,
    /// The most in a second, by kind, over a time between two samples.
    pub(super) peaks: [f64; 8],
    /// Requests while more than half of the slots played, and for how long that was.
    pub(super) busy_counts: [u64; 8],
    pub(super) busy_ms: i64,
    /// Slot time that brought something, and that was spent again, by class.
    pub(super) useful_ms: Vec<i64>,
    pub(super) replayed_ms: Vec<i64>,
    pub(super) n_cut: u64,
    pub(super) n_late: u64,
    pub(super) n_crashes: u64,
    pub(super) n_cut_off: u64,
    pub(super) n_outages: u64,
    pub(super) waited_ms: i64,
    /// Slots that played, those of living hosts, and those of them for which there was work nobody played.
    pub(super) busy: f64,
    pub(super) up: f64,
    pub(super) wanted: f64,
    pub(super) busy_wanted: f64,
    pub(super) n_samples: u64,
    pub(super) queued_sum: f64,
    pub(super) queued_most: u64,
    /// By class and run.
    pub(super) shares: Vec<Vec<FairShare>>,
    /// Calls in each second, and by run.
    pub(super) calls: Vec<u32>,
    pub(super) calls_by_run: Vec<u64>,
}

impl SimulationTally {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let n_runs = scenario.runs.len();
        Self {
            counts: RequestCounts::default(),
            last: RequestCounts::default(),
            peaks: [0.0; 8],
            busy_counts: [0; 8],
            busy_ms: 0,
            useful_ms: vec![0; scenario.classes.len()],
            replayed_ms: vec![0; scenario.classes.len()],
            n_cut: 0,
            n_late: 0,
            n_crashes: 0,
            n_cut_off: 0,
            n_outages: 0,
            waited_ms: 0,
            busy: 0.0,
            up: 0.0,
            wanted: 0.0,
            busy_wanted: 0.0,
            n_samples: 0,
            queued_sum: 0.0,
            queued_most: 0,
            shares: vec![vec![FairShare::default(); n_runs]; scenario.classes.len()],
            calls: Vec::new(),
            calls_by_run: vec![0; n_runs],
        }
    }

    pub(super) fn count_call(&mut self, now_ms: i64, run: usize) {
        let second = (now_ms / 1_000) as usize;
        if self.calls.len() <= second {
            self.calls.resize(second + 1, 0);
        }
        self.calls[second] += 1;
        self.calls_by_run[run] += 1;
    }

    fn note_requests(&mut self, is_busy: bool) {
        let secs = SAMPLE_EVERY_MS as f64 / 1_000.0;
        for (i, ((_, now), (_, before))) in self.counts.named().into_iter().zip(self.last.named()).enumerate() {
            self.peaks[i] = self.peaks[i].max((now - before) as f64 / secs);
            self.busy_counts[i] += if is_busy { now - before } else { 0 };
        }
        self.busy_ms += if is_busy { SAMPLE_EVERY_MS } else { 0 };
        self.last = self.counts;
    }
}

impl SimulatedFleet<'_> {
    /// Measures, and sees whether all is over.
    pub(super) fn sample(&mut self) {
        self.muster();
        self.sample_slots();
        self.sample_shares();
        self.sample_queue();
        self.count_server();
        self.tally.n_samples += 1;
        self.wake();
        let now = self.now();
        let submitted = self.scenario.runs.iter().all(|run| run.at_ms <= now);
        self.is_over = submitted && self.n_playing == 0 && self.runs.iter().all(super::runs::RunState::is_over);
        self.events.after(SAMPLE_EVERY_MS, SimulatedEvent::Sample);
    }

    /// Work of a class that nobody plays yet.
    fn backlog(&self, class: usize) -> u32 {
        self.runs.iter().filter(|run| run.goes()).map(|run| run.counts[class].backlog()).sum()
    }

    fn sample_slots(&mut self) {
        let has_work: Vec<bool> = (0..self.scenario.classes.len()).map(|class| self.backlog(class) > 0).collect();
        let is_wanted = |kind: usize| self.scenario.hosts[kind].classes.iter().any(|class| has_work[*class]);
        for worker in self.workers.iter().filter(|worker| worker.state != WorkerHealth::Down) {
            let (n_slots, n_busy) = (self.scenario.n_slots as f64, worker.playing.len() as f64);
            self.tally.up += n_slots;
            self.tally.busy += n_busy;
            if is_wanted(worker.kind) {
                self.tally.wanted += n_slots;
                self.tally.busy_wanted += n_busy;
            }
        }
    }

    /// Compares what each run has of a class with what is due to it: its weight's part, or all that it can use if that is
    /// less, what it leaves being shared by the others.
    fn sample_shares(&mut self) {
        for class in 0..self.scenario.classes.len() {
            let rivals: Vec<usize> = (0..self.runs.len())
                .filter(|run| self.runs[*run].goes() && self.runs[*run].counts[class].usable() > 0)
                .collect();
            let playing: Vec<f64> =
                rivals.iter().map(|run| f64::from(self.runs[*run].counts[class].n_playing)).collect();
            let wants: Vec<(f64, f64)> = rivals.iter().map(|run| self.wants(*run, class)).collect();
            let all: f64 = playing.iter().sum();
            if rivals.len() < 2 || all == 0.0 {
                continue;
            }
            for ((run, had), due) in rivals.iter().zip(playing).zip(dues(&wants, all)) {
                let share = &mut self.tally.shares[class][*run];
                share.had += had / all;
                share.due += due / all;
                share.off += (had - due).abs() / all;
                share.n += 1;
            }
        }
    }

    /// The weight of a run, and how many slots it could use.
    fn wants(&self, run: usize, class: usize) -> (f64, f64) {
        let run = &self.runs[run];
        (weight(run.plan.priority), f64::from(run.counts[class].usable()))
    }

    fn sample_queue(&mut self) {
        let Some(overseer) = &self.lead.overseer else { return };
        let n_out: u64 = self.scenario.runs.iter().map(|run| u64::from(overseer.feeder().n_out(run.name))).sum();
        let n_queued = n_out.saturating_sub(self.n_playing);
        self.tally.queued_sum += n_queued as f64;
        self.tally.queued_most = self.tally.queued_most.max(n_queued);
    }

    /// Counts what the simulation does not do event by event: requests for work that expired, and hosts that tell of
    /// themselves every 20 seconds.
    fn count_server(&mut self) {
        let n_up = self.workers.iter().filter(|worker| worker.state == WorkerHealth::Up).count() as i64;
        let waiting = self.waiting.iter().zip(&self.scenario.hosts);
        let n_pulls: usize = waiting.map(|(workers, kind)| workers.len() * kind.classes.len()).sum();
        let counts = &mut self.tally.counts;
        counts.pulls += (n_pulls as i64 * SAMPLE_EVERY_MS / PULL_EXPIRES_MS) as u64;
        counts.adverts += (n_up * SAMPLE_EVERY_MS / 20_000) as u64;
        counts.offers = self.switch.n_offers();
        counts.reads = self.switch.n_reads() + 2 * self.lead.n_keeps;
        let is_busy = 2 * self.n_playing > n_up as u64 * self.scenario.n_slots as u64;
        self.tally.note_requests(is_busy);
    }
}

/// Shares so much among some by their weights, none getting more than it can use.
fn dues(wants: &[(f64, f64)], all: f64) -> Vec<f64> {
    let mut dues = vec![0.0; wants.len()];
    let mut open: Vec<usize> = (0..wants.len()).collect();
    let mut left = all;
    loop {
        let weights: f64 = open.iter().map(|i| wants[*i].0).sum();
        let (full, rest): (Vec<usize>, Vec<usize>) =
            open.iter().partition(|i| wants[**i].1 <= left * wants[**i].0 / weights);
        for i in &full {
            dues[*i] = wants[*i].1;
        }
        if full.is_empty() || rest.is_empty() {
            for i in rest {
                dues[i] = left * wants[i].0 / weights;
            }
            return dues;
        }
        left -= full.iter().map(|i| wants[*i].1).sum::<f64>();
        open = rest;
    }
}

/// The weights that a feeder gives to runs.
pub(super) fn weight(priority: Priority) -> f64 {
    match priority {
        Priority::Low => 1.0,
        Priority::Normal => 4.0,
        Priority::High => 16.0,
    }
}

/// How large this process is, in kilobytes; nothing where the system does not tell.
pub(super) fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::dues;

    #[test]
    fn what_one_cannot_use_the_others_share() {
        let told = |wants: &[(f64, f64)], all| format!("{:?}", dues(wants, all));
        assert_eq!(told(&[(4.0, 900.0), (1.0, 900.0)], 100.0), "[80.0, 20.0]");
        assert_eq!(told(&[(16.0, 10.0), (4.0, 900.0), (1.0, 900.0)], 110.0), "[10.0, 80.0, 20.0]");
        assert_eq!(told(&[(1.0, 1.0), (1.0, 2.0)], 3.0), "[1.0, 2.0]");
    }
}
