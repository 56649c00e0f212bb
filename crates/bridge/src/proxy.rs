//! The metering proxy: an unmodified client whose only setting is a base URL asks its model through us. Requests and
//! answers pass byte for byte; the key is ours, what is used is counted and paid for, and nothing passes once nothing is
//! left.

mod key_demand;
mod meter;
pub(crate) mod refusal;
mod route;
mod tap;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use futures_util::stream::unfold;
use quintain_core::InstanceId;
use quintain_core::books::Purpose;
use quintain_core::exchange::Exchanges;
use quintain_core::percent::percent_encoded;

use quintain_models::catalogue::ModelCatalogue;
use quintain_models::meter::{CallOpening, Meter, NotAdmitted, OpenCall};
use quintain_models::providers::codec::UsedTokens;
use quintain_models::providers::connections::{NotConnected, base_url};
use quintain_models::providers::keys::{KeyHeader, key_in, redact};
use quintain_models::providers::sse::SseReader;
use quintain_models::providers::{ModelSpec, Provider, codec, runtime};
use quintain_models::ration::{Ration, Unlimited};
use route::Route;
use tap::{PassingCall, UsageReader};
use tokio::time::Instant;

use key_demand::KEY_HEADERS;
pub(crate) use key_demand::behind_key;
pub use meter::{ProxyMeter, ProxyStop};

/// The longest request that passes.
const MAX_REQUEST: usize = 256 << 20;

/// How long a call waits for a share of what others use too.
const PATIENCE: Duration = Duration::from_mins(10);
/// The most tokens that a request is expected to have before its answer tells.
const MOST_EXPECTED: u64 = 20_000;

/// Headers that belong to one connection; those with keys do not pass either.
const NOT_PASSED: [&str; 9] = [
    "host",
    "connection",
    "keep-alive",
    "transfer-encoding",
    "content-length",
    "accept-encoding",
    "upgrade",
    "te",
    "trailer",
];

/// Passes calls of models on, for all trials of a run.
#[derive(Clone)]
pub struct Proxy {
    meter: Arc<Meter>,
    ration: Arc<dyn Ration>,
    catalogue: Arc<ModelCatalogue>,
    exchanges: Arc<dyn Exchanges>,
    client: reqwest::Client,
    /// Looks up a variable of the environment.
    environment: Environment,
}

type Environment = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

impl Proxy {
    /// A proxy that pays from this meter, by these prices, and keeps what passes there.
    pub fn new(
        meter: Arc<Meter>,
        catalogue: Arc<ModelCatalogue>,
        exchanges: Arc<dyn Exchanges>,
    ) -> Result<Self, String> {
        let environment = Arc::new(|name: &str| std::env::var(name).ok());
        let ration = Unlimited::shared();
        Ok(Self { meter, ration, catalogue, exchanges, client: runtime::client()?, environment })
    }

    /// The same where calls ask there first whether they may be made.
    #[must_use]
    pub fn rationed(self, ration: Arc<dyn Ration>) -> Self {
        Self { ration, ..self }
    }

    /// The same where addresses and keys of providers are looked up in another environment.
    #[must_use]
    pub fn in_environment(self, environment: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { environment: Arc::new(environment), ..self }
    }

    /// The routes of one trial: the providers' own paths.
    pub fn routes(&self, toll: Arc<ProxyMeter>) -> Router {
        let booth = ProxyRoute { proxy: self.clone(), toll };
        Router::new()
            .route("/v1/{*path}", axum::routing::any(pass))
            .route("/v1beta/{*path}", axum::routing::any(pass))
            .route("/responses", axum::routing::post(pass))
            .route("/chat/completions", axum::routing::post(pass))
            .with_state(booth)
    }

    /// Where a provider is: as the environment says, or at its usual host. Chat completions go to OpenAI where no other
    /// server is named.
    fn upstream(&self, spec: ModelSpec, instance: &InstanceId) -> Result<(ModelSpec, String), String> {
        let is_lost = spec.provider == Provider::Chat && base_url(&spec, self.environment.as_ref()).is_err();
        let provider = if is_lost { Provider::OpenAi } else { spec.provider };
        let spec = ModelSpec { provider, ..spec };
        let base = base_url(&spec, self.environment.as_ref()).map_err(|error| error.to_string())?;
        Ok((spec, base.replace("{instance}", &percent_encoded(&instance.to_string()))))
    }
}

/// Where the calls of one trial pass.
#[derive(Clone)]
struct ProxyRoute {
    proxy: Proxy,
    toll: Arc<ProxyMeter>,
}

/// Passes one request on and its answer back.
async fn pass(State(booth): State<ProxyRoute>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Some(route) = Route::of(&parts.method, parts.uri.path(), &parts.headers) else {
        return (StatusCode::NOT_FOUND, "no provider has this path").into_response();
    };
    let Ok(body) = to_bytes(body, MAX_REQUEST).await else {
        return (StatusCode::PAYLOAD_TOO_LARGE, "the request is too long or was cut").into_response();
    };
    let (sent, model) = match booth.prepare(&route, &parts.method, &parts.headers, parts.uri.query(), &body) {
        Ok(prepared) => prepared,
        Err(why) => return booth.lock(route.provider, why),
    };
    if !route.asks {
        return booth.fetch(route.provider, sent).await;
    }
    match booth.admit(&route, model, &body).await {
        Ok(passing) => booth.ask(route.provider, sent, passing).await,
        Err(refused) => *refused,
    }
}

impl ProxyRoute {
    /// Nothing can be asked from here, and asking again is no use.
    fn lock(&self, provider: Provider, why: String) -> Response {
        let refused = refusal::locked(provider, &why);
        self.toll.is_cut_off(why);
        refused
    }

    /// The request as the provider gets it, the client's own but for the key; and the model it asks, as it is priced.
    fn prepare(
        &self,
        route: &Route,
        method: &Method,
        headers: &HeaderMap,
        query: Option<&str>,
        body: &Bytes,
    ) -> Result<(reqwest::RequestBuilder, String), String> {
        let spec = ModelSpec::new(route.provider, route.model(body));
        let (spec, base) = self.proxy.upstream(spec, &self.toll.trial.instance)?;
        let key = key_in(&spec, self.proxy.environment.as_ref()).map_err(|error| error.to_string())?;
        let mut passed: HeaderMap = headers.clone();
        for name in NOT_PASSED.iter().chain(&KEY_HEADERS) {
            passed.remove(*name);
        }
        if let Some(key) = key {
            let (name, value) = KeyHeader::of(&spec, &base, &key).write(&*codec(spec.provider), &key);
            let value = HeaderValue::from_str(&value).map_err(|_cause| "the key is no header".to_owned())?;
            passed.insert(HeaderName::from_static(name), value);
        }
        let address = route.address(&base, query);
        let sent = self.proxy.client.request(method.clone(), address).headers(passed).body(body.clone());
        Ok((sent, spec.full_name()))
    }

    /// Opens the books for a call, or refuses it because nothing is left.
    async fn admit(&self, route: &Route, model: String, body: &Bytes) -> Result<PassingCall, Box<Response>> {
        let Self { proxy, toll } = self;
        if toll.stopped().is_some() {
            return Err(Box::new(refusal::spent(route.provider, "This trial has used up what it may.")));
        }
        let is_limited = proxy.meter.budget().cost_usd.is_some() || toll.is_limited_in_money();
        if is_limited && proxy.catalogue.price(&model).is_none() {
            return Err(Box::new(self.lock(route.provider, NotConnected::NoPrice(model).to_string())));
        }
        let call = match self.open(&model, body).await {
            Ok(opened) => opened,
            Err(NotAdmitted::OverBudget(_)) => {
                toll.stop_run();
                return Err(Box::new(refusal::spent(route.provider, "The run has used up what it may.")));
            }
            Err(error) => return Err(Box::new(refusal::unavailable(route.provider, &error.to_string()))),
        };
        Ok(PassingCall {
            call: Some(call),
            toll: Arc::clone(toll),
            catalogue: Arc::clone(&proxy.catalogue),
            exchanges: Arc::clone(&proxy.exchanges),
            model,
            path: route.path.clone(),
            request: body.to_vec(),
            status: None,
            ear: UsageReader::Deaf,
            kept: Vec::new(),
            broke: None,
        })
    }

    /// Waits until the call may be made, and opens the books for it.
    async fn open(&self, model: &str, body: &Bytes) -> Result<OpenCall, NotAdmitted> {
        let Self { proxy, toll } = self;
        let tokens = UsedTokens { input: (body.len() as u64 / 4).min(MOST_EXPECTED), ..UsedTokens::default() };
        let expected = tokens.priced(proxy.catalogue.price(model)).into();
        let opening = CallOpening { who: &toll.who, step_idx: toll.step_idx(), purpose: Purpose::Outside, model };
        proxy.meter.admit_rationed(&*proxy.ration, &opening, expected, Instant::now() + PATIENCE).await
    }

    /// Sends a call and hands its answer through while it comes.
    async fn ask(&self, provider: Provider, sent: reqwest::RequestBuilder, mut passing: PassingCall) -> Response {
        let id = passing.call.as_ref().map(|call| call.id().to_owned()).unwrap_or_default();
        let answer = match sent.header("x-client-request-id", id).send().await {
            Ok(answer) => answer,
            Err(error) => {
                if error.is_connect() {
                    passing.ear = UsageReader::Refusal;
                }
                passing.broke = Some(if error.is_timeout() { "timed out" } else { "unreachable" }.to_owned());
                return refusal::unavailable(provider, &redact(&error.without_url().to_string()));
            }
        };
        passing.status = Some(answer.status().as_u16());
        passing.ear = ear(provider, &answer);
        let (status, headers) = (answer.status(), passed_back(answer.headers()));
        let chunks = unfold((Box::pin(answer.bytes_stream()), Some(passing)), |(mut chunks, mut passing)| async {
            let Some(chunk) = chunks.next().await else {
                // The bill is settled before the client knows that the answer is over.
                drop(passing.take());
                return None;
            };
            match (&chunk, &mut passing) {
                (Ok(chunk), Some(passing)) => passing.hear(chunk),
                (Err(_cut), Some(passing)) => passing.broke = Some("stream cut".to_owned()),
                (_, None) => {}
            }
            Some((chunk, (chunks, passing)))
        });
        (status, headers, Body::from_stream(chunks)).into_response()
    }

    /// Passes on what costs nothing.
    async fn fetch(&self, provider: Provider, sent: reqwest::RequestBuilder) -> Response {
        match sent.send().await {
            Ok(answer) => {
                let (status, headers) = (answer.status(), passed_back(answer.headers()));
                (status, headers, Body::from_stream(answer.bytes_stream())).into_response()
            }
            Err(error) => refusal::unavailable(provider, &redact(&error.without_url().to_string())),
        }
    }
}

fn ear(provider: Provider, answer: &reqwest::Response) -> UsageReader {
    let codec = codec(provider);
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    match answer.status().is_success() {
        false => UsageReader::Refusal,
        true if kind.starts_with("text/event-stream") => UsageReader::Stream(SseReader::new(), codec.decoder(&[])),
        true => UsageReader::Whole(codec),
    }
}

fn passed_back(headers: &HeaderMap) -> HeaderMap {
    let mut passed = headers.clone();
    for name in ["connection", "keep-alive", "transfer-encoding", "content-length", "trailer", "upgrade"] {
        passed.remove(name);
    }
    passed
}

#[cfg(test)]
mod tests;
