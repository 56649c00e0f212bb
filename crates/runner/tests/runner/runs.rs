//! Runs from plan to outcomes, with everything that may go wrong on the way.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

use crate::fixture::{Fixture, block_on};
use insta::assert_snapshot;
use quintain_core::{AgentError, Boundary, WorldError};
use quintain_runner::engine::{LeaseOrder, Unit, WallClock};
use quintain_runner::{Engine, RunError, SqliteEngine, run};
use quintain_testkit::{Counter, Counting, Fixed, counter_task};

fn one_trial(target: u32) -> Fixture {
    Fixture::new(vec![counter_task("count", target, target)], &[7], 1)
}

#[test]
fn a_run_tells_its_story() {
    let fixture = one_trial(2);
    let summary = fixture.run().unwrap();
    assert_eq!((summary.n_done, summary.n_left), (1, 0));
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 turn 1: add(1)
    test/count#7~counting~0 turn 2: done
    test/count#7~counting~0 ended in attempt 1: done, score 1, 3 steps
    run ended: 1 done, 0 left
    ");
}

#[test]
fn every_trial_of_the_grid_gets_one_outcome() {
    let mut fixture = Fixture::new(vec![counter_task("a", 1, 9), counter_task("b", 3, 5)], &[1, 2, 3, 4, 5], 4);
    fixture.options.n_workers = 4;
    let summary = fixture.run().unwrap();
    assert_eq!((summary.n_done, summary.n_left), (40, 0));
    let outcomes = fixture.outcomes();
    assert!(outcomes.iter().all(|recorded| recorded.outcome.verdict.solved && recorded.attempt == 1));
    let dir = fixture.dir();
    let mut units: Vec<&str> = outcomes.iter().map(|recorded| recorded.unit.as_str()).collect();
    units.sort_unstable();
    units.dedup();
    assert_eq!(units.len(), 40);
    for recorded in &outcomes {
        let record = dir.read(&recorded.outcome.place.parse().unwrap()).unwrap();
        assert_eq!(record.trial.to_string(), recorded.unit);
        assert_eq!(record.verdict(), Some(&recorded.outcome.verdict));
    }
    let again = fixture.run().unwrap();
    assert_eq!((again.n_done, fixture.n_asked().0), (40, fixture.n_asked().1 as u32));
}

#[test]
fn faults_are_tried_again_and_kept() {
    let mut fixture = one_trial(2);
    let n_calls = AtomicU32::new(0);
    let flaky = Counter::with_mishap(move |_, _| match n_calls.fetch_add(1, Ordering::SeqCst) {
        0 => Err(WorldError::Fault { boundary: Boundary::Sandbox, why: "the sandbox fell over".to_owned() }),
        2 => panic!("the world is broken"),
        _ => Ok(()),
    });
    fixture.cast = fixture.cast.with_world(Arc::new(flaky));
    let summary = fixture.run().unwrap();
    assert_eq!((summary.n_done, summary.n_faulted), (1, 2));
    assert_snapshot!(fixture.attempts_text(), @r#"
    test/count#7~counting~0 1 {"end":"faulted","ending":{"fault":"sandbox"},"why":"the sandbox fell over"}
    test/count#7~counting~0 2 {"end":"faulted","ending":{"fault":"harness"},"why":"panicked: the world is broken"}
    test/count#7~counting~0 3 {"end":"won"}
    "#);
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 attempt 1 faulted: sandbox fault: the sandbox fell over
    test/count#7~counting~0 began, attempt 2, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 turn 1: add(1)
    test/count#7~counting~0 attempt 2 faulted: harness fault: panicked: the world is broken
    test/count#7~counting~0 began, attempt 3, 2 turns recovered
    test/count#7~counting~0 turn 2: done
    test/count#7~counting~0 ended in attempt 3: done, score 1, 3 steps
    run ended: 1 done, 0 left
    ");
    assert_eq!(fixture.dir().attempts().unwrap().iter().filter(|attempt| attempt.finished).count(), 3);
}

#[test]
fn a_trial_that_always_breaks_ends_as_a_fault() {
    let mut fixture = Fixture::new(vec![counter_task("count", 1, 1)], &[1, 2], 1);
    fixture.cast = fixture.cast.with_agent("counting", |context| {
        if context.trial.instance.pick.seed == Some(1) {
            return Err(AgentError::harness("there is no such program"));
        }
        Ok(Box::new(Counting::to(context.instance)))
    });
    fixture.run().unwrap();
    let story = fixture.events_text();
    let (broken, other): (Vec<&str>, Vec<&str>) = story.lines().partition(|line| line.contains("#1~"));
    assert_snapshot!(broken.join("\n"), @"
    test/count#1~counting~0 began, attempt 1, 0 turns recovered
    test/count#1~counting~0 attempt 1 faulted: harness fault: there is no such program
    test/count#1~counting~0 began, attempt 2, 0 turns recovered
    test/count#1~counting~0 attempt 2 faulted: harness fault: there is no such program
    test/count#1~counting~0 began, attempt 3, 0 turns recovered
    test/count#1~counting~0 ended in attempt 3: harness fault, score 0, 0 steps (there is no such program)
    ");
    assert!(other.contains(&"test/count#2~counting~0 ended in attempt 1: done, score 1, 2 steps"));
}

#[test]
fn a_broken_judge_costs_no_further_attempt() {
    let mut fixture = one_trial(1);
    fixture.cast.judges = Arc::new(|_| Err("check `target` makes no sense".to_owned()));
    fixture.run().unwrap();
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 turn 1: done
    test/count#7~counting~0 ended in attempt 1: judge fault, score 0, 2 steps (check `all` cannot judge: check `target` makes no sense)
    run ended: 1 done, 0 left
    ");
}

/// Stops the run when the agent is asked about this turn, once.
fn stop_at(fixture: &mut Fixture, step_idx: u32) {
    let (stop, asked) = (Arc::clone(&fixture.stop), Arc::clone(&fixture.asked));
    let once = Arc::new(AtomicU32::new(0));
    fixture.cast = fixture.cast.clone().with_agent("counting", move |context| {
        let (stop, asked, once) = (Arc::clone(&stop), Arc::clone(&asked), Arc::clone(&once));
        let trial = context.trial.clone();
        Ok(Box::new(Counting::to(context.instance).heard_by(move |asked_idx| {
            *asked.lock().unwrap().entry((trial.clone(), asked_idx)).or_default() += 1;
            if asked_idx == step_idx && once.fetch_add(1, Ordering::SeqCst) == 0 {
                stop.store(true, Ordering::SeqCst);
            }
        })))
    });
}

#[test]
fn a_run_that_was_stopped_goes_on_where_it_was() {
    let mut fixture = one_trial(4);
    stop_at(&mut fixture, 2);
    let stopped = fixture.run().unwrap();
    assert_eq!((stopped.n_done, stopped.n_left), (0, 1));
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 turn 1: add(1)
    test/count#7~counting~0 turn 2: add(1)
    test/count#7~counting~0 put down
    run ended: 0 done, 1 left
    ");
    let resumed = fixture.run().unwrap();
    assert_eq!((resumed.n_done, resumed.n_continued, resumed.n_turns_recovered), (1, 1, 3));
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 2, 3 turns recovered
    test/count#7~counting~0 turn 3: add(1)
    test/count#7~counting~0 turn 4: done
    test/count#7~counting~0 ended in attempt 2: done, score 1, 5 steps
    run ended: 1 done, 0 left
    ");
    assert_eq!(fixture.n_asked(), (5, 5), "no turn was asked about twice");
    let outcome = fixture.outcomes().remove(0);
    let whole = fixture.dir().trajectory(&outcome.outcome.place.parse().unwrap()).unwrap();
    assert_eq!((whole.n_turns(), outcome.outcome.spent.steps), (5, 5));
}

#[test]
fn a_reply_that_ended_nothing_ends_nothing_when_it_is_recalled() {
    let mut fixture = one_trial(2);
    let (stop, n_actions) = (Arc::clone(&fixture.stop), AtomicU32::new(0));
    let world = Counter::with_mishap(move |_, _| {
        stop.fetch_or(n_actions.fetch_add(1, Ordering::SeqCst) == 0, Ordering::SeqCst);
        Ok(())
    });
    fixture.cast = fixture
        .cast
        .with_world(Arc::new(world))
        .with_agent("counting", |_| Ok(Box::new(Fixed::saying(["('answer', {\"total\": 2})", "('add', 2)"]))));
    fixture.run().unwrap();
    fixture.run().unwrap();
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 turn 0: unread
    test/count#7~counting~0 turn 1: add(2)
    test/count#7~counting~0 put down
    run ended: 0 done, 1 left
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 2, 2 turns recovered
    test/count#7~counting~0 turn 2: done
    test/count#7~counting~0 ended in attempt 2: done, score 1, 3 steps
    run ended: 1 done, 0 left
    ");
}

#[test]
fn where_worlds_differ_from_day_to_day_a_stopped_trial_starts_over() {
    let mut fixture = one_trial(4);
    fixture.cast = fixture.cast.with_world(Arc::new(Counter { deterministic: false, ..Counter::default() }));
    stop_at(&mut fixture, 2);
    fixture.run().unwrap();
    let resumed = fixture.run().unwrap();
    assert_eq!((resumed.n_done, resumed.n_continued, resumed.n_started_over, resumed.n_turns_lost), (1, 0, 1, 3));
    assert_eq!(fixture.n_asked(), (8, 5));
}

#[test]
fn a_world_that_does_not_look_as_recorded_starts_the_trial_over() {
    let mut fixture = one_trial(4);
    stop_at(&mut fixture, 2);
    fixture.run().unwrap();
    fixture.events_text();
    fixture.cast = fixture.cast.with_world(Arc::new(Counter { begins_at: 1, ..Counter::default() }));
    let resumed = fixture.run().unwrap();
    assert_eq!((resumed.n_started_over, resumed.n_turns_lost, resumed.n_continued), (1, 3, 0));
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 2, 3 turns recovered
    test/count#7~counting~0 attempt 2 faulted: world fault: turn 0 does not look as it was recorded
    test/count#7~counting~0 began, attempt 3, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 turn 1: add(1)
    test/count#7~counting~0 turn 2: add(1)
    test/count#7~counting~0 turn 3: add(1)
    test/count#7~counting~0 turn 4: done
    test/count#7~counting~0 ended in attempt 3: done, score 0, 5 steps
    run ended: 1 done, 0 left
    ");
}

#[test]
fn outcomes_that_the_engine_lost_are_found_on_disk() {
    let fixture = Fixture::new(vec![counter_task("count", 1, 5)], &[1, 2, 3, 4, 5, 6], 1);
    fixture.run().unwrap();
    let (before, asked) = (fixture.outcomes(), fixture.n_asked());
    for file in ["engine.sqlite", "engine.sqlite-wal", "engine.sqlite-shm"] {
        let path = fixture.path().join(file);
        if path.exists() {
            std::fs::remove_file(path).unwrap();
        }
    }
    assert_eq!(fixture.run().unwrap().n_done, 6);
    assert_eq!(fixture.outcomes(), before);
    assert_eq!(fixture.n_asked(), asked, "nothing was played again");
}

struct HandClock(AtomicI64);

impl WallClock for HandClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

#[test]
fn a_trial_that_keeps_killing_its_holders_ends_as_a_fault() {
    let mut fixture = one_trial(1);
    fixture.options.max_lost = 2;
    let clock = Arc::new(HandClock(AtomicI64::new(0)));
    let engine =
        SqliteEngine::open_with(&fixture.engine_path(), Duration::from_mins(1), Arc::<HandClock>::clone(&clock));
    let engine = engine.unwrap();
    let id = fixture.dir().plan().unwrap()[0].trial.to_string();
    let unit = Unit { run: "test".to_owned(), id, class: "counter".to_owned(), n_before: 0 };
    block_on(engine.enqueue(&[unit])).unwrap();
    for _ in 0..3 {
        let order = LeaseOrder { classes: vec!["counter".to_owned()], max: 1, wait: Duration::ZERO };
        assert_eq!(block_on(engine.lease(&order)).unwrap().len(), 1);
        clock.0.fetch_add(100_000, Ordering::SeqCst);
    }
    fixture.with_job(|job| run(job, &engine)).unwrap();
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 4, 0 turns recovered
    test/count#7~counting~0 ended in attempt 4: harness fault, score 0, 0 steps (whoever played it died or fell silent, 3 times)
    run ended: 1 done, 0 left
    ");
}

#[test]
fn a_task_that_changed_is_refused() {
    let mut fixture = one_trial(1);
    fixture.tasks = vec![counter_task("count", 2, 2)];
    let error = fixture.run().unwrap_err();
    assert!(matches!(error, RunError::TaskChanged(_)));
    assert_snapshot!(error, @"
    task `test/count` has changed since the run was planned
    hint: plan a new run, or bring the task back as it was
    ");
    fixture.tasks.clear();
    assert_snapshot!(fixture.run().unwrap_err(), @"the run needs task `test/count`, which is not there");
}
