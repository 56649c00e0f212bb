mod answers;
mod requests;

use serde_json::json;

use super::*;
use crate::mind::{MindReply, SpokenCall};
use crate::wire::BilledTokens;

/// A picture of four by three pixels, as far as anybody looks at it.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAD";

fn read(wire: &ResponsesWire, body: &Value) -> Result<ReadRequest, WrongRequest> {
    wire.read(&RequestAddress::read("/mind/a/v1/responses").unwrap(), body)
}

fn user(text: &str) -> Value {
    json!({ "type": "message", "role": "user", "content": [
        { "type": "input_text", "text": text },
        { "type": "input_image", "image_url": PICTURE, "detail": "original" },
    ] })
}

fn screenshot(id: &str) -> Value {
    let output = json!({ "type": "computer_screenshot", "image_url": PICTURE, "detail": "original" });
    json!({ "type": "computer_call_output", "call_id": id, "output": output })
}

/// A request that is in order and says this.
fn body(input: &Value) -> Value {
    json!({
        "model": "sim-1",
        "instructions": "You use a computer.",
        "input": input,
        "include": ["reasoning.encrypted_content"],
        "max_output_tokens": 4096,
        "parallel_tool_calls": false,
        "reasoning": { "effort": "high", "summary": "auto" },
        "store": true,
        "stream": true,
        "tool_choice": "required",
        "tools": [
            { "type": "computer" },
            { "type": "function", "name": "done", "parameters": { "type": "object" }, "strict": false },
        ],
    })
}

fn answer(id: &str, calls: Vec<SpokenCall>) -> WireAnswer {
    WireAnswer {
        id: id.to_owned(),
        model: "sim-1".to_owned(),
        say: MindReply {
            thought: Some("Where is it?".to_owned()),
            text: Some("There is the button.".to_owned()),
            calls,
        },
        thoughts: true,
        tokens: BilledTokens { input: 90, cached: 64, cache_write: 0, output: 7 },
    }
}

fn click() -> SpokenCall {
    SpokenCall::Native(json!({ "type": "click", "button": "left", "x": 1, "y": 2 }))
}

fn done() -> SpokenCall {
    SpokenCall::Function { name: "done".to_owned(), arguments: json!({ "why": "it is done" }) }
}

/// What was said, a piece a line.
fn lines(asked: &ReadRequest) -> String {
    let line = |said: &crate::asked::SaidMessage| format!("{} {:?}", said.by_model, said.what);
    asked.said.iter().map(line).collect::<Vec<_>>().join("\n")
}
