//! The third tier: what does not fit goes, the oldest first.

use quintain_models::model::Piece;

use super::{Compaction, ModelContext, TokenRoom};

/// No text is cut shorter than this.
const SHORTEST: usize = 64;

impl ModelContext {
    /// What has to go so that the messages fit beside so many other tokens: whole rounds, and where the last one alone
    /// is too long, the middle of what was heard in it.
    pub fn truncation(&self, room: TokenRoom, others: u64) -> Vec<Compaction> {
        let fits = |context: &Self| context.tokens() + others <= room.hard();
        let mut context = self.clone();
        let mut compactions = Vec::new();
        let n_rounds = self.n_to_drop(&fits);
        if n_rounds > 0 {
            let dropped = Compaction::Dropped { n_rounds };
            context.apply(&dropped);
            compactions.push(dropped);
        }
        if !fits(&context) {
            compactions.push(context.shortening(&fits));
        }
        compactions
    }

    /// How many of the first rounds have to go; never the last one.
    fn n_to_drop(&self, fits: &impl Fn(&Self) -> bool) -> usize {
        let mut context = self.clone();
        let mut n_rounds = 0;
        while !fits(&context) && context.rounds.len() > 1 {
            context.apply(&Compaction::Dropped { n_rounds: 1 });
            n_rounds += 1;
        }
        n_rounds
    }

    fn shortening(&self, fits: &impl Fn(&Self) -> bool) -> Compaction {
        let heard = std::iter::once(&self.opening).chain(self.rounds.iter().map(|round| &round.heard));
        let longest = heard.flat_map(|heard| &heard.pieces).map(longest_text).max().unwrap_or(0);
        let n_bytes = fitting(longest, |n_bytes| {
            let mut shorter = self.clone();
            shorten(&mut shorter, n_bytes);
            fits(&shorter)
        });
        Compaction::Shortened { n_bytes }
    }
}

/// Cuts every text that was heard.
pub(super) fn shorten(context: &mut ModelContext, n_bytes: usize) {
    for heard in context.heard_mut() {
        heard.pieces.iter_mut().for_each(|piece| shorten_piece(piece, n_bytes));
        heard.measure();
    }
}

fn shorten_piece(piece: &mut Piece, n_bytes: usize) {
    match piece {
        Piece::Text { text } if text.len() > n_bytes => *text = cut(text, n_bytes),
        Piece::Outcome { pieces, .. } => pieces.iter_mut().for_each(|piece| shorten_piece(piece, n_bytes)),
        _ => {}
    }
}

fn longest_text(piece: &Piece) -> usize {
    match piece {
        Piece::Text { text } => text.len(),
        Piece::Outcome { pieces, .. } => pieces.iter().map(longest_text).max().unwrap_or(0),
        _ => 0,
    }
}

/// The largest size, of those reached by taking a quarter off again and again, that fits; the shortest where none does.
pub(super) fn fitting(longest: usize, fits: impl Fn(usize) -> bool) -> usize {
    let mut n_bytes = longest.max(SHORTEST);
    while n_bytes > SHORTEST && !fits(n_bytes) {
        n_bytes = (n_bytes - n_bytes / 4).max(SHORTEST);
    }
    n_bytes
}

/// The text with its middle left out, where it is longer than so many bytes.
pub(super) fn cut(text: &str, n_bytes: usize) -> String {
    if text.len() <= n_bytes {
        return text.to_owned();
    }
    let gap = format!("\n[... {} bytes left out ...]\n", text.len() - n_bytes);
    let half = n_bytes.saturating_sub(gap.len()) / 2;
    let head = &text[..text.floor_char_boundary(half)];
    let tail = &text[text.ceil_char_boundary(text.len() - half)..];
    format!("{head}{gap}{tail}")
}
