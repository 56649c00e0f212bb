//! One trial, from the opening of the world to the verdict. [`play`] is the whole story.

mod conclude;
mod end;
mod episode;
mod id;
mod turn_loop;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::{Agent, Briefing};
use crate::clock::Clock;
use crate::digest::Digest;
use crate::event::{Record, RecordError, TrialEvent};
use crate::files::FileSet;
use crate::instance::Instance;
use crate::judge::{Judge, Snapshot, VerifierRunner};
use crate::limits::{Limits, Spent};
use crate::reference::Reference;
use crate::settings::Settings;
use crate::surface::Surface;
use crate::task::Task;
use crate::trajectory::{Feedback, Step};
use crate::verdict::{Digests, Verdict};
use crate::world::{World, WorldError};

use conclude::{EndStage, conclude, hand_over};
use turn_loop::{Stop, TurnLoop};

pub use conclude::{TrialMarks, break_off, pronounce};
pub use end::TrialEnd;
pub use episode::{Episode, EpisodeTerms, Judges};
pub use id::{NotATrialId, TrialId, UNDER};

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
pub struct TrialParts<'a> {
    /// Opens the world at the start of the instance.
    pub open: &'a dyn Fn() -> Result<Box<dyn World + Send>, WorldError>,
    /// Who plays.
    pub agent: &'a mut dyn Agent,
    /// Fetches the reference. Called only after the agent has stopped.
    pub reference: &'a dyn Fn() -> Result<Reference, String>,
    /// Runs the verifiers.
    pub derive: &'a dyn VerifierRunner,
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

/// What a trial came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrialResult {
    /// The verdict.
    pub verdict: Verdict,
    /// What was used up.
    pub spent: Spent,
}

/// What became of a trial.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one of these per trial, and it is taken apart at once")]
pub enum Played {
    /// It ended and has its verdict.
    Ended(TrialResult),
    /// It was put down between two turns.
    Interrupted,
}

/// What of a trial was recorded before a crash.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrialPast<'a> {
    /// Its turns.
    pub steps: &'a [Step],
    /// What the world held after so many of them, where that is put back; else the turns are carried out again.
    pub kept: Option<&'a PastState>,
}

/// What a world held in the past, with its files at hand.
#[derive(Clone, Debug, Default)]
pub struct PastState {
    /// After how many steps.
    pub after_steps: u32,
    /// What came of the last of them.
    pub feedback: Option<Feedback>,
    /// Everything but the files.
    pub document: Value,
    /// The files by path.
    pub files: FileSet,
    /// The world's documents along the way.
    pub snapshots: Vec<Snapshot>,
}

impl<'a> TrialPast<'a> {
    /// Turns that are carried out again.
    pub fn of(steps: &'a [Step]) -> Self {
        Self { steps, kept: None }
    }
}

/// Plays a trial: opens the world, lets the agent look and act until something ends it, collects the evidence, derives,
/// and judges. Steps of the past (recorded before a crash) are carried out again without asking the agent, or what the world
/// held after them is put back.
pub fn play(trial: &Trial<'_>, stage: &mut TrialParts<'_>, past: TrialPast<'_>) -> Result<Played, RecordError> {
    let mut world = match (stage.open)() {
        Ok(world) => world,
        Err(error) => return Ok(Played::Ended(break_off(trial.marks(), stage.record, &error)?)),
    };
    let mut act = TurnLoop::new(trial, world.surface(), past.steps.len());
    let stop = match act.begin(trial, stage)? {
        Some(stop) => stop,
        None => act.out(trial, stage, world.as_mut(), past)?,
    };
    stage.agent.end();
    if let Stop::Interrupted = stop {
        return Ok(Played::Interrupted);
    }
    let over = TrialEnd::from(stop);
    stage.record.event(TrialEvent::Stopped {
        ending: over.ending.clone(),
        feedback: act.feedback.take(),
        fault: over.fault.clone(),
        spent: act.spent,
    })?;
    let mut end = stage.end();
    let (handed, over) = hand_over(world.as_mut(), &mut end, act.handed_in(), over)?;
    let verdict = conclude(trial, &mut end, handed, &act.snapshots, over)?;
    Ok(Played::Ended(TrialResult { verdict, spent: act.spent }))
}

impl TrialParts<'_> {
    fn end(&mut self) -> EndStage<'_> {
        EndStage {
            reference: self.reference,
            judges: Judges { derive: self.derive, judge: self.judge },
            record: self.record,
            call_limit: self.call_limit,
        }
    }
}

impl Trial<'_> {
    fn briefing(&self, surface: &Surface) -> Briefing {
        Briefing {
            instruction: self.instruction(surface),
            surface: surface.clone(),
            limits: self.limits.clone(),
            answer: self.task.spec.result.shape(),
            history: self.settings.history,
            effort: self.settings.effort,
            seed: self.id.seed(),
        }
    }

    /// What to do; where pictures are made smaller, with a word on what pixels mean then.
    fn instruction(&self, surface: &Surface) -> String {
        let instruction = self.instance.instruction.clone();
        let Some(longest) = self.settings.resolution else { return instruction };
        let meant = match surface.screen {
            Some(_) => "Points on the screen are given in pixels of what you are shown.",
            None => "Sizes, places and distances in pixels, here and in your actions, are those of the full picture.",
        };
        let shown = format!("Pictures are shown to you smaller: their longer side has at most {longest} pixels.");
        format!("{}\n\n{shown} {meant}\n", instruction.trim_end())
    }

    /// What a verdict says of this trial, whatever it came to.
    pub fn marks(&self) -> TrialMarks {
        let digests = Digests { task: self.task.digest, world: self.world, instance: self.instance.digest() };
        TrialMarks { digests, source: self.instance.source.clone(), outside: self.settings.outside }
    }
}
