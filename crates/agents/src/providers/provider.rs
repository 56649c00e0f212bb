//! The providers, and the text that names a model of one.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use quintain_core::suggest;

use crate::model::Points;

/// How long one call may take unless something else is asked for.
pub const USUAL_TIMEOUT: Duration = Duration::from_mins(2);

/// Whose wire format is spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Provider {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Responses.
    OpenAi,
    /// Chat Completions: any compatible server.
    Chat,
    /// Gemini's `generateContent`.
    Google,
}

/// Which model is asked, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelSpec {
    /// Whose format it is asked in.
    pub provider: Provider,
    /// Its name, as its provider knows it.
    pub name: String,
    /// Where it is; nothing means what the environment says, or else the provider's own host. `{instance}` in it is
    /// replaced by the percent-encoded name of the instance.
    pub base_url: Option<String>,
    /// The environment variable that holds the key; nothing means the provider's usual one.
    pub key: Option<String>,
    /// How it gives points, where the catalogue is wrong or silent.
    pub points: Option<Points>,
    /// How many tokens fit into its context, where the catalogue is wrong or silent.
    pub context: Option<u64>,
    /// How long one call may take before the provider counts as hanging.
    pub timeout: Duration,
}

/// A text that names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAModel {
    /// No slash, or nothing on one side of it.
    #[error("`{0}` names no model\nhint: write PROVIDER/NAME, for example `anthropic/claude-opus-4-6`")]
    NoName(String),
    /// The word before the slash is no provider.
    #[error("there is no provider `{name}`\nhint: {hint}")]
    NoProvider {
        /// The word.
        name: String,
        /// Those there are, the likely one first.
        hint: String,
    },
}

impl Provider {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Anthropic, Self::OpenAi, Self::Chat, Self::Google];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Chat => "chat",
            Self::Google => "google",
        }
    }

    /// The environment variables that may hold its key, the first found is used.
    pub fn key_variables(self) -> &'static [&'static str] {
        match self {
            Self::Anthropic => &["ANTHROPIC_API_KEY"],
            Self::OpenAi => &["OPENAI_API_KEY"],
            Self::Chat => &["CHAT_API_KEY"],
            Self::Google => &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
        }
    }

    /// The environment variable that says where it is.
    pub fn base_url_variable(self) -> &'static str {
        match self {
            Self::Anthropic => "ANTHROPIC_BASE_URL",
            Self::OpenAi => "OPENAI_BASE_URL",
            Self::Chat => "CHAT_BASE_URL",
            Self::Google => "GOOGLE_GEMINI_BASE_URL",
        }
    }

    /// Where it is unless something else is said. Compatible servers are anywhere.
    pub fn usual_base_url(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("https://api.anthropic.com"),
            Self::OpenAi => Some("https://api.openai.com"),
            Self::Chat => None,
            Self::Google => Some("https://generativelanguage.googleapis.com"),
        }
    }
}

impl ModelSpec {
    /// A model where its provider usually is, with everything as usual.
    pub fn new(provider: Provider, name: impl Into<String>) -> Self {
        Self {
            provider,
            name: name.into(),
            base_url: None,
            key: None,
            points: None,
            context: None,
            timeout: USUAL_TIMEOUT,
        }
    }

    /// Provider and name: `anthropic/claude-opus-4-6`.
    pub fn full_name(&self) -> String {
        format!("{}/{}", self.provider, self.name)
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Provider {
    type Err = NotAModel;

    fn from_str(text: &str) -> Result<Self, NotAModel> {
        let found = Self::ALL.into_iter().find(|provider| provider.name() == text);
        let hint = || suggest::hint(text, Self::ALL.map(Self::name));
        found.ok_or_else(|| NotAModel::NoProvider { name: text.to_owned(), hint: hint() })
    }
}

/// Reads `PROVIDER/NAME`; the name may hold further slashes.
impl FromStr for ModelSpec {
    type Err = NotAModel;

    fn from_str(text: &str) -> Result<Self, NotAModel> {
        let (provider, name) = text.split_once('/').ok_or_else(|| NotAModel::NoName(text.to_owned()))?;
        let provider: Provider = provider.parse()?;
        if name.is_empty() {
            return Err(NotAModel::NoName(text.to_owned()));
        }
        Ok(Self::new(provider, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match text.parse::<ModelSpec>() {
            Ok(spec) => format!("{:?} `{}`", spec.provider, spec.name),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_model_is_a_provider_and_a_name() {
        assert_eq!(read("anthropic/claude-opus-4-6"), "Anthropic `claude-opus-4-6`");
        assert_eq!(read("chat/qwen/qwen3-vl"), "Chat `qwen/qwen3-vl`");
        insta::assert_snapshot!(read("gpt-5.4"), @"
        `gpt-5.4` names no model
        hint: write PROVIDER/NAME, for example `anthropic/claude-opus-4-6`
        ");
        insta::assert_snapshot!(read("antropic/claude"), @"
        there is no provider `antropic`
        hint: did you mean `anthropic`?
        ");
        assert!(read("google/").starts_with("`google/` names no model"));
    }
}
