//! What breaks around the trials: agents that leave, judges that panic, listeners that panic.

use std::sync::Arc;
use std::time::Duration;

use insta::assert_snapshot;
use quintain_core::check::BrokenJudge;
use quintain_core::judge::{EndedTrial, Judgement};
use quintain_core::task::MilestoneSpec;
use quintain_core::{
    Agent, AgentError, Briefing, Event, Judge, Reference, Reply, StartChoice, Stretch, Task, Turn, VerifierCase,
    VerifierRunner,
};
use quintain_runner::{Grid, Job, RunError, plan, rescore, run_here};
use quintain_store::Selection;
use quintain_testkit::counter_task;
use serde_json::Value;

use crate::fixture::Fixture;

fn one_trial(target: u32) -> Fixture {
    Fixture::new(vec![counter_task("count", target, target)], &[7], 1)
}

/// Adds once and then leaves, as a person who closes the terminal does.
struct Leaving;

impl Agent for Leaving {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        if turn.step_idx == 0 { Ok(Reply::text("('add', 1)")) } else { Err(AgentError::Interrupted) }
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}

#[test]
fn an_agent_that_leaves_ends_the_run_and_can_come_back() {
    let mut fixture = one_trial(3);
    let counting = fixture.cast.clone();
    fixture.cast = fixture.cast.with_agent("counting", |_| Ok(Box::new(Leaving)));
    let left = fixture.run().unwrap();
    assert_eq!((left.n_done, left.n_left), (0, 1));
    fixture.cast = counting;
    fixture.run().unwrap();
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 put down
    run ended: 0 done, 1 left
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 2, 1 turns recovered
    test/count#7~counting~0 turn 1: add(1)
    test/count#7~counting~0 turn 2: add(1)
    test/count#7~counting~0 turn 3: done
    test/count#7~counting~0 ended in attempt 2: done, score 1, 4 steps
    run ended: 1 done, 0 left
    ");
}

/// Runs with a listener that panics at the events that are picked.
fn run_with_panics_at(fixture: &Fixture, picked: impl Fn(&Event) -> bool + Sync) -> RunError {
    let emit = |event: Event| assert!(!picked(&event), "no paper left");
    fixture.with_job(|job| run_here(&Job { emit: &emit, ..*job })).unwrap_err()
}

#[test]
fn a_listener_that_panics_breaks_the_run_off_and_nothing_is_lost() {
    let mut fixture = Fixture::new(vec![counter_task("count", 1, 5)], &(0..20).collect::<Vec<_>>(), 1);
    fixture.options.n_workers = 3;
    let in_worker = run_with_panics_at(&fixture, |event| matches!(event, Event::TrialBegan { .. }));
    assert_snapshot!(in_worker, @"the run broke off: panicked: no paper left");
    fixture.stop.store(false, std::sync::atomic::Ordering::SeqCst);
    let in_turn = run_with_panics_at(&fixture, |event| matches!(event, Event::TurnTaken { .. }));
    assert_snapshot!(in_turn, @"the record could not be written: whoever was told of a turn panicked: no paper left");
    fixture.stop.store(false, std::sync::atomic::Ordering::SeqCst);
    let in_clerk = run_with_panics_at(&fixture, |event| matches!(event, Event::TrialEnded { .. }));
    assert_snapshot!(in_clerk, @"the run broke off: panicked: no paper left");
    let summary = fixture.run().unwrap();
    assert_eq!((summary.n_done, summary.n_left, summary.n_faulted), (20, 0, 0));
    let (n_times, n_turns) = fixture.n_asked();
    assert_eq!(n_times as usize, n_turns, "no turn was asked about twice");
}

struct Panicking;

impl Judge for Panicking {
    fn judge(&self, _ended: EndedTrial<'_>, _reference: &Reference) -> Result<Judgement, BrokenJudge> {
        panic!("the list is empty")
    }
}

impl VerifierRunner for Panicking {
    fn derive(&self, _case: VerifierCase<'_>) -> Result<Vec<(String, Value)>, String> {
        panic!("there is no ngspice")
    }
}

#[test]
fn a_judge_that_panics_is_a_judges_fault() {
    let mut fixture = one_trial(1);
    fixture.cast.judges = Arc::new(|_| Ok(Box::new(Panicking)));
    fixture.run().unwrap();
    assert_snapshot!(fixture.events_text(), @"
    run began: 0 of 1 done
    test/count#7~counting~0 began, attempt 1, 0 turns recovered
    test/count#7~counting~0 turn 0: add(1)
    test/count#7~counting~0 turn 1: done
    test/count#7~counting~0 ended in attempt 1: judge fault, score 0, 2 steps (check `all` cannot judge: panicked: the list is empty)
    run ended: 1 done, 0 left
    ");
}

#[test]
fn a_verifier_that_panics_is_a_judges_fault() {
    let mut fixture = one_trial(1);
    fixture.cast.verifiers = Arc::new(|_| Ok(Box::new(Panicking)));
    fixture.run().unwrap();
    let verdict = fixture.outcomes().remove(0).outcome.verdict;
    assert_snapshot!(format!("{}: {}", verdict.ending, verdict.fault.unwrap()), @"judge fault: a verifier panicked: there is no ngspice");
}

#[test]
fn a_judge_that_panics_does_not_break_rescoring() {
    let mut fixture = one_trial(1);
    fixture.run().unwrap();
    fixture.cast.judges = Arc::new(|_| Ok(Box::new(Panicking)));
    let rescored = rescore(&fixture.dir(), &fixture.tasks, &fixture.cast).unwrap().remove(0);
    assert_snapshot!(format!("{} -> {}", rescored.old.ending, rescored.new.ending), @"done -> judge fault");
}

/// The counter's world says nothing of milestones, so that it refuses them.
#[test]
fn a_world_that_cannot_begin_after_a_milestone_refuses_the_plan() {
    let fixture = one_trial(1);
    let planned = |task: &Task, after: &[StartChoice]| {
        let selections = [Selection { task: task.clone(), preset: None, seed: None, stretch: None }];
        let agents = ["counting".to_owned()];
        let grid = Grid { selections: &selections, seeds: &[3], agents: &agents, repeats: 1, after };
        match plan(&grid, &fixture.cast) {
            Ok(plan) => plan.iter().map(|planned| planned.trial.to_string()).collect::<Vec<_>>().join(" "),
            Err(error) => format!("{error}: {:?}", std::error::Error::source(&error).map(ToString::to_string)),
        }
    };
    let mut task = fixture.tasks[0].clone();
    let (all, second) = ([StartChoice::All], [StartChoice::Of(Stretch::after(1))]);
    let bare = [planned(&task, &all), planned(&task, &second)];
    let check = task.spec.checks[0].clone();
    let milestone = |name: &str| MilestoneSpec {
        name: name.to_owned(),
        instruction: Some("Count.".to_owned()),
        told: None,
        checks: vec![check.clone()],
        needs: Vec::new(),
        weight: 1.0,
        gate: false,
        hold: None,
        start: None,
    };
    task.spec.milestones = vec![milestone("a"), milestone("b")];
    let divided = [planned(&task, &second), planned(&task, &all)];
    assert_snapshot!([bare, divided].concat().join("\n"), @r#"
    test/count#3~counting~0
    task `test/count` has no milestones to begin or to end after
    hint: `quintain show TASK` lists a task's milestones; `--after all` takes every start that there is: None
    `test/count#3+1` cannot be made: Some("setup fault: the world `counter` cannot begin or end after a milestone of `test/count`; leave out `+1`")
    `test/count#3+1` cannot be made: Some("setup fault: the world `counter` cannot begin or end after a milestone of `test/count`; leave out `+1`")
    "#);
}

#[test]
fn an_agent_listed_twice_is_refused() {
    let fixture = one_trial(1);
    let selections = [Selection { task: fixture.tasks[0].clone(), preset: None, seed: None, stretch: None }];
    let agents = ["counting", "other", "counting"].map(str::to_owned);
    let grid = Grid { selections: &selections, seeds: &[], agents: &agents, repeats: 1, after: &[] };
    assert_snapshot!(plan(&grid, &fixture.cast).unwrap_err(), @"
    agent `counting` is listed twice
    hint: to let it play each instance again, give --repeats
    ");
}
