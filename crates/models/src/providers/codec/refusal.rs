//! Why a provider refuses, from the many bodies in which providers and compatible servers say so.

use std::time::Duration;

use serde_json::Value;

use super::{ProviderRefusal, read};

/// What a request that does not fit is called.
const OVERFLOW_CODES: [&str; 4] =
    ["context_length_exceeded", "exceed_context_size_error", "request_too_large", "context_window_exceeded"];
const OVERFLOW_WORDS: [&str; 11] = [
    "prompt is too long",
    "exceed context limit",
    "exceeds the maximum size",
    "maximum context length",
    "exceeds the context window",
    "context length exceeded",
    "exceeds the available context size",
    "longer than the model's context length",
    "exceeds the maximum number of tokens allowed",
    "exceed the model's maximum context",
    "reduce the length of the messages",
];

/// What waiting does not help against although the status is that of too many requests.
const SPENT_CODES: [&str; 3] = ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active"];
const SPENT_WORDS: [&str; 1] = ["request too large"];

/// What an error says of itself.
pub(in crate::providers) struct Complaint {
    message: String,
    codes: Vec<String>,
}

impl Complaint {
    /// From the body of an answer: `{"error": {...}}`, `[{"error": {...}}]`, `{"message": ...}`, or no JSON at all.
    pub(in crate::providers) fn of_body(body: &str) -> Self {
        let parsed: Value = serde_json::from_str(body).unwrap_or(Value::Null);
        let whole = parsed.get(0).unwrap_or(&parsed);
        let error = ["error", "detail"].into_iter().find_map(|key| whole.get(key)).unwrap_or(whole);
        let complaint = Self::of(error);
        if complaint.message.is_empty() { Self { message: body.trim().to_owned(), ..complaint } } else { complaint }
    }

    /// From an error object, or a bare text.
    pub(in crate::providers) fn of(error: &Value) -> Self {
        let message = error.as_str().unwrap_or_else(|| read::text(error, "/message"));
        // OpenAI names the setting beside its words.
        let message = match read::text(error, "/param") {
            "" => message.to_owned(),
            named if message.contains(named) => message.to_owned(),
            named => format!("{message} ({named})"),
        };
        let codes = ["type", "code", "status"].into_iter().filter_map(|key| match error.get(key)? {
            Value::String(code) if code != "error" => Some(code.clone()),
            Value::Number(code) => Some(code.to_string()),
            _ => None,
        });
        Self { message, codes: codes.collect() }
    }

    /// The reason, for an answer of this status.
    pub(in crate::providers) fn refusal(&self, status: u16) -> ProviderRefusal {
        match status {
            429 if self.is(&SPENT_CODES) || self.says(&SPENT_WORDS) => ProviderRefusal::Rejected(self.why(status)),
            429 => ProviderRefusal::RateLimited(self.why(status)),
            408 | 409 | 425 | 500.. => ProviderRefusal::Overloaded(self.why(status)),
            _ if self.is(&OVERFLOW_CODES) || self.says(&OVERFLOW_WORDS) => ProviderRefusal::Overflow,
            _ => ProviderRefusal::Rejected(self.why(status)),
        }
    }

    /// The reason, for an error in the middle of a stream, which has no status but its own.
    pub(in crate::providers) fn in_stream(&self) -> ProviderRefusal {
        let status = self.codes.iter().find_map(|code| match code.as_str() {
            "rate_limit_error" | "rate_limit_exceeded" | "RESOURCE_EXHAUSTED" => Some(429),
            "overloaded_error" => Some(529),
            "invalid_request_error" | "invalid_prompt" | "INVALID_ARGUMENT" => Some(400),
            "authentication_error" => Some(401),
            "permission_error" => Some(403),
            "not_found_error" => Some(404),
            code if OVERFLOW_CODES.contains(&code) => Some(400),
            code => code.parse().ok().filter(|status| (400..600).contains(status)),
        });
        self.refusal(status.unwrap_or(500))
    }

    /// Whether it bears one of these codes.
    pub(in crate::providers) fn is(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(&code.as_str()))
    }

    /// How long it asks to wait: `Please try again in 1m2.5s`.
    pub(in crate::providers) fn wait(&self) -> Option<Duration> {
        let (_, after) = self.message.split_once("try again in ")?;
        duration(after.split_whitespace().next()?.trim_end_matches('.'))
    }

    fn says(&self, words: &[&str]) -> bool {
        let message = self.message.to_lowercase();
        words.iter().any(|words| message.contains(words))
    }

    fn why(&self, status: u16) -> String {
        let code = self.codes.iter().find(|code| code.parse::<u16>().is_err());
        let code = code.map_or_else(String::new, |code| format!(" {code}"));
        format!("{status}{code}: {}", self.message)
    }
}

/// A duration such as `34s`, `1.5s`, `20ms` or `6m0s`.
pub(in crate::providers) fn duration(written: &str) -> Option<Duration> {
    let mut rest = written;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = rest[..digits].parse().ok()?;
        let unit_len = rest[digits..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len() - digits);
        let (unit, after) = rest[digits..].split_at(unit_len);
        seconds +=
            number * ["h", "m", "s", "ms"].iter().zip([3600.0, 60.0, 1.0, 0.001]).find(|(name, _)| **name == unit)?.1;
        rest = after;
    }
    Duration::try_from_secs_f64(seconds).ok().filter(|wait| !wait.is_zero())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_of_all_kinds_are_understood() {
        let cases = [
            (
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}"#,
            ),
            (
                413,
                r#"{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}"#,
            ),
            (401, r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#),
            (404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}"#),
            (429, r#"{"type":"error","error":{"type":"rate_limit_error","message":"too many tokens a minute"}}"#),
            (529, r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#),
            (
                400,
                r#"{"error":{"message":"Your input exceeds the context window of this model.","type":"invalid_request_error","code":"context_length_exceeded"}}"#,
            ),
            (
                429,
                r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            ),
            (
                400,
                r#"{"object":"error","message":"This model's maximum context length is 4096 tokens.","type":"BadRequestError","code":400}"#,
            ),
            (
                400,
                r#"{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}"#,
            ),
            (402, r#"{"error":{"code":402,"message":"Insufficient credits"}}"#),
            (
                400,
                r#"[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]"#,
            ),
            (400, r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}"#),
            (429, r#"{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}"#),
            (503, r#"{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}"#),
            (502, "<html>Bad Gateway</html>"),
            (400, ""),
        ];
        let read = cases.map(|(status, body)| format!("{:?}", Complaint::of_body(body).refusal(status)));
        insta::assert_snapshot!(read.join("\n"), @r#"
        Overflow
        Overflow
        Rejected("401 authentication_error: invalid x-api-key")
        Rejected("404 not_found_error: model: claude-9")
        RateLimited("429 rate_limit_error: too many tokens a minute")
        Overloaded("529 overloaded_error: Overloaded")
        Overflow
        Rejected("429 insufficient_quota: You exceeded your current quota")
        Overflow
        Overflow
        Rejected("402: Insufficient credits")
        Overflow
        Rejected("400 INVALID_ARGUMENT: API key not valid.")
        RateLimited("429 RESOURCE_EXHAUSTED: Quota exceeded")
        Overloaded("503 UNAVAILABLE: The model is overloaded.")
        Overloaded("502: <html>Bad Gateway</html>")
        Rejected("400: ")
        "#);
    }

    #[test]
    fn words_are_redacted_before_they_are_shortened() {
        let _secret = crate::providers::Secret::new("sk-refused-and-secret", "REFUSED_KEY");
        let body = format!("{} sk-refused-and-secret", "x".repeat(280));
        let refusal = Complaint::of_body(&body).refusal(401).to_string();
        assert!(!crate::providers::http::shown(&refusal).contains("sk-"), "{refusal}");
    }

    #[test]
    fn waits_are_read_in_their_units() {
        let waits = ["34s", "1.5s", "20ms", "6m0s", "1h2m", "soon", "", "5", "0s", "s"].map(duration);
        insta::assert_snapshot!(format!("{waits:?}"), @"[Some(34s), Some(1.5s), Some(20ms), Some(360s), Some(3720s), None, None, None, None, None]");
        let complaint =
            Complaint::of(&Value::from("Limit 10, requested 1. Please try again in 1m2.5s. Visit the page."));
        assert_eq!(complaint.wait(), Some(Duration::from_millis(62_500)));
    }
}
