//! What a trial may use up, what it has used, what remains.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ending::Exhausted;
use crate::money::dollars_and_cents;
use crate::words::count;

/// What a trial may use. Nothing means no limit, except for steps, which are always limited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Actions the agent may take.
    pub steps: u32,
    /// Minutes by the wall clock, model time included.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// Tokens, in and out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

/// What a trial has used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spent {
    /// Actions taken.
    pub steps: u32,
    /// Wall time, in milliseconds.
    pub elapsed_ms: u64,
    /// Tokens, in and out.
    pub tokens: u64,
    /// Money, in US dollars, as far as it is known.
    pub cost_usd: f64,
    /// Calls of a model of which nothing is known: the provider may have billed them.
    #[serde(default, skip_serializing_if = "crate::agent::is_zero")]
    pub n_unknown: u32,
}

impl Spent {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            steps: self.steps + other.steps,
            elapsed_ms: self.elapsed_ms + other.elapsed_ms,
            tokens: self.tokens.saturating_add(other.tokens),
            cost_usd: self.cost_usd + other.cost_usd,
            n_unknown: self.n_unknown.saturating_add(other.n_unknown),
        }
    }
}

/// What a whole run may use up. Nothing means no limit. When it is spent, the run stops and keeps what is done; trials
/// that are cut short by it are put down, to be continued with more. Its steps are those of all agents together, its
/// minutes those during which the run runs.
pub type Budget = OptionalLimits<u64>;

/// Limits that a run sets in place of its tasks' own. Nothing means that the task decides.
pub type LimitOverrides = OptionalLimits<u32>;

/// Limits of which any may be missing. How steps are counted keeps those of a run and those of a trial apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OptionalLimits<Steps> {
    /// Actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Steps>,
    /// Minutes by the wall clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// Tokens, in and out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl<Steps> OptionalLimits<Steps> {
    /// These, and the others where these are missing.
    #[must_use]
    pub fn or(self, others: Self) -> Self {
        Self {
            steps: self.steps.or(others.steps),
            minutes: self.minutes.or(others.minutes),
            tokens: self.tokens.or(others.tokens),
            cost_usd: self.cost_usd.or(others.cost_usd),
        }
    }
}

impl LimitOverrides {
    /// A task's limits, as the run sets them.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "the task's limits are made for this call and replaced by it")]
    pub fn over(&self, limits: Limits) -> Limits {
        Limits {
            steps: self.steps.unwrap_or(limits.steps),
            minutes: self.minutes.or(limits.minutes),
            tokens: self.tokens.or(limits.tokens),
            cost_usd: self.cost_usd.or(limits.cost_usd),
        }
    }
}

/// What is left of each limit: told to the agent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Remaining {
    /// Actions left, this one included.
    pub steps: u32,
    /// Time left, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Tokens left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Money left, in US dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Limits {
    /// What is wrong with them, if anything.
    pub fn problem(&self) -> Option<String> {
        let wrong = |value: Option<f64>| value.is_some_and(|value| !(value.is_finite() && value > 0.0));
        match self {
            Self { steps: 0, .. } => Some("a limit of 0 steps leaves nothing to do".to_owned()),
            _ if wrong(self.minutes) => Some(format!("{} minutes is no limit", self.minutes.unwrap_or_default())),
            _ if wrong(self.cost_usd) => Some(format!("{} US dollars is no limit", self.cost_usd.unwrap_or_default())),
            Self { tokens: Some(0), .. } => Some("a limit of 0 tokens leaves nothing to say".to_owned()),
            _ => None,
        }
    }

    /// Only a limit on steps.
    pub fn steps(steps: u32) -> Self {
        Self { steps, minutes: None, tokens: None, cost_usd: None }
    }

    /// What is left after `spent`; nothing of it may be.
    pub fn left(&self, spent: &Spent) -> Remaining {
        Remaining {
            steps: self.steps.saturating_sub(spent.steps),
            time_ms: self.minutes.map(|minutes| millis(minutes).saturating_sub(spent.elapsed_ms)),
            tokens: self.tokens.map(|tokens| tokens.saturating_sub(spent.tokens)),
            cost_usd: self.cost_usd.map(|cost| (cost - spent.cost_usd).max(0.0)),
        }
    }

    /// What is left after `spent`, or what ran out first.
    pub fn after(&self, spent: &Spent) -> Result<Remaining, Exhausted> {
        let remaining = self.left(spent);
        match remaining {
            Remaining { steps: 0, .. } => Err(Exhausted::Steps),
            Remaining { time_ms: Some(0), .. } => Err(Exhausted::Time),
            Remaining { tokens: Some(0), .. } => Err(Exhausted::Tokens),
            Remaining { cost_usd: Some(left), .. } if left <= 0.0 => Err(Exhausted::Cost),
            _ => Ok(remaining),
        }
    }
}

impl Remaining {
    /// The longest that one call may take: what is left of the time, or the given default.
    pub fn within(&self, default: Duration) -> Duration {
        self.time_ms.map_or(default, |ms| Duration::from_millis(ms).min(default))
    }
}

impl std::fmt::Display for Remaining {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", count(self.steps, "step"))?;
        if let Some(ms) = self.time_ms {
            write!(f, ", {} s", ms / 1000)?;
        }
        if let Some(tokens) = self.tokens {
            write!(f, ", {tokens} tokens")?;
        }
        self.cost_usd.map_or(Ok(()), |cost| write!(f, ", {}", dollars_and_cents(cost)))
    }
}

fn millis(minutes: f64) -> u64 {
    (minutes * 60_000.0).max(0.0) as u64
}
