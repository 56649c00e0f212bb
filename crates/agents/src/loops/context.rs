//! What is kept of a conversation that may not grow for ever.
//!
//! A [`ModelContext`] is the task, then rounds: what the model said and what it heard of it. It is kept under a limit in three
//! tiers, the mildest first: stale results are cleared in place, older rounds are summed up in a checkpoint, and what
//! still does not fit is dropped, oldest first. Each is a [`Compaction`]: decided by a pure function, carried out by
//! [`ModelContext::apply`], and small enough to be recorded, so that a trial that goes on after a crash has the very same
//! context. A round is kept or dropped as a whole, so that no call is parted from its outcome.

mod clear;
mod gauge;
mod segment;
mod token_room;
mod truncate;

use quintain_models::model::{Message, MessageRole, Piece, ToolCall};
use serde::{Deserialize, Serialize};

pub use gauge::{TokenGauge, pieces_tokens, request_tokens, text_tokens, tools_tokens};
pub use segment::Segment;
pub use token_room::TokenRoom;

/// A conversation under a limit.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelContext {
    /// The task: never cleared, never dropped.
    task: Vec<Piece>,
    /// What older rounds came to, in the model's own words.
    checkpoint: Option<String>,
    /// How many rounds were dropped without having been summed up.
    n_dropped: usize,
    /// What was seen before the model first said something, as long as it is kept.
    opening: HeardText,
    rounds: Vec<ContextRound>,
    /// How many pictures are kept at least; twice as many are at most, but one.
    n_pictures: usize,
}

/// What a model said and what it heard of it.
#[derive(Clone, Debug, PartialEq)]
struct ContextRound {
    said: Message,
    heard: HeardText,
    said_tokens: u64,
}

/// What a model heard, and about how many tokens that is.
#[derive(Clone, Debug, Default, PartialEq)]
struct HeardText {
    pieces: Vec<Piece>,
    tokens: u64,
}

/// One thing that was done so that the conversation fits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "compaction", rename_all = "snake_case")]
pub enum Compaction {
    /// What was heard in the first rounds is replaced by a line each.
    Cleared {
        /// How many.
        n_rounds: usize,
    },
    /// The first rounds, and the checkpoint before them, are replaced by a checkpoint.
    SummedUp {
        /// How many.
        n_rounds: usize,
        /// What stands for them.
        checkpoint: String,
    },
    /// The first rounds are gone.
    Dropped {
        /// How many.
        n_rounds: usize,
    },
    /// Every text that was heard is cut in the middle.
    Shortened {
        /// To so many bytes.
        n_bytes: usize,
    },
}

impl ModelContext {
    /// A conversation about a task, in which at least so many pictures are kept, and at most twice as many but one.
    pub fn new(task: Vec<Piece>, n_pictures: usize) -> Self {
        Self {
            task,
            checkpoint: None,
            n_dropped: 0,
            opening: HeardText::default(),
            rounds: Vec::new(),
            n_pictures: n_pictures.max(1),
        }
    }

    /// The model said something.
    pub fn say(&mut self, said: Message) {
        let said_tokens = gauge::message_tokens(&said);
        self.rounds.push(ContextRound { said, heard: HeardText::default(), said_tokens });
    }

    /// It hears something: what came of its calls, what it sees now. Older pictures go where there are too many.
    pub fn hear(&mut self, pieces: Vec<Piece>) {
        let heard = self.rounds.last_mut().map_or(&mut self.opening, |round| &mut round.heard);
        heard.pieces.extend(pieces);
        heard.measure();
        clear::old_pictures(self);
    }

    /// This belongs to the task and stays.
    pub fn pin(&mut self, pieces: impl IntoIterator<Item = Piece>) {
        self.task.extend(pieces);
    }

    /// The task.
    pub fn task(&self) -> &[Piece] {
        &self.task
    }

    /// What the model said last, with those calls alone that it has not heard of yet.
    pub fn unanswered(&self) -> Option<Message> {
        let ContextRound { said, heard, .. } = self.rounds.last()?;
        let is_answered = |call: &ToolCall| {
            heard.pieces.iter().any(|piece| matches!(piece, Piece::Outcome { id, .. } if *id == call.id))
        };
        let is_open = |piece: &&Piece| !matches!(piece, Piece::Call(call) if is_answered(call));
        Some(Message { role: said.role, pieces: said.pieces.iter().filter(is_open).cloned().collect() })
    }

    /// The messages of a request.
    pub fn messages(&self) -> Vec<Message> {
        let mut first = self.task.clone();
        first.extend(self.past().map(Piece::text));
        first.extend(self.opening.pieces.iter().cloned());
        let mut messages = vec![Message { role: MessageRole::User, pieces: first }];
        for round in &self.rounds {
            messages.push(round.said.clone());
            if !round.heard.pieces.is_empty() {
                messages.push(Message { role: MessageRole::User, pieces: round.heard.pieces.clone() });
            }
        }
        messages
    }

    /// About how many tokens the messages are.
    pub fn tokens(&self) -> u64 {
        let first = pieces_tokens(&self.task) + self.past().map_or(0, |text| text_tokens(&text)) + self.opening.tokens;
        first + gauge::MESSAGE + self.rounds.iter().map(ContextRound::tokens).sum::<u64>()
    }

    /// Carries out what was decided.
    pub fn apply(&mut self, compaction: &Compaction) {
        match compaction {
            Compaction::Cleared { n_rounds } => clear::results(self, *n_rounds),
            Compaction::SummedUp { n_rounds, checkpoint } => {
                self.forget(*n_rounds);
                self.n_dropped = 0;
                self.checkpoint = Some(checkpoint.clone());
            }
            Compaction::Dropped { n_rounds } => {
                self.n_dropped += self.forget(*n_rounds);
            }
            Compaction::Shortened { n_bytes } => truncate::shorten(self, *n_bytes),
        }
    }

    /// What is told of rounds that are no longer there.
    fn past(&self) -> Option<String> {
        let dropped = (self.n_dropped > 0)
            .then(|| format!("[{} earlier exchanges no longer fitted and were left out here]", self.n_dropped));
        let summed = self.checkpoint.as_ref().map(|text| format!("What happened before, as you summed it up:\n{text}"));
        let told: Vec<String> = summed.into_iter().chain(dropped).collect();
        (!told.is_empty()).then(|| told.join("\n\n"))
    }

    fn forget(&mut self, n_rounds: usize) -> usize {
        let n_rounds = n_rounds.min(self.rounds.len());
        self.rounds.drain(..n_rounds);
        self.opening = HeardText::default();
        n_rounds
    }

    /// Everything heard, oldest first.
    fn heard_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut HeardText> {
        std::iter::once(&mut self.opening).chain(self.rounds.iter_mut().map(|round| &mut round.heard))
    }
}

impl ContextRound {
    fn tokens(&self) -> u64 {
        let heard = if self.heard.pieces.is_empty() { 0 } else { gauge::MESSAGE + self.heard.tokens };
        self.said_tokens + heard
    }
}

impl HeardText {
    fn measure(&mut self) {
        self.tokens = pieces_tokens(&self.pieces);
    }
}

#[cfg(test)]
mod tests;
