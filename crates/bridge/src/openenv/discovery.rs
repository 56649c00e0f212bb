//! What tells of a server before anything is played: its interface, its tasks, and the endpoint for tools.
//!
//! Shapes as in `OpenEnv`'s `env_server/http_server.py` (0.10.0); `openenv validate` asks for the first and the last.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::message::OpenEnvFailure;
use super::{OpenEnv, actions};

/// The only environment here, by the name that the task interface has for it.
pub(super) const NAME: &str = "quintain";
/// The only split: nothing here is meant to be trained on.
const SPLIT: &str = "test";

/// The version of the protocol, as `OpenEnv`'s own servers declare it.
const PROTOCOL: &str = "1.0.0";

/// Codes of JSON-RPC.
const PARSE_ERROR: i64 = -32_700;
const INVALID_REQUEST: i64 = -32_600;
const METHOD_NOT_FOUND: i64 = -32_601;
const INTERNAL_ERROR: i64 = -32_603;

/// The addresses of the server, as an `OpenAPI` document.
pub(super) async fn openapi() -> Json<Value> {
    let answers = json!({"responses": {"200": {"description": "The answer."}}});
    let posts =
        ["/reset", "/step", "/mcp", "/quintain/tasks", "/quintain/num_tasks", "/quintain/task", "/quintain/task_range"];
    let gets = ["/state", "/schema", "/metadata", "/health", "/list_environments", "/quintain/splits"];
    let posts = posts.map(|path| (path.to_owned(), json!({"post": answers})));
    let gets = gets.map(|path| (path.to_owned(), json!({"get": answers})));
    let paths: serde_json::Map<String, Value> = posts.into_iter().chain(gets).collect();
    Json(json!({"openapi": "3.1.0", "info": {"title": NAME, "version": PROTOCOL}, "paths": paths}))
}

/// Which tasks are asked about.
#[derive(Debug, Deserialize)]
pub(super) struct TaskQuery {
    split: String,
    index: Option<usize>,
    start: Option<usize>,
    stop: Option<usize>,
}

pub(super) async fn environments() -> Json<Value> {
    Json(json!([NAME]))
}

pub(super) async fn splits() -> Json<Value> {
    Json(json!([{"name": SPLIT, "type": SPLIT}]))
}

pub(super) async fn tasks(State(env): State<Arc<OpenEnv>>, Json(query): Json<TaskQuery>) -> Response {
    told(&env, &query, |tasks| Some(json!({"tasks": tasks, "env_name": NAME})))
}

pub(super) async fn num_tasks(State(env): State<Arc<OpenEnv>>, Json(query): Json<TaskQuery>) -> Response {
    told(&env, &query, |tasks| Some(json!({"num_tasks": tasks.len()})))
}

pub(super) async fn task(State(env): State<Arc<OpenEnv>>, Json(query): Json<TaskQuery>) -> Response {
    told(&env, &query, |tasks| Some(json!({"task": tasks.get(query.index?)?})))
}

pub(super) async fn task_range(State(env): State<Arc<OpenEnv>>, Json(query): Json<TaskQuery>) -> Response {
    told(&env, &query, |tasks| {
        let stop = query.stop.unwrap_or(tasks.len()).min(tasks.len());
        Some(json!({"tasks": tasks.get(query.start.unwrap_or(0).min(stop)..stop)?}))
    })
}

/// What is told of the tasks of a split; nothing is told of another split or of a task that there is not.
fn told(env: &OpenEnv, query: &TaskQuery, tell: impl FnOnce(&[Value]) -> Option<Value>) -> Response {
    let dishes = env.menu.dishes().iter().enumerate();
    let tasks: Vec<Value> =
        dishes.map(|(index, dish)| json!({"id": dish.instance.to_string(), "index": index})).collect();
    let found = if query.split == SPLIT { tell(&tasks) } else { None };
    let wrong = || {
        let why = format!("there are {} tasks in the split `{SPLIT}`, and no other split", tasks.len());
        (StatusCode::BAD_REQUEST, Json(json!({"detail": why}))).into_response()
    };
    found.map_or_else(wrong, |found| Json(found).into_response())
}

/// Tools over JSON-RPC, for the episode that is named or began last: its actions are the tools, a call is a step.
pub(super) async fn mcp(State(env): State<Arc<OpenEnv>>, body: Bytes) -> Json<Value> {
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return failed(&Value::Null, PARSE_ERROR, "the body is not JSON");
    };
    let (id, params) = (request.get("id").cloned().unwrap_or_default(), &request["params"]);
    let Some(method) = request["method"].as_str().filter(|_| request["jsonrpc"] == "2.0") else {
        return failed(&id, INVALID_REQUEST, "a request has `jsonrpc` 2.0 and a `method`");
    };
    let came = match method {
        "tools/list" => env.listed(params).await,
        "tools/call" => env.called(params).await,
        other => return failed(&id, METHOD_NOT_FOUND, &format!("there is no method `{other}`")),
    };
    match came {
        Ok(result) => Json(json!({"jsonrpc": "2.0", "id": id, "result": result})),
        Err(failure) => failed(&id, INTERNAL_ERROR, failure.data()["message"].as_str().unwrap_or_default()),
    }
}

fn failed(id: &Value, code: i64, message: &str) -> Json<Value> {
    Json(json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}))
}

impl OpenEnv {
    async fn listed(&self, params: &Value) -> Result<Value, OpenEnvFailure> {
        let episode = self.episode(params["episode_id"].as_str()).await?;
        let listed = actions(episode.lock().await.session.briefing());
        let tools = listed.as_array().into_iter().flatten().map(|action| {
            json!({"name": action["name"], "description": action["about"], "inputSchema": action["arguments"]})
        });
        Ok(json!({"tools": tools.collect::<Vec<_>>()}))
    }

    async fn called(&self, params: &Value) -> Result<Value, OpenEnvFailure> {
        let episode = self.episode(params["episode_id"].as_str()).await?;
        let action = json!({"name": params["name"], "arguments": params.get("arguments").unwrap_or(&json!({}))});
        let observed = episode.lock().await.step(&action).await?;
        let text = observed["observation"]["text"].as_str().unwrap_or_default();
        let pictures = observed["observation"]["pictures"].as_object().into_iter().flatten();
        let images = pictures.map(|(_, picture)| json!({"type": "image", "data": picture, "mimeType": "image/png"}));
        let content: Vec<Value> = std::iter::once(json!({"type": "text", "text": text})).chain(images).collect();
        let told = json!({"reward": observed["reward"], "done": observed["done"]});
        Ok(json!({"content": content, "structuredContent": told, "isError": false}))
    }
}
