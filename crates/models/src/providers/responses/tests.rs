//! The Responses format against recorded shapes.

use proptest::prelude::*;
use quintain_core::action::Dialect;
use quintain_core::agent::Effort;
use serde_json::Value;

use super::{ResponsesCodec, reasoner};
use crate::model::{Piece, Request, Tool};
use crate::providers::codec::{Codec, ConversationLink, sample};

const COMPUTER_CALL: &str = include_str!("../../../tests/fixtures/providers/responses/computer_call.sse");
const FUNCTION_CALL: &str = include_str!("../../../tests/fixtures/providers/responses/function_call.sse");
const INCOMPLETE: &str = include_str!("../../../tests/fixtures/providers/responses/incomplete.sse");
const FAILED: &str = include_str!("../../../tests/fixtures/providers/responses/failed.sse");
const REQUEST: &str = include_str!("../../../tests/fixtures/providers/responses/request.json");
const LINKED_REQUEST: &str = include_str!("../../../tests/fixtures/providers/responses/linked_request.json");
const FUNCTION_REQUEST: &str = include_str!("../../../tests/fixtures/providers/responses/function_request.json");

fn tools() -> Vec<Tool> {
    vec![Tool::Computer { size: (1280, 720) }, sample::function()]
}

fn body(model: &str, request: &Request, link: Option<&ConversationLink>) -> Value {
    ResponsesCodec.wire(&sample::card(&format!("openai/{model}"), Some(Dialect::OpenAi)), request, link).body
}

#[test]
fn a_stream_becomes_a_message() {
    let decoded = sample::decode(&ResponsesCodec, &tools(), COMPUTER_CALL);
    insta::assert_snapshot!(sample::show(&decoded), @r#"
    thought "The button is in the middle." {"encrypted_content":"c2VhbGVk","summary":[{"text":"The button is in the middle.","type":"summary_text"}],"type":"reasoning"}
    thought "Safety check irrelevant_domain: The page is not one of those named." null
    call call_01 computer {"actions":[{"button":"left","type":"click","x":640,"y":360},{"text":"hello","type":"type"}]}
      native {"actions":[{"button":"left","type":"click","x":640,"y":360},{"text":"hello","type":"type"}]}
      opaque {"actions":[{"button":"left","type":"click","x":640,"y":360},{"text":"hello","type":"type"}],"call_id":"call_01","id":"cu_01","pending_safety_checks":[{"code":"irrelevant_domain","id":"sc_01","message":"The page is not one of those named."}],"status":"completed","type":"computer_call"}
    Called Some(UsedTokens { input: 2100, output: 96, cached: 1536, cache_written: 0 }) Some("resp_01")
    "#);
    insta::assert_snapshot!(sample::acts(Dialect::OpenAi, &decoded.unwrap()), @r#"{"do":"sequence","actions":[{"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]},{"do":"type","text":"hello"}]}"#);
    insta::assert_snapshot!(sample::show(&sample::decode(&ResponsesCodec, &tools(), FUNCTION_CALL)), @r#"
    text "I know it."
    call call_02 answer {"answer":"42"}
      native -
      opaque null
    Called Some(UsedTokens { input: 900, output: 20, cached: 0, cache_written: 0 }) Some("resp_02")
    "#);
    insta::assert_snapshot!(sample::show(&sample::decode(&ResponsesCodec, &tools(), INCOMPLETE)), @r#"Length Some(UsedTokens { input: 900, output: 4096, cached: 0, cache_written: 0 }) Some("resp_03")"#);
}

#[test]
fn a_conversation_becomes_a_body() {
    let answer = sample::decode(&ResponsesCodec, &tools(), COMPUTER_CALL).unwrap().message;
    let request = sample::next(sample::opening(tools()), answer);
    sample::assert_body(&body("gpt-5.4", &request, None), REQUEST);
    let link = ConversationLink { response_id: "resp_01".to_owned(), n_messages: 2 };
    sample::assert_body(&body("gpt-5.4", &request, Some(&link)), LINKED_REQUEST);
    let answer = sample::decode(&ResponsesCodec, &tools(), FUNCTION_CALL).unwrap().message;
    let request = sample::next(sample::opening(vec![sample::function()]), answer);
    sample::assert_body(&body("gpt-4.1", &Request { effort: None, ..request }, None), FUNCTION_REQUEST);
}

#[test]
fn a_screen_beside_the_outcome_is_the_outcome_and_one_that_is_gone_leaves_a_stand_in() {
    let answer = sample::decode(&ResponsesCodec, &tools(), COMPUTER_CALL).unwrap().message;
    let mut request = sample::next(sample::opening(tools()), answer);
    let [Piece::Outcome { pieces, .. }, ..] = &mut request.messages[2].pieces[..] else { panic!("an outcome first") };
    pieces.pop();
    let gone = body("gpt-5.4", &request, None);
    request.messages[2].pieces.push(Piece::Picture(sample::picture("beside")));
    let beside = body("gpt-5.4", &request, None);
    let sizes = [gone, beside].map(|body| {
        let input = body["input"].as_array().unwrap().clone();
        let [.., output, message] = &input[..] else { panic!("an output, then a message") };
        (output["output"]["image_url"].as_str().unwrap().len(), message["content"].as_array().unwrap().len())
    });
    assert_eq!(sizes, [(super::request::NO_SCREEN.len(), 2), ("data:image/png;base64,YmVzaWRl".len(), 2)]);
}

#[test]
fn what_is_cut_or_refused_is_no_answer() {
    sample::assert_cuts_are_seen(&ResponsesCodec, COMPUTER_CALL);
    let failed = |stream: &str| sample::show(&sample::decode(&ResponsesCodec, &[], stream));
    let overflow = FAILED.replace("server_error", "context_length_exceeded");
    let error =
        "event: error\ndata: {\"type\":\"error\",\"code\":\"rate_limit_exceeded\",\"message\":\"Slow down.\"}\n\n";
    insta::assert_snapshot!([failed(FAILED), failed(&overflow), failed(error)].join("\n"), @r#"
    Refused(Overloaded("500 server_error: The model could not go on."))
    Refused(Overflow)
    Refused(RateLimited("429 rate_limit_exceeded: Slow down."))
    "#);
}

#[test]
fn the_preview_model_gets_the_older_tool_and_its_one_action_is_read() {
    let body = body("computer-use-preview", &sample::opening(tools()), None);
    insta::assert_snapshot!(format!("{} {}", body["tools"][0], body["truncation"]), @r#"{"display_height":720,"display_width":1280,"environment":"browser","type":"computer_use_preview"} "auto""#);
    let older = COMPUTER_CALL.replace(
        r#""actions":[{"type":"click","button":"left","x":640,"y":360},{"type":"type","text":"hello"}]"#,
        r#""action":{"type":"double_click","x":640,"y":360}"#,
    );
    let decoded = sample::decode(&ResponsesCodec, &tools(), &older).unwrap();
    insta::assert_snapshot!(sample::acts(Dialect::OpenAi, &decoded), @r#"{"do":"double_click","at":{"x":640.0,"y":360.0},"button":"left"}"#);
}

#[test]
fn names_tell_who_reasons_and_what_the_least_effort_is_called() {
    let names = ["o3", "gpt-4.1", "gpt-5", "gpt-5-mini", "gpt-5-chat-latest", "gpt-5.4", "openai/gpt-6-sol", "qwen3"];
    let lines = names.map(|name| format!("{name}: {} {}", reasoner::is(name), reasoner::effort(name, Effort::None)));
    insta::assert_snapshot!(lines.join("\n"), @"
    o3: true low
    gpt-4.1: false none
    gpt-5: true minimal
    gpt-5-mini: true minimal
    gpt-5-chat-latest: false minimal
    gpt-5.4: true none
    openai/gpt-6-sol: true none
    qwen3: false none
    ");
}

proptest! {
    #[test]
    fn no_event_is_too_strange(events in sample::strange_events(COMPUTER_CALL)) {
        sample::survive(&ResponsesCodec, &events);
    }
}
