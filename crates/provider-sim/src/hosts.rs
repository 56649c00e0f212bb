//! Services that have models behind paths and headers of their own: `/at/HOST` before a path makes the simulator one of
//! them, which takes nothing else.

use axum::http::{HeaderMap, HeaderValue};
use quintain_core::percent::percent_decoded;
use serde_json::Value;

use super::asked::Api;
use super::wire::WrongRequest;

/// What a service takes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct HostRules {
    /// Its name in a path.
    name: &'static str,
    /// Its paths, with `*` for any one part, and the format that is spoken there. The last part is the model and its
    /// method where it is `*`.
    paths: &'static [(&'static str, Api)],
    /// Where it looks for a key; nowhere means that it wants none.
    keys: &'static [&'static str],
    /// What its query must name.
    query: Option<&'static str>,
}

const BEARER: &str = "authorization";

/// The services, each with where its rules are written down.
static HOSTS: [HostRules; 10] = [
    // https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle; openai `lib/azure.py` for the headers.
    HostRules {
        name: "azure",
        paths: &[("openai/v1/responses", Api::Responses), ("openai/v1/chat/completions", Api::Chat)],
        keys: &["api-key", BEARER],
        query: None,
    },
    // The same page; openai `lib/azure.py`: deployments stand in the path, and `api-version` is needed.
    HostRules {
        name: "azure-dated",
        paths: &[("openai/deployments/*/chat/completions", Api::Chat), ("openai/responses", Api::Responses)],
        keys: &["api-key", BEARER],
        query: Some("api-version"),
    },
    // anthropic `lib/foundry.py`: the address, and what it sends as a key.
    HostRules {
        name: "foundry",
        paths: &[("anthropic/v1/messages", Api::Anthropic)],
        keys: &["x-api-key", "api-key", BEARER],
        query: None,
    },
    // anthropic `lib/bedrock/_mantle.py` and openai `providers/bedrock.py`: without a signature, a bearer key.
    HostRules {
        name: "bedrock",
        paths: &[
            ("anthropic/v1/messages", Api::Anthropic),
            ("openai/v1/responses", Api::Responses),
            ("openai/v1/chat/completions", Api::Chat),
        ],
        keys: &[BEARER],
        query: None,
    },
    // anthropic `lib/vertex/_client.py`, google-genai `_transformers.py` and `_api_client.py`.
    HostRules {
        name: "vertex",
        paths: &[
            ("v1/projects/*/locations/*/publishers/anthropic/models/*", Api::Anthropic),
            ("v1beta1/projects/*/locations/*/publishers/google/models/*", Api::Google),
            ("v1/projects/*/locations/*/endpoints/openapi/chat/completions", Api::Chat),
        ],
        keys: &[BEARER],
        query: None,
    },
    // https://openrouter.ai/docs/api/reference/overview
    HostRules { name: "openrouter", paths: &[("api/v1/chat/completions", Api::Chat)], keys: &[BEARER], query: None },
    // https://docs.vllm.ai/en/stable/serving/openai_compatible_server/: a key only where it was started with one.
    HostRules { name: "vllm", paths: &[("v1/chat/completions", Api::Chat)], keys: &[], query: None },
    // https://docs.sglang.ai/basic_usage/openai_api.html
    HostRules { name: "sglang", paths: &[("v1/chat/completions", Api::Chat)], keys: &[], query: None },
    // https://docs.ollama.com/api/openai-compatibility
    HostRules { name: "ollama", paths: &[("v1/chat/completions", Api::Chat)], keys: &[], query: None },
    // Gemini's own endpoint in OpenAI's format, Volcengine Ark, Z.ai, DeepInfra, GitHub Models: nowhere is it `/v1/...`.
    HostRules {
        name: "elsewhere",
        paths: &[
            ("v1beta/openai/chat/completions", Api::Chat),
            ("api/v3/chat/completions", Api::Chat),
            ("api/paas/v4/chat/completions", Api::Chat),
            ("v1/openai/chat/completions", Api::Chat),
            ("inference/chat/completions", Api::Chat),
        ],
        keys: &[BEARER],
        query: None,
    },
];

impl HostRules {
    /// The service of this name.
    pub(super) fn named(name: &str) -> Option<&'static Self> {
        HOSTS.iter().find(|host| host.name == name)
    }

    /// The format that is spoken at a path, and the last part of it where that names a model and a method.
    pub(super) fn endpoint(&self, path: &str) -> Option<(Api, Option<String>)> {
        let parts: Vec<&str> = path.split('/').collect();
        self.paths.iter().find_map(|(pattern, api)| {
            let wanted: Vec<&str> = pattern.split('/').collect();
            let fits = wanted.iter().zip(&parts).all(|(wanted, part)| *wanted == "*" || wanted == part);
            let last = || if pattern.ends_with('*') { percent_decoded(parts.last()?) } else { None };
            (wanted.len() == parts.len() && fits).then(|| (*api, last()))
        })
    }

    /// Whether a request carries a key where it is looked for.
    pub(super) fn has_key(&self, headers: &HeaderMap) -> bool {
        let said = |name: &str| {
            let value = headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
            let key = if name == BEARER { value.strip_prefix("Bearer ").unwrap_or_default() } else { value };
            !key.trim().is_empty()
        };
        self.keys.is_empty() || self.keys.iter().any(|name| said(name))
    }

    /// Whether the query names what it must.
    pub(super) fn has_query(&self, query: &str) -> bool {
        let names =
            |wanted: &str| query.split('&').any(|pair| pair.split_once('=').is_some_and(|(name, _)| name == wanted));
        self.query.is_none_or(names)
    }
}

/// A request for Claude whose path names the model, as one that names it in the body: so it is at Vertex, where the version
/// stands in the body too (anthropic `lib/vertex/_client.py`).
pub(super) fn unpacked(model: Option<&str>, headers: &mut HeaderMap, body: &mut Value) -> Result<(), WrongRequest> {
    let (Some(model), Some(fields)) = (model, body.as_object_mut()) else { return Ok(()) };
    if fields.contains_key("model") {
        return Err(WrongRequest::request("model: Extra inputs are not permitted"));
    }
    let version = match fields.remove("anthropic_version").as_ref().and_then(Value::as_str) {
        Some("vertex-2023-10-16") => "2023-06-01",
        Some("2026-10-21") => "2026-10-21",
        _ => return Err(WrongRequest::request("anthropic_version: Field required")),
    };
    headers.insert("anthropic-version", HeaderValue::from_static(version));
    fields.insert("model".to_owned(), model.into());
    Ok(())
}
