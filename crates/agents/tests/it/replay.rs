//! Replays: the same again, and the first difference where it is not.

use quintain_agents::{Replay, Script};
use quintain_core::{Digest, ObservationPart, Reply, Trajectory};

use crate::maze::{Game, Outcome, SOLUTION};

fn recording() -> Trajectory {
    solved(&Game::new()).trajectory()
}

fn solved(game: &Game) -> Outcome {
    game.play(&mut Script::of_lines(&SOLUTION.join("\n")))
}

/// Replays, and tells the story and the first divergence.
fn replay(game: &Game, recording: Trajectory) -> String {
    let mut agent = Replay::new(recording);
    let report = agent.report();
    let story = game.play(&mut agent).story();
    let found = report.first_divergence().map_or("no divergence".to_owned(), |divergence| divergence.to_string());
    format!("{story}\n{found}")
}

#[test]
fn a_faithful_world_shows_no_divergence() {
    insta::assert_snapshot!(replay(&Game::new(), recording()), @"
    move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    no divergence
    ");
}

#[test]
fn what_is_left_of_the_limits_may_differ() {
    insta::assert_snapshot!(replay(&Game { n_steps: 20, ..Game::new() }, recording()), @"
    move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    no divergence
    ");
}

#[test]
fn a_changed_text_is_told_by_its_first_line() {
    insta::assert_snapshot!(replay(&Game { mood: '%', ..Game::new() }, recording()), @"
    move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    turn 2: `ascii` differs in line 3
    - ###.#.#
    + %##.#.#
    ");
}

#[test]
fn a_changed_picture_is_told_by_digests() {
    let mut changed = recording();
    for step in &mut changed.steps[3..5] {
        step.shown.pictures.insert(ObservationPart::Screen, Digest::of(b"another"));
    }
    insta::assert_snapshot!(replay(&Game::new(), changed), @"
    move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    turn 3: `screen` was cee450a24062, is 132bdea561f4
    ");
}

#[test]
fn a_part_that_is_no_longer_shown_is_a_divergence() {
    insta::assert_snapshot!(replay(&Game { show: [ObservationPart::Screen].into(), ..Game::new() }, recording()), @"
    move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    turn 0: `ascii` was shown, is not shown
    ");
}

#[test]
fn a_trial_longer_or_shorter_than_its_recording_is_a_divergence() {
    let mut cut = recording();
    cut.steps.truncate(2);
    insta::assert_snapshot!(replay(&Game::new(), cut), @"
    move(0) move(0) | harness fault, score 0: the recording ends after 2 turns
    turn 2: the recording ends here, the trial goes on
    ");

    let mut longer = recording();
    longer.steps.push(longer.steps[6].clone());
    insta::assert_snapshot!(replay(&Game::new(), longer), @"
    move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    turn 7: the trial ends here, the recording has 8 turns
    ");
}

#[test]
fn a_resumed_replay_compares_the_recalled_turns_too() {
    let mut changed = recording();
    changed.steps[1].shown.texts.insert(ObservationPart::Ascii, "elsewhere".to_owned());
    let past = recording().steps[..3].to_vec();
    insta::assert_snapshot!(replay(&Game { past, ..Game::new() }, changed), @"
    move(0) move(0) move(3) move(3) move(0) move(0) done | done, score 1
    turn 1: `ascii` differs in line 1
    - elsewhere
    + #######
    ");
}

#[test]
fn a_replay_says_thoughts_and_usage_again() {
    let mut recorded = recording();
    recorded.steps[0].reply = Reply { thought: Some("east".to_owned()), ..recorded.steps[0].reply.clone() };
    let replayed = Game::new().play(&mut Replay::new(recorded.clone()));
    assert_eq!(replayed.steps[0].reply, recorded.steps[0].reply);
}
