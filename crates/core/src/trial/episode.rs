//! A trial that is played from outside, a reply at a time, and that nobody takes down: for trainers.
//!
//! It is the same trial as that of [`play`](super::play), turned inside out: what an agent is shown, how its words are
//! read, what they do and what it all comes to is decided by the same functions.

use std::sync::Arc;
use std::time::Duration;

use super::conclude::{EndStage, conclude, hand_over};
use super::turn_loop::{Stop, TurnLoop};
use super::{Trial, TrialEnd, TrialId};
use crate::agent::{Agent, AgentError, Briefing, Reply, Turn};
use crate::digest::Digest;
use crate::ending::Ending;
use crate::event::{NoRecord, RecordError};
use crate::instance::Instance;
use crate::judge::{Judge, VerifierRunner};
use crate::limits::{Limits, Remaining};
use crate::observation::Observation;
use crate::settings::Settings;
use crate::task::Task;
use crate::trajectory::Feedback;
use crate::verdict::Verdict;
use crate::world::{World, WorldError};

/// What determines an episode.
#[derive(Clone, Debug)]
pub struct EpisodeTerms {
    /// The name of the trial.
    pub id: TrialId,
    /// The task.
    pub task: Arc<Task>,
    /// The instance.
    pub instance: Arc<Instance>,
    /// The digest of the world.
    pub world: Digest,
    /// What is shown and may be done.
    pub settings: Arc<Settings>,
    /// What may be used up. Time does not run: whoever plays from outside may think as long as he likes.
    pub limits: Limits,
    /// The longest that one call of the world may take.
    pub call_limit: Duration,
}

/// Who says what an episode came to.
#[derive(Clone, Copy)]
pub struct Judges<'a> {
    /// Runs the verifiers.
    pub derive: &'a dyn VerifierRunner,
    /// Judges.
    pub judge: &'a dyn Judge,
}

/// A trial that is played from outside.
pub struct Episode {
    terms: EpisodeTerms,
    world: Box<dyn World + Send>,
    act: TurnLoop,
}

impl Episode {
    /// An episode in a world that is open at the start of the instance.
    pub fn new(terms: EpisodeTerms, world: Box<dyn World + Send>) -> Self {
        let act = TurnLoop::new(&terms.trial(), world.surface(), 0);
        Self { terms, world, act }
    }

    /// What an agent is told before the first turn.
    pub fn briefing(&self) -> Briefing {
        self.terms.trial().briefing(&self.act.surface)
    }

    /// What is left of each limit.
    pub fn remaining(&self) -> Remaining {
        self.terms.limits.left(&self.act.spent)
    }

    /// What came of the last reply.
    pub fn feedback(&self) -> Option<&Feedback> {
        self.act.feedback.as_ref()
    }

    /// What an agent is shown now. Looking changes nothing.
    pub fn observe(&mut self) -> Result<Observation, WorldError> {
        let remaining = self.remaining();
        self.act.look(&OutsideAgent, self.world.as_mut(), remaining, self.terms.call_limit)
    }

    /// What an agent of ours, such as an oracle, says to what it is shown now.
    pub fn ask(&mut self, agent: &mut dyn Agent) -> Result<Reply, TrialEnd> {
        let remaining = self.remaining();
        let observation = self.act.look(agent, self.world.as_mut(), remaining, self.terms.call_limit);
        let observation = observation?;
        let turn = Turn { step_idx: self.act.spent.steps, observation: &observation, remaining };
        agent.act(&turn, self.terms.call_limit).map_err(TrialEnd::from)
    }

    /// Carries out what an agent said, and tells if that was the last of it.
    pub fn reply(&mut self, reply: &Reply) -> Option<TrialEnd> {
        let trial = self.terms.trial();
        self.act.feedback = None;
        self.act.spent.steps += 1;
        let stop = match self.act.read(&trial, reply) {
            Ok(action) => self.act.carry_out(action, self.world.as_mut(), self.terms.call_limit),
            Err(misread) => {
                self.act.misunderstand(&misread);
                None
            }
        };
        let snapshot = self.act.snapshot(&trial, self.world.as_mut(), self.terms.call_limit);
        self.act.snapshots.extend(snapshot);
        let spent_up =
            || self.terms.limits.after(&self.act.spent).err().map(|what| Stop::Agent(Ending::Truncated(what)));
        stop.or_else(spent_up).map(TrialEnd::from)
    }

    /// What it came to: the evidence is collected, derived from and judged as in any trial.
    pub fn conclude(mut self, over: TrialEnd, judges: Judges<'_>) -> Result<Verdict, RecordError> {
        let trial = self.terms.trial();
        let mut end = EndStage {
            reference: &|| Ok(self.terms.instance.reference(&self.terms.task)),
            judges,
            record: &mut NoRecord,
            call_limit: self.terms.call_limit,
        };
        let (handed, over) = hand_over(self.world.as_mut(), &mut end, self.act.handed_in(), over)?;
        conclude(&trial, &mut end, handed, &self.act.snapshots, over)
    }
}

impl EpisodeTerms {
    fn trial(&self) -> Trial<'_> {
        Trial {
            id: &self.id,
            task: &self.task,
            instance: &self.instance,
            world: self.world,
            settings: &self.settings,
            limits: &self.limits,
        }
    }
}

/// Whoever plays is outside, and has stopped.
struct OutsideAgent;

impl Agent for OutsideAgent {
    fn begin(&mut self, _briefing: &Briefing) -> Result<(), AgentError> {
        Ok(())
    }

    fn act(&mut self, _turn: &Turn<'_>, _within: Duration) -> Result<Reply, AgentError> {
        Err(AgentError::harness("an episode is played from outside"))
    }

    fn recall(&mut self, _turn: &Turn<'_>, _reply: &Reply) {}
}
