//! An observation as pieces of a message: the number of the turn, what came of the last action, what is seen now.

use std::fmt::Write as _;

use quintain_core::observation::{Observation, ObservationPart};
use quintain_core::{AgentError, Digest, Turn};
use quintain_models::model::{EncodedImage, Message, ModelCard, Piece, ToolCall};

use crate::loops::pointer_place::PointerPlace;
use crate::loops::screens::Screens;

/// The parts that are texts, in the order in which they are shown. Each is a piece of its own.
const TEXTS: [ObservationPart; 4] =
    [ObservationPart::Text, ObservationPart::Ascii, ObservationPart::Tree, ObservationPart::Dom];

/// Turns observations into what a model is shown.
#[derive(Debug)]
pub struct ObservationRenderer {
    screens: Screens,
    sees: bool,
    goal: Option<Digest>,
    pointer: PointerPlace,
}

/// What a model is shown in a turn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderedTurn {
    /// What came of the calls it made last, then the turn. The text of the turn begins with `Turn N.` on its own line.
    pub pieces: Vec<Piece>,
    /// The screen, where one is shown.
    pub screen: Option<EncodedImage>,
    /// The picture of the goal, where it is new. It is not among the pieces, because it outlives the turn.
    pub goal: Option<EncodedImage>,
}

impl RenderedTurn {
    /// Pixels across and down of the screen as it is shown.
    pub fn shown(&self) -> Option<(u32, u32)> {
        self.screen.as_ref().map(EncodedImage::size)
    }
}

impl ObservationRenderer {
    /// For a model with this card.
    pub fn new(card: &ModelCard) -> Self {
        Self { screens: Screens::new(card), sees: card.sees, goal: None, pointer: PointerPlace::default() }
    }

    /// How large its pictures of a screen of this size are.
    pub fn fit(&self, size: (u32, u32)) -> (u32, u32) {
        self.screens.fit(size)
    }

    /// What is shown in a turn to a model that has said this before. Every call in it gets its outcome.
    pub fn look(&mut self, turn: &Turn<'_>, said: Option<&Message>) -> Result<RenderedTurn, AgentError> {
        let observation = turn.observation;
        let screen = self.picture(observation, ObservationPart::Screen)?;
        let marks = self.picture(observation, ObservationPart::Marks)?;
        let feedback = observation.texts.get(&ObservationPart::Feedback).map(String::as_str);
        let calls: Vec<&ToolCall> = said.into_iter().flat_map(Message::calls).collect();
        let shown = screen.as_ref().or(marks.as_ref());
        let mut pieces = Vec::new();
        for call in &calls {
            pieces.push(answered(outcome(call, feedback, shown), self.pointer.answer(call)));
            self.pointer.follow(call);
        }
        // The feedback stands in the outcome where that holds words, else with the turn.
        let is_told = calls.iter().any(|call| call.native.is_none());
        pieces.push(Piece::text(heading(turn, feedback.filter(|_| !is_told))));
        pieces.extend(texts(observation));
        let is_shown = calls.iter().any(|call| call.native.is_some());
        // Where there is no screen, the marks were shown in its place.
        let new_marks = marks.as_ref().filter(|_| screen.is_some() || !is_shown);
        pieces.extend(pictures(screen.as_ref().filter(|_| !is_shown), new_marks));
        let goal = self.goal(observation)?;
        Ok(RenderedTurn { pieces, screen: screen.or(marks), goal })
    }

    fn picture(
        &mut self,
        observation: &Observation,
        part: ObservationPart,
    ) -> Result<Option<EncodedImage>, AgentError> {
        let screen = observation.pictures.get(&part).filter(|_| self.sees);
        screen.map(|screen| self.screens.image(screen)).transpose()
    }

    fn goal(&mut self, observation: &Observation) -> Result<Option<EncodedImage>, AgentError> {
        let digest =
            observation.pictures.get(&ObservationPart::Goal).filter(|_| self.sees).map(quintain_core::Screen::digest);
        if digest.is_none() || digest == self.goal {
            return Ok(None);
        }
        self.goal = digest;
        self.picture(observation, ObservationPart::Goal)
    }
}

/// What came of a call. A model's own computer tool returns a picture, our functions return words.
pub(super) fn outcome(call: &ToolCall, feedback: Option<&str>, screen: Option<&EncodedImage>) -> Piece {
    let words = || vec![Piece::text(feedback.unwrap_or("What came of it is shown below."))];
    let pieces = match (&call.native, screen) {
        (Some(_), Some(screen)) => vec![Piece::Picture(screen.clone())],
        _ => words(),
    };
    Piece::Outcome { id: call.id.clone(), name: call.name.clone(), pieces, is_error: false }
}

/// The outcome of a call that asked for something, with the answer before what is shown.
fn answered(outcome: Piece, answer: Option<Piece>) -> Piece {
    match (outcome, answer) {
        (Piece::Outcome { id, name, pieces, is_error }, Some(answer)) => {
            Piece::Outcome { id, name, pieces: std::iter::once(answer).chain(pieces).collect(), is_error }
        }
        (outcome, _) => outcome,
    }
}

fn heading(turn: &Turn<'_>, feedback: Option<&str>) -> String {
    let mut text = format!("Turn {}.", turn.step_idx + 1);
    if let Some(feedback) = feedback {
        let _infallible = write!(text, "\nFeedback: {feedback}");
    }
    if let Some(remaining) = turn.observation.texts.get(&ObservationPart::Remaining) {
        let _infallible = write!(text, "\nRemaining: {remaining}");
    }
    text
}

fn texts(observation: &Observation) -> impl Iterator<Item = Piece> {
    let shown = TEXTS.into_iter().filter_map(|part| Some((part, observation.texts.get(&part)?)));
    shown.map(|(part, text)| Piece::text(format!("{}\n{text}", title(part))))
}

/// The line before a text of this part; long texts of old turns are known by it.
fn title(part: ObservationPart) -> &'static str {
    match part {
        ObservationPart::Ascii => "The screen in characters:",
        ObservationPart::Tree => "The elements of the screen:",
        ObservationPart::Dom => "The document:",
        _ => "What is said:",
    }
}

/// Whether a piece shows how things were in its turn and is of little use later.
pub(super) fn is_view(piece: &Piece) -> bool {
    let titles = [ObservationPart::Ascii, ObservationPart::Tree, ObservationPart::Dom].map(title);
    match piece {
        Piece::Picture(_) => true,
        Piece::Text { text } => titles.iter().any(|title| text.starts_with(title)),
        _ => false,
    }
}

fn pictures(screen: Option<&EncodedImage>, marks: Option<&EncodedImage>) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = screen.cloned().map(Piece::Picture).into_iter().collect();
    if let Some(marks) = marks {
        pieces.push(Piece::text("The screen with its elements numbered:"));
        pieces.push(Piece::Picture(marks.clone()));
    }
    pieces
}
