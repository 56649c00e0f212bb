//! Tools that are no step in the world: notes, a plan, and somebody who looks at the screen and acts on it.

use quintain_core::surface::Surface;
use quintain_models::model::{Message, Piece, Tool, ToolCall};
use quintain_models::tools;
use serde_json::{Value, json};

pub(super) const NOTE: &str = "note";
pub(super) const PLAN: &str = "plan";
pub(super) const LOOK: &str = "look_at_screen";
pub(super) const DELEGATE: &str = "delegate_gui";
pub(super) const REPORT: &str = "report";

/// How many steps somebody who acts on the screen may take, unless said otherwise and at most.
pub(super) const N_STEPS: u32 = 15;
pub(super) const MAX_STEPS: u32 = 50;

/// Notes and the plan, where the world has no function of the same name.
pub(super) fn of_notes(surface: &Surface) -> Vec<Tool> {
    let note = function(
        NOTE,
        "Writes something down. Notes outlast everything else that was said and shown. Uses up no turn.",
        &json!({
            "text": {"type": "string", "description": "What to keep: values, names and decisions, word for word."},
            "number": {"type": "integer", "minimum": 1, "description": "To write an earlier note anew, its number."},
        }),
        &["text"],
    );
    let plan = function(
        PLAN,
        "Sets down the plan, in place of the one before. Uses up no turn.",
        &json!({"items": {"type": "array", "items": {"type": "string"}, "description": "The steps, in order."}}),
        &["items"],
    );
    let is_free = |tool: &Tool| surface.calls.iter().all(|call| tools::name(tool) != Some(&call.name));
    [note, plan].into_iter().filter(is_free).collect()
}

/// For a model that cannot see.
pub(super) fn of_screen() -> [Tool; 2] {
    let look = function(
        LOOK,
        "Has an assistant look at the screen as it is now and answer a question. Uses up no turn.",
        &json!({"question": {"type": "string", "description": "What you want to know."}}),
        &["question"],
    );
    let delegate = function(
        DELEGATE,
        "Has an assistant work on the screen with mouse and keyboard until a goal is reached, and report.",
        &json!({
            "goal": {"type": "string", "description": "What to do, with every value that it takes, and how to tell that it is done."},
            "max_steps": {"type": "integer", "minimum": 1, "maximum": MAX_STEPS,
                "description": format!("How many actions it may take; {N_STEPS} unless said.")},
        }),
        &["goal"],
    );
    [look, delegate]
}

/// How the assistant ends its work.
pub(super) fn report() -> Tool {
    let about = "Ends your work and tells your colleague what came of it.";
    let summary = json!({"summary": {"type": "string", "description": "What you did and what the screen shows now."}});
    function(REPORT, about, &summary, &["summary"])
}

/// The outcome of a call, in words.
pub(super) fn outcome(call: &ToolCall, came: Result<String, String>) -> Piece {
    let is_error = came.is_err();
    let text = came.unwrap_or_else(|why| why);
    Piece::Outcome { id: call.id.clone(), name: call.name.clone(), pieces: vec![Piece::text(text)], is_error }
}

/// A text among the arguments of a call.
pub(super) fn text<'a>(call: &'a ToolCall, key: &str) -> Option<&'a str> {
    call.input[key].as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// The calls of a message, those of such a name first, then the others.
pub(super) fn parted<'a>(message: &'a Message, names: &[&str]) -> (Vec<&'a ToolCall>, Vec<&'a ToolCall>) {
    message.calls().partition(|call| call.native.is_none() && names.contains(&call.name.as_str()))
}

fn function(name: &str, about: &str, properties: &Value, required: &[&str]) -> Tool {
    let schema = json!({"type": "object", "properties": properties, "required": required});
    Tool::Function { name: name.to_owned(), about: about.to_owned(), schema: schema.into() }
}
