//! One trial, from the opening of the world to the verdict. [`play`] is the whole story.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::action::{Action, Misread};
use crate::agent::{Agent, AgentError, Briefing, Reply, Turn};
use crate::clock::Clock;
use crate::digest::Digest;
use crate::ending::{Boundary, Ending, Exhausted};
use crate::event::{Record, RecordError, TrialEvent};
use crate::evidence::Evidence;
use crate::instance::{Instance, InstanceId, NotAnInstanceId};
use crate::judge::{Derive, Ended, Judge, Snapshot};
use crate::limits::{Limits, Remaining, Spent};
use crate::observation::{Observation, Part};
use crate::reference::Reference;
use crate::score::Score;
use crate::settings::Settings;
use crate::surface::Surface;
use crate::task::Task;
use crate::trajectory::{Effect, Feedback, Step};
use crate::verdict::{Digests, Verdict};
use crate::world::{Collected, World, WorldError};

/// The name of a trial: `suite/task@preset#seed~agent~repeat`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TrialId {
    /// The instance that is played.
    pub instance: InstanceId,
    /// Who plays.
    pub agent: String,
    /// Which repeat, from 0.
    pub repeat: u32,
}

/// Everything that determines a trial.
#[derive(Clone, Copy, Debug)]
pub struct Trial<'a> {
    /// Its name.
    pub id: &'a TrialId,
    /// The task.
    pub task: &'a Task,
    /// The instance.
    pub instance: &'a Instance,
    /// The digest of the world.
    pub world: Digest,
    /// How the run lets agents play.
    pub settings: &'a Settings,
    /// What may be used up.
    pub limits: &'a Limits,
}

/// Everyone and everything a trial needs besides its own definition.
pub struct Stage<'a> {
    /// Opens the world at the start of the instance.
    pub open: &'a dyn Fn() -> Result<Box<dyn World + Send>, WorldError>,
    /// Who plays.
    pub agent: &'a mut dyn Agent,
    /// Fetches the reference. Called only after the agent has stopped.
    pub reference: &'a dyn Fn() -> Result<Reference, String>,
    /// Runs the verifiers.
    pub derive: &'a dyn Derive,
    /// Judges.
    pub judge: &'a dyn Judge,
    /// Takes everything down.
    pub record: &'a mut dyn Record,
    /// Tells the time.
    pub clock: &'a dyn Clock,
    /// Whether the run is being stopped: the trial is then put down between two turns, to be continued later.
    pub interrupted: &'a dyn Fn() -> bool,
    /// The longest that one call of the world or the agent may take.
    pub call_limit: Duration,
}

/// What became of a trial.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one of these per trial, and it is taken apart at once")]
pub enum Played {
    /// It ended and has its verdict.
    Ended {
        /// The verdict.
        verdict: Verdict,
        /// What it used up.
        spent: Spent,
    },
    /// It was put down between two turns.
    Interrupted,
}

/// Plays a trial: opens the world, lets the agent look and act until something ends it, collects the evidence, derives,
/// and judges. Steps of the past (recorded before a crash) are carried out again without asking the agent.
pub fn play(trial: &Trial<'_>, stage: &mut Stage<'_>, past: &[Step]) -> Result<Played, RecordError> {
    let mut world = match (stage.open)() {
        Ok(world) => world,
        Err(error) => return conclude_without_world(trial, stage, &error),
    };
    let mut act = Act::new(trial, world.surface(), past.len());
    let stop = match act.begin(trial, stage)? {
        Some(stop) => stop,
        None => act.out(trial, stage, world.as_mut(), past)?,
    };
    stage.agent.end();
    if let Stop::Interrupted = stop {
        return Ok(Played::Interrupted);
    }
    let (ending, fault) = stop.ending();
    stage.record.event(TrialEvent::Stopped {
        ending: ending.clone(),
        feedback: act.feedback.take(),
        fault: fault.clone(),
        spent: act.spent,
    })?;
    let (evidence, ending, fault) = hand_over(world.as_mut(), stage, act.answer.take(), ending, fault)?;
    let verdict = conclude(trial, stage, evidence, &act.snapshots, ending, fault)?;
    Ok(Played::Ended { verdict, spent: act.spent })
}

/// The agent's part of a trial: what has been shown, said and spent so far.
struct Act {
    surface: Surface,
    parts: BTreeSet<Part>,
    spent: Spent,
    feedback: Option<Feedback>,
    answer: Option<serde_json::Value>,
    snapshots: Vec<Snapshot>,
    /// How many turns were recorded before a crash.
    n_past: u32,
}

/// Why the agent's part is over.
enum Stop {
    Agent(Ending),
    Broken(Ending, String),
    Interrupted,
}

impl Stop {
    fn ending(self) -> (Ending, Option<String>) {
        match self {
            Self::Agent(ending) => (ending, None),
            Self::Broken(ending, why) => (ending, Some(why)),
            Self::Interrupted => (Ending::Fault(Boundary::Harness), Some("interrupted".to_owned())),
        }
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
            AgentError::Fault { boundary, why } => Self::Broken(Ending::Fault(boundary), why),
            AgentError::Interrupted => Self::Interrupted,
        }
    }
}

impl Act {
    fn new(trial: &Trial<'_>, mut surface: Surface, n_past: usize) -> Self {
        let allowed = &trial.task.spec.world.observe;
        let parts: BTreeSet<Part> =
            trial.settings.shown(allowed).into_iter().filter(|part| surface.offers(*part)).collect();
        surface.parts.clone_from(&parts);
        surface.groups.retain(|group| trial.task.spec.world.act.contains(group));
        Self {
            surface,
            parts,
            spent: Spent::default(),
            feedback: None,
            answer: None,
            snapshots: Vec::new(),
            n_past: n_past as u32,
        }
    }

    /// Tells the agent what it is about.
    fn begin(&self, trial: &Trial<'_>, stage: &mut Stage<'_>) -> Result<Option<Stop>, RecordError> {
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
        Ok(stage.agent.begin(&briefing).err().map(Stop::from))
    }

    /// Turn after turn, until something stops it.
    fn out(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut Stage<'_>,
        world: &mut dyn World,
        past: &[Step],
    ) -> Result<Stop, RecordError> {
        let time_before = past.last().map_or(0, |step| step.spent.elapsed_ms);
        loop {
            if (stage.interrupted)() {
                return Ok(Stop::Interrupted);
            }
            self.spent.elapsed_ms = time_before + stage.clock.elapsed().as_millis() as u64;
            let remaining = match trial.limits.after(&self.spent) {
                Ok(remaining) => remaining,
                Err(what) => return Ok(Stop::Agent(Ending::Truncated(what))),
            };
            let recalled = past.get(self.spent.steps as usize);
            if let Some(stop) = self.turn(trial, stage, world, remaining, recalled)? {
                return Ok(stop);
            }
        }
    }

    /// One turn: show, ask, record, carry out.
    fn turn(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut Stage<'_>,
        world: &mut dyn World,
        remaining: Remaining,
        recalled: Option<&Step>,
    ) -> Result<Option<Stop>, RecordError> {
        let observation = match self.look(world, remaining, stage.call_limit) {
            Ok(observation) => observation,
            Err(error) => return Ok(Some(error.into())),
        };
        let answer = match recalled {
            Some(step) => self.recall(trial, stage, &observation, remaining, step),
            None => self.ask(trial, stage, &observation, remaining)?,
        };
        let action = match answer {
            Ok(action) => action,
            Err(over) => return Ok(Some(over)),
        };
        let stop = self.carry_out(action, world, remaining.within(stage.call_limit));
        self.take_snapshot(trial, stage, world)?;
        Ok(stop)
    }

    fn look(
        &self,
        world: &mut dyn World,
        remaining: Remaining,
        call_limit: Duration,
    ) -> Result<Observation, WorldError> {
        let mut observation = world.observe(&self.parts, remaining.within(call_limit))?;
        if self.parts.contains(&Part::Feedback)
            && let Some(feedback) = &self.feedback
        {
            observation = observation.with_text(Part::Feedback, feedback.text.clone());
        }
        if self.parts.contains(&Part::Remaining) {
            observation = observation.with_text(Part::Remaining, remaining.to_string());
        }
        Ok(observation)
    }

    /// Asks the agent, and takes the turn down before the world moves.
    fn ask(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut Stage<'_>,
        observation: &Observation,
        remaining: Remaining,
    ) -> Result<Result<Result<Action, Misread>, Stop>, RecordError> {
        let shown = observation.record();
        for (part, screen) in &observation.pictures {
            stage.record.frame(shown.pictures[part], screen)?;
        }
        let turn = Turn { step_idx: self.spent.steps, observation, remaining };
        let elapsed_before = self.spent.elapsed_ms;
        let asked_at = stage.clock.elapsed();
        let reply = match stage.agent.act(&turn, remaining.within(stage.call_limit)) {
            Ok(reply) => reply,
            Err(error) => return Ok(Err(error.into())),
        };
        let thought_for = stage.clock.elapsed().saturating_sub(asked_at);
        self.spent.elapsed_ms = elapsed_before + thought_for.as_millis() as u64;
        self.count(&reply);
        let action = self.read(trial, stage.agent, &reply);
        stage.record.event(TrialEvent::Turn {
            step_idx: turn.step_idx,
            feedback: self.feedback.take(),
            shown,
            reply,
            action: action.as_ref().ok().cloned(),
            spent: self.spent,
        })?;
        Ok(Ok(action))
    }

    /// A turn that was recorded before a crash: the agent remembers, the world does it again.
    fn recall(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut Stage<'_>,
        observation: &Observation,
        remaining: Remaining,
        step: &Step,
    ) -> Result<Result<Action, Misread>, Stop> {
        if !observation.record().same_as(&step.shown) {
            let why = format!("turn {} does not look as it was recorded", self.spent.steps);
            return Err(Stop::Broken(Ending::Fault(Boundary::World), why));
        }
        stage.agent.recall(&Turn { step_idx: self.spent.steps, observation, remaining }, &step.reply);
        self.feedback = None;
        self.spent = step.spent;
        match &step.action {
            Some(action) => Ok(Ok(action.clone())),
            None => Ok(self.read(trial, stage.agent, &step.reply)),
        }
    }

    fn count(&mut self, reply: &Reply) {
        self.spent.steps += 1;
        if let Some(usage) = &reply.usage {
            self.spent.tokens += usage.input_tokens + usage.output_tokens;
            self.spent.cost_usd += usage.cost_usd.unwrap_or(0.0);
        }
    }

    /// Reads a reply. An answer of the wrong shape is a misreading: it ends nothing.
    fn read(&self, trial: &Trial<'_>, agent: &dyn Agent, reply: &Reply) -> Result<Action, Misread> {
        let action = agent.dialect().read(&reply.raw, &self.surface)?;
        if let Action::Answer { value } = &action {
            trial.task.spec.result.accepts(value).map_err(Misread::Answer)?;
        }
        Ok(action)
    }

    /// Carries out an action, or says why the trial is over.
    fn carry_out(&mut self, action: Result<Action, Misread>, world: &mut dyn World, within: Duration) -> Option<Stop> {
        let action = match action {
            Ok(action) => action,
            Err(misread) => {
                self.feedback = Some(Feedback::misread(misread.to_string()));
                return None;
            }
        };
        match action {
            Action::Done => Some(Stop::Agent(Ending::Done)),
            Action::GiveUp { .. } => Some(Stop::Agent(Ending::GaveUp)),
            Action::Answer { value } => {
                self.answer = Some(value);
                Some(Stop::Agent(Ending::Answered))
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

    /// Takes the world's documents down after a step that changed something, where the task has milestones.
    fn take_snapshot(
        &mut self,
        trial: &Trial<'_>,
        stage: &mut Stage<'_>,
        world: &mut dyn World,
    ) -> Result<(), RecordError> {
        let changed = self.feedback.as_ref().is_some_and(|feedback| feedback.effect == Effect::Changed);
        if trial.task.spec.milestones.is_empty() || !changed {
            return Ok(());
        }
        let Ok(evidence) = world.snapshot(stage.call_limit) else {
            return Ok(()); // A broken world shows itself at the next observation.
        };
        let snapshot = Snapshot { after_steps: self.spent.steps, evidence };
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
}

impl Trial<'_> {
    fn briefing(&self, surface: &Surface) -> Briefing {
        Briefing {
            instruction: self.instance.instruction.clone(),
            surface: surface.clone(),
            limits: self.limits.clone(),
            answer: self.task.spec.result.shape(),
            seed: self.id.seed(),
        }
    }

    fn digests(&self) -> Digests {
        Digests { task: self.task.digest, world: self.world, instance: self.instance.digest() }
    }
}

/// Collects the evidence. A world that cannot hand it over has broken, unless something else broke before.
fn hand_over(
    world: &mut dyn World,
    stage: &mut Stage<'_>,
    answer: Option<serde_json::Value>,
    ending: Ending,
    fault: Option<String>,
) -> Result<(Evidence, Ending, Option<String>), RecordError> {
    let (collected, ending, fault) = match world.collect(stage.call_limit) {
        Ok(collected) => (collected, ending, fault),
        Err(error) if ending.is_fault() => (Collected::default(), ending, fault.or(Some(error.to_string()))),
        Err(error) => {
            let (ending, fault) = Stop::from(error).ending();
            (Collected::default(), ending, fault)
        }
    };
    let Collected { mut evidence, screen, blobs } = collected;
    if let Some(screen) = screen {
        let digest = screen.digest();
        stage.record.frame(digest, &screen)?;
        evidence.screen = Some(digest);
    }
    for blob in &blobs {
        stage.record.blob(blob)?;
    }
    evidence.answer = answer;
    stage.record.event(TrialEvent::Collected { evidence: evidence.clone() })?;
    Ok((evidence, ending, fault))
}

/// Derives and judges. The reference is fetched here and nowhere earlier.
fn conclude(
    trial: &Trial<'_>,
    stage: &mut Stage<'_>,
    mut evidence: Evidence,
    snapshots: &[Snapshot],
    ending: Ending,
    fault: Option<String>,
) -> Result<Verdict, RecordError> {
    let judged = (stage.reference)().and_then(|reference| {
        let derived = stage.derive.derive(&evidence, &reference)?;
        Ok((reference, derived))
    });
    let verdict = match judged {
        Ok((reference, derived)) => {
            if !derived.is_empty() {
                stage.record.event(TrialEvent::Derived { derived: derived.clone() })?;
                evidence.derived.extend(derived);
            }
            let ended = Ended { evidence: &evidence, snapshots };
            pronounce(trial, stage.judge, ended, &reference, ending, fault)
        }
        Err(why) => broken_judge(trial, why),
    };
    stage.record.event(TrialEvent::Judged { verdict: verdict.clone() })?;
    Ok(verdict)
}

/// The verdict on an ended trial: pure, so that it can be pronounced again years later from the record.
pub fn pronounce(
    trial: &Trial<'_>,
    judge: &dyn Judge,
    ended: Ended<'_>,
    reference: &Reference,
    ending: Ending,
    fault: Option<String>,
) -> Verdict {
    let judgement = match judge.judge(ended, reference) {
        Ok(judgement) => judgement,
        Err(broken) => return broken_judge(trial, broken.to_string()),
    };
    let infeasible = trial.task.spec.result.infeasible;
    let score = match (&ending, infeasible) {
        (Ending::GaveUp, true) => Score::ONE,
        (_, true) | (Ending::Cheated(_), _) => Score::ZERO,
        _ => judgement.score,
    };
    let rightly_ended =
        if infeasible { ending == Ending::GaveUp } else { matches!(ending, Ending::Done | Ending::Answered) };
    Verdict {
        solved: score.is_full() && rightly_ended,
        ending,
        score,
        findings: judgement.findings,
        milestones: judgement.milestones,
        digests: trial.digests(),
        source: trial.instance.source.clone(),
        fault,
    }
}

fn broken_judge(trial: &Trial<'_>, why: String) -> Verdict {
    unjudged(trial, Ending::Fault(Boundary::Judge), why)
}

fn unjudged(trial: &Trial<'_>, ending: Ending, why: String) -> Verdict {
    Verdict {
        ending,
        score: Score::ZERO,
        solved: false,
        findings: Vec::new(),
        milestones: Vec::new(),
        digests: trial.digests(),
        source: trial.instance.source.clone(),
        fault: Some(why),
    }
}

fn conclude_without_world(trial: &Trial<'_>, stage: &mut Stage<'_>, error: &WorldError) -> Result<Played, RecordError> {
    let (ending, _) = Stop::from(error.clone()).ending();
    let spent = Spent::default();
    stage.record.event(TrialEvent::Stopped {
        ending: ending.clone(),
        feedback: None,
        fault: Some(error.to_string()),
        spent,
    })?;
    let verdict = unjudged(trial, ending, error.to_string());
    stage.record.event(TrialEvent::Judged { verdict: verdict.clone() })?;
    Ok(Played::Ended { verdict, spent })
}

impl TrialId {
    /// A seed of this trial's own.
    pub fn seed(&self) -> u64 {
        let mut low = [0; 8];
        low.copy_from_slice(&Digest::of(self.to_string().as_bytes()).bytes()[..8]);
        u64::from_le_bytes(low)
    }
}

impl fmt::Display for TrialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}~{}~{}", self.instance, self.agent, self.repeat)
    }
}

/// A text that is no trial's name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotATrialId {
    /// The instance's part is wrong.
    #[error(transparent)]
    Instance(#[from] NotAnInstanceId),
    /// The agent or the repeat is missing.
    #[error("`{0}` is not a trial's name: `suite/task@preset#seed~agent~repeat` is wanted")]
    Shape(String),
}

impl FromStr for TrialId {
    type Err = NotATrialId;

    fn from_str(text: &str) -> Result<Self, NotATrialId> {
        let shape = || NotATrialId::Shape(text.to_owned());
        let (rest, repeat) = text.rsplit_once('~').ok_or_else(shape)?;
        let (instance, agent) = rest.split_once('~').ok_or_else(shape)?;
        let repeat = repeat.parse().map_err(|_cause| shape())?;
        Ok(Self { instance: instance.parse()?, agent: agent.to_owned(), repeat })
    }
}

impl TryFrom<String> for TrialId {
    type Error = NotATrialId;

    fn try_from(text: String) -> Result<Self, NotATrialId> {
        text.parse()
    }
}

impl From<TrialId> for String {
    fn from(id: TrialId) -> Self {
        id.to_string()
    }
}
