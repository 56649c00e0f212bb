//! Models behind an address that others may know: who asks must have the trial's key.

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};

/// Where clients put their keys: OpenAI's way, Anthropic's and Google's.
pub(super) const KEY_HEADERS: [&str; 3] = ["authorization", "x-api-key", "x-goog-api-key"];

/// The routes for who has the key. Only requests that one of them would take are looked at.
pub(crate) fn behind_key(routes: Router, key: &str) -> Router {
    routes.route_layer(from_fn_with_state(key.to_owned(), demand))
}

async fn demand(State(key): State<String>, request: Request, next: Next) -> Response {
    if brings(request.headers(), &key) {
        return next.run(request).await;
    }
    let why =
        "no key of this trial came with the request: it is in OPENAI_API_KEY, ANTHROPIC_API_KEY and GEMINI_API_KEY";
    (StatusCode::UNAUTHORIZED, why).into_response()
}

fn brings(headers: &HeaderMap, key: &str) -> bool {
    let values = KEY_HEADERS.iter().filter_map(|name| headers.get(*name)?.to_str().ok());
    values.map(|value| value.strip_prefix("Bearer ").unwrap_or(value)).any(|brought| brought == key)
}
