//! One loop over everything that the world offers, for long work: notes and a plan of its own, a conversation that is
//! kept within the model's context, and somebody who sees for a model that does not.

mod fit;
mod gui;
mod inner;
mod memory;
mod model_side;
mod notes;
pub(in crate::loops) mod prompts;
mod work;

use std::sync::Arc;
use std::time::Duration;

use quintain_core::books::Purpose;
use quintain_core::observation::ObservationPart;
use quintain_core::surface::ActionGroup;
use quintain_core::{Agent, AgentError, Briefing, Reply, Turn, Usage};
use quintain_models::model::{Message, Model, Piece, Response, StopReason, ToolCall};
use quintain_models::tools;

use crate::loops::context::ModelContext;
use crate::loops::metered_model::{MeteredModel, NoAnswer, TurnDeadline};
use crate::loops::observation_renderer::ObservationRenderer;
use crate::loops::protocol::{self, ActionForm, MessageFault};
use crate::loops::{LoopOptions, Mode, N_PICTURES, not_begun, not_set_up, react};

use gui::{ActorReply, Gui};
use memory::{ConversationOwner, TurnEvent};
use model_side::ModelSide;
use notes::ModelNotes;
use prompts::ListenerFacts;
use work::{TrialWork, TurnTally, WorkerReply};

/// The parts that tell a model that cannot see what there is.
const TEXTS: [ObservationPart; 4] =
    [ObservationPart::Text, ObservationPart::Ascii, ObservationPart::Tree, ObservationPart::Dom];

/// A model that works with everything at hand. How many earlier turns it keeps follows from its context alone.
pub struct Generalist {
    model: Arc<dyn Model>,
    gui: Option<Arc<dyn Model>>,
    manner: LoopOptions,
    work: Option<TrialWork>,
}

impl Generalist {
    /// This model, in this manner; and one that acts on the screen for it where it cannot see.
    pub fn new(model: Arc<dyn Model>, gui: Option<Arc<dyn Model>>, manner: LoopOptions) -> Self {
        Self { model, gui, manner, work: None }
    }

    fn work(&self, briefing: &Briefing) -> Result<TrialWork, AgentError> {
        let gui = self.seer(briefing)?;
        let mut main = self.main(briefing, gui.as_ref())?;
        let mut inner = inner::of_notes(&briefing.surface);
        inner.extend(gui.is_some().then(inner::of_screen).into_iter().flatten());
        // A goal that is handed on is a turn of its own.
        let names = [inner::NOTE, inner::PLAN, inner::LOOK];
        let is_offered = |name: &&str| inner.iter().any(|tool| tools::name(tool) == Some(*name));
        let offered = names.into_iter().filter(is_offered).collect();
        main.tools.extend(inner);
        Ok(TrialWork {
            voice: MeteredModel::new(Arc::clone(&self.model)),
            inner: offered,
            main,
            gui,
            notes: ModelNotes::default(),
            tally: TurnTally::default(),
            gesture: None,
            broken: None,
        })
    }

    /// Who sees for a model that does not, where there is something to see.
    fn seer(&self, briefing: &Briefing) -> Result<Option<Gui>, AgentError> {
        let has_screen = briefing.surface.groups.contains(&ActionGroup::Gui);
        let is_blind = has_screen && !self.model.card().sees;
        let gui = self.gui.as_ref().filter(|_| is_blind);
        if is_blind && gui.is_none() && !briefing.surface.parts.iter().any(|part| TEXTS.contains(part)) {
            let name = &self.model.card().name;
            return Err(not_set_up(format!(
                "{name} cannot see and nothing but pictures is shown; give gui=PROVIDER/NAME, or add --show tree"
            )));
        }
        gui.map(|model| Gui::new(Arc::clone(model), briefing, self.manner)).transpose()
    }

    /// The model that has the task. Where another one sees for it, it cannot reach the screen itself.
    fn main(&self, briefing: &Briefing, gui: Option<&Gui>) -> Result<ModelSide, AgentError> {
        let card = self.model.card();
        let mode = react::chosen(self.manner.mode, card, &briefing.surface)?;
        if mode == Mode::Text {
            return Err(not_set_up("the generalist loop calls tools; use tools=native, tools=schema or tools=marks"));
        }
        let mut briefing = briefing.clone();
        if gui.is_some() {
            briefing.surface.groups.remove(&ActionGroup::Gui);
        }
        let shown = react::shown(&briefing.surface, &ObservationRenderer::new(card));
        let task = vec![Piece::text(format!("# Task\n{}", briefing.instruction.trim_end()))];
        let context = ModelContext::new(task, self.manner.n_pictures.unwrap_or(N_PICTURES));
        let told = ListenerFacts { screen: shown, points: card.points, is_blind: gui.is_some() };
        let mut main = ModelSide::new(card, context, self.manner.max_output(card, briefing.effort));
        main.system = prompts::system(&briefing, told);
        main.tools = react::offered(mode, &briefing, card, shown);
        main.effort = briefing.effort;
        main.surface = briefing.surface;
        Ok(main)
    }
}

impl Agent for Generalist {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        self.work = Some(self.work(briefing)?);
        Ok(())
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        self.work.as_mut().ok_or_else(not_begun)?.act(turn, TurnDeadline::after(within))
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        if let Some(work) = &mut self.work
            && let Err(error) = work.recall(turn, reply)
        {
            work.broken.get_or_insert(error);
        }
    }

    fn wasted(&mut self) -> Option<Usage> {
        self.work.as_mut().map(TrialWork::used)
    }
}

impl TrialWork {
    /// A turn: whoever is at work is asked until somebody acts.
    fn act(&mut self, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<Reply, AgentError> {
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        self.see(turn)?;
        loop {
            let is_delegated = self.gui.as_ref().is_some_and(|gui| gui.delegation.is_some());
            let acted = if is_delegated { self.gui_acts(turn, deadline)? } else { self.main_acts(turn, deadline)? };
            if let Some(reply) = acted {
                return self.close(reply);
            }
        }
    }

    fn main_acts(&mut self, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<Option<Reply>, AgentError> {
        let purpose = if self.tally.slips.is_empty() { Purpose::Act } else { Purpose::Correct };
        let Response { message, stop, .. } = self.ask(ConversationOwner::Main, purpose, turn, deadline)?;
        if stop == StopReason::Refused {
            return Ok(Some(protocol::refused(&message)));
        }
        match self.gesture.take() {
            Some(WorkerReply::Act(reply)) => self.look(&message, turn, deadline).map(|()| Some(reply)),
            Some(WorkerReply::Fault(fault, reply)) => {
                self.correct(ConversationOwner::Main, &message, &fault, reply, turn)
            }
            Some(WorkerReply::Inner | WorkerReply::Delegate(_)) | None => {
                self.look(&message, turn, deadline).map(|()| None)
            }
        }
    }

    fn gui_acts(&mut self, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<Option<Reply>, AgentError> {
        let Response { message, stop, .. } = self.ask(ConversationOwner::Gui, Purpose::Delegate, turn, deadline)?;
        if stop == StopReason::Refused {
            return Ok(Some(gui::nothing(&message)));
        }
        let delegation = self.gui.as_ref().and_then(|gui| gui.delegation.as_ref());
        match delegation.map(|delegation| delegation.gist(&message)) {
            // It was there when it was asked; it has reported since.
            None | Some(ActorReply::Report(_)) => Ok(None),
            Some(ActorReply::Act(reply)) => Ok(Some(reply)),
            Some(ActorReply::Fault(fault)) => {
                self.correct(ConversationOwner::Gui, &message, &fault, gui::nothing(&message), turn)
            }
        }
    }

    /// What went against the agreed form is told once; the second time it goes on as it is.
    fn correct(
        &mut self,
        who: ConversationOwner,
        message: &Message,
        fault: &MessageFault,
        reply: Reply,
        turn: &Turn<'_>,
    ) -> Result<Option<Reply>, AgentError> {
        if !self.tally.slips.is_empty() {
            return Ok(Some(reply));
        }
        self.tally.slips.push(protocol::slip(message, fault));
        let correction = protocol::correction(message, fault, ActionForm::Calls, self.party(who).screen());
        let pieces = memory::without_pictures(correction.pieces);
        self.happen(TurnEvent::Heard { by: who, pieces }, turn)?;
        Ok(None)
    }

    /// Has the questions about the screen in a message answered.
    fn look(&mut self, message: &Message, turn: &Turn<'_>, deadline: TurnDeadline) -> Result<(), AgentError> {
        for call in self.questions(message) {
            let answer = self.answer(&call, turn, deadline)?;
            let pieces = vec![inner::outcome(&call, answer)];
            self.happen(TurnEvent::Heard { by: ConversationOwner::Main, pieces }, turn)?;
        }
        Ok(())
    }

    fn answer(
        &mut self,
        call: &ToolCall,
        turn: &Turn<'_>,
        deadline: TurnDeadline,
    ) -> Result<Result<String, String>, AgentError> {
        let (Some(question), Some(gui)) = (inner::text(call, "question"), &mut self.gui) else {
            return Ok(Err("`question` must say what you want to know".to_owned()));
        };
        let Some(request) = gui.question(question, turn)? else {
            return Ok(Err("no screen is shown in this turn".to_owned()));
        };
        match gui.voice.ask(&request, deadline) {
            Ok(response) => Ok(Ok(response.message.text())),
            Err(NoAnswer::Overflow) => Ok(Err("the screen is too large to be looked at".to_owned())),
            Err(NoAnswer::Ended(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests;
