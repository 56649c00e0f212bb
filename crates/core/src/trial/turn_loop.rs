//! The agent's part of a trial: turn after turn, until something stops it.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{PastState, Trial, TrialParts, TrialPast};
use crate::action::{Action, Dialect, Misread};
use crate::agent::{Agent, AgentError, Reply, Turn, Usage};
use crate::ending::{Boundary, Ending, Exhausted};
use crate::event::{KeepError, RecordError, TrialEvent};
use crate::evidence::Evidence;
use crate::judge::Snapshot;
use crate::limits::{Remaining, Spent};
use crate::observation::{Observation, ObservationPart};
use crate::surface::Surface;
use crate::trajectory::{Effect, Feedback, Step};
use crate::world::{World, WorldError};

/// What a note is answered with.
const NOTED: &str = "Noted.";

/// The agent's part of a trial: what has been shown, said and spent so far.
pub(super) struct TurnLoop {
    pub(super) surface: Surface,
    parts: BTreeSet<ObservationPart>,
    pub(super) spent: Spent,
    pub(super) feedback: Option<Feedback>,
    pub(super) answer: Option<serde_json::Value>,
    /// What has been noted of the answer so far.
    notes: serde_json::Map<String, serde_json::Value>,
    pub(super) snapshots: Vec<Snapshot>,
    /// How many turns were recorded before a crash.
    n_past: u32,
    /// What the world holds was put back: it need not look as it did.
    is_put_back: bool,
}

/// Why the agent's part is over.
pub(super) enum Stop {
    Agent(Ending),
    Broken(Ending, String),
    Interrupted,
}

/// What came of the agent's turn, asked for or remembered.
enum TurnAnswer {
    /// It wants something done.
    Action(Action),
    /// Its words cannot be read.
    Misread(Misread),
    /// It says nothing more.
    Stop(Stop),
}

impl From<Result<Action, Misread>> for TurnAnswer {
    fn from(read: Result<Action, Misread>) -> Self {
        read.map_or_else(Self::Misread, Self::Action)
    }
}

impl From<WorldError> for Stop {
    fn from(error: WorldError) -> Self {
        match error {
            WorldError::Exhausted(why) => Self::Broken(Ending::Truncated(Exhausted::Resources), why),
            WorldError::Cheated(how) => Self::Agent(Ending::Cheated(how)),
            WorldError::Fault { boundary, why } => Self::Broken(Ending::Fault(boundary), why),
        }
    }
}

impl From<AgentError> for Stop {
    fn from(error: AgentError) -> Self {
        match error {
            AgentError::Late(_) => Self::Agent(Ending::Truncated(Exhausted::Time)),
            AgentError::Broke { how, why } => Self::Broken(Ending::Broke(how), why),
            AgentError::Fault { boundary, why } => Self::Broken(Ending::Fault(boundary), why),
            AgentError::Interrupted | AgentError::Denied(_) => Self::Interrupted,
        }
    }
}

impl TrialParts<'_> {
    /// Why the agent's part is over after it gave no reply. One that breaks while we are told to stop was most likely
    /// told to stop as well, by the same hand: that is not its doing.
    fn stop_after(&self, error: AgentError) -> Stop {
        match error {
            AgentError::Broke { .. } if (self.interrupted)() => Stop::Interrupted,
            error => error.into(),
        }
    }
}

impl TurnLoop {
    pub(super) fn new(trial: &Trial<'_>, surface: Surface, n_past: usize) -> Self {
        let surface = trial.settings.offered(surface, &trial.task.spec.world);
        Self {
            parts: surface.parts.clone(),
            surface,
            spent: Spent::default(),
            feedback: None,
            answer: None,
            notes: trial.instance.noted(),
            snapshots: Vec::new(),
            n_past: n_past as u32,
            is_put_back: false,
        }
    }

    /// Tells the agent what it is about.
    pub(super) fn begin(&self, trial: &Trial<'_>, stage: &mut TrialParts<'_>) -> Result<Option<Stop>, RecordError> {
        let briefing = trial.briefing(&self.surface);
        let event = if self.n_past == 0 {
            TrialEvent::Began {
                instance: trial.instance.digest(),
                source: trial.instance.source.clone(),
                briefing: briefing.clone(),
            }
        } else {
            TrialEvent::Resumed { after_turns: self.n_past }
        };
        stage.record.event(event)?;
        Ok(stage.agent.begin(&briefing).err().map(|error| stage.stop_after(error)))
    }

    /// Turn after turn, until something stops it.
    pub(super) fn out(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut TrialParts<'_>,
        world: &mut dyn World,
        past: TrialPast<'_>,
    ) -> Result<Stop, RecordError> {
        if let Some(stop) = self.recall_all(trial, stage, world, past)? {
            return Ok(stop);
        }
        // Opening the world and remembering cost the agent nothing: a resumed trial has the time it had left.
        let time_before = self.spent.elapsed_ms;
        let since = if past.steps.is_empty() { Duration::ZERO } else { stage.clock.elapsed() };
        loop {
            if (stage.interrupted)() {
                return Ok(Stop::Interrupted);
            }
            self.spent.elapsed_ms = time_before + millis(stage.clock.elapsed().saturating_sub(since));
            let remaining = match trial.limits.after(&self.spent) {
                Ok(remaining) => remaining,
                Err(what) => return Ok(Stop::Agent(Ending::Truncated(what))),
            };
            if let Some(stop) = self.turn(trial, stage, world, remaining, None)? {
                return Ok(stop);
            }
        }
    }

    /// Puts back what the world held, and carries out every other turn that was recorded before a crash. No limit cuts this
    /// short: they were within it then.
    fn recall_all(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut TrialParts<'_>,
        world: &mut dyn World,
        past: TrialPast<'_>,
    ) -> Result<Option<Stop>, RecordError> {
        let n_kept = past.kept.map_or(0, |kept| (kept.after_steps as usize).min(past.steps.len()));
        if let Some(kept) = past.kept {
            self.is_put_back = true;
            for step in &past.steps[..n_kept] {
                self.remember(trial, stage.agent, step);
            }
            if let Err(error) = self.put_back(kept, stage, world)? {
                return Ok(Some(error.into()));
            }
        }
        for step in &past.steps[n_kept..] {
            if (stage.interrupted)() {
                return Ok(Some(Stop::Interrupted));
            }
            let remaining = trial.limits.left(&self.spent);
            if let Some(stop) = self.turn(trial, stage, world, remaining, Some(step))? {
                return Ok(Some(stop));
            }
        }
        Ok(None)
    }

    /// A turn that was recorded before a crash and has left its traces in what is put back: only the agent remembers it.
    fn remember(&mut self, trial: &Trial<'_>, agent: &mut dyn Agent, step: &Step) {
        let observation = step.shown.as_observation();
        let remaining = trial.limits.left(&self.spent);
        agent.recall(&Turn { step_idx: self.spent.steps, observation: &observation, remaining }, &step.reply);
        self.spent = step.spent;
        if let Some(Action::Note { fields }) = &step.action {
            self.notes.extend(fields.clone());
        }
    }

    fn put_back(
        &mut self,
        kept: &PastState,
        stage: &mut TrialParts<'_>,
        world: &mut dyn World,
    ) -> Result<Result<(), WorldError>, RecordError> {
        if let Err(error) = world.put_back(&kept.document, &kept.files) {
            return Ok(Err(error));
        }
        self.feedback.clone_from(&kept.feedback);
        self.snapshots.clone_from(&kept.snapshots);
        stage.record.event(TrialEvent::PutBack { after_steps: kept.after_steps })?;
        Ok(Ok(()))
    }

    /// One turn: show, ask, record, carry out.
    fn turn(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut TrialParts<'_>,
        world: &mut dyn World,
        remaining: Remaining,
        recalled: Option<&Step>,
    ) -> Result<Option<Stop>, RecordError> {
        let seen = match recalled {
            Some(step) if self.is_put_back => Ok(step.shown.as_observation()),
            _ => self.look(stage.agent, world, remaining, stage.call_limit),
        };
        let observation = match seen {
            Ok(observation) => observation,
            Err(error) => return Ok(Some(error.into())),
        };
        let answer = match recalled {
            Some(step) => self.recall(trial, stage, &observation, remaining, step),
            None => self.ask(trial, stage, &observation, remaining)?,
        };
        let stop = match answer {
            TurnAnswer::Action(action) => self.carry_out(action, world, remaining.within(stage.call_limit)),
            TurnAnswer::Misread(misread) => {
                self.misunderstand(&misread);
                None
            }
            TurnAnswer::Stop(stop) => return Ok(Some(stop)),
        };
        self.take_snapshot(trial, stage, world)?;
        if stop.is_none()
            && let Err(error) = self.keep_state(stage, world)?
        {
            return Ok(Some(error.into()));
        }
        Ok(stop)
    }

    pub(super) fn look(
        &self,
        agent: &dyn Agent,
        world: &mut dyn World,
        remaining: Remaining,
        call_limit: Duration,
    ) -> Result<Observation, WorldError> {
        let mut wanted = self.parts.clone();
        if agent.wants_geometry() {
            wanted.insert(ObservationPart::Geometry);
        }
        let mut observation = world.observe(&wanted, remaining.within(call_limit))?;
        if self.parts.contains(&ObservationPart::Feedback)
            && let Some(feedback) = &self.feedback
        {
            observation = observation.with_text(ObservationPart::Feedback, feedback.text.clone());
        }
        if self.parts.contains(&ObservationPart::Remaining) {
            observation = observation.with_text(ObservationPart::Remaining, remaining.to_string());
        }
        Ok(observation)
    }

    /// Asks the agent, and takes the turn down before the world moves.
    fn ask(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut TrialParts<'_>,
        observation: &Observation,
        remaining: Remaining,
    ) -> Result<TurnAnswer, RecordError> {
        let shown = observation.record();
        for (part, screen) in &observation.pictures {
            stage.record.frame(shown.pictures[part], screen)?;
        }
        let turn = Turn { step_idx: self.spent.steps, observation, remaining };
        let elapsed_before = self.spent.elapsed_ms;
        let asked_at = stage.clock.elapsed();
        let answered = stage.agent.act(&turn, remaining.within(stage.call_limit));
        self.spent.elapsed_ms = elapsed_before + millis(stage.clock.elapsed().saturating_sub(asked_at));
        let reply = match answered {
            Ok(reply) => in_dialect(reply, stage.agent.dialect()),
            Err(error) => {
                self.charge(stage.agent.wasted());
                return Ok(TurnAnswer::Stop(stage.stop_after(error)));
            }
        };
        self.spent.steps += 1;
        self.charge(reply.usage);
        let action = self.read(trial, &reply);
        stage.record.event(TrialEvent::Turn {
            step_idx: turn.step_idx,
            feedback: self.feedback.take(),
            shown,
            reply,
            action: action.as_ref().ok().cloned(),
            spent: self.spent,
        })?;
        Ok(action.into())
    }

    /// A turn that was recorded before a crash: the agent remembers, the world does it again.
    fn recall(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut TrialParts<'_>,
        observation: &Observation,
        remaining: Remaining,
        step: &Step,
    ) -> TurnAnswer {
        if !self.is_put_back && !observation.record().same_as(&step.shown) {
            let why = format!("turn {} does not look as it was recorded", self.spent.steps);
            return TurnAnswer::Stop(Stop::Broken(Ending::Fault(Boundary::World), why));
        }
        stage.agent.recall(&Turn { step_idx: self.spent.steps, observation, remaining }, &step.reply);
        self.feedback = None;
        self.spent = step.spent;
        match &step.action {
            Some(action) => TurnAnswer::Action(action.clone()),
            None => self.read(trial, &step.reply).into(),
        }
    }

    fn charge(&mut self, usage: Option<Usage>) {
        if let Some(usage) = usage {
            self.spent.tokens = self.spent.tokens.saturating_add(usage.tokens());
            let cost = usage.cost_usd.filter(|cost| cost.is_finite() && *cost >= 0.0).unwrap_or(0.0);
            self.spent.cost_usd = (self.spent.cost_usd + cost).min(f64::MAX);
            self.spent.n_unknown = self.spent.n_unknown.saturating_add(usage.n_unknown);
        }
    }

    /// Reads a reply. An answer or a note of the wrong shape is a misreading: it ends nothing.
    pub(super) fn read(&self, trial: &Trial<'_>, reply: &Reply) -> Result<Action, Misread> {
        let action = reply.read(&self.surface)?;
        let result = &trial.task.spec.result;
        match &action {
            Action::Answer { value } => result.accepts(value).map_err(Misread::Answer)?,
            Action::Note { fields } => result.accepts_note(fields).map_err(Misread::Answer)?,
            _ => {}
        }
        Ok(action)
    }

    /// Carries out an action, or says why the trial is over.
    pub(super) fn carry_out(&mut self, action: Action, world: &mut dyn World, within: Duration) -> Option<Stop> {
        match action {
            Action::Done => Some(Stop::Agent(Ending::Done)),
            Action::GiveUp { .. } => Some(Stop::Agent(Ending::GaveUp)),
            Action::Answer { value } => {
                self.answer = Some(value);
                Some(Stop::Agent(Ending::Answered))
            }
            Action::Note { fields } => {
                self.notes.extend(fields);
                // The same words whatever was noted: a note is no way of asking whether it is right.
                self.feedback = Some(Feedback::changed(NOTED));
                None
            }
            action => match world.apply(&action, within) {
                Ok(feedback) => {
                    self.feedback = Some(feedback);
                    None
                }
                Err(error) => Some(error.into()),
            },
        }
    }

    /// The answer as it would be handed in now: what was answered, else what was noted.
    pub(super) fn handed_in(&self) -> Option<serde_json::Value> {
        let noted = || (!self.notes.is_empty()).then(|| self.notes.clone().into());
        self.answer.clone().or_else(noted)
    }

    /// Tells the agent that its words could not be read. That ends nothing.
    pub(super) fn misunderstand(&mut self, misread: &Misread) {
        self.feedback = Some(Feedback::misread(misread.to_string()));
    }

    /// Keeps what the world holds, where somebody could go on from it.
    fn keep_state(
        &self,
        stage: &mut TrialParts<'_>,
        world: &mut dyn World,
    ) -> Result<Result<(), WorldError>, RecordError> {
        if !stage.record.keeps_states() || self.spent.steps < self.n_past {
            return Ok(Ok(()));
        }
        match world.keep(stage.record) {
            Ok(None) => Ok(Ok(())),
            Ok(Some(kept)) => {
                let (after_steps, feedback) = (self.spent.steps, self.feedback.clone());
                stage.record.event(TrialEvent::Kept { after_steps, feedback, state: kept })?;
                Ok(Ok(()))
            }
            Err(KeepError::File(why)) => Ok(Err(WorldError::world(format!("what it holds cannot be kept: {why}")))),
            Err(KeepError::Record(error)) => Err(error),
        }
    }

    /// Takes the world's documents down after a step that changed something, where the task has milestones.
    fn take_snapshot(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut TrialParts<'_>,
        world: &mut dyn World,
    ) -> Result<(), RecordError> {
        let Some(snapshot) = self.snapshot(trial, world, stage.call_limit) else { return Ok(()) };
        // The crash may have come between the last recorded turn and its snapshot, so that one is taken down again.
        if self.spent.steps >= self.n_past {
            stage.record.event(TrialEvent::Snapshot {
                after_steps: snapshot.after_steps,
                evidence: snapshot.evidence.clone(),
            })?;
        }
        self.snapshots.push(snapshot);
        Ok(())
    }

    /// The world's documents after a step that changed something, where the task has milestones. A broken world shows
    /// itself at the next observation.
    pub(super) fn snapshot(&self, trial: &Trial<'_>, world: &mut dyn World, within: Duration) -> Option<Snapshot> {
        let changed = self.feedback.as_ref().is_some_and(|feedback| feedback.effect == Effect::Changed);
        if trial.task.spec.milestones.is_empty() || !(changed || self.answer.is_some()) {
            return None;
        }
        let evidence = Evidence { answer: self.handed_in(), ..world.snapshot(within).ok()? };
        Some(Snapshot { after_steps: self.spent.steps, evidence })
    }
}

/// A recorded reply says how it is written, so that it can be read again without the agent.
fn in_dialect(mut reply: Reply, usual: Dialect) -> Reply {
    reply.dialect = reply.dialect.or(Some(usual)).filter(|dialect| *dialect != Dialect::default());
    reply
}

fn millis(time: Duration) -> u64 {
    time.as_millis() as u64
}
