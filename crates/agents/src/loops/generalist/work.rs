//! The work on one trial: whose turn it is, what happens within a turn, and what is remembered of it.

use quintain_core::agent::{Slip, SlipKind};
use quintain_core::observation::ObservationPart;
use quintain_core::{AgentError, Reply, Turn, Usage};
use quintain_models::model::{Message, ToolCall};
use quintain_models::tools;

use crate::loops::generalist::gui::{ActorReply, Gui};
use crate::loops::generalist::inner::{self, DELEGATE, LOOK, NOTE, PLAN};
use crate::loops::generalist::memory::{ConversationOwner, GeneralistMemory, TurnEvent};
use crate::loops::generalist::model_side::ModelSide;
use crate::loops::generalist::notes::ModelNotes;
use crate::loops::generalist::prompts;
use crate::loops::metered_model::MeteredModel;
use crate::loops::protocol::{MessageFault, ReadMessage};

/// How many calls that are no step in the world are answered in a turn, goals that are handed on among them.
pub(super) const MAX_INNER: usize = 8;

/// The work on one trial.
pub(super) struct TrialWork {
    pub(super) voice: MeteredModel,
    pub(super) main: ModelSide,
    pub(super) gui: Option<Gui>,
    pub(super) notes: ModelNotes,
    /// The names of the inner tools that are offered.
    pub(super) inner: Vec<&'static str>,
    pub(super) tally: TurnTally,
    /// What was last said by the one who has the task.
    pub(super) gesture: Option<WorkerReply>,
    /// What went wrong while an earlier turn was told again.
    pub(super) broken: Option<AgentError>,
}

/// What happened in this turn so far.
#[derive(Default)]
pub(super) struct TurnTally {
    pub(super) slips: Vec<Slip>,
    pub(super) memory: GeneralistMemory,
    n_inner: usize,
    tools: Vec<String>,
}

/// What the model that has the task says.
pub(super) enum WorkerReply {
    /// Things that are no step in the world.
    Inner,
    /// One step in the world, other things beside it or not.
    Act(Reply),
    /// A goal for the one who acts on the screen.
    Delegate(ToolCall),
    /// What goes against the agreed form. Nothing in it is carried out.
    Fault(MessageFault, Reply),
}

impl TrialWork {
    /// A turn begins: whoever is at work sees it.
    pub(super) fn see(&mut self, turn: &Turn<'_>) -> Result<(), AgentError> {
        let remaining = turn.observation.texts.get(&ObservationPart::Remaining).cloned();
        self.tally = TurnTally { memory: GeneralistMemory { remaining, events: Vec::new() }, ..TurnTally::default() };
        match self.gui.as_mut().and_then(|gui| gui.delegation.as_mut()) {
            Some(delegation) => delegation.see(turn),
            None => self.main.see(turn),
        }
    }

    /// Something happens, and is remembered.
    pub(super) fn happen(&mut self, event: TurnEvent, turn: &Turn<'_>) -> Result<(), AgentError> {
        self.apply(&event, turn)?;
        self.tally.memory.events.push(event);
        Ok(())
    }

    /// A turn that was taken before a crash.
    pub(super) fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) -> Result<(), AgentError> {
        let memory = GeneralistMemory::of(reply);
        let observation = memory.seen(turn.observation);
        let turn = Turn { observation: &observation, ..*turn };
        self.see(&turn)?;
        memory.events.iter().try_for_each(|event| self.apply(event, &turn))
    }

    /// The reply, with everything that has to be known of the turn.
    pub(super) fn close(&mut self, reply: Reply) -> Result<Reply, AgentError> {
        let TurnTally { slips, memory, tools, .. } = std::mem::take(&mut self.tally);
        Ok(Reply { slips, tools, usage: Some(self.used()), memory: Some(memory.record()?), ..reply })
    }

    /// What was used since this was last asked.
    pub(super) fn used(&mut self) -> Usage {
        let gui = self.gui.as_mut().map_or(Usage::nothing(), |gui| gui.voice.used());
        self.voice.used().plus(gui)
    }

    /// Whoever it is.
    pub(super) fn party(&self, who: ConversationOwner) -> &ModelSide {
        let gui = self.gui.as_ref().and_then(|gui| gui.delegation.as_ref());
        gui.filter(|_| who == ConversationOwner::Gui).map_or(&self.main, |delegation| &delegation.party)
    }

    fn party_mut(&mut self, who: ConversationOwner) -> &mut ModelSide {
        let gui = self.gui.as_mut().and_then(|gui| gui.delegation.as_mut());
        gui.filter(|_| who == ConversationOwner::Gui).map_or(&mut self.main, |delegation| &mut delegation.party)
    }

    fn apply(&mut self, event: &TurnEvent, turn: &Turn<'_>) -> Result<(), AgentError> {
        match event {
            TurnEvent::Said { by, message, read_tokens } => {
                self.party_mut(*by).say(message.clone(), *read_tokens);
                match by {
                    ConversationOwner::Main => return self.follow(message, turn),
                    ConversationOwner::Gui => return self.follow_gui(message, turn),
                }
            }
            TurnEvent::Heard { by, pieces } => self.party_mut(*by).hear(pieces.clone()),
            TurnEvent::Compacted { by, done } => {
                self.party_mut(*by).compact(done);
                // The notes are shown again: what was said of them may be gone.
                self.main.appendix = prompts::notes(&self.notes);
            }
            TurnEvent::Limited { by, tokens } => self.party_mut(*by).limit(*tokens),
        }
        Ok(())
    }

    /// What a message of the one who has the task says.
    fn gesture_of(&self, message: &Message) -> WorkerReply {
        let (inner, others) = inner::parted(message, &self.inner);
        match others[..] {
            [] if !inner.is_empty() && self.tally.n_inner + inner.len() <= MAX_INNER => WorkerReply::Inner,
            [] if !inner.is_empty() => too_many(&inner),
            [call] if self.gui.is_some() && call.name == DELEGATE => {
                if self.tally.n_inner < MAX_INNER {
                    handed_on(call)
                } else {
                    too_many(&[call])
                }
            }
            _ => match self.main.read(message, &others) {
                ReadMessage { reply, fault: None, .. } => WorkerReply::Act(reply),
                ReadMessage { reply, fault: Some(fault), .. } => WorkerReply::Fault(fault, reply),
            },
        }
    }

    /// What follows from a message without anybody being asked.
    fn follow(&mut self, message: &Message, turn: &Turn<'_>) -> Result<(), AgentError> {
        let gesture = self.gesture.insert(self.gesture_of(message));
        let goal = match gesture {
            WorkerReply::Fault(..) => return Ok(()),
            WorkerReply::Delegate(call) => Some(call.clone()),
            WorkerReply::Inner | WorkerReply::Act(_) => None,
        };
        for call in inner::parted(message, &self.inner).0 {
            self.tally.n_inner += 1;
            self.tally.tools.push(call.name.clone());
            self.write_down(call);
        }
        if let (Some(call), Some(gui)) = (goal, &mut self.gui) {
            self.tally.n_inner += 1;
            self.tally.tools.push(call.name.clone());
            gui.begin(&call, turn)?;
        }
        Ok(())
    }

    fn write_down(&mut self, call: &ToolCall) {
        let n_bytes = self.main.n_bytes_of_notes();
        let written = match call.name.as_str() {
            NOTE => self.notes.note(&call.input, n_bytes),
            PLAN => self.notes.plan(&call.input, n_bytes),
            _ => return,
        };
        self.main.hear(vec![inner::outcome(call, written)]);
    }

    /// The questions about the screen in a message.
    pub(super) fn questions(&self, message: &Message) -> Vec<ToolCall> {
        let calls = inner::parted(message, &self.inner).0.into_iter();
        calls.filter(|call| call.name == LOOK).cloned().collect()
    }

    /// What follows from what the one who acts on the screen said: at its report, the other goes on.
    fn follow_gui(&mut self, message: &Message, turn: &Turn<'_>) -> Result<(), AgentError> {
        let Some(delegation) = self.gui.as_mut().and_then(|gui| gui.delegation.take()) else { return Ok(()) };
        if let ActorReply::Report(report) = delegation.gist(message) {
            self.tally.tools.push(inner::REPORT.to_owned());
            self.main.hear(vec![inner::outcome(&delegation.call, Ok(report))]);
            return self.main.see(turn);
        }
        if let Some(gui) = &mut self.gui {
            gui.delegation = Some(delegation);
        }
        Ok(())
    }
}

/// Calls that are no step in the world, one too many of them.
fn too_many(calls: &[&ToolCall]) -> WorkerReply {
    let raw = calls.iter().map(|call| tools::spoken(call)).collect::<Vec<_>>().join("\n");
    WorkerReply::Fault(MessageFault { kind: SlipKind::Plan, why: None }, Reply { raw, ..Reply::default() })
}

fn handed_on(call: &ToolCall) -> WorkerReply {
    if inner::text(call, "goal").is_some() {
        return WorkerReply::Delegate(call.clone());
    }
    let why = Some("`goal` must say what to do".to_owned());
    let reply = Reply { raw: tools::spoken(call), ..Reply::default() };
    WorkerReply::Fault(MessageFault { kind: SlipKind::Malformed, why }, reply)
}
