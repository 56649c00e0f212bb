//! What is recorded of a turn, so that a trial that goes on after a crash knows what it knew.
//!
//! Whatever changes the state of the loop is either the observation of a turn or an [`TurnEvent`]. A turn that is told again
//! is therefore the same events on the same observation, and the next request is the same to the byte.

use quintain_core::observation::{Observation, ObservationPart};
use quintain_core::{AgentError, Reply};
use quintain_models::model::{EncodedImage, Message, MessageRole, Piece};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::loops::context::Compaction;

/// Whose conversation it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum ConversationOwner {
    /// The model that has the task.
    Main,
    /// The one that acts on the screen for it.
    Gui,
}

/// Something that happened within a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum TurnEvent {
    /// A model spoke, and its provider said how many tokens it had read.
    Said { by: ConversationOwner, message: Message, read_tokens: u64 },
    /// It was told something within the turn. An outcome without anything in it is a picture of the screen.
    Heard { by: ConversationOwner, pieces: Vec<Piece> },
    /// Its conversation was shortened.
    Compacted { by: ConversationOwner, done: Compaction },
    /// Its provider refused a request as too long: no later one may be longer than this.
    Limited { by: ConversationOwner, tokens: u64 },
}

/// Everything that is recorded of a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct GeneralistMemory {
    /// What was told of what remains: it is not the same when the turn is told again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) remaining: Option<String>,
    pub(super) events: Vec<TurnEvent>,
}

impl GeneralistMemory {
    /// What was recorded with a reply. One that nobody wrote a memory for is remembered as words.
    pub(super) fn of(reply: &Reply) -> Self {
        let recorded = reply.memory.clone().and_then(|memory| serde_json::from_value(memory).ok());
        recorded.unwrap_or_else(|| {
            let message = Message { role: MessageRole::Assistant, pieces: vec![Piece::text(reply.raw.clone())] };
            Self {
                remaining: None,
                events: vec![TurnEvent::Said { by: ConversationOwner::Main, message, read_tokens: 0 }],
            }
        })
    }

    /// As it is recorded.
    pub(super) fn record(&self) -> Result<Value, AgentError> {
        serde_json::to_value(self)
            .map_err(|error| AgentError::harness(format!("a turn cannot be written down: {error}")))
    }

    /// The observation as it was then.
    pub(super) fn seen(&self, observation: &Observation) -> Observation {
        let mut seen = observation.clone();
        if let Some(remaining) = &self.remaining {
            seen.texts.insert(ObservationPart::Remaining, remaining.clone());
        }
        seen
    }
}

/// The pieces as they are recorded: pictures in outcomes are left out.
pub(super) fn without_pictures(mut pieces: Vec<Piece>) -> Vec<Piece> {
    for inner in pieces.iter_mut().filter_map(outcome) {
        inner.retain(|piece| !matches!(piece, Piece::Picture(_)));
    }
    pieces
}

/// The pieces as they were: outcomes in which nothing is left had the screen.
pub(super) fn with_pictures(mut pieces: Vec<Piece>, screen: Option<&EncodedImage>) -> Vec<Piece> {
    for inner in pieces.iter_mut().filter_map(outcome).filter(|inner| inner.is_empty()) {
        inner.extend(screen.cloned().map(Piece::Picture));
    }
    pieces
}

fn outcome(piece: &mut Piece) -> Option<&mut Vec<Piece>> {
    match piece {
        Piece::Outcome { pieces, .. } => Some(pieces),
        _ => None,
    }
}
