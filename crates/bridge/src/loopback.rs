//! One server on loopback for many trials: each has a room of its own, behind an address that nobody can guess.

use std::collections::BTreeMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use quintain_core::lock::LockAlways as _;
use tokio::net::TcpListener;
use tokio::runtime::{Handle, Runtime};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tower::ServiceExt as _;

use super::own_host::at_own_host;

/// How long answers that are under way may take when the house closes.
const CLOSING_LIMIT: Duration = Duration::from_secs(2);

type TrialRoutes = Arc<RwLock<BTreeMap<String, Router>>>;

/// A server on loopback. When it is dropped, it closes.
pub struct LoopbackServer {
    address: SocketAddr,
    rooms: TrialRoutes,
    close: Option<(oneshot::Sender<()>, JoinHandle<io::Result<()>>)>,
    runtime: Option<Runtime>,
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
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("quintain-house")
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, port)))?;
        let address = listener.local_addr()?;
        let rooms = TrialRoutes::default();
        let server = at_own_host(Router::new().fallback(show_in).with_state(Arc::clone(&rooms)), address);
        let (close, closed) = oneshot::channel();
        let serving = axum::serve(listener, server).with_graceful_shutdown(async {
            // An error means that the house is gone, which is the same.
            drop(closed.await);
        });
        let task = runtime.spawn(async { serving.await });
        Ok(Self { address, rooms, close: Some((close, task)), runtime: Some(runtime) })
    }

    /// A room for one trial. What is in it is made for the address it has.
    pub fn room(&self, furnish: impl FnOnce(&str) -> Router) -> io::Result<TrialRoute> {
        let token = token()?;
        let url = format!("http://{}/t/{token}", self.address);
        let router = furnish(&url);
        self.rooms.write().always().insert(token.clone(), router);
        Ok(TrialRoute { token, url, rooms: Arc::clone(&self.rooms) })
    }

    /// Where the house does its work.
    pub fn runtime(&self) -> Handle {
        self.runtime.as_ref().expect("a house has a runtime until it is dropped").handle().clone()
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

impl Drop for LoopbackServer {
    fn drop(&mut self) {
        let (Some(runtime), Some((close, task))) = (self.runtime.take(), self.close.take()) else { return };
        // Whoever is not done by then is cut off; a server that broke has nothing left to close.
        let _gone = close.send(());
        drop(runtime.block_on(async { tokio::time::timeout(CLOSING_LIMIT, task).await }));
        runtime.shutdown_background();
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
