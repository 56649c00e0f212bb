//! The server: takes requests in every format, lets the mind answer, bills, and goes wrong as often as it is told to.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::{Stream, StreamExt as _, stream};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use super::address::RequestAddress;
use super::asked::{Api, ReadRequest};
use super::billing::{Billing, UsageCounter};
use super::chaos::{CallFate, Chaos};
use super::hosts;
use super::ledger::{BilledCall, BillingLedger};
use super::limit::RequestLimit;
use super::mind::Mind;
use super::wire::{BilledTokens, StreamFrame, WireAnswer, WireFormat, WrongRequest, wire};

/// The largest request that is taken.
const MAX_BODY: usize = 64 << 20;
/// The longest that a refused caller is told to wait.
const LONGEST_HINT_MS: f64 = 400.0;

/// How the provider behaves.
#[derive(Clone, Debug)]
pub struct ProviderSettings {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// What it does wrong.
    pub chaos: Chaos,
    /// How it bills.
    pub billing: Billing,
    /// How long it thinks.
    pub latency: Duration,
    /// Requests that it takes in a minute.
    pub per_minute: Option<usize>,
}

impl Default for ProviderSettings {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            chaos: Chaos::default(),
            billing: Billing::default(),
            latency: Duration::ZERO,
            per_minute: None,
        }
    }
}

/// A provider that is running. It stops when this is dropped.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    ledger: Arc<BillingLedger>,
    stop: Option<oneshot::Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    /// The address without a path: `http://127.0.0.1:8787`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The base URL for clients that name the instance of each trial in it.
    pub fn base_url(&self) -> String {
        format!("{}/mind/{{instance}}", self.url())
    }

    /// What was billed.
    pub fn ledger(&self) -> &BillingLedger {
        &self.ledger
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

/// Starts a provider with this mind.
pub fn start(settings: &ProviderSettings, mind: Arc<dyn Mind>) -> io::Result<Running> {
    let listener = TcpListener::bind(settings.listen)?;
    listener.set_nonblocking(true)?;
    let address = listener.local_addr()?;
    let ledger = Arc::new(BillingLedger::default());
    let state = Arc::new(ServerState::new(settings, mind, Arc::clone(&ledger)));
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let (stop, stopped) = oneshot::channel::<Infallible>();
    let thread = std::thread::Builder::new().name("provider-sim".to_owned()).spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = serve(listener, state) => {}
                _ = stopped => {}
            }
        });
        runtime.shutdown_background(); // Calls that hang would never end by themselves.
    })?;
    Ok(Running { address, ledger, stop: Some(stop), thread: Some(thread) })
}

async fn serve(listener: TcpListener, state: Arc<ServerState>) -> io::Result<()> {
    let router = Router::new()
        .route("/health", get(|| async { axum::Json(json!({ "status": "ok" })) }))
        .route("/ledger", get(books))
        .fallback(answer)
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(state);
    axum::serve(tokio::net::TcpListener::from_std(listener)?, router).await
}

/// Everything that requests share.
struct ServerState {
    mind: Arc<dyn Mind>,
    wires: [Box<dyn WireFormat>; 4],
    chaos: Chaos,
    till: UsageCounter,
    latency: Duration,
    limit: Option<RequestLimit>,
    ledger: Arc<BillingLedger>,
    n_calls: AtomicU64,
}

/// A request that is being answered.
struct OpenRequest<'a> {
    call: String,
    address: &'a RequestAddress,
    wire: &'a dyn WireFormat,
    whim: CallFate,
}

impl ServerState {
    fn new(settings: &ProviderSettings, mind: Arc<dyn Mind>, ledger: Arc<BillingLedger>) -> Self {
        Self {
            mind,
            wires: [Api::Anthropic, Api::Responses, Api::Chat, Api::Google].map(wire),
            chaos: settings.chaos,
            till: UsageCounter::new(settings.billing),
            latency: settings.latency,
            limit: settings.per_minute.map(RequestLimit::new),
            ledger,
            n_calls: AtomicU64::new(0),
        }
    }

    fn wire(&self, api: Api) -> &dyn WireFormat {
        let [anthropic, responses, chat, google] = &self.wires;
        match api {
            Api::Anthropic => anthropic.as_ref(),
            Api::Responses => responses.as_ref(),
            Api::Chat => chat.as_ref(),
            Api::Google => google.as_ref(),
        }
    }

    /// The name that the caller gave this call, or one of ours.
    fn name(&self, headers: &HeaderMap) -> String {
        let n = self.n_calls.fetch_add(1, Ordering::Relaxed);
        let given = headers.get("x-client-request-id").and_then(|name| name.to_str().ok());
        given.map_or_else(|| format!("unnamed-{n}"), str::to_owned)
    }

    /// The refusal of a call that is not taken.
    fn turned_away(&self, visit: &OpenRequest<'_>) -> Option<Response> {
        if let Some(wait) = self.limit.as_ref().and_then(|limit| limit.take(Instant::now()).err()) {
            return Some(refusal(visit.wire, 429, "Rate limit reached", Some(wait)));
        }
        match visit.whim {
            CallFate::Refuse => {
                let wait = Duration::from_millis((self.chaos.draw(&visit.call, "wait") * LONGEST_HINT_MS) as u64 + 10);
                Some(refusal(visit.wire, 429, "Too many requests", Some(wait)))
            }
            CallFate::Break => {
                let status = if self.chaos.draw(&visit.call, "status") < 0.5 { 500 } else { 503 };
                Some(refusal(visit.wire, status, "The service is overloaded or broken", None))
            }
            _ => None,
        }
    }

    /// Reads, lets the mind answer, and bills. The answer comes with its place in the ledger.
    fn think(&self, visit: &OpenRequest<'_>, body: &Value) -> Result<(WireAnswer, usize), WrongRequest> {
        let asked = visit.wire.read(visit.address, body)?;
        let say =
            self.mind.say(&asked).map_err(|unknown| WrongRequest { status: 404, message: unknown.to_string() })?;
        let tokens = self.till.count(&visit.call, &asked, &say);
        let place = self.ledger.add(billed(visit, &asked, tokens));
        let id = format!("sim-{}", visit.call);
        let answer = WireAnswer { id, model: asked.model.clone(), say, thoughts: asked.thoughts, tokens };
        visit.wire.remember(&asked, &answer);
        Ok((answer, place))
    }
}

fn billed(visit: &OpenRequest<'_>, asked: &ReadRequest, tokens: BilledTokens) -> BilledCall {
    BilledCall {
        call: visit.call.clone(),
        api: asked.api.name().to_owned(),
        model: asked.model.clone(),
        instance: asked.instance.clone(),
        tokens,
        cost_usd: tokens.cost_usd(),
        told: false,
    }
}

async fn books(State(state): State<Arc<ServerState>>) -> axum::Json<Value> {
    let (total, told) = state.ledger.total_usd();
    axum::Json(json!({ "total_usd": total, "told_usd": told, "calls": state.ledger.entries() }))
}

async fn answer(
    State(state): State<Arc<ServerState>>,
    method: Method,
    uri: Uri,
    mut headers: HeaderMap,
    body: Bytes,
) -> Response {
    let address = match RequestAddress::read(uri.path()) {
        Ok(address) if method == Method::POST => address,
        Ok(_) => return plain(StatusCode::METHOD_NOT_ALLOWED, "ask with POST"),
        Err(why) => return plain(StatusCode::NOT_FOUND, &why),
    };
    let call = state.name(&headers);
    let whim = state.chaos.decide(&call);
    let visit = OpenRequest { call, address: &address, wire: state.wire(address.api), whim };
    let query = uri.query().unwrap_or_default();
    if address.host.is_some_and(|host| !host.has_query(query)) {
        return refusal(visit.wire, 404, "Resource not found: the query lacks api-version", None);
    }
    if !address.host.map_or_else(|| visit.wire.has_key(&headers, query), |host| host.has_key(&headers)) {
        return refusal(visit.wire, 401, "The key is missing: any key will do", None);
    }
    let mut response = match state.turned_away(&visit) {
        None => attend(&state, &visit, &mut headers, &body).await,
        Some(refusal) => refusal,
    };
    let named = visit.wire.request_header().zip(format!("req-{}", visit.call).parse().ok());
    if let Some((name, value)) = named {
        response.headers_mut().insert(name, value);
    }
    response
}

/// Answers a call that was taken.
async fn attend(state: &ServerState, visit: &OpenRequest<'_>, headers: &mut HeaderMap, body: &[u8]) -> Response {
    if let Err(WrongRequest { status, message }) = visit.wire.size(body.len()) {
        return refusal(visit.wire, status, &message, None);
    }
    let Ok(mut body) = serde_json::from_slice::<Value>(body) else {
        return refusal(visit.wire, 400, "The body is not JSON", None);
    };
    let named = visit.address.model.as_deref().filter(|_| visit.address.api == Api::Anthropic);
    let read = hosts::unpacked(named, headers, &mut body).and_then(|()| visit.wire.headers(headers, &body));
    let (answer, place) = match read.and_then(|()| state.think(visit, &body)) {
        Ok(thought) => thought,
        Err(WrongRequest { status, message }) => return refusal(visit.wire, status, &message, None),
    };
    if !state.latency.is_zero() {
        tokio::time::sleep(state.latency).await;
    }
    // Half of those that go wrong do so before the first byte or by closing the connection.
    let rudely = state.chaos.draw(&visit.call, "rudely") < 0.5;
    if visit.whim == CallFate::Hang && rudely {
        std::future::pending::<()>().await;
    }
    let ledger = Arc::clone(&state.ledger);
    let told = move || ledger.told(place);
    if visit.wire.streams(visit.address, &body) {
        return streamed(&visit.wire.stream(&answer), visit.whim, rudely, told);
    }
    whole(&visit.wire.whole(&answer), visit.whim, told).await
}

/// An answer in one piece, or what is left of it.
async fn whole(answer: &Value, whim: CallFate, told: impl FnOnce()) -> Response {
    let mut text = answer.to_string();
    match whim {
        CallFate::Hang => std::future::pending::<()>().await,
        CallFate::Cut | CallFate::Garble => text.truncate(text.floor_char_boundary(text.len() / 2)),
        CallFate::Answer | CallFate::Refuse | CallFate::Break => told(),
    }
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

/// An answer as a stream of events, or the first half of it.
fn streamed(frames: &[StreamFrame], whim: CallFate, rudely: bool, told: impl FnOnce() + Send + 'static) -> Response {
    let kept = if whim == CallFate::Answer { frames.len() } else { frames.len() / 2 };
    let mut events: Vec<Result<Bytes, io::Error>> = frames[..kept].iter().map(|frame| Ok(written(frame))).collect();
    if whim == CallFate::Garble {
        events.push(Ok(Bytes::from_static(b"data: {\"half a thou\n\n")));
    }
    if whim == CallFate::Cut && rudely {
        events.push(Err(io::Error::other("cut")));
    }
    let said = stream::iter(events);
    let body = match whim {
        CallFate::Hang => Body::from_stream(said.chain(silence())),
        CallFate::Answer => Body::from_stream(said.chain(closing(told))),
        _ => Body::from_stream(said),
    };
    ([(header::CONTENT_TYPE, "text/event-stream")], body).into_response()
}

/// Nothing more, and whoever bills knows that everything was taken.
fn closing(told: impl FnOnce()) -> impl Stream<Item = Result<Bytes, io::Error>> {
    stream::once(async move {
        told();
        Ok(Bytes::new())
    })
}

/// A stream that neither goes on nor ends.
fn silence() -> impl Stream<Item = Result<Bytes, io::Error>> {
    stream::pending()
}

fn written(frame: &StreamFrame) -> Bytes {
    let name = frame.event.map(|name| format!("event: {name}\n")).unwrap_or_default();
    Bytes::from(format!("{name}data: {}\n\n", frame.data))
}

fn refusal(wire: &dyn WireFormat, status: u16, message: &str, wait: Option<Duration>) -> Response {
    let body = wait.map_or_else(|| wire.error(status, message), |wait| wire.error_after(status, message, wait));
    let mut response = axum::Json(body).into_response();
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    for (name, value) in wait.map(|wait| wire.retry_headers(wait)).unwrap_or_default() {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

fn plain(status: StatusCode, why: &str) -> Response {
    (status, axum::Json(json!({ "error": { "message": why } }))).into_response()
}
