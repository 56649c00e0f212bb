//! The providers, and the text that names a model of one.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use quintain_core::action::Dialect;
use quintain_core::suggest;

use super::codec::Codec;
use super::keys::KeyHeader;
use crate::model::Points;

/// How long one call may take unless something else is asked for.
pub const USUAL_TIMEOUT: Duration = Duration::from_mins(2);
/// How long a stream may be silent unless something else is asked for.
pub const USUAL_SILENCE: Duration = Duration::from_mins(1);
/// Both for a model that thinks, which may say nothing meanwhile: as long as the packages of Anthropic and `OpenAI` wait.
/// A call that is given up is billed all the same.
pub const THINKING_TIME: Duration = Duration::from_mins(10);

/// What is known of a provider. Each format's file has one, as `FACTS`.
pub(crate) struct ProviderFacts {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// The environment variables that may hold its key, the first found is used.
    pub(crate) key_variables: &'static [&'static str],
    /// Those of them that hold a token, which goes into another header than a key.
    pub(crate) bearer_variables: &'static [&'static str],
    /// Whether it may be asked without a key.
    pub(crate) key: KeyRule,
    /// The environment variable that says where it is.
    pub(crate) base_url_variable: &'static str,
    /// Where it is unless something else is said; nothing where compatible servers are anywhere.
    pub(crate) usual_base_url: Option<&'static str>,
    /// Its wire format.
    pub(crate) codec: fn() -> Arc<dyn Codec>,
    /// The only computer tools that can be offered in that format.
    pub(crate) computers: &'static [Dialect],
}

/// Whether a provider may be asked without a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyRule {
    /// It always wants one.
    Needed,
    /// Servers of one's own may do without.
    Optional,
}

/// Makes the list of providers, so that one more is one line.
macro_rules! providers {
    ($($(#[$about:meta])* $provider:ident = $format:ident,)*) => {
        /// Whose wire format is spoken.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Provider {
            $($(#[$about])* $provider,)*
        }

        impl Provider {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$provider,)*];

            fn facts(self) -> &'static ProviderFacts {
                match self {
                    $(Self::$provider => &super::$format::FACTS,)*
                }
            }
        }
    };
}

providers! {
    /// Anthropic Messages.
    Anthropic = anthropic,
    /// OpenAI Responses.
    OpenAi = responses,
    /// Chat Completions: any compatible server.
    Chat = chat,
    /// Gemini's `generateContent`.
    Google = google,
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
    /// The environment variable that holds the key, or `gcloud`, which is asked for one; nothing means the provider's
    /// usual variable.
    pub key: Option<String>,
    /// The header that carries the key; nothing means what is usual at its address.
    pub auth: Option<KeyHeader>,
    /// How it gives points, where the catalogue is wrong or silent.
    pub points: Option<Points>,
    /// How many tokens fit into its context, where the catalogue is wrong or silent.
    pub context: Option<u64>,
    /// Whether a request may show more than a handful of pictures.
    pub many_pictures: bool,
    /// How long one call may take before the provider counts as hanging.
    pub timeout: Duration,
    /// How long its stream may be silent before the provider counts as hanging.
    pub silence: Duration,
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
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// The environment variables that may hold its key, the first found is used.
    pub fn key_variables(self) -> &'static [&'static str] {
        self.facts().key_variables
    }

    /// Whether this variable holds a token, and no key.
    pub(crate) fn is_token(self, variable: &str) -> bool {
        self.facts().bearer_variables.contains(&variable)
    }

    /// Whether it may be asked without a key.
    pub(crate) fn key_rule(self) -> KeyRule {
        self.facts().key
    }

    /// The environment variable that says where it is.
    pub fn base_url_variable(self) -> &'static str {
        self.facts().base_url_variable
    }

    /// Where it is unless something else is said. Compatible servers are anywhere.
    pub fn usual_base_url(self) -> Option<&'static str> {
        self.facts().usual_base_url
    }

    /// Its wire format.
    pub fn codec(self) -> Arc<dyn Codec> {
        (self.facts().codec)()
    }

    /// Whether a computer tool can be offered: only in the wire format it belongs to.
    pub(crate) fn offers(self, tool: Dialect) -> bool {
        self.facts().computers.contains(&tool)
    }
}

impl ModelSpec {
    /// A model where its provider usually is, with everything as usual.
    pub fn new(provider: Provider, name: impl Into<String>) -> Self {
        let name = name.into();
        let thinks = provider.codec().thinks_within(&name).is_some();
        Self {
            provider,
            name,
            base_url: None,
            key: None,
            auth: None,
            points: None,
            context: None,
            many_pictures: false,
            timeout: if thinks { THINKING_TIME } else { USUAL_TIMEOUT },
            silence: if thinks { THINKING_TIME } else { USUAL_SILENCE },
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
        let found = Self::ALL.iter().copied().find(|provider| provider.name() == text);
        let hint = || suggest::hint(text, Self::ALL.iter().map(|provider| provider.name()));
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
    fn a_model_that_thinks_may_be_silent_for_longer() {
        let names = ["anthropic/claude-opus-5-5", "openai/gpt-5.4", "openai/gpt-4.1", "chat/qwen3-vl", "chat/sim"];
        let lines = names.map(|name| {
            let ModelSpec { timeout, silence, .. } = name.parse().unwrap();
            format!("{name}: {timeout:?} {silence:?}")
        });
        insta::assert_snapshot!(lines.join("\n"), @"
        anthropic/claude-opus-5-5: 600s 600s
        openai/gpt-5.4: 600s 600s
        openai/gpt-4.1: 120s 60s
        chat/qwen3-vl: 120s 60s
        chat/sim: 120s 60s
        ");
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
