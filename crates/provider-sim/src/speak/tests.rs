//! What a mind says is read back as every loop reads it, and must mean what was recorded.

mod coordinates;
mod others;
mod read_back;

use std::sync::Arc;

use quintain_core::Action;
use quintain_core::action::Dialect;
use quintain_core::surface::{ActionGroup, CallSchema, Surface, ValueType};
use quintain_models::model::{Points, Tool, ToolCall};
use quintain_models::tools::{self, Pointing, ScreenTool, Sight};
use serde_json::{Value, json};

use super::*;
use crate::asked::{Api, Function, OfferedComputer, SaidMessage, SaidPiece, Units};
use crate::mind::{Mind, MindReply, SpokenCall};

const SCREEN: (u32, u32) = (1280, 720);

fn surface() -> Surface {
    surface_of(SCREEN)
}

fn surface_of(screen: (u32, u32)) -> Surface {
    let groups = [ActionGroup::Gui, ActionGroup::Browser, ActionGroup::Shell, ActionGroup::Code, ActionGroup::Api];
    let cell = || ValueType::List { of: Box::new(ValueType::Integer { min: 0, max: 9 }), len: 2 };
    let swap = CallSchema::plain("swap", "Swaps.").arg("one", cell(), "", [0, 0]).arg("another", cell(), "", [0, 1]);
    Surface { calls: vec![swap], groups: groups.into(), screen: Some(screen), ..Surface::default() }
}

fn oracle(actions: impl IntoIterator<Item = Action>) -> RecordedOracle {
    oracle_on(SCREEN, actions)
}

fn oracle_on(screen: (u32, u32), actions: impl IntoIterator<Item = Action>) -> RecordedOracle {
    let recording = Arc::new(Recording { actions: actions.into_iter().collect(), screen: Some(screen) });
    RecordedOracle::new(Arc::new(move |instance| (instance == "here").then(|| Arc::clone(&recording))))
}

fn said(by_model: bool, what: SaidPiece) -> SaidMessage {
    SaidMessage { by_model, what, breakpoint: false, tokens: 1, print: 0 }
}

fn words(text: &str) -> SaidMessage {
    said(false, SaidPiece::Text(text.to_owned()))
}

/// A request of this turn that offers nothing and shows a picture of this size.
fn asked(api: Api, turn: u32, shown: (u32, u32)) -> ReadRequest {
    ReadRequest {
        api,
        model: "sim".to_owned(),
        instance: Some("here".to_owned()),
        units: Units::Pixels,
        system: String::new(),
        said: vec![words(&format!("Turn {turn}.\nRemaining: 3 steps")), said(false, SaidPiece::Picture(shown))],
        functions: Vec::new(),
        computer: None,
        must_call: false,
        one_call: false,
        thoughts: false,
        max_output: 1000,
    }
}

/// The tools of ours as a request offers them.
fn offering(asked: ReadRequest, offered: &[Tool]) -> ReadRequest {
    let functions = offered.iter().filter_map(|tool| match tool {
        Tool::Function { name, schema, .. } => Some(Function { name: name.clone(), schema: (**schema).clone() }),
        Tool::Computer { .. } => None,
    });
    ReadRequest { functions: functions.collect(), ..asked }
}

fn with_functions(asked: ReadRequest, pointing: Pointing) -> ReadRequest {
    let offered = tools::tools(&surface(), None, ScreenTool::Schema, pointing);
    offering(asked, &offered)
}

/// With the provider's own computer tool and what it cannot say.
fn with_computer(asked: ReadRequest, dialect: Dialect, shown: (u32, u32)) -> ReadRequest {
    let hand = ScreenTool::Native { dialect, shown };
    let asked = offering(asked, &tools::tools(&surface(), None, hand, Pointing::Points(Points::Pixels)));
    let size = (dialect == Dialect::Anthropic).then_some(shown);
    let model = if dialect == Dialect::Gemini { "gemini-3.5-flash".to_owned() } else { asked.model.clone() };
    ReadRequest { computer: Some(OfferedComputer { size, excluded: Vec::new() }), model, ..asked }
}

/// What a loop makes of what was said.
fn heard(say: &MindReply, sight: &Sight) -> Action {
    heard_on(&surface(), say, sight)
}

fn heard_on(surface: &Surface, say: &MindReply, sight: &Sight) -> Action {
    let reply = match say.calls.as_slice() {
        [] => quintain_core::Reply {
            raw: say.text.clone().unwrap_or_default(),
            seen: sight.shown.map(|shown| sight.points.size(shown)),
            ..quintain_core::Reply::default()
        },
        [call] => tools::read(&tool_call(call), sight),
        several => panic!("several calls: {several:?}"),
    };
    reply.read(surface).unwrap_or_else(|misread| panic!("{misread}: {say:?}"))
}

fn tool_call(spoken: &SpokenCall) -> ToolCall {
    let (name, input, native) = match spoken {
        SpokenCall::Function { name, arguments } => (name.clone(), arguments.clone(), None),
        SpokenCall::Native(Value::Array(actions)) => {
            ("computer".to_owned(), Value::Null, Some(json!({"actions": actions})))
        }
        SpokenCall::Native(value) => ("computer".to_owned(), Value::Null, Some(value.clone())),
    };
    ToolCall { id: "1".to_owned(), name, input, native: native.map(|value| value.to_string()), opaque: None }
}

/// Whether two actions are the same but for this many pixels.
fn is_near(one: &Value, other: &Value, pixels: f64) -> bool {
    match (one, other) {
        (Value::Number(a), Value::Number(b)) => (a.as_f64().unwrap() - b.as_f64().unwrap()).abs() <= pixels,
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_near(a, b, pixels)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| is_near(a, b, pixels)))
        }
        (a, b) => a == b,
    }
}

/// The calls of a mind on a line each.
fn listed(say: &MindReply) -> String {
    let call = |call: &SpokenCall| match call {
        SpokenCall::Function { name, arguments } => format!("{name} {arguments}"),
        SpokenCall::Native(value) => format!("computer {value}"),
    };
    let lines = say.text.iter().cloned().chain(say.calls.iter().map(call));
    lines.collect::<Vec<_>>().join("\n")
}
