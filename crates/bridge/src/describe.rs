//! A trial that describes itself: a client that knows nothing but its address reads the task, looks, acts, asks a model
//! and ends.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use quintain_core::{Briefing, ObservationPart};
use quintain_models::model::{Points, Tool, ToolCall};
use quintain_models::screen::png;
use quintain_models::tools::{self, Pointing, ScreenTool, Sight};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::mcp::McpServer;
use super::seat::ShownTurn;
use super::served_app::broken;
use super::session::SessionState;
use super::slot::GuestSlot;
use super::words;

/// What a client posts to act: one of the tools, by name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PostedAction {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
}

#[derive(Clone)]
struct DescribedTrial {
    url: String,
    slot: Arc<GuestSlot>,
}

/// The room of a trial: its description, what is seen, what can be done, and the same as MCP under `/mcp`.
pub fn describe(url: &str, slot: &Arc<GuestSlot>) -> Router {
    Router::new()
        .route("/", get(description))
        .route("/observation", get(observation))
        .route("/screen.png", get(screen))
        .route("/pictures/{part}", get(picture))
        .route("/act", post(act))
        .with_state(DescribedTrial { url: url.to_owned(), slot: Arc::clone(slot) })
        .nest_service("/mcp", McpServer::new(Arc::clone(slot)).router())
}

async fn description(State(door): State<DescribedTrial>) -> Response {
    let (briefing, at) = match (door.slot.briefing().await, door.slot.at().await) {
        (Ok(briefing), Ok(at)) => (briefing, at),
        (Err(error), _) | (_, Err(error)) => return broken(&error),
    };
    Json(described(&door.url, &briefing, &at)).into_response()
}

fn described(url: &str, briefing: &Briefing, at: &SessionState) -> Value {
    let answer = briefing.answer.as_ref();
    let listed = tools::tools(&briefing.surface, answer, ScreenTool::Schema, Pointing::Points(Points::Pixels));
    let listed: Vec<Value> = listed.into_iter().filter_map(tool).collect();
    json!({
        "instruction": briefing.instruction,
        "limits": briefing.limits,
        "answer": briefing.answer,
        "screen": briefing.surface.screen,
        "tools": listed,
        "links": {
            "observation": format!("{url}/observation"),
            "screen": format!("{url}/screen.png"),
            "act": { "method": "POST", "url": format!("{url}/act"), "body": { "name": "TOOL", "arguments": {} } },
            "mcp": format!("{url}/mcp"),
            "models": { "anthropic": url, "openai": format!("{url}/v1"), "google": url, "key": "as OPENAI_API_KEY says" },
        },
        "observation": seen(url, at),
    })
}

fn tool(tool: Tool) -> Option<Value> {
    match tool {
        Tool::Function { name, about, schema } => {
            Some(json!({ "name": name, "description": about, "parameters": schema }))
        }
        Tool::Computer { .. } => None,
    }
}

/// What is seen now: the words as a model would read them, and where the pictures are.
fn seen(url: &str, at: &SessionState) -> Value {
    match at {
        SessionState::Over(_) => json!({ "over": true }),
        SessionState::Turn(shown) => {
            let pictures: Map<String, Value> = pictures(url, shown).collect();
            json!({
                "over": false,
                "turn": shown.step_idx + 1,
                "text": words::turn(shown),
                "pictures": pictures,
                "remaining": shown.remaining,
            })
        }
    }
}

fn pictures(url: &str, shown: &ShownTurn) -> impl Iterator<Item = (String, Value)> {
    let parts: Vec<ObservationPart> = shown.observation.pictures.keys().copied().collect();
    parts.into_iter().map(move |part| (part.to_string(), format!("{url}/pictures/{part}.png").into()))
}

async fn observation(State(door): State<DescribedTrial>) -> Response {
    match door.slot.at().await {
        Ok(at) => Json(seen(&door.url, &at)).into_response(),
        Err(error) => broken(&error),
    }
}

async fn act(State(door): State<DescribedTrial>, text: String) -> Response {
    let PostedAction { name, arguments } = match serde_json::from_str(&text) {
        Ok(deed) => deed,
        Err(error) => return (StatusCode::BAD_REQUEST, format!("this does nothing: {error}")).into_response(),
    };
    let briefing = match door.slot.briefing().await {
        Ok(briefing) => briefing,
        Err(error) => return broken(&error),
    };
    let sight = Sight { computer: None, points: Points::Pixels, shown: briefing.surface.screen };
    let input = Value::Object(arguments);
    let call = ToolCall { id: String::new(), name, input, native: None, opaque: None };
    match door.slot.reply(tools::read(&call, &sight)).await {
        Ok(at) => Json(seen(&door.url, &at)).into_response(),
        Err(error) => broken(&error),
    }
}

async fn screen(State(door): State<DescribedTrial>) -> Response {
    shown(&door, &ObservationPart::Screen.to_string()).await
}

async fn picture(State(door): State<DescribedTrial>, Path(name): Path<String>) -> Response {
    shown(&door, name.strip_suffix(".png").unwrap_or(&name)).await
}

/// The picture of a part, as a file.
async fn shown(door: &DescribedTrial, part: &str) -> Response {
    let at = match door.slot.at().await {
        Ok(at) => at,
        Err(error) => return broken(&error),
    };
    let SessionState::Turn(shown) = at else { return (StatusCode::GONE, "the trial is over").into_response() };
    let found = shown.observation.pictures.iter().find(|(named, _)| named.to_string() == part);
    let Some((_, screen)) = found else {
        return (StatusCode::NOT_FOUND, "there is no such picture").into_response();
    };
    match png(screen) {
        Ok(file) => ([(header::CONTENT_TYPE, "image/png")], file.to_vec()).into_response(),
        Err(error) => (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()).into_response(),
    }
}
