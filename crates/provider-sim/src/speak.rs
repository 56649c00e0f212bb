//! Minds: one that has seen the solution, one that reads from a script, and bad habits, needs and slips for them.

mod anthropic;
mod functions;
mod google;
mod habits;
mod keys;
mod needs;
mod openai;
mod oracle;
mod places;
mod scale;
mod script;
mod shares;
mod slips;
mod split;
mod summary;
mod words;

pub use habits::{Habits, HabitualMind};
pub use needs::{Needs, NeedyMind};
pub use oracle::{RecordedOracle, RecordedTrials, Recording};
pub use script::{ScriptError, ScriptSpeaker};
pub use slips::Slips;

use super::asked::ReadRequest;
use places::target;

/// Whether a request that offers nothing to call wants an action in words: its instructions say so, as those of a briefing
/// do.
fn acts_in_words(asked: &ReadRequest) -> bool {
    const ASKS: &str = "exactly one action";
    let first = || asked.said.iter().find(|said| !said.by_model).and_then(super::asked::SaidMessage::text);
    asked.system.contains(ASKS) || first().is_some_and(|text| text.contains(ASKS))
}

/// Which way the wheel turns, and how far; nothing where it turns two ways at once.
fn direction(dx: f64, dy: f64) -> Option<(&'static str, f64)> {
    match (dx, dy) {
        (0.0, dy) if dy < 0.0 => Some(("up", -dy)),
        (0.0, dy) => Some(("down", dy)),
        (dx, 0.0) if dx < 0.0 => Some(("left", -dx)),
        (dx, 0.0) => Some(("right", dx)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
