use std::collections::{BTreeSet, VecDeque};

use proptest::prelude::*;
use quintain_testkit::thread_time;

use super::*;

fn standing(run: &str, priority: Priority, chunk: u32, n_units: u32) -> RunStanding {
    RunStanding { run: run.to_owned(), direction: RunDirection::Go, terms: RunTerms { priority, chunk }, n_units }
}

/// A feeder with a run of so many units of one class.
fn add(feeder: &mut Feeder, run: &str, priority: Priority, chunk: u32, n_units: u32) {
    feeder.stand(&standing(run, priority, chunk, n_units));
    feeder.learn(run, (0..n_units).map(|_| "puzzles"));
    feeder.audit(run, &[], std::iter::empty());
}

fn slots(n: u64) -> BTreeMap<String, u64> {
    BTreeMap::from([("puzzles".to_owned(), n)])
}

/// The runs of the units, as they would be played one after the other.
fn names(picks: &[FeederPick]) -> impl Iterator<Item = (String, u32)> {
    picks.iter().flat_map(|pick| pick.units.clone().map(|idx| (pick.run.clone(), idx)))
}

#[test]
fn nothing_is_offered_before_it_is_known_what_is_out() {
    let mut feeder = Feeder::new(QueueDepth::default());
    feeder.stand(&standing("a", Priority::Normal, 4, 20));
    feeder.learn("a", (0..20).map(|idx| if idx < 11 { "puzzles" } else { "browser" }));
    assert_eq!(feeder.feed(0, 100), []);
    feeder.settle("a", 3);
    feeder.audit("a", &[0..2, 14..16], [9].into_iter());
    let told = feeder.feed(0, 100).into_iter().map(|pick| format!("{:?}", pick.units)).collect::<Vec<_>>();
    assert_eq!(told.join(" "), "2..3 4..5 5..6 6..7 7..8 8..9 10..11 11..12 12..13 13..14 16..17 17..18 18..19 19..20");
}

#[test]
fn units_travel_together_and_apart_towards_the_end() {
    let mut feeder = Feeder::new(QueueDepth { at_least: 10_000, ..QueueDepth::default() });
    feeder.classes.push(UnitClass { name: "puzzles".to_owned(), n_slots: 0, pace: FeedPace::default() });
    feeder.muster(&slots(4));
    feeder.depth.at_least = 0;
    add(&mut feeder, "a", Priority::Normal, 8, 150);
    let mut sizes = Vec::new();
    loop {
        let picks = feeder.feed(0, 1_000);
        if picks.is_empty() {
            break;
        }
        sizes.extend(picks.iter().map(|pick| pick.units.len()));
        names(&picks).for_each(|(run, idx)| assert!(feeder.settle(&run, idx)));
    }
    assert_eq!(sizes.iter().sum::<usize>(), 150);
    assert_eq!((sizes.first(), sizes.last()), (Some(&8), Some(&1)));
    assert!(sizes.is_sorted_by(|a, b| a >= b || *b <= 4), "{sizes:?}");
}

#[test]
fn the_queue_is_a_little_deeper_than_the_slots_and_follows_the_rate() {
    let mut feeder = Feeder::new(QueueDepth::default());
    add(&mut feeder, "a", Priority::Normal, 1, 100_000);
    let mut told = Vec::new();
    let mut out = VecDeque::new();
    for (now_ms, n_slots, n_played) in [(0, 0, 0), (1_000, 100, 0), (2_000, 100, 150), (3_000, 10, 0), (60_000, 10, 0)]
    {
        out.drain(..n_played).for_each(|(run, idx): (String, u32)| assert!(feeder.settle(&run, idx)));
        feeder.muster(&slots(n_slots));
        out.extend(names(&feeder.feed(now_ms, 10_000)));
        told.push(feeder.n_out("a"));
    }
    assert_eq!(told, [64, 200, 500, 500, 500]);
}

#[test]
fn a_paused_run_takes_no_room() {
    let mut feeder = Feeder::new(QueueDepth::default());
    add(&mut feeder, "a", Priority::High, 1, 1_000);
    assert_eq!(feeder.feed(0, 1_000).len(), 64);
    feeder.stand(&RunStanding { direction: RunDirection::Pause, ..standing("a", Priority::High, 1, 1_000) });
    add(&mut feeder, "b", Priority::Low, 1, 10);
    assert!(names(&feeder.feed(0, 1_000)).all(|(run, _)| run == "b"));
    assert_eq!((feeder.n_out("a"), feeder.n_out("b")), (64, 10));
}

#[test]
fn what_could_not_be_offered_is_picked_again() {
    let mut feeder = Feeder::new(QueueDepth::default());
    add(&mut feeder, "a", Priority::Normal, 1, 100);
    let picks = feeder.feed(0, 1_000);
    picks.iter().rev().for_each(|pick| feeder.give_back(pick));
    feeder.give_back(&picks[0]);
    assert_eq!(feeder.feed(0, 1_000), picks);
}

/// Plays on so many slots, each unit for as long as its run says, and returns how many units of each run were played
/// while all of them had some left.
fn shares(runs: &[(&str, Priority, u32, u32)], n_slots: u64, n_ticks: usize) -> BTreeMap<String, u32> {
    let mut feeder = Feeder::new(QueueDepth::default());
    for (run, priority, chunk, n_units) in runs {
        add(&mut feeder, run, *priority, *chunk, *n_units);
    }
    feeder.muster(&slots(n_slots));
    let (mut queue, mut played) = (VecDeque::new(), BTreeMap::new());
    for tick in 0..n_ticks {
        queue.extend(names(&feeder.feed(tick as i64 * 100, 10_000)));
        for _ in 0..n_slots {
            let Some((run, idx)) = queue.pop_front() else { break };
            assert!(feeder.settle(&run, idx), "{run} {idx} was offered twice");
            *played.entry(run).or_default() += 1;
        }
    }
    played
}

#[test]
fn runs_share_by_weight() {
    use Priority::{High, Low, Normal};
    let many = 1_000_000;
    let told = |runs: &[(&str, Priority, u32, u32)]| {
        let played = shares(runs, 40, 2_000);
        let all: u32 = played.values().sum();
        assert_eq!(all, 80_000, "no slot is ever idle");
        let percent = |n: &u32| (f64::from(*n) * 100.0 / f64::from(all)).round();
        played.iter().map(|(run, n)| format!("{run} {}%", percent(n))).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(told(&[("a", Normal, 1, many), ("b", Normal, 1, many)]), "a 50%, b 50%");
    assert_eq!(told(&[("a", High, 1, many), ("b", Normal, 1, many), ("c", Low, 1, many)]), "a 76%, b 19%, c 5%");
    assert_eq!(told(&[("a", High, 16, many), ("b", Normal, 16, many)]), "a 80%, b 20%");
    assert_eq!(told(&[("a", High, 1, 16_000), ("b", Low, 1, many)]), "a 20%, b 80%");
}

#[test]
fn nobody_starves_among_many() {
    let mut runs = vec![("high", Priority::High, 1, 1_000_000)];
    let names = (0..200).map(|n| format!("low-{n:03}")).collect::<Vec<_>>();
    runs.extend(names.iter().map(|name| (name.as_str(), Priority::Low, 1, 1_000)));
    let played = shares(&runs, 4, 2_000);
    assert_eq!(played.len(), 201);
    assert!(played.values().all(|n| *n >= 10), "{played:?}");
}

#[test]
fn a_million_units_are_fed_in_a_moment() {
    let before = thread_time();
    let mut feeder = Feeder::new(QueueDepth::default());
    for run in ["a", "b", "c", "d"] {
        add(&mut feeder, run, Priority::Normal, 4, 250_000);
    }
    feeder.muster(&slots(4_000));
    let (mut n_played, mut now_ms) = (0, 0);
    loop {
        now_ms += 1_000;
        let picks = feeder.feed(now_ms, 100_000);
        if picks.is_empty() {
            break;
        }
        names(&picks).for_each(|(run, idx)| n_played += u32::from(feeder.settle(&run, idx)));
    }
    assert_eq!(n_played, 1_000_000);
    let took = thread_time().saturating_sub(before);
    assert!(took.as_secs() < 30, "a debug build took {took:?}");
}

/// What may happen to a feeder.
#[derive(Clone, Debug)]
enum Happening {
    Feed(usize),
    Settle(prop::sample::Index),
    SettleAny(usize, u32),
    Audit(usize, BTreeSet<u32>),
    GiveBack(prop::sample::Index),
    Direct(usize, bool),
}

fn happening() -> impl Strategy<Value = Happening> {
    prop_oneof![
        4 => (1..40_usize).prop_map(Happening::Feed),
        8 => any::<prop::sample::Index>().prop_map(Happening::Settle),
        1 => (0..3_usize, 0..200_u32).prop_map(|(run, idx)| Happening::SettleAny(run, idx)),
        1 => (0..3_usize, prop::collection::btree_set(0..200_u32, 0..60)).prop_map(|(run, kept)| Happening::Audit(run, kept)),
        1 => any::<prop::sample::Index>().prop_map(Happening::GiveBack),
        1 => (0..3_usize, any::<bool>()).prop_map(|(run, goes)| Happening::Direct(run, goes)),
    ]
}

/// A feeder of three runs, and beside it plainly what is out and what is done.
struct Model {
    feeder: Feeder,
    terms: Vec<(u32, u32)>,
    out: BTreeSet<(usize, u32)>,
    done: BTreeSet<(usize, u32)>,
    last: Vec<FeederPick>,
    now_ms: i64,
}

const RUNS: [&str; 3] = ["0", "1", "2"];

impl Model {
    fn new(terms: Vec<(u32, u32)>) -> Self {
        let mut feeder = Feeder::new(QueueDepth { at_least: 20, ..QueueDepth::default() });
        for (run, (chunk, n_units)) in terms.iter().enumerate() {
            feeder.stand(&standing(
                RUNS[run],
                [Priority::High, Priority::Normal, Priority::Low][run],
                *chunk,
                *n_units,
            ));
            feeder.learn(RUNS[run], (0..*n_units).map(|idx| if idx % 7 == 3 { "browser" } else { "puzzles" }));
            feeder.audit(RUNS[run], &[], std::iter::empty());
        }
        Self { feeder, terms, out: BTreeSet::new(), done: BTreeSet::new(), last: Vec::new(), now_ms: 0 }
    }

    fn feed(&mut self, max: usize) -> usize {
        self.now_ms += 100;
        self.last = self.feeder.feed(self.now_ms, max);
        for (run, idx) in names(&self.last) {
            let unit: (usize, u32) = (run.parse().unwrap(), idx);
            assert!(unit.1 < self.terms[unit.0].1, "{unit:?} is not registered");
            assert!(!self.done.contains(&unit), "{unit:?} is done");
            assert!(self.out.insert(unit), "{unit:?} is out already");
        }
        for pick in &self.last {
            let n_classes = pick.units.clone().map(|idx| idx % 7 == 3).collect::<BTreeSet<_>>().len();
            assert_eq!(n_classes, 1, "{pick:?} is of several classes");
            assert!(pick.units.len() as u32 <= self.terms[pick.run.parse::<usize>().unwrap()].0.max(1));
        }
        self.last.len()
    }

    fn settle(&mut self, unit: (usize, u32)) {
        if unit.1 < self.terms[unit.0].1 {
            assert_eq!(self.feeder.settle(RUNS[unit.0], unit.1), self.done.insert(unit));
            self.out.remove(&unit);
        }
    }

    fn happen(&mut self, happening: &Happening) {
        match happening {
            Happening::Feed(max) => {
                self.feed(*max);
            }
            Happening::Settle(index) if self.out.is_empty() => assert_eq!(index.index(1), 0),
            Happening::Settle(index) => {
                let unit = *self.out.iter().nth(index.index(self.out.len())).unwrap();
                self.settle(unit);
            }
            Happening::SettleAny(run, idx) => self.settle((*run, *idx)),
            Happening::Audit(run, kept) => self.audit(*run, kept),
            Happening::GiveBack(_) if self.last.is_empty() => {}
            Happening::GiveBack(index) => {
                let pick = self.last.remove(index.index(self.last.len()));
                self.feeder.give_back(&pick);
                pick.units.clone().for_each(|idx| {
                    self.out.remove(&(pick.run.parse().unwrap(), idx));
                });
            }
            Happening::Direct(run, goes) => {
                let (chunk, n_units) = self.terms[*run];
                let direction = if *goes { RunDirection::Go } else { RunDirection::Pause };
                self.feeder.stand(&RunStanding { direction, ..standing(RUNS[*run], Priority::Normal, chunk, n_units) });
            }
        }
    }

    /// Of what is out, only these units turn out to be: some are held, the rest is on offer.
    fn audit(&mut self, run: usize, kept: &BTreeSet<u32>) {
        let kept = kept.iter().copied().filter(|idx| self.out.contains(&(run, *idx))).collect::<Vec<_>>();
        let (held, on_offer) = kept.split_at(kept.len() / 2);
        let on_offer = on_offer.iter().map(|idx| *idx..*idx + 1).collect::<Vec<_>>();
        let before = self.out.iter().filter(|unit| unit.0 == run).count();
        let n_freed = self.feeder.audit(RUNS[run], &on_offer, held.iter().copied());
        assert_eq!(n_freed as usize, before - kept.len());
        self.out.retain(|unit| unit.0 != run || kept.contains(&unit.1));
        self.last.clear();
    }
}

proptest! {
    #[test]
    fn nothing_is_offered_twice_and_everything_in_the_end(
        terms in prop::collection::vec((0..9_u32, 0..200_u32), 3),
        happenings in prop::collection::vec(happening(), 0..120),
    ) {
        let mut model = Model::new(terms);
        for happening in &happenings {
            model.happen(happening);
        }
        (0..3).for_each(|run| model.happen(&Happening::Direct(run, true)));
        loop {
            let n_fed = model.feed(16);
            if n_fed == 0 && model.out.is_empty() {
                break;
            }
            model.out.clone().into_iter().for_each(|unit| model.settle(unit));
        }
        let all = model.terms.iter().map(|(_, n_units)| *n_units as usize).sum::<usize>();
        prop_assert_eq!(model.done.len(), all);
        for (run, (_, n_units)) in model.terms.iter().enumerate() {
            let feeder = &model.feeder;
            let told = (feeder.n_done(RUNS[run]), feeder.n_out(RUNS[run]), feeder.n_free(RUNS[run]));
            prop_assert_eq!(told, (*n_units, 0, 0));
        }
    }
}
