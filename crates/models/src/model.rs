//! What a loop says to a model and what it hears back, in words that no provider owns.
//!
//! A loop builds a [`Request`] and asks a [`Model`]; which provider answers, over which wire format, is the concern of
//! `providers`. Assistant messages serialize, so that a half-done trial can be told its own words again; pictures do
//! not: they are in the record already.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use base64::Engine as _;
use bytes::Bytes;
use quintain_core::agent::Effort;
use quintain_core::books::Purpose;
use quintain_core::{Digest, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::picture_limit::{PictureLimit, resized};

/// Something that can be asked. Calls are blocking and end within the time they are given.
pub trait Model: Send + Sync {
    /// Asks and waits for the whole answer, retries included. What it used is in the answer, or, where there is none,
    /// in what [`Model::wasted`] returns.
    fn ask(&self, request: &Request, within: Duration) -> Result<Response, ModelError>;

    /// What was used by calls since the last time this was asked and that no [`Response`] tells of.
    fn wasted(&self) -> Usage;

    /// What is known of it.
    fn card(&self) -> &ModelCard;

    /// By which name its provider knows the last request, where it said so.
    fn request_id(&self) -> Option<String> {
        None
    }
}

/// What is known of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelCard {
    /// Provider and name: `anthropic/claude-opus-4-6`.
    pub name: String,
    /// How the actions of its own computer tool are written; nothing where it has none.
    pub computer: Option<quintain_core::action::Dialect>,
    /// How it gives points in tools that are not its own.
    pub points: Points,
    /// Whether it can be shown pictures.
    pub sees: bool,
    /// How many tokens fit into its context.
    pub context: u64,
    /// How large its pictures may be; larger ones are made smaller before they are sent.
    pub pictures: PictureLimit,
}

/// How a model gives points on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Points {
    /// In pixels of the picture it is shown.
    Pixels,
    /// From 0 to 1000 across and down.
    Thousandths,
    /// From 0 to 1 across and down.
    Unit,
    /// In pixels of the picture after the model made its sides multiples of 28 pixels.
    Resized,
}

impl Points {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pixels, Self::Thousandths, Self::Unit, Self::Resized];

    /// Its name in settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pixels => "pixels",
            Self::Thousandths => "thousandths",
            Self::Unit => "unit",
            Self::Resized => "resized",
        }
    }

    /// The size that the screen has in such points, as [`quintain_core::Reply::seen`] wants it.
    pub fn size(self, shown: (u32, u32)) -> (u32, u32) {
        match self {
            Self::Pixels => shown,
            Self::Thousandths => (1000, 1000),
            Self::Unit => (1, 1),
            Self::Resized => resized(shown),
        }
    }
}

/// What a model is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// What it is told before everything else.
    pub system: String,
    /// What was said so far, its own words included. The last message is the user's.
    pub messages: Vec<Message>,
    /// What it can call.
    pub tools: Vec<Tool>,
    /// Whether it must call one of them.
    pub must_call: bool,
    /// The most tokens it may write.
    pub max_output: u32,
    /// How hard it should think; nothing means as it usually does.
    pub effort: Option<Effort>,
    /// What it is asked for: written in the books.
    pub purpose: Purpose,
    /// In which turn: written in the books.
    pub step_idx: u32,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Whose.
    pub role: MessageRole,
    /// What it is made of.
    pub pieces: Vec<Piece>,
}

/// Whose message it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MessageRole {
    /// Ours: the task, what is seen, what tools returned.
    User,
    /// The model's.
    Assistant,
}

/// A piece of a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "piece", rename_all = "snake_case")]
pub enum Piece {
    /// Words.
    Text {
        /// The words.
        text: String,
    },
    /// A picture. Only in messages of the user; it is not serialized.
    #[serde(skip)]
    Picture(EncodedImage),
    /// Thinking that the provider tells apart from words.
    Thought {
        /// The thinking, as far as it is told.
        text: String,
        /// The provider's own item, which it wants back unchanged: signatures, encrypted reasoning.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opaque: Option<Value>,
    },
    /// The model calls a tool.
    Call(ToolCall),
    /// What came of a call. Only in messages of the user.
    Outcome {
        /// The call's id.
        id: String,
        /// The tool's name.
        name: String,
        /// What it returned.
        pieces: Vec<Piece>,
        /// Whether it failed.
        is_error: bool,
    },
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Its id, by which the outcome refers to it.
    pub id: String,
    /// The tool: ours, or for the model's own computer tool whatever the provider calls it.
    pub name: String,
    /// The arguments.
    pub input: Value,
    /// For the model's own computer tool: the call as its dialect reads it. Nothing for our tools.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<String>,
    /// The provider's own item, which it wants back unchanged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opaque: Option<Value>,
}

/// What a model can call.
#[derive(Clone, Debug, PartialEq)]
pub enum Tool {
    /// One of ours.
    Function {
        /// Its name: letters, digits and `_`.
        name: String,
        /// What it does.
        about: String,
        /// The JSON schema of its arguments: an object.
        schema: ToolSchema,
    },
    /// The model's own computer tool, for a screen of this size. Only for models whose card has one.
    Computer {
        /// Pixels across and down, as the pictures have them.
        size: (u32, u32),
    },
}

/// The JSON schema of a tool's arguments, written once however often it is sent.
#[derive(Clone)]
pub struct ToolSchema(Arc<(Value, String)>);

impl ToolSchema {
    /// The schema as it is written.
    pub fn text(&self) -> &str {
        &self.0.1
    }

    /// Where it is in memory: no other schema is there while it is held.
    pub(crate) fn place(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl From<Value> for ToolSchema {
    fn from(schema: Value) -> Self {
        let text = schema.to_string();
        Self(Arc::new((schema, text)))
    }
}

impl std::ops::Deref for ToolSchema {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0.0
    }
}

impl Serialize for ToolSchema {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl PartialEq for ToolSchema {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || **self == **other
    }
}

impl std::fmt::Debug for ToolSchema {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(f)
    }
}

/// A PNG picture, encoded once however often it is sent.
#[derive(Clone)]
pub struct EncodedImage(Arc<EncodedBytes>);

struct EncodedBytes {
    png: Arc<[u8]>,
    size: (u32, u32),
    shows: Option<Digest>,
    base64: OnceLock<Bytes>,
}

impl EncodedImage {
    /// A PNG file and its size in pixels.
    pub fn new(png: impl Into<Arc<[u8]>>, size: (u32, u32)) -> Self {
        Self(Arc::new(EncodedBytes { png: png.into(), size, shows: None, base64: OnceLock::new() }))
    }

    /// The same, of a screen that goes by this name in the record.
    pub fn of_screen(png: impl Into<Arc<[u8]>>, size: (u32, u32), shows: Digest) -> Self {
        Self(Arc::new(EncodedBytes { png: png.into(), size, shows: Some(shows), base64: OnceLock::new() }))
    }

    /// The name in the record of the screen that it was made of.
    pub fn shows(&self) -> Option<Digest> {
        self.0.shows
    }

    /// The PNG file.
    pub fn png(&self) -> &[u8] {
        &self.0.png
    }

    /// Pixels across and down.
    pub fn size(&self) -> (u32, u32) {
        self.0.size
    }

    /// The file in base 64, shared by all who ask for it.
    pub(crate) fn base64(&self) -> Bytes {
        let encode = || base64::engine::general_purpose::STANDARD.encode(&self.0.png).into();
        self.0.base64.get_or_init(encode).clone()
    }

    /// Where it is in memory: no other picture is there while it is held.
    pub(crate) fn place(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

impl PartialEq for EncodedImage {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.png == other.0.png
    }
}

impl std::fmt::Debug for EncodedImage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (across, down) = self.size();
        write!(f, "Image({across}x{down} {})", Digest::of(self.png()).short())
    }
}

/// What a model answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// Its message. Its role is the assistant's.
    pub message: Message,
    /// Why it ended there.
    pub stop: StopReason,
    /// What it used, the attempts before it included.
    pub usage: Usage,
    /// Whether the provider held it up: calls failed before, or it had to wait for a place because others had.
    pub held_up: bool,
}

/// Why a model ended its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// It was done.
    Finished,
    /// It waits for what comes of its calls.
    Called,
    /// It had written as much as it may.
    Length,
    /// It or its provider refuses.
    Refused,
}

/// Why a model gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// The provider did not answer as it should, however often it was asked. Nobody's doing but its own.
    #[error("{model}: {why}{}", mended(mend.as_ref()))]
    Provider {
        /// Who was asked.
        model: String,
        /// What happened.
        why: String,
        /// What may be set otherwise.
        mend: Option<String>,
    },
    /// The request does not fit into the model's context.
    #[error("{model}: what was said no longer fits into its context")]
    Overflow {
        /// Who was asked.
        model: String,
    },
    /// The provider refuses the request for what it is: a wrong key, an unknown model, a bad parameter.
    #[error("{model}: {why}{}", mended(mend.as_ref()))]
    Rejected {
        /// Who was asked.
        model: String,
        /// What it said.
        why: String,
        /// What may be set otherwise.
        mend: Option<String>,
    },
    /// The provider lets nobody in with this key, or the account has no money left: no other request will do better.
    #[error("{model}: {why}{}", mended(mend.as_ref()))]
    Denied {
        /// Who was asked.
        model: String,
        /// What it said.
        why: String,
        /// What may be set otherwise.
        mend: Option<String>,
    },
    /// The time was up although the provider did nothing wrong.
    #[error("the model did not answer within {0:?}")]
    Late(Duration),
    /// The run's budget is spent.
    #[error("the budget of the run is spent")]
    OverBudget,
    /// The books cannot be written, or the harness broke otherwise.
    #[error("{0}")]
    Harness(String),
}

fn mended(mend: Option<&String>) -> String {
    mend.map(|mend| format!("; {mend}")).unwrap_or_default()
}

impl ModelError {
    /// What happened, and what may be set otherwise.
    pub fn parts(mut self) -> (String, Option<String>) {
        let mend = match &mut self {
            Self::Provider { mend, .. } | Self::Rejected { mend, .. } | Self::Denied { mend, .. } => mend.take(),
            Self::Overflow { .. } | Self::Late(_) | Self::OverBudget | Self::Harness(_) => None,
        };
        (self.to_string(), mend)
    }
}

impl Message {
    /// Words of the user.
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: MessageRole::User, pieces: vec![Piece::text(text)] }
    }

    /// The calls in it.
    pub fn calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Call(call) => Some(call),
            _ => None,
        })
    }

    /// Its words, thoughts apart.
    pub fn text(&self) -> String {
        let words = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Text { text } => Some(text.as_str()),
            _ => None,
        });
        words.collect::<Vec<_>>().join("\n")
    }

    /// Its thoughts, as far as they are told.
    pub fn thoughts(&self) -> Option<String> {
        let thoughts = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Thought { text, .. } if !text.is_empty() => Some(text.as_str()),
            _ => None,
        });
        let thoughts = thoughts.collect::<Vec<_>>().join("\n");
        (!thoughts.is_empty()).then_some(thoughts)
    }
}

impl Piece {
    /// Words.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}
