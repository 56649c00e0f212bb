//! What a client is told when nothing is left to pay with, in the words of its provider, so that it stops by itself.
//! Whoever is not known to say it otherwise says it as OpenAI does.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use quintain_models::providers::Provider;
use serde_json::{Value, json};

/// Nothing is left to pay with.
///
/// Shapes: <https://docs.anthropic.com/en/api/errors> (`billing_error`),
/// <https://platform.openai.com/docs/guides/error-codes> (`insufficient_quota`),
/// <https://ai.google.dev/gemini-api/docs/troubleshooting> (`RESOURCE_EXHAUSTED`).
pub(crate) fn spent(provider: Provider, why: &str) -> Response {
    let (status, body) = match provider {
        Provider::Anthropic => (StatusCode::PAYMENT_REQUIRED, anthropic("billing_error", why)),
        Provider::Google => (StatusCode::TOO_MANY_REQUESTS, google(429, "RESOURCE_EXHAUSTED", why)),
        _ => (StatusCode::TOO_MANY_REQUESTS, openai("insufficient_quota", why)),
    };
    said(status, body)
}

/// The request cannot be passed on from here.
pub(crate) fn unavailable(provider: Provider, why: &str) -> Response {
    let body = match provider {
        Provider::Anthropic => anthropic("api_error", why),
        Provider::Google => google(502, "UNAVAILABLE", why),
        _ => openai("server_error", why),
    };
    said(StatusCode::BAD_GATEWAY, body)
}

/// There is no key to ask with, nowhere to ask, or no price where money is limited. Asking again is no use.
pub(crate) fn locked(provider: Provider, why: &str) -> Response {
    let body = match provider {
        Provider::Anthropic => anthropic("authentication_error", why),
        Provider::Google => google(401, "UNAUTHENTICATED", why),
        _ => openai("invalid_api_key", why),
    };
    said(StatusCode::UNAUTHORIZED, body)
}

/// Both makers' libraries heed this header.
fn said(status: StatusCode, body: Value) -> Response {
    let retry = if status == StatusCode::BAD_GATEWAY { "true" } else { "false" };
    (status, [("x-should-retry", retry)], Json(body)).into_response()
}

fn anthropic(kind: &str, why: &str) -> Value {
    json!({ "type": "error", "error": { "type": kind, "message": why } })
}

fn openai(kind: &str, why: &str) -> Value {
    json!({ "error": { "message": why, "type": kind, "param": null, "code": kind } })
}

fn google(code: u16, status: &str, why: &str) -> Value {
    json!({ "error": { "code": code, "message": why, "status": status } })
}
