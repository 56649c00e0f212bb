//! The Messages format against recorded shapes.

use proptest::prelude::*;
use quintain_core::action::Dialect;
use quintain_core::agent::Effort;
use serde_json::{Value, json};

use super::AnthropicCodec;
use crate::model::{Piece, Request, Tool};
use crate::providers::codec::{Codec, sample};

const COMPUTER_CALL: &str = include_str!("../../../tests/fixtures/providers/anthropic/computer_call.sse");
const TOOLSET_CALL: &str = include_str!("../../../tests/fixtures/providers/anthropic/toolset_call.sse");
const OVERLOADED: &str = include_str!("../../../tests/fixtures/providers/anthropic/overloaded.sse");
const REQUEST: &str = include_str!("../../../tests/fixtures/providers/anthropic/request.json");
const TOOLSET_REQUEST: &str = include_str!("../../../tests/fixtures/providers/anthropic/toolset_request.json");

fn tools() -> Vec<Tool> {
    vec![Tool::Computer { size: (1280, 720) }, sample::function()]
}

fn body(model: &str, request: &Request) -> Value {
    AnthropicCodec.wire(&sample::card(&format!("anthropic/{model}"), Some(Dialect::Anthropic)), request, None).body
}

#[test]
fn a_stream_becomes_a_message() {
    let decoded = sample::decode(&AnthropicCodec, &tools(), COMPUTER_CALL);
    insta::assert_snapshot!(sample::show(&decoded), @r#"
    thought "The button is in the middle." {"signature":"c2lnbmVk","thinking":"The button is in the middle.","type":"thinking"}
    text "I press it."
    call toolu_01 computer {"action":"left_click","coordinate":[640,360]}
      native {"action":"left_click","coordinate":[640,360]}
      opaque null
    Called Some(UsedTokens { input: 5952, output: 87, cached: 4100, cache_written: 1800 }) None
    "#);
    insta::assert_snapshot!(sample::acts(Dialect::Anthropic, &decoded.unwrap()), @r#"{"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}"#);
    let decoded = sample::decode(&AnthropicCodec, &tools(), TOOLSET_CALL);
    insta::assert_snapshot!(sample::show(&decoded), @r#"
    thought "" {"data":"aGlkZGVu","type":"redacted_thinking"}
    call toolu_02 left_click {"coordinate":[640,360]}
      native {"action":"left_click","coordinate":[640,360]}
      opaque {"toolset_name":"computer"}
    call toolu_03 key {"repeat":3,"text":"Down"}
      native {"action":"key","text":"Down Down Down"}
      opaque {"toolset_name":"computer"}
    Called Some(UsedTokens { input: 5940, output: 61, cached: 5900, cache_written: 0 }) None
    "#);
    insta::assert_snapshot!(sample::acts(Dialect::Anthropic, &decoded.unwrap()), @r#"
    {"do":"click","at":{"x":640.0,"y":360.0},"button":"left","held":[]}
    {"do":"sequence","actions":[{"do":"key","keys":["ArrowDown"]},{"do":"key","keys":["ArrowDown"]},{"do":"key","keys":["ArrowDown"]}]}
    "#);
}

#[test]
fn a_conversation_becomes_a_body() {
    let answer = sample::decode(&AnthropicCodec, &tools(), COMPUTER_CALL).unwrap().message;
    let request = sample::next(sample::opening(tools()), answer);
    sample::assert_body(&body("claude-opus-4-6", &request), REQUEST);
    let answer = sample::decode(&AnthropicCodec, &tools(), TOOLSET_CALL).unwrap().message;
    let request = sample::next(sample::opening(tools()), answer);
    sample::assert_body(&body("claude-opus-5-5", &request), TOOLSET_REQUEST);
}

#[test]
fn thinking_and_calling_fit_the_generation() {
    let mut lines = Vec::new();
    for model in ["claude-sonnet-4-5", "claude-opus-4-6", "claude-opus-5", "claude-opus-5-5"] {
        for effort in [None, Some(Effort::None), Some(Effort::Low), Some(Effort::High)] {
            let body = body(model, &Request { effort, ..sample::opening(tools()) });
            let choice = &body["tool_choice"]["type"];
            lines.push(format!("{model} {effort:?}: {} {} {choice}", body["thinking"], body["output_config"]));
        }
    }
    insta::assert_snapshot!(lines.join("\n"), @r#"
    claude-sonnet-4-5 None: null null "any"
    claude-sonnet-4-5 Some(None): null null "any"
    claude-sonnet-4-5 Some(Low): {"budget_tokens":1024,"type":"enabled"} null "auto"
    claude-sonnet-4-5 Some(High): {"budget_tokens":3072,"type":"enabled"} null "auto"
    claude-opus-4-6 None: null null "any"
    claude-opus-4-6 Some(None): null null "any"
    claude-opus-4-6 Some(Low): {"type":"adaptive"} {"effort":"low"} "auto"
    claude-opus-4-6 Some(High): {"type":"adaptive"} {"effort":"high"} "auto"
    claude-opus-5 None: {"display":"summarized","type":"adaptive"} null "auto"
    claude-opus-5 Some(None): {"type":"disabled"} null "any"
    claude-opus-5 Some(Low): {"display":"summarized","type":"adaptive"} {"effort":"low"} "auto"
    claude-opus-5 Some(High): {"display":"summarized","type":"adaptive"} {"effort":"high"} "auto"
    claude-opus-5-5 None: {"block_binding":{"prefix_mismatch_behavior":"drop_block"},"display":"summarized","type":"adaptive"} null "auto"
    claude-opus-5-5 Some(None): {"block_binding":{"prefix_mismatch_behavior":"drop_block"},"display":"summarized","type":"adaptive"} {"effort":"low"} "auto"
    claude-opus-5-5 Some(Low): {"block_binding":{"prefix_mismatch_behavior":"drop_block"},"display":"summarized","type":"adaptive"} {"effort":"low"} "auto"
    claude-opus-5-5 Some(High): {"block_binding":{"prefix_mismatch_behavior":"drop_block"},"display":"summarized","type":"adaptive"} {"effort":"high"} "auto"
    "#);
}

#[test]
fn betas_are_asked_for_where_they_are_used() {
    let headers = |model: &str, tools: Vec<Tool>| {
        let card = sample::card(&format!("anthropic/{model}"), None);
        format!("{:?}", AnthropicCodec.wire(&card, &sample::opening(tools), None).headers)
    };
    let all = [
        headers("claude-opus-4-6", vec![sample::function()]),
        headers("claude-sonnet-4-5", tools()),
        headers("claude-opus-4-6", tools()),
        headers("claude-opus-5-5", tools()),
    ];
    insta::assert_snapshot!(all.join("\n"), @r#"
    [("anthropic-version", "2023-06-01")]
    [("anthropic-version", "2023-06-01"), ("anthropic-beta", "computer-use-2025-01-24")]
    [("anthropic-version", "2023-06-01"), ("anthropic-beta", "computer-use-2025-11-24")]
    [("anthropic-version", "2023-06-01"), ("anthropic-beta", "thinking-binding-controls-2026-08-01")]
    "#);
}

#[test]
fn what_is_cut_or_refused_is_no_answer() {
    sample::assert_cuts_are_seen(&AnthropicCodec, COMPUTER_CALL);
    insta::assert_snapshot!(sample::show(&sample::decode(&AnthropicCodec, &[], OVERLOADED)), @r#"Refused(Overloaded("529 overloaded_error: Overloaded"))"#);
}

#[test]
fn usage_counts_only_when_all_of_it_is_told() {
    let mut decoder = AnthropicCodec.decoder(&[]);
    let mut told = Vec::new();
    for (name, data) in sample::events(COMPUTER_CALL) {
        decoder.event(&name, &data).unwrap();
        told.push(decoder.tokens().is_some());
    }
    assert_eq!(told.iter().filter(|told| **told).count(), 2, "from message_delta on");
    let whole = json!({"usage": {"input_tokens": 1, "cache_read_input_tokens": 20, "cache_creation_input_tokens": 300, "output_tokens": 4}});
    insta::assert_snapshot!(format!("{:?}", AnthropicCodec.whole_tokens(&whole)), @"Some(UsedTokens { input: 321, output: 4, cached: 20, cache_written: 300 })");
}

#[test]
fn a_call_that_cannot_be_read_is_kept_as_it_was_written() {
    let broken = COMPUTER_CALL.replace("inate\\\": [640, 360]}", "");
    let decoded = sample::decode(&AnthropicCodec, &tools(), &broken).unwrap();
    let call = decoded.message.calls().next().unwrap().clone();
    assert_eq!(call.input, Value::String("{\"action\": \"left_click\", \"coord".to_owned()));
    let request = sample::next(sample::opening(tools()), decoded.message);
    assert!(body("claude-opus-4-6", &request)["messages"][1]["content"][2]["input"].is_object());
}

#[test]
fn blank_words_are_left_out() {
    let mut request = sample::opening(Vec::new());
    request.messages[0].pieces = vec![Piece::text(" \n")];
    assert_eq!(body("claude-opus-4-6", &request)["messages"], json!([]));
}

proptest! {
    #[test]
    fn no_event_is_too_strange(events in sample::strange_events(COMPUTER_CALL)) {
        sample::survive(&AnthropicCodec, &events);
    }
}
