//! The recorded steps of a trial.

use serde::{Deserialize, Serialize};

use crate::action::Action;
use crate::agent::Reply;
use crate::limits::Spent;
use crate::observation::Shown;

/// What came of an action, as far as the agent may know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feedback {
    /// What became of it.
    pub effect: Effect,
    /// In words.
    pub text: String,
}

/// What became of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// It changed the world.
    Changed,
    /// It was carried out and changed nothing.
    Unchanged,
    /// The world refused it: against the rules.
    Refused,
    /// The reply could not be read as an action.
    Misread,
}

impl Feedback {
    /// The action changed the world.
    pub fn changed(text: impl Into<String>) -> Self {
        Self { effect: Effect::Changed, text: text.into() }
    }

    /// The action changed nothing.
    pub fn unchanged(text: impl Into<String>) -> Self {
        Self { effect: Effect::Unchanged, text: text.into() }
    }

    /// The action was refused.
    pub fn refused(text: impl Into<String>) -> Self {
        Self { effect: Effect::Refused, text: text.into() }
    }

    /// The reply was not an action.
    pub fn misread(text: impl Into<String>) -> Self {
        Self { effect: Effect::Misread, text: text.into() }
    }
}

/// One step: what was shown, what was said, what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What the agent was shown.
    pub shown: Shown,
    /// What it said.
    pub reply: Reply,
    /// The canonical action; nothing if the reply could not be read as one.
    pub action: Option<Action>,
    /// What had been spent when it had said it.
    pub spent: Spent,
    /// What came of it; nothing if the record ends here.
    pub feedback: Option<Feedback>,
}

/// The recorded steps of a trial, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// The steps.
    pub steps: Vec<Step>,
}
