//! Two models in one agent: one decides what is done, the other finds where.

mod grounder;
mod pointed;
pub(super) mod targets;

use std::sync::Arc;
use std::time::Duration;

use quintain_core::observation::ObservationPart;
use quintain_core::{Agent, AgentError, Briefing, Reply, Screen, Turn, Usage};
use quintain_models::model::{Model, ToolCall};
use quintain_models::tools::{self, Pointing, ScreenTool};

use crate::loops::conversation::Conversation;
use crate::loops::dialogue::{DialogueTerms, ModelDialogue};
use crate::loops::metered_model::{MeteredModel, TurnDeadline};
use crate::loops::observation_renderer::ObservationRenderer;
use crate::loops::protocol::{ActionForm, ReadMessage};
use crate::loops::{LoopOptions, N_PICTURES, not_begun, prompts};
use grounder::Grounder;

/// A planner, whose tools take places in words, and a grounder, which is shown the screen and points at them.
pub struct Planner {
    decides: Arc<dyn Model>,
    points: Arc<dyn Model>,
    manner: LoopOptions,
    pair: Option<PlannerPair>,
}

struct PlannerPair {
    talk: ModelDialogue,
    grounder: Grounder,
    screen: Option<(u32, u32)>,
}

/// What was called when the grounder was asked, in the record of a turn.
const TOOL: &str = "ground";

impl Planner {
    /// These models, in this manner.
    pub fn new(planner: Arc<dyn Model>, grounder: Arc<dyn Model>, manner: LoopOptions) -> Self {
        Self { decides: planner, points: grounder, manner, pair: None }
    }

    fn terms(&self, briefing: &Briefing) -> DialogueTerms {
        let answer = briefing.answer.as_ref();
        DialogueTerms {
            system: prompts::planner(briefing),
            tools: tools::tools(&briefing.surface, answer, ScreenTool::Schema, Pointing::Target),
            form: ActionForm::Calls,
            points: self.decides.card().points,
            targets: true,
            surface: briefing.surface.clone(),
            max_output: self.manner.max_output(self.decides.card(), briefing.effort),
            effort: briefing.effort,
        }
    }
}

impl Agent for Planner {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        let sights = ObservationRenderer::new(self.decides.card());
        let n_pictures = self.manner.n_pictures.unwrap_or(N_PICTURES);
        let conversation = Conversation::new(sights, briefing.history, n_pictures);
        let talk = ModelDialogue::new(MeteredModel::new(Arc::clone(&self.decides)), conversation, self.terms(briefing));
        let max_output = self.manner.max_output(self.points.card(), None);
        let grounder = Grounder::new(Arc::clone(&self.points), max_output);
        self.pair = Some(PlannerPair { talk, grounder, screen: briefing.surface.screen });
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        self.pair.as_mut().ok_or_else(not_begun)?.act(turn, TurnDeadline::after(within))
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        if let Some(pair) = &mut self.pair {
            pair.talk.recall(turn, reply);
        }
    }

    fn wasted(&mut self) -> Option<Usage> {
        self.pair.as_mut().map(|pair| pair.talk.wasted().plus(pair.grounder.used()))
    }
}

impl PlannerPair {
    fn act(&mut self, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<Reply, AgentError> {
        let heard = self.talk.open(turn, deadline)?;
        let reply = match heard {
            ReadMessage { call: Some(call), fault: None, reply } if targets::of(&call).next().is_some() => {
                let grounded = self.ground(&call, turn, deadline)?;
                Reply { slips: reply.slips, thought: reply.thought, ..grounded }
            }
            heard => heard.reply,
        };
        let reply = self.talk.close(reply)?;
        Ok(Reply { usage: reply.usage.map(|usage| usage.plus(self.grounder.used())), ..reply })
    }

    /// The call with points of the screen's own pixels in place of words; or words that are no action, where a target
    /// cannot be found, and a note for the planner.
    fn ground(&mut self, call: &ToolCall, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<Reply, AgentError> {
        let (Some(screen), Some(size)) = (picture(turn), self.screen) else {
            return Err(AgentError::harness("a planner needs the screen to be shown; add it to --show"));
        };
        let (mut found, mut n_asked) = (Vec::new(), 0);
        for target in targets::of(call) {
            n_asked += 1;
            let Some((x, y)) = self.grounder.find(&target, screen, turn.step_idx, deadline)? else {
                self.talk.conversation.note(format!("Not to be found on the screen: {target}"));
                let raw = "the place that was named is not to be found on the screen".to_owned();
                return Ok(Reply { raw, tools: vec![TOOL.to_owned(); n_asked], ..Reply::default() });
            };
            found.push((target, pixel(x, size.0), pixel(y, size.1)));
        }
        let point = |target: &str| found.iter().find(|(known, ..)| known == target).map(|(_, x, y)| (*x, *y));
        let raw = tools::spoken(&targets::with_points(call, point));
        Ok(Reply { raw, tools: vec![TOOL.to_owned(); n_asked], ..Reply::default() })
    }
}

/// The pixel at a fraction of a side.
fn pixel(fraction: f64, n_pixels: u32) -> f64 {
    (fraction * f64::from(n_pixels)).round().min(f64::from(n_pixels.saturating_sub(1)))
}

fn picture<'a>(turn: &Turn<'a>) -> Option<&'a Screen> {
    let pictures = &turn.observation.pictures;
    pictures.get(&ObservationPart::Screen).or_else(|| pictures.get(&ObservationPart::Marks))
}

#[cfg(test)]
mod tests;
