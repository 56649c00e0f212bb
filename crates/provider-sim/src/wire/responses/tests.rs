mod answers;
mod requests;

use serde_json::json;

use super::*;
use crate::mind::{Say, Spoken};
use crate::wire::Tokens;

/// A picture of four by three pixels, as far as anybody looks at it.
const PICTURE: &str = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAQAAAAD";

fn read(wire: &Responses, body: &Value) -> Result<Asked, Wrong> {
    wire.read(&Address::read("/mind/a/v1/responses").unwrap(), body)
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

fn answer(id: &str, calls: Vec<Spoken>) -> Answer {
    Answer {
        id: id.to_owned(),
        model: "sim-1".to_owned(),
        say: Say { thought: Some("Where is it?".to_owned()), text: Some("There is the button.".to_owned()), calls },
        thoughts: true,
        tokens: Tokens { input: 90, cached: 64, cache_write: 0, output: 7 },
    }
}

fn click() -> Spoken {
    Spoken::Native(json!({ "type": "click", "button": "left", "x": 1, "y": 2 }))
}

fn done() -> Spoken {
    Spoken::Function { name: "done".to_owned(), arguments: json!({ "why": "it is done" }) }
}

/// What was said, a piece a line.
fn lines(asked: &Asked) -> String {
    let line = |said: &crate::asked::Said| format!("{} {:?}", said.by_model, said.what);
    asked.said.iter().map(line).collect::<Vec<_>>().join("\n")
}
