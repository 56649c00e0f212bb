//! Somebody who sees, for a model that does not: it answers questions about the screen, and acts on it towards a goal.
//!
//! It has a short conversation of its own, which begins with the goal and ends with a report. Each of its actions is a
//! step of the trial. It cannot end the trial, whatever it says.

use std::sync::Arc;

use quintain_core::books::Purpose;
use quintain_core::surface::{ActionGroup, Surface};
use quintain_core::{AgentError, Briefing, Reply, Turn};
use quintain_models::model::{Message, MessageRole, Model, Piece, Request, Tool, ToolCall};
use quintain_models::tools;

use crate::loops::context::ModelContext;
use crate::loops::generalist::inner::{self, MAX_STEPS, N_STEPS, REPORT};
use crate::loops::generalist::model_side::ModelSide;
use crate::loops::generalist::prompts;
use crate::loops::metered_model::MeteredModel;
use crate::loops::observation_renderer::ObservationRenderer;
use crate::loops::protocol::{MessageFault, ReadMessage};
use crate::loops::react;
use crate::loops::{LoopOptions, Mode, N_PICTURES, not_set_up};

/// Endings, which are not for somebody who was only asked to help.
const ENDINGS: [&str; 3] = ["done", "answer", "give_up"];

/// The one who sees.
pub(super) struct Gui {
    pub(super) voice: MeteredModel,
    pub(super) delegation: Option<Delegation>,
    briefing: Briefing,
    mode: Mode,
    manner: LoopOptions,
}

/// A goal that is being worked on.
pub(super) struct Delegation {
    /// The call that is answered by the report.
    pub(super) call: ToolCall,
    pub(super) party: ModelSide,
    n_steps_left: u32,
    tools: Vec<Tool>,
}

/// What the one who acts says.
pub(super) enum ActorReply {
    /// An action.
    Act(Reply),
    /// The end of its work.
    Report(String),
    /// Nothing of the kind.
    Fault(MessageFault),
}

impl Gui {
    pub(super) fn new(model: Arc<dyn Model>, briefing: &Briefing, manner: LoopOptions) -> Result<Self, AgentError> {
        if !model.card().sees {
            return Err(not_set_up(format!("{} cannot see either; gui= needs a model that can", model.card().name)));
        }
        let groups = [ActionGroup::Gui].into();
        let surface = Surface { calls: Vec::new(), groups, ..briefing.surface.clone() };
        let mode = react::chosen(None, model.card(), &surface)?;
        let briefing = Briefing { surface, ..briefing.clone() };
        Ok(Self { voice: MeteredModel::new(model), delegation: None, briefing, mode, manner })
    }

    /// Begins to work on a goal.
    pub(super) fn begin(&mut self, call: &ToolCall, turn: &Turn<'_>) -> Result<(), AgentError> {
        let card = self.voice.card();
        let goal = inner::text(call, "goal").unwrap_or_default();
        let task = vec![Piece::text(format!("The goal:\n{goal}"))];
        let context = ModelContext::new(task, self.manner.n_pictures.unwrap_or(N_PICTURES));
        let mut party = ModelSide::new(card, context, self.manner.max_output(card, self.briefing.effort));
        party.system = prompts::gui(card.points);
        party.surface = self.briefing.surface.clone();
        party.effort = self.briefing.effort;
        let tools = self.tools();
        party.tools.clone_from(&tools);
        party.see(turn)?;
        let n_steps_left = call.input["max_steps"].as_u64().map_or(N_STEPS, |n| n.clamp(1, MAX_STEPS.into()) as u32);
        self.delegation = Some(Delegation { call: call.clone(), party, n_steps_left, tools });
        Ok(())
    }

    /// The question about the screen as it is now; nothing where none is shown.
    pub(super) fn question(&self, question: &str, turn: &Turn<'_>) -> Result<Option<Request>, AgentError> {
        let looked = ObservationRenderer::new(self.voice.card()).look(turn, None)?;
        let Some(screen) = looked.screen else { return Ok(None) };
        let pieces = vec![Piece::Picture(screen), Piece::text(question)];
        Ok(Some(Request {
            system: prompts::look(),
            messages: vec![Message { role: MessageRole::User, pieces }],
            tools: Vec::new(),
            must_call: false,
            max_output: self.manner.max_output(self.voice.card(), self.briefing.effort),
            effort: self.briefing.effort,
            purpose: Purpose::Delegate,
            step_idx: turn.step_idx,
        }))
    }

    fn tools(&self) -> Vec<Tool> {
        let card = self.voice.card();
        let shown = react::shown(&self.briefing.surface, &ObservationRenderer::new(card));
        let offered = react::offered(self.mode, &self.briefing, card, shown);
        let is_ending = |tool: &Tool| tools::name(tool).is_some_and(|name| ENDINGS.contains(&name));
        offered.into_iter().filter(|tool| !is_ending(tool)).chain([inner::report()]).collect()
    }
}

impl Delegation {
    /// A turn that came of its last action. When it may take no more, only its report is asked for.
    pub(super) fn see(&mut self, turn: &Turn<'_>) -> Result<(), AgentError> {
        self.n_steps_left = self.n_steps_left.saturating_sub(1);
        self.party.see(turn)?;
        if self.n_steps_left == 0 {
            self.party.tools = vec![inner::report()];
            self.party.hear(vec![Piece::text("You may take no more actions: call `report` now.")]);
        }
        Ok(())
    }

    /// What a message says.
    pub(super) fn gist(&self, message: &Message) -> ActorReply {
        let calls: Vec<&ToolCall> = message.calls().collect();
        match calls[..] {
            [call] if call.name == REPORT => {
                ActorReply::Report(inner::text(call, "summary").unwrap_or("(nothing)").to_owned())
            }
            _ if self.n_steps_left == 0 => ActorReply::Report(
                format!("No report was given after the last action. {}", message.text()).trim().to_owned(),
            ),
            [call] if call.native.is_none() && !self.offers(&call.name) => {
                let why = format!("there is no tool `{}` here", call.name);
                ActorReply::Fault(MessageFault { kind: quintain_core::agent::SlipKind::Malformed, why: Some(why) })
            }
            _ => match self.party.read(message, &calls) {
                ReadMessage { reply, fault: None, .. } => ActorReply::Act(reply),
                ReadMessage { fault: Some(fault), .. } => ActorReply::Fault(fault),
            },
        }
    }

    fn offers(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tools::name(tool) == Some(name))
    }
}

/// The words of a turn in which the one who acts said nothing that could be carried out. They are ours, so that
/// nothing in its own ends the trial.
pub(super) fn nothing(message: &Message) -> Reply {
    let raw = "the assistant at the screen said nothing that can be carried out".to_owned();
    Reply { raw, thought: Some(message.text()).filter(|text| !text.is_empty()), ..Reply::default() }
}
