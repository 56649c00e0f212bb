//! What is read back of a run, and what faults cost.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::fixture::Fixture;
use insta::assert_snapshot;
use quintain_core::agent::Usage;
use quintain_core::{Agent, AgentError, Boundary, Briefing, Event, Reply, Spent, Turn, WorldError};
use quintain_runner::{Job, Ledger, RunError, SqliteEngine, run_here};
use quintain_testkit::{Counter, Counting, counter_task};

/// Counts, at 10 tokens a turn; breaks when it is asked about this turn, as often as it is told.
struct Paid {
    counting: Counting,
    breaks_at: u32,
    boundary: Boundary,
    n_breaks_left: Arc<AtomicU32>,
}

impl Agent for Paid {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.counting.begin(briefing)
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let less = |left: u32| left.checked_sub(1);
        let breaks = turn.step_idx == self.breaks_at
            && self.n_breaks_left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less).is_ok();
        if breaks {
            return Err(AgentError::Fault { boundary: self.boundary, why: "overloaded".to_owned() });
        }
        let usage = Usage { input_tokens: 9, output_tokens: 1, cost_usd: Some(0.5), ..Usage::default() };
        Ok(Reply { usage: Some(usage), ..self.counting.act(turn, within)? })
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        self.counting.recall(turn, reply);
    }
}

/// A trial of 5 turns, whose agent breaks at the third.
fn breaking(boundary: Boundary, n_times: u32) -> Fixture {
    let mut fixture = Fixture::new(vec![counter_task("count", 4, 4)], &[7], 1);
    let n_breaks_left = Arc::new(AtomicU32::new(n_times));
    fixture.cast = fixture.cast.with_agent("counting", move |context| {
        let (counting, n_breaks_left) = (Counting::to(context.instance), Arc::clone(&n_breaks_left));
        Ok(Box::new(Paid { counting, breaks_at: 2, boundary, n_breaks_left }))
    });
    fixture
}

/// How attempts began and ended, and what the ledger says of the trial, with and without the engine's file.
fn story(fixture: &Fixture) -> String {
    let costs = costs(fixture);
    fs::remove_file(fixture.engine_path()).unwrap();
    assert_eq!(self::costs(fixture), costs, "the record tells the same");
    format!("{}\n{costs}", attempts_told(fixture))
}

fn attempts_told(fixture: &Fixture) -> String {
    let events = fixture.events_text();
    events.lines().filter(|line| line.contains("attempt")).collect::<Vec<_>>().join("\n")
}

fn costs(fixture: &Fixture) -> String {
    let cost = |spent: &Spent| format!("{} steps, {} tokens, ${}", spent.steps, spent.tokens, spent.cost_usd);
    let entry = Ledger::of(&fixture.dir()).unwrap().entries.remove(0);
    let faults: Vec<String> = entry.faulted.iter().map(ToString::to_string).collect();
    format!("spent {}; wasted {}; after: {}", cost(&entry.finished.spent), cost(&entry.wasted), faults.join(", "))
}

#[test]
fn turns_before_a_providers_fault_are_not_paid_again() {
    let fixture = breaking(Boundary::Provider, 2);
    fixture.run().unwrap();
    assert_snapshot!(story(&fixture), @"
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 attempt 1 faulted: provider fault: overloaded
    test/count#7~counting~0 began, attempt 2, 2 turns recovered
    test/count#7~counting~0 attempt 2 faulted: provider fault: overloaded
    test/count#7~counting~0 began, attempt 3, 2 turns recovered
    test/count#7~counting~0 ended in attempt 3: done, score 1, 5 steps
    spent 5 steps, 50 tokens, $2.5; wasted 0 steps, 0 tokens, $0; after: provider fault, provider fault
    ");
}

#[test]
fn a_harness_that_breaks_again_at_the_same_place_starts_over() {
    let fixture = breaking(Boundary::Harness, 2);
    fixture.run().unwrap();
    assert_snapshot!(story(&fixture), @"
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 attempt 1 faulted: harness fault: overloaded
    test/count#7~counting~0 began, attempt 2, 2 turns recovered
    test/count#7~counting~0 attempt 2 faulted: harness fault: overloaded
    test/count#7~counting~0 began, attempt 3, 0 turns recovered
    test/count#7~counting~0 ended in attempt 3: done, score 1, 5 steps
    spent 5 steps, 50 tokens, $2.5; wasted 2 steps, 20 tokens, $1; after: harness fault, harness fault
    ");
}

#[test]
fn where_a_world_broke_the_trial_starts_over() {
    let mut fixture = breaking(Boundary::Provider, 0);
    let n_calls = AtomicU32::new(0);
    fixture.cast = fixture.cast.with_world(Arc::new(Counter::with_mishap(move |_, _| {
        let broken = n_calls.fetch_add(1, Ordering::SeqCst) == 2;
        if broken { Err(WorldError::world("the window is gone")) } else { Ok(()) }
    })));
    fixture.run().unwrap();
    assert_snapshot!(story(&fixture), @"
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 attempt 1 faulted: world fault: the window is gone
    test/count#7~counting~0 began, attempt 2, 0 turns recovered
    test/count#7~counting~0 ended in attempt 2: done, score 1, 5 steps
    spent 5 steps, 50 tokens, $2.5; wasted 3 steps, 30 tokens, $1.5; after: world fault
    ");
}

#[test]
fn an_attempt_that_never_began_says_nothing_about_recorded_turns() {
    let mut fixture = breaking(Boundary::Provider, 1);
    let (whole, n_made) = (fixture.cast.agents["counting"].clone(), AtomicU32::new(0));
    fixture.cast = fixture.cast.with_agent("counting", move |context| {
        assert!(n_made.fetch_add(1, Ordering::SeqCst) != 1, "no display");
        whole(context)
    });
    fixture.run().unwrap();
    assert_snapshot!(story(&fixture), @"
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 attempt 1 faulted: provider fault: overloaded
    test/count#7~counting~0 began, attempt 2, 2 turns recovered
    test/count#7~counting~0 attempt 2 faulted: harness fault: panicked: no display
    test/count#7~counting~0 began, attempt 3, 2 turns recovered
    test/count#7~counting~0 ended in attempt 3: done, score 1, 5 steps
    spent 5 steps, 50 tokens, $2.5; wasted 0 steps, 0 tokens, $0; after: provider fault, harness fault
    ");
}

#[test]
fn where_worlds_differ_from_day_to_day_a_providers_fault_starts_the_trial_over() {
    let mut fixture = breaking(Boundary::Provider, 1);
    fixture.cast = fixture.cast.with_world(Arc::new(Counter { deterministic: false, ..Counter::default() }));
    fixture.run().unwrap();
    assert_snapshot!(story(&fixture), @"
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 attempt 1 faulted: provider fault: overloaded
    test/count#7~counting~0 began, attempt 2, 0 turns recovered
    test/count#7~counting~0 ended in attempt 2: done, score 1, 5 steps
    spent 5 steps, 50 tokens, $2.5; wasted 2 steps, 20 tokens, $1; after: provider fault
    ");
}

#[test]
fn a_fault_that_was_never_handed_in_is_gone_on_from_too() {
    let mut fixture = breaking(Boundary::Provider, 1);
    fixture.options.max_attempts = 1;
    fixture.run().unwrap();
    fs::remove_file(fixture.engine_path()).unwrap();
    fixture.options.max_attempts = 3;
    fixture.events_text();
    fixture.run().unwrap();
    assert_snapshot!(attempts_told(&fixture), @"
    test/count#7~counting~0 began, attempt 2, 2 turns recovered
    test/count#7~counting~0 ended in attempt 2: done, score 1, 5 steps
    ");
}

fn six_trials() -> Fixture {
    let fixture = Fixture::new(vec![counter_task("count", 1, 5)], &[1, 2, 3, 4, 5, 6], 1);
    fixture.run().unwrap();
    fixture
}

fn trials(ledger: &Ledger) -> String {
    let line = |entry: &quintain_runner::ledger::TrialEntry| format!("{} {}", entry.trial, entry.finished.spent.steps);
    let mut lines: Vec<String> = ledger.entries.iter().map(line).collect();
    lines.sort();
    lines.join("\n")
}

#[test]
fn reading_changes_nothing() {
    let fixture = six_trials();
    // As if another process had run it: whoever opens an engine to work with it enters itself there.
    rusqlite::Connection::open(fixture.engine_path()).unwrap().execute("DELETE FROM owner", []).unwrap();
    let look = || {
        let mut files: Vec<_> = fs::read_dir(fixture.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.clone(), fs::metadata(&path).unwrap().modified().unwrap(), fs::read(path).ok()))
            .collect();
        files.sort();
        files
    };
    let before = look();
    assert_eq!(Ledger::of(&fixture.dir()).unwrap().entries.len(), 6);
    assert!(look() == before, "a file was written");
}

#[test]
fn trials_that_the_engine_does_not_know_are_read_from_the_record() {
    let fixture = six_trials();
    let known = trials(&Ledger::of(&fixture.dir()).unwrap());
    fs::remove_file(fixture.engine_path()).unwrap();
    drop(SqliteEngine::open(&fixture.engine_path()).unwrap());
    assert_eq!(trials(&Ledger::of(&fixture.dir()).unwrap()), known);
}

#[test]
fn a_fault_that_will_be_tried_again_is_no_outcome() {
    let mut fixture = breaking(Boundary::Provider, 9);
    fixture.options.rest = Duration::from_mins(1);
    let stop = Arc::clone(&fixture.stop);
    let emit = |event| {
        stop.fetch_or(matches!(event, Event::AttemptFaulted { .. }), Ordering::SeqCst);
    };
    fixture.with_job(|job| run_here(&Job { emit: &emit, ..*job })).unwrap();
    assert!(Ledger::of(&fixture.dir()).unwrap().entries.is_empty());
}

#[test]
fn what_the_engine_knows_counts_where_the_plan_is_cut_and_the_record_is_gone() {
    let fixture = six_trials();
    let known = trials(&Ledger::of(&fixture.dir()).unwrap());
    let plan = fixture.path().join("plan.jsonl");
    let first: String = fs::read_to_string(&plan).unwrap().split_inclusive('\n').take(2).collect();
    fs::write(&plan, first).unwrap();
    for segment in fs::read_dir(fixture.path().join("segments")).unwrap() {
        fs::remove_file(segment.unwrap().path()).unwrap();
    }
    let run = fixture.dir();
    assert_eq!(trials(&Ledger::of(&run).unwrap()), known);
    let told: Vec<_> = run.damage().list().into_iter().map(|damage| (damage.file, damage.why)).collect();
    assert_eq!(told, [("plan.jsonl".to_owned(), "there were 6 trials, it has 2".to_owned())]);
}

#[test]
fn a_line_that_cannot_be_read_costs_no_verdict_but_its_own_and_is_told() {
    let fixture = six_trials();
    fs::remove_file(fixture.engine_path()).unwrap();
    let segment = fixture.path().join("segments/0001-0000.jsonl");
    let text = fs::read_to_string(&segment).unwrap();
    let verdict_idx = text.lines().position(|line| line.contains("\"event\":\"judged\"")).unwrap();
    for damage in
        ["{nonsense", "{\"v\":1,\"trial\":\"test/count#1~counting~0\",\"attempt\":1,\"event\":\"turn\",\"x\":1}"]
    {
        for (line_idx, n_left) in [(1, 6), (verdict_idx, 5)] {
            let mut lines: Vec<&str> = text.lines().collect();
            lines[line_idx] = damage;
            fs::write(&segment, lines.join("\n") + "\n").unwrap();
            let run = fixture.dir();
            let ledger = Ledger::of(&run).unwrap();
            assert_eq!((ledger.entries.len(), ledger.n_planned), (n_left, 6), "{damage}");
            let told: Vec<_> = run.damage().list().into_iter().map(|damage| (damage.file, damage.line)).collect();
            assert_eq!(told, [("segments/0001-0000.jsonl".to_owned(), Some(line_idx as u64 + 1))], "{damage}");
        }
    }
}

#[test]
fn a_run_that_is_refused_leaves_no_engine_behind() {
    let mut fixture = breaking(Boundary::Provider, 0);
    fixture.tasks = vec![counter_task("count", 2, 2)];
    assert!(matches!(fixture.run().unwrap_err(), RunError::TaskChanged(_)));
    assert!(!fixture.engine_path().exists());
    fixture.cast.agents.clear();
    assert!(matches!(fixture.run().unwrap_err(), RunError::NoAgent(_)));
    assert!(!fixture.engine_path().exists());
}
