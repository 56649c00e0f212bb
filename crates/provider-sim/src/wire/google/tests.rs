use std::time::Duration;

use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::super::{WireFormat as _, sample};
use super::{GoogleWire, signature};
use crate::address::RequestAddress;
use crate::asked::ReadRequest;

fn read(body: &Value) -> Result<ReadRequest, String> {
    read_by("sim-1", body)
}

fn read_by(model: &str, body: &Value) -> Result<ReadRequest, String> {
    let address = RequestAddress::read(&format!("/mind/a/v1beta/models/{model}:streamGenerateContent")).unwrap();
    GoogleWire.read(&address, body).map_err(|wrong| format!("{} {}", wrong.status, wrong.message))
}

/// A request in which everything is in order.
fn good() -> Value {
    let image = json!({ "mimeType": "image/png", "data": sample::png(1280, 720) });
    json!({
        "systemInstruction": { "parts": [{ "text": "You use a computer." }] },
        "generationConfig": { "maxOutputTokens": 4096, "thinkingConfig": { "includeThoughts": true } },
        "tools": [
            { "computerUse": {
                "environment": "ENVIRONMENT_BROWSER",
                "excludedPredefinedFunctions": ["drag_and_drop"],
            }},
            { "functionDeclarations": [
                { "name": "done", "description": "Ends it.", "parametersJsonSchema": { "type": "object" } },
            ]},
        ],
        "contents": [
            { "role": "user", "parts": [{ "text": "Turn 1." }, { "inlineData": image }] },
            { "role": "model", "parts": [
                { "text": "Hm.", "thought": true },
                { "text": "I press it." },
                {
                    "functionCall": { "id": "c1", "name": "click_at", "args": { "x": 500, "y": 250 } },
                    "thoughtSignature": signature("c1", "click_at"),
                },
            ]},
            { "role": "user", "parts": [
                { "functionResponse": {
                    "id": "c1",
                    "name": "click_at",
                    "response": { "url": "about:blank" },
                    "parts": [{ "inlineData": image }],
                }},
                { "text": "Turn 2." },
            ]},
        ],
    })
}

#[test]
fn a_request_is_read_with_its_tools_and_pictures() {
    insta::assert_snapshot!(sample::told(&read(&good()).unwrap()), @r#"
    system "You use a computer.", functions ["done"], computer Some(OfferedComputer { size: None, excluded: ["drag_and_drop"] })
    must call false, one call false, thoughts true, at most 4096
    user says "Turn 1.", 2 tokens
    user shows 1280 x 720, 1229 tokens
    model thought, 1 tokens
    model says "I press it.", 3 tokens
    model calls click_at {"x":500,"y":250} as c1, 7 tokens
    user tells what came of c1, 1 tokens
    user says "url:\nabout:blank", 4 tokens
    user shows 1280 x 720, 1229 tokens
    user says "Turn 2.", 2 tokens
    "#);
}

#[test]
fn fields_may_be_written_with_underscores_too() {
    let body = json!({
        "system_instruction": { "parts": [{ "text": "Look." }] },
        "tools": [{ "function_declarations": [{ "name": "a", "parameters": {
            "type": "OBJECT", "properties": { "my_key": { "type": "STRING" } },
        }}]}],
        "tool_config": { "function_calling_config": { "mode": "ANY" } },
        "contents": [{ "parts": [{ "inline_data": { "mime_type": "image/png", "data": sample::png(8, 9) } }] }],
    });
    let asked = read(&body).unwrap();
    assert!(asked.must_call && asked.functions[0].takes("my_key"));
    assert_eq!((asked.system.as_str(), asked.last_picture()), ("Look.", Some((8, 9))));
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
    let done = json!({ "functionCall": { "name": "done", "args": {} } });
    let response = json!({ "functionResponse": { "name": "done", "response": {} } });
    let declared = json!({ "name": "done" });
    let wrong = [
        with("/contents", json!([])),
        with("/messages", json!([])),
        with("/contents/0/role", json!("assistant")),
        with("/contents/0/role", json!("model")),
        with("/contents/0/parts", json!([])),
        with("/contents/0/parts/0", json!({ "text": "x", "inlineData": {} })),
        with("/contents/0/parts/0", json!({ "image": "x" })),
        with("/contents/0/parts/0", done.clone()),
        with("/contents/0/parts/0", response.clone()),
        with("/contents/0/parts/1/inlineData/data", json!("R0lGODlh")),
        with("/contents/1/parts/2/thoughtSignature", Value::Null),
        with("/contents/1/parts/2/thoughtSignature", json!("c2lnbmVk")),
        with("/contents/1/parts/2/functionCall/args", json!("{}")),
        with("/contents/1/parts/0", response),
        with("/contents/2/parts/0", json!({ "text": "x" })),
        with("/contents/2/parts/0/functionResponse/id", json!("c2")),
        with("/contents/2/parts/0/functionResponse/name", json!("done")),
        with("/contents/2/parts/0/functionResponse/response", json!("fine")),
        with("/contents/2", json!({ "role": "model", "parts": [{ "text": "x" }] })),
        with("/contents/2/parts/1", json!({ "functionResponse": { "id": "c1", "name": "click_at", "response": {} } })),
        with("/tools/0/computerUse/environment", Value::Null),
        with("/tools/0/computerUse/displayWidth", json!(9)),
        with("/tools/0/computerUse/excludedPredefinedFunctions", json!(["fly"])),
        with("/tools/1/functionDeclarations/0/name", json!("1st")),
        with("/tools/1/functionDeclarations/0/input_schema", json!({})),
        with("/tools/1/functionDeclarations", json!([declared, declared])),
        with("/toolConfig", json!({ "functionCallingConfig": { "mode": "SOME" } })),
        with("/generationConfig/maxOutputTokens", json!(0)),
        with("/generationConfig/maxTokens", json!(1)),
        with("/generationConfig/thinkingConfig", json!({ "thinkingBudget": 1, "thinkingLevel": "low" })),
        with("/systemInstruction", json!({ "parts": [] })),
    ];
    let refusals: Vec<String> = wrong.iter().map(|body| read(body).unwrap_err()).collect();
    insta::assert_snapshot!(refusals.join("\n"), @r#"
    400 * GenerateContentRequest.contents: contents is not specified
    400 Invalid JSON payload received. Unknown name "messages": Cannot find field.
    400 Please use a valid role: user, model.
    400 Please ensure that function call turn comes immediately after a user turn or after a function response turn.
    400 * GenerateContentRequest.contents[0].parts: contents.parts must not be empty.
    400 * GenerateContentRequest.contents[0].parts[0].data: required oneof field 'data' must have one initialized field
    400 Invalid JSON payload received. Unknown name "image" at 'contents[0].parts[0]': Cannot find field.
    400 Function calls and thoughts must come with the role model.
    400 Please ensure that function response turn comes immediately after a function call turn.
    400 Unable to process input image at 'contents[0].parts[1].inline_data': the image is neither a PNG nor a JPEG file
    400 Function call `click_at` in the `2.` content block is missing a `thought_signature`.
    400 Corrupted thought signature.
    400 Invalid value at 'contents[1].parts[2].functionCall.args' (TYPE_MESSAGE), "{}"
    400 Function responses must come with the role user, not with the role model.
    400 Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.
    400 The function response `click_at` matches none of the function calls of the turn before in name and id.
    400 The function response `done` matches none of the function calls of the turn before in name and id.
    400 Invalid value at 'contents[2].parts[0].functionResponse.response' (TYPE_MESSAGE), "fine"
    400 Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.
    400 Please ensure that function response turn comes immediately after a function call turn.
    400 Invalid value at 'tools[0].computer_use.environment', null
    400 Invalid JSON payload received. Unknown name "displayWidth" at 'tools[0].computer_use': Cannot find field.
    400 There is no predefined function `fly` to exclude.
    400 * GenerateContentRequest.tools[1].function_declarations[0].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.
    400 Invalid JSON payload received. Unknown name "inputSchema" at 'tools[1].function_declarations[0]': Cannot find field.
    400 Duplicate function declaration found: done
    400 Invalid value at 'tool_config.function_calling_config.mode', "SOME"
    400 max_output_tokens must be positive: Invalid value 0
    400 Invalid JSON payload received. Unknown name "maxTokens" at 'generation_config': Cannot find field.
    400 You can only set only one of thinking budget and thinking level.
    400 * GenerateContentRequest.system_instruction.parts: must be text and not be empty
    "#);
}

#[test]
fn what_a_model_does_not_have_is_refused() {
    let asking = |tools: Value, level: Value| {
        json!({
            "contents": [{ "role": "user", "parts": [{ "text": "Turn 1." }] }],
            "generationConfig": { "thinkingConfig": { "thinkingLevel": level } },
            "tools": tools,
        })
    };
    let computer = |excluded: &[&str]| {
        let computer = json!({ "environment": "ENVIRONMENT_BROWSER", "excludedPredefinedFunctions": excluded });
        json!([{ "computerUse": computer }, { "functionDeclarations": [{ "name": "click" }] }])
    };
    let told = |model: &str, body: &Value| match read_by(model, body) {
        Ok(_) => format!("{model}: taken"),
        Err(why) => format!("{model}: {why}"),
    };
    let of_models = |models: &[&str], body: Value| models.iter().map(|model| told(model, &body)).collect::<Vec<_>>();
    let lines = [
        of_models(
            &["gemini-3-flash-preview", "gemini-3.5-flash", "gemini-2.5-pro"],
            asking(computer(&[]), json!("low")),
        ),
        of_models(&["gemini-3-flash-preview", "gemini-3.5-flash"], asking(computer(&["click"]), json!("low"))),
        of_models(&["gemini-3.6-flash", "gemini-3.7-flash", "gemini-4-argon"], asking(json!([]), json!("minimal"))),
    ];
    insta::assert_snapshot!(lines.concat().join("\n"), @r"
    gemini-3-flash-preview: taken
    gemini-3.5-flash: 400 Duplicate function declaration found: click
    gemini-2.5-pro: 400 Computer Use is not enabled for models/gemini-2.5-pro
    gemini-3-flash-preview: 400 There is no predefined function `click` to exclude.
    gemini-3.5-flash: taken
    gemini-3.6-flash: taken
    gemini-3.7-flash: 400 Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.
    gemini-4-argon: 400 Thinking level MINIMAL is not supported for this model. Please retry with other thinking level.
    ");
}

#[test]
fn the_user_has_the_last_word() {
    let contents = json!([
        { "role": "user", "parts": [{ "text": "Turn 1." }] },
        { "role": "model", "parts": [{ "text": "I" }] },
    ]);
    assert!(read(&with("/contents", contents)).unwrap_err().contains("end with a user role"));
}

#[test]
fn what_the_client_sends_is_taken() {
    let sent = include_str!("../../../../models/tests/fixtures/providers/google/request.json");
    let sent = sent.replace("Zmlyc3Q=", &sample::png(8, 9)).replace("c2Vjb25k", &sample::png(8, 9));
    let sent = sent.replace("c2lnbmVk", &signature("", "click_at"));
    let asked = read(&serde_json::from_str(&sent).unwrap()).unwrap();
    assert_eq!(asked.turn(), Some((2, asked.said.len() - 1)));
    assert!(asked.computer.is_some() && asked.function("answer").is_some());
}

#[test]
fn an_answer_is_written_whole_and_in_chunks_and_may_be_handed_back() {
    let answer = sample::answer(json!({ "name": "click_at", "args": { "x": 500, "y": 250 } }));
    let frames = GoogleWire.stream(&answer);
    let written: Vec<&str> = frames.iter().map(|frame| frame.data.as_str()).collect();
    insta::assert_snapshot!(written.join("\n"), @r#"
    {"candidates":[{"content":{"parts":[{"text":"The butto","thought":true}],"role":"model"},"index":0}],"modelVersion":"sim-1","responseId":"a1"}
    {"candidates":[{"content":{"parts":[{"text":"n is left.","thought":true}],"role":"model"},"index":0}],"modelVersion":"sim-1","responseId":"a1"}
    {"candidates":[{"content":{"parts":[{"text":"Gr"}],"role":"model"},"index":0}],"modelVersion":"sim-1","responseId":"a1"}
    {"candidates":[{"content":{"parts":[{"text":"üße"}],"role":"model"},"index":0}],"modelVersion":"sim-1","responseId":"a1"}
    {"candidates":[{"content":{"parts":[{"functionCall":{"args":{"x":500,"y":250},"id":"a1-0","name":"click_at"},"thoughtSignature":"c2ltOjdlODI1YWVkNThkYzdiM2U="}],"role":"model"},"index":0}],"modelVersion":"sim-1","responseId":"a1"}
    {"candidates":[{"content":{"parts":[{"functionCall":{"args":{},"id":"a1-1","name":"done"}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"sim-1","responseId":"a1","usageMetadata":{"cachedContentTokenCount":60,"candidatesTokenCount":15,"promptTokenCount":100,"thoughtsTokenCount":5,"totalTokenCount":120}}
    "#);
    let whole = GoogleWire.whole(&answer);
    insta::assert_snapshot!(whole, @r#"{"candidates":[{"content":{"parts":[{"text":"The button is left.","thought":true},{"text":"Grüße"},{"functionCall":{"args":{"x":500,"y":250},"id":"a1-0","name":"click_at"},"thoughtSignature":"c2ltOjdlODI1YWVkNThkYzdiM2U="},{"functionCall":{"args":{},"id":"a1-1","name":"done"}}],"role":"model"},"finishReason":"STOP","index":0}],"modelVersion":"sim-1","responseId":"a1","usageMetadata":{"cachedContentTokenCount":60,"candidatesTokenCount":15,"promptTokenCount":100,"thoughtsTokenCount":5,"totalTokenCount":120}}"#);

    let responses: Vec<Value> = [("a1-0", "click_at"), ("a1-1", "done")]
        .map(|(id, name)| json!({ "functionResponse": { "id": id, "name": name, "response": {} } }))
        .to_vec();
    let mut body = good();
    body["contents"] = json!([
        { "role": "user", "parts": [{ "text": "Turn 1." }] },
        whole["candidates"][0]["content"],
        { "role": "user", "parts": responses },
    ]);
    read(&body).unwrap();
    drop(body["contents"][2]["parts"].as_array_mut().unwrap().pop());
    assert!(read(&body).unwrap_err().contains("number of function response parts"));
}

#[test]
fn keys_come_in_the_header_or_in_the_address_and_delays_in_the_body() {
    let mut headers = HeaderMap::new();
    assert!(!GoogleWire.has_key(&headers, "alt=sse"));
    assert!(GoogleWire.has_key(&headers, "alt=sse&key=k"));
    headers.insert("x-goog-api-key", "k".parse().unwrap());
    assert!(GoogleWire.has_key(&headers, ""));
    insta::assert_snapshot!(GoogleWire.error_after(429, "Slow down.", Duration::from_millis(250)), @r#"{"error":{"code":429,"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"0.25s"}],"message":"Slow down.","status":"RESOURCE_EXHAUSTED"}}"#);
}

#[test]
fn too_many_and_too_large_pictures_are_refused() {
    let part = |data: &str| json!({ "inlineData": { "mimeType": "image/png", "data": data } });
    let asking = |parts: Vec<Value>| json!({ "contents": [{ "role": "user", "parts": parts }] });
    let small = part(&sample::png(8, 8));
    let large = part(&"A".repeat((7 << 20) / 3 * 4 + 8));
    assert!(read_by("gemini-3-pro", &asking(vec![small.clone(); 900])).is_ok());
    let told = [
        read_by("gemini-3-pro", &asking(vec![small.clone(); 901])),
        read_by("gemini-3.8-flash", &asking(vec![small; 3001])),
        read_by("gemini-3.8-flash", &asking(vec![large])),
    ];
    insta::assert_snapshot!(told.map(|read| read.map(|_| ()).unwrap_err()).join("\n"), @"
    400 Please use fewer than 901 images in your request to models/gemini-3-pro
    400 Please use fewer than 3001 images in your request to models/gemini-3.8-flash
    400 Unable to process input image at 'contents[0].parts[0].inline_data': it is larger than 7 MB
    ");
}
