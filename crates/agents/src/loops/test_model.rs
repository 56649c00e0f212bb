//! A model whose answers are written beforehand, for the tests of the loops.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use quintain_core::action::Dialect;
use quintain_core::observation::{Observation, ObservationPart};
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::{Briefing, Limits, Picture, Usage};
use quintain_models::model::{
    Message, MessageRole, Model, ModelCard, ModelError, Piece, Points, Request, Response, StopReason, ToolCall,
};
use quintain_models::picture_limit::PictureLimit;
use serde_json::Value;

/// Says what it was given to say, in order, and keeps what it was asked.
pub(crate) struct Scripted {
    pub(crate) card: ModelCard,
    pub(crate) answers: Mutex<VecDeque<Result<Message, ModelError>>>,
    pub(crate) asked: Mutex<Vec<Request>>,
    stop: StopReason,
}

/// What every answer is said to have used.
pub(crate) const USED: Usage =
    Usage { input_tokens: 100, output_tokens: 10, cached_tokens: 0, cost_usd: Some(0.01), n_unknown: 0 };

impl Scripted {
    pub(crate) fn new(card: ModelCard, answers: impl IntoIterator<Item = Result<Message, ModelError>>) -> Arc<Self> {
        Self::stopping(StopReason::Finished, card, answers)
    }

    /// The same, with every answer ending for this reason.
    pub(crate) fn stopping(
        stop: StopReason,
        card: ModelCard,
        answers: impl IntoIterator<Item = Result<Message, ModelError>>,
    ) -> Arc<Self> {
        let answers = Mutex::new(answers.into_iter().collect());
        Arc::new(Self { card, answers, asked: Mutex::new(Vec::new()), stop })
    }

    pub(crate) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

impl Model for Scripted {
    fn ask(&self, request: &Request, _within: Duration) -> Result<Response, ModelError> {
        self.asked.lock().unwrap().push(request.clone());
        let next = self.answers.lock().unwrap().pop_front();
        let message = next.unwrap_or_else(|| Err(ModelError::Harness("nothing more to say".to_owned())))?;
        Ok(Response { message, stop: self.stop, usage: USED, held_up: false })
    }

    fn wasted(&self) -> Usage {
        Usage::nothing()
    }

    fn card(&self) -> &ModelCard {
        &self.card
    }
}

/// A model that sees, points in pixels and has no tool of its own.
pub(crate) fn card() -> ModelCard {
    ModelCard {
        name: "chat/test".to_owned(),
        computer: None,
        points: Points::Pixels,
        sees: true,
        context: 100_000,
        pictures: PictureLimit::default(),
    }
}

/// A model with a computer tool of its own.
pub(crate) fn card_with(computer: Dialect) -> ModelCard {
    ModelCard { computer: Some(computer), ..card() }
}

pub(crate) fn says(text: &str) -> Message {
    Message { role: MessageRole::Assistant, pieces: vec![Piece::text(text)] }
}

/// A thought and a call of one of our functions.
pub(crate) fn calls(id: &str, name: &str, input: Value) -> Message {
    let call = ToolCall { id: id.to_owned(), name: name.to_owned(), input, native: None, opaque: None };
    Message { role: MessageRole::Assistant, pieces: vec![Piece::text("I think."), Piece::Call(call)] }
}

/// A call of a computer tool of its own.
pub(crate) fn native(id: &str, words: &Value) -> Message {
    let call = ToolCall {
        id: id.to_owned(),
        name: "computer".to_owned(),
        input: words.clone(),
        native: Some(words.to_string()),
        opaque: None,
    };
    Message { role: MessageRole::Assistant, pieces: vec![Piece::Call(call)] }
}

pub(crate) fn briefing() -> Briefing {
    Briefing {
        instruction: "Press the button.\n".to_owned(),
        surface: Surface {
            groups: [ActionGroup::Gui].into(),
            parts: [ObservationPart::Screen, ObservationPart::Feedback].into(),
            screen: Some((40, 20)),
            ..Surface::default()
        },
        limits: Limits::steps(30),
        answer: None,
        history: None,
        effort: None,
        seed: 1,
    }
}

/// A screen that differs from turn to turn.
pub(crate) fn observation(step_idx: u32) -> Observation {
    let screen = Observation::default()
        .with_picture(ObservationPart::Screen, Arc::new(Picture::filled(40, 20, [step_idx as u8, 0, 0])))
        .with_text(ObservationPart::Remaining, format!("{} steps", 30 - step_idx));
    if step_idx == 0 { screen } else { screen.with_text(ObservationPart::Feedback, format!("came of turn {step_idx}")) }
}
