//! Judging again from the record.

use std::sync::Arc;

use crate::fixture::Fixture;
use quintain_runner::rescore::save;
use quintain_runner::{RunError, rescore};
use quintain_testkit::{Counter, TargetJudge, counter_task};

/// A run in which every trial ends one short of its target.
fn short_by_one() -> Fixture {
    let mut fixture = Fixture::new(vec![counter_task("count", 2, 9)], &(0..40).collect::<Vec<_>>(), 1);
    fixture.cast = fixture.cast.with_world(Arc::new(Counter { begins_at: -1, ..Counter::default() }));
    fixture.run().unwrap();
    fixture
}

#[test]
fn the_same_checks_give_the_same_verdicts() {
    let fixture = short_by_one();
    let rescored = rescore(&fixture.dir(), &fixture.tasks, &fixture.cast).unwrap();
    assert_eq!(rescored.len(), 40);
    assert!(rescored.iter().all(|rescored| !rescored.changed() && !rescored.new.solved));
    let text = |verdict| serde_json::to_string(verdict).unwrap();
    assert!(rescored.iter().all(|rescored| text(&rescored.old) == text(&rescored.new)), "to the last bit");
}

#[test]
fn other_checks_give_other_verdicts_and_no_world_is_run() {
    let mut fixture = short_by_one();
    fixture.cast.judges = Arc::new(|_| Ok(Box::new(TargetJudge { tolerance: 1 })));
    fixture.cast = fixture.cast.with_world(Arc::new(Counter::with_mishap(|_, _| panic!("a world was run"))));
    let asked = fixture.n_asked();
    let rescored = rescore(&fixture.dir(), &fixture.tasks, &fixture.cast).unwrap();
    assert!(rescored.iter().all(|rescored| rescored.changed() && rescored.new.solved));
    assert_eq!(fixture.n_asked(), asked);
    let path = save(&fixture.dir(), &rescored).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 40);
    assert_eq!(save(&fixture.dir(), &rescored).unwrap(), path, "the same verdicts are one file");
    assert!(fixture.outcomes().iter().all(|recorded| !recorded.outcome.verdict.solved), "the old verdicts stay");
}

#[test]
fn instances_that_changed_are_not_judged() {
    let mut fixture = short_by_one();
    fixture.tasks = vec![counter_task("count", 3, 9)];
    let error = rescore(&fixture.dir(), &fixture.tasks, &fixture.cast).unwrap_err();
    assert!(matches!(error, RunError::InstanceChanged { .. }), "{error}");
}
