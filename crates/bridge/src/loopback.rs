//! One server on loopback for many trials: each has a room of its own, behind an address that nobody can guess.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, RwLock};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use quintain_core::lock::LockAlways as _;
use tokio::runtime::Handle;
use tower::ServiceExt as _;

use super::running_server::RunningServer;

type TrialRoutes = Arc<RwLock<BTreeMap<String, Router>>>;

/// A server on loopback. When it is dropped, it closes.
pub struct LoopbackServer {
    server: RunningServer,
    rooms: TrialRoutes,
}

/// A room in a house. When it is dropped, nobody is there any more.
pub struct TrialRoute {
    token: String,
    url: String,
    rooms: TrialRoutes,
}

impl LoopbackServer {
    /// Opens a server on loopback; port 0 means any that is free.
    pub fn open(port: u16) -> io::Result<Self> {
        let rooms = TrialRoutes::default();
        let routes = Router::new().fallback(show_in).with_state(Arc::clone(&rooms));
        Ok(Self { server: RunningServer::open(port, |_address| routes)?, rooms })
    }

    /// A room for one trial. What is in it is made for the address it has.
    pub fn room(&self, furnish: impl FnOnce(&str) -> Router) -> io::Result<TrialRoute> {
        let token = token()?;
        let url = format!("http://{}/t/{token}", self.server.address());
        let router = furnish(&url);
        self.rooms.write().always().insert(token.clone(), router);
        Ok(TrialRoute { token, url, rooms: Arc::clone(&self.rooms) })
    }

    /// The port that it listens on.
    pub fn port(&self) -> u16 {
        self.server.address().port()
    }

    /// Where the house does its work.
    pub fn runtime(&self) -> Handle {
        self.server.runtime()
    }
}

impl TrialRoute {
    /// Its address, without a slash at the end.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The part of its address that nobody can guess.
    pub(crate) fn token(&self) -> &str {
        &self.token
    }
}

impl Drop for TrialRoute {
    fn drop(&mut self) {
        self.rooms.write().always().remove(&self.token);
    }
}

/// Shows a request to its room. Inside, paths begin at the room's door.
async fn show_in(State(rooms): State<TrialRoutes>, mut request: Request) -> Response {
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let Some((token, rest)) = room_and_rest(path) else { return nobody() };
    let room = rooms.read().always().get(token).cloned();
    let (Some(room), Ok(rest)) = (room, rest.parse::<Uri>()) else { return nobody() };
    *request.uri_mut() = rest;
    match room.oneshot(request).await {
        Ok(response) => response,
        Err(never) => match never {},
    }
}

/// The token and the path behind it: `/t/TOKEN/act?x` is `TOKEN` and `/act?x`.
fn room_and_rest(path: &str) -> Option<(&str, String)> {
    let path = path.strip_prefix("/t/")?;
    let end = path.find(['/', '?']).unwrap_or(path.len());
    let (token, rest) = path.split_at(end);
    let slash = if rest.starts_with('/') { "" } else { "/" };
    Some((token, format!("{slash}{rest}")))
}

fn nobody() -> Response {
    (StatusCode::NOT_FOUND, "there is no trial at this address, or it is over").into_response()
}

/// A name that cannot be guessed.
fn token() -> io::Result<String> {
    let mut bytes = [0_u8; 16];
    let n_read = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())?;
    if n_read < bytes.len() {
        return Err(io::Error::other("the system has too little randomness"));
    }
    Ok(format!("{:032x}", u128::from_le_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_begin_at_the_rooms_door() {
        let told = ["/t/abc", "/t/abc/", "/t/abc?x=1", "/t/abc/act?x", "/t/", "/abc", "/", "/t"].map(|path| {
            room_and_rest(path)
                .map_or_else(|| format!("{path}: nobody"), |(token, rest)| format!("{path}: `{token}` {rest}"))
        });
        insta::assert_snapshot!(told.join("\n"), @r"
        /t/abc: `abc` /
        /t/abc/: `abc` /
        /t/abc?x=1: `abc` /?x=1
        /t/abc/act?x: `abc` /act?x
        /t/: `` /
        /abc: nobody
        /: nobody
        /t: nobody
        ");
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (token().unwrap(), token().unwrap());
        assert_eq!((a.len(), b.len()), (32, 32));
        assert_ne!(a, b);
    }
}
