//! An app at the address of one trial, for an agent that brings its own browser: the app's files, what its page tells,
//! and how the agent says that it is done.

use std::borrow::Cow;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use quintain_core::Briefing;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::guest_supply::{ending, feedback};
use super::offered_tasks::NotBegun;
use super::slot::GuestSlot;

/// The most that a page may tell at once.
const MAX_TOLD: usize = 32 << 20;

/// What is served to a browser that is not ours.
pub trait ServedApp: Send + Sync {
    /// The file at a path below the app's address; the empty path is the page itself.
    fn file(&self, path: &str) -> Option<SiteFile>;

    /// Takes what the page tells, and returns what it is answered; or what is wrong with it.
    fn tell(&self, text: &str) -> Result<Value, String>;
}

/// A file of a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// What kind of file.
    pub mime: &'static str,
    /// What the browser may do with it: its content security policy.
    pub policy: &'static str,
    /// The file.
    pub bytes: Cow<'static, [u8]>,
}

/// How an agent ends a trial that took place elsewhere.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Submission {
    /// The answer, where the task asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// Why it cannot be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub give_up: Option<String>,
}

/// What came of a submission. The verdict is not for agents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SubmissionResult {
    /// Whether the trial is over.
    pub over: bool,
    /// What was wrong, where it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

#[derive(Clone)]
struct AppRoute {
    url: String,
    site: Arc<dyn ServedApp>,
    slot: Arc<GuestSlot>,
}

/// The room of a trial that takes place in a browser that is not ours.
pub fn app_router(url: &str, site: Arc<dyn ServedApp>, slot: Arc<GuestSlot>) -> Router {
    Router::new()
        .route("/", get(describe))
        .route("/app", get(to_app))
        .route("/app/", get(page))
        .route("/app/tell", post(tell))
        .route("/app/{*path}", get(file))
        .route("/submit", post(submit))
        .layer(DefaultBodyLimit::max(MAX_TOLD))
        .with_state(AppRoute { url: url.to_owned(), site, slot })
}

async fn describe(State(desk): State<AppRoute>) -> Response {
    match desk.slot.briefing().await {
        Ok(briefing) => Json(description(&desk.url, &briefing)).into_response(),
        Err(error) => broken(&error),
    }
}

fn description(url: &str, briefing: &Briefing) -> Value {
    json!({
        "instruction": briefing.instruction,
        "answer": briefing.answer,
        "limits": { "minutes": briefing.limits.minutes, "submissions": briefing.limits.steps },
        "app": format!("{url}/app/"),
        "submit": {
            "method": "POST",
            "url": format!("{url}/submit"),
            "body": { "answer": "the answer, where the task asks for one", "give_up": "why it cannot be done" },
        },
    })
}

async fn to_app(State(desk): State<AppRoute>) -> Redirect {
    Redirect::permanent(&format!("{}/app/", desk.url))
}

async fn page(State(desk): State<AppRoute>) -> Response {
    served(&desk, "")
}

async fn file(State(desk): State<AppRoute>, Path(path): Path<String>) -> Response {
    served(&desk, &path)
}

fn served(desk: &AppRoute, path: &str) -> Response {
    let Some(SiteFile { mime, policy, bytes }) = desk.site.file(path) else {
        return (StatusCode::NOT_FOUND, "the app has no such file").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, mime),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, bytes.into_owned()).into_response()
}

/// Telling may take as long as an answer takes, so it does not hold up the other requests.
async fn tell(State(desk): State<AppRoute>, text: String) -> Response {
    let told = tokio::task::spawn_blocking(move || desk.site.tell(&text)).await;
    match told {
        Ok(Ok(answer)) => Json(answer).into_response(),
        Ok(Err(why)) => (StatusCode::BAD_REQUEST, why).into_response(),
        Err(_panicked) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn submit(State(desk): State<AppRoute>, text: String) -> Response {
    let text = if text.trim().is_empty() { "{}" } else { text.as_str() };
    let Submission { answer, give_up } = match serde_json::from_str(text) {
        Ok(submission) => submission,
        Err(error) => return (StatusCode::BAD_REQUEST, format!("this submits nothing: {error}")).into_response(),
    };
    match desk.slot.reply(ending(answer.as_ref(), give_up.as_deref())).await {
        Ok(at) => Json(match feedback(&at) {
            Some(why) => SubmissionResult { over: false, why: Some(why.to_owned()) },
            None => SubmissionResult { over: true, why: None },
        })
        .into_response(),
        Err(error) => broken(&error),
    }
}

pub(crate) fn broken(error: &NotBegun) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, error.to_string()).into_response()
}
