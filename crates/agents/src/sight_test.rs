//! A first question to a model, before much is paid for many: does it see what it is shown, and does a click of it land
//! where it means to click?

mod eye_chart;
mod pointing;

use std::time::Duration;

use quintain_core::agent::Effort;
use quintain_core::books::Purpose;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::{AgentError, Usage};
use quintain_models::model::{Message, MessageRole, Model, ModelCard, ModelError, Piece, Request, StopReason, Tool};
use quintain_models::tools::{self, Pointing, ScreenTool, Sight};

use crate::loops::Mode;
use crate::loops::screens::Screens;
use eye_chart::EyeChart;
pub use pointing::ClickFinding;

/// The most that one answer may be long: enough for a model that thinks before it speaks, and a few cents at most.
const MAX_OUTPUT: u32 = 2048;

const SYSTEM: &str = "You look at a screen and use its mouse.";
const BOTH: &str = "The screen shows one number and one red square. First write the number, in digits. Then click the middle of \
                    the red square.";
const NUMBER: &str = "The screen shows one number and one red square. Write the number, in digits.";
const CLICK: &str = "The screen shows one number and one red square. Click the middle of the red square.";

/// A picture with a number and a target that are known here.
#[derive(Debug)]
pub struct SightTest {
    chart: EyeChart,
    surface: Surface,
}

/// What a model made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct SightFinding {
    /// The number in the picture.
    pub number: u32,
    /// The number that the model says it sees; nothing where it says none.
    pub read: Option<u32>,
    /// Where the target is, in pixels of the screen.
    pub target_px: (f64, f64),
    /// Where the model clicked.
    pub click: ClickFinding,
    /// How often it was asked: once, or twice where it left out one of the two.
    pub n_calls: u32,
    /// What all calls used.
    pub usage: Usage,
    /// Whether an answer was cut because it was too long.
    pub cut: bool,
    /// Whether it was offered its own computer tool, which has units of its own.
    pub is_native: bool,
}

impl SightTest {
    /// The test for the model of this name: the same every time, and another for another model.
    pub fn of(name: &str) -> Self {
        let chart = EyeChart::of(name);
        let surface =
            Surface { screen: Some(eye_chart::SIZE), groups: [ActionGroup::Gui].into(), ..Surface::default() };
        Self { chart, surface }
    }

    /// Asks the model, once more for what it left out.
    pub fn ask(&self, model: &dyn Model, mode: Option<Mode>, within: Duration) -> Result<SightFinding, ModelError> {
        let card = model.card();
        let broken = |error: AgentError| ModelError::Harness(error.to_string());
        let picture = Screens::new(card).image(&self.chart.screen()).map_err(broken)?;
        let sight = Sight { computer: native(card, mode), points: card.points, shown: Some(picture.size()) };
        let offered = self.offered(&sight);
        let request = |words: &str, tools: Vec<Tool>, must_call| Request {
            system: SYSTEM.to_owned(),
            messages: vec![Message {
                role: MessageRole::User,
                pieces: vec![Piece::text(words), Piece::Picture(picture.clone())],
            }],
            tools,
            must_call,
            max_output: MAX_OUTPUT,
            effort: Some(Effort::None),
            purpose: Purpose::Act,
            step_idx: 0,
        };
        let first = model.ask(&request(BOTH, offered.clone(), false), within)?;
        let mut found = SightFinding {
            number: self.chart.number,
            read: number_in(&first.message.text(), self.chart.number),
            target_px: self.chart.target_px,
            click: self.clicked(&first.message, &sight),
            n_calls: 1,
            usage: first.usage,
            cut: first.stop == StopReason::Length,
            is_native: sight.computer.is_some(),
        };
        let left_out = match (found.read, &found.click) {
            (_, ClickFinding::None) => Some(request(CLICK, offered, true)),
            (None, _) => Some(request(NUMBER, Vec::new(), false)),
            _ => None,
        };
        if let Some(left_out) = left_out {
            let second = model.ask(&left_out, within)?;
            found.n_calls += 1;
            found.usage = found.usage.plus(second.usage);
            found.cut |= second.stop == StopReason::Length;
            found.read = found.read.or_else(|| number_in(&second.message.text(), self.chart.number));
            if found.click == ClickFinding::None {
                found.click = self.clicked(&second.message, &sight);
            }
        }
        Ok(found)
    }

    /// What a loop would offer it for a screen.
    fn offered(&self, sight: &Sight) -> Vec<Tool> {
        let shown = sight.shown.unwrap_or(eye_chart::SIZE);
        let hand = sight.computer.map_or(ScreenTool::Schema, |dialect| ScreenTool::Native { dialect, shown });
        tools::tools(&self.surface, None, hand, Pointing::Points(sight.points))
    }

    fn clicked(&self, message: &Message, sight: &Sight) -> ClickFinding {
        let found = message.calls().map(|call| pointing::judged(call, sight, &self.surface, self.chart.target_px));
        found.fold(ClickFinding::None, ClickFinding::or_rather)
    }
}

/// How the calls of its own computer tool are written, where a loop would offer it.
fn native(card: &ModelCard, mode: Option<Mode>) -> Option<quintain_core::action::Dialect> {
    card.computer.filter(|_| matches!(mode, None | Some(Mode::Native)))
}

/// The number that words tell of: the wanted one if it is among them, else the first.
fn number_in(words: &str, wanted: u32) -> Option<u32> {
    let runs = words.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty());
    let numbers: Vec<u32> = runs.filter_map(|run| run.parse().ok()).collect();
    numbers.iter().copied().find(|number| *number == wanted).or_else(|| numbers.first().copied())
}

#[cfg(test)]
mod tests;
