//! What an agent was shown, in words and pictures: the same order in every format.

use quintain_core::observation::Shown;
use quintain_core::{Briefing, Digest, Part};

/// A piece of what was shown or said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Words.
    Text(String),
    /// A picture, by the name it is stored under.
    Picture(Digest),
}

/// What the agent was told before its first turn. An attempt whose world never opened told it nothing.
pub(super) fn prompt(briefing: Option<&Briefing>) -> String {
    briefing.map(Briefing::prompt).unwrap_or_default()
}

/// The pieces of an observation: each picture under its name, then the texts.
pub(super) fn pieces(shown: &Shown) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (part, digest) in &shown.pictures {
        pieces.push(Piece::Text(format!("{}:", name(*part))));
        pieces.push(Piece::Picture(*digest));
    }
    for (part, text) in &shown.texts {
        pieces.push(Piece::Text(format!("{}: {text}", name(*part))));
    }
    pieces
}

fn name(part: Part) -> &'static str {
    match part {
        Part::Screen => "Screen",
        Part::Tree => "Accessibility tree",
        Part::Marks => "Screen with marks",
        Part::Dom => "Document",
        Part::Ascii => "Screen in characters",
        Part::Text => "Text",
        Part::Goal => "Goal",
        Part::Feedback => "Feedback",
        Part::Remaining => "Remaining",
        Part::Geometry => "Geometry",
    }
}

/// What the agent is shown before a reply: the briefing too, before the first.
pub(super) fn before_reply(briefing: Option<&Briefing>, step_idx: usize, shown: &Shown) -> Vec<Piece> {
    let told = (step_idx == 0).then(|| Piece::Text(prompt(briefing))).into_iter();
    told.filter(|piece| *piece != Piece::Text(String::new())).chain(pieces(shown)).collect()
}
