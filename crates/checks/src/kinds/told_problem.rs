//! Why a verifier had nothing to say: what it tells in place of a value is the finding.

use quintain_core::evidence::Evidence;
use serde_json::Value;

/// As much is told of a sentence: a verifier may quote what an agent wrote.
const MOST_CHARS: usize = 300;

/// What a verifier could not read, and why, in a sentence: `{"problem": "output/x.csv is missing"}` where the selector
/// points or above it.
pub(super) struct ToldProblem {
    pub(super) sentence: String,
    /// Nothing else was told: whatever would be said of missing values follows from the sentence.
    pub(super) is_all: bool,
}

impl ToldProblem {
    pub(super) fn at(evidence: &Evidence, selector: &str) -> Option<Self> {
        let below = selector.strip_prefix("derived/")?;
        let ends = below.match_indices('/').map(|(at, _)| at).chain([below.len()]);
        ends.filter_map(|end| evidence.select(&format!("derived/{}", &below[..end])))
            .find_map(|value| Self::in_(&value))
    }

    /// The finding's words, given those of the comparison.
    pub(super) fn before(self, because: &str) -> String {
        if self.is_all { self.sentence } else { format!("{}; {because}", self.sentence) }
    }

    fn in_(value: &Value) -> Option<Self> {
        let told = value.as_object()?;
        let sentence = told.get("problem")?.as_str()?;
        let sentence = sentence.chars().map(|c| if c.is_control() { ' ' } else { c }).take(MOST_CHARS).collect();
        Some(Self { sentence, is_all: told.len() == 1 })
    }
}
