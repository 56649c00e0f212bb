//! OTLP in JSON: a span, and the request that carries many.

use serde_json::{Value, json};

/// The version of OpenTelemetry's conventions whose names are used. Those for generative models are not stable, so the
/// version goes with every request.
pub(super) const CONVENTIONS: &str = "https://opentelemetry.io/schemas/1.41.0";

/// What kind of call a span stands for, by the numbers of the protocol.
#[derive(Clone, Copy, Debug)]
pub(super) enum SpanKind {
    /// Within this process.
    Internal = 1,
    /// A call of another service.
    Client = 3,
}

/// One span.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) trace: String,
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) name: String,
    pub(super) kind: SpanKind,
    pub(super) start_ms: i64,
    pub(super) end_ms: i64,
    pub(super) attributes: Vec<(&'static str, Value)>,
    pub(super) error: Option<String>,
}

/// The request that carries these spans.
pub(super) fn request(host: &str, service: &str, spans: Vec<Span>) -> Value {
    let resource = [
        ("service.name", json!(service)),
        ("service.version", json!(env!("CARGO_PKG_VERSION"))),
        ("service.instance.id", json!(host)),
        ("telemetry.sdk.language", json!("rust")),
    ];
    let spans: Vec<Value> = spans.into_iter().map(span).collect();
    let scope = json!({"name": "quintain", "version": env!("CARGO_PKG_VERSION")});
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes(resource)},
        "scopeSpans": [{"scope": scope, "spans": spans, "schemaUrl": CONVENTIONS}],
        "schemaUrl": CONVENTIONS,
    }]})
}

fn span(span: Span) -> Value {
    let mut value = json!({
        "traceId": span.trace,
        "spanId": span.id,
        "name": span.name,
        "kind": span.kind as u8,
        "startTimeUnixNano": nanos(span.start_ms),
        "endTimeUnixNano": nanos(span.end_ms),
        "attributes": attributes(span.attributes),
    });
    if let Some(parent) = span.parent {
        value["parentSpanId"] = json!(parent);
    }
    if let Some(message) = span.error {
        value["status"] = json!({"code": 2, "message": message});
    }
    value
}

/// Numbers of 64 bits are written as text.
fn nanos(ms: i64) -> String {
    (i128::from(ms.max(0)) * 1_000_000).to_string()
}

fn attributes(pairs: impl IntoIterator<Item = (&'static str, Value)>) -> Vec<Value> {
    pairs.into_iter().map(|(key, value)| json!({"key": key, "value": any(&value)})).collect()
}

fn any(value: &Value) -> Value {
    match value {
        Value::Bool(truth) => json!({"boolValue": truth}),
        Value::Number(number) if number.is_f64() => json!({"doubleValue": number}),
        Value::Number(number) => json!({"intValue": number.to_string()}),
        Value::String(text) => json!({"stringValue": text}),
        other => json!({"stringValue": other.to_string()}),
    }
}
