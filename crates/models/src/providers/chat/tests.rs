//! The Chat Completions format against recorded shapes.

use proptest::prelude::*;
use quintain_core::agent::Effort;
use serde_json::Value;

use super::ChatCodec;
use crate::model::{Request, Tool};
use crate::providers::codec::{Codec, sample};

const FUNCTION_CALL: &str = include_str!("../../../tests/fixtures/providers/chat/function_call.sse");
const ROUTER: &str = include_str!("../../../tests/fixtures/providers/chat/router.sse");
const REQUEST: &str = include_str!("../../../tests/fixtures/providers/chat/request.json");

fn tools() -> Vec<Tool> {
    vec![sample::function()]
}

fn body(model: &str, request: &Request) -> Value {
    ChatCodec.wire(&sample::card(&format!("chat/{model}"), None), request, None).body.told()
}

fn decoded(stream: &str) -> String {
    sample::show(&sample::decode(&ChatCodec, &tools(), stream))
}

#[test]
fn a_stream_becomes_a_message() {
    insta::assert_snapshot!(decoded(FUNCTION_CALL), @r#"
    thought "The answer is on the screen." {"reasoning_content":"The answer is on the screen."}
    text "I know it."
    call call_a1 answer {"answer":"42"}
      native -
      opaque null
    Called Some(UsedTokens { input: 1500, output: 44, cached: 1024, cache_written: 0 }) None
    "#);
}

#[test]
fn servers_that_differ_are_understood() {
    insta::assert_snapshot!(decoded(ROUTER), @r#"
    thought "Look first." {"reasoning":"Look first.","reasoning_details":[{"format":"unknown","index":0,"text":"Look first.","type":"reasoning.text"}]}
    call call_b1 answer {"answer":"1"}
      native -
      opaque null
    call call_b2 answer {"answer":"2"}
      native -
      opaque null
    Called Some(UsedTokens { input: 700, output: 30, cached: 0, cache_written: 0 }) None
    "#);
    let chunk = |delta: &str, reason: &str| {
        format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{delta},\"finish_reason\":{reason}}}]}}\n\n")
    };
    let thinking = chunk(r#"{"content":"<think>Hm.</think>\n\nYes."}"#, "\"stop\"") + "data: [DONE]\n\n";
    insta::assert_snapshot!(decoded(&thinking), @r#"
    thought "Hm." null
    text "Yes."
    Finished None None
    "#);
    let parts = chunk(r#"{"content":[{"type":"text","text":"in "},{"type":"text","text":"parts"}]}"#, "\"length\"");
    insta::assert_snapshot!(decoded(&(parts + "data: [DONE]\n\n")), @r#"
    text "in parts"
    Length None None
    "#);
    let refusal = chunk(r#"{"content":null,"refusal":"I cannot help with that."}"#, "\"stop\"");
    insta::assert_snapshot!(decoded(&(refusal + "data: [DONE]\n\n")), @r#"
    text "I cannot help with that."
    Refused None None
    "#);
    let nameless =
        chunk(r#"{"tool_calls":[{"function":{"name":"answer","arguments":{"answer":"3"}}}]}"#, "\"tool_calls\"");
    insta::assert_snapshot!(decoded(&(nameless + "data: [DONE]\n\n")), @r#"
    call call_0 answer {"answer":"3"}
      native -
      opaque null
    Called None None
    "#);
}

#[test]
fn a_conversation_becomes_a_body() {
    let answer = sample::decode(&ChatCodec, &tools(), FUNCTION_CALL).unwrap().message;
    let request = sample::next(sample::opening(tools()), answer);
    sample::assert_body(&body("qwen3-vl", &request), REQUEST);
}

#[test]
fn reasoners_are_known_wherever_they_are() {
    let request = Request { effort: Some(Effort::Low), ..sample::opening(tools()) };
    let names = ["gpt-5.4", "us.openai.gpt-5.6-sol", "team-gpt-5.4", "gpt-4.1", "qwen3-vl"];
    let lines = names.map(|name| {
        let body = body(name, &request);
        format!("{name}: {} {} {}", body["max_completion_tokens"], body["max_tokens"], body["reasoning_effort"])
    });
    insta::assert_snapshot!(lines.join("\n"), @r#"
    gpt-5.4: 4096 null "low"
    us.openai.gpt-5.6-sol: 4096 null "low"
    team-gpt-5.4: 4096 null "low"
    gpt-4.1: null 4096 null
    qwen3-vl: null 4096 "low"
    "#);
}

#[test]
fn reasoning_goes_back_under_the_name_it_came_with() {
    let answer = sample::decode(&ChatCodec, &tools(), ROUTER).unwrap().message;
    let request = sample::next(sample::opening(tools()), answer);
    let body = body("some/model", &request);
    let names: Vec<&String> = body["messages"][2].as_object().unwrap().keys().collect();
    assert_eq!(body["model"], "some/model");
    insta::assert_snapshot!(format!("{names:?}"), @r#"["content", "reasoning", "reasoning_details", "role", "tool_calls"]"#);
}

#[test]
fn what_is_cut_or_refused_is_no_answer() {
    sample::assert_cuts_are_seen(&ChatCodec, FUNCTION_CALL);
    let lines = [
        decoded("data: {\"error\":{\"code\":502,\"message\":\"Provider disconnected\"},\"choices\":[]}\n\n"),
        decoded("data: {\"error\":{\"code\":429,\"message\":\"Slow down\"}}\n\n"),
        decoded("data: {\"choices\": [\n\n"),
        decoded("data: [DONE]\n\n"),
    ];
    insta::assert_snapshot!(lines.join("\n"), @r#"
    Refused(Overloaded("502: Provider disconnected"))
    Refused(RateLimited("429: Slow down"))
    Malformed("an event is no JSON: EOF while parsing a list at line 1 column 13")
    Malformed("it does not say why it stopped")
    "#);
}

proptest! {
    #[test]
    fn no_event_is_too_strange(events in sample::strange_events(FUNCTION_CALL)) {
        sample::survive(&ChatCodec, &events);
    }
}
