//! The world's actions as tools: what a model, or an outside agent over a bridge, can call, and what a call says.
//!
//! The list follows from the surface alone, so that a loop and a bridge offer the same. A call is not carried out here:
//! it becomes the words of a turn ([`read`]), which `play` reads like any other agent's.

mod desktop;
mod function;

use quintain_core::Reply;
use quintain_core::action::Dialect;
use quintain_core::surface::{ActionGroup, Surface};
use serde_json::{Value, json};

use crate::model::{Points, Tool, ToolCall};
use function::{FunctionField, function};

/// With what a model takes hold of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScreenTool {
    /// With its own computer tool, and functions for what that cannot say.
    Native {
        /// How the calls of that tool are written.
        dialect: Dialect,
        /// Pixels across and down of the pictures it is shown.
        shown: (u32, u32),
    },
    /// With our functions alone.
    Schema,
}

/// How places on the screen are named in our functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointing {
    /// By points.
    Points(Points),
    /// By the numbers of marked elements; by points where nothing is marked.
    Marks(Points),
    /// In words, for somebody else to find.
    Target,
}

/// How a model saw the screen when it called: what its points mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// How the calls of its own computer tool are written, where it has one.
    pub computer: Option<Dialect>,
    /// How it gives points in our functions.
    pub points: Points,
    /// Pixels across and down of the screen as it was shown; nothing where no screen was.
    pub shown: Option<(u32, u32)>,
}

/// Everything that can be called on a surface, the endings last. `answer` is the shape of the answer that the task asks
/// for, as [`quintain_core::Briefing`] has it.
pub fn tools(surface: &Surface, answer: Option<&Value>, hand: ScreenTool, pointing: Pointing) -> Vec<Tool> {
    let has = |group| surface.groups.contains(&group);
    let mut tools: Vec<Tool> = surface.calls.iter().map(of_puzzle).collect();
    if has(ActionGroup::Gui) {
        tools.extend(on_screen(hand, pointing));
    }
    // Google's own tool navigates; the others' do not.
    let navigates =
        matches!(hand, ScreenTool::Native { dialect: Dialect::Google | Dialect::Gemini, .. }) && has(ActionGroup::Gui);
    if has(ActionGroup::Browser) && !navigates {
        tools.extend(browser());
    }
    tools.extend(has(ActionGroup::Shell).then(shell));
    tools.extend(has(ActionGroup::Code).then(code));
    tools.extend(has(ActionGroup::Api).then(api));
    let notes = answer.filter(|_| has(ActionGroup::Note));
    tools.extend(notes.map(note));
    tools.extend(endings(answer));
    tools
        .extend(notes.map(|_| function("done", "Ends the task and hands in what is noted. There is no way back.", [])));
    tools
}

/// What a call says, as the words of a turn. Usage, slips and memory are the caller's to add.
pub fn read(call: &ToolCall, sight: &Sight) -> Reply {
    if let (Some(native), Some(dialect)) = (&call.native, sight.computer) {
        return Reply { raw: native.clone(), dialect: Some(dialect), seen: sight.shown, ..Reply::default() };
    }
    Reply { raw: spoken(call), seen: sight.shown.map(|shown| sight.points.size(shown)), ..Reply::default() }
}

/// A call of one of our functions, as the tolerant dialect reads it.
pub fn spoken(call: &ToolCall) -> String {
    json!({"name": call.name, "arguments": call.input}).to_string()
}

/// The name of a tool; nothing for a model's own computer tool.
pub fn name(tool: &Tool) -> Option<&str> {
    match tool {
        Tool::Function { name, .. } => Some(name),
        Tool::Computer { .. } => None,
    }
}

fn of_puzzle(call: &quintain_core::surface::CallSchema) -> Tool {
    Tool::Function { name: call.name.clone(), about: call.about.clone(), schema: call.json_schema().into() }
}

fn on_screen(hand: ScreenTool, pointing: Pointing) -> Vec<Tool> {
    let functions = desktop::functions(pointing);
    let ScreenTool::Native { dialect, shown } = hand else { return functions };
    let unsaid = desktop::unsaid_by(dialect);
    let needed = functions.into_iter().filter(|tool| name(tool).is_some_and(|name| unsaid.contains(&name)));
    std::iter::once(Tool::Computer { size: shown }).chain(needed).collect()
}

fn browser() -> [Tool; 3] {
    [
        function("goto", "Opens an address of this application.", [FunctionField::text("url", "The address.")]),
        function("back", "Goes back in the history.", []),
        function("forward", "Goes forward in the history.", []),
    ]
}

fn shell() -> Tool {
    function(
        "shell",
        "Runs a command line and shows what it prints.",
        [FunctionField::text("command", "The command line.")],
    )
}

fn code() -> Tool {
    let fields = [
        FunctionField::text("language", "The language, such as python."),
        FunctionField::text("source", "The program text."),
    ];
    function("code", "Runs a program text and shows what it prints.", fields)
}

fn api() -> Tool {
    let args = FunctionField::new("args", json!({"type": "object"}), "Its arguments by name.").optional();
    let fields = [FunctionField::text("method", "The method."), args];
    function("api", "Calls a method of the application's own interface.", fields)
}

/// Any of the fields of the answer, noted on the way.
fn note(answer: &Value) -> Tool {
    let fields = answer.as_object().into_iter().flatten();
    let fields = fields.map(|(key, kind)| answer_field(key, kind.as_str().unwrap_or("a value")).optional());
    let about =
        "Writes fields of the answer down as you find them, and goes on. What was noted stays unless it is noted anew.";
    function("note", about, fields)
}

/// An answer where the task asks for one, else the state as it is; or that it cannot be done.
fn endings(answer: Option<&Value>) -> [Tool; 2] {
    let end = match answer.and_then(Value::as_object) {
        Some(fields) => {
            let fields = fields.iter().map(|(key, kind)| answer_field(key, kind.as_str().unwrap_or("a value")));
            function("answer", "Gives the answer and ends the task. There is no way back.", fields)
        }
        None => function("done", "Ends the task and hands in the state as it is. There is no way back.", []),
    };
    let reason = FunctionField::text("reason", "Why it cannot be done.");
    [end, function("give_up", "Ends the task because it cannot be done at all. There is no way back.", [reason])]
}

fn answer_field(key: &str, kind: &str) -> FunctionField {
    let schema = match kind {
        "a text" => json!({"type": "string"}),
        "a number" => json!({"type": "number"}),
        "true or false" => json!({"type": "boolean"}),
        "a list" => json!({"type": "array", "items": {}}),
        "an object" => json!({"type": "object"}),
        _ => json!({}),
    };
    FunctionField::new(key, schema, kind)
}

#[cfg(test)]
mod tests;
