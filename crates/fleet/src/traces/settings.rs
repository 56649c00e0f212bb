//! What the environment says of traces, under the names that OpenTelemetry gives them.

use quintain_core::percent::percent_decoded;

/// Where traces go, and how many.
#[derive(Clone, Debug, PartialEq)]
pub struct TraceSettings {
    /// The address that takes them.
    pub url: String,
    /// Headers to send with them, such as a key.
    pub headers: Vec<(String, String)>,
    /// Which part of all trials is traced, from 0 to 1.
    pub ratio: f64,
    /// The name of the service.
    pub service: String,
}

impl TraceSettings {
    /// Reads them from an environment; nothing where it names no address or turns traces off.
    pub fn read(variable: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let set = |name: &str| variable(name).filter(|text| !text.trim().is_empty());
        let base = set("OTEL_EXPORTER_OTLP_ENDPOINT");
        let url = set("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
            .or_else(|| base.map(|base| format!("{}/v1/traces", base.trim_end_matches('/'))))?;
        let is_off = set("OTEL_SDK_DISABLED").is_some_and(|text| text.eq_ignore_ascii_case("true"))
            || set("OTEL_TRACES_EXPORTER").is_some_and(|text| text == "none");
        let headers = set("OTEL_EXPORTER_OTLP_TRACES_HEADERS").or_else(|| set("OTEL_EXPORTER_OTLP_HEADERS"));
        let ratio = ratio(set("OTEL_TRACES_SAMPLER").as_deref(), set("OTEL_TRACES_SAMPLER_ARG").as_deref());
        let service = set("OTEL_SERVICE_NAME").unwrap_or_else(|| "quintain".to_owned());
        let settings = Self { url, headers: pairs(&headers.unwrap_or_default()), ratio, service };
        (!is_off && ratio > 0.0).then_some(settings)
    }
}

/// All trials unless a ratio is set: there is no parent whose choice could be followed.
fn ratio(sampler: Option<&str>, argument: Option<&str>) -> f64 {
    match sampler.map(|sampler| sampler.trim_start_matches("parentbased_")) {
        Some("always_off") => 0.0,
        Some("traceidratio") => argument.and_then(|text| text.trim().parse().ok()).unwrap_or(1.0_f64).clamp(0.0, 1.0),
        _ => 1.0,
    }
}

/// `name=value` with commas between. Values are percent-encoded; what cannot be read is left out.
fn pairs(text: &str) -> Vec<(String, String)> {
    let entries = text.split(',').filter_map(|entry| entry.split_once('='));
    let decoded = entries.filter_map(|(name, value)| Some((name.trim().to_owned(), percent_decoded(value.trim())?)));
    decoded.filter(|(name, _)| !name.is_empty()).collect()
}
