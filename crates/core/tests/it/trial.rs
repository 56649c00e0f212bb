//! The story of a trial, told in lines.

use crate::ladder::{Game, Memory, TASK, lines, steps, task};
use std::time::Duration;

use quintain_core::ending::{Ending, Exhausted};
use quintain_core::event::TrialEvent;
use quintain_core::observation::ObservationPart;
use quintain_core::trial::{Played, TrialResult};

/// Plays the lines and tells what happened.
fn story(text: &str) -> String {
    tell(&Game::new(), text)
}

fn tell(game: &Game, text: &str) -> String {
    let mut agent = lines(text);
    let (played, memory) = game.play(&mut agent, &[]);
    let mut told: Vec<String> = memory.events.iter().filter_map(line).collect();
    told.push(match played {
        Ok(Played::Ended(TrialResult { verdict, .. })) => format!(
            "{}: score {}, {}{}",
            verdict.ending,
            verdict.score.value(),
            if verdict.solved { "solved" } else { "not solved" },
            verdict.fault.map_or_else(String::new, |why| format!(" ({why})"))
        ),
        Ok(Played::Interrupted) => "interrupted".to_owned(),
        Err(error) => error.to_string(),
    });
    told.join("\n")
}

fn line(event: &TrialEvent) -> Option<String> {
    match event {
        TrialEvent::Turn { step_idx, feedback, shown, action, .. } => {
            let seen = shown.texts.get(&ObservationPart::Text).map_or("nothing", String::as_str);
            let action = action.as_ref().map_or("?".to_owned(), ToString::to_string);
            let after = feedback.as_ref().map_or(String::new(), |feedback| format!(" [{}]", feedback.text));
            Some(format!("{step_idx} {seen}{after} -> {action}"))
        }
        _ => None,
    }
}

#[test]
fn an_agent_that_climbs_and_stops_solves_it() {
    insta::assert_snapshot!(story("step(1); step(2); stop()"), @r"
    0 rung 0 -> step(1)
    1 rung 1 [climbed] -> step(2)
    2 rung 3 [climbed] -> done
    done: score 1, solved
    ");
}

#[test]
fn what_cannot_be_read_costs_a_step_and_ends_nothing() {
    insta::assert_snapshot!(story("I shall stop now.; step(-1); step(3); stop()"), @r"
    0 rung 0 -> ?
    1 rung 0 [no action found: answer with exactly one action in the published form] -> step(-1)
    2 rung 0 [there is no rung below] -> step(3)
    3 rung 3 [climbed] -> done
    done: score 1, solved
    ");
}

#[test]
fn the_score_is_kept_but_nothing_is_solved_when_the_steps_run_out() {
    insta::assert_snapshot!(story("step(3); x; x; x; x; x; stop()"), @r"
    0 rung 0 -> step(3)
    1 rung 3 [climbed] -> ?
    2 rung 3 [no action found: answer with exactly one action in the published form] -> ?
    3 rung 3 [no action found: answer with exactly one action in the published form] -> ?
    4 rung 3 [no action found: answer with exactly one action in the published form] -> ?
    5 rung 3 [no action found: answer with exactly one action in the published form] -> ?
    out of steps: score 1, not solved
    ");
}

#[test]
fn faults_are_told_apart_from_failures() {
    let endings =
        ["step(9)", "step(8)", "step(7)", "LATE", "CRASH", "give_up('no')", "answer({'a': 1}); stop()"].map(story);
    let last: Vec<&str> = endings.iter().map(|story| story.lines().last().unwrap()).collect();
    insta::assert_snapshot!(last.join("\n"), @r"
    world fault: score 0, not solved (the ladder fell over)
    out of resources: score 0, not solved (all the rungs)
    cheated: score 0, not solved
    out of time: score 0, not solved
    harness fault: score 0, not solved (the agent fell asleep)
    gave up: score 0, not solved
    done: score 0, not solved
    ");
}

#[test]
fn giving_up_is_right_where_nothing_can_be_done() {
    let mut game = Game::new();
    game.task = task(&format!("{TASK}\n[result]\ninfeasible = true\n"));
    assert_eq!(tell(&game, "give_up('no such rung')").lines().last(), Some("gave up: score 1, solved"));
    assert_eq!(tell(&game, "step(3); stop()").lines().last(), Some("done: score 0, not solved"));
}

#[test]
fn feedback_can_be_switched_off() {
    let mut game = Game::new();
    game.settings.show = [ObservationPart::Text].into();
    let mut agent = lines("step(-1); step(3); stop()");
    game.play(&mut agent, &[]).0.unwrap();
    assert_eq!(agent.shown, ["rung 0", "rung 0", "rung 3"]);
}

#[test]
fn milestones_are_judged_over_snapshots() {
    let (played, _) = Game::new().play(&mut lines("step(-1); step(2); step(-2); stop()"), &[]);
    let Ok(Played::Ended(TrialResult { verdict, .. })) = played else { panic!("it ends") };
    assert_eq!(verdict.milestones[0].after_steps, Some(2));
}

/// Cut anywhere and continued, a trial comes to the same verdict, asks for no reply twice and records no turn twice.
#[test]
fn a_cut_trial_goes_on_where_it_was() {
    let text = "hm; step(-1); step(1); step(2); stop()";
    let (whole, whole_record) = Game::new().play(&mut lines(text), &[]);
    let whole_steps = steps(&whole_record.events);
    for n_recorded in 0..whole_steps.len() {
        let mut agent = lines(text);
        let (played, record) = Game::new().play(&mut agent, &whole_steps[..n_recorded]);
        assert_eq!(played.as_ref().unwrap(), whole.as_ref().unwrap(), "cut after {n_recorded}");
        assert_eq!(agent.asked, whole_steps.len() - n_recorded);
        assert_eq!(steps(&record.events), whole_steps[n_recorded..]);
    }
}

#[test]
fn a_world_that_does_not_look_as_recorded_is_a_fault() {
    let (_, record) = Game::new().play(&mut lines("step(1); step(2); stop()"), &[]);
    let mut past = steps(&record.events);
    past[1].shown.texts.insert(ObservationPart::Text, "rung 7".to_owned());
    let (played, _) = Game::new().play(&mut lines("step(1); step(2); stop()"), &past);
    let Ok(Played::Ended(TrialResult { verdict, .. })) = played else { panic!("it ends") };
    assert_eq!(verdict.fault.unwrap(), "turn 1 does not look as it was recorded");
}

#[test]
fn an_interrupted_trial_is_put_down_between_turns() {
    let mut game = Game::new();
    game.interrupt_after = Some(2);
    assert!(tell(&game, "step(1); step(2); stop()").ends_with("[climbed] -> step(2)\ninterrupted"));
}

#[test]
fn a_record_that_cannot_be_written_ends_the_attempt() {
    let mut memory = Memory { room: Some(2), ..Memory::default() };
    let error = Game::new().play_into(&mut lines("step(1); stop()"), &[], &mut memory).unwrap_err();
    assert_eq!(error.to_string(), "the record could not be written: no space left");
}

/// Recorded turns were within the limit when they were taken: recalling them costs no time and no limit cuts it short.
#[test]
fn a_resumed_trial_has_the_time_it_had_left() {
    let text = "step(1); step(1); step(1); stop()";
    let mut game = Game::new();
    game.task = task(&TASK.replace("steps = 6", "steps = 6\nminutes = 1"));
    game.tick = Duration::from_secs(4);
    let (whole, record) = game.play(&mut lines(text), &[]);
    assert!(matches!(whole, Ok(Played::Ended(TrialResult { verdict, .. })) if verdict.solved));
    let recorded = steps(&record.events);
    game.tick = Duration::from_secs(50);
    let (played, _) = game.play(&mut lines(text), &recorded);
    assert!(matches!(played, Ok(Played::Ended(TrialResult { verdict, .. })) if verdict.solved));
    let (played, _) = game.play(&mut lines(text), &recorded[..1]);
    let Ok(Played::Ended(TrialResult { verdict, spent })) = played else { panic!("it ends") };
    assert_eq!(verdict.ending, Ending::Truncated(Exhausted::Time));
    assert!(spent.steps >= 1 && spent.elapsed_ms >= 50_000, "{spent:?}");
}

#[test]
fn an_earlier_fault_is_not_hidden_by_a_broken_judge() {
    let mut game = Game::new();
    game.task.spec.parameters.clear();
    let story = tell(&game, "CRASH");
    assert_eq!(story.lines().last(), Some("harness fault: score 0, not solved (the agent fell asleep)"));
}
