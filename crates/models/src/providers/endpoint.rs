//! Where requests of a model go: the base address as its user gives it, and what services in front of a model want to be
//! different.

use serde_json::json;

use super::codec::WireRequest;

/// What the path of a whole address ends in: nothing is added to it.
const WHOLE: [&str; 3] = ["/chat/completions", "/responses", "/messages"];

/// Where Google's Vertex has the models of others: each by its name in the path, with a token for a key.
const PUBLISHER: &str = "/publishers/";

/// What Vertex wants Claude's version to be called, in the body:
/// <https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai>
const CLAUDE_AT_VERTEX: &str = "vertex-2023-10-16";

/// Whether a key goes as a bearer there, whatever the wire format has.
pub(super) fn takes_bearers(base_url: &str) -> bool {
    base_url.contains(PUBLISHER)
}

/// The address of a request. A base that ends in the name of the method is taken as it is, one that ends in the name of
/// another gives way to it, one that already ends in the path's first part is not doubled, and what it asks in its query
/// goes with every request.
pub fn address(base_url: &str, path: &str) -> String {
    let (base, asked) = parted(base_url);
    let (path, also_asked) = parted(path);
    let base = base.trim_end_matches('/');
    let whole = WHOLE.iter().find(|ending| base.ends_with(*ending));
    let base =
        whole.filter(|ending| !path.ends_with(*ending)).map_or(base, |ending| &base[..base.len() - ending.len()]);
    let place = if whole.is_some_and(|ending| path.ends_with(ending)) {
        base.to_owned()
    } else if base.contains(PUBLISHER) {
        format!("{base}{}", unversioned(path))
    } else {
        joined(base, path)
    };
    let query: Vec<&str> = [also_asked, asked].into_iter().filter(|query| !query.is_empty()).collect();
    if query.is_empty() { place } else { format!("{place}?{}", query.join("&")) }
}

/// The request as it is wanted at an address. Vertex has Claude's name in the path and its version in the body.
pub(super) fn fitted(base_url: &str, mut wire: WireRequest) -> WireRequest {
    if !parted(base_url).0.trim_end_matches('/').ends_with("/publishers/anthropic") {
        return wire;
    }
    let Some(body) = wire.body.json.as_object_mut() else { return wire };
    let model = body.remove("model").unwrap_or_default();
    body.insert("anthropic_version".to_owned(), json!(CLAUDE_AT_VERTEX));
    wire.path = format!("/v1/models/{}:streamRawPredict", model.as_str().unwrap_or_default());
    wire.headers.retain(|(name, _)| *name != "anthropic-version");
    wire
}

/// Path and query.
fn parted(text: &str) -> (&str, &str) {
    text.split_once('?').unwrap_or((text, ""))
}

/// The path without its first part.
fn unversioned(path: &str) -> &str {
    path.get(1..).and_then(|rest| rest.find('/')).map_or(path, |slash| &path[slash + 1..])
}

fn joined(base: &str, path: &str) -> String {
    let version = path.split('/').nth(1).unwrap_or_default();
    let base = base.strip_suffix(version).filter(|rest| rest.ends_with('/')).unwrap_or(base);
    format!("{}{path}", base.trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::body::WireBody;

    const MESSAGES: &str = "/v1/messages";
    const RESPONSES: &str = "/v1/responses";
    const CHAT: &str = "/v1/chat/completions";
    const GOOGLE: &str = "/v1beta/models/gemini:streamGenerateContent?alt=sse";

    #[test]
    fn addresses_are_taken_as_they_are_documented() {
        let places = [
            ("https://api.anthropic.com", MESSAGES),
            ("https://api.openai.com/v1/", RESPONSES),
            ("https://r.openai.azure.com/openai/v1", RESPONSES),
            ("https://r.openai.azure.com/openai/deployments/d/chat/completions?api-version=2025-04-01-preview", CHAT),
            ("https://r.openai.azure.com/openai/responses?api-version=2025-04-01-preview", RESPONSES),
            ("https://r.services.ai.azure.com/anthropic/", MESSAGES),
            ("https://r.services.ai.azure.com/anthropic/v1/messages", MESSAGES),
            ("https://bedrock-mantle.us-east-1.api.aws/anthropic", MESSAGES),
            ("https://bedrock-mantle.us-east-1.api.aws/openai/v1", RESPONSES),
            ("https://aiplatform.googleapis.com/v1beta1/projects/p/locations/global/publishers/google", GOOGLE),
            ("https://aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/openapi/chat/completions", CHAT),
            ("https://generativelanguage.googleapis.com", GOOGLE),
            ("https://generativelanguage.googleapis.com/v1beta/openai/chat/completions", CHAT),
            ("https://ark.cn-beijing.volces.com/api/v3/chat/completions", CHAT),
            ("https://api.z.ai/api/paas/v4/chat/completions", CHAT),
            ("https://api.deepinfra.com/v1/openai/chat/completions", CHAT),
            ("https://models.github.ai/inference/chat/completions", CHAT),
            ("https://openrouter.ai/api/v1", CHAT),
            ("http://127.0.0.1:11434", CHAT),
        ];
        let told = places.map(|(base, path)| address(base, path)).join("\n");
        insta::assert_snapshot!(told);
    }

    #[test]
    fn claude_is_named_in_the_path_at_vertex() {
        let wire = || WireRequest {
            path: MESSAGES.to_owned(),
            headers: vec![("anthropic-version", "2023-06-01".to_owned()), ("anthropic-beta", "b".to_owned())],
            body: WireBody::plain(json!({"model": "claude-opus-4-6", "max_tokens": 1})),
        };
        let base = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/anthropic";
        let fitted_there = fitted(base, wire());
        assert_eq!(address(base, &fitted_there.path), format!("{base}/models/claude-opus-4-6:streamRawPredict"));
        assert_eq!(fitted_there.headers, [("anthropic-beta", "b".to_owned())]);
        assert_eq!(fitted_there.body.json, json!({"max_tokens": 1, "anthropic_version": "vertex-2023-10-16"}));
        assert_eq!(fitted("https://api.anthropic.com", wire()), wire());
        assert!(takes_bearers(base));
        assert!(!takes_bearers("https://api.anthropic.com"));
    }
}
