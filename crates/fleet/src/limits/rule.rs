//! What a fleet may use: of a provider in a while, of a run in all.

use quintain_core::ending::Exhausted;
use quintain_core::limits::Budget;
use serde::{Deserialize, Serialize};

/// What a minute is, in milliseconds.
pub const MINUTE_MS: u64 = 60_000;

/// What may be used under one limit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum Rule {
    /// So much in any stretch of time of this length.
    Rate {
        /// How much.
        amount: f64,
        /// How long the stretch is, in milliseconds.
        window_ms: u64,
    },
    /// So much in all.
    Budget {
        /// How much.
        amount: f64,
    },
}

impl Rule {
    /// So much in any minute.
    pub fn per_minute(amount: f64) -> Self {
        Self::Rate { amount, window_ms: MINUTE_MS }
    }

    /// What is wrong with it, if anything.
    pub fn problem(&self) -> Option<String> {
        match *self {
            Self::Rate { amount, .. } | Self::Budget { amount } if !(amount.is_finite() && amount > 0.0) => {
                Some(format!("a limit of {amount} leaves nothing to use"))
            }
            Self::Rate { window_ms: 0..=99, .. } => Some("a limit holds for a tenth of a second at least".to_owned()),
            _ => None,
        }
    }
}

/// The limit on requests to a model: `rate/anthropic/claude-opus-4-6/requests`.
pub fn requests(model: &str) -> String {
    format!("rate/{model}/requests")
}

/// The limit on tokens that a model reads and writes.
pub fn tokens(model: &str) -> String {
    format!("rate/{model}/tokens")
}

/// The limit on one part of what a run may use.
pub fn budget(run: &str, part: Exhausted) -> String {
    let part = match part {
        Exhausted::Steps => "steps",
        Exhausted::Time => "minutes",
        Exhausted::Tokens => "tokens",
        Exhausted::Cost => "cost_usd",
        Exhausted::Resources => "resources",
    };
    format!("budget/{run}/{part}")
}

/// The run that a limit belongs to, if it is one of a run's budget.
pub fn run_of(limit: &str) -> Option<&str> {
    limit.strip_prefix("budget/")?.rsplit_once('/').map(|(run, _part)| run)
}

/// The rules that a run's budget comes to. Minutes pass everywhere at once and are not shared out.
pub fn rules_of(run: &str, of: &Budget) -> Vec<(String, Rule)> {
    let parts = [
        (Exhausted::Cost, of.cost_usd),
        (Exhausted::Tokens, of.tokens.map(|tokens| tokens as f64)),
        (Exhausted::Steps, of.steps.map(|steps| steps as f64)),
    ];
    let rule = |(part, amount): (Exhausted, Option<f64>)| Some((budget(run, part), Rule::Budget { amount: amount? }));
    parts.into_iter().filter_map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_comes_to_rules_and_their_names_tell_the_run() {
        let of = Budget { cost_usd: Some(5.0), tokens: Some(1000), minutes: Some(3.0), steps: None };
        let rules = rules_of("night/2", &of);
        let names: Vec<&str> = rules.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["budget/night/2/cost_usd", "budget/night/2/tokens"]);
        assert_eq!(run_of(names[0]), Some("night/2"));
        assert_eq!(run_of(&requests("chat/sim")), None);
    }

    #[test]
    fn rules_that_leave_nothing_are_known() {
        for bad in [Rule::per_minute(0.0), Rule::Budget { amount: f64::NAN }, Rule::Rate { amount: 1.0, window_ms: 9 }]
        {
            assert!(bad.problem().is_some(), "{bad:?}");
        }
        assert_eq!(Rule::per_minute(100.0).problem(), None);
    }
}
