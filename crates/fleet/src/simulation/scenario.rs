//! What is simulated: hosts, runs, how long trials take, and what goes wrong.

use quintain_runner::engine::steered::Priority;

use crate::steward::QueueDepth;

/// A second, in milliseconds.
pub const SECOND: i64 = 1_000;
/// A minute, in milliseconds.
pub const MINUTE: i64 = 60 * SECOND;
/// An hour, in milliseconds.
pub const HOUR: i64 = 60 * MINUTE;

/// Everything that decides how a simulation goes: the same scenario goes the same way each time.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Where chance begins.
    pub seed: u64,
    /// The kinds of hosts.
    pub hosts: Vec<HostKind>,
    /// How many trials a host plays at once.
    pub n_slots: usize,
    /// The classes of trials.
    pub classes: Vec<TrialClass>,
    /// The runs, in the order of their numbers.
    pub runs: Vec<RunPlan>,
    /// What goes wrong.
    pub mishaps: Mishaps,
    /// How much the steward keeps on offer.
    pub depth: QueueDepth,
    /// Requests that the model of limited runs takes in a minute, from the whole fleet.
    pub calls_per_minute: f64,
    /// When to give up.
    pub give_up_ms: i64,
}

/// Hosts that can do the same.
#[derive(Clone, Debug)]
pub struct HostKind {
    /// How many there are.
    pub n: usize,
    /// What they can do, by the numbers of classes, the scarcest first.
    pub classes: Vec<usize>,
}

/// A class of trials.
#[derive(Clone, Debug)]
pub struct TrialClass {
    /// Its name.
    pub name: &'static str,
    /// How long a trial takes on average, in milliseconds: anything between half and one and a half of it.
    pub mean_ms: i64,
    /// How probable it is that a trial takes much longer.
    pub straggles: f64,
    /// How many times as long it takes then.
    pub straggle_factor: i64,
    /// Whether a trial that was cut goes on from its recorded turns, or begins again.
    pub resumes: bool,
}

/// A run.
#[derive(Clone, Debug)]
pub struct RunPlan {
    /// Its name.
    pub name: &'static str,
    /// How it stands to others.
    pub priority: Priority,
    /// How many units travel together at most.
    pub chunk: u32,
    /// When it is handed in.
    pub at_ms: i64,
    /// How many trials it has of each class, one class after the other.
    pub n_trials: Vec<(usize, u32)>,
    /// How often its trials call the limited model, each.
    pub n_calls: u32,
    /// How many calls it may make in all.
    pub budget: Option<f64>,
    /// When it is paused, and for how long.
    pub pause: Option<(i64, i64)>,
    /// When it is cancelled.
    pub cancel_ms: Option<i64>,
}

impl RunPlan {
    /// How many trials it has.
    pub fn n_units(&self) -> u32 {
        self.n_trials.iter().map(|(_, n)| n).sum()
    }

    /// The class of a unit.
    pub fn class_of(&self, idx: u32) -> usize {
        let mut end = 0;
        let holds = |(_, n): &&(usize, u32)| {
            end += n;
            idx < end
        };
        self.n_trials.iter().find(holds).map_or(0, |(class, _)| *class)
    }
}

/// What goes wrong, and how often. Times between are exponential.
#[derive(Clone, Debug)]
pub struct Mishaps {
    /// A worker crashes about so often, in milliseconds.
    pub crash_every_ms: i64,
    /// It is away for about so long.
    pub down_ms: i64,
    /// A worker stands still about so often, then goes on as if nothing had happened.
    pub freeze_every_ms: i64,
    /// It stands still for about so long.
    pub frozen_ms: i64,
    /// When a part of all hosts fails at once, and which part.
    pub mass: Option<(i64, f64)>,
    /// The leading steward crashes about so often.
    pub steward_every_ms: i64,
    /// After so long another leads.
    pub failover_ms: i64,
    /// The server is away about so often.
    pub outage_every_ms: i64,
    /// It is away for so long at least and at most. Every second time it has lost what was on offer.
    pub outage_ms: (i64, i64),
    /// How probable it is that an attempt breaks, and not by the agent's doing.
    pub faults: f64,
    /// When no more mishaps begin: what is left then must come to its end.
    pub until_ms: i64,
}

/// Puzzles, in chunks.
const PUZZLES: usize = 0;
/// Browser apps.
const BROWSER: usize = 1;
/// Desktop apps.
const DESKTOP: usize = 2;

impl Scenario {
    /// Ten thousand hosts with four slots each, a million trials.
    pub fn full(seed: u64) -> Self {
        Self::sized(seed, 10_000, 1_000_000)
    }

    /// Two hundred hosts and twenty thousand trials, none longer than half an hour.
    pub fn small(seed: u64) -> Self {
        let mut scenario = Self::sized(seed, 200, 20_000);
        scenario.classes[DESKTOP].mean_ms = 20 * MINUTE;
        scenario.mishaps.crash_every_ms = 2 * HOUR;
        scenario.mishaps.freeze_every_ms = 4 * HOUR;
        scenario.mishaps.steward_every_ms = 10 * MINUTE;
        scenario.mishaps.outage_every_ms = 15 * MINUTE;
        scenario
    }

    /// So many hosts, so many trials in all, in the same proportions.
    pub fn sized(seed: u64, n_hosts: usize, n_trials: u32) -> Self {
        let host =
            |percent: usize, classes: &[usize]| HostKind { n: n_hosts * percent / 100, classes: classes.to_vec() };
        Self {
            seed,
            hosts: vec![host(30, &[DESKTOP, BROWSER, PUZZLES]), host(50, &[BROWSER, PUZZLES]), host(20, &[PUZZLES])],
            n_slots: 4,
            classes: classes(),
            runs: runs(n_trials),
            mishaps: Mishaps::usual(),
            depth: QueueDepth::default(),
            calls_per_minute: n_hosts as f64 * 4.0,
            give_up_ms: 72 * HOUR,
        }
    }

    /// How many hosts there are.
    pub fn n_hosts(&self) -> usize {
        self.hosts.iter().map(|kind| kind.n).sum()
    }

    /// How many trials there are.
    pub fn n_trials(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.n_units())).sum()
    }
}

fn classes() -> Vec<TrialClass> {
    let class = |name, mean_ms, straggles, straggle_factor, resumes| TrialClass {
        name,
        mean_ms,
        straggles,
        straggle_factor,
        resumes,
    };
    vec![
        class("puzzles", 5 * SECOND, 0.001, 10, true),
        class("browser", 5 * MINUTE, 0.005, 4, true),
        class("desktop", 5 * HOUR, 0.0, 1, false),
    ]
}

/// Three teams with large runs of different priority, one of them paused for a while; a run that is cancelled, one whose
/// model is limited, one whose budget ends early; and a small urgent run that comes last. Puzzles travel in chunks.
fn runs(n_trials: u32) -> Vec<RunPlan> {
    let n = |parts: u32, class: usize| (class, (u64::from(n_trials) * u64::from(parts) / 10_000) as u32);
    let plan = |name, priority, at_ms, n_trials: Vec<(usize, u32)>| RunPlan {
        name,
        priority,
        chunk: if n_trials.iter().all(|(class, _)| *class == PUZZLES) { 16 } else { 1 },
        at_ms,
        n_trials,
        n_calls: 0,
        budget: None,
        pause: None,
        cancel_ms: None,
    };
    let mut penny = plan("penny", Priority::High, 5 * MINUTE, vec![n(50, BROWSER)]);
    penny.budget = Some(f64::from(penny.n_units()) * 8.0);
    let limited = plan("limited", Priority::High, 5 * MINUTE, vec![n(200, BROWSER)]);
    let cygnus = plan("cygnus", Priority::Normal, 10 * MINUTE, vec![n(300, BROWSER), n(20, DESKTOP)]);
    let scrapped = plan("scrapped", Priority::Normal, 2 * MINUTE, vec![n(200, PUZZLES), n(140, BROWSER)]);
    vec![
        plan("atlas-small", Priority::Low, 0, vec![n(5_000, PUZZLES)]),
        plan("atlas", Priority::Low, 0, vec![n(1_500, BROWSER), n(60, DESKTOP)]),
        plan("borealis-small", Priority::Normal, 0, vec![n(1_900, PUZZLES)]),
        plan("borealis", Priority::Normal, 0, vec![n(600, BROWSER), n(20, DESKTOP)]),
        RunPlan { pause: Some((25 * MINUTE, 10 * MINUTE)), ..cygnus },
        RunPlan { n_calls: 20, ..limited },
        RunPlan { n_calls: 20, ..penny },
        RunPlan { cancel_ms: Some(15 * MINUTE), ..scrapped },
        plan("urgent", Priority::High, 20 * MINUTE, vec![n(6, PUZZLES), n(4, BROWSER)]),
    ]
}

impl Mishaps {
    /// Everything, more often than in life.
    pub fn usual() -> Self {
        Self {
            crash_every_ms: 12 * HOUR,
            down_ms: 3 * MINUTE,
            freeze_every_ms: 48 * HOUR,
            frozen_ms: 4 * MINUTE,
            mass: Some((30 * MINUTE, 0.2)),
            steward_every_ms: 30 * MINUTE,
            failover_ms: 10 * SECOND,
            outage_every_ms: HOUR,
            outage_ms: (10 * SECOND, 60 * SECOND),
            faults: 0.01,
            until_ms: 10 * HOUR,
        }
    }

    /// Nothing goes wrong.
    pub fn none() -> Self {
        Self { until_ms: 0, mass: None, faults: 0.0, ..Self::usual() }
    }
}
