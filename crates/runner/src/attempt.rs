//! One attempt at a trial: everyone is called on stage, and what breaks is caught.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quintain_core::action::Dialect;
use quintain_core::event::{KeepError, Record, RecordError};
use quintain_core::trial::{PastState, Played, TrialMarks, TrialParts, TrialPast, TrialResult, break_off, play};
use quintain_core::verdict::Digests;
use quintain_core::{
    Agent, AgentError, Boundary, Briefing, Clock, Digest, Ending, Event, FileHandle, FileSource, Limits, OpenContext,
    Reference, Reply, Screen, Trial, TrialEvent, TrialId, Turn, Usage, WorldError,
};
use quintain_store::{AttemptRecord, AttemptWriter, LineRange, PlannedTrial, SegmentWriter};
use serde_json::Value;

use crate::cast::{AgentContext, ReferenceContext};
use crate::engine::Lease;
use crate::panics::caught;
use crate::prepared_plan::PreparedTask;
use crate::reduced::as_seen;
use crate::run::{Job, RunError};
use crate::tally::RunTally;

/// One attempt at a trial.
pub(crate) struct Attempt<'a> {
    pub(crate) job: &'a Job<'a>,
    pub(crate) tally: &'a RunTally,
    pub(crate) planned: &'a PlannedTrial,
    pub(crate) part: &'a PreparedTask,
    pub(crate) lease: &'a Lease,
    pub(crate) lost: &'a AtomicBool,
}

/// What came of an attempt.
pub(crate) struct AttemptResult {
    /// What the trial came to; nothing if it was put down.
    pub(crate) finished: Option<TrialResult>,
    /// Whether the world did not look as it was recorded.
    pub(crate) diverged: bool,
    /// Where the record stands.
    pub(crate) place: LineRange,
    /// How many turns it holds.
    pub(crate) n_turns: u32,
}

impl Attempt<'_> {
    /// Plays, going on from the turns of a half-done attempt where the world allows it.
    pub(crate) fn play(
        &self,
        writer: &mut SegmentWriter,
        half: Option<&AttemptRecord>,
    ) -> Result<AttemptResult, RunError> {
        let id = &self.planned.trial;
        let kept = half.and_then(|half| self.kept(half));
        let half = half.filter(|half| self.can_go_on(half, kept.is_some()));
        let past = half.map(AttemptRecord::steps).unwrap_or_default();
        (self.job.emit)(Event::TrialBegan {
            trial: id.clone(),
            attempt: self.lease.attempt,
            recovered_turns: past.len() as u32,
        });
        let record = match half {
            Some(half) => writer.begin_continuing(id, self.lease.attempt, &half.place)?,
            None => writer.begin(id, self.lease.attempt)?,
        };
        let mut notes = AttemptNotes { record, trial: id, emit: self.job.emit, tally: self.tally, n_turns: 0 };
        let played = self.on_stage(&mut notes, TrialPast { steps: &past, kept: kept.as_ref() })?;
        let finished = match played {
            Played::Ended(finished) => Some(finished),
            Played::Interrupted => None,
        };
        let diverged = finished.as_ref().is_some_and(|finished| diverged(finished, past.len()));
        if diverged {
            self.tally.started_over(past.len());
        } else if !past.is_empty() {
            self.tally.continued(past.len());
        }
        Ok(AttemptResult { finished, diverged, place: notes.record.place(), n_turns: notes.n_turns })
    }

    /// A world can go on from recorded turns where the same actions always lead to the same place, or where what it held
    /// can be put back.
    fn can_go_on(&self, half: &AttemptRecord, is_kept: bool) -> bool {
        let goes_on = self.part.world.is_deterministic() || is_kept;
        if !goes_on && half.verdict().is_none() {
            self.tally.started_over(half.n_turns());
        }
        goes_on
    }

    /// What the world held after the last turn, or after the one before it, whose action is then carried out again. Anything
    /// older would have the agent remember what never happened.
    fn kept(&self, half: &AttemptRecord) -> Option<PastState> {
        let (after_steps, feedback, state) = half.kept()?;
        if self.part.world.is_deterministic() || (after_steps as usize) + 1 < half.n_turns() {
            return None;
        }
        let blobs = self.job.run.blobs();
        let file = |(path, digest): (&String, &Digest)| Some((path.clone(), blobs.handle(*digest).ok()??));
        Some(PastState {
            after_steps,
            feedback: feedback.cloned(),
            document: state.document.clone(),
            files: state.files.iter().map(file).collect::<Option<_>>()?,
            snapshots: half.snapshots().into_iter().filter(|snapshot| snapshot.after_steps <= after_steps).collect(),
        })
    }

    fn on_stage(&self, notes: &mut AttemptNotes<'_>, past: TrialPast<'_>) -> Result<Played, RunError> {
        let id = &self.planned.trial;
        let made = catch(|| self.part.instance(id, self.planned.instance)).and_then(|made| made.map_err(broke));
        let instance = match made {
            Ok(instance) => instance,
            Err(error) => return broken(self.marks_without_instance(), notes, &error),
        };
        let overrides = &self.job.run.header().limits;
        let limits: Limits = overrides.over(self.part.task.limits(&id.instance.pick));
        let trial = Trial {
            id,
            task: &self.part.task,
            instance: &instance,
            world: self.part.world_digest,
            settings: self.job.run.header().settings_of(&id.agent),
            limits: &limits,
        };
        match self.not_lost_too_often().and_then(|()| catch(|| self.act(&trial, notes, past))) {
            Ok(played) => Ok(played?),
            Err(error) => broken(trial.marks(), notes, &error),
        }
    }

    /// The trial itself.
    fn act(&self, trial: &Trial<'_>, notes: &mut AttemptNotes<'_>, past: TrialPast<'_>) -> Result<Played, RecordError> {
        let mut agent = DeniedWatch { agent: self.agent(trial), tally: self.tally, emit: self.job.emit };
        let mut stage = TrialParts {
            open: &|| {
                let given = OpenContext::of(trial.task, trial.settings);
                Ok(as_seen(self.part.world.open_with(trial.instance, &given)?, trial.settings))
            },
            agent: &mut agent,
            reference: &|| self.reference(trial),
            derive: &self.part.verifier,
            judge: &self.part.judge,
            record: notes,
            clock: &Stopwatch(Instant::now()),
            interrupted: &|| self.is_called_off(),
            call_limit: self.job.options.call_limit,
        };
        let played = play(trial, &mut stage, past)?;
        if played == Played::Interrupted && !self.lost.load(Ordering::SeqCst) {
            self.job.stop.store(true, Ordering::SeqCst); // If nobody else told it to stop, the agent wants to.
        }
        Ok(played)
    }

    /// Whether the trial is to be put down: the run was told to stop, or its allowance is used up, or its lease is lost.
    fn is_called_off(&self) -> bool {
        let told = self.job.stop.load(Ordering::SeqCst) || self.lost.load(Ordering::SeqCst);
        told || self.tally.allowance.exhausted().is_some()
    }

    fn agent(&self, trial: &Trial<'_>) -> Box<dyn Agent + Send> {
        let context = AgentContext {
            trial: trial.id,
            attempt: self.lease.attempt,
            task: trial.task,
            instance: trial.instance,
            world: self.part.world.as_ref(),
        };
        let made = match self.job.cast.agents.get(&trial.id.agent) {
            Some(make) => make(&context),
            None => Err(AgentError::harness(format!("there is no agent `{}`", trial.id.agent))),
        };
        made.unwrap_or_else(|error| Box::new(AbsentAgent(error)))
    }

    /// What the judge will compare with. Asked for after the agent has stopped, and not before.
    fn reference(&self, trial: &Trial<'_>) -> Result<Reference, String> {
        let (task, instance) = (trial.task, trial.instance);
        (self.job.cast.references)(&ReferenceContext { lease: self.lease, trial: trial.id, task, instance })
    }

    /// A trial whose holders keep dying is not tried for ever.
    fn not_lost_too_often(&self) -> Result<(), WorldError> {
        if self.lease.n_lost <= self.job.options.max_lost {
            return Ok(());
        }
        Err(harness(format!("whoever played it died or fell silent, {} times", self.lease.n_lost)))
    }

    /// What the verdict says of a trial whose instance cannot be made. It started from nothing.
    fn marks_without_instance(&self) -> TrialMarks {
        let instance = Digest::of_json(&Value::Null);
        let digests = Digests { task: self.part.task.digest, world: self.part.world_digest, instance };
        let outside = self.job.run.header().settings_of(&self.planned.trial.agent).outside;
        TrialMarks { digests, source: None, outside }
    }
}

/// Ends the record of an attempt that broke outside the trial's own rules.
fn broken(marks: TrialMarks, notes: &mut AttemptNotes<'_>, error: &WorldError) -> Result<Played, RunError> {
    Ok(Played::Ended(break_off(marks, notes, error)?))
}

/// Whether a trial that went on from recorded turns broke before it got to the end of them.
fn diverged(finished: &TrialResult, n_past: usize) -> bool {
    finished.verdict.ending == Ending::Fault(Boundary::World) && (finished.spent.steps as usize) < n_past
}

/// Runs what may panic. A panic is a fault of the harness.
fn catch<T>(work: impl FnOnce() -> T) -> Result<T, WorldError> {
    caught(work).map_err(harness)
}

fn harness(why: String) -> WorldError {
    WorldError::Fault { boundary: Boundary::Harness, why }
}

/// An instance that cannot be made is a fault of the preparation, whatever the world calls it.
fn broke(error: WorldError) -> WorldError {
    match error {
        WorldError::Fault { .. } => error,
        WorldError::Exhausted(why) | WorldError::Cheated(why) => WorldError::setup(why),
    }
}

/// Takes the trial down and tells of its turns.
struct AttemptNotes<'a> {
    record: AttemptWriter<'a>,
    trial: &'a TrialId,
    emit: &'a (dyn Fn(Event) + Sync),
    tally: &'a RunTally,
    n_turns: u32,
}

impl Record for AttemptNotes<'_> {
    fn frame(&mut self, digest: Digest, screen: &Screen) -> Result<(), RecordError> {
        self.record.frame(digest, screen)
    }

    fn file(&mut self, source: &Arc<dyn FileSource>) -> Result<FileHandle, KeepError> {
        self.record.file(source)
    }

    fn keeps_states(&self) -> bool {
        true
    }

    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError> {
        let taken = match &event {
            TrialEvent::Turn { step_idx, action, .. } => {
                self.n_turns += 1;
                self.tally.allowance.step();
                let action = action.as_ref().map(ToString::to_string);
                Some(Event::TurnTaken { trial: self.trial.clone(), step_idx: *step_idx, action })
            }
            _ => None,
        };
        self.record.event(event)?;
        let told = caught(|| taken.into_iter().for_each(self.emit));
        told.map_err(|why| RecordError(format!("whoever was told of a turn {why}")))
    }
}

/// Stands in for an agent that could not be made.
struct AbsentAgent(AgentError);

impl Agent for AbsentAgent {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Err(self.0.clone())
    }

    fn act(&mut self, _turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        Err(self.0.clone())
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}

/// Tells, once for the whole run, why nobody can play.
struct DeniedWatch<'a> {
    agent: Box<dyn Agent + Send>,
    tally: &'a RunTally,
    emit: &'a (dyn Fn(Event) + Sync),
}

impl DeniedWatch<'_> {
    fn watched<T>(&self, done: Result<T, AgentError>) -> Result<T, AgentError> {
        if let Err(AgentError::Denied(why)) = &done
            && self.tally.is_first_denial()
        {
            (self.emit)(Event::RunDenied { why: why.clone() });
        }
        done
    }
}

impl Agent for DeniedWatch<'_> {
    fn begin(&mut self, briefing: &Briefing) -> Result<(), AgentError> {
        let begun = self.agent.begin(briefing);
        self.watched(begun)
    }

    fn act(&mut self, turn: &Turn<'_>, within: Duration) -> Result<Reply, AgentError> {
        let acted = self.agent.act(turn, within);
        self.watched(acted)
    }

    fn recall(&mut self, turn: &Turn<'_>, reply: &Reply) {
        self.agent.recall(turn, reply);
    }

    fn dialect(&self) -> Dialect {
        self.agent.dialect()
    }

    fn wants_geometry(&self) -> bool {
        self.agent.wants_geometry()
    }

    fn wasted(&mut self) -> Option<Usage> {
        self.agent.wasted()
    }

    fn end(&mut self) {
        self.agent.end();
    }
}

struct Stopwatch(Instant);

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
