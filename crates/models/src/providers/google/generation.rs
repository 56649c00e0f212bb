//! What a Gemini model of which version accepts.

use quintain_core::agent::Effort;
use serde_json::{Value, json};

/// A model's place in the line, from its name.
pub(super) struct GoogleGeneration {
    version: (u32, u32),
    is_pro: bool,
    is_for_computers: bool,
}

/// What is assumed of a model that is no Gemini or has no version in its name, such as `gemini-flash-latest`: the newest.
const UNKNOWN: (u32, u32) = (4, 0);

/// The first that cannot think as little as `minimal` says: litellm's table, `supports_minimal_reasoning_effort`.
const NEVER_MINIMAL: (u32, u32) = (3, 7);

/// The fewest tokens that a larger model of the second line thinks.
const MIN_PRO_BUDGET: u32 = 128;

impl GoogleGeneration {
    /// Reads it from a name such as `gemini-2.5-pro` or `gemini-3-flash-preview`.
    pub(super) fn of(name: &str) -> Self {
        let version = name.split('-').filter(|_| name.contains("gemini")).find_map(|part| {
            let (major, minor) = part.split_once('.').unwrap_or((part, "0"));
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
        let is_for_computers = name.contains("computer-use");
        Self { version: version.unwrap_or(UNKNOWN), is_pro: name.contains("pro"), is_for_computers }
    }

    /// The most tokens of an answer, thoughts included; nothing for those that do not think.
    pub(super) fn thinks_within(&self) -> Option<u32> {
        (self.version >= (2, 5)).then_some(65_536)
    }

    /// Whether what a function returns may hold pictures.
    pub(super) fn returns_pictures(&self) -> bool {
        self.version >= (3, 0) || self.is_for_computers
    }

    /// How it is told to think, when it may write this many tokens; nothing where it cannot.
    pub(super) fn thinking(&self, effort: Option<Effort>, max_output: u32) -> Option<Value> {
        if self.version < (2, 5) {
            return None;
        }
        let mut config = json!({"includeThoughts": effort != Some(Effort::None)});
        if let Some(effort) = effort {
            let (key, value) =
                if self.version >= (3, 0) { self.level(effort) } else { self.budget(effort, max_output) };
            config[key] = value;
        }
        Some(config)
    }

    fn level(&self, effort: Effort) -> (&'static str, Value) {
        let level = match effort {
            Effort::None if !self.is_pro && self.version < NEVER_MINIMAL => "minimal",
            Effort::None | Effort::Low => "low",
            Effort::Medium => "medium",
            Effort::High => "high",
        };
        ("thinkingLevel", json!(level))
    }

    /// At most three quarters of what it may write, so that words are left to act with.
    fn budget(&self, effort: Effort, max_output: u32) -> (&'static str, Value) {
        let budget = match effort {
            Effort::None if self.is_pro => MIN_PRO_BUDGET,
            Effort::None => 0,
            Effort::Low => 1024,
            Effort::Medium => 8192,
            Effort::High => 24_576,
        };
        ("thinkingBudget", json!(budget.min(max_output / 4 * 3)))
    }
}
