//! How much room there is, and when something has to go.

use super::ModelContext;

/// How many tokens a request may be, and the shares of it at which something is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenRoom {
    /// The most that a request may be.
    pub limit: u64,
}

/// The most rounds whose results are never stale.
const N_RECENT: usize = 8;

impl TokenRoom {
    /// Room for requests to a model with such a context, of which so much is for its answer.
    pub fn new(context: u64, max_output: u32) -> Self {
        // An answer longer than half of the context would leave nothing to answer to.
        let answer = u64::from(max_output).min(context / 2);
        Self { limit: context.saturating_sub(answer).max(1) }
    }

    /// Above this, something is done. There is room left for one more long result.
    pub fn high(self) -> u64 {
        self.share(75)
    }

    /// What clearing should bring a request down to; where it does not, older rounds are summed up.
    pub fn low(self) -> u64 {
        self.share(45)
    }

    /// Where dropping ends.
    pub fn hard(self) -> u64 {
        self.share(90)
    }

    /// What recent rounds may take and still be kept word for word.
    pub fn recent(self) -> u64 {
        self.share(30)
    }

    /// The longest checkpoint; as much is for notes.
    pub fn checkpoint(self) -> u64 {
        self.share(10)
    }

    /// The longest that older rounds may be where they are shown in order to be summed up.
    pub fn segment(self) -> u64 {
        self.share(80)
    }

    fn share(self, percent: u64) -> u64 {
        self.limit.saturating_mul(percent) / 100
    }
}

impl ModelContext {
    /// How many of the last rounds are recent: the last one always, others as long as there is room.
    pub(super) fn n_recent(&self, room: TokenRoom) -> usize {
        let mut left = room.recent();
        let fits = |tokens: u64| {
            let fits = tokens <= left;
            left = left.saturating_sub(tokens);
            fits
        };
        let n =
            self.rounds.iter().rev().take(N_RECENT).map(super::ContextRound::tokens).map(fits).take_while(|fits| *fits);
        n.count().clamp(1, self.rounds.len().max(1)).min(self.rounds.len())
    }
}
