use std::io::Write as _;
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use axum::{Json, Router};
use insta::assert_snapshot;
use quintain_core::variables;
use quintain_testkit::PATIENCE;
use serde_json::Value;

use super::*;

/// Two turns of a model that asked twice, one of them for an action, and a verdict. The middle line is torn.
const LINES: &str = r#"{"v":1,"trial":"t","attempt":1,"event":"turn","step_idx":0,"shown":{},"reply":{"raw":"move","usage":{"input_tokens":1200,"output_tokens":40,"cost_usd":0.01}},"action":{"do":"call","name":"move","args":[0]},"spent":{"steps":1,"elapsed_ms":2000,"tokens":1240,"cost_usd":0.01}}
{"v":1,"trial":"t","attempt":1,"event":"tu
{"v":1,"trial":"t","attempt":1,"event":"turn","step_idx":1,"shown":{},"reply":{"raw":"hm","usage":{"input_tokens":1300,"output_tokens":2}},"spent":{"steps":1,"elapsed_ms":3500,"tokens":2542,"cost_usd":0.01}}
{"v":1,"trial":"t","attempt":1,"event":"stopped","ending":"done","spent":{"steps":1,"elapsed_ms":4000,"tokens":2542,"cost_usd":0.01}}
{"v":1,"trial":"t","attempt":1,"event":"judged","verdict":{"ending":"done","score":0.5,"solved":false,"findings":[],"digests":{"task":"0000000000000000000000000000000000000000000000000000000000000000","world":"0000000000000000000000000000000000000000000000000000000000000000","instance":"0000000000000000000000000000000000000000000000000000000000000000"}}}
"#;

#[test]
fn a_record_becomes_one_tree_of_spans() {
    assert_snapshot!(outline(&played(LINES)), @r#"
    invoke_agent m -4000..0 Internal gen_ai.operation.name="invoke_agent" gen_ai.request.model="claude-x" gen_ai.agent.name="m" gen_ai.usage.input_tokens=2500 gen_ai.usage.output_tokens=42 quintain.score=0.5 quintain.solved=false quintain.ending="done" None
      chat claude-x -4000..-2000 Client gen_ai.operation.name="chat" gen_ai.request.model="claude-x" gen_ai.usage.input_tokens=1200 gen_ai.usage.output_tokens=40 None
      execute_tool move -2000..-2000 Internal gen_ai.operation.name="execute_tool" gen_ai.tool.name="move" None
      chat claude-x -2000..-500 Client gen_ai.operation.name="chat" gen_ai.request.model="claude-x" gen_ai.usage.input_tokens=1300 gen_ai.usage.output_tokens=2 None
    "#);
}

#[test]
fn a_fault_and_an_empty_record_are_spans_too() {
    let fault = r#"{"event":"stopped","ending":{"fault":"provider"},"spent":{"steps":0,"elapsed_ms":70,"tokens":0,"cost_usd":0}}"#;
    assert_snapshot!(outline(&played(fault)), @r#"invoke_agent m -70..0 Internal gen_ai.operation.name="invoke_agent" gen_ai.request.model="claude-x" gen_ai.agent.name="m" quintain.ending="provider fault" error.type="provider fault" Some("provider fault")"#);
    assert_snapshot!(outline(&played("")), @r#"invoke_agent m 0..0 Internal gen_ai.operation.name="invoke_agent" gen_ai.request.model="claude-x" gen_ai.agent.name="m" None"#);
}

#[test]
fn an_attempt_that_goes_on_begins_where_it_went_on() {
    let resumed = format!("{{\"event\":\"resumed\",\"after_turns\":3}}\n{LINES}");
    let outline = outline(&played(&resumed));
    assert!(outline.starts_with("invoke_agent m -2000..0 "), "{outline}");
    assert!(outline.contains("\n  chat claude-x -2000..-2000 "), "{outline}");
}

#[test]
fn the_request_is_written_as_the_protocol_has_it() {
    let body = wire::request("desk-7", "quintain", spans::tree(&played(LINES)));
    let at = |path: &str| body.pointer(&format!("/resourceSpans/0/{path}")).map_or("none".to_owned(), Value::to_string);
    let looks = [
        "schemaUrl",
        "resource/attributes/0/key",
        "resource/attributes/0/value",
        "resource/attributes/2/value",
        "scopeSpans/0/scope/name",
        "scopeSpans/0/spans/0/traceId",
        "scopeSpans/0/spans/0/spanId",
        "scopeSpans/0/spans/0/parentSpanId",
        "scopeSpans/0/spans/1/parentSpanId",
        "scopeSpans/0/spans/1/kind",
        "scopeSpans/0/spans/1/startTimeUnixNano",
        "scopeSpans/0/spans/1/endTimeUnixNano",
        "scopeSpans/0/spans/0/attributes/3/value",
        "scopeSpans/0/spans/0/attributes/4/value",
        "scopeSpans/0/spans/0/attributes/5/value",
        "scopeSpans/0/spans/0/attributes/8/value",
        "scopeSpans/0/spans/0/attributes/9/value",
    ];
    assert_snapshot!(looks.map(|path| format!("{path} {}", at(path))).join("\n"), @r#"
    schemaUrl "https://opentelemetry.io/schemas/1.41.0"
    resource/attributes/0/key "service.name"
    resource/attributes/0/value {"stringValue":"quintain"}
    resource/attributes/2/value {"stringValue":"desk-7"}
    scopeSpans/0/scope/name "quintain"
    scopeSpans/0/spans/0/traceId "cf18f12ed0c6550d2a7b61221d86559e"
    scopeSpans/0/spans/0/spanId "ae2582918106c042"
    scopeSpans/0/spans/0/parentSpanId none
    scopeSpans/0/spans/1/parentSpanId "ae2582918106c042"
    scopeSpans/0/spans/1/kind 3
    scopeSpans/0/spans/1/startTimeUnixNano "1799999996000000000"
    scopeSpans/0/spans/1/endTimeUnixNano "1799999998000000000"
    scopeSpans/0/spans/0/attributes/3/value {"stringValue":"nightly"}
    scopeSpans/0/spans/0/attributes/4/value {"stringValue":"puzzles/maze-2d@easy#7~m~0"}
    scopeSpans/0/spans/0/attributes/5/value {"intValue":"1"}
    scopeSpans/0/spans/0/attributes/8/value {"doubleValue":0.5}
    scopeSpans/0/spans/0/attributes/9/value {"boolValue":false}
    "#);
}

#[test]
fn hosts_agree_on_what_is_sampled_and_the_part_is_right() {
    let sampled = |ratio: f64| {
        let ids = (0..4000).map(|n| spans::trace_id("run", &format!("trial {n}"), 1));
        ids.filter(|id| spans::is_sampled(id, ratio)).count()
    };
    assert_eq!((sampled(0.0), sampled(1.0)), (0, 4000));
    assert!((900..1100).contains(&sampled(0.25)), "{}", sampled(0.25));
}

#[test]
fn the_environment_is_read_as_opentelemetry_names_it() {
    let read = |text: &str| {
        let pairs: Vec<(&str, &str)> = text.split_whitespace().filter_map(|pair| pair.split_once('=')).collect();
        let found = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
        TraceSettings::read(|name| found(name.strip_prefix("OTEL_").unwrap()))
    };
    let shown = |text: &str| {
        read(text).map_or("off".to_owned(), |s| format!("{} {:?} {} {}", s.url, s.headers, s.ratio, s.service))
    };
    let endpoint = "EXPORTER_OTLP_ENDPOINT=http://c:4318/";
    assert_snapshot!(
        [
            shown(""),
            shown(endpoint),
            shown(&format!("{endpoint} EXPORTER_OTLP_TRACES_ENDPOINT=http://d/x SERVICE_NAME=me")),
            shown(&format!("{endpoint} EXPORTER_OTLP_HEADERS=key=a%20b,=x,broken,odd=%+1,other=1=2")),
            shown(&format!("{endpoint} TRACES_SAMPLER=parentbased_traceidratio TRACES_SAMPLER_ARG=0.01")),
            shown(&format!("{endpoint} TRACES_SAMPLER=always_off")),
            shown(&format!("{endpoint} TRACES_EXPORTER=none")),
            shown(&format!("{endpoint} SDK_DISABLED=true")),
        ]
        .join("\n"),
        @r#"
    off
    http://c:4318/v1/traces [] 1 quintain
    http://d/x [] 1 me
    http://c:4318/v1/traces [("key", "a b"), ("other", "1=2")] 1 quintain
    http://c:4318/v1/traces [] 0.01 quintain
    off
    off
    off
    "#
    );
}

#[tokio::test]
async fn traces_reach_a_receiver_and_the_official_schema_accepts_them() {
    let (at, mut received) = receiver(StatusCode::OK).await;
    let tracer = Tracer::start(settings(at), "desk-7", &Handle::current());
    for attempt in 1..=3 {
        tracer.offer(PlayedAttempt { attempt, ..played(LINES) });
    }
    assert_eq!(tracer.flush(PATIENCE).await, 0);
    let mut n_spans = 0;
    while let Ok(body) = received.try_recv() {
        n_spans += body["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap().len();
        check_with_schema(&body);
    }
    assert_eq!(n_spans, 3 * 4);
}

#[tokio::test]
async fn a_receiver_that_refuses_or_is_not_there_costs_nothing_but_the_traces() {
    let (at, _received) = receiver(StatusCode::INTERNAL_SERVER_ERROR).await;
    for address in [at, "127.0.0.1:1".parse().unwrap()] {
        let tracer = Tracer::start(settings(address), "desk-7", &Handle::current());
        tracer.offer(played(LINES));
        assert_eq!(tracer.flush(PATIENCE).await, 1);
    }
}

#[tokio::test]
async fn offering_never_waits_for_a_receiver_that_hangs() {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let tracer = Tracer::start(settings(silent.local_addr().unwrap()), "desk-7", &Handle::current());
    let n_offered = (QUEUE + BATCH) as u64 * 2;
    for attempt in 0..n_offered {
        tracer.offer(PlayedAttempt { attempt: attempt as u32, ..played("") });
    }
    assert!(tracer.n_dropped() >= n_offered - (QUEUE + BATCH) as u64, "{}", tracer.n_dropped());
    tracer.flush(Duration::from_millis(50)).await;
}

fn played(lines: &str) -> PlayedAttempt {
    PlayedAttempt {
        run: "nightly".to_owned(),
        trial: "puzzles/maze-2d@easy#7~m~0".to_owned(),
        attempt: 1,
        agent: "m".to_owned(),
        model: Some("claude-x".to_owned()),
        ended_ms: 1_800_000_000_000,
        lines: lines.as_bytes().to_vec(),
    }
}

fn settings(at: SocketAddr) -> TraceSettings {
    let environment = |name: &str| match name {
        "OTEL_EXPORTER_OTLP_ENDPOINT" => Some(format!("http://{at}")),
        "OTEL_EXPORTER_OTLP_HEADERS" => Some("x-key=secret".to_owned()),
        _ => None,
    };
    TraceSettings::read(environment).unwrap()
}

/// What the request's test looks at already.
const KNOWN: [&str; 3] = ["quintain.run", "quintain.trial", "quintain.attempt"];

/// What a tree says, a line a span: the times count back from the end of the trial.
fn outline(played: &PlayedAttempt) -> String {
    let line = |span: wire::Span| {
        let told = span.attributes.iter().filter(|(key, _)| !KNOWN.contains(key));
        let attributes: Vec<String> = told.map(|(key, value)| format!("{key}={value}")).collect();
        let indent = if span.parent.is_some() { "  " } else { "" };
        let (from, to) = (span.start_ms - played.ended_ms, span.end_ms - played.ended_ms);
        format!("{indent}{} {from}..{to} {:?} {} {:?}", span.name, span.kind, attributes.join(" "), span.error)
    };
    spans::tree(played).into_iter().map(line).collect::<Vec<_>>().join("\n")
}

async fn receiver(status: StatusCode) -> (SocketAddr, mpsc::UnboundedReceiver<Value>) {
    let (sender, received) = mpsc::unbounded_channel();
    let take = |State(sender): State<mpsc::UnboundedSender<Value>>, headers: HeaderMap, Json(body): Json<Value>| async move {
        assert_eq!(headers.get("x-key").unwrap(), "secret");
        sender.send(body).unwrap();
        (StatusCode::OK, Json(Value::Object(serde_json::Map::new())))
    };
    let refuse = move || async move { status };
    let routes = if status.is_success() { post(take) } else { post(refuse) };
    let pages = Router::new().route("/v1/traces", routes).with_state(sender);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let at = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, pages).await });
    (at, received)
}

/// Checks where `QUINTAIN_OTLP_PYTHON` names a Python that has `opentelemetry-proto`. Unknown fields are errors there.
fn check_with_schema(body: &Value) {
    let Ok(python) = std::env::var(variables::OTLP_PYTHON) else { return };
    let program = r#"
import base64, json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest as ShareRequest
body = json.load(sys.stdin)
spans = [span for r in body["resourceSpans"] for s in r["scopeSpans"] for span in s["spans"]]
for span in spans:
    for name in ("traceId", "spanId", "parentSpanId"):
        if name in span:  # hexadecimal in OTLP, base64 in everybody else's JSON
            span[name] = base64.b64encode(bytes.fromhex(span[name])).decode()
request = json_format.ParseDict(body, ShareRequest())
read = [span for r in request.resource_spans for s in r.scope_spans for span in s.spans]
ids = {span.span_id for span in read}
assert len(ids) == len(read) == len(spans), "ids are not unique"
for span in read:
    assert len(span.trace_id) == 16 and len(span.span_id) == 8, span
    assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano, span
    assert not span.parent_span_id or span.parent_span_id in ids, span
assert request.resource_spans[0].schema_url.startswith("https://opentelemetry.io/schemas/"), request
"#;
    let mut child = Command::new(python).args(["-c", program]).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(body.to_string().as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "the schema refuses {body:#}");
}
