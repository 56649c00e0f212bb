use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::super::{WireFormat as _, sample, weigh};
use super::AnthropicWire;
use crate::address::RequestAddress;
use crate::asked::{OfferedComputer, ReadRequest};

fn read(body: &Value) -> Result<ReadRequest, String> {
    let address = RequestAddress::read("/mind/a/v1/messages").unwrap();
    AnthropicWire::default().read(&address, body).map_err(|wrong| format!("{} {}", wrong.status, wrong.message))
}

/// A request in which everything is in order.
fn good() -> Value {
    let cache = json!({ "type": "ephemeral" });
    let image = json!({ "type": "base64", "media_type": "image/png", "data": sample::png(1280, 720) });
    json!({
        "model": "sim-1",
        "max_tokens": 4096,
        "stream": true,
        "system": [{ "type": "text", "text": "You use a computer.", "cache_control": cache }],
        "thinking": { "type": "adaptive" },
        "tool_choice": { "type": "auto", "disable_parallel_tool_use": true },
        "tools": [
            { "type": "computer_20251124", "name": "computer", "display_width_px": 1280, "display_height_px": 720 },
            { "name": "done", "description": "Ends it.", "input_schema": { "type": "object", "properties": {} } },
        ],
        "messages": [
            { "role": "user", "content": "Turn 1." },
            { "role": "assistant", "content": [
                { "type": "text", "text": "I look." },
                { "type": "tool_use", "id": "toolu_1", "name": "computer", "input": { "action": "screenshot" } },
            ]},
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "toolu_1", "content": [{ "type": "image", "source": image }] },
                { "type": "text", "text": "Turn 2.", "cache_control": cache },
            ]},
        ],
    })
}

#[test]
fn a_request_is_read_with_its_tools_pictures_and_marks() {
    insta::assert_snapshot!(sample::told(&read(&good()).unwrap()), @r#"
    system "You use a computer.", functions ["done"], computer Some(OfferedComputer { size: Some((1280, 720)), excluded: [] })
    must call false, one call true, thoughts true, at most 4096
    user says "Turn 1.", 2 tokens
    model says "I look.", 2 tokens
    model calls computer {"action":"screenshot"} as toolu_1, 8 tokens
    user tells what came of toolu_1, 1 tokens
    user shows 1280 x 720, 1229 tokens
    user says "Turn 2.", 2 tokens, kept
    "#);
}

/// Claude Code tells of its tools in such a message.
#[test]
fn whoever_runs_the_model_may_speak_in_the_midst_of_a_conversation() {
    let said = |at: usize, content: Value| {
        let mut body = good();
        let message = json!({ "role": "system", "content": content });
        body["messages"].as_array_mut().unwrap().insert(at, message);
        read(&body).map_or_else(|why| why, |request| sample::told(&request).lines().last().unwrap().to_owned())
    };
    assert_eq!(said(3, json!("Be brief.")), "user says \"Be brief.\", 3 tokens");
    let refused = [said(0, json!("Be brief.")), said(2, json!("Be brief.")), said(3, json!([{ "type": "image" }]))];
    insta::assert_snapshot!(refused.join("\n"));
}

/// The good request with this in this place: null takes away.
fn with(place: &str, value: Value) -> Value {
    sample::with(&good(), place, value)
}

#[test]
fn nothing_upsets_the_reader() {
    let spoilt = sample::spoilt(&good());
    let n_refused = spoilt.iter().filter(|body| read(body).is_err()).count();
    assert!(n_refused > spoilt.len() * 3 / 4, "{n_refused} of {}", spoilt.len());
}

#[test]
fn what_the_provider_would_refuse_is_refused() {
    let mark = json!({ "type": "ephemeral" });
    let text = json!({ "type": "text", "text": "x", "cache_control": mark });
    let call = json!({ "type": "tool_use", "id": "toolu_1", "name": "done", "input": {} });
    let thought = json!({ "type": "thinking", "thinking": "Hm.", "signature": "c2lnbmVk" });
    let gif = json!({ "type": "base64", "media_type": "image/png", "data": "R0lGODlh" });
    let wrong = [
        with("/model", Value::Null),
        with("/max_tokens", json!(0)),
        with("/max_tokens", Value::Null),
        with("/max_output", json!(1)),
        with("/messages", json!([])),
        with("/messages/0/role", json!("system")),
        with("/messages/0/role", json!("assistant")),
        with("/messages/0/content", json!("")),
        with("/messages/0/content", json!([{ "type": "text", "text": "" }])),
        with("/messages/0/content", json!([{ "type": "video" }])),
        with("/messages/0/content", json!([text, text, text])),
        with("/messages/1/content/0", call.clone()),
        with("/messages/1/content/0", thought),
        with("/messages/1/content/1/id", json!("toolu_2")),
        with("/messages/1/content/1/input", json!("{}")),
        with("/messages/1/content/1/native", json!(true)),
        with("/messages/2/content/0", json!({ "type": "text", "text": "x" })),
        with("/messages/2/content/0/content/0/source", gif),
        with("/messages/2/content/0/toolset_name", json!("computer")),
        with("/messages/2/role", json!("assistant")),
        with("/messages/2", json!({ "role": "user", "content": "And?" })),
        with("/tools/0/display_width_px", Value::Null),
        with("/tools/0/display_depth", json!(24)),
        with("/tools/0/type", json!("computer_20240101")),
        with("/tools/0", json!({ "name": "done", "input_schema": { "type": "object" } })),
        with("/tools/1/input_schema", Value::Null),
        with("/tools/1/parameters", json!({})),
        with("/tools/1/name", json!("well done")),
        with("/tools", Value::Null),
        with("/tool_choice/type", json!("any")),
        with("/thinking", json!({ "type": "enabled", "budget_tokens": 4096 })),
        with("/model", json!("claude-opus-5-5")),
    ];
    let refusals: Vec<String> = wrong.iter().map(|body| read(body).unwrap_err()).collect();
    insta::assert_snapshot!(refusals.join("\n"), @r#"
    400 model: Field required
    400 max_tokens: Input should be greater than or equal to 1
    400 max_tokens: Field required
    400 max_output: Extra inputs are not permitted
    400 messages: at least one message is required
    400 messages.0.role: Input should be 'user' or 'assistant'
    400 messages: first message must use the "user" role
    400 messages.0: all messages must have non-empty content
    400 messages: text content blocks must be non-empty
    400 messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags
    400 A maximum of 4 blocks with cache_control may be provided. Found 5.
    400 messages.1.content.1: `tool_use` ids must be unique
    400 messages.1.content.0: Invalid `signature` in `thinking` block
    400 messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.
    400 messages.1.content.1.tool_use.input: Input should be an object
    400 messages.1.content.1.tool_use.native: Extra inputs are not permitted
    400 messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    400 messages.2.content.0.tool_result.content.0.image.source.base64.data: the image is neither a PNG nor a JPEG file
    400 messages.2.content.0.toolset_name: does not match that of the `tool_use` block toolu_1
    400 messages.2.content.0: Input tag 'tool_result' found using 'type' does not match any of the expected tags
    400 messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_1. Each `tool_use` block must have a corresponding `tool_result` block in the next message.
    400 tools.0.computer_20251124.display_width_px: Input should be a valid integer greater than or equal to 1
    400 tools.0.computer_20251124.display_depth: Extra inputs are not permitted
    400 tools.0: Input tag 'computer_20240101' found using 'type' does not match any of the expected tags
    400 tools: Tool names must be unique.
    400 tools.1.custom.input_schema: Field required
    400 tools.1.custom.parameters: Extra inputs are not permitted
    400 tools.1.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'
    400 tool_choice: may only be specified while providing tools
    400 Thinking may not be enabled when tool_choice forces tool use.
    400 `max_tokens` must be greater than `thinking.budget_tokens`
    400 'claude-opus-5-5' does not support tool type: computer_20251124. Use computer_toolset_20260801 instead.
    "#);
}

#[test]
fn the_user_has_the_last_word() {
    let messages = json!([{ "role": "user", "content": "Turn 1." }, { "role": "assistant", "content": "I" }]);
    assert!(read(&with("/messages", messages)).unwrap_err().contains("must end with a user message"));
}

#[test]
fn what_the_client_sends_is_taken() {
    let sent = include_str!("../../../../models/tests/fixtures/providers/anthropic/request.json");
    let sent = sent.replace("Zmlyc3Q=", &sample::png(8, 9)).replace("c2Vjb25k", &sample::png(8, 9));
    let sent = sent.replace("c2lnbmVk", &weigh::sign("The button is in the middle."));
    let asked = read(&serde_json::from_str(&sent).unwrap()).unwrap();
    assert_eq!(asked.turn(), Some((2, asked.said.len() - 1)));
    assert_eq!(asked.computer.unwrap().size, Some((1280, 720)));
}

#[test]
fn an_answer_is_written_whole_and_as_events_and_may_be_handed_back() {
    let wire = AnthropicWire::default();
    let answer = sample::answer(json!({ "action": "left_click", "coordinate": [3, 4] }));
    let frames = wire.stream(&answer);
    let written: Vec<&str> = frames.iter().map(|frame| frame.data.as_str()).collect();
    insta::assert_snapshot!(written.join("\n"), @r#"
    {"message":{"content":[],"id":"msg_a1","model":"sim-1","role":"assistant","stop_reason":null,"stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":10,"cache_read_input_tokens":60,"input_tokens":30,"output_tokens":1}},"type":"message_start"}
    {"type":"ping"}
    {"content_block":{"signature":"","thinking":"","type":"thinking"},"index":0,"type":"content_block_start"}
    {"delta":{"thinking":"The butto","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
    {"delta":{"thinking":"n is left.","type":"thinking_delta"},"index":0,"type":"content_block_delta"}
    {"delta":{"signature":"c2ltOmE1Mzc1NjhiNzk2ZDQ5ZDc=","type":"signature_delta"},"index":0,"type":"content_block_delta"}
    {"index":0,"type":"content_block_stop"}
    {"content_block":{"text":"","type":"text"},"index":1,"type":"content_block_start"}
    {"delta":{"text":"Gr","type":"text_delta"},"index":1,"type":"content_block_delta"}
    {"delta":{"text":"üße","type":"text_delta"},"index":1,"type":"content_block_delta"}
    {"index":1,"type":"content_block_stop"}
    {"content_block":{"id":"toolu_a1_0","input":{},"name":"computer","type":"tool_use"},"index":2,"type":"content_block_start"}
    {"delta":{"partial_json":"","type":"input_json_delta"},"index":2,"type":"content_block_delta"}
    {"delta":{"partial_json":"{\"action\":\"left_click","type":"input_json_delta"},"index":2,"type":"content_block_delta"}
    {"delta":{"partial_json":"\",\"coordinate\":[3,4]}","type":"input_json_delta"},"index":2,"type":"content_block_delta"}
    {"index":2,"type":"content_block_stop"}
    {"content_block":{"id":"toolu_a1_1","input":{},"name":"done","type":"tool_use"},"index":3,"type":"content_block_start"}
    {"delta":{"partial_json":"","type":"input_json_delta"},"index":3,"type":"content_block_delta"}
    {"delta":{"partial_json":"{","type":"input_json_delta"},"index":3,"type":"content_block_delta"}
    {"delta":{"partial_json":"}","type":"input_json_delta"},"index":3,"type":"content_block_delta"}
    {"index":3,"type":"content_block_stop"}
    {"delta":{"stop_reason":"tool_use","stop_sequence":null},"type":"message_delta","usage":{"cache_creation_input_tokens":10,"cache_read_input_tokens":60,"input_tokens":30,"output_tokens":20}}
    {"type":"message_stop"}
    "#);
    let whole = wire.whole(&answer);
    insta::assert_snapshot!(whole, @r#"{"content":[{"signature":"c2ltOmE1Mzc1NjhiNzk2ZDQ5ZDc=","thinking":"The button is left.","type":"thinking"},{"text":"Grüße","type":"text"},{"id":"toolu_a1_0","input":{"action":"left_click","coordinate":[3,4]},"name":"computer","type":"tool_use"},{"id":"toolu_a1_1","input":{},"name":"done","type":"tool_use"}],"id":"msg_a1","model":"sim-1","role":"assistant","stop_reason":"tool_use","stop_sequence":null,"type":"message","usage":{"cache_creation_input_tokens":10,"cache_read_input_tokens":60,"input_tokens":30,"output_tokens":20}}"#);

    let mut body = good();
    body["messages"] = json!([
        { "role": "user", "content": "Turn 1." },
        { "role": "assistant", "content": whole["content"] },
        { "role": "user", "content": [
            { "type": "tool_result", "tool_use_id": "toolu_a1_0", "content": "Done." },
            { "type": "tool_result", "tool_use_id": "toolu_a1_1", "is_error": true },
        ]},
    ]);
    read(&body).unwrap();
    body["messages"][1]["content"][0]["thinking"] = "The button is right.".into();
    assert_eq!(read(&body).unwrap_err(), "400 messages.1.content.0: Invalid `signature` in `thinking` block");
}

#[test]
fn a_set_of_tools_is_used_by_the_names_of_its_tools() {
    let wire = AnthropicWire::default();
    let body =
        with("/tools/0", json!({ "type": "computer_toolset_20260801", "configs": { "zoom": { "enabled": false } } }));
    let asked = read(&body).unwrap();
    assert_eq!(asked.computer, Some(OfferedComputer { size: None, excluded: vec!["zoom".to_owned()] }));
    let answer = sample::answer(json!({ "action": "left_click", "coordinate": [3, 4] }));
    wire.remember(&asked, &answer);
    insta::assert_snapshot!(wire.whole(&answer)["content"][2], @r#"{"id":"toolu_a1_0","input":{"coordinate":[3,4]},"name":"left_click","toolset_name":"computer","type":"tool_use"}"#);
}

#[test]
fn the_headers_carry_key_version_and_beta() {
    let wire = AnthropicWire::default();
    let mut headers = HeaderMap::new();
    assert!(!wire.has_key(&headers, "key=k"));
    headers.insert("x-api-key", "k".parse().unwrap());
    assert!(wire.has_key(&headers, ""));
    let mut tried = |name: &'static str, value: &str| {
        headers.insert(name, value.parse().unwrap());
        wire.headers(&headers, &good()).err().map(|wrong| wrong.message)
    };
    let without_version = tried("x-api-key", "k");
    let without_beta = tried("anthropic-version", "2023-06-01");
    let with_both = tried("anthropic-beta", "other-2025-01-01, computer-use-2025-11-24");
    let messages: Vec<String> = [without_version, without_beta, with_both].into_iter().flatten().collect();
    insta::assert_snapshot!(messages.join("\n"), @"
    anthropic-version: header is required
    tools.0: Input tag 'computer_20251124' found using 'type' does not match any of the expected tags
    ");
}
