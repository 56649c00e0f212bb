//! The first tier: results that are stale make way for a line that says what was there.

use quintain_models::model::Piece;

use super::{Compaction, HeardText, ModelContext, TokenRoom};

/// Texts up to this many bytes stay: a line about them would not be shorter.
const SHORT: usize = 240;
/// How much of a text is quoted in the line that stands for it.
const QUOTED: usize = 120;

impl ModelContext {
    /// The stale results, where there are any.
    pub fn clearing(&self, room: TokenRoom) -> Option<Compaction> {
        let n_rounds = self.rounds.len() - self.n_recent(room);
        let mut cleared = self.clone();
        results(&mut cleared, n_rounds);
        (cleared.tokens() < self.tokens()).then_some(Compaction::Cleared { n_rounds })
    }
}

/// Clears what was heard at the opening and in the first rounds.
pub(super) fn results(context: &mut ModelContext, n_rounds: usize) {
    if n_rounds == 0 {
        return;
    }
    for heard in context.heard_mut().take(n_rounds + 1) {
        heard.pieces.iter_mut().for_each(clear);
        heard.measure();
    }
}

/// Clears old pictures, several at a time, so that in between each request begins as the one before it did. The task's
/// own stay.
pub(super) fn old_pictures(context: &mut ModelContext) {
    let n_kept = context.n_pictures;
    let n_shown: usize = context.heard_mut().map(|heard| n_pictures(&heard.pieces)).sum();
    if n_shown < 2 * n_kept {
        return;
    }
    context.heard_mut().rev().fold(n_kept, |n_left, heard| without_pictures(heard, n_left));
}

fn n_pictures(pieces: &[Piece]) -> usize {
    let count = |piece: &Piece| match piece {
        Piece::Picture(_) => 1,
        Piece::Outcome { pieces, .. } => n_pictures(pieces),
        _ => 0,
    };
    pieces.iter().map(count).sum()
}

fn without_pictures(heard: &mut HeardText, n_kept: usize) -> usize {
    let (n_left, changed) = keep_pictures(&mut heard.pieces, n_kept);
    if changed {
        heard.measure();
    }
    n_left
}

/// Keeps the last so many pictures, and says how many more may be kept and whether any had to go.
fn keep_pictures(pieces: &mut [Piece], n_kept: usize) -> (usize, bool) {
    let mut n_left = n_kept;
    let mut changed = false;
    for piece in pieces.iter_mut().rev() {
        match piece {
            Piece::Picture(_) if n_left > 0 => n_left -= 1,
            Piece::Picture(_) => {
                clear(piece);
                changed = true;
            }
            Piece::Outcome { pieces, .. } => {
                let (left, inner) = keep_pictures(pieces, n_left);
                n_left = left;
                changed |= inner;
            }
            Piece::Text { .. } | Piece::Thought { .. } | Piece::Call(_) => {}
        }
    }
    (n_left, changed)
}

fn clear(piece: &mut Piece) {
    match piece {
        Piece::Picture(image) => {
            let (across, down) = image.size();
            *piece = Piece::text(format!("[a picture of {across}x{down} pixels, no longer shown]"));
        }
        Piece::Text { text } if text.len() > SHORT => *text = line(text),
        Piece::Outcome { pieces, .. } => pieces.iter_mut().for_each(clear),
        Piece::Text { .. } | Piece::Thought { .. } | Piece::Call(_) => {}
    }
}

fn line(text: &str) -> String {
    let words = text.split_whitespace();
    let mut quoted = String::new();
    for word in words {
        if quoted.len() + word.len() > QUOTED {
            break;
        }
        quoted.push_str(word);
        quoted.push(' ');
    }
    format!("[{} characters, no longer shown, that began: {}]", text.chars().count(), quoted.trim_end())
}
