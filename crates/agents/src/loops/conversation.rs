//! What was said between us and a model, as far as it is told again: the last turns, and of those the last pictures.

use quintain_core::observation::{Observation, ObservationPart};
use quintain_core::{AgentError, Turn};
use quintain_models::model::{EncodedImage, Message, MessageRole, Piece};
use serde::{Deserialize, Serialize};

use crate::loops::observation_renderer::{self, ObservationRenderer, RenderedTurn};

/// A conversation that grows turn by turn. It follows from what was seen and said alone, so that one that is told again
/// after a crash is the same to the byte.
#[derive(Debug)]
pub struct Conversation {
    sights: ObservationRenderer,
    rounds: Vec<ConversationRound>,
    goal: Option<EncodedImage>,
    screen: Option<EncodedImage>,
    /// How many earlier turns are told; nothing means all.
    history: Option<usize>,
    /// How many pictures are told at least; twice as many are at most, but one.
    n_pictures: usize,
    /// How many turns no longer fit into the model's context.
    n_forgotten: usize,
    /// What is told with the next turn, besides what is seen.
    note: Option<String>,
    /// What was told of the limits last.
    remaining: Option<String>,
}

/// One turn: what was seen, then what was said, ours and the model's.
#[derive(Debug)]
struct ConversationRound {
    seen: Message,
    said: Vec<Message>,
}

/// What has to be recorded of a turn so that the conversation can be told again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TurnMemory {
    /// What was said in the turn, after what was seen.
    pub messages: Vec<Message>,
    /// How many turns had to be forgotten by then.
    #[serde(default, skip_serializing_if = "is_none")]
    pub n_forgotten: usize,
    /// What is told with the next turn, besides what is seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What was told of the limits: the clock says something else when the turn is told again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remaining: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_none(n: &usize) -> bool {
    *n == 0
}

impl TurnMemory {
    /// What is seen again, with what was told of the limits at the time.
    fn as_told(&self, observation: &Observation) -> Observation {
        let mut observation = observation.clone();
        if let Some(remaining) = &self.remaining {
            observation.texts.insert(ObservationPart::Remaining, remaining.clone());
        }
        observation
    }
}

impl Conversation {
    /// A conversation in which nothing was said yet.
    pub fn new(sights: ObservationRenderer, history: Option<u32>, n_pictures: usize) -> Self {
        Self {
            sights,
            rounds: Vec::new(),
            goal: None,
            screen: None,
            history: history.map(|n| n as usize),
            n_pictures: n_pictures.max(1),
            n_forgotten: 0,
            note: None,
            remaining: None,
        }
    }

    /// A turn begins: this is seen.
    pub fn see(&mut self, turn: &Turn<'_>) -> Result<(), AgentError> {
        let said = self.rounds.last().and_then(|round| round.said.last());
        let RenderedTurn { mut pieces, screen, goal } = self.sights.look(turn, said)?;
        pieces.extend(self.note.take().map(Piece::text));
        self.goal = goal.or(self.goal.take());
        self.screen = screen;
        self.remaining = turn.observation.texts.get(&ObservationPart::Remaining).cloned();
        self.rounds.push(ConversationRound { seen: Message { role: MessageRole::User, pieces }, said: Vec::new() });
        self.drop_old_views();
        Ok(())
    }

    /// This is said, by us or by the model.
    pub fn say(&mut self, message: Message) {
        if let Some(round) = self.rounds.last_mut() {
            round.said.push(message);
        }
    }

    /// This is told with the next turn.
    pub fn note(&mut self, note: impl Into<String>) {
        self.note = Some(note.into());
    }

    /// The screen as it was seen last.
    pub fn screen(&self) -> Option<&EncodedImage> {
        self.screen.as_ref()
    }

    /// Everything that is told, the last being what the model answers to.
    pub fn messages(&self) -> Vec<Message> {
        let first = self.first_told();
        let told = self.rounds[first..].iter().flat_map(|round| std::iter::once(&round.seen).chain(&round.said));
        let mut messages: Vec<Message> = told.cloned().collect();
        if let Some(opening) = messages.first_mut() {
            let seen = std::mem::take(&mut opening.pieces);
            opening.pieces = self.opening(if first > 0 { after_cut(seen) } else { seen });
        }
        messages
    }

    /// Leaves the older half of what is told out, from now on. Nothing is left to leave out when it says no.
    pub fn forget_half(&mut self) -> bool {
        let first = self.first_told();
        let n_told = self.rounds.len() - first;
        self.n_forgotten = first + n_told / 2;
        n_told > 1
    }

    /// What was said in this turn. Pictures are left out: they are in the record already.
    pub fn memory(&self) -> TurnMemory {
        let mut messages = self.rounds.last().map(|round| round.said.clone()).unwrap_or_default();
        for pieces in outcomes(&mut messages) {
            pieces.retain(|piece| !matches!(piece, Piece::Picture(_)));
        }
        TurnMemory {
            messages,
            n_forgotten: self.n_forgotten,
            note: self.note.clone(),
            remaining: self.remaining.clone(),
        }
    }

    /// A turn that was taken before, told again: what was seen, then what was said.
    pub fn recall(&mut self, turn: &Turn<'_>, memory: TurnMemory) -> Result<(), AgentError> {
        let observation = memory.as_told(turn.observation);
        let seen = self.see(&Turn { observation: &observation, ..*turn });
        self.remember(memory);
        seen
    }

    fn remember(&mut self, mut memory: TurnMemory) {
        for pieces in outcomes(&mut memory.messages).filter(|pieces| pieces.is_empty()) {
            pieces.extend(self.screen.clone().map(Piece::Picture));
        }
        self.n_forgotten = memory.n_forgotten;
        self.note = memory.note;
        if let Some(round) = self.rounds.last_mut() {
            round.said = memory.messages;
        }
    }

    fn first_told(&self) -> usize {
        let last = self.rounds.len().saturating_sub(1);
        let windowed = self.history.map_or(0, |history| last.saturating_sub(history));
        windowed.max(self.n_forgotten).min(last)
    }

    /// The first message: the goal before everything.
    fn opening(&self, seen: Vec<Piece>) -> Vec<Piece> {
        let mut pieces = Vec::new();
        if let Some(goal) = &self.goal {
            pieces.push(Piece::text("The state to reach:"));
            pieces.push(Piece::Picture(goal.clone()));
        }
        pieces.extend(seen);
        pieces
    }

    /// Views of old turns go, several turns at a time, so that in between each request begins as the one before it did.
    fn drop_old_views(&mut self) {
        let n = self.n_pictures;
        let Some(surplus) = self.rounds.len().checked_sub(n) else { return };
        if !surplus.is_multiple_of(n) {
            return;
        }
        for round in self.rounds[..surplus].iter_mut().rev().take(n) {
            drop_views(&mut round.seen.pieces);
            round.said.iter_mut().for_each(|message| drop_views(&mut message.pieces));
        }
    }
}

/// What is seen first where earlier turns are not told: no outcome of a call that is not.
fn after_cut(seen: Vec<Piece>) -> Vec<Piece> {
    let mut pieces = vec![Piece::text("Earlier turns are left out.")];
    for piece in seen {
        match piece {
            Piece::Outcome { pieces: inner, .. } => pieces.extend(inner),
            other => pieces.push(other),
        }
    }
    pieces
}

/// What is in the outcomes of calls.
fn outcomes(messages: &mut [Message]) -> impl Iterator<Item = &mut Vec<Piece>> {
    messages.iter_mut().flat_map(|message| &mut message.pieces).filter_map(|piece| match piece {
        Piece::Outcome { pieces, .. } => Some(pieces),
        _ => None,
    })
}

fn drop_views(pieces: &mut [Piece]) {
    for piece in pieces {
        match piece {
            Piece::Outcome { pieces: inner, .. } => drop_views(inner),
            view if observation_renderer::is_view(view) => *view = Piece::text("[what was shown here is left out]"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
