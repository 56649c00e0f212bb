//! Answers that later requests go on from by their id. A conversation is kept once, however many answers it has: each holds
//! what came after the one before.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::input::PendingCall;
use crate::asked::SaidMessage;
use crate::wire::weigh;

/// All answers that are kept.
#[derive(Debug, Default)]
pub(super) struct KeptAnswers {
    by_id: HashMap<String, Arc<AnswerLink>>,
    /// The same by all that was said up to and with them.
    by_chain: HashMap<u64, Arc<AnswerLink>>,
    /// What was said in requests that wanted nothing kept.
    unwanted: HashSet<u64>,
    /// The answers that hold thoughts, kept or not.
    thinking: HashSet<String>,
}

/// What one answer added to a conversation, with what was said to it.
#[derive(Debug)]
struct AnswerLink {
    before: Option<Arc<AnswerLink>>,
    said: Vec<SaidMessage>,
    open: Vec<PendingCall>,
}

impl KeptAnswers {
    /// Notes that this answer holds thoughts.
    pub(super) fn thought(&mut self, id: &str) {
        self.thinking.insert(id.to_owned());
    }

    /// Whether the thoughts of this name can be looked up.
    pub(super) fn has_thoughts(&self, item: &str) -> bool {
        item.strip_prefix("rs_").is_some_and(|id| self.by_id.contains_key(id) && self.thinking.contains(id))
    }

    /// The thoughts that this use of the computer came from: `rs_1` for `cu_1_0`.
    pub(super) fn thoughts_before(&self, item: &str) -> Option<String> {
        let (id, _) = item.strip_prefix("cu_")?.rsplit_once('_')?;
        self.thinking.contains(id).then(|| format!("rs_{id}"))
    }

    /// All that was said up to and with this answer, and the calls that wait for their output.
    pub(super) fn upto(&self, id: &str) -> Option<(Vec<SaidMessage>, Vec<PendingCall>)> {
        let last = self.by_id.get(id)?;
        let links: Vec<&AnswerLink> = std::iter::successors(Some(&**last), |link| link.before.as_deref()).collect();
        let said = links.iter().rev().flat_map(|link| link.said.iter().cloned()).collect();
        Some((said, last.open.clone()))
    }

    /// Notes that the answer to this is not to be kept.
    pub(super) fn refuse(&mut self, said: &[SaidMessage]) {
        self.unwanted.extend(chains(said).last());
    }

    /// Keeps an answer to what was said, unless that was refused.
    pub(super) fn keep(&mut self, id: &str, said: &[SaidMessage], answer: Vec<SaidMessage>, open: Vec<PendingCall>) {
        let chain: Vec<u64> = chains(said).collect();
        if chain.last().is_some_and(|last| self.unwanted.remove(last)) {
            return;
        }
        let known = chain.iter().rposition(|chain| self.by_chain.contains_key(chain));
        let before = known.and_then(|idx| self.by_chain.get(&chain[idx])).cloned();
        let from = known.map_or(0, |idx| idx + 1);
        let whole = chains(&[said, &answer].concat()).last();
        let said = said[from..].iter().cloned().chain(answer).collect();
        let link = Arc::new(AnswerLink { before, said, open });
        self.by_chain.extend(whole.map(|whole| (whole, Arc::clone(&link))));
        self.by_id.insert(id.to_owned(), link);
    }
}

/// For every piece a fingerprint of all that was said up to it.
fn chains(said: &[SaidMessage]) -> impl Iterator<Item = u64> {
    said.iter().scan(0, |chain, said| {
        *chain = weigh::print(&format!("{chain} {} {}", said.by_model, said.print));
        Some(*chain)
    })
}
