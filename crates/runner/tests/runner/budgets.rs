//! Budgets of whole runs: hard stops that keep what is done, and sessions that count together.

use std::time::{Duration, Instant};

use quintain_core::ending::Exhausted;
use quintain_core::limits::Budget;
use quintain_testkit::counter_task;

use crate::fixture::Fixture;

fn with_budget(fixture: &Fixture, budget: Budget) {
    fixture.dir().set_budget(budget).unwrap();
}

#[test]
fn a_run_stops_when_its_steps_are_used_up_and_goes_on_with_more() {
    let fixture = Fixture::new(vec![counter_task("count", 5, 5)], &[1, 2], 1);
    with_budget(&fixture, Budget { steps: Some(4), ..Budget::default() });
    let cut = fixture.run().unwrap();
    assert_eq!((cut.n_left, cut.exhausted, fixture.n_asked()), (2, Some(Exhausted::Steps), (4, 4)));
    let again = fixture.run().unwrap();
    assert_eq!((again.n_left, again.exhausted, fixture.n_asked()), (2, Some(Exhausted::Steps), (4, 4)));
    with_budget(&fixture, Budget { steps: Some(12), ..Budget::default() });
    let done = fixture.run().unwrap();
    assert_eq!((done.n_done, done.n_left, done.exhausted), (2, 0, None), "12 steps are just enough");
    assert_eq!(fixture.n_asked(), (12, 12), "no turn was asked for twice");
    assert!(fixture.outcomes().iter().all(|recorded| recorded.outcome.verdict.solved));
}

#[test]
fn steps_are_exceeded_by_no_more_than_the_turns_in_flight() {
    let mut fixture = Fixture::new(vec![counter_task("count", 40, 40)], &[1, 2, 3, 4, 5, 6, 7, 8], 1);
    fixture.options.n_workers = 4;
    with_budget(&fixture, Budget { steps: Some(50), ..Budget::default() });
    let cut = fixture.run().unwrap();
    assert_eq!(cut.exhausted, Some(Exhausted::Steps));
    assert!((50..54).contains(&fixture.n_asked().0), "{:?}", fixture.n_asked());
}

#[test]
fn minutes_of_earlier_sessions_count() {
    let fixture = Fixture::new(vec![counter_task("count", 3, 3)], &[1], 1);
    fixture.dir().note_session("earlier", Duration::from_mins(10)).unwrap();
    with_budget(&fixture, Budget { minutes: Some(10.0), ..Budget::default() });
    let cut = fixture.run().unwrap();
    assert_eq!((cut.n_left, cut.exhausted, fixture.n_asked().0), (1, Some(Exhausted::Time), 0));
    with_budget(&fixture, Budget { minutes: Some(11.0), ..Budget::default() });
    assert_eq!(fixture.run().unwrap().n_left, 0);
    assert!(fixture.dir().lasted().unwrap() > Duration::from_mins(10));
}

#[test]
fn a_run_stops_when_its_minutes_are_over() {
    // A busy host began no turn in 0.3 s; none plays half a million in three seconds.
    let fixture = Fixture::new(vec![counter_task("count", 400, 400)], &[1], 5000);
    with_budget(&fixture, Budget { minutes: Some(0.05), ..Budget::default() });
    let began = Instant::now();
    let cut = fixture.run().unwrap();
    assert_eq!((cut.n_done + cut.n_left, cut.exhausted), (5000, Some(Exhausted::Time)));
    assert!(fixture.n_asked().0 > 0, "it had time for some turns");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    assert!(fixture.dir().lasted().unwrap() >= Duration::from_secs(3));
}
