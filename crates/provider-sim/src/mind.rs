//! What answers behind the wire formats.

use serde_json::Value;

use super::asked::ReadRequest;

/// Something that answers. It keeps nothing between requests: whatever it needs is in the request, so that any request can
/// be asked again.
pub trait Mind: Send + Sync {
    /// What it says to this.
    fn say(&self, asked: &ReadRequest) -> Result<MindReply, UnknownToMind>;
}

/// Anything that turns a request into words is a mind.
impl<F> Mind for F
where
    F: Fn(&ReadRequest) -> MindReply + Send + Sync,
{
    fn say(&self, asked: &ReadRequest) -> Result<MindReply, UnknownToMind> {
        Ok(self(asked))
    }
}

/// What a mind says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MindReply {
    /// What it thinks, told only where thoughts are wanted.
    pub thought: Option<String>,
    /// Its words.
    pub text: Option<String>,
    /// What it calls, in order.
    pub calls: Vec<SpokenCall>,
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub enum SpokenCall {
    /// Of a function that was offered.
    Function {
        /// Its name.
        name: String,
        /// Its arguments: an object.
        arguments: Value,
    },
    /// Of the provider's own computer tool, as that provider writes it: the input for Anthropic; the action, or a list of
    /// actions that are one call, for `OpenAI`; `{"name": ..., "args": ...}` for Google.
    Native(Value),
}

/// The mind knows nothing of what it is asked about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownToMind(pub String);

impl MindReply {
    /// Words and nothing else.
    pub fn words(text: impl Into<String>) -> Self {
        Self { text: Some(text.into()), ..Self::default() }
    }

    /// One call and nothing else.
    pub fn call(spoken: SpokenCall) -> Self {
        Self { calls: vec![spoken], ..Self::default() }
    }

    /// One call of a function.
    pub fn function(name: &str, arguments: Value) -> Self {
        Self::call(SpokenCall::Function { name: name.to_owned(), arguments })
    }

    /// How many bytes it is long, as far as tokens are estimated from it.
    pub(super) fn n_bytes(&self) -> usize {
        let calls = self.calls.iter().map(|call| match call {
            SpokenCall::Function { name, arguments } => name.len() + arguments.to_string().len(),
            SpokenCall::Native(value) => value.to_string().len(),
        });
        let words = [&self.thought, &self.text].into_iter().flatten().map(String::len);
        words.sum::<usize>() + calls.sum::<usize>()
    }
}
