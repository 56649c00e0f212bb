//! How answers are written, and how later requests go on from them.

use super::*;

#[test]
fn an_answer_in_one_piece() {
    let mut whole = ResponsesWire::default().whole(&answer("resp_1", vec![click(), click(), done()]));
    assert!(whole["created_at"].take().as_u64().unwrap() > 1_700_000_000);
    insta::assert_snapshot!(serde_json::to_string_pretty(&whole).unwrap());
}

#[test]
fn an_answer_in_events() {
    let frames = ResponsesWire::default().stream(&answer("resp_1", vec![click(), done()]));
    let line = |frame: &StreamFrame| {
        let mut data: Value = serde_json::from_str(&frame.data).unwrap();
        assert_eq!(data["type"].take(), frame.event.unwrap());
        let what = ["delta", "text", "arguments", "part", "item"].iter().find_map(|name| data.get(name));
        let what = what.cloned().unwrap_or_else(|| data["response"]["status"].clone());
        format!("{} {} {what}", data["sequence_number"], frame.event.unwrap())
    };
    insta::assert_snapshot!(frames.iter().map(line).collect::<Vec<_>>().join("\n"), @r#"
    0 response.created "in_progress"
    1 response.in_progress "in_progress"
    2 response.output_item.added {"encrypted_content":"c2ltOmZiOGEyNmM0ODE5OGNhMTU=","id":"rs_resp_1","summary":[],"type":"reasoning"}
    3 response.reasoning_summary_part.added {"text":"","type":"summary_text"}
    4 response.reasoning_summary_text.delta "Where is it?"
    5 response.reasoning_summary_text.done "Where is it?"
    6 response.reasoning_summary_part.done {"text":"Where is it?","type":"summary_text"}
    7 response.output_item.done {"encrypted_content":"c2ltOmZiOGEyNmM0ODE5OGNhMTU=","id":"rs_resp_1","summary":[{"text":"Where is it?","type":"summary_text"}],"type":"reasoning"}
    8 response.output_item.added {"content":[],"id":"msg_resp_1","role":"assistant","status":"in_progress","type":"message"}
    9 response.content_part.added {"annotations":[],"logprobs":[],"text":"","type":"output_text"}
    10 response.output_text.delta "There is the"
    11 response.output_text.delta " button."
    12 response.output_text.done "There is the button."
    13 response.content_part.done {"annotations":[],"logprobs":[],"text":"There is the button.","type":"output_text"}
    14 response.output_item.done {"content":[{"annotations":[],"logprobs":[],"text":"There is the button.","type":"output_text"}],"id":"msg_resp_1","role":"assistant","status":"completed","type":"message"}
    15 response.output_item.added {"actions":[{"button":"left","type":"click","x":1,"y":2}],"call_id":"call_resp_1_0","id":"cu_resp_1_0","pending_safety_checks":[],"status":"in_progress","type":"computer_call"}
    16 response.output_item.done {"actions":[{"button":"left","type":"click","x":1,"y":2}],"call_id":"call_resp_1_0","id":"cu_resp_1_0","pending_safety_checks":[],"status":"completed","type":"computer_call"}
    17 response.output_item.added {"arguments":"","call_id":"call_resp_1_1","id":"fc_resp_1_1","name":"done","status":"in_progress","type":"function_call"}
    18 response.function_call_arguments.delta "{\"why\":\"it i"
    19 response.function_call_arguments.delta "s done\"}"
    20 response.function_call_arguments.done "{\"why\":\"it is done\"}"
    21 response.output_item.done {"arguments":"{\"why\":\"it is done\"}","call_id":"call_resp_1_1","id":"fc_resp_1_1","name":"done","status":"completed","type":"function_call"}
    22 response.completed "completed"
    "#);
}

#[test]
fn the_last_event_holds_the_answer_in_one_piece() {
    let (wire, answer) = (ResponsesWire::default(), answer("resp_1", vec![click()]));
    let last: Value = serde_json::from_str(&wire.stream(&answer).last().unwrap().data).unwrap();
    assert_eq!(last["response"]["output"], wire.whole(&answer)["output"]);
    assert_eq!(last["response"]["usage"]["input_tokens"], 90);
}

#[test]
fn a_request_goes_on_from_an_answer() {
    let wire = ResponsesWire::default();
    let first = read(&wire, &body(&json!([user("Turn 1.")]))).unwrap();
    let answer = answer("resp_1", vec![click()]);
    wire.remember(&first, &answer);
    let new = [screenshot("call_resp_1_0"), user("Turn 2.")];

    let mut linked = body(&json!(new));
    linked["previous_response_id"] = json!("resp_1");
    let asked = read(&wire, &linked).unwrap();
    insta::assert_snapshot!(lines(&asked), @r#"
    false Text("Turn 1.")
    false Picture((4, 3))
    true Thought
    true Text("There is the button.")
    true Call { id: "call_resp_1_0", name: "computer", input: Array [Object {"button": String("left"), "type": String("click"), "x": Number(1), "y": Number(2)}] }
    false Outcome { id: "call_resp_1_0" }
    false Picture((4, 3))
    false Text("Turn 2.")
    false Picture((4, 3))
    "#);

    // Saying everything again comes to the same.
    let everything = [&[user("Turn 1.")], items::items(&answer).as_slice(), &new].concat();
    assert_eq!(read(&wire, &body(&json!(everything))).unwrap().said, asked.said);
}

#[test]
fn a_use_of_the_computer_comes_with_the_thought_before_it() {
    let wire = ResponsesWire::default();
    let mut first = body(&json!([user("Turn 1.")]));
    first["store"] = json!(false);
    let answer = answer("resp_1", vec![click()]);
    wire.remember(&read(&wire, &first).unwrap(), &answer);
    let replayed = |spoil: &dyn Fn(&mut Vec<Value>)| {
        let mut said = [&[user("Turn 1.")], items::items(&answer).as_slice(), &[screenshot("call_resp_1_0")]].concat();
        spoil(&mut said);
        read(&wire, &body(&json!(said))).map_or_else(|wrong| wrong.message, |_| "taken".to_owned())
    };
    let tried = [
        replayed(&|_| {}),
        replayed(&|said| drop(said[1].as_object_mut().unwrap().remove("id"))),
        replayed(&|said| drop(said.remove(1))),
        replayed(&|said| drop(said.drain(2..))),
    ];
    insta::assert_snapshot!(tried.join("\n"), @"
    taken
    Item 'cu_resp_1_0' of type 'computer_call' was provided without its required 'reasoning' item: 'rs_resp_1'.
    Item 'cu_resp_1_0' of type 'computer_call' was provided without its required 'reasoning' item: 'rs_resp_1'.
    Item 'rs_resp_1' of type 'reasoning' was provided without its required following item.
    ");
}

#[test]
fn long_conversations_are_kept_once_and_can_be_gone_on_from_anywhere() {
    let wire = ResponsesWire::default();
    let mut asked = read(&wire, &body(&json!("Turn 1."))).unwrap();
    for turn in 1..5 {
        wire.remember(&asked, &answer(&format!("r{turn}"), vec![done()]));
        let output = json!({ "type": "function_call_output", "call_id": format!("call_r{turn}_0"), "output": "ok" });
        let mut next = body(&json!([output, user(&format!("Turn {}.", turn + 1))]));
        next["previous_response_id"] = json!(format!("r{turn}"));
        asked = read(&wire, &next).unwrap();
        assert_eq!((asked.turn().unwrap().0, asked.n_answers()), (turn + 1, turn as usize));
        // The same request once more, as after a stream that was cut.
        assert_eq!(read(&wire, &next).unwrap().said, asked.said);
    }
}

#[test]
fn what_was_not_to_be_kept_is_not_kept() {
    let wire = ResponsesWire::default();
    let mut first = body(&json!("Turn 1."));
    first["store"] = json!(false);
    wire.remember(&read(&wire, &first).unwrap(), &answer("resp_1", vec![]));
    let mut linked = body(&json!("Turn 2."));
    linked["previous_response_id"] = json!("resp_1");
    let wrong = read(&wire, &linked).unwrap_err();
    assert_eq!(wrong.message, "Previous response with id 'resp_1' not found.");
    assert_eq!(wire.error(400, &wrong.message)["error"]["code"], "previous_response_not_found");
    // An answer to the same words that may be kept is kept.
    wire.remember(&read(&wire, &body(&json!("Turn 1."))).unwrap(), &answer("resp_1", vec![]));
    assert!(read(&wire, &linked).is_ok());
}

#[test]
fn a_call_of_a_kept_answer_must_have_its_output() {
    let wire = ResponsesWire::default();
    wire.remember(&read(&wire, &body(&json!("Turn 1."))).unwrap(), &answer("r", vec![click(), done()]));
    let refused = |input: Value| {
        let mut linked = body(&input);
        linked["previous_response_id"] = json!("r");
        read(&wire, &linked).unwrap_err().message
    };
    let wrong = [
        refused(json!("Turn 2.")),
        refused(json!([screenshot("call_r_0")])),
        refused(json!([screenshot("call_r_1")])),
        refused(json!([screenshot("call_r_0"), screenshot("call_r_0")])),
    ];
    insta::assert_snapshot!(wrong.join("\n"), @r"
    No tool output found for computer call call_r_0.
    No tool output found for function call call_r_1.
    No tool call found for computer call output with call_id call_r_1.
    No tool call found for computer call output with call_id call_r_0.
    ");
}
