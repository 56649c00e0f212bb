//! Contexts that grow, and what becomes of them.

use std::fmt::Write as _;

use proptest::prelude::*;
use quintain_core::books::Purpose;
use quintain_models::model::{EncodedImage, Request, ToolCall};
use serde_json::json;

use super::*;

fn call(number: usize) -> Message {
    let call = ToolCall {
        id: format!("call-{number}"),
        name: "read".to_owned(),
        input: json!({"number": number}),
        native: None,
        opaque: None,
    };
    Message {
        role: MessageRole::Assistant,
        pieces: vec![Piece::text(format!("I read record {number}.")), Piece::Call(call)],
    }
}

fn outcome(number: usize, pieces: Vec<Piece>) -> Piece {
    Piece::Outcome { id: format!("call-{number}"), name: "read".to_owned(), pieces, is_error: false }
}

fn screen() -> Piece {
    Piece::Picture(EncodedImage::new(vec![1, 2, 3], (300, 250)))
}

fn record(number: usize, n_bytes: usize) -> Piece {
    Piece::text(format!("Turn {}.\nrecord {number}: {}", number + 2, "x".repeat(n_bytes)))
}

/// A conversation of rounds whose results have these sizes.
fn conversation(sizes: &[usize]) -> ModelContext {
    let mut context = ModelContext::new(vec![Piece::text("Read all records.")], 2);
    context.hear(vec![Piece::text("Turn 1."), screen()]);
    for (number, n_bytes) in sizes.iter().enumerate() {
        context.say(call(number));
        context.hear(vec![outcome(number, vec![record(number, *n_bytes), screen()])]);
    }
    context
}

fn request(context: &ModelContext) -> Request {
    Request {
        system: String::new(),
        messages: context.messages(),
        tools: Vec::new(),
        must_call: true,
        max_output: 100,
        effort: None,
        purpose: Purpose::Act,
        step_idx: 0,
    }
}

/// Every message in a line or two, long texts by their length.
fn told(context: &ModelContext) -> String {
    let mut told = String::new();
    for message in context.messages() {
        writeln!(told, "{:?}", message.role).unwrap();
        for piece in &message.pieces {
            writeln!(told, "  {}", tell(piece)).unwrap();
        }
    }
    told
}

fn tell(piece: &Piece) -> String {
    match piece {
        Piece::Text { text } if text.len() > 200 => format!("<{} bytes>", text.len()),
        Piece::Text { text } => text.replace('\n', " / "),
        Piece::Picture(image) => format!("{:?}", image.size()),
        Piece::Call(call) => format!("call {} {}", call.id, call.input),
        Piece::Outcome { id, pieces, .. } => {
            format!("outcome of {id}: {}", pieces.iter().map(tell).collect::<Vec<_>>().join(" + "))
        }
        Piece::Thought { text, .. } => text.clone(),
    }
}

#[test]
fn old_pictures_go_several_at_a_time() {
    let n_pictures = |sizes: &[usize]| told(&conversation(sizes)).matches("(300, 250)").count();
    let sizes = [10; 8];
    let counts: Vec<usize> = (0..8).map(|n| n_pictures(&sizes[..n])).collect();
    assert_eq!(counts, [1, 2, 3, 2, 3, 2, 3, 2]);
    insta::assert_snapshot!(told(&conversation(&[10, 10, 10])), @r#"
    User
      Read all records.
      Turn 1.
      [a picture of 300x250 pixels, no longer shown]
    Assistant
      I read record 0.
      call call-0 {"number":0}
    User
      outcome of call-0: Turn 2. / record 0: xxxxxxxxxx + [a picture of 300x250 pixels, no longer shown]
    Assistant
      I read record 1.
      call call-1 {"number":1}
    User
      outcome of call-1: Turn 3. / record 1: xxxxxxxxxx + (300, 250)
    Assistant
      I read record 2.
      call call-2 {"number":2}
    User
      outcome of call-2: Turn 4. / record 2: xxxxxxxxxx + (300, 250)
    "#);
}

#[test]
fn stale_results_make_way_for_a_line() {
    let mut context = conversation(&[400, 400, 400]);
    let clearing = context.clearing(TokenRoom { limit: 1_500 }).unwrap();
    context.apply(&clearing);
    assert_eq!(clearing, Compaction::Cleared { n_rounds: 2 });
    insta::assert_snapshot!(told(&context), @r#"
    User
      Read all records.
      Turn 1.
      [a picture of 300x250 pixels, no longer shown]
    Assistant
      I read record 0.
      call call-0 {"number":0}
    User
      outcome of call-0: [418 characters, no longer shown, that began: Turn 2. record 0:] + [a picture of 300x250 pixels, no longer shown]
    Assistant
      I read record 1.
      call call-1 {"number":1}
    User
      outcome of call-1: [418 characters, no longer shown, that began: Turn 3. record 1:] + [a picture of 300x250 pixels, no longer shown]
    Assistant
      I read record 2.
      call call-2 {"number":2}
    User
      outcome of call-2: <418 bytes> + (300, 250)
    "#);
    assert_eq!(context.clearing(TokenRoom { limit: 1_500 }), None, "nothing is cleared twice");
}

#[test]
fn older_rounds_are_summed_up() {
    let mut context = conversation(&[40, 40, 40]);
    let room = TokenRoom { limit: 1_200 };
    let segment = context.segment(room).unwrap();
    insta::assert_snapshot!(segment.transcript, @r#"
    Turn 1.
    [a picture of 300x250 pixels, no longer shown]

    You: I read record 0.
    read {"number":0}
    read: Turn 2.
    record 0: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    [a picture of 300x250 pixels, no longer shown]

    You: I read record 1.
    read {"number":1}
    read: Turn 3.
    record 1: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    [a picture of 300x250 pixels]
    "#);
    context.apply(&segment.summed_up("Two records are read.", room).unwrap());
    insta::assert_snapshot!(told(&context), @r#"
    User
      Read all records.
      What happened before, as you summed it up: / Two records are read.
    Assistant
      I read record 2.
      call call-2 {"number":2}
    User
      outcome of call-2: Turn 4. / record 2: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx + (300, 250)
    "#);
    let again = context.segment(TokenRoom { limit: 100 });
    assert_eq!(again, None, "the last round is never summed up");
}

#[test]
fn what_does_not_fit_goes_oldest_first() {
    let mut context = conversation(&[40, 40, 4_000]);
    let compactions = context.truncation(TokenRoom { limit: 800 }, 100);
    assert_eq!(compactions, [Compaction::Dropped { n_rounds: 2 }, Compaction::Shortened { n_bytes: 1272 }]);
    for compaction in &compactions {
        context.apply(compaction);
    }
    insta::assert_snapshot!(told(&context), @r#"
    User
      Read all records.
      [2 earlier exchanges no longer fitted and were left out here]
    Assistant
      I read record 2.
      call call-2 {"number":2}
    User
      outcome of call-2: <1271 bytes> + (300, 250)
    "#);
}

#[test]
fn estimates_are_corrected_upwards_only() {
    let mut gauge = TokenGauge::default();
    let mut room = |estimated, read| {
        gauge.told(estimated, read);
        gauge.room(TokenRoom { limit: 600 }).limit
    };
    assert_eq!(room(1_000, 1_500), 600, "said once, it is not believed");
    assert_eq!(room(1_000, 1_500), 400);
    assert_eq!(room(1_000, 3_000), 400, "one call that was repeated changes nothing");
    assert_eq!(room(1_000, 10), 600);
    assert_eq!(room(0, u64::MAX), 600);
    assert_eq!(room(0, u64::MAX), 150, "no provider is believed beyond reason");
}

fn compaction() -> impl Strategy<Value = Compaction> {
    prop_oneof![
        (0_usize..12).prop_map(|n_rounds| Compaction::Cleared { n_rounds }),
        (0_usize..12).prop_map(|n_rounds| Compaction::SummedUp { n_rounds, checkpoint: "so far so good".to_owned() }),
        (0_usize..12).prop_map(|n_rounds| Compaction::Dropped { n_rounds }),
        (64_usize..4_000).prop_map(|n_bytes| Compaction::Shortened { n_bytes }),
    ]
}

/// Whoever speaks takes turns, and every outcome is of a call in the message before it.
fn is_sound(messages: &[Message]) -> bool {
    let outcomes = |message: &Message| -> Vec<String> {
        let ids = message.pieces.iter().filter_map(|piece| match piece {
            Piece::Outcome { id, .. } => Some(id.clone()),
            _ => None,
        });
        ids.collect()
    };
    let calls = |message: &Message| -> Vec<String> { message.calls().map(|call| call.id.clone()).collect() };
    messages[0].role == MessageRole::User
        && outcomes(&messages[0]).is_empty()
        && messages.windows(2).all(|pair| {
            pair[0].role != pair[1].role
                && (pair[1].role == MessageRole::Assistant || outcomes(&pair[1]) == calls(&pair[0]))
        })
}

proptest! {
    #[test]
    fn no_call_is_parted_from_its_outcome(
        sizes in proptest::collection::vec(0_usize..3_000, 0..10),
        compactions in proptest::collection::vec(compaction(), 0..6),
    ) {
        let mut context = conversation(&sizes);
        for compaction in &compactions {
            context.apply(compaction);
            prop_assert!(is_sound(&context.messages()));
            prop_assert_eq!(context.tokens(), request_tokens(&request(&context)));
        }
    }

    #[test]
    fn truncation_makes_it_fit(
        sizes in proptest::collection::vec(0_usize..30_000, 1..30),
        limit in 1_200_u64..20_000,
        others in 0_u64..400,
    ) {
        let mut context = conversation(&sizes);
        let room = TokenRoom { limit };
        for compaction in context.truncation(room, others) {
            context.apply(&compaction);
        }
        prop_assert!(context.tokens() + others <= limit, "{} of {limit}", context.tokens());
        prop_assert!(is_sound(&context.messages()));
    }
}
