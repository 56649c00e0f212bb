//! How a trial ended: one closed set.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a trial ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The agent said it was done.
    Done,
    /// The agent gave an answer of the declared shape.
    Answered,
    /// The agent said the task cannot be done.
    GaveUp,
    /// A limit cut the trial short.
    Truncated(Exhausted),
    /// The agent broke by its own doing: what it left is judged, and it is not given another attempt.
    Broke(Breakdown),
    /// Something other than the agent broke.
    Fault(Boundary),
    /// The agent was caught cheating.
    Cheated(String),
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Exhausted {
    /// The steps allowed.
    Steps,
    /// The time allowed.
    Time,
    /// The tokens allowed.
    Tokens,
    /// The money allowed.
    Cost,
    /// Memory, disk or processes that the agent's own actions used up or crashed.
    Resources,
}

/// What an agent did to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breakdown {
    /// Its program ended, or failed with an error, before the trial was over.
    Exit,
    /// It wrote something that is no message of the agreed form.
    Protocol,
    /// It said itself that it cannot go on. Nobody else saw why.
    Declared,
}

/// Whose fault a fault is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Boundary {
    /// The model's provider.
    Provider,
    /// The agent's harness or our own runner.
    Harness,
    /// The world.
    World,
    /// The preparation of the world.
    Setup,
    /// The sandbox.
    Sandbox,
    /// The judge.
    Judge,
}

impl Ending {
    /// Whether the agent ended the trial by its own word.
    pub fn by_the_agent(&self) -> bool {
        matches!(self, Self::Done | Self::Answered | Self::GaveUp)
    }

    /// Whether something other than the agent broke.
    pub fn is_fault(&self) -> bool {
        matches!(self, Self::Fault(_))
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::Answered => f.write_str("answered"),
            Self::GaveUp => f.write_str("gave up"),
            Self::Truncated(what) => write!(f, "out of {what}"),
            Self::Broke(how) => write!(f, "broke: {how}"),
            Self::Fault(whose) => write!(f, "{whose} fault"),
            Self::Cheated(_) => f.write_str("cheated"),
        }
    }
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Steps => "steps",
            Self::Time => "time",
            Self::Tokens => "tokens",
            Self::Cost => "money",
            Self::Resources => "resources",
        })
    }
}

impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Exit => "exit",
            Self::Protocol => "protocol",
            Self::Declared => "declared",
        })
    }
}

impl fmt::Display for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Provider => "provider",
            Self::Harness => "harness",
            Self::World => "world",
            Self::Setup => "setup",
            Self::Sandbox => "sandbox",
            Self::Judge => "judge",
        })
    }
}
