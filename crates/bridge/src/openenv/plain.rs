//! The protocol over plain HTTP. Episodes are kept by their names between requests, until they end or fall silent.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use super::message::{ErrorCode, OpenEnvFailure, OpenEnvStep, Reset, shaped};
use super::{OpenEnv, TrainerEpisode};

/// Which episode a question is about.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct EpisodeQuery {
    episode_id: Option<String>,
}

pub(super) async fn reset(State(env): State<Arc<OpenEnv>>, body: Bytes) -> Result<Json<Value>, OpenEnvFailure> {
    let reset: Reset = if body.is_empty() { Reset::default() } else { shaped(parsed(&body)?)? };
    let seat = env.seat()?;
    let mut episode = env.begin(&reset, Some(seat)).await?;
    let opening = episode.opening().await?;
    env.keep(episode).await;
    Ok(Json(opening))
}

pub(super) async fn step(State(env): State<Arc<OpenEnv>>, body: Bytes) -> Result<Json<Value>, OpenEnvFailure> {
    let OpenEnvStep { action, timeout_s, episode_id, request_id } = shaped(parsed(&body)?)?;
    let episode = env.episode(episode_id.as_deref()).await?;
    let mut episode = episode.lock_owned().await;
    let patience = timeout_s.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let late = |_elapsed| OpenEnvFailure::new(ErrorCode::ExecutionError, "the action takes longer than `timeout_s`");
    let stepping = episode.step(&action);
    let mut observed = match patience {
        Some(patience) => tokio::time::timeout(patience, stepping).await.map_err(late)??,
        None => stepping.await?,
    };
    if let Some(request_id) = request_id {
        observed["metadata"]["request_id"] = request_id.into();
    }
    Ok(Json(observed))
}

pub(super) async fn state(
    State(env): State<Arc<OpenEnv>>,
    Query(which): Query<EpisodeQuery>,
) -> Result<Json<Value>, OpenEnvFailure> {
    let episode = env.episode(which.episode_id.as_deref()).await?;
    let state = episode.lock().await.state();
    Ok(Json(state))
}

pub(super) async fn health() -> Json<Value> {
    Json(json!({"status": "healthy"}))
}

pub(super) async fn metadata(State(env): State<Arc<OpenEnv>>) -> Json<Value> {
    let tasks: Vec<String> = env.menu.dishes().iter().map(|dish| dish.instance.to_string()).collect();
    Json(json!({
        "name": super::discovery::NAME,
        "description": format!("Trials of {}", tasks.join(", ")),
        "version": env!("CARGO_PKG_VERSION"),
    }))
}

/// What messages look like. What can be done differs between tasks: the first observation of an episode lists it.
pub(super) async fn schema() -> Json<Value> {
    let call = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
        "required": ["name"],
    });
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]});
    let observation = json!({
        "type": "object",
        "properties": {
            "turn": {"type": "integer"},
            "text": {"type": "string"},
            "pictures": {"type": "object", "additionalProperties": {"type": "string", "contentEncoding": "base64"}},
            "remaining": {"type": "object"},
            "instruction": {"type": "string"},
            "actions": {"type": "array"},
            "episode_id": {"type": "string"},
        },
    });
    let state = json!({
        "type": "object",
        "properties": {
            "episode_id": {"type": "string"}, "step_count": {"type": "integer"}, "trial": {"type": "string"},
        },
    });
    Json(json!({"action": {"anyOf": [call, text]}, "observation": observation, "state": state}))
}

fn parsed(body: &[u8]) -> Result<Value, OpenEnvFailure> {
    serde_json::from_slice(body)
        .map_err(|error| OpenEnvFailure::new(ErrorCode::InvalidJson, format!("invalid JSON: {error}")))
}

impl OpenEnv {
    /// Keeps an episode until it is over. One of the same name before it is given up.
    async fn keep(self: &Arc<Self>, episode: TrainerEpisode) {
        let (id, mut over) = (episode.id.clone(), episode.session.over());
        let kept = Arc::new(Mutex::new(episode));
        let weak = Arc::downgrade(&kept);
        let mut episodes = self.episodes.lock().await;
        episodes.by_id.insert(id.clone(), kept);
        episodes.last = Some(id.clone());
        drop(episodes);
        let env = Arc::clone(self);
        tokio::spawn(async move {
            drop(over.wait_for(|is_over| *is_over).await);
            let mut episodes = env.episodes.lock().await;
            let is_same = |kept: &Arc<Mutex<TrainerEpisode>>| std::ptr::eq(Arc::as_ptr(kept), weak.as_ptr());
            if episodes.by_id.get(&id).is_some_and(is_same) {
                episodes.by_id.remove(&id);
            }
        });
    }

    pub(super) async fn episode(&self, id: Option<&str>) -> Result<Arc<Mutex<TrainerEpisode>>, OpenEnvFailure> {
        let episodes = self.episodes.lock().await;
        let id = id.or(episodes.last.as_deref());
        let found = id.and_then(|id| episodes.by_id.get(id)).cloned();
        found.ok_or_else(|| {
            let why = match id {
                Some(id) => format!("there is no episode `{id}`: it is over, or was silent for too long"),
                None => "no episode has begun; reset first".to_owned(),
            };
            OpenEnvFailure::new(ErrorCode::SessionError, why)
        })
    }
}

impl IntoResponse for OpenEnvFailure {
    fn into_response(self) -> Response {
        let status = match self.code {
            ErrorCode::InvalidJson | ErrorCode::UnknownType => StatusCode::BAD_REQUEST,
            ErrorCode::ValidationError => StatusCode::UNPROCESSABLE_ENTITY,
            ErrorCode::ExecutionError => StatusCode::CONFLICT,
            ErrorCode::CapacityReached => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::FactoryError => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::SessionError => StatusCode::NOT_FOUND,
        };
        (status, Json(self.data())).into_response()
    }
}
