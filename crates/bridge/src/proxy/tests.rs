//! A client with nothing but a base URL, a provider that says what it was sent, and the books between them.

use std::sync::Mutex;

use axum::Json;
use axum::routing::post;
use quintain_core::books::{CallLine, Journal, Totals};
use quintain_core::event::RecordError;
use quintain_core::exchange::Exchange;
use quintain_core::limits::Budget;
use quintain_core::{Limits, Spent};
use serde_json::{Value, json};

use super::*;
use crate::loopback::{LoopbackServer, TrialRoute};

const STREAM: &str = "event: message_start\n\
data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"sim\",\
\"content\":[],\"usage\":{\"input_tokens\":1000,\"output_tokens\":1,\"cache_read_input_tokens\":200}}}\n\n\
event: something_new\ndata: {\"type\":\"something_new\"}\n\n\
event: message_delta\n\
data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":50}}\n\n\
event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

#[derive(Default)]
struct Shelf {
    books: Mutex<Vec<String>>,
    kept: Mutex<Vec<String>>,
}

impl Journal for Shelf {
    fn write(&self, line: &CallLine) -> Result<(), RecordError> {
        let text = match line {
            CallLine::Began { trial, attempt, step_idx, purpose, model, .. } => {
                let trial = trial.as_ref().map(ToString::to_string).unwrap_or_default();
                format!("began {trial} attempt {attempt} turn {step_idx} {purpose:?} {model}")
            }
            CallLine::Ended { bill, failed, .. } => format!("ended {} {failed:?}", json!(bill)),
        };
        self.books.lock().unwrap().push(text);
        Ok(())
    }
}

impl Exchanges for Shelf {
    fn keep(&self, exchange: &Exchange<'_>) -> Result<(), RecordError> {
        let Exchange { path, status, request, response, .. } = exchange;
        let text = format!(
            "{path} {status:?} {} -> {} bytes",
            String::from_utf8_lossy(request),
            String::from_utf8_lossy(response).len()
        );
        self.kept.lock().unwrap().push(text);
        Ok(())
    }
}

struct Setting {
    shelf: Arc<Shelf>,
    toll: Arc<ProxyMeter>,
    room: TrialRoute,
    _houses: [LoopbackServer; 2],
    _upstream: TrialRoute,
}

/// A proxy in front of a provider that streams for `stream: true`, breaks for `break: true`, does not say
/// what it used for `quiet: true`, and else says what it got.
fn setting(budget: Budget, limits: &Limits) -> Setting {
    let houses = [LoopbackServer::open(0).unwrap(), LoopbackServer::open(0).unwrap()];
    let upstream = houses[0].room(|_url| Router::new().route("/v1/messages", post(provider))).unwrap();
    let shelf = Arc::new(Shelf::default());
    let journal: Arc<dyn Journal> = shelf.clone();
    let meter = Meter::new(journal, budget, Totals::default());
    let exchanges: Arc<dyn Exchanges> = shelf.clone();
    let base = upstream.url().to_owned();
    let proxy =
        Proxy::new(meter, Arc::new(ModelCatalogue::built_in()), exchanges).unwrap().in_environment(move |name| {
            match name {
                "ANTHROPIC_BASE_URL" => Some(base.clone()),
                "ANTHROPIC_API_KEY" => Some("our-real-key".to_owned()),
                _ => None,
            }
        });
    let toll = Arc::new(ProxyMeter::new("puzzles/maze-2d@easy#0~outside~0".parse().unwrap(), 1, || {}));
    toll.turn(4, limits.left(&Spent::default()));
    let room = houses[1].room(|_url| proxy.routes(Arc::clone(&toll))).unwrap();
    Setting { shelf, toll, room, _houses: houses, _upstream: upstream }
}

async fn provider(headers: HeaderMap, body: String) -> Response {
    let asked: Value = serde_json::from_str(&body).unwrap_or_default();
    if asked["stream"] == true {
        return ([("content-type", "text/event-stream")], STREAM).into_response();
    }
    if asked["quiet"] == true {
        return Json(json!({ "content": [] })).into_response();
    }
    if asked["break"] == true {
        return (StatusCode::SERVICE_UNAVAILABLE, "overloaded").into_response();
    }
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("none").to_owned();
    let told = json!({
        "key": header("x-api-key"), "authorization": header("authorization"), "version": header("anthropic-version"),
        "body": body, "usage": { "input_tokens": 10, "output_tokens": 5 },
    });
    Json(told).into_response()
}

fn ask(setting: &Setting, body: &str) -> (u16, String) {
    runtime::runtime().block_on(async {
        let sent = runtime::client().unwrap().post(format!("{}/v1/messages", setting.room.url()));
        let sent = sent.header("x-api-key", "a-dummy").header("anthropic-version", "2023-06-01").body(body.to_owned());
        let answer = sent.send().await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    })
}

#[test]
fn calls_pass_word_for_word_with_our_key_and_are_billed() {
    let setting = setting(Budget::default(), &Limits::steps(9));
    let (status, said) = ask(&setting, r#"{"model":"sim","odd" :  1}"#);
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((status, said["body"].as_str()), (200, Some(r#"{"model":"sim","odd" :  1}"#)));
    assert_eq!((said["key"].as_str(), said["authorization"].as_str()), (Some("our-real-key"), Some("none")));
    assert_eq!(said["version"], "2023-06-01");
    let (_, streamed) = ask(&setting, r#"{"model":"sim","stream":true}"#);
    assert_eq!(streamed, STREAM);
    let (status, _) = ask(&setting, r#"{"model":"sim","break":true}"#);
    assert_eq!((status, setting.toll.trouble().as_deref()), (503, Some("503")));
    let used = setting.toll.take().unwrap();
    assert_eq!((used.input_tokens, used.output_tokens, used.cached_tokens), (1210, 55, 200));
    insta::assert_snapshot!(setting.shelf.books.lock().unwrap().join("\n"), @r#"
    began puzzles/maze-2d@easy#0~outside~0 attempt 1 turn 4 Outside anthropic/sim
    ended {"bill":"told","cached_tokens":0,"cost_usd":0.00007,"input_tokens":10,"output_tokens":5} None
    began puzzles/maze-2d@easy#0~outside~0 attempt 1 turn 4 Outside anthropic/sim
    ended {"bill":"told","cached_tokens":200,"cost_usd":0.0026,"input_tokens":1200,"output_tokens":50} None
    began puzzles/maze-2d@easy#0~outside~0 attempt 1 turn 4 Outside anthropic/sim
    ended {"bill":"free"} Some("503")
    "#);
    let kept = setting.shelf.kept.lock().unwrap().join("\n");
    assert!(!kept.contains("our-real-key"), "{kept}");
    insta::assert_snapshot!(kept, @r#"
    /v1/messages Some(200) {"model":"sim","odd" :  1} -> 163 bytes
    /v1/messages Some(200) {"model":"sim","stream":true} -> 436 bytes
    /v1/messages Some(503) {"model":"sim","break":true} -> 10 bytes
    "#);
}

#[test]
fn when_the_trial_or_the_run_has_nothing_left_clients_are_told_to_stop() {
    let limits = Limits { tokens: Some(1000), ..Limits::steps(9) };
    let trial = setting(Budget::default(), &limits);
    assert_eq!(ask(&trial, r#"{"model":"sim","stream":true}"#).0, 200);
    assert_eq!(trial.toll.stopped(), Some(ProxyStop::Trial(quintain_core::Exhausted::Tokens)));
    let (status, said) = ask(&trial, r#"{"model":"sim"}"#);
    insta::assert_snapshot!(format!("{status} {said}"), @r#"402 {"error":{"message":"This trial has used up what it may.","type":"billing_error"},"type":"error"}"#);
    let run = setting(Budget { cost_usd: Some(0.000_001), ..Budget::default() }, &Limits::steps(9));
    assert_eq!(ask(&run, r#"{"model":"sim"}"#).0, 200);
    let (status, said) = ask(&run, r#"{"model":"sim"}"#);
    insta::assert_snapshot!(format!("{status} {said}"), @r#"402 {"error":{"message":"The run has used up what it may.","type":"billing_error"},"type":"error"}"#);
    assert_eq!(run.toll.stopped(), Some(ProxyStop::Run));
}

#[test]
fn an_answer_that_does_not_say_what_it_used_is_an_answer() {
    let setting = setting(Budget::default(), &Limits::steps(9));
    assert_eq!(ask(&setting, r#"{"model":"sim","quiet":true}"#).0, 200);
    assert_eq!((setting.toll.trouble(), setting.toll.take().map(|used| used.n_unknown)), (None, Some(1)));
    let books = setting.shelf.books.lock().unwrap();
    assert_eq!(books.last().unwrap(), r#"ended {"bill":"unknown"} Some("no usage")"#);
}

#[test]
fn a_model_without_a_price_is_refused_where_money_is_limited() {
    let (dollar, limits) = (Some(1.0), Limits::steps(9));
    let run = setting(Budget { cost_usd: dollar, ..Budget::default() }, &limits);
    let trial = setting(Budget::default(), &Limits { cost_usd: dollar, ..limits.clone() });
    for limited in [run, trial] {
        let (status, said) = ask(&limited, r#"{"model":"unheard-of"}"#);
        assert_eq!((status, said.contains("the price of `anthropic/unheard-of` is not known")), (401, true), "{said}");
        assert!(limited.toll.trouble().is_some() && limited.shelf.books.lock().unwrap().is_empty());
    }
    assert_eq!(ask(&setting(Budget::default(), &limits), r#"{"model":"unheard-of"}"#).0, 200);
}

#[test]
fn what_no_provider_has_is_not_passed_on() {
    let setting = setting(Budget::default(), &Limits::steps(9));
    let answer = runtime::runtime().block_on(async {
        let sent = runtime::client().unwrap().post(format!("{}/v1/files", setting.room.url())).send().await.unwrap();
        sent.status().as_u16()
    });
    assert_eq!(answer, 404);
    assert!(setting.shelf.books.lock().unwrap().is_empty());
}
