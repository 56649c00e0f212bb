//! What to set otherwise where a provider refuses a request for what it is, or is not there at all. What providers say is
//! meant for those who wrote the request; here it is told to those who wrote the settings.

use super::keys::{KeyHeader, Secret};
use super::provider::Provider;

/// How a call was made that was refused.
#[derive(Clone, Copy, Debug)]
pub(super) struct RefusedCall<'a> {
    pub(super) provider: Provider,
    /// The model, as its provider knows it.
    pub(super) model: &'a str,
    pub(super) base_url: &'a str,
    /// The whole address that it went to.
    pub(super) address: &'a str,
    pub(super) key: Option<&'a Secret>,
    pub(super) auth: KeyHeader,
}

/// What came of it.
#[derive(Clone, Copy, Debug)]
pub(super) enum CallOutcome<'a> {
    /// Nobody took it.
    Unreached(&'a str),
    /// It was refused with this status and these words.
    Refused(u16, &'a str),
}

/// Whose models are behind an address, as far as that says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ModelHost {
    Azure,
    Bedrock,
    Vertex,
    OpenRouter,
    /// A server of one's own, such as vLLM or Ollama.
    OwnServer,
    Other,
}

/// How keys begin, the longer beginnings first, and whose they are.
const KEY_BEGINNINGS: [(&str, &str); 8] = [
    ("sk-ant-", "Anthropic"),
    ("sk-or-", "OpenRouter"),
    ("sk-", "OpenAI"),
    ("AIza", "Google"),
    ("ya29.", "Google's gcloud"),
    ("gsk_", "Groq"),
    ("hf_", "Hugging Face"),
    ("AKIA", "AWS"),
];

/// What helps, in one line; nothing where nobody can tell.
pub(super) fn mend(call: &RefusedCall<'_>, outcome: CallOutcome<'_>) -> Option<String> {
    let (status, words) = match outcome {
        CallOutcome::Unreached(why) => return Some(call.unreached(&why.to_lowercase())),
        CallOutcome::Refused(status, words) => (status, words.to_lowercase().replace(&call.path(), "")),
    };
    let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
    match status {
        401 | 403 => Some(call.not_let_in(status)),
        400 if says(&["api key", "api_key"]) => Some(call.not_let_in(401)),
        402 => Some(spent()),
        400..=499 if says(&["quota", "billing", "credit"]) => Some(spent()),
        // A page for people came back.
        200..=299 => Some(call.no_such_path()),
        300..=399 => Some(call.moved()),
        400..=499 => call.wrong_request(status, &words),
        _ => None,
    }
}

fn spent() -> String {
    "there is no money left on the account of this key: add some there, or give key=VARIABLE of another".to_owned()
}

impl RefusedCall<'_> {
    /// Where the address comes from, and what it should be.
    fn address_setting(&self) -> String {
        format!("base_url= of the agent or {}", self.provider.base_url_variable())
    }

    /// The path that was asked, which refusals repeat and which may hold the words that are looked for.
    fn path(&self) -> String {
        let place = self.address.split_once("://").map_or(self.address, |(_, place)| place);
        let path = place.find('/').map_or("", |slash| &place[slash..]);
        path.split('?').next().unwrap_or_default().to_lowercase()
    }

    fn host(&self) -> ModelHost {
        let place = self.base_url.to_lowercase();
        let is_at = |any: &[&str]| any.iter().any(|part| place.contains(part));
        match () {
            () if is_at(&["azure.com"]) => ModelHost::Azure,
            () if is_at(&["amazonaws.com", ".api.aws"]) => ModelHost::Bedrock,
            () if is_at(&["aiplatform.googleapis.com"]) => ModelHost::Vertex,
            () if is_at(&["openrouter.ai"]) => ModelHost::OpenRouter,
            () if self.provider == Provider::Chat && is_at(&["http://"]) => ModelHost::OwnServer,
            () => ModelHost::Other,
        }
    }

    fn unreached(&self, why: &str) -> String {
        let setting = self.address_setting();
        let is_tls = ["invalidcontenttype", "corrupt message", "wrong version", "tls", "certificate"];
        if self.base_url.starts_with("https://") && is_tls.iter().any(|word| why.contains(word)) {
            return format!("the server there may speak no TLS: write http:// in {setting}");
        }
        if why.contains("refused") {
            return format!(
                "nothing listens at this address: start the server there, or mend host and port in {setting}"
            );
        }
        if why.contains("lookup") || why.contains("name or service") {
            return format!(
                "no host has this name: mend it in {setting}, where resource and region may be parts of it"
            );
        }
        format!("mend the address in {setting}; behind a proxy, set HTTPS_PROXY")
    }

    /// The key is not taken, or may not do this.
    fn not_let_in(&self, status: u16) -> String {
        let variables = self.provider.key_variables().join(" or ");
        let Some(key) = self.key else {
            return format!("no key was sent: set {variables}, or name the variable that holds it: key=VARIABLE");
        };
        let variable = key.name();
        let is_token = key.reveal().starts_with("ya29.");
        if self.host() == ModelHost::Vertex && !is_token {
            return "Vertex takes tokens and no keys: give key=gcloud".to_owned();
        }
        let whose = KEY_BEGINNINGS.iter().find(|(begins, _)| key.reveal().starts_with(begins)).map(|(_, whose)| *whose);
        if let Some(whose) = whose.filter(|whose| !self.takes_keys_of(whose)) {
            return format!(
                "the key in {variable} looks like one of {whose}: name the variable of the right one, key=VARIABLE"
            );
        }
        match self.host() {
            ModelHost::Azure if self.auth != KeyHeader::ApiKey => {
                format!("Azure takes its keys with auth=api-key; {variable} must hold the key of this resource")
            }
            ModelHost::Bedrock if self.auth != KeyHeader::Bearer => {
                "Bedrock takes Bedrock API keys, with auth=bearer".to_owned()
            }
            ModelHost::Bedrock => {
                format!("{variable} must hold a Bedrock API key of the region in the address, which may use this model")
            }
            ModelHost::Vertex if status == 403 => {
                "switch the Vertex AI API on in this project, and give the account the role Vertex AI User".to_owned()
            }
            ModelHost::Vertex => {
                format!("tokens of gcloud lapse after an hour: give key=gcloud, or put a new one into {variable}")
            }
            _ if status == 403 => {
                format!(
                    "the account of the key in {variable} may not use this model: ask for it there, or take another"
                )
            }
            _ if self.provider.usual_base_url() == Some(self.base_url) => {
                format!("{variable} holds no key that is taken: copy it anew from the provider's page")
            }
            _ => format!(
                "{variable} holds no key that is taken there, or it goes into another header: auth=bearer, api-key or x-api-key"
            ),
        }
    }

    /// Whether keys of this company are right here. Servers of others may take any.
    fn takes_keys_of(&self, whose: &str) -> bool {
        match (self.provider, self.host()) {
            (_, ModelHost::OpenRouter) => whose == "OpenRouter",
            (Provider::Anthropic, ModelHost::Other) => whose == "Anthropic",
            (Provider::OpenAi, ModelHost::Other) => whose == "OpenAI",
            (Provider::Google, ModelHost::Other) => whose == "Google",
            _ => true,
        }
    }

    fn moved(&self) -> String {
        let setting = self.address_setting();
        if self.base_url.starts_with("http://") {
            return format!("the server there wants https:// in {setting}");
        }
        format!("{} leads elsewhere: write the address of the API itself into {setting}", self.address)
    }

    fn no_such_path(&self) -> String {
        let setting = self.address_setting();
        let known = match self.host() {
            ModelHost::Azure => "https://RESOURCE.openai.azure.com/openai/v1",
            ModelHost::Bedrock => "https://bedrock-mantle.REGION.api.aws/anthropic or .../openai/v1",
            ModelHost::Vertex => {
                "https://aiplatform.googleapis.com/v1/projects/PROJECT/locations/LOCATION/publishers/NAME"
            }
            ModelHost::OpenRouter => "https://openrouter.ai/api/v1",
            ModelHost::OwnServer => "http://HOST:PORT",
            ModelHost::Other => self.provider.usual_base_url().unwrap_or("https://HOST/v1"),
        };
        format!("nothing is at {}: {setting} should be like {known}, or the whole address of the method", self.address)
    }

    fn no_such_model(&self) -> String {
        let model = self.model;
        match self.host() {
            ModelHost::Azure => format!("at Azure `{model}` must be the name of a deployment of this resource"),
            ModelHost::Bedrock => {
                format!(
                    "`{model}` must be spelt as Bedrock spells it (anthropic.claude-...), and be offered in the region"
                )
            }
            ModelHost::Vertex => {
                format!("`{model}` must be spelt as Vertex spells it, and be offered at the location in the address")
            }
            ModelHost::OpenRouter => {
                format!("`{model}` must be spelt with its maker, as openrouter.ai/models spells it: chat/MAKER/NAME")
            }
            ModelHost::OwnServer => format!(
                "the server has no `{model}`: GET /v1/models says what it has; with Ollama, `ollama pull {model}` fetches it"
            ),
            ModelHost::Other => {
                format!(
                    "`{model}` must be spelt as the provider spells it, and the key's account may have to be let in to it"
                )
            }
        }
    }

    /// What is wrong with a request, by the words of the refusal.
    fn wrong_request(&self, status: u16, words: &str) -> Option<String> {
        let says = |any: &[&str]| any.iter().any(|word| words.contains(word));
        if says(&["api-version"]) || (self.host() == ModelHost::Azure && says(&["api version"])) {
            let example = "base_url=https://RESOURCE.openai.azure.com/openai/v1";
            return Some(format!("end the address in a ?api-version= that Azure has, or better use {example}"));
        }
        if says(&["effort", "thinking", "reasoning"]) {
            return Some("this model has no such effort: give another --effort, or none".to_owned());
        }
        if says(&["many-image", "too many images"]) {
            return Some(
                "show fewer pictures (pictures=), or say longest_side = 2000 of it in a file of models (--models)"
                    .to_owned(),
            );
        }
        if says(&["image", "vision", "multimodal", "picture"]) {
            let blind = "say sees = false of it in a file of models (--models) and show it text (--show tree)";
            return Some(format!("this model may see no pictures: take another, or {blind}"));
        }
        if says(&["tool-call-parser", "tool choice", "tool_choice", "does not support tools", "computer"]) {
            return Some(
                "this model or server has no such tools: try tools=schema, then tools=text; vLLM wants --enable-auto-tool-choice \
                 and --tool-call-parser"
                    .to_owned(),
            );
        }
        if says(&["max_tokens", "max_output_tokens", "max_completion_tokens", "maxoutputtokens"]) {
            return Some("this model may not write so much: give max_output=".to_owned());
        }
        if says(&["location is not supported", "in this region"]) {
            return Some(match self.host() {
                ModelHost::Azure | ModelHost::Bedrock | ModelHost::Vertex => {
                    "this model is not offered in the region of the address: take another, or another model".to_owned()
                }
                _ => "this service is not offered where you are: ask through Azure, Bedrock or Vertex".to_owned(),
            });
        }
        match (status, says(&["model", "deployment"])) {
            (_, true) => Some(self.no_such_model()),
            (404 | 405, false) => Some(self.no_such_path()),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
