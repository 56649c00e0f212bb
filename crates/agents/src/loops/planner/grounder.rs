//! Finds one thing on one screen.

use std::sync::Arc;

use quintain_core::books::Purpose;
use quintain_core::{AgentError, Screen, Usage};
use quintain_models::model::{Message, MessageRole, Model, Piece, Request, Tool};
use serde_json::json;

use super::pointed::{ListOrder, pointed};
use crate::loops::metered_model::{MeteredModel, NoAnswer, TurnDeadline, too_long};
use crate::loops::prompts;
use crate::loops::screens::Screens;

/// A model that points. It remembers nothing from one question to the next.
pub(super) struct Grounder {
    voice: MeteredModel,
    screens: Screens,
    system: String,
    order: ListOrder,
    max_output: u32,
}

impl Grounder {
    pub(super) fn new(model: Arc<dyn Model>, max_output: u32) -> Self {
        let card = model.card();
        let (screens, system) = (Screens::new(card), prompts::grounder(card.points));
        let is_gemini = card.name.starts_with("google/") || card.name.contains("gemini");
        let order = if is_gemini { ListOrder::DownFirst } else { ListOrder::AcrossFirst };
        Self { voice: MeteredModel::new(model), screens, system, order, max_output }
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
        let at = pointed(&response.message, self.order);
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
    Tool::Function { name: "point".to_owned(), about: "Points at the thing.".to_owned(), schema: schema.into() }
}
