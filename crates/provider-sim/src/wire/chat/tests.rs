use serde_json::json;

use super::*;
use crate::mind::{MindReply, SpokenCall};
use crate::wire::BilledTokens;

/// A picture of four by three pixels, as far as anybody looks at it.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAD";

fn read(body: &Value) -> Result<ReadRequest, WrongRequest> {
    ChatWire.read(&RequestAddress::read("/mind/a/points/unit/v1/chat/completions").unwrap(), body)
}

/// A request that is in order: one call, made and answered.
fn body() -> Value {
    json!({
        "model": "sim-1",
        "max_tokens": 100,
        "messages": [
            { "role": "system", "content": "You use a computer." },
            { "role": "user", "content": [{ "type": "text", "text": "Turn 1." }, { "type": "image_url", "image_url": { "url": PICTURE } }] },
            { "role": "assistant", "content": "I try.", "reasoning_content": "Hm.", "tool_calls": [
                { "id": "c1", "type": "function", "function": { "name": "key", "arguments": "{\"keys\":\"a\"}" } }] },
            { "role": "tool", "tool_call_id": "c1", "content": "pressed" },
            { "role": "user", "content": "Turn 2." },
        ],
        "tools": [{ "type": "function", "function": { "name": "key", "parameters": { "type": "object" } } }],
        "tool_choice": "required",
        "parallel_tool_calls": false,
        "reasoning_effort": "high",
        "stream": true,
        "stream_options": { "include_usage": true },
    })
}

/// The request with something put in its place.
fn with(pointer: &str, value: Value) -> Value {
    let mut body = body();
    match pointer.rsplit_once('/') {
        Some((parent, last)) if body.pointer(pointer).is_none() => body.pointer_mut(parent).unwrap()[last] = value,
        _ => *body.pointer_mut(pointer).unwrap() = value,
    }
    body
}

#[test]
fn a_request_is_read_whole() {
    let asked = read(&body()).unwrap();
    let said: Vec<String> =
        asked.said.iter().map(|said| format!("{} {:?} {}", said.by_model, said.what, said.tokens)).collect();
    insta::assert_snapshot!(said.join("\n"), @r#"
    false Text("Turn 1.") 2
    false Picture((4, 3)) 1
    true Thought 1
    true Text("I try.") 2
    true Call { id: "c1", name: "key", input: Object {"keys": String("a")} } 4
    false Outcome { id: "c1" } 1
    false Text("pressed") 2
    false Text("Turn 2.") 2
    "#);
    assert_eq!((asked.system.as_str(), asked.max_output, asked.turn()), ("You use a computer.\n", 100, Some((2, 7))));
    assert_eq!((asked.must_call, asked.one_call, asked.thoughts), (true, true, true));
    assert_eq!(asked.instance.as_deref(), Some("a"));
}

#[test]
fn what_the_provider_refuses_is_refused() {
    let call = json!([{ "id": "c2", "type": "function", "function": { "name": "key", "arguments": "{}" } }]);
    let table = [
        with("/temprature", json!(1)),
        with("/model", json!(null)),
        with("/messages", json!([])),
        with("/messages/0/role", json!("robot")),
        with("/messages/1/content", json!([])),
        with("/messages/1/content/1/image_url/url", json!("data:image/png;base64,R0lGODlh")),
        with("/messages/1/content/1/image_url/url", json!("https://example.org/a.png")),
        with("/messages/2/tool_calls/0/id", json!("c9")),
        with("/messages/3/content", json!([{ "type": "image_url", "image_url": { "url": PICTURE } }])),
        with("/messages/4", json!({ "role": "tool", "tool_call_id": "c1", "content": "again" })),
        with("/messages/2", json!({ "role": "user", "content": "no call" })),
        with("/messages/3", json!({ "role": "user", "content": "no outcome" })),
        with("/messages/4", json!({ "role": "assistant", "content": null, "tool_calls": call })),
        with("/messages/4", json!({ "role": "assistant", "content": null })),
        with("/tools", json!([])),
        with("/tools", json!(null)),
        with("/tools/0/function/strict", json!(true)),
        with("/tool_choice", json!({ "type": "function", "function": { "name": "fly" } })),
        with("/max_tokens", json!(0)),
        with("/max_completion_tokens", json!(5)),
        with("/stream", json!(false)),
        with("/n", json!(2)),
        with("/reasoning_effort", json!("enormous")),
    ];
    let lines: Vec<String> = table
        .iter()
        .map(|body| read(body).unwrap_err())
        .map(|wrong| format!("{} {}", wrong.status, wrong.message))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    400 Unknown parameter: 'temprature'.
    400 Missing required parameter: 'model'.
    400 Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.
    400 Invalid value: 'robot' in 'messages[0].role'. Supported values are: 'system', 'developer', 'user', 'assistant', 'tool'.
    400 Invalid 'messages[1].content': empty array. Expected an array with minimum length 1, but got an empty array instead.
    400 Invalid image in 'messages[1].content[1].image_url.url': the image is neither a PNG nor a JPEG file.
    400 Invalid image in 'messages[1].content[1].image_url.url': only data URLs with base64 images can be read: data:image/png;base64,....
    400 Invalid parameter: 'tool_call_id' of 'c1' not found in 'tool_calls' of previous message.
    400 Invalid value: 'image_url' in 'messages[3].content[0].type'. Supported values are: 'text'.
    400 Invalid parameter: 'tool_call_id' of 'c1' not found in 'tool_calls' of previous message.
    400 Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls' ('messages[3]').
    400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c1
    400 An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: c2
    400 Invalid value for 'content' in 'messages[4]': expected a string, got null.
    400 Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.
    400 Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.
    400 Invalid schema for function 'key': In context=(), 'additionalProperties' is required to be supplied and to be false.
    400 Tool choice 'fly' not found in 'tools' parameter.
    400 Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.
    400 Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.
    400 The 'stream_options' parameter is only allowed when 'stream' is enabled.
    400 Unsupported parameter: 'n' other than 1: this server gives one choice.
    400 Invalid value: 'enormous' in 'reasoning_effort'. Supported values are: 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'.
    ");
}

#[test]
fn reasoners_take_their_limit_under_the_new_name_and_only_efforts_that_they_have() {
    let asked = |model: &str, limit: &str, effort: &str| {
        let mut body = with("/reasoning_effort", json!(effort));
        let most = body["max_tokens"].take();
        body[limit] = most;
        body["model"] = model.into();
        read(&body).map_or_else(|wrong| wrong.message, |_| "taken".to_owned())
    };
    let tried = [
        asked("gpt-5.4", "max_tokens", "low"),
        asked("us.openai.gpt-5.6-sol", "max_tokens", "low"),
        asked("gpt-5.4", "max_completion_tokens", "low"),
        asked("gpt-5.4", "max_completion_tokens", "minimal"),
        asked("gpt-4.1", "max_tokens", "low"),
        asked("qwen3-vl", "max_tokens", "minimal"),
    ];
    insta::assert_snapshot!(tried.join("\n"), @"
    Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.
    Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.
    taken
    Unsupported value: 'minimal' is not supported with the 'gpt-5.4' model. Supported values are: 'none', 'low', 'medium', 'high', 'xhigh', and 'max'.
    Unsupported parameter: 'reasoning_effort' is not supported with this model.
    taken
    ");
}

#[test]
fn the_choice_of_tools_is_heard() {
    let none = read(&with("/tool_choice", json!("none"))).unwrap();
    assert_eq!((none.functions.len(), none.must_call), (0, false));
    let named = read(&with("/tool_choice", json!({ "type": "function", "function": { "name": "key" } }))).unwrap();
    assert_eq!((named.functions.len(), named.must_call), (1, true));
}

fn answer() -> WireAnswer {
    WireAnswer {
        id: "chatcmpl-1".to_owned(),
        model: "sim-1".to_owned(),
        say: MindReply {
            thought: Some("Where is it?".to_owned()),
            text: Some("I press a key, then another.".to_owned()),
            calls: vec![
                SpokenCall::Function { name: "key".to_owned(), arguments: json!({ "keys": "ctrl+a" }) },
                SpokenCall::Function { name: "done".to_owned(), arguments: json!({}) },
            ],
        },
        thoughts: true,
        tokens: BilledTokens { input: 90, cached: 64, cache_write: 0, output: 7 },
    }
}

#[test]
fn an_answer_in_one_piece() {
    let mut whole = ChatWire.whole(&answer());
    assert!(whole["created"].take().as_u64().unwrap() > 1_700_000_000);
    insta::assert_snapshot!(serde_json::to_string_pretty(&whole).unwrap(), @r#"
    {
      "choices": [
        {
          "finish_reason": "tool_calls",
          "index": 0,
          "logprobs": null,
          "message": {
            "content": "I press a key, then another.",
            "reasoning_content": "Where is it?",
            "refusal": null,
            "role": "assistant",
            "tool_calls": [
              {
                "function": {
                  "arguments": "{\"keys\":\"ctrl+a\"}",
                  "name": "key"
                },
                "id": "call_chatcmpl-1_0",
                "type": "function"
              },
              {
                "function": {
                  "arguments": "{}",
                  "name": "done"
                },
                "id": "call_chatcmpl-1_1",
                "type": "function"
              }
            ]
          }
        }
      ],
      "created": null,
      "id": "chatcmpl-1",
      "model": "sim-1",
      "object": "chat.completion",
      "usage": {
        "completion_tokens": 7,
        "prompt_tokens": 90,
        "prompt_tokens_details": {
          "cached_tokens": 64
        },
        "total_tokens": 97
      }
    }
    "#);
    let words = ChatWire.whole(&WireAnswer { say: MindReply::words("Hello."), ..answer() });
    assert_eq!(words["choices"][0]["finish_reason"], "stop");
    assert!(words["choices"][0]["message"].get("tool_calls").is_none());
    let quiet = ChatWire.whole(&WireAnswer { thoughts: false, ..answer() });
    assert!(quiet["choices"][0]["message"].get("reasoning_content").is_none());
}

#[test]
fn an_answer_in_chunks() {
    let frames = ChatWire.stream(&answer());
    let short = |frame: &StreamFrame| {
        let chunk: Value = serde_json::from_str(&frame.data).unwrap_or_else(|_| json!(frame.data));
        if chunk["choices"].as_array().is_some_and(|choices| !choices.is_empty()) {
            format!("{} {}", chunk["choices"][0]["delta"], chunk["choices"][0]["finish_reason"])
        } else if chunk.is_object() {
            format!("{} {}", chunk["choices"], chunk["usage"])
        } else {
            frame.data.clone()
        }
    };
    insta::assert_snapshot!(frames.iter().map(short).collect::<Vec<_>>().join("\n"), @r#"
    {"content":"","role":"assistant"} null
    {"reasoning_content":"Where is it?"} null
    {"content":"I press a ke"} null
    {"content":"y, then anot"} null
    {"content":"her."} null
    {"tool_calls":[{"function":{"arguments":"","name":"key"},"id":"call_chatcmpl-1_0","index":0,"type":"function"}]} null
    {"tool_calls":[{"function":{"arguments":"{\"keys\":\"ctr"},"index":0}]} null
    {"tool_calls":[{"function":{"arguments":"l+a\"}"},"index":0}]} null
    {"tool_calls":[{"function":{"arguments":"","name":"done"},"id":"call_chatcmpl-1_1","index":1,"type":"function"}]} null
    {"tool_calls":[{"function":{"arguments":"{}"},"index":1}]} null
    {} "tool_calls"
    [] {"completion_tokens":7,"prompt_tokens":90,"prompt_tokens_details":{"cached_tokens":64},"total_tokens":97}
    [DONE]
    "#);
}

#[test]
fn an_answer_can_be_handed_back() {
    let message = ChatWire.whole(&answer())["choices"][0]["message"].clone();
    let ids: Vec<Value> = message["tool_calls"].as_array().unwrap().iter().map(|call| call["id"].clone()).collect();
    let mut messages = vec![json!({ "role": "user", "content": "Turn 1." }), message];
    messages.extend(ids.iter().map(|id| json!({ "role": "tool", "tool_call_id": id, "content": "ok" })));
    let asked = read(&with("/messages", json!(messages))).unwrap();
    assert_eq!(asked.said.len(), 9);
}

#[test]
fn what_the_client_of_this_crate_sends_is_in_order() {
    let body = include_str!("../../../../models/tests/fixtures/providers/chat/request.json");
    // The pictures there stand for real ones.
    let body =
        body.replace("data:image/png;base64,Zmlyc3Q=", PICTURE).replace("data:image/png;base64,c2Vjb25k", PICTURE);
    let asked = read(&serde_json::from_str(&body).unwrap()).unwrap();
    assert_eq!((asked.turn().unwrap().0, asked.n_answers()), (2, 1));
}
