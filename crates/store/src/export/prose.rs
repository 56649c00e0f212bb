//! What an agent was shown, in words and pictures: the same order in every format.

use quintain_core::observation::Shown;
use quintain_core::{Briefing, Digest, ObservationPart};

/// A piece of what was shown or said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProsePiece {
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
pub(super) fn pieces(shown: &Shown) -> Vec<ProsePiece> {
    let mut pieces = Vec::new();
    for (part, digest) in &shown.pictures {
        pieces.push(ProsePiece::Text(format!("{}:", name(*part))));
        pieces.push(ProsePiece::Picture(*digest));
    }
    for (part, text) in &shown.texts {
        pieces.push(ProsePiece::Text(format!("{}: {text}", name(*part))));
    }
    pieces
}

fn name(part: ObservationPart) -> &'static str {
    match part {
        ObservationPart::Screen => "Screen",
        ObservationPart::Tree => "Accessibility tree",
        ObservationPart::Marks => "Screen with marks",
        ObservationPart::Dom => "Document",
        ObservationPart::Ascii => "Screen in characters",
        ObservationPart::Text => "Text",
        ObservationPart::Goal => "Goal",
        ObservationPart::Feedback => "Feedback",
        ObservationPart::Remaining => "Remaining",
        ObservationPart::Geometry => "Geometry",
    }
}

/// What the agent is shown before a reply: the briefing too, before the first.
pub(super) fn before_reply(briefing: Option<&Briefing>, step_idx: usize, shown: &Shown) -> Vec<ProsePiece> {
    let told = (step_idx == 0).then(|| ProsePiece::Text(prompt(briefing))).into_iter();
    told.filter(|piece| *piece != ProsePiece::Text(String::new())).chain(pieces(shown)).collect()
}
