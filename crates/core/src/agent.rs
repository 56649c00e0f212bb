//! The agent: it is shown an observation and says what it does.

mod isolation;
mod prompt;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::action::{Action, Dialect, Misread};
use crate::ending::{Boundary, Breakdown};
use crate::limits::{Limits, Remaining};
use crate::observation::Observation;
use crate::surface::Surface;

pub use isolation::AgentIsolation;

/// Anything that plays. Every call is blocking and ends within the time it is given.
pub trait Agent {
    /// Told once, before the first turn.
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError>;

    /// Looks and answers.
    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError>;

    /// After a crash: shown a turn it has already answered, and its answer. It must not think again, only remember.
    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply);

    /// How its replies are written, where they do not say so themselves.
    fn dialect(&self) -> Dialect {
        Dialect::Tolerant
    }

    /// Whether it is shown where everything on the screen is. Only oracles are: what they do is then done with mouse
    /// and keyboard like any agent's, and can be replayed without it.
    fn wants_geometry(&self) -> bool {
        false
    }

    /// What was used up since the last reply and that no reply tells of, because none came of it. Asked when
    /// [`Agent::act`] has failed.
    fn wasted(&mut self) -> Option<Usage> {
        None
    }

    /// Told once, after the last turn, how it ended. Never told the verdict.
    fn end(&mut self) {}
}

/// What an agent is told before the first turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Briefing {
    /// What to do.
    pub instruction: String,
    /// What it may do and will be shown.
    pub surface: Surface,
    /// What it may use up.
    pub limits: Limits,
    /// The keys and types an answer must have, where the task asks for one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<serde_json::Value>,
    /// How many earlier turns an agent with a memory window should keep; nothing means all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<u32>,
    /// How hard a model that can think more or less should think; nothing means as it usually does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// A seed of this trial's own, for agents that draw lots.
    pub seed: u64,
}

/// What an agent is shown in one turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// The number of the turn, from 0.
    pub step_idx: u32,
    /// What it sees.
    pub observation: &'a Observation,
    /// What is left of each limit.
    pub remaining: Remaining,
}

/// What an agent said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// Its words, as they came.
    pub raw: String,
    /// Its reasoning, where it is given apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<String>,
    /// What the reply cost; nothing means that no model was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// How it is written; nothing means as the agent usually writes, and in a recording, tolerantly.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialect: Option<Dialect>,
    /// Pixels across and down of the screen as the agent was given it, where its pictures were scaled before it saw
    /// them; nothing means the size that the surface publishes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<(u32, u32)>,
    /// What went against the agreed form in this turn, was answered with a correction and is not in `raw` any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slips: Vec<Slip>,
    /// The tools of its own that the agent used in this turn besides the world's actions, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// What the agent needs to be told again after a crash, besides its words. Nobody else reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<serde_json::Value>,
}

/// Something an agent said that is no single action in the agreed form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slip {
    /// What was wrong.
    pub kind: SlipKind,
    /// The beginning of what it said.
    pub said: String,
}

/// Ways of going against the agreed form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlipKind {
    /// Words and no action.
    Prose,
    /// A plan of several actions in words, none of them carried out.
    Plan,
    /// Several actions where one was asked for.
    Several,
    /// An action that cannot be read or does not fit.
    Malformed,
    /// Nothing at all.
    Empty,
}

impl fmt::Display for SlipKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Prose => "words and no action",
            Self::Plan => "a plan and no action",
            Self::Several => "several actions at once",
            Self::Malformed => "an action that cannot be read",
            Self::Empty => "nothing at all",
        })
    }
}

/// How hard a model should think.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// Not at all, where the model can do without.
    None,
    /// A little.
    Low,
    /// As much as is usual.
    Medium,
    /// A lot.
    High,
}

impl Reply {
    /// A reply of plain words.
    pub fn text(raw: impl Into<String>) -> Self {
        Self { raw: raw.into(), ..Self::default() }
    }

    /// Reads it.
    pub fn read(&self, surface: &Surface) -> Result<Action, Misread> {
        self.dialect.unwrap_or_default().read_seen(&self.raw, surface, self.seen)
    }
}

/// What a reply used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read.
    pub input_tokens: u64,
    /// Tokens written.
    pub output_tokens: u64,
    /// Of the tokens read, those that came from a cache.
    #[serde(default)]
    pub cached_tokens: u64,
    /// US dollars; nothing means that the price is not known, which is not the same as free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
    /// Calls of a model that this sums up and of which nothing is known: the provider may have billed them.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub n_unknown: u32,
}

impl Usage {
    /// Both together. A cost that is not known makes the sum unknown.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_tokens: self.cached_tokens.saturating_add(other.cached_tokens),
            cost_usd: self.cost_usd.zip(other.cost_usd).map(|(a, b)| a + b),
            n_unknown: self.n_unknown.saturating_add(other.n_unknown),
        }
    }

    /// Tokens read and written.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Nothing used, and known to be nothing.
    pub fn nothing() -> Self {
        Self { cost_usd: Some(0.0), ..Self::default() }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(crate) fn is_zero(n: &u32) -> bool {
    *n == 0
}

/// Why an agent gave no reply.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AgentError {
    /// It did not answer in time: its own doing.
    #[error("the agent did not answer within {0:?}")]
    Late(Duration),
    /// It broke by its own doing.
    #[error("the agent broke ({how}): {why}")]
    Broke {
        /// What it did.
        how: Breakdown,
        /// What happened.
        why: String,
    },
    /// Something that is not the agent's doing, and that we saw ourselves: an agent's word is not enough.
    #[error("{boundary} fault: {why}")]
    Fault {
        /// Whose fault.
        boundary: Boundary,
        /// What happened.
        why: String,
    },
    /// The trial was interrupted and will be continued.
    #[error("interrupted")]
    Interrupted,
    /// Nobody can play before somebody has mended what is wrong: a key that is refused, a program that is not there. The
    /// trial will be continued, and there is no use in beginning another.
    #[error("{0}")]
    Denied(String),
}

impl AgentError {
    /// A fault of the harness.
    pub fn harness(why: impl Into<String>) -> Self {
        Self::Fault { boundary: Boundary::Harness, why: why.into() }
    }
}
