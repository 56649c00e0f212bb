//! The five likeliest wrong settings of each place where models are, each with what the service answers then and what is
//! told. The bodies have each service's own shape; their words are as its users know them, and no service was asked for them.

use super::*;
use crate::providers::codec::refusal::Complaint;
use crate::providers::endpoint;

const ANTHROPIC: &str = "https://api.anthropic.com";
const OPENAI: &str = "https://api.openai.com";
const GOOGLE: &str = "https://generativelanguage.googleapis.com";
const OPENROUTER: &str = "https://openrouter.ai/api/v1";
const VLLM: &str = "http://127.0.0.1:8000";
const AZURE: &str = "https://r.openai.azure.com/openai/v1";
const BEDROCK: &str = "https://bedrock-mantle.us-east-1.api.aws/anthropic";
const VERTEX: &str = "https://aiplatform.googleapis.com/v1/projects/p/locations/global/publishers/anthropic";

/// A wrong setting: what it is, who is asked where with which key, and what comes of it.
type WrongSetting = (&'static str, Provider, &'static str, Option<&'static str>, CallOutcome<'static>);

fn told((what, provider, base_url, key, outcome): &WrongSetting) -> String {
    let path = match provider {
        Provider::Anthropic => "/v1/messages",
        Provider::OpenAi => "/v1/responses",
        Provider::Chat => "/v1/chat/completions",
        Provider::Google => "/v1beta/models/NAME:streamGenerateContent?alt=sse",
    };
    let key = key.map(|key| Secret::new(key, provider.key_variables()[0]));
    let auth =
        if base_url.contains("aws") || base_url.contains("aiplatform") { KeyHeader::Bearer } else { KeyHeader::Usual };
    let address = endpoint::address(base_url, path);
    let call = RefusedCall { provider: *provider, model: "NAME", base_url, address: &address, key: key.as_ref(), auth };
    let read;
    let outcome = match outcome {
        CallOutcome::Refused(status, body) => {
            read = Complaint::of_body(body).refusal(*status).to_string();
            CallOutcome::Refused(*status, &read)
        }
        unreached @ CallOutcome::Unreached(_) => *unreached,
    };
    format!("{what}: {}", mend(&call, outcome).unwrap_or_else(|| "-".to_owned()))
}

fn all(settings: &[WrongSetting]) -> String {
    settings.iter().map(told).collect::<Vec<_>>().join("\n")
}

fn refused(status: u16, body: &'static str) -> CallOutcome<'static> {
    CallOutcome::Refused(status, body)
}

#[test]
fn anthropic() {
    let key = Some("sk-ant-123456");
    insta::assert_snapshot!(all(&[
        (
            "wrong key",
            Provider::Anthropic,
            ANTHROPIC,
            key,
            refused(401, r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#)
        ),
        (
            "key of OpenAI",
            Provider::Anthropic,
            ANTHROPIC,
            Some("sk-proj-123456"),
            refused(401, r#"{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}"#)
        ),
        (
            "wrong name",
            Provider::Anthropic,
            ANTHROPIC,
            key,
            refused(404, r#"{"type":"error","error":{"type":"not_found_error","message":"model: claude-9"}}"#)
        ),
        ("wrong path", Provider::Anthropic, "https://api.anthropic.com/api", key, refused(404, "Not Found")),
        (
            "effort it has not",
            Provider::Anthropic,
            ANTHROPIC,
            key,
            refused(
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"This model does not support the effort parameter."}}"#
            )
        ),
        (
            "no money",
            Provider::Anthropic,
            ANTHROPIC,
            key,
            refused(
                400,
                r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}}"#
            )
        ),
    ]));
}

#[test]
fn openai() {
    let key = Some("sk-proj-123456");
    insta::assert_snapshot!(all(&[
        (
            "wrong key",
            Provider::OpenAi,
            OPENAI,
            key,
            refused(
                401,
                r#"{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}"#
            )
        ),
        (
            "key of Anthropic",
            Provider::OpenAi,
            OPENAI,
            Some("sk-ant-123456"),
            refused(401, r#"{"error":{"message":"Incorrect API key provided"}}"#)
        ),
        (
            "wrong name",
            Provider::OpenAi,
            OPENAI,
            key,
            refused(
                404,
                r#"{"error":{"message":"The model `gpt-9` does not exist or you do not have access to it.","code":"model_not_found"}}"#
            )
        ),
        (
            "effort it has not",
            Provider::OpenAi,
            OPENAI,
            key,
            refused(
                400,
                r#"{"error":{"message":"Unsupported value: 'none' is not supported with this model. Supported values are: 'low' and 'high'.","param":"reasoning.effort","code":"unsupported_value"}}"#
            )
        ),
        (
            "no money",
            Provider::OpenAi,
            OPENAI,
            key,
            refused(429, r#"{"error":{"message":"You exceeded your current quota","type":"insufficient_quota"}}"#)
        ),
        (
            "no TLS there",
            Provider::OpenAi,
            "https://127.0.0.1:8080",
            key,
            CallOutcome::Unreached("received corrupt message of type InvalidContentType")
        ),
    ]));
}

#[test]
fn google() {
    let key = Some("AIza123456");
    insta::assert_snapshot!(all(&[
        (
            "wrong key",
            Provider::Google,
            GOOGLE,
            key,
            refused(
                400,
                r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#
            )
        ),
        (
            "key of OpenAI",
            Provider::Google,
            GOOGLE,
            Some("sk-123456"),
            refused(400, r#"{"error":{"code":400,"message":"API key not valid.","status":"INVALID_ARGUMENT"}}"#)
        ),
        (
            "wrong name",
            Provider::Google,
            GOOGLE,
            key,
            refused(
                404,
                r#"{"error":{"code":404,"message":"models/gemini-9 is not found for API version v1beta","status":"NOT_FOUND"}}"#
            )
        ),
        (
            "effort it has not",
            Provider::Google,
            GOOGLE,
            key,
            refused(
                400,
                r#"{"error":{"code":400,"message":"Thinking level MINIMAL is not supported for this model.","status":"INVALID_ARGUMENT"}}"#
            )
        ),
        (
            "wrong path",
            Provider::Google,
            "https://generativelanguage.googleapis.com/v1beta/openai",
            key,
            refused(
                404,
                "<html><p>The requested URL /v1beta/openai/v1beta/models/NAME:streamGenerateContent was not found</html>",
            ),
        ),
        (
            "not offered there",
            Provider::Google,
            GOOGLE,
            key,
            refused(
                400,
                r#"{"error":{"code":400,"message":"User location is not supported for the API use.","status":"FAILED_PRECONDITION"}}"#
            )
        ),
    ]));
}

#[test]
fn openrouter() {
    let key = Some("sk-or-v1-123456");
    insta::assert_snapshot!(all(&[
        (
            "no key",
            Provider::Chat,
            OPENROUTER,
            None,
            refused(401, r#"{"error":{"message":"No auth credentials found","code":401}}"#)
        ),
        (
            "key of OpenAI",
            Provider::Chat,
            OPENROUTER,
            Some("sk-proj-123456"),
            refused(401, r#"{"error":{"message":"User not found.","code":401}}"#)
        ),
        (
            "wrong name",
            Provider::Chat,
            OPENROUTER,
            key,
            refused(400, r#"{"error":{"message":"qwen3-vl is not a valid model ID","code":400}}"#)
        ),
        ("without /api", Provider::Chat, "https://openrouter.ai", key, refused(404, "<html>404</html>")),
        (
            "no money",
            Provider::Chat,
            OPENROUTER,
            key,
            refused(402, r#"{"error":{"message":"Insufficient credits","code":402}}"#)
        ),
        (
            "sees nothing",
            Provider::Chat,
            OPENROUTER,
            key,
            refused(404, r#"{"error":{"message":"No endpoints found that support image input","code":404}}"#)
        ),
        ("http", Provider::Chat, "http://openrouter.ai/api/v1", key, refused(301, "")),
    ]));
}

#[test]
fn vllm_and_ollama() {
    insta::assert_snapshot!(all(&[
        ("nothing listens", Provider::Chat, VLLM, None, CallOutcome::Unreached("Connection refused (os error 111)")),
        (
            "wrong name",
            Provider::Chat,
            VLLM,
            None,
            refused(
                404,
                r#"{"object":"error","message":"The model `qwen` does not exist.","type":"NotFoundError","code":404}"#
            )
        ),
        (
            "not pulled",
            Provider::Chat,
            "http://127.0.0.1:11434",
            None,
            refused(404, r#"{"error":{"message":"model 'qwen3-vl' not found","type":"not_found_error"}}"#)
        ),
        ("wrong path", Provider::Chat, "http://127.0.0.1:8000/api", None, refused(404, r#"{"detail":"Not Found"}"#)),
        (
            "no tool calls",
            Provider::Chat,
            VLLM,
            None,
            refused(
                400,
                r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","code":400}"#
            )
        ),
        (
            "no tools",
            Provider::Chat,
            "http://127.0.0.1:11434",
            None,
            refused(400, r#"{"error":{"message":"registry.ollama.ai/library/gemma does not support tools"}}"#)
        ),
        (
            "sees nothing",
            Provider::Chat,
            VLLM,
            None,
            refused(400, r#"{"object":"error","message":"qwen is not a multimodal model","code":400}"#)
        ),
        ("started with a key", Provider::Chat, VLLM, None, refused(401, r#"{"error":"Unauthorized"}"#)),
        (
            "https",
            Provider::Chat,
            "https://127.0.0.1:8000",
            None,
            CallOutcome::Unreached("received corrupt message of type InvalidContentType")
        ),
    ]));
}

#[test]
fn azure() {
    let key = Some("0123456789abcdef");
    insta::assert_snapshot!(all(&[
        (
            "bearer",
            Provider::OpenAi,
            AZURE,
            key,
            refused(
                401,
                r#"{"error":{"code":"401","message":"Access denied due to invalid subscription key or wrong API endpoint."}}"#
            )
        ),
        (
            "no deployment",
            Provider::OpenAi,
            AZURE,
            key,
            refused(
                404,
                r#"{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist."}}"#
            )
        ),
        (
            "wrong path",
            Provider::OpenAi,
            "https://r.openai.azure.com/openai/v2",
            key,
            refused(404, r#"{"error":{"code":"404","message":"Resource not found"}}"#)
        ),
        (
            "wrong version",
            Provider::OpenAi,
            "https://r.openai.azure.com/openai/responses?api-version=2020-01-01",
            key,
            refused(400, r#"{"error":{"code":"BadRequest","message":"API version not supported"}}"#)
        ),
        (
            "wrong resource",
            Provider::OpenAi,
            AZURE,
            key,
            CallOutcome::Unreached("failed to lookup address information: Name or service not known")
        ),
    ]));
}

#[test]
fn bedrock() {
    let key = Some("bedrock-api-key-123456");
    insta::assert_snapshot!(all(&[
        (
            "wrong key",
            Provider::Anthropic,
            BEDROCK,
            key,
            refused(403, r#"{"message":"The security token included in the request is invalid."}"#)
        ),
        (
            "wrong name",
            Provider::Anthropic,
            BEDROCK,
            key,
            refused(404, r#"{"message":"The provided model identifier is invalid."}"#)
        ),
        (
            "no such region",
            Provider::Anthropic,
            "https://bedrock-mantle.us-west-9.api.aws/anthropic",
            key,
            CallOutcome::Unreached("failed to lookup address information: Name or service not known")
        ),
        ("wrong path", Provider::Anthropic, "https://bedrock-mantle.us-east-1.api.aws/claude", key, refused(404, "{}")),
        (
            "not in the region",
            Provider::Anthropic,
            BEDROCK,
            key,
            refused(400, r#"{"message":"The model is not supported in this Region"}"#)
        ),
    ]));
}

#[test]
fn vertex() {
    let key = Some("ya29.123456");
    insta::assert_snapshot!(all(&[
        (
            "token lapsed",
            Provider::Anthropic,
            VERTEX,
            key,
            refused(
                401,
                r#"[{"error":{"code":401,"message":"Request had invalid authentication credentials.","status":"UNAUTHENTICATED"}}]"#
            )
        ),
        (
            "not switched on",
            Provider::Anthropic,
            VERTEX,
            key,
            refused(
                403,
                r#"{"error":{"code":403,"message":"Vertex AI API has not been used in project p before or it is disabled.","status":"PERMISSION_DENIED"}}"#
            )
        ),
        (
            "wrong name or place",
            Provider::Anthropic,
            VERTEX,
            key,
            refused(
                404,
                r#"{"error":{"code":404,"message":"Publisher Model `publishers/anthropic/models/claude-9` was not found.","status":"NOT_FOUND"}}"#
            )
        ),
        (
            "wrong path",
            Provider::Google,
            "https://aiplatform.googleapis.com/v1/models",
            key,
            refused(404, "<html>404</html>")
        ),
        (
            "key of the Gemini API",
            Provider::Google,
            "https://aiplatform.googleapis.com/v1beta1/projects/p/locations/l/publishers/google",
            Some("AIza123456"),
            refused(
                401,
                r#"{"error":{"code":401,"message":"API keys are not supported by this API.","status":"UNAUTHENTICATED"}}"#
            )
        ),
    ]));
}
