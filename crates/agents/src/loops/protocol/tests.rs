use quintain_core::action::Dialect;
use quintain_models::model::Points;
use serde_json::json;

use super::*;
use crate::loops::test_model::{briefing, calls, native, says};

fn sight() -> Sight {
    Sight { computer: Some(Dialect::Anthropic), points: Points::Pixels, shown: Some((40, 20)) }
}

/// What is heard, and what is told of it.
fn heard(message: &Message, form: ActionForm) -> String {
    let surface = briefing().surface;
    let ReadMessage { reply, fault, .. } = hear(message, form, &surface, &sight());
    let read = reply.read(&surface).map_or_else(|misread| format!("? {misread}"), |action| action.to_string());
    match fault {
        None => read,
        Some(MessageFault { kind, why }) => format!("{kind:?} {}; as it is: {read}", why.unwrap_or_default()),
    }
}

fn both(a: Message, b: Message) -> Message {
    Message { role: MessageRole::Assistant, pieces: a.pieces.into_iter().chain(b.pieces).collect() }
}

#[test]
fn one_call_is_an_action_and_all_else_a_slip() {
    let click = |id| calls(id, "click", json!({"x": 1, "y": 2}));
    let messages = [
        click("a"),
        native("a", &json!({"action": "left_click", "coordinate": [1, 2]})),
        calls("a", "done", json!({})),
        calls("a", "clik", json!({"x": 1, "y": 2})),
        calls("a", "click", json!({"x": "left"})),
        native("a", &json!({"action": "left_clik"})),
        both(click("a"), calls("b", "done", json!({}))),
        both(native("a", &json!({"action": "wait", "duration": 1})), calls("b", "done", json!({}))),
        both(native("a", &json!({"action": "wait", "duration": 1})), native("b", &json!({"action": "screenshot"}))),
        says("I am done."),
        says("My plan:\n1. Click the button\n2. Type the name"),
        says(" \n"),
    ];
    insta::assert_snapshot!(messages.map(|message| heard(&message, ActionForm::Calls)).join("\n"), @r#"
    {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]}
    {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]}
    done
    Malformed there is no action `clik`; did you mean `click`?; as it is: ? there is no action `clik`; did you mean `click`?
    Malformed `x` of `click` must be a number, not "left"; as it is: ? `x` of `click` must be a number, not "left"
    Malformed there is no action `left_clik`; did you mean `left_click`?; as it is: ? there is no action `left_clik`; did you mean `left_click`?
    Several ; as it is: ? several actions found: answer with exactly one
    Several ; as it is: ? several actions found: answer with exactly one
    Several ; as it is: ? several actions found: answer with exactly one
    Prose ; as it is: ? no action found: answer with exactly one action in the published form
    Plan ; as it is: ? no action found: answer with exactly one action in the published form
    Empty ; as it is: ? no action found: answer with exactly one action in the published form
    "#);
}

#[test]
fn one_action_in_words_is_an_action_and_all_else_a_slip() {
    let words = [
        "Thought: there it is.\nAction: click(1, 2)",
        "click(1, 2)\nclick(3, 4)",
        "I would click the button.",
        "Step 1: open the menu\nStep 2: choose Save",
        "click(1)",
        "I am done: stop() or not?",
        "",
    ];
    insta::assert_snapshot!(words.map(|words| heard(&says(words), ActionForm::Words)).join("\n"), @r#"
    {"do":"click","at":{"x":1.0,"y":2.0},"button":"left","held":[]}
    Several ; as it is: ? several actions found: answer with exactly one
    Prose ; as it is: ? no action found: answer with exactly one action in the published form
    Plan ; as it is: ? no action found: answer with exactly one action in the published form
    Malformed `y` of `click` must be a number, not nothing; as it is: ? `y` of `click` must be a number, not nothing
    Malformed to end the trial, write the ending action alone on its own line; as it is: ? to end the trial, write the ending action alone on its own line
    Empty ; as it is: ? no action found: answer with exactly one action in the published form
    "#);
}

#[test]
fn every_call_hears_that_it_was_not_carried_out() {
    let screen = EncodedImage::new(Vec::new(), (40, 20));
    let message = both(native("a", &json!({"action": "wait"})), calls("b", "done", json!({})));
    let fault = MessageFault { kind: SlipKind::Several, why: None };
    insta::assert_debug_snapshot!(correction(&message, &fault, ActionForm::Calls, Some(&screen)), @r#"
    Message {
        role: User,
        pieces: [
            Outcome {
                id: "a",
                name: "computer",
                pieces: [
                    Picture(
                        Image(40x20 af1349b9f5f9),
                    ),
                ],
                is_error: true,
            },
            Outcome {
                id: "b",
                name: "done",
                pieces: [
                    Text {
                        text: "Not carried out.",
                    },
                ],
                is_error: true,
            },
            Text {
                text: "Your reply holds several actions; none of them was carried out. Call exactly one tool now; if the task is over, use the ending.",
            },
        ],
    }
    "#);
    assert_eq!(slip(&message, &fault).said.lines().count(), 3);
}
