use std::fmt::Write as _;

use quintain_core::{Limits, Spent};
use serde_json::json;

use super::*;
use crate::loops::test_model::{calls, card, observation, says};

fn conversation(history: Option<u32>, n_pictures: usize) -> Conversation {
    Conversation::new(ObservationRenderer::new(&card()), history, n_pictures)
}

fn see(conversation: &mut Conversation, step_idx: u32) {
    let (observation, remaining) = (observation(step_idx), Limits::steps(30).left(&Spent::default()));
    conversation.see(&Turn { step_idx, observation: &observation, remaining }).unwrap();
}

/// One line a message.
fn told(messages: &[Message]) -> String {
    let mut text = String::new();
    for message in messages {
        let pieces: Vec<String> = message.pieces.iter().map(piece).collect();
        writeln!(text, "{:?}: {}", message.role, pieces.join(" | ")).unwrap();
    }
    text
}

fn piece(piece: &Piece) -> String {
    match piece {
        Piece::Text { text } => text.replace('\n', " / "),
        Piece::Picture(image) => format!("{}x{}", image.size().0, image.size().1),
        Piece::Call(call) => format!("{}{}", call.name, call.input),
        Piece::Outcome { id, pieces, .. } => {
            format!("{id} -> {}", pieces.iter().map(self::piece).collect::<Vec<_>>().join(", "))
        }
        Piece::Thought { text, .. } => text.clone(),
    }
}

#[test]
fn calls_are_answered_before_the_turn_is_shown() {
    let mut talk = conversation(None, 3);
    see(&mut talk, 0);
    talk.say(calls("a", "click", json!({"x": 1, "y": 2})));
    see(&mut talk, 1);
    insta::assert_snapshot!(told(&talk.messages()), @r#"
    User: Turn 1. / Remaining: 30 steps | 40x20
    Assistant: I think. | click{"x":1,"y":2}
    User: a -> came of turn 1 | Turn 2. / Remaining: 29 steps | 40x20
    "#);
}

#[test]
fn old_pictures_go_several_at_a_time() {
    let mut talk = conversation(None, 2);
    let mut n_shown = Vec::new();
    for step_idx in 0..7 {
        see(&mut talk, step_idx);
        n_shown.push(told(&talk.messages()).matches("40x20").count());
        talk.say(says("screenshot()"));
    }
    assert_eq!(n_shown, [1, 2, 3, 2, 3, 2, 3]);
}

#[test]
fn between_two_clearings_a_request_begins_as_the_one_before_it() {
    let mut talk = conversation(None, 3);
    let mut n_extended = 0;
    let mut before: Vec<Message> = Vec::new();
    for step_idx in 0..12 {
        see(&mut talk, step_idx);
        let now = talk.messages();
        n_extended += u32::from(now.starts_with(&before));
        before = now;
        talk.say(says("screenshot()"));
    }
    assert_eq!(n_extended, 9, "three of twelve requests had to begin differently");
}

#[test]
fn a_window_leaves_earlier_turns_out() {
    let mut talk = conversation(Some(1), 3);
    for step_idx in 0..3 {
        see(&mut talk, step_idx);
        talk.say(calls("a", "click", json!({"x": 1, "y": 2})));
    }
    see(&mut talk, 3);
    insta::assert_snapshot!(told(&talk.messages()), @r#"
    User: Earlier turns are left out. | came of turn 2 | Turn 3. / Remaining: 28 steps | 40x20
    Assistant: I think. | click{"x":1,"y":2}
    User: a -> came of turn 3 | Turn 4. / Remaining: 27 steps | 40x20
    "#);
}

#[test]
fn half_of_what_is_told_can_be_forgotten_until_one_turn_is_left() {
    let mut talk = conversation(None, 3);
    for step_idx in 0..5 {
        see(&mut talk, step_idx);
        talk.say(says("screenshot()"));
    }
    let mut n_told = vec![talk.messages().len()];
    while talk.forget_half() {
        n_told.push(talk.messages().len());
    }
    assert_eq!(n_told, [10, 6, 4, 2]);
}
