//! What Google's interactions say they used. We ask no model that way; agents that go through our proxy may:
//! <https://ai.google.dev/gemini-api/docs/interactions>, `google-genai` 3.3.0 `_gaos/types/interactions/usage.py`.

use serde_json::Value;

use crate::providers::codec::{UsedTokens, read};

/// The event that ends an interaction's stream and counts all of it.
pub(super) const COMPLETED: &str = "interaction.completed";

/// From a whole interaction, or from an event that holds one. The thoughts are counted beside the output.
pub(super) fn tokens(body: &Value) -> Option<UsedTokens> {
    let usage = body.get("interaction").unwrap_or(body).get("usage").filter(|usage| usage.is_object())?;
    let count = |pointer| read::count(usage, pointer).unwrap_or(0);
    Some(UsedTokens {
        input: count("/total_input_tokens").saturating_add(count("/total_tool_use_tokens")),
        output: count("/total_output_tokens").saturating_add(count("/total_thought_tokens")),
        cached: count("/total_cached_tokens"),
        ..UsedTokens::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::providers::codec::Codec as _;
    use crate::providers::google::GoogleCodec;

    #[test]
    fn interactions_say_what_they_used() {
        let usage = json!({
            "total_input_tokens": 1000, "total_cached_tokens": 600, "total_output_tokens": 50, "total_thought_tokens": 70,
            "total_tool_use_tokens": 5, "total_tokens": 1125,
        });
        let used = UsedTokens { input: 1005, output: 120, cached: 600, ..UsedTokens::default() };
        let whole = json!({ "id": "int_1", "status": "completed", "usage": usage });
        assert_eq!(GoogleCodec.whole_tokens(&whole), Some(used));

        let mut stream = GoogleCodec.decoder(&[]);
        let delta = json!({ "event_type": "step.delta", "index": 0, "delta": { "type": "text", "text": "Hi" } });
        stream.event("", &delta.to_string()).unwrap();
        assert_eq!(stream.tokens(), None);
        let last = json!({ "event_type": COMPLETED, "interaction": whole });
        stream.event("", &last.to_string()).unwrap();
        assert_eq!(stream.tokens(), Some(used));
    }
}
