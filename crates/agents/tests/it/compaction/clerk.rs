//! A model that knows nothing but the request it is given, behind a provider that refuses what is too long.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use quintain_core::Usage;
use quintain_core::books::Purpose;
use quintain_models::model::{
    Message, MessageRole, Model, ModelCard, ModelError, Piece, Points, Request, Response, StopReason, ToolCall,
};
use quintain_models::picture_limit::PictureLimit;
use serde_json::{Value, json};

use super::archive::is_noted;
use super::measured;

/// How many tokens the model holds.
pub(super) const LIMIT: u64 = 200_000;

/// The model. What it saw is kept for the test alone: it answers from the request.
pub(super) struct Clerk {
    card: ModelCard,
    pub(super) seen: Mutex<Seen>,
}

/// What went through it.
#[derive(Default)]
pub(super) struct Seen {
    /// Turn, tokens by the estimate, bytes of text.
    pub(super) requests: Vec<(u32, u64, usize)>,
    pub(super) purposes: Vec<Purpose>,
    /// The tokens of everything that was said and shown, each thing counted once.
    pub(super) raw_tokens: u64,
    pub(super) n_summaries: usize,
    pub(super) n_overflows: usize,
    pub(super) answers: BTreeMap<String, String>,
}

impl Default for Clerk {
    fn default() -> Self {
        let card = ModelCard {
            name: "chat/clerk".to_owned(),
            computer: None,
            points: Points::Pixels,
            sees: false,
            context: LIMIT,
            pictures: PictureLimit::default(),
        };
        Self { card, seen: Mutex::default() }
    }
}

impl Model for Clerk {
    fn ask(&self, request: &Request, _within: Duration) -> Result<Response, ModelError> {
        let mut seen = self.seen.lock().expect("no test thread died");
        let (step_idx, tokens, n_bytes) = measured(request);
        seen.requests.push((step_idx, tokens, n_bytes));
        seen.purposes.push(request.purpose);
        // It counts a tenth more tokens than the estimate has.
        let input_tokens = tokens + tokens / 10;
        if input_tokens > LIMIT {
            seen.n_overflows += 1;
            return Err(ModelError::Overflow { model: self.card.name.clone() });
        }
        let pieces = answer(request, &mut seen);
        let usage = Usage { input_tokens, output_tokens: 300, ..Usage::nothing() };
        let message = Message { role: MessageRole::Assistant, pieces };
        Ok(Response { message, stop: StopReason::Finished, usage, held_up: false })
    }

    fn wasted(&self) -> Usage {
        Usage::nothing()
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }
}

fn answer(request: &Request, seen: &mut Seen) -> Vec<Piece> {
    if request.tools.is_empty() {
        seen.n_summaries += 1;
        return vec![Piece::text(summed_up(&texts(&request.messages).join("\n")))];
    }
    let now = texts(&request.messages[request.messages.len() - 1..]).join("\n");
    seen.raw_tokens += (now.len() / 4) as u64;
    if now.contains("What do these valves read") {
        seen.answers = readings(&format!("{}\n{}", request.system, texts(&request.messages).join("\n")));
        return vec![call("answer", json!({"readings": seen.answers}))];
    }
    let musing = musing(request.step_idx);
    seen.raw_tokens += (musing.len() / 4) as u64;
    let notes = readings(&now).into_iter().filter(|(valve, _)| valve[1..].parse().is_ok_and(is_noted));
    let notes = notes.map(|(valve, reading)| call("note", json!({"text": format!("valve {valve} reads {reading}")})));
    std::iter::once(Piece::text(musing)).chain(notes).chain([call("next", json!({}))]).collect()
}

/// What stands first in each part of what it is shown, up to a length. It knows nothing of valves.
fn summed_up(text: &str) -> String {
    let firsts = text.split("\n\n").filter_map(|part| part.lines().find(|line| !line.trim().is_empty()));
    let mut summary = String::new();
    for line in firsts {
        if summary.len() > 6_000 {
            break;
        }
        summary.extend(line.chars().take(120).chain(['\n']));
    }
    summary
}

/// `valve K7 reads 41.3`, wherever it stands.
fn readings(text: &str) -> BTreeMap<String, String> {
    let found = text.match_indices("valve K").filter_map(|(at, _)| {
        let mut words = text[at..].split_whitespace().skip(1);
        let (valve, reads, reading) = (words.next()?, words.next()?, words.next()?);
        let reading: String = reading.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        (reads == "reads").then(|| (valve.to_owned(), reading))
    });
    found.collect()
}

/// Every text, those in outcomes included, and what was called with.
fn texts(messages: &[Message]) -> Vec<String> {
    fn of(piece: &Piece) -> Vec<String> {
        match piece {
            Piece::Text { text } => vec![text.clone()],
            Piece::Call(call) => vec![call.input.to_string()],
            Piece::Outcome { pieces, .. } => pieces.iter().flat_map(of).collect(),
            Piece::Thought { .. } | Piece::Picture(_) => Vec::new(),
        }
    }
    messages.iter().flat_map(|message| &message.pieces).flat_map(of).collect()
}

fn musing(step_idx: u32) -> String {
    format!(
        "Turn {} was a record like the others. {}",
        step_idx + 1,
        "I go on as the task says, one by one. ".repeat(25)
    )
}

fn call(name: &str, input: Value) -> Piece {
    Piece::Call(ToolCall { id: format!("{name}-{input}"), name: name.to_owned(), input, native: None, opaque: None })
}
