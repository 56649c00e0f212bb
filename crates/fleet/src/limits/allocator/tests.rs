//! Workers that ask, use, lose answers and die, and allocators that die: no order of these uses more than the rule allows.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

const RATE: &str = "rate/chat/sim/requests";
const BUDGET: &str = "budget/night/cost_usd";
const WINDOW_MS: u64 = 6_000;
const FENCE_MS: u64 = 200;
const PER_WINDOW: f64 = 100.0;
const BUDGET_USD: f64 = 5.0;

/// What happens next.
#[derive(Clone, Debug)]
enum Act {
    /// Time passes.
    Pass(u64),
    /// A worker asks, and uses so much of what it has then, in percent; its answer may be lost.
    Ask { worker: usize, want: u32, percent: u32, is_lost: bool },
    /// A worker uses so much of what it has, in percent.
    Use { worker: usize, percent: u32 },
    /// A worker dies, and a new session begins.
    Die { worker: usize },
    /// The state is written; whoever wrote it may not learn of it.
    Keep { is_known: bool },
    /// The allocator dies, perhaps between writing and learning of it, and another one begins.
    FailOver,
}

fn act() -> impl Strategy<Value = Act> {
    let worker = 0..6usize;
    prop_oneof![
        6 => (1..100u64).prop_map(Act::Pass),
        1 => (500..3000u64).prop_map(Act::Pass),
        20 => (worker.clone(), 1..20u32, prop_oneof![Just(100), 0..=100u32], prop::bool::weighted(0.1))
            .prop_map(|(worker, want, percent, is_lost)| Act::Ask { worker, want, percent, is_lost }),
        2 => (worker.clone(), 0..=100u32).prop_map(|(worker, percent)| Act::Use { worker, percent }),
        1 => worker.prop_map(|worker| Act::Die { worker }),
        6 => prop::bool::weighted(0.8).prop_map(|is_known| Act::Keep { is_known }),
        1 => Just(Act::FailOver),
    ]
}

#[derive(Default)]
struct Worker {
    session: u32,
    n: u64,
    used: BTreeMap<String, f64>,
    slices: BTreeMap<String, Vec<(u64, f64)>>,
}

impl Worker {
    fn held(&mut self, limit: &str, now_ms: u64) -> f64 {
        let slices = self.slices.entry(limit.to_owned()).or_default();
        slices.retain(|(until_ms, _amount)| *until_ms > now_ms);
        slices.iter().map(|(_until_ms, amount)| amount).sum()
    }

    fn request(&mut self, want: f64, now_ms: u64) -> ShareRequest {
        self.n += 1;
        let held = [RATE, BUDGET].map(|limit| (limit.to_owned(), self.held(limit, now_ms)));
        ShareRequest {
            session: self.session.to_string(),
            n: self.n,
            want: BTreeMap::from([(RATE.to_owned(), want), (BUDGET.to_owned(), want / 20.0)]),
            least: BTreeMap::from([(RATE.to_owned(), 1.0), (BUDGET.to_owned(), 0.05)]),
            used: self.used.clone(),
            held: BTreeMap::from(held),
            over: false,
        }
    }
}

struct Scene {
    now_ms: u64,
    allocator: Allocator,
    store: BTreeMap<String, String>,
    workers: Vec<Worker>,
    /// When how much was used of the rate.
    calls: Vec<(u64, f64)>,
    cost_usd: f64,
}

impl Scene {
    fn new() -> Self {
        let workers = (0..6).map(|_| Worker::default()).collect();
        let allocator = begun(&BTreeMap::new(), 1_000);
        Self { now_ms: 1_000, allocator, store: BTreeMap::new(), workers, calls: Vec::new(), cost_usd: 0.0 }
    }

    fn play(&mut self, act: &Act) {
        match *act {
            Act::Pass(ms) => self.now_ms += ms,
            Act::Ask { worker, want, percent, is_lost } => {
                self.ask(worker, f64::from(want), is_lost);
                self.spend(worker, f64::from(percent) / 100.0);
            }
            Act::Use { worker, percent } => self.spend(worker, f64::from(percent) / 100.0),
            Act::Die { worker } => {
                let session = self.workers[worker].session + 1;
                self.workers[worker] = Worker { session, ..Worker::default() };
            }
            Act::Keep { is_known } => self.keep(is_known),
            Act::FailOver => self.allocator = begun(&self.store, self.now_ms),
        }
    }

    fn ask(&mut self, worker: usize, want: f64, is_lost: bool) {
        let sent_ms = self.now_ms;
        let request = self.workers[worker].request(want, sent_ms);
        self.now_ms += 1;
        let grant = self.allocator.grant(&format!("w{worker}"), &request, self.now_ms);
        self.now_ms += 1;
        for (limit, share) in grant.shares.into_iter().filter(|_| !is_lost) {
            let slices = self.workers[worker].slices.entry(limit).or_default();
            slices.push((sent_ms + share.for_ms, share.amount));
        }
    }

    fn spend(&mut self, worker: usize, part: f64) {
        for limit in [RATE, BUDGET] {
            let worker = &mut self.workers[worker];
            let mut left = worker.held(limit, self.now_ms) * part;
            *worker.used.entry(limit.to_owned()).or_default() += left;
            if limit == RATE {
                self.calls.push((self.now_ms, left));
            } else {
                self.cost_usd += left;
            }
            for (_until_ms, amount) in worker.slices.entry(limit.to_owned()).or_default() {
                let taken = left.min(*amount);
                *amount -= taken;
                left -= taken;
            }
        }
    }

    fn keep(&mut self, is_known: bool) {
        let drafts = self.allocator.propose(self.now_ms);
        for draft in &drafts {
            self.store.insert(draft.limit.clone(), draft.text.clone());
        }
        if is_known {
            self.allocator.confirm(&drafts, self.now_ms);
        }
    }

    /// The most that was used in any window.
    fn worst(&self) -> f64 {
        let within = |from: u64| {
            let calls = self.calls.iter().filter(move |(at_ms, _)| (from..from + WINDOW_MS).contains(at_ms));
            calls.map(|(_, amount)| amount).sum::<f64>()
        };
        self.calls.iter().map(|(at_ms, _)| within(*at_ms)).fold(0.0, f64::max)
    }
}

/// An allocator with what was kept.
fn begun(store: &BTreeMap<String, String>, now_ms: u64) -> Allocator {
    let mut allocator = Allocator::kept(now_ms, FENCE_MS);
    let rules = [
        (RATE, Rule::Rate { amount: PER_WINDOW, window_ms: WINDOW_MS }),
        (BUDGET, Rule::Budget { amount: BUDGET_USD }),
    ];
    for (limit, rule) in rules {
        match store.get(limit) {
            Some(text) => allocator.restore(limit, rule, text, now_ms).unwrap(),
            None => allocator.set(limit, rule, now_ms),
        }
    }
    allocator
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn nothing_uses_more_than_the_rules_allow(acts in prop::collection::vec(act(), 1..600)) {
        let mut scene = Scene::new();
        for act in &acts {
            scene.play(act);
        }
        prop_assert!(scene.worst() <= PER_WINDOW + 1e-6, "{} in a window", scene.worst());
        prop_assert!(scene.cost_usd <= BUDGET_USD + 1e-6, "${}", scene.cost_usd);
    }
}

/// Workers that always want more, for so long; what they used of the rate, as a part of what is allowed.
fn steady(n_workers: usize, n_windows: u64, fails_at: Option<u64>) -> f64 {
    let mut scene = Scene::new();
    scene.workers = (0..n_workers).map(|_| Worker::default()).collect();
    scene.now_ms += 1_000;
    scene.keep(true);
    let mut due = vec![scene.now_ms; n_workers];
    let end_ms = scene.now_ms + n_windows * WINDOW_MS;
    let mut kept_ms = scene.now_ms;
    while scene.now_ms < end_ms {
        scene.now_ms += 5;
        if scene.now_ms >= kept_ms + 100 {
            scene.keep(true);
            kept_ms = scene.now_ms;
        }
        if fails_at.is_some_and(|at_ms| (at_ms..at_ms + 5).contains(&(scene.now_ms - 2_000))) {
            scene.allocator = begun(&scene.store, scene.now_ms);
        }
        for (worker, due_ms) in due.iter_mut().enumerate().filter(|(_, due_ms)| **due_ms <= scene.now_ms) {
            let request = scene.workers[worker].request(3.0, scene.now_ms);
            let share = scene.allocator.grant(&format!("w{worker}"), &request, scene.now_ms).shares[RATE];
            if share.amount > 0.0 {
                scene.calls.push((scene.now_ms, share.amount));
            }
            *scene.workers[worker].used.entry(RATE.to_owned()).or_default() += share.amount;
            *due_ms = scene.now_ms + share.again_ms.unwrap_or(20);
        }
    }
    assert!(scene.worst() <= PER_WINDOW + 1e-6, "{} in a window", scene.worst());
    scene.calls.iter().map(|(_, amount)| amount).sum::<f64>() / (PER_WINDOW * n_windows as f64)
}

#[test]
fn at_steady_demand_nine_tenths_are_used() {
    for n_workers in [1, 3, 8, 40] {
        let part = steady(n_workers, 10, None);
        assert!((0.9..=1.0).contains(&part), "{n_workers} workers: {part}");
    }
}

#[test]
fn a_failover_costs_little_and_forgets_nothing() {
    for fails_at in [15, 25_000, 25_050, 25_090] {
        let part = steady(8, 10, Some(fails_at));
        assert!((0.9..=1.0).contains(&part), "{part}");
    }
}

#[test]
fn limits_that_nobody_set_are_not_in_the_answer_and_late_requests_are_not_answered() {
    let mut allocator = Allocator::in_memory(0);
    allocator.set(BUDGET, Rule::Budget { amount: 1.0 }, 0);
    let mut worker = Worker::default();
    let (first, second) = (worker.request(1.0, 0), worker.request(1.0, 0));
    let granted = allocator.grant("w", &second, 0);
    assert_eq!(granted.shares.keys().collect::<Vec<_>>(), [BUDGET]);
    assert_eq!(allocator.grant("w", &first, 0), Grant::default());
}

#[test]
fn what_the_dead_held_counts_as_used_until_the_books_tell() {
    let mut allocator = Allocator::in_memory(0);
    allocator.set(BUDGET, Rule::Budget { amount: 1.0 }, 0);
    let mut dead = Worker::default();
    let held = allocator.grant("w", &dead.request(20.0, 0), 0).shares[BUDGET].amount;
    let later_ms = 3_600_000;
    assert_eq!(allocator.standing(BUDGET).unwrap().committed, Some(held));
    let books = ShareRequest {
        session: dead.session.to_string(),
        n: u64::MAX,
        used: BTreeMap::from([(BUDGET.to_owned(), held / 2.0)]),
        over: true,
        ..ShareRequest::default()
    };
    allocator.grant("w", &books, later_ms);
    assert_eq!(allocator.standing(BUDGET).unwrap().committed, Some(held / 2.0));
}

#[test]
fn a_run_is_spent_when_nobody_holds_anything_any_more() {
    let mut allocator = Allocator::in_memory(0);
    allocator.set(BUDGET, Rule::Budget { amount: 1.0 }, 0);
    let tell = |n, used, held, over| ShareRequest {
        n,
        used: BTreeMap::from([(BUDGET.to_owned(), used)]),
        held: BTreeMap::from([(BUDGET.to_owned(), held)]),
        over,
        ..ShareRequest::default()
    };
    allocator.grant("w", &tell(1, 0.5, 0.6, false), 0);
    assert!(allocator.spent_runs(0).is_empty(), "a call in flight may come to less");
    allocator.grant("w", &tell(2, 1.2, 0.0, true), 0);
    assert_eq!(allocator.spent_runs(0), ["night"]);
    assert_eq!(allocator.standing(BUDGET).unwrap().used, Some(1.2));
    allocator.set(BUDGET, Rule::Budget { amount: 2.0 }, 0);
    assert!(allocator.spent_runs(0).is_empty(), "there is more now");
}
