//! Finds one thing on one screen.

use std::sync::Arc;

use quintain_core::books::Purpose;
use quintain_core::{AgentError, Screen, Usage};
use quintain_models::model::{Message, MessageRole, Model, Piece, Request, Tool};
use serde_json::{Value, json};

use crate::loops::metered_model::{MeteredModel, NoAnswer, TurnDeadline, too_long};
use crate::loops::prompts;
use crate::loops::screens::Screens;

/// A model that points. It remembers nothing from one question to the next.
pub(super) struct Grounder {
    voice: MeteredModel,
    screens: Screens,
    system: String,
    max_output: u32,
}

impl Grounder {
    pub(super) fn new(model: Arc<dyn Model>, max_output: u32) -> Self {
        let card = model.card();
        let (screens, system) = (Screens::new(card), prompts::grounder(card.points));
        Self { voice: MeteredModel::new(model), screens, system, max_output }
    }

    pub(super) fn used(&mut self) -> Usage {
        self.voice.used()
    }

    /// Where it is, as a fraction of the screen across and down; nothing where it is not found.
    pub(super) fn find(
        &mut self,
        target: &str,
        screen: &Screen,
        step_idx: u32,
        deadline: TurnDeadline,
    ) -> Result<Option<(f64, f64)>, AgentError> {
        let image = self.screens.image(screen)?;
        let (across, down) = self.voice.card().points.size(image.size());
        let words = Piece::text(format!("Turn {}.\nFind: {target}", step_idx + 1));
        let question = Message { role: MessageRole::User, pieces: vec![words, Piece::Picture(image)] };
        let request = Request {
            system: self.system.clone(),
            messages: vec![question],
            tools: vec![point()],
            must_call: false,
            max_output: self.max_output,
            effort: None,
            purpose: Purpose::Ground,
            step_idx,
        };
        let response = self.voice.ask(&request, deadline).map_err(|unanswered| match unanswered {
            NoAnswer::Ended(error) => error,
            NoAnswer::Overflow => too_long(self.voice.card()),
        })?;
        let is_on_screen = |(x, y): &(f64, f64)| (0.0..=1.0).contains(x) && (0.0..=1.0).contains(y);
        let at = pointed(&response.message);
        Ok(at.map(|(x, y)| (x / f64::from(across), y / f64::from(down))).filter(is_on_screen))
    }
}

fn point() -> Tool {
    let number = |about: &str| json!({"type": "number", "description": about});
    let schema = json!({
        "type": "object",
        "properties": {"x": number("From the left."), "y": number("From the top.")},
        "required": ["x", "y"],
    });
    Tool::Function { name: "point".to_owned(), about: "Points at the thing.".to_owned(), schema }
}

/// The point of the call; or of the words, for models that were taught to write points: two numbers, or four of a box.
fn pointed(message: &Message) -> Option<(f64, f64)> {
    let number = |call: &Value, key| call.get(key).and_then(Value::as_f64);
    if let Some(call) = message.calls().next() {
        return Some((number(&call.input, "x")?, number(&call.input, "y")?));
    }
    match numbers(&message.text()).as_slice() {
        [x, y] => Some((*x, *y)),
        [x1, y1, x2, y2] => Some((x1.midpoint(*x2), y1.midpoint(*y2))),
        _ => None,
    }
}

fn numbers(text: &str) -> Vec<f64> {
    let words = text.split(|c: char| !(c.is_ascii_digit() || c == '.'));
    words.filter_map(|word| word.trim_matches('.').parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read_from_words_too() {
        let read = |text: &str| pointed(&Message { role: MessageRole::Assistant, pieces: vec![Piece::text(text)] });
        assert_eq!(read("(512, 300)"), Some((512.0, 300.0)));
        assert_eq!(read("<point>512 300.5</point>"), Some((512.0, 300.5)));
        assert_eq!(read("[[100, 200, 300, 400]]"), Some((200.0, 300.0)));
        assert_eq!(read("It is not on the screen."), None);
        assert_eq!(read("Either 1 2 or 3."), None);
    }
}
