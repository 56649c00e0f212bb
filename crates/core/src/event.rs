//! What a run says of itself as it goes: the only bridge between those who run and those who show, store or replay.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::action::Action;
use crate::agent::{Briefing, Reply};
use crate::digest::Digest;
use crate::ending::Ending;
use crate::evidence::Evidence;
use crate::files::{FileError, FileHandle, FileSource};
use crate::instance::ContentSource;
use crate::limits::Spent;
use crate::observation::{Screen, Shown};
use crate::trajectory::Feedback;
use crate::trial::{TrialId, TrialResult};
use crate::verdict::Verdict;
use crate::world::KeptWorld;

/// The version of the events below. A reader refuses a newer one.
pub const EVENT_VERSION: u32 = 1;

/// One thing that happened in a trial. Lines of this are the record of a trial.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum TrialEvent {
    /// The trial began.
    Began {
        /// The hash of the instance's start state.
        instance: Digest,
        /// The source it draws from.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<ContentSource>,
        /// What the agent was told.
        briefing: Briefing,
    },
    /// A half-done trial goes on from its recorded turns.
    Resumed {
        /// How many turns were recorded before.
        after_turns: u32,
    },
    /// The agent was shown something and replied. Recorded before the world moves.
    Turn {
        /// The number of the turn, from 0.
        step_idx: u32,
        /// What came of the action before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        feedback: Option<Feedback>,
        /// What was shown.
        shown: Shown,
        /// What was said.
        reply: Reply,
        /// The canonical action; nothing if the reply could not be read as one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        action: Option<Action>,
        /// What had been spent, this turn included.
        spent: Spent,
    },
    /// The world's documents, for milestones.
    Snapshot {
        /// After how many steps.
        after_steps: u32,
        /// The documents.
        evidence: Evidence,
    },
    /// What the world held after a turn, to go on from after a crash.
    Kept {
        /// After how many steps.
        after_steps: u32,
        /// What came of the last of them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        feedback: Option<Feedback>,
        /// What it held.
        state: KeptWorld,
    },
    /// A world was put back as it had been kept. Programs that had been running in it were gone.
    PutBack {
        /// After how many steps it had been kept.
        after_steps: u32,
    },
    /// The agent stopped or was stopped.
    Stopped {
        /// How.
        ending: Ending,
        /// What came of the last action.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        feedback: Option<Feedback>,
        /// What broke, where something did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fault: Option<String>,
        /// What had been spent.
        spent: Spent,
    },
    /// The world handed over its evidence.
    Collected {
        /// The evidence.
        evidence: Evidence,
    },
    /// Verifiers ran.
    Derived {
        /// What they made of it, by name.
        derived: Vec<(String, Value)>,
    },
    /// The verdict.
    Judged {
        /// The verdict.
        verdict: Verdict,
    },
}

/// One thing that happened in a run: what terminals, logs and viewers consume.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The run began or goes on.
    RunBegan {
        /// Its name.
        run: String,
        /// How many trials the plan has.
        n_trials: u64,
        /// How many of them are already done.
        n_done: u64,
    },
    /// A worker began a trial.
    TrialBegan {
        /// Which.
        trial: TrialId,
        /// Which attempt, from 1.
        attempt: u32,
        /// How many turns were taken over from an earlier attempt.
        recovered_turns: u32,
    },
    /// A turn was taken.
    TurnTaken {
        /// Which trial.
        trial: TrialId,
        /// The number of the turn.
        step_idx: u32,
        /// The action in short; nothing if the reply could not be read.
        action: Option<String>,
    },
    /// An attempt ended in a fault and will be retried.
    AttemptFaulted {
        /// Which trial.
        trial: TrialId,
        /// Which attempt.
        attempt: u32,
        /// How it ended.
        ending: Ending,
        /// What broke.
        why: String,
    },
    /// A trial has its verdict.
    TrialEnded {
        /// Which.
        trial: TrialId,
        /// Which attempt counted.
        attempt: u32,
        /// The verdict.
        verdict: Box<Verdict>,
        /// What it used up.
        spent: Spent,
    },
    /// A trial was put back unfinished, to be continued later.
    TrialInterrupted {
        /// Which.
        trial: TrialId,
    },
    /// Nobody can play before somebody has mended what is wrong; the run stops.
    RunDenied {
        /// What is wrong.
        why: String,
    },
    /// The run ended: every trial has an outcome, or it was interrupted.
    RunEnded {
        /// How many trials have an outcome.
        n_done: u64,
        /// How many have not.
        n_left: u64,
    },
}

impl Event {
    /// Tells what a trial came to.
    pub fn trial_ended(trial: TrialId, attempt: u32, finished: TrialResult) -> Self {
        let TrialResult { verdict, spent } = finished;
        Self::TrialEnded { trial, attempt, verdict: Box::new(verdict), spent }
    }
}

/// Takes down what happens in a trial. What it has taken down survives the death of the process.
pub trait Record {
    /// A picture that later events name.
    fn frame(&mut self, digest: Digest, screen: &Screen) -> Result<(), RecordError>;

    /// A file that later events name, piece by piece. Returns where it can be read from now on. Whoever keeps nothing
    /// only finds out what it holds.
    fn file(&mut self, source: &Arc<dyn FileSource>) -> Result<FileHandle, KeepError> {
        Ok(FileHandle::of(Arc::clone(source))?)
    }

    /// Whether anybody will ever go on from it, so that it is worth keeping what worlds hold.
    fn keeps_states(&self) -> bool {
        false
    }

    /// Something that happened.
    fn event(&mut self, event: TrialEvent) -> Result<(), RecordError>;
}

/// Takes nothing down: for trials that are only watched.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoRecord;

impl Record for NoRecord {
    fn frame(&mut self, _digest: Digest, _screen: &Screen) -> Result<(), RecordError> {
        Ok(())
    }

    fn event(&mut self, _event: TrialEvent) -> Result<(), RecordError> {
        Ok(())
    }
}

/// Why a file is not in the record.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// It could not be had from whoever handed it over.
    #[error(transparent)]
    File(#[from] FileError),
    /// It could not be taken down.
    #[error(transparent)]
    Record(#[from] RecordError),
}

/// The record could not be written. Nothing that follows would be worth anything, so the attempt ends here.
#[derive(Debug, thiserror::Error)]
#[error("the record could not be written: {0}")]
pub struct RecordError(pub String);
