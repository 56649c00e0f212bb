//! One attempt, as it was recorded.

use quintain_core::judge::Snapshot;
use quintain_core::trial::{TrialEnd, TrialResult};
use quintain_core::{Boundary, Briefing, Ending, Evidence, Spent, Step, TrialEvent, TrialId, Verdict};

use super::line::{self, LineHead, UnreadableLine};
use super::place::LineRange;
use super::scan::bad_line;
use crate::error::StoreError;

/// One attempt, as it was recorded; or a whole trajectory, where attempts were joined.
#[derive(Clone, Debug, PartialEq)]
pub struct AttemptRecord {
    /// Which trial.
    pub trial: TrialId,
    /// Which attempt.
    pub attempt: u32,
    /// What happened, in order.
    pub events: Vec<TrialEvent>,
    /// Where it stands.
    pub place: LineRange,
    /// The earlier attempt that it goes on from; nothing once the two have been joined.
    pub continues: Option<LineRange>,
    /// Whether the place ended in the middle of a line, which was left out.
    pub torn: bool,
}

/// How the agent's part ended.
#[derive(Clone, Debug, PartialEq)]
pub struct AgentStop {
    /// How, and what broke where something did.
    pub over: TrialEnd,
    /// What had been spent.
    pub spent: Spent,
}

impl AttemptRecord {
    /// Reads the lines of one place. Half a line at the end is left out; anything else that is wrong is an error that
    /// counts lines from the beginning of the place.
    pub(super) fn parse(place: &LineRange, bytes: &[u8]) -> Result<Self, StoreError> {
        let whole_len = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline_idx| newline_idx + 1);
        let mut lines = bytes[..whole_len].split_inclusive(|byte| *byte == b'\n');
        let no_such = |why: &str| StoreError::NoSuchPlace { place: place.to_string(), why: why.to_owned() };
        let first = lines.next().ok_or_else(|| no_such("no whole line stands there"))?;
        let at = |line_idx: usize| {
            move |unreadable: UnreadableLine| {
                let mut bad = bad_line(&place.segment, line_idx as u64 + 1, unreadable);
                bad.file = format!("{} from byte {}", bad.file, place.start);
                StoreError::BadLines(vec![bad])
            }
        };
        let head = LineHead::read(first).map_err(at(0))?;
        let mut events = vec![line::event(first).map_err(at(0))?];
        for (line_idx, text) in lines.enumerate() {
            let other = LineHead::read(text).map_err(at(line_idx + 1))?;
            if other.trial != head.trial || other.attempt != head.attempt {
                return Err(no_such("it holds lines of several attempts"));
            }
            events.push(line::event(text).map_err(at(line_idx + 1))?);
        }
        Ok(Self {
            trial: head.trial_id().map_err(at(0))?,
            attempt: head.attempt,
            events,
            place: place.clone(),
            continues: head.continues,
            torn: whole_len < bytes.len(),
        })
    }

    /// The steps: each turn with what came of it, which the next turn or the end tells.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        for event in &self.events {
            let (TrialEvent::Turn { feedback, .. } | TrialEvent::Stopped { feedback, .. }) = event else { continue };
            if let Some(last) = steps.last_mut() {
                last.feedback.clone_from(feedback);
            }
            if let TrialEvent::Turn { shown, reply, action, spent, .. } = event {
                steps.push(Step {
                    shown: shown.clone(),
                    reply: reply.clone(),
                    action: action.clone(),
                    spent: *spent,
                    feedback: None,
                });
            }
        }
        steps
    }

    /// How many turns were recorded.
    pub fn n_turns(&self) -> usize {
        self.events.iter().filter(|event| matches!(event, TrialEvent::Turn { .. })).count()
    }

    /// What the agent was told at the beginning.
    pub fn briefing(&self) -> Option<&Briefing> {
        self.events.iter().find_map(|event| match event {
            TrialEvent::Began { briefing, .. } => Some(briefing),
            _ => None,
        })
    }

    /// What it came to, if it was judged.
    pub fn outcome(&self) -> Option<TrialResult> {
        Some(TrialResult { verdict: self.verdict()?.clone(), spent: self.stopped()?.spent })
    }

    /// How the agent's part ended.
    pub fn stopped(&self) -> Option<AgentStop> {
        self.events.iter().find_map(|event| match event {
            TrialEvent::Stopped { ending, fault, spent, .. } => {
                let over = TrialEnd { ending: ending.clone(), fault: fault.clone() };
                Some(AgentStop { over, spent: *spent })
            }
            _ => None,
        })
    }

    /// The ending that the checks are to be given, and what broke. A world that could not hand over its evidence turns
    /// the ending into a fault after the agent has stopped, and only the verdict tells; a judge's fault on the other
    /// hand is the judge's own, and judging again may lift it.
    pub fn over(&self) -> Option<TrialEnd> {
        match self.verdict() {
            Some(verdict) if verdict.ending != Ending::Fault(Boundary::Judge) => {
                Some(TrialEnd { ending: verdict.ending.clone(), fault: verdict.fault.clone() })
            }
            _ => self.stopped().map(|stopped| stopped.over),
        }
    }

    /// The evidence, with what verifiers derived from it; nothing if the world never handed any over.
    pub fn evidence(&self) -> Option<Evidence> {
        let mut evidence = self.events.iter().find_map(|event| match event {
            TrialEvent::Collected { evidence } => Some(evidence.clone()),
            _ => None,
        })?;
        for event in &self.events {
            if let TrialEvent::Derived { derived } = event {
                evidence.derived.extend(derived.iter().cloned());
            }
        }
        Some(evidence)
    }

    /// The world's documents along the way, one for each step that has any. Where a resumed attempt took one down
    /// again, the later counts.
    pub fn snapshots(&self) -> Vec<Snapshot> {
        let mut snapshots: Vec<Snapshot> = Vec::new();
        for event in &self.events {
            let TrialEvent::Snapshot { after_steps, evidence } = event else { continue };
            snapshots.retain(|earlier| earlier.after_steps != *after_steps);
            snapshots.push(Snapshot { after_steps: *after_steps, evidence: evidence.clone() });
        }
        snapshots
    }

    /// The verdict, if it came to one.
    pub fn verdict(&self) -> Option<&Verdict> {
        self.events.iter().rev().find_map(|event| match event {
            TrialEvent::Judged { verdict } => Some(verdict),
            _ => None,
        })
    }
}
