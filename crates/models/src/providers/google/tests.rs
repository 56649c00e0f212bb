//! The `generateContent` format against recorded shapes.

use proptest::prelude::*;
use quintain_core::action::Dialect;
use quintain_core::agent::Effort;
use serde_json::{Value, json};

use super::GoogleCodec;
use crate::model::{Request, StopReason, Tool};
use crate::providers::codec::{Codec, sample};

const COMPUTER_CALL: &str = include_str!("../../../tests/fixtures/providers/google/computer_call.sse");
const FUNCTION_CALL: &str = include_str!("../../../tests/fixtures/providers/google/function_call.sse");
const BLOCKED: &str = include_str!("../../../tests/fixtures/providers/google/blocked.sse");
const RATE_LIMITED: &str = include_str!("../../../tests/fixtures/providers/google/rate_limited.json");
const REQUEST: &str = include_str!("../../../tests/fixtures/providers/google/request.json");
const FUNCTION_REQUEST: &str = include_str!("../../../tests/fixtures/providers/google/function_request.json");

fn tools() -> Vec<Tool> {
    vec![Tool::Computer { size: (1280, 720) }, sample::function()]
}

fn body(model: &str, request: &Request) -> Value {
    GoogleCodec.wire(&sample::card(&format!("google/{model}"), Some(Dialect::Google)), request, None).body.told()
}

#[test]
fn a_stream_becomes_a_message() {
    let decoded = sample::decode(&GoogleCodec, &tools(), COMPUTER_CALL);
    insta::assert_snapshot!(sample::show(&decoded), @r#"
    thought "The button is in the middle." null
    text "I press it."
    thought "Safety check: The button may buy something." null
    call r01-3 click_at {"safety_decision":{"decision":"require_confirmation","explanation":"The button may buy something."},"x":500,"y":250}
      native {"args":{"x":500,"y":250},"name":"click_at"}
      opaque {"functionCall":{"args":{"safety_decision":{"decision":"require_confirmation","explanation":"The button may buy something."},"x":500,"y":250},"name":"click_at"},"thoughtSignature":"c2lnbmVk"}
    Called Some(UsedTokens { input: 1900, output: 34, cached: 1024, cache_written: 0 }) None
    "#);
    insta::assert_snapshot!(sample::acts(Dialect::Google, &decoded.unwrap()), @r#"{"do":"click","at":{"x":640.0,"y":180.0},"button":"left","held":[]}"#);
    insta::assert_snapshot!(sample::show(&sample::decode(&GoogleCodec, &tools(), FUNCTION_CALL)), @r#"
    text "I know it."
    thought "" {"text":"","thoughtSignature":"dGV4dA=="}
    call fn_1 answer {"answer":"42"}
      native -
      opaque {"functionCall":{"args":{"answer":"42"},"id":"fn_1","name":"answer"}}
    Called Some(UsedTokens { input: 800, output: 12, cached: 0, cache_written: 0 }) None
    "#);
    insta::assert_snapshot!(sample::show(&sample::decode(&GoogleCodec, &tools(), BLOCKED)), @"Refused Some(UsedTokens { input: 800, output: 0, cached: 0, cache_written: 0 }) None");
}

#[test]
fn a_conversation_becomes_a_body() {
    let answer = sample::decode(&GoogleCodec, &tools(), COMPUTER_CALL).unwrap().message;
    let request = sample::next(sample::opening(tools()), answer);
    sample::assert_body(&body("gemini-3-flash-preview", &request), REQUEST);
    let answer = sample::decode(&GoogleCodec, &tools(), FUNCTION_CALL).unwrap().message;
    let request = sample::next(sample::opening(vec![sample::function()]), answer);
    sample::assert_body(&body("gemini-2.5-flash", &request), FUNCTION_REQUEST);
}

#[test]
fn thinking_fits_the_generation() {
    let mut lines = Vec::new();
    let models = [
        "gemini-2.0-flash",
        "gemini-2.5-flash",
        "gemini-2.5-pro",
        "gemini-3-flash-preview",
        "gemini-3.1-pro",
        "gemini-3.7-flash",
        "gemini-4-argon",
        "gemini-flash-latest",
    ];
    for model in models {
        for effort in [None, Some(Effort::None), Some(Effort::Low), Some(Effort::High)] {
            let body = body(model, &Request { effort, ..sample::opening(tools()) });
            lines.push(format!("{model} {effort:?}: {}", body["generationConfig"]["thinkingConfig"]));
        }
    }
    insta::assert_snapshot!(lines.join("\n"), @r#"
    gemini-2.0-flash None: null
    gemini-2.0-flash Some(None): null
    gemini-2.0-flash Some(Low): null
    gemini-2.0-flash Some(High): null
    gemini-2.5-flash None: {"includeThoughts":true}
    gemini-2.5-flash Some(None): {"includeThoughts":false,"thinkingBudget":0}
    gemini-2.5-flash Some(Low): {"includeThoughts":true,"thinkingBudget":1024}
    gemini-2.5-flash Some(High): {"includeThoughts":true,"thinkingBudget":3072}
    gemini-2.5-pro None: {"includeThoughts":true}
    gemini-2.5-pro Some(None): {"includeThoughts":false,"thinkingBudget":128}
    gemini-2.5-pro Some(Low): {"includeThoughts":true,"thinkingBudget":1024}
    gemini-2.5-pro Some(High): {"includeThoughts":true,"thinkingBudget":3072}
    gemini-3-flash-preview None: {"includeThoughts":true}
    gemini-3-flash-preview Some(None): {"includeThoughts":false,"thinkingLevel":"minimal"}
    gemini-3-flash-preview Some(Low): {"includeThoughts":true,"thinkingLevel":"low"}
    gemini-3-flash-preview Some(High): {"includeThoughts":true,"thinkingLevel":"high"}
    gemini-3.1-pro None: {"includeThoughts":true}
    gemini-3.1-pro Some(None): {"includeThoughts":false,"thinkingLevel":"low"}
    gemini-3.1-pro Some(Low): {"includeThoughts":true,"thinkingLevel":"low"}
    gemini-3.1-pro Some(High): {"includeThoughts":true,"thinkingLevel":"high"}
    gemini-3.7-flash None: {"includeThoughts":true}
    gemini-3.7-flash Some(None): {"includeThoughts":false,"thinkingLevel":"low"}
    gemini-3.7-flash Some(Low): {"includeThoughts":true,"thinkingLevel":"low"}
    gemini-3.7-flash Some(High): {"includeThoughts":true,"thinkingLevel":"high"}
    gemini-4-argon None: {"includeThoughts":true}
    gemini-4-argon Some(None): {"includeThoughts":false,"thinkingLevel":"low"}
    gemini-4-argon Some(Low): {"includeThoughts":true,"thinkingLevel":"low"}
    gemini-4-argon Some(High): {"includeThoughts":true,"thinkingLevel":"high"}
    gemini-flash-latest None: {"includeThoughts":true}
    gemini-flash-latest Some(None): {"includeThoughts":false,"thinkingLevel":"low"}
    gemini-flash-latest Some(Low): {"includeThoughts":true,"thinkingLevel":"low"}
    gemini-flash-latest Some(High): {"includeThoughts":true,"thinkingLevel":"high"}
    "#);
}

#[test]
fn what_is_cut_or_refused_is_no_answer() {
    sample::assert_cuts_are_seen(&GoogleCodec, COMPUTER_CALL);
    let error = "data: {\"error\":{\"code\":503,\"message\":\"Overloaded\",\"status\":\"UNAVAILABLE\"}}\n\n";
    insta::assert_snapshot!(sample::show(&sample::decode(&GoogleCodec, &[], error)), @r#"Refused(Overloaded("503 UNAVAILABLE: Overloaded"))"#);
}

#[test]
fn why_it_ended_is_told_apart() {
    let stop = |reason: &str| {
        let stream = format!("data: {{\"candidates\":[{{\"finishReason\":\"{reason}\"}}]}}\n\n");
        sample::decode(&GoogleCodec, &[], &stream).unwrap().stop
    };
    assert_eq!(["MAX_TOKENS", "CONTINUATION"].map(stop), [StopReason::Length; 2]);
    assert_eq!(["SAFETY", "ESCALATION", "MODEL_ARMOR"].map(stop), [StopReason::Refused; 3]);
    assert_eq!(["STOP", "MALFORMED_FUNCTION_CALL", "UNHEARD_OF"].map(stop), [StopReason::Finished; 3]);
}

#[test]
fn a_function_of_a_world_takes_the_place_of_the_computers() {
    let named = |name: &str| Tool::Function { name: name.to_owned(), about: String::new(), schema: json!({}).into() };
    let request = sample::opening(vec![Tool::Computer { size: (1280, 720) }, named("move"), named("click_at")]);
    let excluded = |model: &str, dialect| {
        let card = sample::card(&format!("google/{model}"), Some(dialect));
        let body = GoogleCodec.wire(&card, &request, None).body.told();
        body["tools"][0]["computerUse"]["excludedPredefinedFunctions"].clone()
    };
    assert_eq!(excluded("gemini-3.8-flash", Dialect::Gemini), json!(["move"]));
    assert_eq!(excluded("gemini-3-flash-preview", Dialect::Google), json!(["click_at"]));
}

#[test]
fn a_refusal_says_how_long_to_wait() {
    let wait = GoogleCodec.retry_after(RATE_LIMITED);
    insta::assert_snapshot!(format!("{:?} {wait:?}", GoogleCodec.refusal(429, RATE_LIMITED)), @r#"RateLimited("429 RESOURCE_EXHAUSTED: You exceeded your current quota, please check your plan and billing details.") Some(34.5s)"#);
}

#[test]
fn a_function_of_ours_is_never_taken_for_an_action() {
    let ours = COMPUTER_CALL.replace("click_at", "answer");
    let decoded = sample::decode(&GoogleCodec, &tools(), &ours).unwrap();
    assert_eq!(sample::acts(Dialect::Google, &decoded), "ours: answer");
    let without_computer = sample::decode(&GoogleCodec, &[sample::function()], COMPUTER_CALL).unwrap();
    assert_eq!(sample::acts(Dialect::Google, &without_computer), "ours: click_at");
}

proptest! {
    #[test]
    fn no_event_is_too_strange(events in sample::strange_events(COMPUTER_CALL)) {
        sample::survive(&GoogleCodec, &events);
    }
}
