//! Thoughts that are bound to the conversation in which they were thought. Source:
//! <https://platform.claude.com/docs/en/build-with-claude/preserved-thinking>.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::super::{WrongRequest, weigh};
use super::claude::ClaudeVersion;
use super::tools::array;
use crate::asked::{ReadRequest, SaidMessage, SaidPiece};

/// At most so many thoughts are kept.
const MOST: usize = 1 << 16;

/// What was said before each thought.
#[derive(Debug, Default)]
pub(super) struct BoundThoughts {
    /// By the fingerprint of the thought those of all that was said before it.
    before: HashMap<u64, HashSet<u64>>,
}

impl BoundThoughts {
    /// Notes that this was thought after what was asked.
    pub(super) fn keep(&mut self, asked: &ReadRequest, thought: &str) {
        if self.before.len() > MOST {
            self.before.clear();
        }
        let before = said_before(asked, &asked.said);
        self.before.entry(weigh::thought(thought).print).or_default().insert(before);
    }

    /// Refuses thoughts before which anything has changed, where the model minds and was not asked to drop them.
    pub(super) fn check(&self, asked: &ReadRequest, body: &Value) -> Result<(), WrongRequest> {
        let minds = ClaudeVersion::of(&asked.model).is_some_and(ClaudeVersion::binds);
        if !minds || body["thinking"]["block_binding"]["prefix_mismatch_behavior"] == "drop_block" {
            return Ok(());
        }
        let thoughts = asked.said.iter().enumerate().filter(|(_, said)| said.what == SaidPiece::Thought);
        for ((idx, thought), place) in thoughts.zip(places(body)) {
            let known = self.before.get(&thought.print);
            if known.is_some_and(|known| !known.contains(&said_before(asked, &asked.said[..idx]))) {
                return Err(WrongRequest::request(format!(
                    "{place}: Invalid `signature` in `thinking` block. The block is bound to a different conversation. \
                     Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to \"drop_block\"."
                )));
            }
        }
        Ok(())
    }
}

/// A fingerprint of the system prompt, the tools and what was said.
fn said_before(asked: &ReadRequest, said: &[SaidMessage]) -> u64 {
    let functions = asked.functions.iter().map(|function| format!("{} {}", function.name, function.schema));
    let rules = format!("{} {:?} {}", asked.system, asked.computer, functions.collect::<Vec<_>>().join(" "));
    said.iter().fold(weigh::print(&rules), |before, said| weigh::print(&format!("{before} {}", said.print)))
}

/// Where the thoughts of a request stand.
fn places(body: &Value) -> Vec<String> {
    let messages = array(&body["messages"]).iter().enumerate();
    let blocks = messages.flat_map(|(message_idx, message)| {
        let blocks = array(&message["content"]).iter().enumerate();
        blocks.map(move |(block_idx, block)| (message_idx, block_idx, block))
    });
    let thoughts = blocks.filter(|(_, _, block)| block["type"] == "thinking");
    thoughts.map(|(message, block, _)| format!("messages.{message}.content.{block}")).collect()
}
