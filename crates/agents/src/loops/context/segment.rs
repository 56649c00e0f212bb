//! The second tier: older rounds are shown as one text, to be summed up.

use quintain_models::model::{Piece, ToolCall};

use super::truncate::{cut, fitting};
use super::{Compaction, ContextRound, ModelContext, TokenRoom, text_tokens};

/// Older rounds as one text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// How many rounds it is made of.
    pub n_rounds: usize,
    /// What happened in them, and what was summed up before.
    pub transcript: String,
}

impl ModelContext {
    /// The rounds that are no longer recent, where there are any.
    pub fn segment(&self, room: TokenRoom) -> Option<Segment> {
        let n_rounds = self.rounds.len() - self.n_recent(room);
        let before = self.past();
        let opening = Some(told(&self.opening.pieces)).filter(|text| !text.is_empty());
        let rounds = self.rounds[..n_rounds].iter().map(spoken);
        let parts: Vec<String> = before.into_iter().chain(opening).chain(rounds).collect();
        (n_rounds > 0).then(|| Segment { n_rounds, transcript: fit(&parts, room.segment()) })
    }
}

impl Segment {
    /// The compaction, once somebody has summed it up. A checkpoint that is too long for its share is cut.
    pub fn summed_up(&self, checkpoint: &str, room: TokenRoom) -> Option<Compaction> {
        let n_bytes = usize::try_from(room.checkpoint() * 4).unwrap_or(usize::MAX);
        let checkpoint = cut(checkpoint.trim(), n_bytes);
        (!checkpoint.is_empty()).then_some(Compaction::SummedUp { n_rounds: self.n_rounds, checkpoint })
    }
}

/// The parts in one text of at most so many tokens; where they are more, the longest are cut.
fn fit(parts: &[String], tokens: u64) -> String {
    let joined = |n_bytes: usize| parts.iter().map(|part| cut(part, n_bytes)).collect::<Vec<_>>().join("\n\n");
    let longest = parts.iter().map(String::len).max().unwrap_or(0);
    let n_bytes = fitting(longest, |n_bytes| text_tokens(&joined(n_bytes)) <= tokens);
    let n_bytes_in_all = usize::try_from(tokens * 4).unwrap_or(usize::MAX);
    cut(&joined(n_bytes), n_bytes_in_all)
}

fn spoken(round: &ContextRound) -> String {
    let said: Vec<String> = round.said.pieces.iter().filter_map(saying).collect();
    format!("You: {}\n{}", said.join("\n"), told(&round.heard.pieces)).trim_end().to_owned()
}

fn saying(piece: &Piece) -> Option<String> {
    match piece {
        Piece::Text { text } | Piece::Thought { text, .. } => Some(text.clone()).filter(|text| !text.is_empty()),
        Piece::Call(ToolCall { name, input, .. }) => Some(format!("{name} {input}")),
        Piece::Picture(_) | Piece::Outcome { .. } => None,
    }
}

fn told(pieces: &[Piece]) -> String {
    let one = |piece: &Piece| match piece {
        Piece::Text { text } => text.clone(),
        Piece::Picture(image) => format!("[a picture of {}x{} pixels]", image.size().0, image.size().1),
        Piece::Outcome { name, pieces, .. } => format!("{name}: {}", told(pieces)),
        Piece::Thought { .. } | Piece::Call(_) => String::new(),
    };
    pieces.iter().map(one).collect::<Vec<_>>().join("\n")
}
