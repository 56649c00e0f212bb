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
    ResponsesCodec.wire(&sample::card(&format!("openai/{model}"), Some(Dialect::OpenAi)), request, link).body.told()
}

#[test]
fn a_stream_becomes_a_message() {
    let decoded = sample::decode(&ResponsesCodec, &tools(), COMPUTER_CALL);
    insta::assert_snapshot!(sample::show(&decoded), @r#"
    thought "The button is in the middle." {"encrypted_content":"c2VhbGVk","id":"rs_01","summary":[{"text":"The button is in the middle.","type":"summary_text"}],"type":"reasoning"}
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
    insta::assert_snapshot!(sample::show(&sample::decode(&ResponsesCodec, &tools(), INCOMPLETE)), @r#"
    thought "" {"id":"rs_03","summary":[],"type":"reasoning"}
    Length Some(UsedTokens { input: 900, output: 4096, cached: 0, cache_written: 0 }) Some("resp_03")
    "#);
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
fn reasoning_before_a_use_of_the_computer_keeps_its_name_and_reasoning_before_nothing_goes() {
    let said = |stream: &str, keep: fn(&mut Vec<Piece>)| {
        let mut answer = sample::decode(&ResponsesCodec, &tools(), stream).unwrap().message;
        keep(&mut answer.pieces);
        let body = body("gpt-5.4", &sample::next(sample::opening(tools()), answer), None);
        let items = body["input"].as_array().unwrap().iter();
        let items = items.map(|item| format!("{} {}", item["type"].as_str().unwrap(), item["id"]));
        items.collect::<Vec<_>>().join(", ")
    };
    let words = |pieces: &mut Vec<Piece>| pieces.truncate(1);
    let talk = |pieces: &mut Vec<Piece>| {
        pieces.truncate(1);
        pieces.push(Piece::text("Well."));
    };
    let unsealed = COMPUTER_CALL.replace(r#","encrypted_content":"c2VhbGVk""#, "");
    assert_ne!(unsealed, COMPUTER_CALL);
    let tried = [
        said(COMPUTER_CALL, |_| {}),
        said(COMPUTER_CALL, words),
        said(COMPUTER_CALL, talk),
        said(&unsealed, |_| {}),
        said(&unsealed, talk),
    ];
    insta::assert_snapshot!(tried.join("\n"), @r#"
    message null, reasoning "rs_01", computer_call "cu_01", computer_call_output null, message null
    message null, message null
    message null, reasoning "rs_01", message null, message null
    message null, reasoning "rs_01", computer_call "cu_01", computer_call_output null, message null
    message null, message null, message null
    "#);
}

#[test]
fn the_phase_of_words_goes_back_with_them() {
    let phased = FUNCTION_CALL.replace(r#""type":"message","#, r#""type":"message","phase":"commentary","#);
    assert_ne!(phased, FUNCTION_CALL);
    let answer = sample::decode(&ResponsesCodec, &tools(), &phased).unwrap().message;
    assert_eq!(answer.text(), "I know it.");
    let body = body("gpt-5.4", &sample::next(sample::opening(tools()), answer), None);
    insta::assert_snapshot!(body["input"][1], @r#"{"content":"I know it.","phase":"commentary","role":"assistant","type":"message"}"#);
}

#[test]
fn what_is_cached_for_long_is_told_apart() {
    let usage = serde_json::json!({"usage": {"input_tokens": 900, "output_tokens": 20, "input_tokens_details": {
        "cached_tokens": 0, "cache_write_tokens": 800,
        "cache_write_tokens_details": {"ttl_12h_tokens": 500, "ttl_30m_tokens": 300},
    }}});
    insta::assert_snapshot!(format!("{:?}", ResponsesCodec.whole_tokens(&usage).unwrap()), @"UsedTokens { input: 900, output: 20, cached: 0, cache_written: 800, cache_written_long: 500 }");
}

#[test]
fn effort_is_not_asked_of_those_that_do_not_reason() {
    let request = Request { effort: Some(Effort::Low), ..sample::opening(tools()) };
    let asked = ["gpt-4.1", "gpt-5.4", "gpt-5.5-pro", "somebodys-deployment"].map(|model| body(model, &request, None));
    insta::assert_snapshot!(asked.map(|body| body["reasoning"].to_string()).join("\n"), @r#"
    null
    {"effort":"low","summary":"auto"}
    {"effort":"medium","summary":"auto"}
    {"effort":"low","summary":"auto"}
    "#);
}

#[test]
fn names_tell_who_reasons_and_what_the_least_effort_is_called() {
    let names = [
        "o3",
        "gpt-4.1",
        "gpt-4o",
        "gpt-5",
        "gpt-5-mini",
        "gpt-5-pro",
        "gpt-5-chat-latest",
        "gpt-5.1-codex",
        "gpt-5.2-pro",
        "gpt-5.4",
        "gpt-5.5-pro",
        "openai/gpt-6-sol",
        "gpt-6-astra",
        "gpt-6.1-sol",
        "us.openai.gpt-5.6-sol",
        "eu.openai.o3",
        "team-gpt-5.4-prod",
        "gpt-oss-120b",
        "qwen3",
    ];
    let lines = names.map(|name| {
        let efforts = [Effort::None, Effort::Low, Effort::High].map(|effort| reasoner::effort(name, effort));
        let kind = if reasoner::is(name) {
            "reasons"
        } else if reasoner::is_not(name) {
            "does not"
        } else {
            "unknown"
        };
        format!("{name}: {kind} {}", efforts.join(" "))
    });
    insta::assert_snapshot!(lines.join("\n"), @"
    o3: reasons low low high
    gpt-4.1: does not none low high
    gpt-4o: does not none low high
    gpt-5: reasons minimal low high
    gpt-5-mini: reasons minimal low high
    gpt-5-pro: reasons high high high
    gpt-5-chat-latest: does not minimal low high
    gpt-5.1-codex: reasons low low high
    gpt-5.2-pro: reasons low low high
    gpt-5.4: reasons none low high
    gpt-5.5-pro: reasons medium medium high
    openai/gpt-6-sol: reasons none low high
    gpt-6-astra: reasons low low high
    gpt-6.1-sol: reasons low low high
    us.openai.gpt-5.6-sol: reasons none low high
    eu.openai.o3: reasons low low high
    team-gpt-5.4-prod: reasons none low high
    gpt-oss-120b: unknown none low high
    qwen3: unknown none low high
    ");
}

proptest! {
    #[test]
    fn no_event_is_too_strange(events in sample::strange_events(COMPUTER_CALL)) {
        sample::survive(&ResponsesCodec, &events);
    }
}
