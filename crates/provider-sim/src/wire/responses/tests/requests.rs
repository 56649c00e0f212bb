//! What is read out of requests, and which are refused.

use super::*;

/// A conversation in which everything occurs.
fn talk() -> Value {
    let check = json!({ "id": "sc_1", "code": "odd", "message": "Is this right?" });
    let mut seen = screenshot("c1");
    seen["acknowledged_safety_checks"] = json!([check]);
    json!([
        user("Turn 1."),
        { "type": "reasoning", "summary": [], "encrypted_content": weigh::sign("Where is it?") },
        { "type": "computer_call", "id": "cu_1", "call_id": "c1", "status": "completed",
          "actions": [{ "type": "click", "button": "left", "x": 1, "y": 2 }], "pending_safety_checks": [check] },
        seen,
        { "role": "assistant", "content": [{ "type": "output_text", "text": "I know it.", "annotations": [] }] },
        { "type": "function_call", "call_id": "c2", "name": "done", "arguments": "{\"why\":1}" },
        { "type": "function_call_output", "call_id": "c2", "output": [{ "type": "input_text", "text": "ok" }] },
        { "role": "user", "content": "Turn 2." },
    ])
}

#[test]
fn a_request_is_read_whole() {
    let asked = read(&ResponsesWire::default(), &body(&talk())).unwrap();
    insta::assert_snapshot!(lines(&asked), @r#"
    false Text("Turn 1.")
    false Picture((4, 3))
    true Thought
    true Call { id: "c1", name: "computer", input: Array [Object {"button": String("left"), "type": String("click"), "x": Number(1), "y": Number(2)}] }
    false Outcome { id: "c1" }
    false Picture((4, 3))
    true Text("I know it.")
    true Call { id: "c2", name: "done", input: Object {"why": Number(1)} }
    false Outcome { id: "c2" }
    false Text("ok")
    false Text("Turn 2.")
    "#);
    assert_eq!((asked.system.as_str(), asked.max_output), ("You use a computer.", 4096));
    assert_eq!((asked.must_call, asked.one_call, asked.thoughts), (true, true, true));
    assert_eq!((asked.computer.unwrap().size, asked.functions.len()), (None, 1));
}

/// The request with something put in its place, or taken away by null.
fn with(pointer: &str, value: Value) -> Value {
    let mut body = body(&talk());
    match pointer.rsplit_once('/') {
        Some((parent, last)) if body.pointer(pointer).is_none() => body.pointer_mut(parent).unwrap()[last] = value,
        _ => *body.pointer_mut(pointer).unwrap() = value,
    }
    body
}

#[test]
fn what_the_provider_refuses_is_refused() {
    let picture = "data:image/png;base64,R0lGODlh";
    let table = [
        with("/temprature", json!(1)),
        with("/model", json!(null)),
        with("/input", json!(null)),
        with("/input", json!([])),
        with("/input/0/type", json!("web_search_call")),
        with("/input/0/role", json!("robot")),
        with("/input/0/content/0/type", json!("output_text")),
        with("/input/0/content/1/image_url", json!(picture)),
        with("/input/0/content/1/detail", json!("sharp")),
        with("/input/1/encrypted_content", json!("c2VhbGVk")),
        with("/input/1/encrypted_content", json!(null)),
        with("/input/1", json!({ "type": "reasoning", "summary": [], "id": "rs_9" })),
        with("/input/2", user("no call after a thought")),
        with("/input/2/actions", json!(null)),
        with("/input/2/actions/0/type", json!("fly")),
        with("/input/3/acknowledged_safety_checks", json!([])),
        with("/input/3/output", json!({ "type": "computer_screenshot" })),
        with("/input/3/output/type", json!("input_image")),
        with("/input/3/call_id", json!("c9")),
        with("/input/4/content/0/type", json!("input_text")),
        with("/input/6/call_id", json!("c1")),
        with("/input/6", user("no output")),
        with("/tools/0/display_width", json!(1280)),
        with("/tools/1/function", json!({})),
        with("/tools/1/name", json!("done!")),
        with("/tools", json!([])),
        with("/tool_choice", json!({ "type": "function", "name": "fly" })),
        with("/max_output_tokens", json!(15)),
        with("/reasoning/summary", json!("long")),
        with("/include/0", json!("everything")),
        with("/previous_response_id", json!("resp_9")),
        with("/background", json!(true)),
    ];
    let wire = ResponsesWire::default();
    let refused = table.iter().map(|body| read(&wire, body).unwrap_err());
    let lines: Vec<String> = refused.map(|wrong| format!("{} {}", wrong.status, wrong.message)).collect();
    insta::assert_snapshot!(lines.join("\n"), @"
    400 Unknown parameter: 'temprature'.
    400 Missing required parameter: 'model'.
    400 Missing required parameter: 'input'.
    400 Invalid 'input': there is nothing to answer.
    400 Invalid value: 'web_search_call' in 'input[0].type'. Supported values are: 'message', 'reasoning', 'function_call', 'function_call_output', 'computer_call', 'computer_call_output', 'additional_tools'.
    400 Invalid value: 'robot' in 'input[0].role'. Supported values are: 'user', 'assistant', 'system', 'developer'.
    400 Invalid value: 'output_text' in 'input[0].content[0].type'. Supported values are: 'input_text', 'input_image'.
    400 Invalid image in 'input[0].content[1].image_url': the image is neither a PNG nor a JPEG file.
    400 Invalid value: 'sharp' in 'input[0].content[1].detail'. Supported values are: 'auto', 'low', 'high', 'original'.
    400 The encrypted content in 'input[1]' could not be verified.
    400 Missing required parameter: 'input[1].id'.
    400 Item with id 'rs_9' not found.
    400 Item 'input[1]' of type 'reasoning' was provided without its required following item.
    400 Missing required parameter: 'input[2].actions'.
    400 Invalid value: 'fly' in 'input[2].actions[0].type'. Supported values are: 'click', 'double_click', 'drag', 'keypress', 'move', 'screenshot', 'scroll', 'type', 'wait'.
    400 Computer call c1 has a pending safety check that was not acknowledged: sc_1.
    400 Missing required parameter: 'input[3].output.image_url'.
    400 Invalid value: 'input_image' in 'input[3].output.type'. Supported values are: 'computer_screenshot'.
    400 No tool call found for computer call output with call_id c9.
    400 Invalid value: 'input_text' in 'input[4].content[0].type'. Supported values are: 'output_text', 'refusal'.
    400 No tool call found for function call output with call_id c1.
    400 No tool output found for function call c2.
    400 Unknown parameter: 'tools[0].display_width'.
    400 Unknown parameter: 'tools[1].function'.
    400 Invalid 'tools[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]{1,64}$'.
    400 Tool choice 'required' must be specified with 'tools' parameter.
    400 Tool choice 'fly' not found in 'tools' parameter.
    400 Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 15 instead.
    400 Invalid value: 'long' in 'reasoning.summary'. Supported values are: 'auto', 'concise', 'detailed'.
    400 Invalid value: 'everything' in 'include[0]'. Supported values are: 'file_search_call.results', 'web_search_call.results', 'web_search_call.action.sources', 'message.input_image.image_url', 'computer_call_output.output.image_url', 'code_interpreter_call.outputs', 'reasoning.encrypted_content', 'message.output_text.logprobs'.
    400 Previous response with id 'resp_9' not found.
    400 Unsupported parameter: 'background': this server answers at once.
    ");
}

/// Source: requests of Codex, and `AdditionalTools` of the package `openai`.
#[test]
fn what_codex_sends_is_taken() {
    let mut body = body(&json!([
        { "type": "additional_tools", "role": "developer", "tools": [
            { "type": "function", "name": "update_plan", "parameters": { "type": "object" }, "strict": false },
        ] },
        user("Turn 1."),
    ]));
    body["client_metadata"] = json!({ "x-codex-installation-id": "0" });
    body["tools"].as_array_mut().unwrap().extend([
        json!({ "type": "custom", "name": "apply_patch", "format": { "type": "grammar", "syntax": "lark", "definition": "" } }),
        json!({ "type": "web_search", "external_web_access": false }),
        json!({ "type": "namespace", "name": "mcp__quintain", "description": "", "tools": [
            { "type": "function", "name": "look", "parameters": { "type": "object" }, "strict": false },
        ] }),
    ]);
    let wire = ResponsesWire::default();
    let asked = read(&wire, &body).unwrap();
    let names: Vec<&str> = asked.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["update_plan", "done", "mcp__quintain.look"]);
    let refused = |pointer: &str, value: Value| {
        let mut body = body.clone();
        *body.pointer_mut(pointer).unwrap() = value;
        read(&wire, &body).unwrap_err().message
    };
    let wrong = [
        refused("/client_metadata", json!("codex")),
        refused("/input/0/role", json!("user")),
        refused("/input/0/tools/0/name", json!("done")),
        refused("/tools/3/type", json!("telepathy")),
    ];
    insta::assert_snapshot!(wrong.join("\n"), @"
    Invalid type for 'client_metadata': expected an object, but got a string instead.
    Invalid value: 'user' in 'input[0].role'. Supported values are: 'developer'.
    Duplicate tool name: 'done'.
    Invalid value: 'telepathy' in 'tools[3].type'. Supported values are: 'function', 'computer', 'apply_patch', 'code_interpreter', 'custom', 'file_search', 'image_generation', 'local_shell', 'mcp', 'namespace', 'programmatic_tool_calling', 'shell', 'tool_search', 'web_search', 'web_search_preview'.
    ");
}

#[test]
fn efforts_and_models_that_are_not_there_are_refused() {
    let wire = ResponsesWire::default();
    let refused = |model: &str, effort: &str| {
        let mut body = with("/reasoning/effort", json!(effort));
        body["model"] = model.into();
        let wrong = read(&wire, &body).unwrap_err();
        format!("{} {}", wrong.status, wire.error(wrong.status, &wrong.message))
    };
    let wrong = [
        refused("gpt-6-astra", "none"),
        refused("gpt-5.5-pro", "low"),
        refused("gpt-4.1", "low"),
        refused("computer-use-preview", "low"),
    ];
    insta::assert_snapshot!(wrong.join("\n"), @r#"
    400 {"error":{"code":"unsupported_value","message":"Unsupported value: 'none' is not supported with the 'gpt-6-astra' model. Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'.","param":null,"type":"invalid_request_error"}}
    400 {"error":{"code":"unsupported_value","message":"Unsupported value: 'low' is not supported with the 'gpt-5.5-pro' model. Supported values are: 'medium', 'high', and 'xhigh'.","param":null,"type":"invalid_request_error"}}
    400 {"error":{"code":"unsupported_parameter","message":"Unsupported parameter: 'reasoning.effort' is not supported with this model.","param":null,"type":"invalid_request_error"}}
    404 {"error":{"code":"model_not_found","message":"The model `computer-use-preview` does not exist or you do not have access to it.","param":null,"type":"invalid_request_error"}}
    "#);
}

#[test]
fn there_are_only_so_many_pictures() {
    let wire = ResponsesWire::default();
    let picture = json!({ "type": "input_image", "image_url": PICTURE, "detail": "low" });
    let shown = |n: usize| read(&wire, &body(&json!([{ "role": "user", "content": vec![picture.clone(); n] }])));
    assert!(shown(500).is_ok());
    assert_eq!(shown(501).unwrap_err().message, "Too many images: 501 of at most 500.");
}

#[test]
fn the_choice_of_tools_is_heard() {
    let wire = ResponsesWire::default();
    let offered = |choice: Value| {
        let asked = read(&wire, &with("/tool_choice", choice)).unwrap();
        (asked.functions.len(), asked.computer.is_some(), asked.must_call)
    };
    assert_eq!(offered(json!("none")), (0, false, false));
    assert_eq!(offered(json!("auto")), (1, true, false));
    assert_eq!(offered(json!({ "type": "function", "name": "done" })), (1, false, true));
    assert_eq!(offered(json!({ "type": "computer" })), (0, true, true));
}

#[test]
fn what_the_client_of_this_crate_sends_is_in_order() {
    for body in [
        include_str!("../../../../../models/tests/fixtures/providers/responses/request.json"),
        include_str!("../../../../../models/tests/fixtures/providers/responses/function_request.json"),
    ] {
        // The pictures and the seal there stand for real ones.
        let body = body
            .replace("data:image/png;base64,Zmlyc3Q=", PICTURE)
            .replace("data:image/png;base64,c2Vjb25k", PICTURE)
            .replace("c2VhbGVk", &weigh::sign("Where is it?"));
        let asked = read(&ResponsesWire::default(), &serde_json::from_str(&body).unwrap()).unwrap();
        assert_eq!(asked.turn().map(|(turn, _)| turn), Some(2));
        assert_eq!(asked.n_answers(), 1);
    }
}
