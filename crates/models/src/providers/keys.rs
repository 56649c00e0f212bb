//! Keys: read from the environment, sent to their provider, and never written anywhere else.

use std::fmt;
use std::sync::{Once, RwLock};

use quintain_core::lock::LockAlways as _;

use super::codec::Codec;
use super::endpoint;
use super::gcloud::{self, GCLOUD};
use super::provider::{KeyRule, ModelSpec, Provider};

/// Shorter values are no keys: hiding them would only make texts unreadable.
const SHORTEST: usize = 6;

/// Every secret this process has read, with the name it is shown by instead, the longest first.
static KNOWN: RwLock<Vec<(String, String)>> = RwLock::new(Vec::new());

/// A secret that does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret {
    value: String,
    name: String,
}

/// In which header a key goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyHeader {
    /// The provider's own: `x-api-key`, `x-goog-api-key` or `authorization`.
    Usual,
    /// `authorization: Bearer ...`, as tokens, gateways and Bedrock have it.
    Bearer,
    /// `api-key: ...`, as Azure has it.
    ApiKey,
    /// `x-api-key: ...`, as Anthropic has it.
    XApiKey,
    /// `x-goog-api-key: ...`, as Google has it.
    XGoogApiKey,
}

impl KeyHeader {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Usual, Self::Bearer, Self::ApiKey, Self::XApiKey, Self::XGoogApiKey];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Bearer => "bearer",
            Self::ApiKey => "api-key",
            Self::XApiKey => "x-api-key",
            Self::XGoogApiKey => "x-goog-api-key",
        }
    }

    /// The one that is meant for a key of this model at an address, from wherever the key is.
    pub fn of(spec: &ModelSpec, base_url: &str, key: &Secret) -> Self {
        let is_bearer = spec.provider.is_token(&key.name) || endpoint::takes_bearers(base_url);
        spec.auth.unwrap_or(if is_bearer { Self::Bearer } else { Self::Usual })
    }

    /// The header itself.
    pub fn write(self, codec: &dyn Codec, key: &Secret) -> (&'static str, String) {
        match self {
            Self::Usual => codec.authorization(key.reveal()),
            Self::Bearer => ("authorization", format!("Bearer {}", key.reveal())),
            named => (named.name(), key.reveal().to_owned()),
        }
    }
}

/// Why there is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoKey {
    /// The variable is not set.
    #[error("the environment has no key for {provider}\nhint: set {variable}")]
    NotSet {
        /// Whose key.
        provider: Provider,
        /// The variable it should be in.
        variable: String,
    },
    /// What was given is no name of a variable. It is not repeated here: it may be the key itself.
    #[error("`key` names the environment variable that holds the key, such as {0}, and is never the key itself")]
    NotAVariable(&'static str),
    /// Google's program gives none.
    #[error(
        "`gcloud auth print-access-token` gives no token: {0}\nhint: gcloud auth login; or put one into a variable, and name that: key=NAME"
    )]
    NoToken(String),
}

impl Secret {
    /// A secret; from now on [`redact`] shows its name instead.
    pub fn new(value: impl Into<String>, name: &str) -> Self {
        let value = value.into();
        remember(&value, name);
        Self { value, name: name.to_owned() }
    }

    /// The name that it is shown by: that of the variable it came from.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The secret itself, for the one header it belongs in.
    pub fn reveal(&self) -> &str {
        &self.value
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// The key for a model, in this environment. Only compatible servers may do without.
pub fn key_in(spec: &ModelSpec, environment: &dyn Fn(&str) -> Option<String>) -> Result<Option<Secret>, NoKey> {
    if spec.key.as_deref() == Some(GCLOUD) {
        return gcloud::token().map(Some).map_err(NoKey::NoToken);
    }
    let usual = spec.provider.key_variables();
    let asked: Vec<&str> = spec.key.as_deref().map_or_else(|| usual.to_vec(), |name| vec![name]);
    if !asked.iter().all(|name| is_variable(name)) {
        return Err(NoKey::NotAVariable(usual[0]));
    }
    let found = asked.iter().find_map(|name| {
        let value = environment(name)?;
        let value = value.trim();
        (!value.is_empty()).then(|| Secret::new(value, name))
    });
    let optional = spec.provider.key_rule() == KeyRule::Optional && spec.key.is_none();
    if found.is_none() && !optional {
        return Err(NoKey::NotSet { provider: spec.provider, variable: asked.join(" or ") });
    }
    Ok(found)
}

/// Whether a text can be the name of an environment variable that somebody would keep a key in.
pub fn is_variable(name: &str) -> bool {
    let first = name.chars().next().is_some_and(|c| c.is_ascii_uppercase() || c == '_');
    first && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// The text with every known secret replaced by its name. For everything that may be recorded or shown. The usual
/// variables of all providers are known even where nobody has asked for their keys.
pub fn redact(text: &str) -> String {
    static LEARNED: Once = Once::new();
    LEARNED.call_once(learn_from_environment);
    let known = KNOWN.read().always();
    known.iter().fold(text.to_owned(), |text, (secret, name)| {
        if text.contains(secret.as_str()) { text.replace(secret.as_str(), &format!("[{name}]")) } else { text }
    })
}

/// Learns the secrets in the usual variables of all providers.
fn learn_from_environment() {
    for name in Provider::ALL.iter().flat_map(|provider| provider.key_variables()) {
        if let Ok(value) = std::env::var(name) {
            remember(value.trim(), name);
        }
    }
}

fn remember(value: &str, name: &str) {
    let mut known = KNOWN.write().always();
    if value.len() < SHORTEST || known.iter().any(|(secret, _)| secret == value) {
        return;
    }
    known.push((value.to_owned(), name.to_owned()));
    known.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(spec: &ModelSpec, set: &[(&str, &str)]) -> String {
        let environment = |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
        match key_in(spec, &environment) {
            Ok(Some(secret)) => secret.reveal().to_owned(),
            Ok(None) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn keys_come_from_the_variable_that_is_meant() {
        let google = ModelSpec::new(Provider::Google, "gemini");
        assert_eq!(key(&google, &[("GOOGLE_API_KEY", "k-google-1"), ("OPENAI_API_KEY", "k-other-1")]), "k-google-1");
        let mine = ModelSpec { key: Some("MY_KEY".to_owned()), ..google.clone() };
        assert_eq!(key(&mine, &[("MY_KEY", " k-mine-1\n"), ("GEMINI_API_KEY", "k-google-2")]), "k-mine-1");
        insta::assert_snapshot!(key(&google, &[]), @"
        the environment has no key for google
        hint: set GEMINI_API_KEY or GOOGLE_API_KEY
        ");
        let chat = ModelSpec::new(Provider::Chat, "qwen");
        assert_eq!(key(&chat, &[]), "none");
    }

    #[test]
    fn a_token_goes_into_another_header_than_a_key() {
        let header = |spec: &ModelSpec, set: &[(&str, &str)]| {
            let environment =
                |name: &str| set.iter().find(|(set, _)| *set == name).map(|(_, value)| (*value).to_owned());
            let key = key_in(spec, &environment).unwrap().unwrap();
            KeyHeader::of(spec, "https://api.anthropic.com", &key).write(&*spec.provider.codec(), &key)
        };
        let claude = ModelSpec::new(Provider::Anthropic, "claude-opus-5");
        let (key, token) = (("ANTHROPIC_API_KEY", "k-key-12"), ("ANTHROPIC_AUTH_TOKEN", "t-token-12"));
        let bearer = ModelSpec { auth: Some(KeyHeader::Bearer), ..claude.clone() };
        let azure = ModelSpec { auth: Some(KeyHeader::ApiKey), ..ModelSpec::new(Provider::OpenAi, "gpt-5.4") };
        let lines = [
            header(&claude, &[token, key]),
            header(&claude, &[token]),
            header(&bearer, &[key]),
            header(&azure, &[("OPENAI_API_KEY", "k-azure-12")]),
        ];
        insta::assert_snapshot!(lines.map(|(name, value)| format!("{name}: {value}")).join("\n"), @"
        x-api-key: k-key-12
        authorization: Bearer t-token-12
        authorization: Bearer k-key-12
        api-key: k-azure-12
        ");
    }

    #[test]
    fn a_key_given_in_place_of_a_variable_is_not_repeated() {
        let spec = ModelSpec { key: Some("sk-live-123".to_owned()), ..ModelSpec::new(Provider::OpenAi, "gpt") };
        let said = key(&spec, &[]);
        assert!(said.contains("OPENAI_API_KEY") && !said.contains("sk-live"), "{said}");
    }

    #[test]
    fn secrets_are_shown_by_name_everywhere() {
        let secret = Secret::new("sk-ant-very-secret", "ANTHROPIC_API_KEY");
        let longer = Secret::new("sk-ant-very-secret-and-longer", "MY_KEY");
        assert_eq!(format!("{secret:?} {longer:?}"), "Secret Secret");
        let body = r#"{"error":"invalid key sk-ant-very-secret-and-longer, not sk-ant-very-secret"}"#;
        assert_eq!(redact(body), r#"{"error":"invalid key [MY_KEY], not [ANTHROPIC_API_KEY]"}"#);
        assert_eq!(redact("nothing to hide"), "nothing to hide");
    }

    #[test]
    fn what_is_too_short_to_be_a_key_hides_nothing() {
        drop(Secret::new("a", "SHORT"));
        assert_eq!(redact("a b a"), "a b a");
    }
}
