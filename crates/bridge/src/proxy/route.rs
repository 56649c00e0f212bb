//! Which provider a request of an unmodified client is meant for, and where it goes.

use axum::http::{HeaderMap, Method};
use quintain_models::providers::{Provider, endpoint};
use serde_json::Value;

/// A request that a provider would understand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Route {
    /// Whose format it is in.
    pub(crate) provider: Provider,
    /// The path at the provider.
    pub(crate) path: String,
    /// Whether it asks a model, and is paid for.
    pub(crate) asks: bool,
}

impl Route {
    /// What a client means by a path below its base URL. Clients differ in whether their base URL ends in `/v1`, so both
    /// are understood. Besides calls of models, only what is read and what counts tokens passes: everything else is done
    /// with our key and may cost what nobody counts.
    pub(crate) fn of(method: &Method, path: &str, headers: &HeaderMap) -> Option<Self> {
        if path.contains("..") || path.to_ascii_lowercase().contains("%2e") {
            return None; // It would lead elsewhere than it says.
        }
        if let Some(rest) = path.strip_prefix("/v1beta/") {
            let asks = is_google(method, rest)?;
            return Some(Self { provider: Provider::Google, path: path.to_owned(), asks });
        }
        // The package `google-genai` asks at `/v1` from 3.0.0 on, with the method in the path.
        if let Some(rest) = path.strip_prefix("/v1/").filter(|rest| rest.starts_with("models/") && rest.contains(':')) {
            return is_google(method, rest).filter(|_| *method == Method::POST).map(|asks| Self {
                provider: Provider::Google,
                path: path.to_owned(),
                asks,
            });
        }
        let rest = path.strip_prefix("/v1").unwrap_or(path);
        let provider = match rest {
            "/messages" | "/messages/count_tokens" => Provider::Anthropic,
            "/chat/completions" => Provider::Chat,
            _ if rest == "/models" || rest.starts_with("/models/") => {
                let is_theirs = headers.contains_key("anthropic-version");
                if is_theirs { Provider::Anthropic } else { Provider::OpenAi }
            }
            _ if rest == "/responses" || rest.starts_with("/responses/") => Provider::OpenAi,
            _ => return None,
        };
        let asks = matches!(rest, "/messages" | "/chat/completions" | "/responses" | "/responses/compact");
        let counts = matches!(rest, "/messages/count_tokens" | "/responses/input_tokens");
        let wanted = if asks || counts { Method::POST } else { Method::GET };
        (*method == wanted).then(|| Self { provider, path: format!("/v1{rest}"), asks })
    }

    /// The model that is asked: named in the path at Google, in the body elsewhere.
    pub(crate) fn model(&self, body: &[u8]) -> String {
        let in_path = self.path.split_once("/models/").filter(|_| self.provider == Provider::Google);
        if let Some((_, named)) = in_path {
            return named.split(':').next().unwrap_or(named).to_owned();
        }
        let body: Value = serde_json::from_slice(body).unwrap_or_default();
        body["model"].as_str().unwrap_or("unnamed").to_owned()
    }

    /// The address of the request, as for our own calls; a key in the query stays out.
    pub(crate) fn address(&self, base: &str, query: Option<&str>) -> String {
        let kept: Vec<&str> =
            query.unwrap_or_default().split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("key=")).collect();
        let mark = if kept.is_empty() { "" } else { "?" };
        endpoint::address(base, &format!("{}{mark}{}", self.path, kept.join("&")))
    }
}

/// Whether a request to Google asks a model; nothing where it does not pass.
fn is_google(method: &Method, rest: &str) -> Option<bool> {
    if rest == "interactions" && *method == Method::POST {
        return Some(true); // https://ai.google.dev/gemini-api/docs/interactions: the body names the model.
    }
    if *method == Method::GET && rest.starts_with("interactions/") {
        return Some(false);
    }
    if *method == Method::GET {
        let is_list = rest == "models" || rest.starts_with("models/");
        return (is_list && !rest.contains(':')).then_some(false);
    }
    let (name, verb) = rest.strip_prefix("models/")?.split_once(':')?;
    match verb {
        _ if *method != Method::POST || name.contains('/') => None,
        "generateContent" | "streamGenerateContent" => Some(true),
        "countTokens" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(request: &str) -> String {
        told_with(request, &HeaderMap::new())
    }

    fn told_with(request: &str, headers: &HeaderMap) -> String {
        let (method, path) = request.split_once(' ').unwrap();
        let method: Method = method.parse().unwrap();
        match Route::of(&method, path, headers) {
            None => format!("{path}: nobody"),
            Some(route) => {
                format!("{path}: {} {} {}", route.provider, route.path, if route.asks { "asks" } else { "" })
                    .trim_end()
                    .to_owned()
            }
        }
    }

    #[test]
    fn every_format_is_known_by_its_path() {
        let requests = [
            "POST /v1/messages",
            "POST /v1/messages/count_tokens",
            "POST /v1/responses",
            "POST /responses",
            "GET /v1/responses/resp_1",
            "POST /v1/responses/input_tokens",
            "POST /v1/chat/completions",
            "POST /chat/completions",
            "GET /v1/models",
            "POST /v1beta/models/gemini-3:generateContent",
            "POST /v1beta/models/gemini-3:streamGenerateContent",
            "POST /v1beta/models/gemini-3:countTokens",
            "GET /v1beta/models",
            "POST /v1/responses/compact",
            "POST /v1/models/gemini-3:generateContent",
            "POST /v1beta/interactions",
            "GET /v1beta/interactions/int_1",
        ];
        insta::assert_snapshot!(requests.map(told).join("\n"), @r"
        /v1/messages: anthropic /v1/messages asks
        /v1/messages/count_tokens: anthropic /v1/messages/count_tokens
        /v1/responses: openai /v1/responses asks
        /responses: openai /v1/responses asks
        /v1/responses/resp_1: openai /v1/responses/resp_1
        /v1/responses/input_tokens: openai /v1/responses/input_tokens
        /v1/chat/completions: chat /v1/chat/completions asks
        /chat/completions: chat /v1/chat/completions asks
        /v1/models: openai /v1/models
        /v1beta/models/gemini-3:generateContent: google /v1beta/models/gemini-3:generateContent asks
        /v1beta/models/gemini-3:streamGenerateContent: google /v1beta/models/gemini-3:streamGenerateContent asks
        /v1beta/models/gemini-3:countTokens: google /v1beta/models/gemini-3:countTokens
        /v1beta/models: google /v1beta/models
        /v1/responses/compact: openai /v1/responses/compact asks
        /v1/models/gemini-3:generateContent: google /v1/models/gemini-3:generateContent asks
        /v1beta/interactions: google /v1beta/interactions asks
        /v1beta/interactions/int_1: google /v1beta/interactions/int_1
        ");
    }

    /// Both providers list their models there.
    #[test]
    fn models_are_asked_of_whom_the_client_is_of() {
        let theirs = HeaderMap::from_iter([("anthropic-version".parse().unwrap(), "2026-10-21".parse().unwrap())]);
        for path in ["/v1/models", "/v1/models/claude-opus-5-5"] {
            assert_eq!(told_with(&format!("GET {path}"), &theirs), format!("{path}: anthropic {path}"));
            assert_eq!(told(&format!("GET {path}")), format!("{path}: openai {path}"));
        }
    }

    #[test]
    fn nothing_is_done_with_our_key_that_nobody_counts() {
        let requests = [
            "DELETE /v1beta/interactions/int_1",
            "GET /v1/models/gemini-3:generateContent",
            "DELETE /v1/models/ft:mine",
            "DELETE /v1/responses/resp_1",
            "POST /v1beta/models/veo-3:predictLongRunning",
            "POST /v1beta/models/gemini-3:batchGenerateContent",
            "POST /v1beta/models/cheap:x/../dear:generateContent",
            "POST /v1beta/models/cheap/dear:generateContent",
            "GET /v1/models/../files",
            "GET /v1/models/%2E%2e/files",
            "GET /v1/messages",
            "POST /v1/messages/batches",
            "GET /v1/files",
            "GET /v1beta/files",
            "GET /",
        ];
        for request in requests {
            assert_eq!(told(request), format!("{}: nobody", request.split_once(' ').unwrap().1), "{request}");
        }
    }

    #[test]
    fn models_are_found_and_addresses_keep_no_key() {
        let google =
            Route::of(&Method::POST, "/v1beta/models/gemini-3:streamGenerateContent", &HeaderMap::new()).unwrap();
        assert_eq!(google.model(b""), "gemini-3");
        assert_eq!(
            google.address("https://host/", Some("alt=sse&key=secret")),
            "https://host/v1beta/models/gemini-3:streamGenerateContent?alt=sse"
        );
        let openai = Route::of(&Method::POST, "/v1/responses", &HeaderMap::new()).unwrap();
        assert_eq!(openai.model(br#"{"model": "gpt"}"#), "gpt");
        assert_eq!(openai.model(b"{"), "unnamed");
        assert_eq!(openai.address("http://host/mind/x/v1", None), "http://host/mind/x/v1/responses");
    }

    /// The addresses of endpoint.rs, for an agent whose calls pass here.
    #[test]
    fn addresses_are_taken_as_for_our_own_calls() {
        let address = |request: &str, base: &str| {
            let (method, path) = request.split_once(' ').unwrap();
            Route::of(&method.parse().unwrap(), path, &HeaderMap::new()).unwrap().address(base, Some("beta=true"))
        };
        let dated = "https://r.openai.azure.com/openai/responses?api-version=2025-04-01-preview";
        let told = [
            address("POST /v1/chat/completions", "https://api.z.ai/api/paas/v4/chat/completions"),
            address("POST /v1/messages", "https://r.services.ai.azure.com/anthropic/v1/messages"),
            address("POST /v1/messages/count_tokens", "https://r.services.ai.azure.com/anthropic/v1/messages"),
            address("POST /responses", dated),
            address("GET /v1/models", "https://openrouter.ai/api/v1/chat/completions"),
        ];
        insta::assert_snapshot!(told.join("\n"), @r"
        https://api.z.ai/api/paas/v4/chat/completions?beta=true
        https://r.services.ai.azure.com/anthropic/v1/messages?beta=true
        https://r.services.ai.azure.com/anthropic/v1/messages/count_tokens?beta=true
        https://r.openai.azure.com/openai/responses?beta=true&api-version=2025-04-01-preview
        https://openrouter.ai/api/v1/models?beta=true
        ");
    }
}
